"""One page on a judge, to put beside a claim."""

from __future__ import annotations

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError


@subcommand(
    "judge-card",
    "One page on a judge, to put beside a claim.",
    argument("files", nargs=-1, metavar="FILE..."),
    keywords(system_outputs="For the length of texts.", unit="item or document."),
    "quiet",
    format_option(("text", "json", "markdown", "html")),
    "output",
)
def command(
    run: CommandRun,
    *,
    files: tuple[str, ...],
    people: tuple[str, ...] = (),
    judge: str | None = None,
    system_outputs: tuple[str, ...] = (),
    unit: str = "item",
    resamples: int = 1000,
    seed: int = 12345,
) -> None:
    """Say what is known of a judge: does it repeat itself, what does it favour, does it agree with people?

    The judge may be a metric, a language model or a person. Every FILE holds its judgements, in any format of `adjudge
    human` or as a table of system, segment and score: several files of scores are several runs, files of choices
    between two systems show what position does. The page is meant to stand beside a claim that rests on this judge.

    \b
    adjudge judge-card run1.jsonl run2.jsonl pairs.jsonl --people mqm.tsv
    adjudge judge-card comet.tsv --people mqm.tsv --system-output a=a.en --system-output b=b.en
    adjudge judge-card campaign.csv --judge ann --people others.csv
    """
    from adjudge.analysis.judge_card import CardOptions
    from adjudge.analysis.judge_card_files import card_of_judgements, output_lengths
    from adjudge.io.judgements import read_each

    if not files:
        raise UsageError("no judgements of a judge: adjudge judge-card FILE... --people FILE")
    options = CardOptions(unit, resamples, seed)
    given, humans = read_each(files), read_each(people)
    inputs = [item for loaded in (*given, *humans) for item in loaded.inputs]
    _outputs.check_not_read(inputs)
    card = card_of_judgements(
        [loaded.judgements for loaded in given],
        [loaded.judgements for loaded in humans],
        judge=judge,
        lengths=output_lengths(system_outputs),
        options=options,
    )
    run.warn([warning for loaded in (*given, *humans) for warning in loaded.warnings])
    run.show(card, inputs)
