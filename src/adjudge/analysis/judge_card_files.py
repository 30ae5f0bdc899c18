"""The card of a judge from its judgements and those of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from adjudge import io
from adjudge.analysis import judge_answers
from adjudge.analysis.judge_answers import Lengths
from adjudge.analysis.judge_card import CardOptions, judge_card
from adjudge.analysis.judge_result import JudgeCard
from adjudge.data.judgements import Judgements
from adjudge.errors import UsageError
from adjudge.human.agreement import rating_agreement
from adjudge.human.mqm import as_scores
from adjudge.io.judgements import read_texts
from adjudge.io.names import parse, stem


def card_of_judgements(
    judged: Sequence[Judgements],
    people: Sequence[Judgements],
    *,
    judge: str | None = None,
    lengths: Lengths | None = None,
    options: CardOptions | None = None,
) -> JudgeCard:
    """What is known of a judge whose runs are in `judged`, one entry a file; scores and choices may be mixed.

    `judge` is the one to take where judgements are of several; `lengths` are those of texts that judgements lack.
    """
    ratings_files = [part for part in judged if not part.is_ranking]
    name = judge_answers.judge_name(judged, judge)
    ratings = judge_answers.ratings_of(ratings_files, judge)
    choices = judge_answers.choices_of([part for part in judged if part.is_ranking], judge)
    theirs = _others(people, judge)
    means, documents = judge_answers.mean_ratings(theirs)
    ratings.documents = {**documents, **ratings.documents}
    return judge_card(
        name,
        ratings,
        choices,
        means,
        {**_lengths([*theirs, *ratings_files]), **(lengths or {})},
        people_themselves=_themselves(theirs),
        options=options or CardOptions(),
    )


def output_lengths(files: Sequence[str]) -> dict[tuple[str, str], int]:
    """Lengths of outputs in files, [NAME=]FILE, whose lines are the items from 1 on."""
    known: dict[tuple[str, str], int] = {}
    for text in files:
        for given in parse(text, named=True):
            columns = list(io.read(given.path).texts().values())
            if len(columns) != 1:
                raise UsageError(f"--system-output {text}: a file with one text a line was expected")
            name = given.name or stem(given.path)
            known.update({(name, str(n)): len(line) for n, line in enumerate(columns[0], 1) if line})
    return known


def _others(people: Sequence[Judgements], judge: str | None) -> list[Judgements]:
    """People's ratings without those of the judge, who agrees with themselves."""
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
    values = [rating_agreement(as_scores(part)).inter.pearson for part in people]
    known = [value for value in values if value is not None]
    return known[0] if len(known) == 1 else None


def _lengths(parts: Sequence[Judgements]) -> Mapping[tuple[str, str], int]:
    lengths = judge_answers.lengths_of
    return {key: length for part in parts for key, length in lengths(part, read_texts(part)).items()}
