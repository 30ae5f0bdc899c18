"""How well metrics agree with rankings of segments: WMT's tau, by every rule for ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace
from adjudge.cli._workspace import model_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from adjudge.comparison import Scores


@click.command(
    "rankings",
    short_help="How well metrics agree with rankings of segments: WMT's tau, by every rule for ties.",
)
@click.argument("rankings", metavar="RANKINGS-FILE")
@_options.file_options
@_options.keywords(
    metrics="May be repeated. Default: bleu, chrf and ter.",
    draws="Many metrics take more permutations by themselves.",
)
@_options.format_option(_options.PAGES)
@_options.results_option
@model_options
def command(
    *,
    rankings: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    ties: str | None = None,
    first_segment: int = 1,
    no_sentinels: bool = False,
    draws: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """How well metrics agree with rankings of segments.

    RANKINGS-FILE has rankings or pairwise judgements in any format that `adjudge human analyse` reads. Tau is
    (C − D)/(C + D) over all pairs that people put in an order.

    \b
    adjudge meta rankings rankings.csv -r reference.en systems/*.en -m bleu,chrf,meteor
    """
    from adjudge import __version__, comparison
    from adjudge.cli._workspace import progress
    from adjudge.io.judgements import read
    from adjudge.meta.computed import sentinels_of
    from adjudge.meta.rankings import ranked_pairs, run_rankings
    from adjudge.meta.shared_task_display import SharedTaskDisplay
    from adjudge.meta.task import TIES, RunSettings
    from adjudge.report.render.formats import renderer_of

    specs = _options.metric_specs(metrics) or list(comparison.DEFAULT_METRICS)
    _options.check_files(systems, doing="score", **files)
    with progress(quiet=quiet) as bar:
        judged = read(rankings)
        loaded = _options.load_files(systems, doing="score", **files)
        _outputs.check_not_read([*judged.inputs, *loaded.inputs])
        rows = _workspace.row_cache(cache)
        scores = comparison.score(
            loaded.test_set, loaded.outputs, specs, segments=True, threads=threads, cache=rows, progress=bar
        )
        names = tuple(dict.fromkeys(result.title for result in scores.results))
        pairs = ranked_pairs(judged.judgements, names, len(loaded.test_set), first=first_segment)
        settings = RunSettings(swap="items", draws=draws, seed=seed)
        beside = None if no_sentinels else sentinels_of(loaded.test_set, loaded.outputs)
        sentinels = {name: table.segments for name, table in beside.metrics.items()} if beside else {}
        tables = {**_tables(scores), **sentinels}
        rules = [ties] if ties else TIES
        result = run_rankings(pairs, tables, settings, ties=rules, sentinels=tuple(sentinels))
    notes = [*loaded.notes, *scores.warnings, *(beside.notes if beside else ()), *result.notes]
    _show.warn([*judged.warnings, *notes], quiet=quiet)
    inputs = [*judged.inputs, *loaded.inputs]
    shown = renderer_of(SharedTaskDisplay(result), version=__version__, inputs=inputs)
    _show.show(shown, form, output)


def _tables(scores: Scores) -> Mapping[str, NDArray[np.float64]]:
    """Every metric's scores, systems × segments; those of which low ones are good with their sign turned."""
    specs = {result.metric: result.higher_is_better for result in scores.results}
    return {
        spec: scores.segment_matrix(spec).scores * (-1.0 if higher is False else 1.0)
        for spec, higher in specs.items()
    }
