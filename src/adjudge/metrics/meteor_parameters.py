"""METEOR's eight numbers, and the small files that keep them: `adjudge tune` writes one, the metric reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from adjudge.errors import DataError, unknown_name
from adjudge.io.files import read_bytes, whole

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
            most = GREATEST_BETA if name == "beta" else 1.0
            if not 0 <= value <= most:  # nor is NaN
                raise DataError(f"METEOR's {name} is {value:g}; a number from 0 to {most:g} was expected")

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """One a matcher, in the order of MATCHERS."""
        return self.exact, self.stem, self.synonym, self.paraphrase

    @property
    def numbers(self) -> tuple[float, ...]:
        """All eight, in the order of NAMES."""
        return self.alpha, self.beta, self.gamma, self.delta, *self.weights


NAMES = tuple(field.name for field in fields(Parameters))


def read_parameters(path: str) -> Parameters:
    """The parameters in a file of lines `name = value`, of which it must have all eight and no other."""
    text = whole(path, read_bytes(path)[0])
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is no file of parameters (name = value): {error}") from None
    for name, value in values.items():
        if name not in NAMES:
            raise DataError(f"{path}: {unknown_name('parameter', name, NAMES)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise DataError(f"{path}: {name} is {value!r}; a number was expected")
    if missing := [name for name in NAMES if name not in values]:
        raise DataError(f"{path} has no {', '.join(missing)}; all of {', '.join(NAMES)} must be there")
    try:
        return Parameters(**{name: float(value) for name, value in values.items()})
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def parameter_file(parameters: Parameters, remarks: Sequence[str] = ()) -> str:
    """The text of such a file; the remarks, which say how they were found, stand above as comments."""
    # A line break or another control character in a remark (a file's name) would be no comment any more.
    comments = ["# " + "".join(c if c.isprintable() else " " for c in remark) for remark in remarks]
    values = [f"{name} = {float(value)!r}" for name, value in asdict(parameters).items()]
    return "\n".join([*(comment.rstrip() for comment in comments), *values]) + "\n"
