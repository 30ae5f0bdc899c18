"""Estimate the quality of outputs without references, and keep what is good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import load_files
from adjudge.cli._options import argument, format_option, group_of, keywords, option
from adjudge.cli._run import CommandRun
from adjudge.cli.qe._files import COMPANIONS
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input, Loaded
    from adjudge.qe.estimator import Estimates, Estimator


ESTIMATED = (
    argument("model", metavar="MODEL_FILE"),
    argument("systems", metavar="SYS...", nargs=-1),
    "source test_set",
    option("log_probs", repeated=True, metavar="SYS=FILE"),
    *COMPANIONS,
)
"""MODEL_FILE, SYS..., -s, -t and --log-probs: what `estimates_of` takes."""
NO_SOURCE = "an estimator reads the source: -s FILE, with a line for each segment"


@subcommand(
    "score",
    "Estimate the quality of outputs without references.",
    *ESTIMATED,
    keywords(),
    "threads quiet",
    format_option(("text", "json", "tsv", "markdown", "html")),
    "output",
)
def score_command(
    run: CommandRun,
    *,
    model: str,
    systems: tuple[str, ...],
    tag_words: bool = False,
    confidence: float = 0.9,
    thresholds: str = "",
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
    from adjudge.qe.distribution import distribution
    from adjudge.qe.results import EngineEstimates

    if not 0 < confidence < 1:
        raise UsageError(f"--confidence {confidence:g}: a share between 0 and 1 was expected, as in 0.9")
    cuts = _numbers(thresholds)
    learnt, estimates, inputs = estimates_of(
        run, model, systems, files, confidence=confidence, tags=tag_words
    )
    spread = distribution(
        {name: estimate.scores for name, estimate in estimates.items()},
        higher_is_better=learnt.higher_is_better,
        thresholds=cuts,
    )
    result = EngineEstimates(learnt, estimates, spread)
    run.show(result, inputs)


def estimates_of(
    run: CommandRun, model: str, systems: Sequence[str], files: dict[str, Any], **options: Any
) -> tuple[Estimator, dict[str, Estimates], list[Input]]:
    """The model, what it says of every system, and all files that were read."""
    from adjudge.io.table import Input
    from adjudge.qe.companions import Companions
    from adjudge.qe.model_file import read_model
    from adjudge.qe.outputs import estimate_outputs, glass_box_warnings, named_log_probabilities

    learnt, digest = read_model(model)
    loaded = _load(systems, files)
    inputs: list[Input] = [Input("model", model, digest), *loaded.inputs]
    given = named_log_probabilities(files["log_probs"], loaded.outputs, systems, inputs)
    _outputs.check_not_read(inputs)
    companions = group_of(Companions, files)
    estimates = estimate_outputs(
        learnt,
        loaded.test_set,
        loaded.outputs,
        [
            given.get(own.system, given.get(named))
            for own, named in zip_longest(loaded.outputs, systems)
            if own
        ],
        companions=companions,
        threads=run.threads,
        **options,
    )
    run.warn(glass_box_warnings(learnt, estimates, bool(given)))
    return learnt, estimates, inputs


def _load(systems: Sequence[str], files: Mapping[str, Any]) -> Loaded:
    if not systems and files["test_set"] is None:
        raise UsageError("no output to score: adjudge qe score MODEL -s SOURCE SYS...")
    if files["source"] is None and files["test_set"] is None:
        raise UsageError(NO_SOURCE)
    named = {"source": files["source"], "test_set": files["test_set"]}
    loaded = load_files(systems, doing="score", **named)
    if loaded.test_set.sources is None:
        raise UsageError(NO_SOURCE)
    return loaded


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise UsageError(f"--thresholds {text}: numbers with commas between them were expected") from None


@subcommand(
    "filter",
    "Keep outputs that are good enough, by a threshold for a wanted precision, recall or cost.",
    *ESTIMATED,
    keywords(),
    "threads quiet",
    format_option(("text", "json", "tsv", "markdown", "html")),
    "output",
)
def filter_command(
    run: CommandRun,
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

    from adjudge.qe.filtering import (
        Costs,
        FilterResult,
        Wish,
        choose_threshold,
        filter_points,
        passes_threshold,
    )

    if sum(value is not None for value in (precision, recall, threshold)) > 1:
        raise UsageError("--precision, --recall and --threshold each say where to cut: give one of them")
    for name, value in (("precision", precision), ("recall", recall)):
        if value is not None and not 0 < value <= 1:
            raise UsageError(f"--{name} {value:g}: a share between 0 and 1 was expected, as in 0.8")
    learnt, estimates, inputs = estimates_of(run, model, systems, files)
    box = learnt.glass_box
    used = [estimate.glass_box.all() for estimate in estimates.values()]
    held_out = box.held_out if box is not None and all(used) else learnt.held_out
    from_where = float(np.median(held_out.scores)) if good is None else good
    costs = Costs(review_cost, repair_cost, scratch_cost)
    higher = learnt.higher_is_better
    chosen = choose_threshold(
        held_out, from_where, higher_is_better=higher, wish=Wish(precision, recall, threshold), costs=costs
    )
    points = filter_points(held_out, from_where, higher_is_better=higher, costs=costs)
    kept = {
        name: passes_threshold(estimate.scores, chosen.threshold, higher_is_better=higher)
        for name, estimate in estimates.items()
    }
    result = FilterResult(chosen, points, kept, costs, from_where)
    run.show(result, inputs)
