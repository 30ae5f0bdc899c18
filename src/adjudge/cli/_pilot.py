"""What `adjudge power` is asked, and its answer from a pilot: files in, an answer out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._files import is_run, load_files, metric_specs, read_judgements
from adjudge.cli._options import FILES
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.cli._run import CommandRun, Workers
    from adjudge.comparison import Progress
    from adjudge.io import Input
    from adjudge.planning.pilot import Pilot
    from adjudge.planning.pilot_power import PilotAnswer, PilotMap


DEFAULTS = {
    "ratio": 1.0,
    "paired_correlation": 0.0,
    "tie_share": 0.0,
    "document_icc": 0.0,
    "document_size": 1.0,
}
DEFAULTS |= {"annotator_icc": 0.0, "annotator_load": 1.0}
"""Options of a design that a pilot itself decides, as they are where nobody gives them."""


@dataclass(frozen=True)
class PowerQuestion:
    """Of n, effect and power two, or a budget, or a table of many, or what to do after a look."""

    n: tuple[int, ...] | None
    effect: tuple[float, ...] | None
    power: float | None
    budget: int | None
    mapped: bool
    look: int | None
    p: float | None
    z: float | None
    scale: float | None
    """Of a pilot's difference."""
    difference: float | None
    trials: int | None

    @classmethod
    def of(cls, options: Mapping[str, Any], *, picture: bool) -> PowerQuestion:
        """From the command line; only a table has a picture."""
        named = {field.name: options[field.name] for field in fields(cls) if field.name in options}
        return cls(**{**named, "mapped": options["mapped"] or picture})

    @property
    def wanted(self) -> float:
        """The power that is wanted."""
        from adjudge.stats.power import POWER

        return POWER if self.power is None else self.power

    @property
    def is_map(self) -> bool:
        """Whether a table of many is asked for, which is also the answer to no question at all."""
        asked = (self.n, self.effect, self.power, self.budget, self.look)
        nothing = all(value is None for value in asked)
        return self.mapped or nothing or len(self.n or ()) > 1 or len(self.effect or ()) > 1

    @property
    def one_n(self) -> int | None:
        """The n that is asked about."""
        return self.n[0] if self.n else None

    @property
    def one_effect(self) -> float | None:
        """The effect that is asked about."""
        return self.effect[0] if self.effect else None


def power_of_files(
    run: CommandRun, question: PowerQuestion, options: Mapping[str, Any]
) -> tuple[PilotAnswer | PilotMap, Sequence[Input]]:
    """The answer from a pilot of outputs, of a stored run or of judgements, and the files it was read from."""
    _refuse_with_pilot(question, options)
    with run.working() as work:
        if options["judgements"]:
            _refuse_with_judgements(options)
            pilot, inputs, warnings = _pilot_of_judgements(options)
        else:
            pilot, inputs, warnings = _pilot_of_outputs(work, options)
        _outputs.check_not_read(inputs)
        answer = _answer(pilot, question, options, work.progress)
    run.warn(warnings)
    return answer, inputs


def _refuse_with_pilot(question: PowerQuestion, options: Mapping[str, Any]) -> None:
    """Refuse what a pilot leaves no room for."""
    if question.effect is not None:
        raise UsageError("the pilot says what the effect is; --scale 0.5 or --difference X for a smaller one")
    given = {**options, "look": question.look, "p": question.p, "z": question.z}
    for name in (*DEFAULTS, "icc", "looks", "method", "look", "p", "z"):
        if given[name] != DEFAULTS.get(name):
            raise UsageError(
                f"--{name.replace('_', '-')} is for power without a pilot; leave it away, or the files"
            )


def _refuse_with_judgements(options: Mapping[str, Any]) -> None:
    """Refuse what is of outputs, where judgements were given."""
    given = {name: options[name] for name in FILES if name not in ("language", "input_format")}
    given |= {"SYS": options["systems"], "metric": options["metrics"]}
    given |= {name: options[name] for name in ("trials", "unit")}
    for name, value in given.items():
        if value not in (None, (), "auto"):
            raise UsageError(
                f"{name if name == 'SYS' else _option(name)} is of a pilot of outputs, and --judgements of what people "
                "said: give one of them"
            )


def refuse_without_pilot(options: Mapping[str, Any]) -> None:
    """Refuse what only a pilot can answer."""
    given = {name: options[name] for name in FILES} | {"metric": options["metrics"]}
    given |= {name: options[name] for name in ("score", "pair", "scale", "difference", "trials")}
    for name, value in given.items():
        if value is not None and value != ():
            raise UsageError(f"{_option(name)} is of a pilot: adjudge power -r REFERENCE -m METRIC SYS SYS")


def _pilot_of_outputs(
    work: Workers, options: Mapping[str, Any]
) -> tuple[Pilot, Sequence[Input], Sequence[str]]:
    from adjudge.history.rows_to_compare import rows_of_outputs, rows_of_runs
    from adjudge.metrics import metric
    from adjudge.planning.pilot import pilot_of_rows

    specs = metric_specs(options["metrics"])
    if len(specs) > 1:
        raise UsageError(f"a pilot has one metric, {len(specs)} were given: -m {specs[0]}")
    runs = [text for text in options["systems"] if is_run(text)]
    outputs = [text for text in options["systems"] if text not in runs]
    files = {name: options[name] for name in FILES}
    load = partial(load_files, outputs, doing="compare")
    if runs:
        rows = rows_of_runs(runs, specs, files=files, load=load if outputs else None, **work.options)
    else:
        asked = [metric(spec).spec for spec in specs or ["bleu"]]
        rows = rows_of_outputs(load(**files), asked, files, **work.options)
    if len(rows.measured) > 1:
        known = ", ".join(measured.metric for measured in rows.measured)
        raise UsageError(f"the run has several metrics ({known}): -m {rows.measured[0].metric}, for example")
    pilot = pilot_of_rows(
        rows.measured[0],
        options["pair"] or (),
        labels=rows.labels,
        unit=options["unit"],
        trials=options["trials"],
        seed=options["seed"],
        threads=work.threads,
    )
    return pilot, rows.inputs, rows.warnings


def _pilot_of_judgements(options: Mapping[str, Any]) -> tuple[Pilot, Sequence[Input], Sequence[str]]:
    """What people said of two systems."""
    from adjudge.planning.pilot import pilot_of_judgements

    loaded = read_judgements(options["judgements"], input_format=options["input_format"])
    pilot = pilot_of_judgements(
        loaded.judgements,
        options["pair"] or (),
        score=options["score"],
        language=options["language"] or "",
        seed=options["seed"],
    )
    return pilot, loaded.inputs, loaded.warnings


def _answer(
    pilot: Pilot, question: PowerQuestion, options: Mapping[str, Any], progress: Progress | None
) -> PilotAnswer | PilotMap:
    from adjudge.planning.campaign_plan import CampaignDesign
    from adjudge.planning.pilot_power import SIMULATIONS, map_power_from_pilot, power_from_pilot

    names = ("alpha", "one_sided", "comparisons", "correction", "controls", "seed")
    campaign = CampaignDesign(
        **{name: options[name] for name in names},
        systems=options["system_count"],
        annotators_per_item=options["annotators_per_item"],
        simulations=options["simulations"] or SIMULATIONS,
    )
    how: dict[str, Any] = {"test": options["test"], "power": question.power, "progress": progress}
    if question.mapped or len(question.n or ()) > 1:
        if question.budget is not None or question.scale is not None or question.difference is not None:
            raise UsageError("a table of many n and differences has no budget and no difference of its own")
        return map_power_from_pilot(pilot, campaign, n=question.n or (), **how)
    return power_from_pilot(
        pilot,
        campaign,
        n=question.one_n,
        budget=question.budget,
        scale=question.scale,
        difference=question.difference,
        trials=question.trials,
        **how,
    )


def _option(name: str) -> str:
    return "--" + ("reference" if name == "references" else name.replace("_", "-"))
