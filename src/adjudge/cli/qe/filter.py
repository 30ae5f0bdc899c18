"""Keep outputs that are good enough, by a threshold for a wanted precision, recall or cost."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show
from adjudge.cli.qe.score import estimates_of, output_options
from adjudge.errors import UsageError


@click.command("filter", short_help="Keep outputs that are good enough.")
@output_options
@_options.keywords()
@_options.format_option(("text", "json", "tsv", "markdown", "html"))
@_options.results_option
def command(
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
    from adjudge.qe.filtering import Costs, Wish, choose_threshold, filter_points, passing
    from adjudge.report.results.qe_filter import filter_forms

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
    forms = filter_forms(chosen, points, kept, costs, from_where, version=__version__, inputs=inputs)
    _show.show(forms, form, output)
