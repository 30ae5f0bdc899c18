"""A study of several test sets as a whole: means in which all count alike, and a dossier of every set by itself.

No number is made of texts in several languages as if they were one: each set is scored, tested and looked through in
its own language, and only scores that are finished are averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adjudge.evaluate import Comparison, Measured, Plan
from adjudge.evaluate.comparing import compare_measured
from adjudge.evaluate.groups import labels_of
from adjudge.evaluate.scoring import facts_of, language_warnings, resolved
from adjudge.evaluate.study_results import MacroPair, StudyResult, StudyTable
from adjudge.evaluate.verdict import Difference, Evidence, Relation, Verdict, decide, joint_verdict
from adjudge.findings.costs import EditingCost, mean_costs
from adjudge.findings.dossier import Beside, Dossier, dossier_of, of_systems
from adjudge.findings.joined_segments import joined_segments
from adjudge.findings.people_verdict import RankedSets, ranked_sets
from adjudge.findings.segment_table import SegmentTable
from adjudge.findings.soundness import judged_systems
from adjudge.wording import listed

if TYPE_CHECKING:
    from adjudge.evaluate.scoring import Progress
    from adjudge.io import Input
    from adjudge.io.studies import LoadedSet

EXAMPLES = 3
"""Of more test sets than are looked through, those of which segments that gain and lose are named."""
WHOLE = 8
"""Test sets up to which every one is looked through; of more, each is compared, and --set NAME looks through one."""


@dataclass(frozen=True)
class SetDossier:
    """One test set of a study."""

    name: str
    language: str
    """The pair, where it is known."""
    dossier: Dossier

    @property
    def title(self) -> str:
        """The name with the language pair, unless it says that itself."""
        return self.name if self.language in self.name else f"{self.name} ({self.language})"


@dataclass(frozen=True)
class StudyDossier:
    """All that is known of some systems on several test sets."""

    name: str
    study: StudyResult
    verdict: Verdict
    """Which system in the mean over sets, and how sure; people decide where they judged every set in the same way."""
    sets: tuple[SetDossier, ...]
    segments: SegmentTable
    """Of all sets, with the labels `test set` and `language pair`."""
    whole: bool = True
    """Whether every set was looked through."""
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    costs: tuple[EditingCost, ...] = ()
    """What each system leaves to edit, in the mean over sets."""
    currency: str = ""
    """Of all costs, where it is known."""
    rankings: RankedSets | None = None
    """Whom they prefer in the mean, where they ranked the systems of every set."""

    @property
    def lacking(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """By the test sets that they have no outputs for, by title: the systems that lack any."""
        lacking: dict[tuple[str, ...], tuple[str, ...]] = {}
        for system in self.study.systems:
            sets = tuple(own.title for own in self.sets if system not in own.dossier.segments.outputs)
            if sets:
                lacking[sets] = (*lacking.get(sets, ()), system)
        return lacking

    @property
    def put_first(self) -> Counter[str]:
        """On how many sets people put a system first."""
        judged = [judged_systems(own.dossier.people) for own in self.sets if own.dossier.people is not None]
        return Counter(systems[0] for systems in judged if systems)


def study_dossier(
    name: str,
    sets: Sequence[LoadedSet],
    study: StudyResult,
    metrics: Sequence[str],
    plan: Plan,
    beside: Callable[[LoadedSet], Beside],
    *,
    inputs: tuple[Input, ...] = (),
    threads: int = 0,
    progress: Progress | None = None,
) -> StudyDossier:
    """Every set compared and looked through by itself, beside what the study says of all of them.

    `beside` says what lies beside a set: judgements, estimates.
    """
    tested = [own for own in sets if own.outputs]
    without = [own.name for own in sets if not own.outputs]
    whole = len(tested) <= WHOLE
    parts = []
    for place, own in enumerate(tested):
        if progress:
            progress(f"looking through {own.name}", place, len(tested))
        names = {output.system for output in own.outputs}
        own_plan = plan if plan.baseline in (None, *names) else replace(plan, baseline=None)
        comparison = _compared(own, study.measured[own.name], metrics, own_plan, threads)
        around = replace(beside(own), analyses="all" if whole else "examples" if place < EXAMPLES else "none")
        made = dossier_of(comparison, own.test_set, own.outputs, around, threads=threads)
        parts.append(SetDossier(own.name, own.language, made))
    notes = (f"Without any output: {listed(without)}.",) if without else ()
    rankings = _rankings(tested, parts, study.plan)
    return StudyDossier(
        name=name,
        study=study,
        verdict=joint_verdict(
            study_evidence(study), _people_evidence(study, tested) if rankings is None else rankings.evidence
        ),
        rankings=rankings,
        costs=mean_costs(study, beside(tested[0]).price if tested else None),
        currency=beside(tested[0]).currency if tested else "",
        sets=tuple(parts),
        segments=joined_segments(parts, name, study.systems),
        whole=whole,
        inputs=inputs,
        notes=notes,
    )


def _compared(
    own: LoadedSet, measured: Sequence[Measured], metrics: Sequence[str], plan: Plan, threads: int
) -> Comparison:
    """The systems of a set by the rows that the study has of it; one alone is scored and not tested."""
    chosen, test_set = resolved(metrics, own.test_set)
    comparison = compare_measured(
        measured[: len(chosen)],  # what is no metric stands behind
        facts_of(test_set, chosen),
        labels_of(own.test_set, ("length",)),
        plan,
        language=own.language,
        threads=threads,
        alone=True,
    )
    return comparison.with_warnings(language_warnings(chosen, test_set))


def _rankings(sets: Sequence[LoadedSet], parts: Sequence[SetDossier], plan: Plan) -> RankedSets | None:
    """Whom people prefer in the mean over sets, where they ranked systems on every one of them."""
    judged, people = [], []
    for own, part in zip(sets, parts, strict=True):
        if own.judgements is None or not own.judgements.is_ranking or part.dossier.people is None:
            return None
        judged.append(of_systems(own.judgements, [output.system for output in own.outputs]))
        people.append(part.dossier.people)
    return ranked_sets(judged, people, plan)


def _people_evidence(study: StudyResult, sets: Sequence[LoadedSet]) -> Evidence | None:
    """What people's scores say in the mean; scores from files are none of people's."""
    files = {file.name for own in sets for file in own.qe}
    names = {own.name for own in sets}
    tables = [
        table
        for table in study.tables
        if not table.is_metric and table.metric not in files and names <= set(table.sets)
    ]
    return _evidence_by(tables, study, by_people=True) if tables else None


def study_verdict(study: StudyResult) -> Verdict:
    """Which system metrics speak for in the mean over test sets.

    Only a system with outputs for all sets has a mean; where none has one but the baseline, none is named.
    """
    return decide(study_evidence(study))


def study_evidence(study: StudyResult) -> Evidence:
    """What metrics say in the mean over test sets."""
    return _evidence_by([table for table in study.tables if table.is_metric], study)


def _evidence_by(tables: Sequence[StudyTable], study: StudyResult, *, by_people: bool = False) -> Evidence:
    directed = [table for table in tables if table.higher_is_better is not None]
    baseline = study.plan.baseline
    ranked = _ranked(directed[0], study.systems) if directed else list(study.systems)
    differences: dict[frozenset[str], list[Difference]] = {}
    for table in directed:
        for pair in table.pairs:
            if pair.sets:
                differences.setdefault(frozenset((pair.a, pair.b)), []).append(
                    _difference(table, pair, study)
                )
    return Evidence(
        order=(*ranked, *(name for name in study.systems if name not in ranked)),
        relations={
            names: Relation(tuple(own), by_people, alpha=study.plan.alpha)
            for names, own in differences.items()
        },
        measures=tuple(table.label for table in directed),
        alpha=study.plan.alpha,
        by_people=by_people,
        baseline=baseline,
        complete=len(study.systems) == 1 or any(name != baseline for name in ranked),
    )


def _difference(table: StudyTable, pair: MacroPair, study: StudyResult) -> Difference:
    higher = table.higher_is_better is not False
    both = {a.test_set for a in table.scores if a.system == pair.a and a.score == a.score} & {
        b.test_set for b in table.scores if b.system == pair.b and b.score == b.score
    }
    return Difference(
        metric=table.metric,
        label=table.label,
        a=pair.a,
        b=pair.b,
        delta=pair.delta,
        low=pair.low,
        high=pair.high,
        p=pair.p_adjusted,
        ahead="" if pair.delta == 0 else pair.a if (pair.delta > 0) == higher else pair.b,
        significant=pair.significant,
        higher_is_better=higher,
        decimals=table.decimals,
        units=sum(study.segments[name] for name in both),
    )


def _ranked(table: StudyTable, systems: Sequence[str]) -> list[str]:
    """Systems with a mean, the best first; who lacks a set has none."""
    sign = -1.0 if table.higher_is_better is False else 1.0
    means: Mapping[str, float] = {own.system: own.score for own in table.groups[0].scores}
    known = [name for name in systems if means.get(name, float("nan")) == means.get(name)]
    return sorted(known, key=lambda name: -sign * means[name])


def compared_on_fewer(study: StudyResult, verdict: Verdict) -> tuple[str, ...]:
    """Those that the first system named was tested against on fewer sets than all, for lack of outputs."""
    pairs = [
        (table, name, pair_of(table, verdict.system, name))
        for table in study.tables
        if table.label in verdict.measures
        for name in verdict.order
    ]
    fewer = {name for table, name, pair in pairs if pair is not None and pair.sets < len(table.sets)}
    return tuple(name for name in verdict.order if name in fewer)


def pair_of(table: StudyTable, a: str, b: str) -> MacroPair | None:
    """Two systems in the mean, seen from either."""
    return next((pair for pair in table.pairs if {pair.a, pair.b} == {a, b} and pair.sets), None)
