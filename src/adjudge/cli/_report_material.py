"""What a report is made of, as it was named: files, or a study; beside them judgements and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._files import load_files, metric_specs
from adjudge.cli._options import TESTED_FILES
from adjudge.cli._rates import rates_of
from adjudge.cli._studies import loaded_study
from adjudge.dossiers.beside_sets import beside_set
from adjudge.dossiers.evaluation_dossier import EvaluationContext
from adjudge.errors import UsageError, unknown_name
from adjudge.io.studies import LoadedSet

if TYPE_CHECKING:
    from adjudge.cli._run import Workers
    from adjudge.comparison import Plan
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers.study_dossier import StudyDossier
    from adjudge.io import Input
    from adjudge.io.segment_scores import ScoreFile
    from adjudge.io.studies import LoadedStudy
    from adjudge.metrics.base import Metric


@dataclass(frozen=True)
class ReportInput:
    """Test sets with all that lies beside their texts: those of a study, or the one that files make."""

    name: str
    sets: tuple[LoadedSet, ...]
    """All of a study, or the one that was named."""
    metrics: Sequence[Metric | str]
    plan: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a plan that a study says."""
    inputs: tuple[Input, ...] = ()
    notes: tuple[str, ...] = ()
    study: LoadedStudy | None = None

    def context(self, loaded_set: LoadedSet, options: Mapping[str, Any]) -> EvaluationContext:
        """What lies beside the texts of a set, and what was typed that does."""
        labels = options["by"]
        if self.study is not None:  # not every set of a study has every label
            labels = [name for name in labels if name == "length" or name in loaded_set.test_set.labels]
        return beside_set(
            loaded_set,
            () if self.study is None else self.study.study.lower_is_better,
            rates=rates_of(options),
            price=options["cost_per_word"],
            currency=options["currency"],
            by=labels,
            training=options["training"],
        )


def input_of_files(options: Mapping[str, Any]) -> ReportInput:
    """Files as `adjudge compare` takes them."""
    from adjudge.comparison import DEFAULT_METRICS
    from adjudge.metrics import metric

    files = {name: options[name] for name in TESTED_FILES if name != "level"}
    specs = metric_specs(options["metrics"])
    metrics = list(map(metric, specs or DEFAULT_METRICS))
    loaded = load_files(options["systems"], doing="compare", **files)
    judgements, read, notes = _judgements(options)
    scores = tuple(_estimates(options["qe"]))
    inputs = (*loaded.inputs, *read, *(item for score in scores for item in score.inputs))
    _outputs.check_not_read(inputs)
    own = LoadedSet(loaded.test_set.name, loaded.test_set, loaded.outputs, judgements=judgements, qe=scores)
    return ReportInput(own.name, (own,), metrics, inputs=inputs, notes=(*loaded.notes, *notes))


def input_of_study(file: str, options: Mapping[str, Any], work: Workers) -> ReportInput:
    """A study with its plan checked, and the test sets that are wanted."""
    from adjudge.comparison.plan import study_plan

    loaded = loaded_study(file, work.progress)
    study = loaded.study
    wanted = tuple(loaded_set for loaded_set in loaded.sets if options["set_name"] in ("", loaded_set.name))
    if not wanted:
        raise unknown_name("test set", options["set_name"], [loaded_set.name for loaded_set in loaded.sets])
    checked = study_plan(study)  # what is wrong with it is said with its line
    named = (*study.plan, *(("baseline",) if study.baseline else ()))
    metrics = metric_specs(options["metrics"]) or study.metrics
    plan = {name: getattr(checked, name) for name in named}
    return ReportInput(study.name, wanted, metrics, plan, loaded.inputs, loaded.notes, loaded)


def dossier_of_input(
    given: ReportInput, options: Mapping[str, Any], typed: Mapping[str, Any], plan: Plan, work: Workers
) -> StudyDossier:
    """Everything about one test set or several; `typed` are fields of the plan that go before a study's own."""
    from adjudge.dossiers.evaluation_dossier import dossier
    from adjudge.dossiers.study_dossier import StudyDossier, study_dossier
    from adjudge.human.studies import run_study

    _check_rates(options, has_judgements=any(loaded_set.judgements is not None for loaded_set in given.sets))
    if len(given.sets) == 1 or given.study is None:
        [own] = given.sets
        context = replace(given.context(own, options), inputs=given.inputs)
        made = dossier(own.test_set, own.outputs, given.metrics, plan, context, **work.options)
        return StudyDossier.of_one(made)
    metrics = [str(metric) for metric in given.metrics]
    over_sets = run_study(given.study, metrics, **work.options, **typed)
    return study_dossier(
        given.name,
        given.sets,
        over_sets,
        metrics,
        plan,
        lambda own: given.context(own, options),
        inputs=given.inputs,
        threads=work.threads,
        progress=work.progress,
    )


def _check_rates(options: Mapping[str, Any], *, has_judgements: bool) -> None:
    """Refuse what is paid for time where nobody's time was measured."""
    if rates_of(options) is not None and not has_judgements:
        raise UsageError(
            "--wage and --scratch-speed are for post-edits with times: -j FILE; --cost-per-word prices an estimate"
        )


def _judgements(options: Mapping[str, Any]) -> tuple[Judgements | None, tuple[Input, ...], tuple[str, ...]]:
    if not options["judgements"]:
        if options["protocol"]:
            raise UsageError("--protocol is for judgements: -j FILE")
        return None, (), ()
    from adjudge.io import judgements

    read = judgements.read(options["judgements"], protocol=options["protocol"])
    return read.judgements, tuple(read.inputs), tuple(read.warnings)


def _estimates(paths: Sequence[str]) -> Sequence[ScoreFile]:
    from adjudge.io.segment_scores import load_scores

    return load_scores(paths) if paths else ()
