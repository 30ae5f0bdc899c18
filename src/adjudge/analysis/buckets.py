"""Scores by buckets of segments: by length, rarity, difficulty or any label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.base import (
    UNTESTED,
    AnalysisInputs,
    Cutting,
    Members,
    Progress,
    columns_within,
    contrasts,
    design_notes,
    interval_chart,
    no_members,
    rows_by_title,
)
from adjudge.analysis.human_scores import human_scores
from adjudge.analysis.segment_groups import Groups, Values, grouped_segments
from adjudge.charts import IntervalChart
from adjudge.checks.contamination import contamination_labels
from adjudge.comparison.comparing import measure
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import (
    Cell,
    Column,
    Data,
    Displayable,
    Records,
    Section,
    Signature,
    around,
    arrow,
    visible,
)
from adjudge.errors import UsageError
from adjudge.metrics.base import Metric
from adjudge.stats.design import AUTO, SEGMENT, Design, units_of
from adjudge.stats.resampling import (
    Estimate,
    PairedTest,
    estimate,
    least_randomised_p,
    randomisations,
    resampled_scores,
)
from adjudge.stats.significance import significant
from adjudge.stats.units import Units
from adjudge.wording import family, join_names, p_number, percent, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
FEWEST = 10
"""Segments below which a bucket's differences are not tested."""


MEANING = {
    "length": "words of the first reference",
    "rarity": "mean of −log of the share that each word of the reference has of all its words: rare words are high",
    "difficulty": "mean score of all systems by the first metric",
    "pos": "segments whose first reference has a word of that part of speech; one with several is in several buckets",
    "human": "mean score that people gave the outputs of a segment; unknown: nobody judged it",
    "contamination": "whether source or references stand in the training text as they are (exact), but for case, "
    "spaces and punctuation (alike), or in large part (overlap)",
}


@dataclass(frozen=True)
class BucketScore:
    """One system's score on the segments of one bucket."""

    system: str
    score: float
    low: float
    high: float
    delta: float
    """Against the first system; NaN of that itself."""
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True)
class Bucket:
    """Segments that are alike, and the scores there by one metric."""

    name: str
    segments: int
    scores: tuple[BucketScore, ...]
    members: Members = field(default_factory=no_members, repr=False, compare=False)


@dataclass(frozen=True)
class BucketTable:
    """One metric by buckets."""

    metric: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True)
class BucketScores(Displayable):
    """Several metrics by buckets."""

    by: str
    systems: tuple[str, ...]
    tables: tuple[BucketTable, ...]
    alpha: float
    design: Design
    """What intervals and tests draw."""
    family: int = field(default=0, repr=False)
    """How many tests p was corrected over, with those of other analyses; 0: its own alone."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"{pluralise(len(self.systems), 'system')} by {self.by}"

    def sections(self) -> list[Section]:
        """One table per metric, and what stands out."""
        parts = [
            Section(
                f"{visible(table.metric)} by {visible(self.by)}",
                (self._records([table], table).by_system(),),
                tuple(_sentences(self, table)),
                key=f"buckets {table.metric}",
                charts=_charts(self, table),
            )
            for table in self.tables
        ]
        meaning = MEANING.get(self.by, "")
        if self.by.startswith("pos:"):
            meaning = "share of such words among those of the first reference, in percent"
        notes: list[str | Signature] = [f"{visible(self.by)}: {meaning}."] if meaning else []
        notes.append(
            f"± is half of the {percent(1 - self.alpha)} interval over {units_of(self.design.unit)}. "
            f"Differences are against {visible(self.systems[0])}, by paired randomisation, p corrected after Holm over "
            f"{family(self.family, 'the table')}; {_untested_note(self)} are not tested."
        )
        notes += design_notes(self.design)
        notes += [Signature(table.metric, table.signature) for table in self.tables]
        return [*parts, Section(notes=tuple(notes), key="notes")]

    def data(self) -> Data:
        """One row per metric, bucket and system."""
        return self._records(self.tables, self.tables[0]).data()

    def _records(self, tables: Sequence[BucketTable], shown: BucketTable) -> Records:
        """All buckets of some metrics; direction and decimals are those of the one that is `shown`."""

        def difference(bucket_row: BucketRow) -> Cell:
            better = (bucket_row.score.delta > 0) == (shown.higher_is_better is not False)
            style = ("win" if better else "loss") if bucket_row.score.significant else ""
            return Cell(with_sign(bucket_row.score.delta, shown.decimals), style=style)

        places = shown.decimals
        columns = (
            Column.of("metric"),
            Column.of(self.by, visible(self.by), value=lambda row: row.bucket.name, key=True),
            Column.of("segments", "segments", 0, value=lambda row: row.bucket.segments, key=True),
            Column.of("system"),
            Column.of(
                "score",
                "{}",
                places,
                better=arrow(shown.higher_is_better),
                value=lambda row: row.score.score,
                text=lambda row: around(row.score.score, row.score.low, row.score.high, places),
                best=True,
            ),
            *columns_within("score", ("low", "high", "delta")),
            Column("Δ", True, joined=True, text=difference, compared=True),
            *columns_within("score", ("p", "p_adjusted")),
            Column(
                "p",
                True,
                joined=True,
                text=lambda row: p_number(row.score.p_adjusted, self.alpha),
                compared=True,
            ),
        )
        rows = [
            BucketRow(table.metric, bucket, score.system, score)
            for table in tables
            for bucket in table.buckets
            for score in bucket.scores
        ]
        return Records(columns, rows)


class BucketRow(NamedTuple):
    """One system's score on a bucket, as a row of data."""

    metric: str
    bucket: Bucket
    system: str
    score: BucketScore


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are drawn."""

    resamples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    alpha: float = 0.05
    threads: int = 0
    unit: str = AUTO
    """What is drawn: a label, `segment`, or `auto`: the coarsest unit that the labels name."""


def bucket_scores(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = ("bleu", "chrf"),
    *,
    by: str = "length",
    cuts: Sequence[float] | None = None,
    values: Values | None = None,
    cutting: Cutting | None = None,
    resampling: Resampling | None = None,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    measured: Sequence[Measured] | None = None,
) -> BucketScores:
    """Every system's scores bucket by bucket, with intervals, and tests against the first system.

    Segments are sorted `by` a label, by length, rarity or difficulty, or by the parts of speech that they have (see
    `grouped_segments`); `cuts` says where the next bucket begins, and also makes buckets of a label whose values are
    numbers. `values` are a label or a number for every segment from elsewhere, as what people thought of it. `measured`
    are rows by these metrics that are there already.
    """
    outputs = tuple(outputs)
    drawn = resampling or Resampling()
    if measured is None:
        measured = measure(test_set, outputs, metrics, threads=drawn.threads, cache=cache, progress=progress)
    groups = segment_groups(test_set, by, cuts, measured[0], cutting or Cutting(), values)
    units, design = units_to_draw(test_set, drawn.unit)
    tables = tuple(_table(metric_rows, groups, units, drawn) for metric_rows in measured)
    systems = tuple(score.system for score in tables[0].buckets[0].scores)
    return BucketScores(by, systems, tables, drawn.alpha, design)


def _table(measured: Measured, groups: Groups, units: Units, drawn: Resampling) -> BucketTable:
    rows = rows_by_title(measured)
    tests: dict[tuple[str, str], PairedTest] = {}
    for name, members in groups:
        within = units.among(members)
        if len(members) >= FEWEST and significant(least_randomised_p(within.count), drawn.alpha):
            bucket_tests = _tests([whole[members] for whole in rows.values()], measured, within, drawn)
            tests |= {(name, system): test for system, test in zip([*rows][1:], bucket_tests, strict=True)}
    tested = contrasts(tests, drawn.alpha)
    buckets = []
    for name, members in groups:
        scores: list[BucketScore] = []
        within = units.among(members)
        intervals = _intervals([whole[members] for whole in rows.values()], measured, within, drawn)
        for system, interval in zip(rows, intervals, strict=True):
            contrast = tested.get((name, system), UNTESTED)
            scores.append(
                BucketScore(
                    system=system,
                    score=interval.score,
                    low=interval.low,
                    high=interval.high,
                    delta=interval.score - intervals[0].score if scores else math.nan,
                    p=contrast.p,
                    p_adjusted=contrast.p_adjusted,
                    significant=contrast.significant,
                )
            )
        buckets.append(Bucket(name, len(members), tuple(scores), members))
    return BucketTable(
        measured.metric, measured.signature, measured.higher_is_better, measured.decimals, tuple(buckets)
    )


def _tests(
    systems: Sequence[Floats], measured: Measured, units: Units, drawn: Resampling
) -> list[PairedTest]:
    """Every system but the first against that."""
    pairs = [(place, 0) for place in range(1, len(systems))]
    if not pairs:
        return []
    return randomisations(
        systems,
        pairs,
        measured.aggregate,
        trials=drawn.trials,
        seed=drawn.seed,
        units=units,
        threads=drawn.threads,
    )


def _intervals(
    systems: Sequence[Floats], measured: Measured, units: Units, drawn: Resampling
) -> list[Estimate]:
    """Every system's score with its interval; one unit has none."""
    if not units.vary:
        whole = [float(measured.aggregate(rows.sum(0))) for rows in systems]
        return [Estimate(score, math.nan, math.nan, math.nan) for score in whole]
    scores = resampled_scores(
        systems,
        measured.aggregate,
        resamples=drawn.resamples,
        seed=drawn.seed,
        units=units,
        threads=drawn.threads,
    )
    return [
        estimate(float(measured.aggregate(rows.sum(0))), column, confidence=1 - drawn.alpha)
        for rows, column in zip(systems, scores.T, strict=True)
    ]


def segment_groups(
    test_set: TestSet,
    by: str,
    cuts: Sequence[float] | None,
    measured: Measured,
    cutting: Cutting,
    values: Values | None = None,
) -> Groups:
    """Names and segments of the buckets, from low to high; how difficult a segment is, is told by what was measured."""

    def difficulty() -> Floats:
        segments = [measured.segment_scores(rows) for runs in measured.rows.values() for rows in runs]
        return np.nanmean(segments, axis=0)  # type: ignore[no-any-return]

    return grouped_segments(test_set, by, cuts=cuts, values=values, cutting=cutting, difficulty=difficulty)


def analyse(
    inputs: AnalysisInputs,
    *,
    metrics: Annotated[tuple[str, ...], "May be repeated. Default: bleu and chrf."] = ("bleu", "chrf"),
    bucket_by: Annotated[
        str,
        "length in words, rarity of words, difficulty, pos (parts of speech in trees) or pos:NOUN, human "
        "(--judgements), contamination (--training), or a label of the test set.",
    ] = "length",
    cuts: tuple[float, ...] | None = None,
    judgements: tuple[str, ...] = (),
    training: Annotated[tuple[str, ...], "For --bucket-by contamination."] = (),
    tokenize: str = "",
    lowercase: bool = False,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 0,
    cache: RowCache | None = None,
    trees: tuple[str, ...] = (),
) -> BucketScores:
    """Show scores by buckets of segments, and in which of them systems differ.

    \b
    adjudge analyse buckets -r reference.en rulebased.en neural.en
    adjudge analyse buckets -r reference.en -m chrf --bucket-by rarity rulebased.en neural.en
    adjudge analyse buckets -r reference.en -L labels.tsv --bucket-by domain rulebased.en neural.en
    adjudge analyse buckets -r reference.en --judgements answers.tsv --bucket-by human rulebased.en neural.en
    """
    if judgements and bucket_by != "human":
        raise UsageError("--judgements is for --bucket-by human")
    if training and bucket_by != "contamination":
        raise UsageError("--training is for --bucket-by contamination")
    people = inputs.read_judgements(judgements)
    loaded = inputs.load()
    values: Values | None = None
    if people is not None:
        values = human_scores(people.judgements, loaded.test_set, loaded.outputs)
    elif training:
        values = contamination_labels(loaded.test_set, training, threads=threads)
    return bucket_scores(
        loaded.test_set,
        loaded.outputs,
        metrics,
        by=bucket_by,
        cuts=cuts,
        values=values,
        cutting=Cutting(tokenize, lowercase),
        resampling=Resampling(resamples=resamples, seed=seed, threads=threads, unit=unit),
        cache=cache,
        progress=inputs.progress,
    )


def _untested_note(result: BucketScores) -> str:
    fewer = f"buckets of fewer than {FEWEST} segments"
    if result.design.unit == SEGMENT:
        return fewer
    least = next(k for k in count(1) if significant(least_randomised_p(k), result.alpha))
    return f"{fewer}, or of parts of fewer than {least} {units_of(result.design.unit)},"


def _sentences(result: BucketScores, table: BucketTable) -> list[str]:
    """In which buckets a system is better or worse than the first."""
    sentences = []
    for place, name in enumerate(result.systems[1:], 1):
        named_scores = [(bucket.name, bucket.scores[place]) for bucket in table.buckets]
        known = [(bucket, score) for bucket, score in named_scores if score.significant]
        if not known:
            continue
        sign = -1.0 if table.higher_is_better is False else 1.0
        ahead = [visible(bucket) for bucket, score in known if sign * score.delta > 0]
        behind = [visible(bucket) for bucket, score in known if sign * score.delta < 0]
        told = [
            f"{word} in {join_names(names)}"
            for word, names in (("better", ahead), ("worse", behind))
            if names
        ]
        sentences.append(f"{visible(name)} is {' and '.join(told)}.")
    return sentences


def _charts(result: BucketScores, table: BucketTable) -> tuple[IntervalChart, ...]:
    """A chart a bucket."""
    return tuple(
        interval_chart(
            [
                (score.system, score.score, score.low, score.high)
                for score in bucket.scores
                if math.isfinite(score.score)
            ],
            f"{result.by} {visible(bucket.name)}",
            arrow(table.higher_is_better),
            1 - result.alpha,
            table.decimals,
        )
        for bucket in table.buckets
    )
