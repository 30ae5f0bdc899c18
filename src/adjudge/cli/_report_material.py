"""What a report is made of, as it was named: files, or a study; beside them judgements and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _options, _outputs, _rows
from adjudge.cli._rates import rates_of
from adjudge.cli._studies import loaded_study
from adjudge.dossiers.beside_sets import beside_set, placed_scores
from adjudge.dossiers.evaluation_dossier import Beside
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.comparison import Plan
    from adjudge.data import Outputs, TestSet
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers.study_dossier import StudyDossier
    from adjudge.io import Input
    from adjudge.io.segment_scores import ScoreFile as ReadScores
    from adjudge.io.studies import LoadedSet, LoadedStudy
    from adjudge.metrics.base import Metric


@dataclass(frozen=True)
class ReportMaterial:
    """Texts, metrics, and what lies beside them."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    metrics: Sequence[Metric | str]
    beside: Beside
    plan: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a plan that a study says."""
    notes: tuple[str, ...] = ()


def material_of_files(options: Mapping[str, Any]) -> ReportMaterial:
    """Files as `adjudge compare` takes them."""
    files = {name: options[name] for name in (*_options.FILES, "realign", *_options.STRUCTURE)}
    specs = _options.metric_specs(options["metrics"])
    metrics, loaded = _rows.outputs_to_compare(options["systems"], specs, files)
    judgements, read, notes = _judgements(options)
    _check_rates(options, has_judgements=judgements is not None)
    scores = _estimates(options["qe"])
    inputs = (*loaded.inputs, *read, *(item for own in scores for item in own.inputs))
    _outputs.check_not_read(inputs)
    beside = Beside(
        judgements=judgements,
        estimates=placed_scores(scores, loaded.test_set, loaded.outputs),
        rates=rates_of(options),
        price=options["price"],
        currency=options["currency"],
        training=options["training"],
        inputs=inputs,
        by=options["by"],
    )
    return ReportMaterial(loaded.test_set, loaded.outputs, metrics, beside, notes=(*loaded.notes, *notes))


@dataclass(frozen=True)
class StudyInput:
    """A study that a report is to be made of."""

    loaded: LoadedStudy
    sets: tuple[LoadedSet, ...]
    """All of them, or the one that was named."""
    metrics: Sequence[str]
    plan: Mapping[str, Any]
    """Fields of a plan that the study says."""


def study_input(file: str, options: Mapping[str, Any], rows: _rows.RowSource) -> StudyInput:
    """A study with its plan checked, and the test sets that are wanted."""
    from adjudge.comparison.study_plans import study_plan

    loaded = loaded_study(file, rows.progress)
    study = loaded.study
    wanted = tuple(own for own in loaded.sets if options["set_name"] in ("", own.name))
    if not wanted:
        raise unknown_name("test set", options["set_name"], [own.name for own in loaded.sets])
    checked = study_plan(study)  # what is wrong with it is said with its line
    named = (*study.plan, *(("baseline",) if study.baseline else ()))
    metrics = _options.metric_specs(options["metrics"]) or study.metrics
    return StudyInput(loaded, wanted, metrics, {name: getattr(checked, name) for name in named})


def material_of_set(given: StudyInput, options: Mapping[str, Any]) -> ReportMaterial:
    """One test set of a study, as if its files had been named."""
    [own] = given.sets
    _check_rates(options, has_judgements=own.judgements is not None)
    lower = given.loaded.study.lower_is_better
    beside = replace(beside_set(own, lower, **_asked(options)), inputs=given.loaded.inputs)
    return ReportMaterial(own.test_set, own.outputs, given.metrics, beside, given.plan, given.loaded.notes)


def _asked(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed that lies beside the texts of every set."""
    return {
        "rates": rates_of(options),
        "price": options["price"],
        "currency": options["currency"],
        "by": options["by"],
        "training": options["training"],
    }


def dossier_of_study(
    given: StudyInput, options: Mapping[str, Any], typed: Mapping[str, Any], plan: Plan, rows: _rows.RowSource
) -> StudyDossier:
    """All test sets of a study; `typed` are fields of the plan that go before its own."""
    from adjudge.dossiers.study_dossier import study_dossier
    from adjudge.human.studies import run_study

    _check_rates(options, has_judgements=any(own.judgements is not None for own in given.sets))
    workers: Any = {"threads": rows.threads, "progress": rows.progress}
    over_sets = run_study(given.loaded, given.metrics, cache=rows.cache, **workers, **typed)
    return study_dossier(
        given.loaded.study.name,
        given.sets,
        over_sets,
        given.metrics,
        plan,
        lambda own: beside_set(own, given.loaded.study.lower_is_better, **_asked(options)),
        inputs=given.loaded.inputs,
        **workers,
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


def _estimates(paths: Sequence[str]) -> Sequence[ReadScores]:
    from adjudge.io.segment_scores import load_scores

    return load_scores(paths) if paths else ()
