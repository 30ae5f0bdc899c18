"""A study run from its file: metrics, people and other scores over all its test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from adjudge import workspace
from adjudge.comparison.comparing import compare_sets
from adjudge.comparison.mean_tests import StudyMaterial
from adjudge.comparison.plan import Plan, PlanOptions, study_plan
from adjudge.comparison.ranked_sets import RankedSets
from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Progress
from adjudge.human.mean_preferences import ranked_sets
from adjudge.human.study_scores import study_material
from adjudge.io.studies import LoadedStudy, load_study

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def run_study(
    study: str | LoadedStudy,
    metrics: Sequence[str] = (),
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Every system of a study on every test set, with means over sets and tests of these.

    `study` is a STUDY.toml, or what `load_study` made of it. Metrics and the plan of the tests are those of the file;
    `metrics` and options of `compare` (`seed`, `unit`, `baseline`, …) come before what it says. What a metric of the
    file runs, a program or a model, is run where the workspace allows programs that files name.
    """
    loaded = load_study(study, progress=progress) if isinstance(study, str) else study
    here = workspace.current().named_by_file
    with workspace.use(workspace.changed(named_by_file=here or not metrics)):
        return run_material(
            study_material(loaded),
            tuple(metrics) or loaded.study.metrics,
            study_plan(loaded.study, options),
            threads=threads,
            cache=cache,
            progress=progress,
        )


def run_material(
    material: Sequence[StudyMaterial],
    metrics: Sequence[str],
    plan: Plan | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Every system on every test set, with people's rankings where they ranked the systems of every set."""
    result = compare_sets(material, metrics, plan, threads=threads, cache=cache, progress=progress)
    return replace(result, rankings=_rankings(material, result.plan))


def _rankings(material: Sequence[StudyMaterial], plan: Plan) -> RankedSets | None:
    """Whom people prefer in the mean over sets, where they ranked systems on every one of them."""
    judged = [own.rankings for own in material if own.outputs]
    known = [own for own in judged if own is not None]
    return ranked_sets(known, plan) if known and len(known) == len(judged) else None
