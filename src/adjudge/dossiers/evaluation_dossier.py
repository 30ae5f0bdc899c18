"""One evaluation as a whole: who is better, may it be believed, where and why, and every segment to look at.

`dossier()` puts all questions to a test set and outputs that need no more than these, and holds the answers in one
frozen `Dossier`; a page of it computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from adjudge.analysis.buckets import BucketScores, Resampling, bucket_scores
from adjudge.analysis.changes import Changes, changes
from adjudge.analysis.diversity import Diversity, diversity
from adjudge.analysis.errors import ErrorClasses, error_classes
from adjudge.analysis.faults import FaultCounts, Faults, fault_counts, faults_of
from adjudge.analysis.ngrams import KINDS, NgramDifferences, ngram_differences
from adjudge.analysis.words import WordAccuracy, word_accuracy
from adjudge.checks import LintReport, examine
from adjudge.comparison import DEFAULT_METRICS, Comparison, Measured, Plan, Progress, compare
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.plan import PlanOptions, plan_of
from adjudge.comparison.verdict import Verdict, evidence_of, joint_verdict
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import NONE, Judgements, NameColumn, of_language
from adjudge.dossiers.analysis import Analysis, analyse_alike
from adjudge.dossiers.checklist import Checklist
from adjudge.dossiers.costs import EditingCost, editing_costs
from adjudge.dossiers.dossier_segments import SegmentFacts, dossier_segments, places_of_items
from adjudge.dossiers.grids import ScoreGrid, score_grids
from adjudge.dossiers.histograms import Histogram, histograms
from adjudge.dossiers.one_family import Located, in_one_family
from adjudge.dossiers.options import AnalysisOptions
from adjudge.dossiers.people_verdict import people_evidence
from adjudge.dossiers.segment_table import ScoreColumn, SegmentTable, identifiers_of
from adjudge.dossiers.soundness import soundness
from adjudge.errors import DataError
from adjudge.human.grouping import judgements_of_systems
from adjudge.human.postediting import PostEditingRates
from adjudge.human.results import RatingAnalysis
from adjudge.metrics.base import Metric
from adjudge.stats.design import DOCUMENT
from adjudge.wording import join_names

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache
    from adjudge.io import Input

MOST_GROUPS = 12
"""A label with more values than this makes no buckets: documents do not, domains do."""
LENGTH = "length"
NGRAMS_SHOWN = 10


@dataclass(frozen=True)
class Dossier:
    """All that is known of some systems on one test set; what was not asked for or cannot be told is None or empty."""

    comparison: Comparison
    verdict: Verdict
    """Which system, and how sure."""
    lint: LintReport
    soundness: Checklist
    """May a comparison by metrics be believed?"""
    segments: SegmentTable
    buckets: tuple[BucketScores, ...] = ()
    """By length, and by every label with few values; by the first metric with a direction."""
    words: WordAccuracy | None = None
    ngrams: tuple[NgramDifferences, ...] = ()
    """Of the two systems that the verdict is about: right, added, left out."""
    errors: ErrorClasses | None = None
    faults: Faults | None = None
    diversity: Diversity | None = None
    changes: Changes | None = None
    """From the second to the first of the two systems that the verdict is about."""
    histograms: tuple[tuple[Histogram, ...], ...] = ()
    """Scores of segments: by every metric, of every system."""
    grids: tuple[ScoreGrid, ...] = ()
    """Scores of segments against each other: of two systems, by two metrics."""
    people: Analysis | None = None
    """What people said of the same systems."""
    costs: tuple[EditingCost, ...] = ()
    """Words to change in every system's output, and what that costs."""
    currency: str = ""
    """Of all costs, where it is known."""
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, that which others are held against first, and then the best first."""
        return self.segments.systems


@dataclass(frozen=True)
class EvaluationContext:
    """What is known beside a test set and outputs, and what is asked of them."""

    judgements: Judgements | None = field(default=None, repr=False)
    """What people said of the same systems."""
    people: Analysis | None = field(default=None, repr=False)
    """What `analyse` made of it already."""
    estimates: tuple[ScoreColumn, ...] = ()
    """Scores of segments from elsewhere, by quality estimation say."""
    rates: PostEditingRates | None = None
    """What post-editors and engines are paid, for judgements that are post-edits."""
    price: float | None = None
    """What changing one word costs."""
    currency: str = ""
    """Of all prices, where it is known."""
    lint: LintReport | None = field(default=None, repr=False)
    """What is wrong with the files, where somebody looked already."""
    training: tuple[str, ...] = ()
    """Files that a system was trained on: does the test set stand in them?"""
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    by: tuple[str, ...] = ()
    """What segments are put into buckets by; empty: length, and every label with few values."""
    analyses: Literal["all", "examples", "none"] = "all"
    """Whether to look where and why systems differ, only for segments that gain and lose, or at nothing but scores."""

    def of_language(self, language: str) -> EvaluationContext:
        """All of it with the judgements of this language pair alone; an error where several remain."""
        if self.people is not None or self.judgements is None:
            return self
        return replace(self, judgements=of_language(self.judgements, language))

    def with_documents(self, test_set: TestSet) -> EvaluationContext:
        """All of it with the test set's documents as those of the judgements, where these name none."""
        documents = test_set.labels.get(DOCUMENT)
        if self.judgements is None or documents is None or DOCUMENT in self.judgements.labels:
            return self
        items, places = self.judgements.item, places_of_items(identifiers_of(test_set))
        names = NameColumn.of([documents[places[name]] if name in places else None for name in items.names])
        column = NameColumn(names.names, np.append(names.codes, NONE)[items.codes].astype(np.int32))
        return replace(self, judgements=self.judgements.labelled(DOCUMENT, column))

    def opinions(self, systems: Sequence[str]) -> Analysis | None:
        """What people say of these systems; annotators' scales are those of all that they judged."""
        if self.people is not None or self.judgements is None:
            return self.people
        everything = self.judgements
        own = judgements_of_systems(everything, systems)
        if not len(own):
            names = join_names(everything.system.names, 4)
            raise DataError(f"the judgements are of {names}, and none of {join_names(systems, 4)}")
        options: dict[str, Any] = {} if self.rates is None else {"rates": self.rates}
        if len(own) < len(everything) and not own.is_ranking:
            options["scales_of"] = everything
        return analyse_alike(own, AnalysisOptions(**options))

    def judged(self, systems: Sequence[str], people: Analysis | None) -> Judgements | None:
        """The judgements that `people` says something of."""
        if people is not None and isinstance(people.results, RatingAnalysis):
            return people.results.judgements
        return None if self.judgements is None else judgements_of_systems(self.judgements, systems)


NO_CONTEXT = EvaluationContext()


def dossier(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    plan: Plan | None = None,
    context: EvaluationContext = NO_CONTEXT,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Dossier:
    """Compare systems as `compare` does, with the same options, and put every other question to the same texts.

    Of a system with several training runs, the first is looked through.
    """
    plan, outputs = plan_of(plan, options), tuple(outputs)
    comparison = compare(test_set, outputs, metrics, plan, threads=threads, cache=cache, progress=progress)
    return dossier_of(comparison, test_set, outputs, context, threads=threads)


def dossier_of(
    comparison: Comparison,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    context: EvaluationContext = NO_CONTEXT,
    *,
    threads: int = 0,
) -> Dossier:
    """Put every other question to the texts of a comparison that is there already."""
    context = context.of_language(test_set.language).with_documents(test_set)
    people = context.opinions(list(dict.fromkeys(output.system for output in outputs)))
    verdict = joint_verdict(
        evidence_of(comparison, test_set.language), None if people is None else people_evidence(people)
    )
    shown, notes = first_runs(outputs, comparison, verdict)
    measured = tuple(_of_first_runs(metric_rows, shown) for metric_rows in comparison.measured)
    lint = context.lint or examine(
        test_set, outputs, inputs=context.inputs, training=context.training, command="adjudge lint"
    )
    material = _Material(test_set, shown, measured, verdict, comparison, context.by, threads)
    parts = material.analyses(context.analyses).in_one_family()
    facts = SegmentFacts(
        measured=measured,
        buckets=parts.buckets,
        words=parts.words,
        errors=parts.errors,
        faults=parts.fault_counts,
        ngrams=parts.ngrams,
        changes=parts.changes,
        findings=lint.findings,
        people=people,
        judgements=context.judged([output.system for output in shown], people),
        estimates=context.estimates,
    )
    table = dossier_segments(test_set, shown, facts)
    origins = comparison.labels.get("origin", ())
    return Dossier(
        comparison=comparison,
        verdict=verdict,
        lint=lint,
        soundness=soundness(comparison, verdict, lint, people, origins=origins, language=test_set.language),
        segments=table,
        buckets=parts.buckets,
        words=parts.words,
        ngrams=parts.ngrams,
        errors=parts.errors,
        faults=parts.faults,
        diversity=parts.diversity,
        changes=parts.changes,
        histograms=tuple(own for scores in table.scores if (own := histograms(scores, table.systems))),
        grids=score_grids(table, *verdict.pair),
        people=people,
        costs=editing_costs(comparison, context.price),
        currency=context.currency,
        inputs=context.inputs,
        notes=notes,
    )


@dataclass(frozen=True)
class _Analyses:
    """What was found of texts."""

    buckets: tuple[BucketScores, ...] = ()
    words: WordAccuracy | None = None
    ngrams: tuple[NgramDifferences, ...] = ()
    errors: ErrorClasses | None = None
    faults: Faults | None = None
    fault_counts: FaultCounts | None = None
    diversity: Diversity | None = None
    changes: Changes | None = None

    def in_one_family(self) -> _Analyses:
        """What was found, with p corrected over all tests of where and why systems differ."""
        own = in_one_family(Located(self.buckets, self.errors, self.faults))
        return replace(self, buckets=own.buckets, errors=own.errors, faults=own.faults)


@dataclass(frozen=True)
class _Material:
    """What analyses are made of."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    measured: tuple[Measured, ...]
    verdict: Verdict
    comparison: Comparison
    by: tuple[str, ...]
    threads: int

    def analyses(self, which: Literal["all", "examples", "none"]) -> _Analyses:
        """All that these texts allow, or less."""
        if which != "all":
            return _Analyses(changes=self._changes() if which == "examples" else None)
        test_set, outputs = self.test_set, self.outputs
        alpha, seed = self.comparison.test.alpha, self.comparison.test.seed
        unit, counts = self._unit, None if test_set.sources is None else fault_counts(test_set, outputs)
        return _Analyses(
            buckets=self._buckets(),
            words=word_accuracy(test_set, outputs, seed=seed, unit=unit) if test_set.references else None,
            ngrams=self._ngrams(),
            errors=error_classes(test_set, outputs, seed=seed, alpha=alpha, threads=self.threads, unit=unit)
            if test_set.references
            else None,
            faults=faults_of(counts, *units_to_draw(test_set, unit), seed=seed, alpha=alpha)
            if counts is not None
            else None,
            fault_counts=counts,
            diversity=diversity(test_set, outputs),
            changes=self._changes(),
        )

    @property
    def _unit(self) -> str:
        """What the comparison draws; of two kinds of units the rarer one."""
        design = self.comparison.design
        return design.rarer or design.unit

    def _buckets(self) -> tuple[BucketScores, ...]:
        lead = next(
            (metric_rows for metric_rows in self.measured if metric_rows.higher_is_better is not None), None
        )
        if lead is None:
            return ()
        test = self.comparison.test
        drawn = Resampling(seed=test.seed, alpha=test.alpha, threads=self.threads, unit=self._unit)
        names = list(self.by) or self._usual_buckets()
        return tuple(
            bucket_scores(self.test_set, self.outputs, by=name, resampling=drawn, measured=[lead])
            for name in names
        )

    def _usual_buckets(self) -> list[str]:
        labels = self.test_set.labels
        names = [name for name, column in labels.items() if 2 <= len(set(column)) <= MOST_GROUPS]
        return [LENGTH, *names] if self.test_set.references and LENGTH not in names else names

    def _pair(self) -> tuple[Outputs, ...]:
        """The two systems that the verdict is about."""
        by_name = {output.system: output for output in self.outputs}
        return tuple(by_name[name] for name in self.verdict.pair if name in by_name)

    def _ngrams(self) -> tuple[NgramDifferences, ...]:
        pair = self._pair()
        if len(pair) < 2 or not self.test_set.references:
            return ()
        return tuple(
            ngram_differences(self.test_set, pair, kind=kind, top=NGRAMS_SHOWN)  # type: ignore[arg-type]
            for kind in KINDS
        )

    def _changes(self) -> Changes | None:
        pair = self._pair()[::-1]
        directed = [metric_rows for metric_rows in self.measured if metric_rows.higher_is_better is not None]
        if len(pair) < 2 or not directed:
            return None
        names = {output.system for output in pair}
        own = [
            replace(m, rows={name: rows for name, rows in m.rows.items() if name in names}) for m in directed
        ]
        return changes(self.test_set, pair, alpha=self.comparison.test.alpha, measured=own)


def first_runs(
    outputs: Iterable[Outputs], comparison: Comparison, verdict: Verdict
) -> tuple[tuple[Outputs, ...], tuple[str, ...]]:
    """The first run of every system, the baseline or the best first, with a note about the rest."""
    first: dict[str, Outputs] = {}
    several = set()
    for output in outputs:
        if output.system in first:
            several.add(output.system)
        first.setdefault(output.system, Outputs(output.system, output.segments))
    order = verdict.order
    head = comparison.test.baseline or verdict.system
    names = [head, *(name for name in order if name != head)]
    notes = (
        (f"Segments and analyses are of the first run of {', '.join(sorted(several))}.",) if several else ()
    )
    return tuple(first[name] for name in names if name in first), notes


def _of_first_runs(measured: Measured, shown: Sequence[Outputs]) -> Measured:
    rows = {output.system: measured.rows[output.system][:1] for output in shown}
    return replace(measured, rows=rows, runs=dict.fromkeys(rows, ("",)))
