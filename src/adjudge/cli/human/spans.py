"""Hold the errors that judges mark against those of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._options import plan_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io.judgements import LoadedJudgements

TESTING = ("baseline", "test", "trials", "resamples", "seed", "unit", "correction", "alpha", "by")


@click.command("spans", short_help="Hold the errors that judges mark against those of people.")
@click.argument("judges", nargs=-1, metavar="[NAME=]FILE...")
@_options.option("gold_judgements", repeated=True, required=True)
@_options.keywords()
@plan_options(*TESTING)
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    judges: tuple[str, ...],
    gold_judgements: tuple[str, ...],
    labels: str | None = None,
    credit: float = 0.5,
    form: str,
    output: str | None,
    decimals: int | None = None,
    threads: int = 0,
    quiet: bool = False,
    **testing: Any,
) -> None:
    """Hold the errors that judges mark against those of people: precision, recall and F1 of characters.

    Every FILE holds the judgements of one judge, a metric, a language model or a person, with errors marked; any
    format of `adjudge human` will do. Each character that both mark counts 1, or half (--credit) where only the
    severity differs, as in WMT's task on error spans.

    \b
    adjudge human spans --gold-judgements mqm.tsv xcomet.jsonl llm.jsonl
    adjudge human spans --gold-judgements mqm.tsv --unit document model=llm.jsonl
    """
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.comparison import Plan
    from adjudge.comparison.comparison_display import ComparisonDisplay
    from adjudge.human.span_scores import SpanOptions, compare_spans
    from adjudge.report.render.formats import renderer_of

    if not judges:
        raise UsageError(
            "no judge to hold against the gold: adjudge human spans --gold-judgements FILE [NAME=]FILE..."
        )
    plan = Plan(**testing)
    right = _read(gold_judgements, labels)
    others = _named(judges)
    inputs = [item for loaded in (right, *others.values()) for item in loaded.inputs]
    _outputs.check_not_read(inputs)
    with progress(quiet=quiet) as report_progress:
        comparison = compare_spans(
            right.judgements,
            {name: loaded.judgements for name, loaded in others.items()},
            plan,
            SpanOptions(credit),
            threads=threads,
            progress=report_progress,
        )
    warnings = [warning for loaded in (right, *others.values()) for warning in loaded.warnings]
    shown = comparison.claims if form in ("text", "markdown", "html") else ()
    _show.warn([*warnings, *(w for w in comparison.warnings if w not in shown)], quiet=quiet)
    declared = ComparisonDisplay(comparison, decimals)
    _show.show(renderer_of(declared, version=__version__, inputs=inputs), form, output)


def _read(paths: tuple[str, ...], labels: str | None = None) -> LoadedJudgements:
    from dataclasses import replace

    from adjudge.io.judgements import join_labels, read

    loaded = read(paths)
    if labels is None:
        return loaded
    return replace(loaded, judgements=join_labels(loaded.judgements, labels))


def _named(judges: tuple[str, ...]) -> dict[str, LoadedJudgements]:
    """Judges by the names they were given, or those of their files."""
    from adjudge.io.names import parse, stem

    named: dict[str, LoadedJudgements] = {}
    for text in judges:
        for argument in parse(text, named=True):
            name = argument.name or stem(argument.path)
            if name in named:
                raise UsageError(f"two judges are called {name!r}; name them apart: NAME=FILE")
            named[name] = _read((argument.path,))
    return named
