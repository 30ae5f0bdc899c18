"""Words that systems get right, by how frequent, how long or what they are.

A word of the output is right as often as the reference has it in the same segment, wherever it stands (compare-mt).
Where a word has a part of speech, the first of the output goes with the first of the reference, the second with the
second; a word that is right has that of the reference, and one that is wrong its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.base import (
    AnalysisInputs,
    Cutting,
    Members,
    columns_within,
    design_notes,
    interval_chart,
    no_members,
)
from adjudge.analysis.parts_of_speech import Tagged, tagged_segments
from adjudge.charts import IntervalChart
from adjudge.comparison.groups import units_to_draw
from adjudge.data import Outputs, TestSet
from adjudge.display import UP, Column, Data, Displayable, Records, Section, around
from adjudge.errors import UsageError, unknown_name
from adjudge.io.files import line_blocks
from adjudge.metrics.base import Rows, divide
from adjudge.stats.design import AUTO, Design, units_of
from adjudge.stats.resampling import estimate, resampled_scores
from adjudge.wording import MISSING, number, percent

Ints = NDArray[np.int64]
Property = Literal["frequency", "length", "kind", "pos"]
PROPERTIES: tuple[str, ...] = get_args(Property)
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
"""Where one bucket ends and the next begins: words seen never, once, twice, … as compare-mt has them."""
LENGTHS = (2, 4, 6, 8, 10, 13)
KINDS = ("word", "name or start", "number", "punctuation", "mixed")


TITLES = {
    "frequency": "Words by how often they are seen",
    "length": "Words by their length in characters",
    "kind": "Words by what they look like",
    "pos": "Words by part of speech",
}
NAMES = {"pos": "part of speech"}


@dataclass(frozen=True)
class Accuracy:
    """One system's words of one bucket."""

    matched: int
    output: int
    """Words of the output in the bucket."""
    precision: float
    recall: float
    f: float
    low: float
    high: float
    """Interval of F, over units."""
    wrong: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments in which a word of the bucket is missing or too many."""


@dataclass(frozen=True)
class WordBucket:
    """Words that are alike, and how often systems get them right."""

    name: str
    reference: int
    """Words of the references in the bucket."""
    systems: tuple[Accuracy, ...]
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments whose reference, or any output, has a word of the bucket."""


@dataclass(frozen=True)
class WordAccuracy(Displayable):
    """Words of several systems by buckets."""

    by: str
    counted_in: str
    """What frequencies are counted in."""
    systems: tuple[str, ...]
    buckets: tuple[WordBucket, ...]
    confidence: float
    design: Design
    """What intervals draw."""

    @property
    def title(self) -> str:
        """Of its page."""
        return TITLES[self.by]

    def sections(self) -> list[Section]:
        """F with its interval, precision and recall beside each other, system by system."""
        notes = [
            "A word is right as often as the reference has it in the same segment, wherever it stands; ± is half of "
            f"the {percent(self.confidence)} interval over {units_of(self.design.unit)}.",
            *design_notes(self.design),
        ]
        if self.by == "frequency":
            notes.append(f"Seen in {self.counted_in}; words: those of the reference.")
        if self.by == "pos":
            notes.append(
                "Words and parts of speech are those of the trees; a word that is right has that of the reference."
            )
        table = self._records().by_system()
        return [Section(self.title, (table,), notes=tuple(notes), key="words", charts=self._charts())]

    def data(self) -> Data:
        """One row per bucket and system."""
        return self._records().data()

    def _records(self) -> Records:
        def known(text: Callable[[Accuracy], str]) -> Callable[[BucketWords], str]:
            return lambda row: text(row.words) if row.bucket.reference else MISSING

        columns = (
            Column.of(self.by, NAMES.get(self.by, self.by), value=lambda row: row.bucket.name, key=True),
            Column.of("system"),
            Column.of("reference", "words", 0, value=lambda row: row.bucket.reference, key=True),
            *columns_within("words", ("output", "matched")),
            Column(
                "F {}",
                True,
                UP,
                value=lambda row: row.words.f if row.bucket.reference else math.nan,
                text=known(lambda row: around(row.f, row.low, row.high, 1)),
                decimals=1,
                best=True,
            ),
            Column("P", True, text=known(lambda row: number(row.precision, 1))),
            Column("R", True, text=known(lambda row: number(row.recall, 1))),
            *columns_within("words", ("precision", "recall", "f", "low", "high")),
        )
        return Records(
            columns,
            [
                BucketWords(bucket, system, accuracy)
                for bucket in self.buckets
                for system, accuracy in zip(self.systems, bucket.systems, strict=True)
            ],
        )

    def _charts(self) -> tuple[IntervalChart, ...]:
        """A chart a bucket."""
        return tuple(
            interval_chart(
                [
                    (name, own.f, own.low, own.high)
                    for name, own in zip(self.systems, bucket.systems, strict=True)
                ],
                f"F of words of {self.by} {bucket.name}",
                UP,
                self.confidence,
            )
            for bucket in self.buckets
            if any(system.f for system in bucket.systems)
        )


class BucketWords(NamedTuple):
    """One system's words of a bucket, as a row of data."""

    bucket: WordBucket
    system: str
    words: Accuracy


@dataclass(frozen=True, eq=False)
class BucketedText:
    """A text whose words are numbers, each in a bucket."""

    ids: Ints
    begins: Ints
    """Where segments begin, and where the last one ends."""
    buckets: Ints


def word_accuracy(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    by: Property = "frequency",
    cuts: Sequence[int] | None = None,
    frequencies: Mapping[str, int] | None = None,
    cutting: Cutting | None = None,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    unit: str = AUTO,
) -> WordAccuracy:
    """Precision, recall and F of the words of every output, bucket by bucket, against the first reference.

    Words are `frequent` as often as they stand in the references, unless `frequencies`, of a training text say, are
    given. By `pos`, words and parts of speech are those of the trees that the test set has of all texts. `unit` is what
    intervals draw: a label, `segment`, or `auto`: whole documents where they are labelled.
    """
    if by not in PROPERTIES:
        raise unknown_name("property of words", by, PROPERTIES)
    if by == "pos":
        names, words, texts = _by_part_of_speech(test_set, outputs, cuts)
    else:
        names, words, texts = _by_word(test_set, outputs, by, cuts, frequencies, cutting or Cutting())
    rows = _rows(texts, words, len(names))
    used = [place for place in range(len(names)) if any(table[:, place].any() for table in rows)]
    tables = [np.ascontiguousarray(table[:, place]) for place in used for table in rows]
    units, design = units_to_draw(test_set, unit)
    drawn = np.full((1, len(tables)), np.nan)
    if tables and units.vary:
        drawn = resampled_scores(tables, f_measure, resamples=resamples, seed=seed, units=units)
    buckets = []
    for at, place in enumerate(used):
        places = range(at * len(rows), (at + 1) * len(rows))
        accuracies = tuple(_accuracy(tables[i], drawn[:, i], confidence) for i in places)
        members = np.flatnonzero(np.any([tables[i].any(1) for i in places], axis=0))
        buckets.append(WordBucket(names[place], int(rows[0][:, place, 2].sum()), accuracies, members))
    return WordAccuracy(
        by,
        "the reference" if frequencies is None else "another text",
        tuple(output.title for output in outputs),
        tuple(buckets),
        confidence,
        design,
    )


def f_measure(sums: Rows) -> Rows:
    """F in percent, of sums of (matched, output, reference); NaN of no words, so that such resamples do not count."""
    return 100.0 * divide(2 * sums[..., 0], sums[..., 1] + sums[..., 2], otherwise=np.nan)


def _accuracy(rows: Rows, drawn: NDArray[np.float64], confidence: float) -> Accuracy:
    matched, output, reference = sums = rows.sum(0)
    interval = estimate(float(f_measure(sums)), drawn, confidence=confidence)
    return Accuracy(
        matched=int(matched),
        output=int(output),
        precision=100.0 * matched / output if output else 0.0,
        recall=100.0 * matched / reference if reference else 0.0,
        f=interval.score,
        low=interval.low,
        high=interval.high,
        wrong=np.flatnonzero(rows[:, 0] < np.maximum(rows[:, 1], rows[:, 2])),
    )


def _rows(texts: Sequence[BucketedText], words: int, buckets: int) -> list[Rows]:
    """Of each text but the first, the reference: segments × buckets × (matched, output, reference)."""
    reference, *systems = texts
    wanted = _sums(reference, reference.buckets, buckets)
    rows = []
    for system in systems:
        partner = _native.word_partners(system.ids, system.begins, reference.ids, reference.begins, words)
        right = partner >= 0
        place = system.buckets.copy()
        place[right] = reference.buckets[partner[right]]
        rows.append(
            np.stack([_sums(system, place, buckets, right), _sums(system, place, buckets), wanted], axis=-1)
        )
    return rows


def _sums(text: BucketedText, place: Ints, buckets: int, chosen: NDArray[np.bool_] | None = None) -> Rows:
    """How many words of each segment are in each bucket, of all or of those that are chosen."""
    segments = len(text.begins) - 1
    cells = np.repeat(np.arange(segments) * buckets, np.diff(text.begins)) + place
    sums = np.bincount(cells if chosen is None else cells[chosen], minlength=segments * buckets)
    return sums.astype(np.float64).reshape(segments, buckets)


def _by_word(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    by: str,
    cuts: Sequence[int] | None,
    frequencies: Mapping[str, int] | None,
    cut: Cutting,
) -> tuple[Sequence[str], int, list[BucketedText]]:
    """Names of buckets, the number of different words, and all texts, where a word is in one bucket wherever it is."""
    tokenizer = cut.tokenizer(test_set)
    texts = [
        tokenizer.cross(text, lowercase=cut.lowercase)
        for text in (test_set.references[0], *(output.segments for output in outputs))
    ]
    words, numbered = _native.numbered_words(texts, tokenizer.core_name)
    if by == "kind":
        if cuts is not None:
            raise UsageError("kinds of words have no bounds: leave --cuts out")
        names: Sequence[str] = KINDS
        bucket = np.array([KINDS.index(kind_of(word)) for word in words], np.int64)
    else:
        bounds = tuple(cuts) if cuts is not None else {"frequency": FREQUENCIES, "length": LENGTHS}[by]
        if not bounds or any(b <= a for a, b in pairwise(bounds)) or bounds[0] < 1:
            raise UsageError(
                f"bounds of buckets {', '.join(map(str, bounds))}: whole numbers from 1 on, ascending"
            )
        names = _names(bounds)
        if by == "length":
            values = np.array([len(word) for word in words], np.int64)
        elif frequencies is None:
            values = np.bincount(numbered[0][0], minlength=len(words))
        else:
            values = np.array([frequencies.get(word, 0) for word in words], np.int64)
        bucket = np.searchsorted(bounds, values, side="right").astype(np.int64)
    return names, len(words), [BucketedText(ids, begins, bucket[ids]) for ids, begins in numbered]


def _by_part_of_speech(
    test_set: TestSet, outputs: Sequence[Outputs], cuts: Sequence[int] | None
) -> tuple[Sequence[str], int, list[BucketedText]]:
    """Buckets by part of speech, one for each word of a text; the most frequent in the reference come first."""
    if cuts is not None:
        raise UsageError("parts of speech have no bounds: leave --cuts out")
    texts = {output.title: list(output.segments) for output in outputs}
    tagged = [tagged_segments(test_set, test_set.references[0], "reference")]
    tagged += [tagged_segments(test_set, segments, name) for name, segments in texts.items()]
    seen = Counter(tag for segment in tagged[0] for _, tag in segment)
    others = {tag for text in tagged[1:] for segment in text for _, tag in segment}
    names = sorted({*seen, *others}, key=lambda tag: (-seen[tag], tag))
    vocabulary: dict[str, int] = {}
    places = {name: place for place, name in enumerate(names)}
    numbered = [_number_words(text, vocabulary, places) for text in tagged]
    return names, len(vocabulary), numbered


def _number_words(
    text: Sequence[Tagged], vocabulary: dict[str, int], places: Mapping[str, int]
) -> BucketedText:
    ids = [vocabulary.setdefault(word, len(vocabulary)) for segment in text for word, _ in segment]
    return BucketedText(
        np.array(ids, np.int64),
        np.cumsum([0, *map(len, text)], dtype=np.int64),
        np.array([places[tag] for segment in text for _, tag in segment], np.int64),
    )


def _names(bounds: Sequence[int]) -> tuple[str, ...]:
    """The buckets between bounds, a bound being the first value of the next: 0, 1, 2, 5–9, ≥1000."""
    names = ["0" if bounds[0] == 1 else f"<{bounds[0]}"]
    names += [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(bounds)]
    return (*names, f"≥{bounds[-1]}")


def kind_of(word: str) -> str:
    """What a word looks like, in any script: a word, one with a capital, a number, punctuation, or a mixture."""
    if any(c.isdigit() for c in word):
        return "number" if not any(c.isalpha() for c in word) else "mixed"
    if not any(c.isalpha() for c in word):
        return "punctuation"
    return "name or start" if word[0].isupper() else "word"


def counts_of_file(path: str, cutting: Cutting, test_set: TestSet) -> Counter[str]:
    """How often each word stands in a file, cut as the texts of the test set are."""
    counts: Counter[str] = Counter()
    for lines in line_blocks(path):
        for words in cutting.words(lines, test_set):
            counts.update(words)
    return counts


def analyse(
    inputs: AnalysisInputs,
    *,
    bucket_by: Annotated[
        str, "frequency, length in characters, kind, or pos, the part of speech in trees."
    ] = "frequency",
    cuts: tuple[int, ...] | None = None,
    frequency_text: str | None = None,
    tokenize: str = "",
    lowercase: bool = False,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    trees: tuple[str, ...] = (),
) -> WordAccuracy:
    """Show precision, recall and F of words, bucket by bucket.

    \b
    adjudge analyse words -r reference.en rulebased.en neural.en
    adjudge analyse words -r reference.en --frequency-text train.en neural.en
    adjudge analyse words -r reference.en --bucket-by kind rulebased.en neural.en
    adjudge analyse words -r reference.en --bucket-by pos --trees trees.conllu rulebased.en neural.en
    """
    cutting = Cutting(tokenize, lowercase)
    loaded = inputs.load()
    return word_accuracy(
        loaded.test_set,
        loaded.outputs,
        by=bucket_by,  # type: ignore[arg-type]
        cuts=cuts,
        frequencies=counts_of_file(frequency_text, cutting, loaded.test_set) if frequency_text else None,
        cutting=cutting,
        resamples=resamples,
        seed=seed,
        unit=unit,
    )
