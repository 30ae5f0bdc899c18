"""How well metrics agree with rankings of segments: WMT's tau, by every rule for ties."""

from __future__ import annotations

from typing import Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import load_files, metric_specs, read_judgements
from adjudge.cli._options import PAGES, argument, format_option, keywords
from adjudge.cli._run import CommandRun


@subcommand(
    "rankings",
    "How well metrics agree with rankings of segments: WMT's tau, by every rule for ties.",
    argument("rankings", metavar="RANKINGS-FILE"),
    "files",
    keywords(
        metrics="May be repeated. Default: bleu, chrf and ter.",
        draws="Many metrics take more permutations by themselves.",
    ),
    "threads cache quiet",
    format_option(PAGES),
    "output models",
)
def command(
    run: CommandRun,
    *,
    rankings: str,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    ties: str | None = None,
    first_segment: int = 1,
    no_sentinels: bool = False,
    draws: int = 1000,
    seed: int = 12345,
    **files: Any,
) -> None:
    """How well metrics agree with rankings of segments.

    RANKINGS-FILE has rankings or pairwise judgements in any format that `adjudge human analyse` reads. Tau is
    (C − D)/(C + D) over all pairs that people put in an order.

    \b
    adjudge meta rankings rankings.csv -r reference.en systems/*.en -m bleu,chrf,meteor
    """
    from adjudge import __version__, comparison
    from adjudge.meta.computed import sentinels_of
    from adjudge.meta.rankings import oriented_scores, ranked_pairs, run_rankings
    from adjudge.meta.shared_task_display import SharedTaskDisplay
    from adjudge.meta.task import TIES, RunSettings
    from adjudge.report.render.formats import renderer_of

    specs = metric_specs(metrics) or list(comparison.DEFAULT_METRICS)
    with run.working() as work:
        judged = read_judgements([rankings])
        loaded = load_files(systems, doing="score", **files)
        scores = comparison.score(loaded.test_set, loaded.outputs, specs, segments=True, **work.options)
        names = tuple(dict.fromkeys(result.title for result in scores.results))
        pairs = ranked_pairs(judged.judgements, names, len(loaded.test_set), first_segment=first_segment)
        settings = RunSettings(swap="items", draws=draws, seed=seed)
        beside = None if no_sentinels else sentinels_of(loaded.test_set, loaded.outputs)
        sentinels = {name: table.segments for name, table in beside.metrics.items()} if beside else {}
        tables = {**oriented_scores(scores), **sentinels}
        rules = [ties] if ties else TIES
        result = run_rankings(pairs, tables, settings, ties=rules, sentinels=tuple(sentinels))
    notes = [*loaded.notes, *scores.warnings, *(beside.notes if beside else ()), *result.notes]
    run.warn([*judged.warnings, *notes])
    inputs = [*judged.inputs, *loaded.inputs]
    run.show(renderer_of(SharedTaskDisplay(result), version=__version__, inputs=inputs))
