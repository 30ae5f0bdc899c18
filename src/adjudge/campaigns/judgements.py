"""From answers to judgements: what the annotators of a campaign said, as `adjudge human analyse` reads it.

A control item counts for the system and the segment it was made from, so that each damaged translation or repeat
stands beside the ordinary judgement of the same translation, which is how `quality` pairs them.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.controls import UNSPACED
from adjudge.campaigns.fields import AnswerRow
from adjudge.campaigns.items import CampaignMaterial, Candidate, GivenAnswer, Item
from adjudge.data import TestSet
from adjudge.data.judgements import KINDS, LOWER_IS_BETTER, Judgements, NameColumn, Span
from adjudge.data.texts import Texts
from adjudge.metrics.hter import Hter

PROTOCOLS = {
    "ranking": "rank",
    "preference": "pairwise",
    "post-editing": "hter",
    "acceptability": "yes-no",
}
"""Names of criteria in analyses, where these differ."""
WHOLE = "document"
"""The label `level` of judgements on whole documents."""


@dataclass(frozen=True)
class Origin:
    """Where a text that is judged in a second stage comes from; the labels `editor` and `edit` of its judgements."""

    editors: tuple[str, ...]
    edits: tuple[str, ...]
    """The editor's answer: edited, no corrections needed, unable to correct."""

    def and_by(self, editor: str, edit: str) -> Origin:
        """The origin, with one more editor who made the text."""
        return Origin(tuple(sorted({*self.editors, editor})), tuple(sorted({*self.edits, edit})))

    def labels(self) -> dict[str, str]:
        """The labels of judgements."""
        return {"editor": ", ".join(self.editors), "edit": ", ".join(self.edits)}


@dataclass(frozen=True)
class CriterionJudgements:
    """The judgements of one criterion, and the texts they are about, row by row."""

    judgements: Judgements
    texts: Texts


def judgements_by_criterion(
    campaign: Campaign, material: CampaignMaterial, answers: Iterable[GivenAnswer]
) -> dict[str, Judgements]:
    """Return the judgements by criterion: adequacy and fluency are two, every other protocol has one."""
    return {
        name: judged.judgements
        for name, judged in judgements_from_answers(campaign, material, answers).items()
    }


def judgements_from_answers(
    campaign: Campaign,
    material: CampaignMaterial,
    answers: Iterable[GivenAnswer],
    origins: Mapping[str, Origin] = MappingProxyType({}),
) -> dict[str, CriterionJudgements]:
    """Return the judgements by criterion, with the texts they are about, in the order in which the answers came.

    Without answers there is no criterion. `origins` says whose edits were judged, by the keys of the items.
    """
    tables: dict[str, _Table] = {}
    names = material.names()
    for number, given in enumerate(answers):
        rows = _counted_rows(given.item, campaign.protocol.rows(given.item, given.answer))
        segments = len({row.segment for row in rows}) or 1
        for row in rows:
            table = tables.setdefault(row.criterion, _Table(campaign, material, names, origins))
            table.add(number, given, row, segments)
    return {
        criterion: table.build(PROTOCOLS.get(criterion, criterion)) for criterion, table in tables.items()
    }


def pseudonymise(judgements: Judgements, secret: str) -> Judgements:
    """Return the judgements with pseudonyms, which are the same in every export of a campaign and tell nothing.

    The names of hits are covered as well: they may tell whose they are.
    """
    labels = dict(judgements.labels)
    if "hit" in labels:
        labels["hit"] = _pseudonyms(labels["hit"], secret, "hit")
    return replace(
        judgements, annotator=_pseudonyms(judgements.annotator, secret, "annotator"), labels=labels
    )


def pseudonym(name: str, secret: str, what: str = "annotator") -> str:
    """Return the pseudonym of an annotator in anonymous exports."""
    digest = hmac.new(secret.encode(), f"{what}:{name}".encode("utf-8", "surrogatepass"), hashlib.sha256)
    return f"{what}-{digest.hexdigest()[:12]}"


def _pseudonyms(column: NameColumn, secret: str, what: str) -> NameColumn:
    return column.renamed({name: pseudonym(name, secret, what) for name in column.names})


def _counted_rows(item: Item, rows: Sequence[AnswerRow]) -> Sequence[AnswerRow]:
    """The rows that count; damaged texts count once per annotator."""
    if item.kind != "bad reference":
        return rows
    first = {candidate.systems[0] for candidate in item.candidates}
    return [row for row in rows if row.system in first]


@dataclass
class _Table:
    """The rows of one criterion."""

    campaign: Campaign
    material: CampaignMaterial
    names: Sequence[str]
    origins: Mapping[str, Origin]
    columns: dict[str, list[Any]] = field(default_factory=dict)
    labels: list[dict[str, str]] = field(default_factory=list)
    measures: list[dict[str, float]] = field(default_factory=list)

    def add(self, number: int, given: GivenAnswer, row: AnswerRow, segments: int) -> None:
        item = given.item
        candidate = next(shown for shown in item.candidates if row.system in shown.systems)
        whole = self.campaign.protocol.unit == "document"
        tutorial = item.kind == "tutorial"
        places = item.segments if whole else (row.segment,)
        values = {
            "system": row.system,
            "other": row.other,
            "item": item.key if tutorial else self._item(item, row, whole),
            "annotator": given.annotator,
            "score": row.score,
            "kind": KINDS.index(item.kind),
            "ranking": number,
            "start": math.nan if given.started is None else given.started,
            "seconds": math.nan if given.seconds is None else given.seconds / segments,
            "spans": row.spans,
            "source": self._text(item, "sources", places),
            "reference": self._text(item, "references", places),
            "target": _target(item, candidate, row, whole),
            "edited": row.text,
        }
        for name, value in values.items():
            self.columns.setdefault(name, []).append(value)
        self.labels.append(self._labels(given, row, whole))
        self.measures.append(dict(row.measures))

    def _item(self, item: Item, row: AnswerRow, whole: bool) -> str:
        return item.document or self.names[row.segment] if whole else self.names[row.segment]

    def _text(self, item: Item, what: str, places: Sequence[int]) -> str | None:
        """What was translated, or its reference; an item of a tutorial may bring its own."""
        text_of_item = item.extra.get(what)
        if text_of_item is not None:
            return _join_texts(text_of_item)
        protocol = self.campaign.protocol
        shown = protocol.shows_source if what == "sources" else protocol.shows_reference
        if item.kind == "tutorial" and not shown:
            return None
        if what == "sources":
            return _join_texts(self.material.test_set.sources, places)
        return _join_texts([self.material.reference(place) for place in places])

    def _labels(self, given: GivenAnswer, row: AnswerRow, whole: bool) -> dict[str, str]:
        item = given.item
        labels = {"document": item.document} if item.document else {}
        if item.kind != "tutorial":
            for name, column in self.material.test_set.labels.items():
                if name != "segment" and (not whole or len({column[n] for n in item.segments}) == 1):
                    labels.setdefault(name, column[row.segment])
        labels["hit"] = given.hit
        origin = self.origins.get(item.of or item.key)
        if origin is not None:
            labels |= origin.labels()
        if self.campaign.language:
            labels["languages"] = self.campaign.language
        protocol = self.campaign.protocol
        labels["context"] = "document" if "document" in (protocol.context, protocol.unit) else "segment"
        if whole:
            labels["level"] = WHOLE
        if given.withdrawn:
            labels["withdrawn"] = "yes"
        return labels

    def build(self, protocol: str) -> CriterionJudgements:
        column = self.columns
        edited = [text is not None for text in column["edited"]]
        score = np.array(column["score"], np.float64)
        measures = _measures(self.measures)
        if protocol == "hter":
            score = _edit_rates(column["target"], column["edited"], self.campaign.target_language)
            measures["words"] = _words(column["source"], column["target"], self.campaign)
        judgements = Judgements(
            protocol=protocol,
            system=NameColumn.of(column["system"]),
            item=NameColumn.of(column["item"]),
            annotator=NameColumn.of(column["annotator"]),
            score=score,
            kind=np.array(column["kind"], np.int8),
            other=NameColumn.of(column["other"]) if any(column["other"]) else None,
            ranking=np.array(column["ranking"], np.int64) if any(column["other"]) else None,
            start=_with_nan(column["start"]),
            seconds=_with_nan(column["seconds"]),
            spans=_spans(column["spans"]),
            labels={
                name: NameColumn.of(row.get(name) for row in self.labels)
                for name in dict.fromkeys(name for row in self.labels for name in row)
            },
            measures=measures,
            higher_is_better=protocol not in LOWER_IS_BETTER,
        )
        texts = {name: tuple(column[name]) for name in ("source", "target", "reference")}
        if any(edited):
            texts["edited"] = tuple(column["edited"])
        return CriterionJudgements(
            judgements,
            Texts(**{name: texts[name] for name in texts if any(text is not None for text in texts[name])}),
        )


def _join_texts(texts: Sequence[str | None] | None, places: Sequence[int] | None = None) -> str | None:
    """The texts of some segments, a line each; None where one of them is not known."""
    if texts is None:
        return None
    chosen = [texts[place] for place in places] if places is not None else list(texts)
    known = [text for text in chosen if text is not None]
    return "\n".join(known) if len(known) == len(chosen) else None


def _target(item: Item, candidate: Candidate, row: AnswerRow, whole: bool) -> str:
    if whole or row.segment not in item.segments:
        return "\n".join(candidate.texts)
    return candidate.texts[item.segments.index(row.segment)]


def _with_nan(values: Sequence[float]) -> NDArray[np.float64] | None:
    array = np.array(values, np.float64)
    return None if np.isnan(array).all() else array


def _spans(values: Sequence[tuple[Span, ...] | None]) -> tuple[tuple[Span, ...], ...] | None:
    if all(value is None for value in values):
        return None
    return tuple(value or () for value in values)


def _measures(rows: Sequence[Mapping[str, float]]) -> dict[str, NDArray[np.float64]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: np.array([row.get(name, math.nan) for row in rows], np.float64) for name in names}


def _edit_rates(targets: Sequence[str], edited: Sequence[str | None], language: str) -> NDArray[np.float64]:
    """HTER as a share of the words that were kept or written; NaN where nobody could correct the text."""
    score = np.full(len(targets), math.nan)
    rows = [row for row, text in enumerate(edited) if text is not None]
    if rows:
        asian = _lacks_spaces(language)
        metric = Hter(normalized=asian, asian_support=asian)
        prepared = metric.prepare(TestSet(references=(tuple(edited[row] for row in rows),)))
        score[rows] = (
            metric.for_segments().aggregate(metric.stats(prepared, [targets[row] for row in rows])) / 100
        )
    return score


def _words(sources: Sequence[str | None], targets: Sequence[str], campaign: Campaign) -> NDArray[np.float64]:
    """How many words there were to translate: of the source, or of the output where there is no source.

    Languages written without spaces are counted in characters, as their translators count.
    """
    counts = []
    for source, target in zip(sources, targets, strict=True):
        text, language = (
            (target, campaign.target_language) if source is None else (source, campaign.source_language)
        )
        counts.append(len("".join(text.split())) if _lacks_spaces(language) else len(text.split()))
    return np.array(counts, np.float64)


def _lacks_spaces(language: str) -> bool:
    return language.replace("_", "-").partition("-")[0].lower() in UNSPACED
