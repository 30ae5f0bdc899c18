"""A study of several test sets as a whole: means in which all count alike, and a dossier of every set by itself.

No number is made of texts in several languages as if they were one: each set is scored, tested and looked through in
its own language, and only scores that are finished are averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adjudge.comparison import Comparison, Measured, Plan
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.groups import labels_of
from adjudge.comparison.scoring import facts_of, language_warnings, resolve_metrics
from adjudge.comparison.verdict import Verdict, comparison_verdict
from adjudge.dossiers.costs import EditingCost, mean_costs
from adjudge.dossiers.evaluation_dossier import Dossier, EvaluationContext, dossier_of
from adjudge.dossiers.joined_segments import joined_segments
from adjudge.dossiers.segment_table import SegmentTable
from adjudge.dossiers.soundness import judged_systems
from adjudge.wording import join_names

if TYPE_CHECKING:
    from adjudge.comparison.scoring import Progress
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
    """All that is known of some systems on one test set or several."""

    name: str
    study: Comparison
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

    @classmethod
    def of_one(cls, dossier: Dossier) -> StudyDossier:
        """The evaluation on a single test set, in which the mean is what was found on it."""
        name, language = dossier.segments.name, dossier.segments.language
        return cls(
            name=name,
            study=dossier.comparison,
            verdict=dossier.verdict,
            sets=(SetDossier(name, language, dossier),),
            segments=dossier.segments,
            inputs=dossier.inputs,
            notes=dossier.notes,
            costs=dossier.costs,
            currency=dossier.currency,
        )

    @property
    def lacking(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """By the test sets that they have no outputs for, by title: the systems that lack any."""
        lacking: dict[tuple[str, ...], tuple[str, ...]] = {}
        for system in self.study.systems:
            sets = tuple(
                loaded_set.title
                for loaded_set in self.sets
                if system not in loaded_set.dossier.segments.outputs
            )
            if sets:
                lacking[sets] = (*lacking.get(sets, ()), system)
        return lacking

    @property
    def put_first(self) -> Counter[str]:
        """On how many sets people put a system first."""
        judged = [
            judged_systems(loaded_set.dossier.people)
            for loaded_set in self.sets
            if loaded_set.dossier.people is not None
        ]
        return Counter(systems[0] for systems in judged if systems)


def study_dossier(
    name: str,
    sets: Sequence[LoadedSet],
    study: Comparison,
    metrics: Sequence[str],
    plan: Plan,
    beside: Callable[[LoadedSet], EvaluationContext],
    *,
    inputs: tuple[Input, ...] = (),
    threads: int = 0,
    progress: Progress | None = None,
) -> StudyDossier:
    """Every set compared and looked through by itself, beside what the study says of all of them.

    `beside` says what lies beside a set: judgements, estimates.
    """
    tested = [loaded_set for loaded_set in sets if loaded_set.outputs]
    without = [loaded_set.name for loaded_set in sets if not loaded_set.outputs]
    whole = len(tested) <= WHOLE
    parts = []
    for place, test in enumerate(tested):
        if progress:
            progress(f"looking through {test.name}", place, len(tested))
        names = {output.system for output in test.outputs}
        own_plan = plan if plan.baseline in (None, *names) else replace(plan, baseline=None)
        comparison = _compare_set(test, study.measured_sets[test.name], metrics, own_plan, threads)
        around = replace(
            beside(test), analyses="all" if whole else "examples" if place < EXAMPLES else "none"
        )
        made = dossier_of(comparison, test.test_set, test.outputs, around, threads=threads)
        parts.append(SetDossier(test.name, test.language, made))
    notes = (f"Without any output: {join_names(without)}.",) if without else ()
    return StudyDossier(
        name=name,
        study=study,
        verdict=comparison_verdict(study),
        costs=mean_costs(study, beside(tested[0]).price if tested else None),
        currency=beside(tested[0]).currency if tested else "",
        sets=tuple(parts),
        segments=joined_segments(parts, name, study.systems),
        whole=whole,
        inputs=inputs,
        notes=notes,
    )


def _compare_set(
    loaded_set: LoadedSet, measured: Sequence[Measured], metrics: Sequence[str], plan: Plan, threads: int
) -> Comparison:
    """The systems of a set by the rows that the study has of it; one alone is scored and not tested."""
    chosen, test_set = resolve_metrics(metrics, loaded_set.test_set)
    comparison = compare_measured(
        measured[: len(chosen)],  # what is no metric stands behind
        facts_of(test_set, chosen),
        labels_of(loaded_set.test_set, ("length",)),
        plan,
        language=loaded_set.language,
        threads=threads,
        alone=True,
    )
    return comparison.with_warnings(language_warnings(chosen, test_set))
