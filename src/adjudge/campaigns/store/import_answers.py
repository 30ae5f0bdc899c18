"""Answers given in another tool, appended as if their annotators had given them here.

A judgement belongs to the task of the same annotator, segment, system and kind; it must answer what the campaign asks,
and every answer is checked by its protocol, as if it had come from a browser.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.fields import AnswerError, Field, Slider, Spans, YesNo
from adjudge.campaigns.items import CampaignMaterial, Hit, Item
from adjudge.campaigns.store import campaigns, events, people, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.data.judgements import KINDS, Judgements
from adjudge.errors import DataError

_KINDS = (Slider, Spans, YesNo)


@dataclass(frozen=True)
class ExternalAnswer:
    """An answer, and the task it belongs to."""

    annotator: str
    hit: str
    place: int
    """In the hit, from 0."""
    answer: Mapping[str, Any]
    seconds: float | None
    started: float | None


IMPORTED = "imported"


@dataclass(frozen=True)
class ImportCounts:
    """The outcome of an import."""

    new: int
    again: int
    """Number of answers imported earlier."""
    answered: int
    """Number of tasks with another answer here, which stays and counts."""


def import_answers(
    store: CampaignStore, stored: StoredCampaign, external: Iterable[ExternalAnswer], sha256: str
) -> ImportCounts:
    """Append answers to tasks that have none; nothing that was answered here is touched.

    A second time the same file changes nothing. Where it ends in the middle (the campaign was paused), what was taken
    stays, and the rest comes with the next try.
    """
    new = again = answered = 0
    names = {number: hit.name for number, hit in campaigns.numbered_hits(store, stored)}
    tasks: dict[str, dict[tuple[str, int], work.AnnotatorTask]] = {}
    for given in external:
        person = people.find(store, stored, given.annotator)
        if given.annotator not in tasks:
            tasks[given.annotator] = {
                (names[task.hit], task.place): task for task in work.tasks(store, person)
            }
        task = tasks[given.annotator][given.hit, given.place]
        if task.answer is not None:
            again += task.answer == given.answer
            answered += task.answer != given.answer
            continue
        event = events.record_answer(
            store,
            person,
            task.id,
            key=_key(given),
            answer=dict(given.answer),
            seconds=given.seconds,
            started=given.started,
        )
        new += not event.again
        again += event.again  # imported before, and undone by its annotator
    if new:
        with store.writing() as connection:
            campaigns.record(connection, stored.id, IMPORTED, {"sha256": sha256, "answers": new})
    return ImportCounts(new, again, answered)


def _key(answer: ExternalAnswer) -> str:
    """What the answer is called: the same in every try, and another one for another answer."""
    content = json.dumps([answer.hit, answer.place, answer.answer, answer.started], sort_keys=True)
    return f"file-{hashlib.sha256(content.encode()).hexdigest()[:40]}"


@dataclass(frozen=True)
class ExternalAnswers:
    """The answers in a file, matched to the tasks of a campaign."""

    answers: tuple[ExternalAnswer, ...]
    missing: tuple[str, ...]
    """Where judgements stand for which there is no task."""
    refused: tuple[str, ...]
    """Where answers stand that the protocol does not take, and why."""


def match_answers(
    campaign: Campaign, material: CampaignMaterial, hits: Sequence[Hit], judgements: Judgements
) -> ExternalAnswers:
    """Return the answers that judgements of another tool hold for the tasks of a campaign, in their order."""
    protocol = campaign.protocol
    if protocol.unit != "segment" or not all(isinstance(field, _KINDS) for field in protocol.fields):
        raise DataError(f"answers to {protocol.name} of whole texts cannot be taken over from a file")
    is_only = sum(not isinstance(field, Spans) for field in protocol.fields) == 1
    slots = _OpenTasks(hits, material.names())
    sources = material.test_set.sources
    answers: dict[tuple[str, int], tuple[ExternalAnswer, int]] = {}
    missing, refused = [], []
    systems, items = judgements.system.values(), judgements.item.values()
    people = judgements.annotator.values()
    for row in range(len(judgements)):
        kind = KINDS[judgements.kind[row]]
        slot = slots.take(people[row], items[row], kind, systems[row])
        if slot is None:
            missing.append(judgements.place(row))
            continue
        hit, place, item = slot
        try:
            raw = {field.name: _value(field, judgements, row, is_only) for field in protocol.fields}
            answer = protocol.check(raw, item, [sources[n] for n in item.segments] if sources else [""])
        except AnswerError as error:
            refused.append(f"{judgements.place(row)}: {error}")
            continue
        external = ExternalAnswer(
            people[row], hit, place, answer, _time(judgements.seconds, row), _time(judgements.start, row)
        )
        earlier = answers.setdefault((hit, place), (external, row))
        if earlier[0].answer != answer:
            refused.append(f"{judgements.place(row)}: another answer than in {judgements.place(earlier[1])}")
    return ExternalAnswers(
        tuple(external for external, _ in answers.values()), tuple(missing), tuple(refused)
    )


class _OpenTasks:
    """The tasks that judgements can belong to; each takes one of every system that made the translation."""

    def __init__(self, hits: Sequence[Hit], names: Sequence[str]) -> None:
        self._slots: dict[tuple[str, str, str], list[tuple[str, int, Item]]] = {}
        self._taken: set[tuple[str, int, str]] = set()
        for hit in hits:
            for place, item in enumerate(hit.items):
                name = item.key if item.kind == "tutorial" else names[item.segments[0]]
                self._slots.setdefault((hit.annotator, name, item.kind), []).append((hit.name, place, item))

    def take(self, annotator: str, item: str, kind: str, system: str) -> tuple[str, int, Item] | None:
        """The first task of theirs that is still to be answered for a system (or for several: a+b)."""
        for hit, place, candidate in self._slots.get((annotator, item, kind), ()):
            names = {*candidate.systems, "+".join(candidate.systems)}
            if system in names and (hit, place, system) not in self._taken:
                self._taken.add((hit, place, system))
                return hit, place, candidate
        return None


def _value(field: Field, judgements: Judgements, row: int, is_only: bool) -> Any:
    """What a judgement says to one of a protocol's questions, as a browser would send it.

    The score is the answer where only one thing is asked; else a measure of its name has it (adequacy, fluency).
    """
    if isinstance(field, Spans):
        spans = judgements.spans[row] if judgements.spans is not None else ()
        return [
            {
                "start": span.start,
                "end": span.end,
                "severity": span.severity,
                "category": span.category if field.categories else "",
                "side": span.side,
            }
            for span in spans
        ]
    criterion = (field.criterion or field.name).lower()
    measure = next(
        (column for name, column in judgements.measures.items() if name.lower() == criterion), None
    )
    if measure is None and not is_only:
        return None
    score = float((measure if measure is not None else judgements.score)[row])
    if math.isnan(score):
        return None
    if isinstance(field, YesNo):
        return bool(score) if score in (0.0, 1.0) else score
    return int(score) if score == int(score) else score


def _time(column: Any, row: int) -> float | None:
    return None if column is None or math.isnan(column[row]) else float(column[row])
