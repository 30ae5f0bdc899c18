"""Power from a pilot: files in, an answer out; and which options go with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.cli import _material, _options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.evaluate import Progress
    from adjudge.io import Input
    from adjudge.planning.pilot import Pilot
    from adjudge.planning.pilot_power import PilotAnswer, PilotMap


def refuse_with_pilot(options: Mapping[str, Any]) -> None:
    """Refuse what a pilot leaves no room for."""
    if options["effect"] is not None:
        raise UsageError("the pilot says what the effect is; --scale 0.5 or --difference X for a smaller one")
    defaults = {"ratio": 1.0, "correlation": 0.0, "ties": 0.0, "document_icc": 0.0, "document_size": 1.0}
    defaults |= {"annotator_icc": 0.0, "annotator_load": 1.0}
    for name in (*defaults, "icc", "looks", "method", "look", "p", "z"):
        if options[name] != defaults.get(name):
            raise UsageError(
                f"--{name.replace('_', '-')} is for power without a pilot; leave it away, or the files"
            )


def refuse_with_judgements(options: Mapping[str, Any]) -> None:
    """Refuse what is of outputs, where judgements were given."""
    for name, value in options.items():
        if value not in (None, (), "segment") and name != "input_format":
            raise UsageError(
                f"{name if name == 'SYS' else _option(name)} is of a pilot of outputs, and --judgements of what people "
                "said: give one of them"
            )


def refuse_without_pilot(options: Mapping[str, Any]) -> None:
    """Refuse what only a pilot can answer."""
    for name, value in options.items():
        if value is not None and value != ():
            raise UsageError(f"{_option(name)} is of a pilot: adjudge power -r REFERENCE -m METRIC SYS SYS")


def pilot_of(
    gathering: _material.Gathering,
    systems: Sequence[str],
    metrics: Sequence[str],
    pair: Sequence[str] | None,
    unit: str,
    trials: int | None,
    files: dict[str, Any],
    seed: int,
) -> tuple[Pilot, Sequence[Input], Sequence[str]]:
    from adjudge.planning.pilot import pilot_of_rows

    specs = _options.metric_specs(metrics)
    if len(specs) > 1:
        raise UsageError(f"a pilot has one metric, {len(specs)} were given: -m {specs[0]}")
    runs = [text for text in systems if _material.is_run(text)]
    outputs = [text for text in systems if text not in runs]
    if runs:
        material = gathering.from_runs(runs, outputs, specs, files)
    else:
        material = gathering.from_files(outputs, specs or ["bleu"], files)
    if len(material.measured) > 1:
        known = ", ".join(measured.metric for measured in material.measured)
        raise UsageError(
            f"the run has several metrics ({known}): -m {material.measured[0].metric}, for example"
        )
    pilot = pilot_of_rows(
        material.measured[0],
        pair or (),
        labels=material.labels,
        unit=unit,
        trials=trials,
        seed=seed,
        threads=gathering.threads,
    )
    return pilot, material.inputs, material.warnings


def pilot_of_judgements(
    paths: Sequence[str], pair: Sequence[str] | None, score: str | None, input_format: str | None, seed: int
) -> tuple[Pilot, Sequence[Input], Sequence[str]]:
    """What people said of two systems."""
    from adjudge.io import judgements
    from adjudge.planning.pilot_judgements import pilot_of_judgements

    loaded = judgements.read(paths, input_format=input_format, stdin=_options.stdin_bytes())
    pilot = pilot_of_judgements(loaded.judgements, pair or (), score=score, seed=seed)
    return pilot, loaded.inputs, loaded.warnings


def answered(
    pilot: Pilot,
    options: dict[str, Any],
    *,
    mapped: bool,
    n: tuple[int, ...] | None,
    power: float | None,
    budget: int | None,
    scale: float | None,
    difference: float | None,
    trials: int | None,
    progress: Progress | None,
) -> PilotAnswer | PilotMap:
    from adjudge.planning.design import CampaignDesign
    from adjudge.planning.pilot_power import SIMULATIONS, map_power_from_pilot, power_from_pilot

    test = options["test"]
    names = ("alpha", "one_sided", "systems", "comparisons", "correction", "annotators", "controls", "seed")
    campaign = CampaignDesign(
        **{name: options[name] for name in names}, simulations=options["simulations"] or SIMULATIONS
    )
    if mapped or len(n or ()) > 1:
        if budget is not None or scale is not None or difference is not None:
            raise UsageError("a table of many n and differences has no budget and no difference of its own")
        return map_power_from_pilot(pilot, campaign, test=test, n=n or (), power=power, progress=progress)
    return power_from_pilot(
        pilot,
        campaign,
        test=test,
        n=n[0] if n else None,
        power=power,
        budget=budget,
        scale=scale,
        difference=difference,
        trials=trials,
        progress=progress,
    )


def _option(name: str) -> str:
    return "--" + ("reference" if name == "references" else name.replace("_", "-"))
