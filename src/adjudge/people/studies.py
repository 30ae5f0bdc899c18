"""A study run from its file: metrics, people and other scores over all its test sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from adjudge import workspace
from adjudge.evaluate import studies
from adjudge.evaluate.plan import PlanOptions
from adjudge.evaluate.scoring import Progress
from adjudge.evaluate.study_plans import study_plan
from adjudge.evaluate.study_results import StudyResult
from adjudge.io.studies import LoadedStudy, load_study
from adjudge.people.study_scores import study_material

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
) -> StudyResult:
    """Every system of a study on every test set, with means over sets and tests of these.

    `study` is a STUDY.toml, or what `load_study` made of it. Metrics and the plan of the tests are those of the file;
    `metrics` and options of `compare` (`seed`, `unit`, `baseline`, …) come before what it says. What a metric of the
    file runs, a program or a model, is run where the workspace allows programs that files name.
    """
    loaded = load_study(study, progress=progress) if isinstance(study, str) else study
    here = workspace.current().named_by_file
    with workspace.use(workspace.changed(named_by_file=here or not metrics)):
        return studies.run_study(
            study_material(loaded),
            tuple(metrics) or loaded.study.metrics,
            study_plan(loaded.study, options),
            threads=threads,
            cache=cache,
            progress=progress,
        )
