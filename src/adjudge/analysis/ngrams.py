"""N-grams that one of two systems gets right, adds or leaves out more often."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.base import AnalysisInputs, Cutting
from adjudge.data import Outputs, TestSet
from adjudge.display import Column, Data, Displayable, Records, Section, visible
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import pluralise

Ints = NDArray[np.int64]
LONGEST = 20
Kind = Literal["match", "over", "under"]
KINDS: tuple[str, ...] = get_args(Kind)
"""N-grams of the output that the reference has, those of the output that it has not, those of it that are not there."""


MEANING = {
    "match": "gets right more often",
    "over": "adds more often, though the reference has not so many of them",
    "under": "leaves out more often",
}


@dataclass(frozen=True)
class NgramDifference:
    """One n-gram and how often each of two systems has it."""

    words: tuple[str, ...]
    a: int
    b: int
    log_odds: float
    """log((a + smoothing)/(b + smoothing)): above 0 where a has it more often."""
    z: float
    """The log odds in standard errors (Monroe et al. 2008): what is beyond 3 or so is hardly chance."""

    DOCUMENTED: ClassVar = ("share",)

    @property
    def share(self) -> float:
        """The share of `a` in both, smoothed: what compare-mt sorts by."""
        return 1 / (1 + math.exp(-self.log_odds))


@dataclass(frozen=True)
class NgramDifferences(Displayable):
    """What one system does more often than the other, and the other way round."""

    a: str
    b: str
    kind: str
    shortest: int
    longest: int
    smoothing: float
    distinct: int
    """N-grams of this kind that either system has."""
    more: tuple[NgramDifference, ...]
    """Those that a has more often, the clearest first."""
    less: tuple[NgramDifference, ...]

    @property
    def title(self) -> str:
        """Of its page."""
        return f"N-grams of {visible(self.a)} and {visible(self.b)}"

    def sections(self) -> list[Section]:
        """What each of the two does more often."""
        parts = [
            Section(
                f"What {visible(name)} {MEANING[self.kind]}",
                (self._records(chosen).table(),) if chosen else (),
                () if chosen else ("Nothing.",),
            )
            for name, chosen in ((self.a, self.more), (self.b, self.less))
        ]
        notes = (
            f"{pluralise(self.distinct, 'different n-gram')} of {self.shortest} to {self.longest} words; sorted by "
            f"the log of ({visible(self.a)} + {self.smoothing:g})/({visible(self.b)} + {self.smoothing:g}).",
            "z: the same in its standard errors. Of so many n-grams some are beyond 2 by chance; hardly any beyond 4.",
        )
        return [*parts, Section(notes=notes)]

    def data(self) -> Data:
        """One row per n-gram."""
        return self._records((*self.more, *self.less)).data()

    def _records(self, chosen: Sequence[NgramDifference]) -> Records:
        columns = (
            Column.of("ngram", "N-gram", value=lambda row: " ".join(row.words)),
            Column.of("kind", value=lambda row: self.kind),
            Column.of(self.a, visible(self.a), 0, value=lambda row: row.a),
            Column.of(self.b, visible(self.b), 0, value=lambda row: row.b),
            Column.of("log_odds", "log-odds", 2, sign=True),
            Column.of("z", "z", 1, sign=True),
        )
        return Records(columns, chosen)


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each of several systems has each n-gram, by kind."""

    vocabulary: Sequence[str]
    before: Ints
    """The n-gram without its last word, by its number; −1 for a single word."""
    last: Ints
    length: Ints
    counts: Mapping[str, Sequence[Ints]]
    """By kind, of each system: a count an n-gram."""

    def words(self, ngram: int) -> tuple[str, ...]:
        """The words of an n-gram."""
        words: list[str] = []
        while ngram >= 0:
            words.append(self.vocabulary[int(self.last[ngram])])
            ngram = int(self.before[ngram])
        return tuple(reversed(words))


def ngram_counts(
    test_set: TestSet, outputs: Sequence[Outputs], *, longest: int = 4, cutting: Cutting | None = None
) -> NgramCounts:
    """Matches, and what is too many or too few, segment by segment.

    Of several references, the one that has an n-gram most often says what is right, and the one that has it least
    often what is wanting.
    """
    cut = cutting or Cutting()
    tokenizer = cut.tokenizer(test_set)
    systems = [tokenizer.cross(output.segments, lowercase=cut.lowercase) for output in outputs]
    references = [tokenizer.cross(column, lowercase=cut.lowercase) for column in test_set.references]
    words, before, last, length, *kinds = _native.ngram_counts(
        systems, references, tokenizer.core_name, longest
    )
    return NgramCounts(words, before, last, length, dict(zip(KINDS, kinds, strict=True)))


def ngram_differences(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    kind: Kind = "match",
    shortest: int = 1,
    longest: int = 4,
    smoothing: float = 1.0,
    top: int = 10,
    cutting: Cutting | None = None,
) -> NgramDifferences:
    """The n-grams of a kind that tell two outputs apart, by smoothed log-odds."""
    if kind not in KINDS:
        raise unknown_name("kind of n-grams", kind, KINDS)
    if len(outputs) != 2:
        raise UsageError(f"n-grams tell two systems apart, and there are {len(outputs)}")
    if not 1e-9 <= smoothing <= 1e9:  # nor nan
        raise UsageError(f"smoothing {smoothing}: must be a number above 0, at least 1e-9")
    if not 1 <= shortest <= longest <= LONGEST:
        raise UsageError(
            f"n-grams of {shortest} to {pluralise(longest, 'word')}: at least 1, at most {LONGEST}, the shorter first"
        )
    table = ngram_counts(test_set, outputs, longest=longest, cutting=cutting)
    both = table.counts[kind]
    known = np.flatnonzero((both[0] + both[1] > 0) & (table.length >= shortest))  # most are of another kind
    a, b = (counts[known].astype(float) for counts in both)
    log_odds = np.log((a + smoothing) / (b + smoothing))
    z = log_odds / np.sqrt(1 / (a + smoothing) + 1 / (b + smoothing))
    chosen = {sign: _clearest(sign * log_odds, a + b, top) for sign in (1, -1)}

    def told(places: NDArray[np.intp]) -> tuple[NgramDifference, ...]:
        return tuple(
            NgramDifference(table.words(int(known[i])), int(a[i]), int(b[i]), float(log_odds[i]), float(z[i]))
            for i in places
        )

    return NgramDifferences(
        a=outputs[0].title,
        b=outputs[1].title,
        kind=kind,
        shortest=shortest,
        longest=longest,
        smoothing=smoothing,
        distinct=len(known),
        more=told(chosen[1]),
        less=told(chosen[-1]),
    )


def ngram_segments(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    ngrams: Sequence[tuple[str, ...]],
    *,
    kind: Kind = "match",
    cutting: Cutting | None = None,
) -> list[list[Ints]]:
    """How often each n-gram of a kind is there, by n-gram, system and segment: the parts of a table's counts."""
    cut = cutting or Cutting()
    tokenizer = cut.tokenizer(test_set)
    texts = [*(output.segments for output in outputs), *test_set.references]
    crossed = [tokenizer.cross(text, lowercase=cut.lowercase) for text in texts]
    vocabulary, numbered = _native.numbered_words(crossed, tokenizer.core_name)
    number = {word: place for place, word in enumerate(vocabulary)}
    known = np.array([[text is not None for text in column] for column in test_set.references])
    tables = []
    for ngram in ngrams:
        wanted = [number.get(word, -1) for word in ngram]
        counts = np.array([_occurrences(ids, begins, wanted) for ids, begins in numbered])
        output_counts, references = counts[: len(outputs)], counts[len(outputs) :]
        most = np.where(known, references, 0).max(0)
        least = np.where(known, references, np.iinfo(np.int64).max).min(0)
        by_kind = {
            "match": np.minimum(output_counts, most),
            "over": output_counts - most,
            "under": least - output_counts,
        }
        tables.append(list(np.maximum(by_kind[kind], 0)))
    return tables


def _occurrences(ids: Ints, begins: Ints, wanted: Sequence[int]) -> Ints:
    """How often some words stand in a row, in every segment."""
    last = len(ids) - len(wanted) + 1
    hits = np.ones(max(0, last), bool)
    for offset, word in enumerate(wanted):
        hits &= ids[offset : offset + len(hits)] == word
    places = np.flatnonzero(hits)
    segments = np.searchsorted(begins, places, side="right") - 1
    within = places + len(wanted) <= begins[segments + 1]
    return np.bincount(segments[within], minlength=len(begins) - 1).astype(np.int64)


def _clearest(log_odds: NDArray[np.float64], total: NDArray[np.float64], top: int) -> NDArray[np.intp]:
    """The places of the largest values above 0; of equals those that are seen more often come first."""
    order = np.lexsort((-total, -log_odds))
    return order[: min(top, int(np.count_nonzero(log_odds > 0)))]


def analyse(
    inputs: AnalysisInputs,
    *,
    kind: str = "match",
    shortest: int = 1,
    longest: int = 4,
    smoothing: float = 1.0,
    top: Annotated[int, "N-grams of each system."] = 10,
    tokenize: str = "",
    lowercase: bool = False,
) -> NgramDifferences:
    """Show the n-grams that tell two systems apart, by smoothed log-odds.

    \b
    adjudge analyse ngrams -r reference.en rulebased.en neural.en
    adjudge analyse ngrams -r reference.en --kind over --longest 2 rulebased.en neural.en
    """
    loaded = inputs.load()
    return ngram_differences(
        loaded.test_set,
        loaded.outputs,
        kind=kind,  # type: ignore[arg-type]
        shortest=shortest,
        longest=longest,
        smoothing=smoothing,
        top=top,
        cutting=Cutting(tokenize, lowercase),
    )
