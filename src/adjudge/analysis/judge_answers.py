"""What a judge said, translation by translation: ratings in several runs, choices between two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import ORDINARY, REPEAT, Judgements
from adjudge.data.texts import Texts
from adjudge.errors import UsageError
from adjudge.human.mqm import as_scores
from adjudge.wording import some_of

Floats = NDArray[np.float64]
Translation = tuple[str, str]
"""A system and an item."""
Lengths = Mapping[Translation, int]
RUN = "run"
"""The label of judgements that tells the runs of a judge apart."""


@dataclass
class Ratings:
    """Scores by translation, higher is better: one list a run, NaN for an answer that is missing."""

    runs: list[dict[Translation, float]] = field(default_factory=list)
    again: list[tuple[Translation, float]] = field(default_factory=list)
    """Second and later answers within a run, where a judge was shown the same once more."""
    documents: dict[str, str] = field(default_factory=dict)
    """The document of an item, where one is named."""

    @property
    def translations(self) -> list[Translation]:
        """All that was rated in any run, or should have been."""
        return list(dict.fromkeys(key for run in self.runs for key in run))

    def repeated(self) -> tuple[Floats, NDArray[np.int64], list[str]]:
        """All answers to translations that have several: score, number of the translation, and the items of those."""
        known: dict[Translation, list[float]] = {}
        for key, score in [*(pair for run in self.runs for pair in run.items()), *self.again]:
            if not math.isnan(score):
                known.setdefault(key, []).append(score)
        several = {key: scores for key, scores in known.items() if len(scores) > 1}
        values = [score for scores in several.values() for score in scores]
        units = [unit for unit, scores in enumerate(several.values()) for _ in scores]
        return np.array(values), np.array(units, np.int64), [item for _, item in several]


@dataclass(frozen=True)
class PairChoice:
    """Two translations of an item side by side: 1 where the first shown was preferred, −1 the other, 0 neither."""

    item: str
    first: str
    second: str
    asked: str
    """Who was asked and in which run, so that both orders of one question are known to belong together."""
    score: float


def judge_name(parts: Sequence[Judgements], wanted: str | None) -> str:
    """Who is judged here: the one that was asked for, or the only one there is in each file."""
    names = list(dict.fromkeys(name for part in parts for name in part.annotator.names))
    if wanted is not None:
        if wanted not in names:
            raise UsageError(
                f"there is no judge {wanted!r} in these files, but {some_of(names) or 'nobody by name'}"
            )
        return wanted
    crowded = next((part for part in parts if len(part.annotator.names) > 1), None)
    if crowded is not None:
        raise UsageError(
            f"{crowded.place(0).partition(',')[0]} has judgements of {some_of(crowded.annotator.names)}: say of whom "
            "the card is (--judge NAME)"
        )
    return " / ".join(names) or "the judge"


def ratings_of(parts: Iterable[Judgements], judge: str | None = None) -> Ratings:
    """The ratings of one judge, a run for each file and each label `run` in it."""
    answers = Ratings()
    for part in parts:
        scored = as_scores(part)
        sign = 1.0 if scored.higher_is_better else -1.0
        runs: dict[str, dict[Translation, float]] = {}
        columns = (scored.system.values(), scored.item.values(), scored.annotator.values())
        labels = scored.labels[RUN].values() if RUN in scored.labels else [""] * len(scored)
        documents = scored.labels["document"].values() if "document" in scored.labels else [""] * len(scored)
        rows = zip(*columns, labels, documents, scored.score.tolist(), scored.kind.tolist(), strict=True)
        for system, item, who, run, document, score, kind in rows:
            if kind not in (ORDINARY, REPEAT) or (judge is not None and who != judge):
                continue
            run_scores = runs.setdefault(run, {})
            if document:
                answers.documents.setdefault(item, document)
            if kind == REPEAT or (system, item) in run_scores:
                answers.again.append(((system, item), sign * score))
            else:
                run_scores[system, item] = sign * score
        answers.runs += runs.values()
    return answers


def mean_ratings(parts: Sequence[Judgements]) -> tuple[dict[Translation, float], dict[str, str]]:
    """The mean of what people said of each translation, and the documents of items."""
    known: dict[Translation, list[float]] = {}
    documents: dict[str, str] = {}
    for part in parts:
        for who in part.annotator.names or (None,):
            ratings = ratings_of([part], who)
            documents = {**ratings.documents, **documents}
            for run in ratings.runs:
                for key, score in run.items():
                    if not math.isnan(score):
                        known.setdefault(key, []).append(score)
    return {key: math.fsum(scores) / len(scores) for key, scores in known.items()}, documents


def choices_of(parts: Iterable[Judgements], judge: str | None = None) -> list[PairChoice]:
    """The choices of one judge; `system` is what was shown first."""
    answers = []
    for number, part in enumerate(parts):
        assert part.other is not None
        labels = part.labels[RUN].values() if RUN in part.labels else [""] * len(part)
        columns = (part.item, part.system, part.other, part.annotator)
        rows = zip(*(column.values() for column in columns), labels, part.score.tolist(), strict=True)
        answers += [
            PairChoice(item, first, second, f"{number}/{run}/{who}", score)
            for item, first, second, who, run, score in rows
            if judge is None or who == judge
        ]
    return answers


def lengths_of(judgements: Judgements, texts: Texts) -> dict[Translation, int]:
    """How many characters each translation has, where its text is known."""
    if texts.target is None:
        return {}
    keys = zip(judgements.system.values(), judgements.item.values(), strict=True)
    return {key: len(text) for key, text in zip(keys, texts.target, strict=True) if text}
