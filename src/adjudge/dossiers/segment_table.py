"""All that is known of every segment, in columns: texts, labels, scores, errors, and named sets of segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Alignment, Outputs, ReferenceSet, Segments, TestSet
from adjudge.errors import DataError, unknown_name
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Indices = NDArray[np.intp]
Kind = Literal["metric", "human", "qe"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class ScoreColumn:
    """One score of every segment of some systems; NaN where one is missing."""

    key: str
    """What conditions and links call it: `chrf`, `bleu(tokenize=intl)`."""
    title: str
    """What people read."""
    higher_better: bool | None
    """None where neither is, as for a ratio of lengths."""
    kind: Kind
    """A metric, what people said, or an estimate without references."""
    values: Mapping[str, Floats]
    """By system; systems without this score are left out."""
    decimals: int = 1
    """As many are shown."""


@dataclass(frozen=True)
class MarkedSpan:
    """An error that somebody or something marked in an output (or in the source)."""

    start: int | None
    """In code points, half open; None for something that is missing."""
    end: int | None
    severity: str
    category: str = ""
    annotator: str = ""
    side: Literal["target", "source"] = "target"
    comment: str = ""


@dataclass(frozen=True, eq=False)
class SegmentTable:
    """Every segment of a test set, with what systems made of it and all that is known of that.

    Columns have as many entries as there are identifiers, which is checked. Systems are those of `outputs`, in their
    order; the first is the usual baseline.
    """

    identifiers: tuple[str, ...]
    """What people call a segment: mostly its number, from 1."""
    outputs: Mapping[str, ReferenceSet]
    """By system; None where it has no output for a segment."""
    sources: ReferenceSet | None = None
    references: tuple[ReferenceSet, ...] = ()
    """A tuple for each reference set; None where a segment has none."""
    labels: Mapping[str, Segments] = field(default_factory=dict)
    """By name; empty where a segment has none."""
    scores: tuple[ScoreColumn, ...] = ()
    counts: Mapping[str, Mapping[str, Integers]] = field(default_factory=dict)
    """By class (of errors, of faults) and system: how many a segment has."""
    spans: Mapping[str, tuple[tuple[MarkedSpan, ...], ...]] = field(default_factory=dict)
    """By system."""
    marks: Mapping[str, Indices] = field(default_factory=dict)
    """Named sets of segments, so that any number can lead to its own; given as indices from 0 or as booleans."""
    alignments: Mapping[str, Mapping[str, tuple[Alignment | None, ...]]] = field(default_factory=dict)
    """By the name of what aligned (METEOR, TER) and system."""
    language: str = ""
    """The language pair (`en-de`) or the target language, where it is known."""
    languages: Segments | None = None
    """The language of every segment, where there are several."""
    name: str = ""
    """The test set's."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "identifiers", tuple(self.identifiers))
        put(self, "outputs", _columns(self.outputs))
        put(self, "labels", _columns(self.labels))
        put(self, "references", tuple(tuple(column) for column in self.references))
        put(self, "scores", tuple(self.scores))
        put(self, "marks", MappingProxyType({name: self._indices(name, m) for name, m in self.marks.items()}))
        if self.sources is not None:
            put(self, "sources", tuple(self.sources))
        if not self.outputs:
            raise DataError("a table of segments needs the outputs of a system; there are none")
        for what, column in self._all_columns():
            if len(column) != len(self):
                raise DataError(f"{pluralise(len(self), 'segment')}, but {what} has {len(column)}")
        keys = [scores.key for scores in self.scores]
        for scores in self.scores:
            if keys.count(scores.key) > 1:
                raise DataError(f"two scores are called {scores.key!r}")
            if scores.kind not in KINDS:
                raise unknown_name("kind of scores", scores.kind, KINDS)
        for owner in (
            *(s.values for s in self.scores),
            *self.counts.values(),
            *self.alignments.values(),
            self.spans,
        ):
            for system in owner:
                if system not in self.outputs:
                    raise unknown_name("system", system, self.outputs)

    def __len__(self) -> int:
        return len(self.identifiers)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(self.outputs)

    def _all_columns(self) -> Iterable[tuple[str, Sequence[Any] | NDArray[Any]]]:
        yield from ((f"the output of {system!r}", column) for system, column in self.outputs.items())
        yield from ((f"reference {place}", column) for place, column in enumerate(self.references, 1))
        yield from ((f"label {name!r}", column) for name, column in self.labels.items())
        yield from (("the source", self.sources),) if self.sources is not None else ()
        yield from (("the column of languages", self.languages),) if self.languages is not None else ()
        for scores in self.scores:
            yield from ((f"{scores.key} of {s!r}", column) for s, column in scores.values.items())
        by_system: dict[str, Mapping[str, Any]] = {**self.counts, **self.alignments, "spans": self.spans}
        for name, systems in by_system.items():
            yield from ((f"{name} of {s!r}", column) for s, column in systems.items())

    def _indices(self, name: str, mark: Any) -> Indices:
        """A set of segments as rising indices."""
        given = np.asarray(mark)
        if given.dtype == np.bool_:
            if given.shape != (len(self.identifiers),):
                raise DataError(
                    f"{pluralise(len(self.identifiers), 'segment')}, but mark {name!r} has {given.size}"
                )
            return np.flatnonzero(given)
        indices = np.unique(given.astype(np.intp))
        if indices.size and not 0 <= indices[0] <= indices[-1] < len(self.identifiers):
            raise DataError(f"mark {name!r} names a segment beyond the last one, or below 0")
        return indices


def segment_table(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    scores: Scores | None = None,
    *,
    more_scores: Iterable[ScoreColumn] = (),
    counts: Mapping[str, Mapping[str, Integers]] | None = None,
    spans: Mapping[str, tuple[tuple[MarkedSpan, ...], ...]] | None = None,
    marks: Mapping[str, Any] | None = None,
    alignments: Mapping[str, Mapping[str, tuple[Alignment | None, ...]]] | None = None,
) -> SegmentTable:
    """The table of a test set and its outputs; `scores` are those of `score(..., segments=True)`.

    A label `id` of the test set (or `segment`) names the segments, where no two are the same; else they are numbered.
    """
    return SegmentTable(
        identifiers=identifiers_of(test_set),
        outputs={output.title: output.segments for output in outputs},
        sources=test_set.sources,
        references=test_set.references,
        labels=test_set.labels,
        scores=(*(metric_scores(scores) if scores is not None else ()), *more_scores),
        counts=counts or {},
        spans=spans or {},
        marks=marks or {},
        alignments=alignments or {},
        language=test_set.language,
        name=test_set.name,
    )


def metric_scores(scores: Scores) -> list[ScoreColumn]:
    """Scores of segments as columns, a metric each; those without segments are left out."""
    columns: dict[str, dict[str, Floats]] = {}
    facts = {}
    for result in scores.results:
        if result.segments is not None:
            columns.setdefault(result.metric, {})[result.title] = np.array(result.segments, np.float64)
            facts[result.metric] = result
    return [
        ScoreColumn(
            metric,
            facts[metric].label,
            facts[metric].higher_is_better,
            "metric",
            values,
            facts[metric].decimals,
        )
        for metric, values in columns.items()
    ]


def identifiers_of(test_set: TestSet) -> tuple[str, ...]:
    """What its segments are called: by a label with a name for each, or else by number from 1."""
    for name in ("id", "segment"):
        column = test_set.labels.get(name)
        if column is not None and len(set(column)) == len(column):
            return column
    return tuple(map(str, range(1, len(test_set) + 1)))


def _columns(columns: Mapping[str, Sequence[Any]]) -> Mapping[str, tuple[Any, ...]]:
    return MappingProxyType({name: tuple(column) for name, column in columns.items()})
