"""One page on a judge, to put beside a claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.io import Input
    from adjudge.io.judgements import LoadedJudgements


@click.command("judge-card", short_help="One page on a judge, to put beside a claim.")
@click.argument("files", nargs=-1, metavar="FILE...")
@_options.keywords(system_outputs="For the length of texts.", unit="item or document.")
@_options.format_option(("text", "json", "markdown", "html"))
@_options.results_option
def command(
    *,
    files: tuple[str, ...],
    people: tuple[str, ...] = (),
    judge: str | None = None,
    system_outputs: tuple[str, ...] = (),
    unit: str = "item",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    quiet: bool = False,
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
    from adjudge import __version__
    from adjudge.analysis import judge_answers
    from adjudge.analysis.judge_card import CardOptions, judge_card
    from adjudge.report.render.formats import renderer_of

    if not files:
        raise UsageError("no judgements of a judge: adjudge judge-card FILE... --people FILE")
    options = CardOptions(unit, resamples, seed)
    given, humans = _read(files), _read(people)
    inputs: list[Input] = [item for loaded in (*given, *humans) for item in loaded.inputs]
    _outputs.check_not_read(inputs)
    parts = [loaded.judgements for loaded in given]
    name = judge_answers.judge_name(parts, judge)
    ratings = judge_answers.ratings_of([part for part in parts if not part.is_ranking], judge)
    choices = judge_answers.choices_of([part for part in parts if part.is_ranking], judge)
    theirs = _others([loaded.judgements for loaded in humans], judge)
    means, documents = judge_answers.mean_ratings(theirs)
    ratings.documents = {**documents, **ratings.documents}
    lengths = {
        **_lengths([*theirs, *(part for part in parts if not part.is_ranking)]),
        **_given_lengths(system_outputs),
    }
    card = judge_card(
        name, ratings, choices, means, lengths, people_themselves=_themselves(theirs), options=options
    )
    _show.warn([warning for loaded in (*given, *humans) for warning in loaded.warnings], quiet=quiet)
    _show.show(renderer_of(card, version=__version__, inputs=inputs), form, output)


def _read(paths: Sequence[str]) -> list[LoadedJudgements]:
    """Every file by itself: they may be of different kinds."""
    from adjudge.io.judgements import read
    from adjudge.io.names import parse

    return [read([argument.path]) for text in paths for argument in parse(text)]


def _others(people: Sequence[Judgements], judge: str | None) -> list[Judgements]:
    """People's ratings without those of the judge, who agrees with themselves."""
    import numpy as np

    known = []
    for part in people:
        if part.is_ranking:
            raise UsageError(
                f"{part.place(0)}: people's scores are needed (--people), and these are rankings"
            )
        kept = part[np.array([who != judge for who in part.annotator.values()], np.bool_)] if judge else part
        known += [kept] if len(kept) else []
    return known


def _themselves(people: Sequence[Judgements]) -> float | None:
    """How far people agree among themselves, where several judged the same."""
    from adjudge.human.agreement import rating_agreement
    from adjudge.human.mqm import as_scores

    values = [rating_agreement(as_scores(part)).inter.pearson for part in people]
    known = [value for value in values if value is not None]
    return known[0] if len(known) == 1 else None


def _lengths(parts: Sequence[Judgements]) -> dict[tuple[str, str], int]:
    from adjudge.analysis.judge_answers import lengths_of
    from adjudge.io.judgements import read_texts

    return {key: length for part in parts for key, length in lengths_of(part, read_texts(part)).items()}


def _given_lengths(systems: Sequence[str]) -> dict[tuple[str, str], int]:
    """Lengths of outputs in files, whose lines are the items from 1 on."""
    from adjudge import io
    from adjudge.io.names import parse, stem

    known = {}
    for text in systems:
        for argument in parse(text, named=True):
            table = io.read(argument.path)
            columns = list(table.texts().values())
            if len(columns) != 1:
                raise UsageError(f"--system-output {text}: a file with one text a line was expected")
            name = argument.name or stem(argument.path)
            known.update({(name, str(n)): len(line) for n, line in enumerate(columns[0], 1) if line})
    return known
