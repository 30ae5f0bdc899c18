"""Estimate the quality of outputs without references, and keep what is good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.qe import _files
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input, Loaded
    from adjudge.qe.companions import Companions
    from adjudge.qe.estimator import Estimates, Estimator


output_options = _options.options(
    click.argument("model", metavar="MODEL_FILE"),
    click.argument("systems", metavar="SYS...", nargs=-1),
    _options.options("source", "test_set"),
    _options.option("log_probs", repeated=True, metavar="SYS=FILE"),
    _files.companion_options,
)
"""MODEL_FILE, SYS..., -s, -t and --log-probs: what `estimates_of` takes."""
NO_SOURCE = "an estimator reads the source: -s FILE, with a line for each segment"


@click.command("score", short_help="Estimate the quality of outputs without references.")
@output_options
@_options.keywords()
@_options.format_option(("text", "json", "tsv", "markdown", "html"))
@_options.results_option
def score_command(
    *,
    model: str,
    systems: tuple[str, ...],
    tag_words: bool = False,
    confidence: float = 0.9,
    thresholds: str = "",
    threads: int = 0,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Estimate the quality of outputs without references.

    On a screen, the share of each engine's segments that pass some thresholds; -f tsv and -f json have a score and an
    interval for every segment, -f html draws how scores are spread.

    \b
    adjudge qe score en-de.json -s source.en a.de b.de
    adjudge qe score en-de.json -s source.en a.de -f tsv -o scores.tsv
    adjudge qe score glass.json -s source.en a.de --log-probs a.de=probabilities
    """
    from adjudge import __version__
    from adjudge.qe.distribution import distribution
    from adjudge.qe.results import EngineEstimates
    from adjudge.report.render.formats import renderer_of

    if not 0 < confidence < 1:
        raise UsageError(f"--confidence {confidence:g}: a share between 0 and 1 was expected, as in 0.9")
    cuts = _numbers(thresholds)
    learnt, estimates, inputs = estimates_of(
        model, systems, files, quiet=quiet, confidence=confidence, tags=tag_words, threads=threads
    )
    spread = distribution(
        {name: own.scores for name, own in estimates.items()},
        higher_is_better=learnt.higher_is_better,
        thresholds=cuts,
    )
    result = EngineEstimates(learnt, estimates, spread)
    _show.show(renderer_of(result, version=__version__, inputs=inputs), form, output)


def estimates_of(
    model: str, systems: Sequence[str], files: dict[str, Any], *, quiet: bool, **options: Any
) -> tuple[Estimator, dict[str, Estimates], list[Input]]:
    """The model, what it says of every system, and all files that were read."""
    from adjudge.io.table import Input
    from adjudge.qe.model_file import read_model
    from adjudge.qe.reading import read_log_probabilities

    companions = _files.companions(*(files.pop(name) for name in ("source_lm", "target_lm", "encoder")))
    learnt, digest = read_model(model)
    loaded = _loaded(systems, files)
    inputs: list[Input] = [Input("model", model, digest), *loaded.inputs]
    given = {}
    for text in files["log_probs"]:
        name, equals, path = text.partition("=")
        if not equals:
            name, path = (loaded.outputs[0].system if len(loaded.outputs) == 1 else ""), text
        if name not in {own.system for own in loaded.outputs} | set(systems):
            known = ", ".join(own.system for own in loaded.outputs)
            raise UsageError(f"--log-probs {text}: whose are these? SYS=FILE, with one of {known}")
        given[name] = read_log_probabilities(path, inputs)
    _outputs.check_not_read(inputs)
    estimates = {
        own.system: _estimated(learnt, loaded, place, systems, given, companions, options)
        for place, own in enumerate(loaded.outputs)
    }
    _show.warn(_warnings(learnt, estimates, bool(given)), quiet=quiet)
    return learnt, estimates, inputs


def _estimated(
    learnt: Estimator,
    loaded: Loaded,
    place: int,
    systems: Sequence[str],
    given: Mapping[str, Any],
    companions: Companions,
    options: Mapping[str, Any],
) -> Estimates:
    from adjudge.qe.estimator import estimate

    own, sources = loaded.outputs[place], loaded.test_set.sources
    assert sources is not None
    named = systems[place] if place < len(systems) else ""
    log_probabilities = given.get(own.system, given.get(named))
    if log_probabilities is not None and len(log_probabilities) != len(own.segments):
        raise UsageError(
            f"--log-probs of {own.system}: {len(log_probabilities):,} lines for {len(own.segments):,} segments"
        )
    return estimate(learnt, sources, own.segments, log_probabilities, companions=companions, **options)


def _loaded(systems: Sequence[str], files: Mapping[str, Any]) -> Loaded:
    if not systems and files["test_set"] is None:
        raise UsageError("no output to score: adjudge qe score MODEL -s SOURCE SYS...")
    if files["source"] is None and files["test_set"] is None:
        raise UsageError(NO_SOURCE)
    named = {"source": files["source"], "test_set": files["test_set"]}
    loaded = _options.load_files(systems, doing="score", **named)
    if loaded.test_set.sources is None:
        raise UsageError(NO_SOURCE)
    return loaded


def _warnings(learnt: Estimator, estimates: Mapping[str, Estimates], given: bool) -> list[str]:
    if learnt.glass_box is None:
        return (
            ["the model has not learnt from log-probabilities, so --log-probs changes nothing"]
            if given
            else []
        )
    without = [name for name, own in estimates.items() if not own.glass_box.all()]
    if without:
        return [
            f"{', '.join(without)}: some segments have no log-probabilities, which the model learnt from "
            "(--log-probs SYS=FILE); they are estimated without"
        ]
    return []


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise UsageError(f"--thresholds {text}: numbers with commas between them were expected") from None


@click.command(
    "filter",
    short_help="Keep outputs that are good enough, by a threshold for a wanted precision, recall or cost.",
)
@output_options
@_options.keywords()
@_options.format_option(("text", "json", "tsv", "markdown", "html"))
@_options.results_option
def filter_command(
    *,
    model: str,
    systems: tuple[str, ...],
    good: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    threshold: float | None = None,
    review_cost: float = 0.2,
    repair_cost: float = 1.2,
    scratch_cost: float = 1.0,
    threads: int = 0,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Keep outputs that are good enough.

    The threshold is chosen on judged segments that the model had not seen: for a precision (as many as can be kept), a
    recall (as precise as can be), or else for the least cost. -f tsv says of every segment whether it is kept.

    \b
    adjudge qe filter en-de.json -s source.en a.de --good 0.5 --precision 0.8
    adjudge qe filter en-de.json -s source.en a.de --repair-cost 0.8 -f tsv -o kept.tsv
    """
    import numpy as np

    from adjudge import __version__
    from adjudge.qe.filtering import Costs, FilterResult, Wish, choose_threshold, filter_points, passing
    from adjudge.report.render.formats import renderer_of

    if sum(value is not None for value in (precision, recall, threshold)) > 1:
        raise UsageError("--precision, --recall and --threshold each say where to cut: give one of them")
    for name, value in (("precision", precision), ("recall", recall)):
        if value is not None and not 0 < value <= 1:
            raise UsageError(f"--{name} {value:g}: a share between 0 and 1 was expected, as in 0.8")
    learnt, estimates, inputs = estimates_of(model, systems, files, quiet=quiet, threads=threads)
    box = learnt.glass_box
    used = [own.glass_box.all() for own in estimates.values()]
    held_out = box.held_out if box is not None and all(used) else learnt.held_out
    from_where = float(np.median(held_out.scores)) if good is None else good
    costs = Costs(review_cost, repair_cost, scratch_cost)
    higher = learnt.higher_is_better
    chosen = choose_threshold(
        held_out, from_where, higher_is_better=higher, wish=Wish(precision, recall, threshold), costs=costs
    )
    points = filter_points(held_out, from_where, higher_is_better=higher, costs=costs)
    kept = {
        name: passing(own.scores, chosen.threshold, higher_is_better=higher)
        for name, own in estimates.items()
    }
    result = FilterResult(chosen, points, kept, costs, from_where)
    _show.show(renderer_of(result, version=__version__, inputs=inputs), form, output)
