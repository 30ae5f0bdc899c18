"""Planted errors: how often metrics prefer the good translation to one with an error."""

from __future__ import annotations

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import metric_specs
from adjudge.cli._options import PAGES, argument, format_option, keywords
from adjudge.cli._run import CommandRun


@subcommand(
    "challenge",
    "Planted errors: how often metrics prefer the good translation to one with an error.",
    argument("files", metavar="FILE...", nargs=-1, required=True),
    keywords(metrics="May be repeated. Default: bleu, chrf and ter, where the files bring no scores."),
    "threads cache quiet",
    format_option(PAGES),
    "output models",
)
def command(
    run: CommandRun,
    *,
    files: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    lower_metrics: tuple[str, ...] = (),
    no_sentinels: bool = False,
    seed: int = 12345,
) -> None:
    """How often metrics prefer the good translation to one with an error.

    A FILE has a row for each pair of translations: source, reference, good, bad, phenomenon, severity (TSV, CSV,
    JSON). DEMETR's and ACES's files are read as they are. Other tools' scores stand in columns NAME-good and NAME-bad.

    \b
    adjudge meta challenge errors.tsv
    adjudge meta challenge -m chrf -m meteor demetr/
    adjudge meta challenge aces.tsv -m chrf -o challenge.html
    """
    from adjudge import metrics as registry
    from adjudge.comparison import DEFAULT_METRICS
    from adjudge.io.challenges import read_challenges
    from adjudge.io.names import expand_pattern
    from adjudge.meta.challenge import run_challenge

    specs = metric_specs(metrics)
    chosen = list(map(registry.metric, dict.fromkeys(specs)))
    with run.working() as work:
        loaded = read_challenges([path for text in files for path in expand_pattern(text)])
        _outputs.check_not_read(loaded.inputs)
        if not chosen and not loaded.challenge.scores:
            chosen = list(map(registry.metric, DEFAULT_METRICS))
        result = run_challenge(
            loaded.challenge,
            chosen,
            lower_metrics=lower_metrics,
            sentinels=not no_sentinels,
            seed=seed,
            **work.options,
        )
    run.show(result, loaded.inputs)
