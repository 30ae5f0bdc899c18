"""METEOR's eight numbers, and the small files that keep them: `adjudge tune` writes one, the metric reads it.

A file is TOML of the simplest kind, `name = number` a line, with remarks behind `#`; read by hand, so that every
fault can be told with its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from adjudge.errors import DataError, unknown_name
from adjudge.io.files import lines, path_text, read_bytes

MATCHERS = ("exact", "stem", "synonym", "paraphrase")
"""In the order of the columns of METEOR's rows."""
GREATEST_BETA = 10.0


@dataclass(frozen=True)
class Parameters:
    """What turns METEOR's counts into a score (Denkowski and Lavie 2014); the weights are those of the matchers."""

    alpha: float
    """Weight of recall against precision in their mean."""
    beta: float
    """Power of the fragmentation."""
    gamma: float
    """Greatest share of the score that fragmentation can take away."""
    delta: float
    """Weight of content words; function words have 1 − delta."""
    exact: float = 1.0
    stem: float = 1.0
    synonym: float = 1.0
    paraphrase: float = 1.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least, most = LIMITS[name]
            if not least <= value <= most:  # nor is NaN
                raise DataError(f"METEOR's {_out_of_range(name, value)}")

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """One a matcher, in the order of MATCHERS."""
        return self.exact, self.stem, self.synonym, self.paraphrase

    @property
    def numbers(self) -> tuple[float, ...]:
        """All eight, in the order of NAMES."""
        return self.alpha, self.beta, self.gamma, self.delta, *self.weights


NAMES = tuple(field.name for field in fields(Parameters))
LIMITS = {name: (0.0, GREATEST_BETA if name == "beta" else 1.0) for name in NAMES}


def read_parameters(path: str) -> Parameters:
    """The parameters in a file of lines `name = value`, of which it must have all eight and no other."""
    rows = lines(path, read_bytes(path)[0])
    values: dict[str, float] = {}
    stood: dict[str, int] = {}
    for at, row in enumerate(rows, 1):
        text = row.partition("#")[0].strip()
        if not text:
            continue
        place = f"{path_text(path)}, line {at}"
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise DataError(f"{place}: {text!r} is no line 'name = number', such as 'alpha = 0.85'")
        if name not in NAMES:
            raise DataError(f"{place}: {unknown_name('parameter', name, NAMES)}")
        if name in stood:
            raise DataError(f"{place}: {name} stands in line {stood[name]} already; keep one of them")
        values[name], stood[name] = _number(name, value, place), at
    if missing := [name for name in NAMES if name not in values]:
        raise DataError(
            f"{path_text(path)} ends with line {len(rows)} and has no {' nor '.join(missing)}; "
            f"add {'it' if len(missing) == 1 else 'them'}: {', '.join(NAMES)} must all be there"
        )
    return Parameters(**values)


def _number(name: str, text: str, place: str) -> float:
    least, most = LIMITS[name]
    try:
        value = float(text)
    except ValueError:
        swapped = text.replace(",", ".")
        remedy = f"; write {swapped}" if swapped != text and _is_number(swapped) else ""
        raise DataError(f"{place}: {name} is {text!r}, which is no number{remedy}") from None
    if not least <= value <= most:  # nor is NaN
        raise DataError(f"{place}: {_out_of_range(name, value)}")
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _out_of_range(name: str, value: float) -> str:
    least, most = LIMITS[name]
    return f"{name} is {value:g}; a number from {least:g} to {most:g} was expected"


def parameter_file(parameters: Parameters, remarks: Sequence[str] = ()) -> str:
    """The text of such a file; the remarks, which say how they were found, stand above as comments."""
    # A line break or another control character in a remark (a file's name) would be no comment any more.
    comments = ["# " + "".join(c if c.isprintable() else " " for c in remark) for remark in remarks]
    values = [f"{name} = {float(value)!r}" for name, value in asdict(parameters).items()]
    return "\n".join([*(comment.rstrip() for comment in comments), *values]) + "\n"
