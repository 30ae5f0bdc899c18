"""The contract of every metric: additive rows for segments, one function from sums of rows to scores."""

from __future__ import annotations

import json
import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__
from adjudge.data import Alignment, TestSet, languages
from adjudge.errors import UsageError, unknown_name
from adjudge.io.remote import shown_address

if TYPE_CHECKING:
    from adjudge.data.judgements import Span

Rows = NDArray[np.float64]
OVER_REFERENCES = "counted over all references"
"""Why a row may depend on other segments than its own."""


class PairRows(Protocol):
    """Rows of every text of a list as an output against every other one as its only reference."""

    def rows(self, begin: int, end: int) -> Rows:
        """Those of some texts: a row a reference for the first one, then for the next."""


class Direction(Enum):
    """Which scores are better: the higher ones, the lower ones, or neither, as for a length ratio."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"

    @property
    def higher_is_better(self) -> bool | None:
        """As results say it; None for neither."""
        return {Direction.HIGHER: True, Direction.LOWER: False, Direction.NEITHER: None}[self]


@dataclass(frozen=True)
class Metric(ABC):
    """A metric is a value: its fields are its options, and all else follows from them.

    Write `segments` for the mean of segment scores (derive from MeanMetric); `stats` and `aggregate` for a
    corpus metric; `prepare` as well to do work on the references once for all systems.
    """

    name: ClassVar[str] = ""
    """How people ask for it: `bleu`, `chrf`."""
    title: ClassVar[str] = ""
    """How tables print it: `BLEU`, `chrF`."""
    summary: ClassVar[str] = ""
    """One line for `adjudge score --list`."""
    direction: ClassVar[Direction] = Direction.HIGHER
    """Which scores are the better ones."""
    scale: ClassVar[tuple[float, float]] = (0.0, 100.0)
    """Worst and best value there can be (inf where open)."""
    decimals: ClassVar[int] = 1
    needs: ClassVar[frozenset[str]] = frozenset({"references"})
    """Columns of the test set without which there is no score."""
    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    """Other names for the metric with some options set: `chrf++`."""

    keeps_rows: ClassVar[bool] = True
    """Whether rows may be kept whole; not where each segment is kept by itself, with what is to be said of it."""
    takes_turns: ClassVar[bool] = True
    """Whether one thread at a time may score with it, as with models and parsers; what runs in the core need not."""

    @property
    def undivided(self) -> str:
        """Why a test set cannot be scored in chunks, each by itself and elsewhere; empty where it can.

        Every row is then the same in whatever chunk its segment lies. Metrics of other packages whose `prepare` is
        their own say so themselves.
        """
        owner = next(kind for kind in type(self).__mro__ if "prepare" in vars(kind))
        if owner.__module__.partition(".")[0] != "adjudge":
            return (
                "its `prepare` may count over all references, and `undivided` does not say that it does not"
            )
        return ""

    @property
    def uses(self) -> frozenset[str]:
        """Columns of the test set that change the score; more than `needs` where a metric can do without some."""
        return self.needs

    def for_test_set(self, test_set: TestSet) -> Metric:
        """The metric with options that were left to the test set filled in, such as its language."""
        return self

    @property
    def follows_language(self) -> bool:
        """Whether an option is left to the language of the test set; `for_test_set` then fills it in."""
        return False

    @property
    def needs_language(self) -> bool:
        """Whether there is no score without knowing the language, because it decides what is known of words."""
        return False

    def depends_on(self, language: str) -> bool:
        """Whether the score is another one than it would be in most languages."""
        return False

    @property
    def splits_at_spaces(self) -> bool:
        """Whether words are what stands between spaces: in Chinese or Thai whole clauses."""
        return False

    def prepare(self, test_set: TestSet) -> Any:
        """Work on sources and references that serves every system."""
        return test_set

    @abstractmethod
    def stats(self, prepared: Any, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One row of additive numbers a segment; `threads` 0 means one a core, and never changes the rows."""

    @abstractmethod
    def aggregate(self, sums: Rows) -> Rows:
        """Scores from sums of rows: `(..., k) -> (...)`.

        The sum of no rows is the score of empty texts against empty references, or NaN for a mean: leave groups
        without segments out.
        """

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> float:
        """The score of one sentence against its references, as among those of segments; for loops that train.

        The language is not identified: a tokenizer that follows it must be named.
        """
        if not self.needs <= {"references"}:
            raise UsageError(f"{self.title} needs more than references: score(TestSet(...), Outputs(...))")
        return self.score_of_row(self.sentence_row(hypothesis, references))

    def sentence_row(self, hypothesis: str, references: Sequence[str | None]) -> list[float]:
        """The row of one sentence."""
        prepared = self.prepare(TestSet(references=tuple((reference,) for reference in references)))
        row: list[float] = self.stats(prepared, (hypothesis,), threads=1)[0].tolist()
        return row

    def score_of_row(self, row: Sequence[float]) -> float:
        """The score of one row, of a sentence."""
        return float(self.for_segments().aggregate(np.asarray([row], np.float64))[0])

    def all_pairs(self, texts: Sequence[str]) -> PairRows | None:
        """All pairs of some texts at once, where there is a quicker way than one after the other; else None."""
        return None

    def for_segments(self) -> Metric:
        """The variant whose `aggregate` is meant for single rows."""
        return self

    def alignments(self, prepared: Any, outputs: Sequence[str]) -> list[Alignment]:
        """Which words of each output went with which of the reference that its row was taken from."""
        from adjudge.metrics import aligning_metrics

        raise UsageError(
            f"{self.name} yields no alignment of words; metrics that do: {', '.join(aligning_metrics()) or 'none'}"
        )

    def spans(self, prepared: Any, outputs: Sequence[str]) -> list[tuple[Span, ...] | None]:
        """The errors that the metric marks in each output; None where it has nothing to say of one."""
        from adjudge.metrics import marking_metrics

        raise UsageError(
            f"{self.name} marks no errors; metrics that do: {', '.join(marking_metrics()) or 'none'}"
        )

    def signature_fields(self) -> dict[str, str]:
        """What belongs between the number of references and the version in a signature."""
        return {}

    def test_set_fields(self, test_set: TestSet) -> dict[str, str]:
        """What a signature says of the test set beyond the number of references, such as whose trees are read."""
        return {}

    def signature(self, test_set: TestSet) -> str:
        """All that changes the score, in sacreBLEU's layout."""
        from adjudge.metrics.plugins import package_of

        parts: dict[str, str] = {}
        if "references" in self.needs:
            count = test_set.reference_count()
            parts["nrefs"] = "var" if count is None else str(count)
            if test_set.pseudo:
                parts["pseudo"] = str(test_set.pseudo)
        parts |= self.signature_fields() | self.test_set_fields(test_set)
        if test_set.level:
            parts["level"] = test_set.level.replace(":", "-")
        if test_set.realigned:
            parts["realigned"] = "yes"
        if package := package_of(type(self)):
            parts["package"] = package
        parts["version"] = f"adjudge-{__version__}"
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    @property
    def label(self) -> str:
        """The column heading in tables: title or preset, with the options that were changed."""
        name, _, options = self.spec.partition("(")
        heading = self.title + name.removeprefix(self.name) if name.startswith(self.name) else name
        return f"{heading}({options}" if options else heading

    def options(self) -> dict[str, Any]:
        """The options that are not at their default."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    @property
    def spec(self) -> str:
        """The string that makes this metric again: `bleu(tokenize=intl)`, `chrf++`."""
        name, options = self.name, self.options()
        for preset, values in self.presets.items():
            if values.items() <= options.items():
                name, options = preset, {k: v for k, v in options.items() if k not in values}
                break
        spelled = ",".join(f"{key}={spell(value)}" for key, value in options.items())
        return f"{name}({spelled})" if spelled else name

    def __str__(self) -> str:
        return self.spec

    @classmethod
    def from_options(cls, options: dict[str, str]) -> Self:
        """Make the metric from options as people write them, checking names and values."""
        types = typing.get_type_hints(cls)
        known = [f.name for f in fields(cls)]
        values: dict[str, Any] = {}
        for key, text in options.items():
            if key not in known:
                raise unknown_name(f"option of {cls.name}", key, known)
            if shown_address(text) != text:
                raise UsageError(
                    f"{cls.name}({key}=…): an address without a user, a password or a query was expected (it is not "
                    "repeated here, for it may hold a secret): it would stand in every result"
                )
            values[key] = parse_value(types[key], text, f"{cls.name}({key}={text})")
        return cls(**values)


@dataclass(frozen=True)
class MeanMetric(Metric):
    """A metric whose system score is the mean of its segment scores; rows are (score, 1), missing (0, 0)."""

    @abstractmethod
    def segments(self, prepared: Any, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One score per segment, NaN where there is none."""

    def stats(self, prepared: Any, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Scores beside their weights."""
        scores = self.segments(prepared, outputs, threads=threads)
        known = ~np.isnan(scores)
        return np.stack([np.where(known, scores, 0.0), known.astype(np.float64)], axis=-1)

    def aggregate(self, sums: Rows) -> Rows:
        """Weighted mean; NaN where nothing has a weight."""
        return divide(sums[..., 0], sums[..., 1], otherwise=np.nan)


def divide(numerator: Rows, denominator: Rows, *, otherwise: float) -> Rows:
    """Elementwise quotient that is `otherwise` where the denominator is 0."""
    numerator, denominator = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    zero = denominator == 0
    if not zero.any():
        return np.asarray(numerator / denominator)
    return np.where(zero, otherwise, numerator / np.where(zero, 1.0, denominator))


def require(condition: bool, message: str) -> None:
    """Raise a usage error unless an option's value makes sense; for `__post_init__`."""
    if not condition:
        raise UsageError(message)


def target_language(metric: Metric, test_set: TestSet) -> str:
    """The language a metric is asked for, else that of the test set; without any, there is no score."""
    asked: str = getattr(metric, "language", "")
    if asked or test_set.language:
        return languages.code(asked) if asked else languages.target(test_set.language)
    raise UsageError(
        f"{metric.title} depends on the target language, and nothing tells which one it is: say it with -l, as in "
        f"-l en-de or -l de, or in the metric, {metric.name}(language=de); pip install 'adjudge[lid]' identifies it"
    )


def yes_no(value: bool) -> str:
    """How signatures spell truth."""
    return "yes" if value else "no"


def shortest(value: float, style: str) -> str:
    """A number in the given style where that says it exactly, else with all its digits."""
    return text if float(text := format(value, style)) == value else repr(float(value))


def spell(value: Any) -> str:
    """A value as `options_of` and `parse_value` read it: in quotes where a path has commas or brackets."""
    text = str(value).lower() if value is None or isinstance(value, bool) else str(value)
    return json.dumps(text, ensure_ascii=False) if UNSAFE.search(text) or text != text.strip() else text


def options_of(text: str, spec: str) -> dict[str, str]:
    """The options between the brackets of a spec string, as people write them."""
    options: dict[str, str] = {}
    place = 0
    while text.strip() and place <= len(text):
        part = OPTION.match(text, place)
        if part is None:
            wrong = text[place:].partition(",")[0].strip()
            raise UsageError(
                f"cannot read {wrong!r} in {spec!r}: write option=value, and several values with + (exact+stem)"
            )
        if part["key"] in options:
            raise UsageError(f"option {part['key']!r} stands twice in {spec!r}")
        options[part["key"]] = part["bare"].strip() if part["quoted"] is None else _unquote(part["quoted"])
        place = part.end() + 1
    return options


def _unquote(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        raise UsageError(
            f'cannot read {text}: write \\" and \\\\ for quotes and backslashes in quotes'
        ) from None


def parse_value(kind: Any, text: str, where: str) -> Any:
    """The value of an option as its type says: bool, int, float, str, or one of those or `none`."""
    alternatives = typing.get_args(kind)
    if type(None) in alternatives:
        if text.lower() == "none":
            return None
        kind = next(k for k in alternatives if k is not type(None))
    if typing.get_origin(kind) is typing.Literal:
        allowed = typing.get_args(kind)
        if text not in allowed:
            raise UsageError(f"{where}: must be one of {', '.join(map(str, allowed))}")
        return text
    if kind is bool:
        if text.lower() in ("true", "yes", "1"):
            return True
        if text.lower() in ("false", "no", "0"):
            return False
        raise UsageError(f"{where}: must be true or false")
    try:
        return kind(text)
    except ValueError:
        noun = "a whole number" if kind is int else "a number"
        raise UsageError(f"{where}: must be {noun}") from None


QUOTED = r'"(?:[^"\\]|\\.)*"'
UNSAFE = re.compile(r'[,()"]')
OPTION = re.compile(
    rf"\s*(?P<key>[^\s=,]+)\s*=\s*(?:(?P<quoted>{QUOTED})\s*|(?P<bare>[^,]*))(?=,|\Z)", re.DOTALL
)
SPEC = re.compile(r"\s*(?P<name>[^\s()]+)\s*(?:\((?P<options>.*)\))?\s*", re.DOTALL)

__all__ = [
    "Direction",
    "MeanMetric",
    "Metric",
    "PairRows",
    "Rows",
    "divide",
    "require",
    "shortest",
    "target_language",
    "yes_no",
]
