"""Hold the errors that judges mark against those of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import PAGES, argument, format_option, keywords, option, plan_options
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io.judgements import LoadedJudgements

TESTING = ("baseline", "test", "trials", "resamples", "seed", "unit", "correction", "alpha", "by")


@subcommand(
    "spans",
    "Hold the errors that judges mark against those of people.",
    argument("judges", nargs=-1, metavar="[NAME=]FILE..."),
    option("gold_judgements", repeated=True, required=True),
    keywords(),
    "threads quiet",
    *plan_options(*TESTING),
    format_option(PAGES),
    "output",
)
def command(
    run: CommandRun,
    *,
    judges: tuple[str, ...],
    gold_judgements: tuple[str, ...],
    labels: str | None = None,
    credit: float = 0.5,
    decimals: int | None = None,
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
    from adjudge.comparison import Plan
    from adjudge.comparison.comparison_display import ComparisonDisplay
    from adjudge.human.spans import SpanOptions, compare_spans
    from adjudge.report.render.formats import renderer_of

    if not judges:
        raise UsageError(
            "no judge to hold against the gold: adjudge human spans --gold-judgements FILE [NAME=]FILE..."
        )
    plan = Plan(**testing)
    right = _read(gold_judgements, labels)
    others = _judges_by_name(judges)
    inputs = [item for loaded in (right, *others.values()) for item in loaded.inputs]
    _outputs.check_not_read(inputs)
    with run.working() as work:
        comparison = compare_spans(
            right.judgements,
            {name: loaded.judgements for name, loaded in others.items()},
            plan,
            SpanOptions(credit),
            threads=work.threads,
            progress=work.progress,
        )
    warnings = [warning for loaded in (right, *others.values()) for warning in loaded.warnings]
    shown = comparison.claims if run.form in ("text", "markdown", "html") else ()
    run.warn([*warnings, *(w for w in comparison.warnings if w not in shown)])
    declared = ComparisonDisplay(comparison, decimals)
    run.show(renderer_of(declared, version=__version__, inputs=inputs))


def _read(paths: tuple[str, ...], labels: str | None = None) -> LoadedJudgements:
    from dataclasses import replace

    from adjudge.io.judgements import join_labels, read

    loaded = read(paths)
    if labels is None:
        return loaded
    return replace(loaded, judgements=join_labels(loaded.judgements, labels))


def _judges_by_name(judges: tuple[str, ...]) -> dict[str, LoadedJudgements]:
    """Judges by the names they were given, or those of their files."""
    from adjudge.io.names import parse, stem

    named: dict[str, LoadedJudgements] = {}
    for text in judges:
        for given in parse(text, named=True):
            name = given.name or stem(given.path)
            if name in named:
                raise UsageError(f"two judges are called {name!r}; name them apart: NAME=FILE")
            named[name] = _read((given.path,))
    return named
