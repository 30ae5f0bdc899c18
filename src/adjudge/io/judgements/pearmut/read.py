"""pearmut (once pearnament): its log of annotations, a JSON object an answered document, or the download of several.

Names changed from version to version: `annotations` became `annotation`, `doc_id` became `item_id`; translations were
a text (with `sys_id`), a list (with `models`), and are an object by model since 0.3.3. All of them are read.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from adjudge.data.judgements import (
    KINDS,
    LOWER_IS_BETTER,
    ORDINARY,
    TUTORIAL,
    Judgements,
    NameColumn,
    Span,
)
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.io.fields import finite, is_whole, list_under
from adjudge.io.files import lines, path_text, whole_text
from adjudge.io.judgements.columns import ONLY_SYSTEM
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.pearmut.offsets import check_error_spans, spans_in_code_points
from adjudge.wording import pluralise

LONGEST_PAUSE = 60.0
"""Longest pause between actions that counts as work, in seconds, as in pearmut."""
RESET = "__RESET__"
SKIPPED = "submit_skip"
_NOT_WORK = ("welcome_", "random_", "goodbye_")
_WMT_ITEM = re.compile(r"(.+?)_#_(.+?)_#_(.+)_#_(\d+)")
Entry = Mapping[str, Any]


def is_log(file: InputFile) -> bool:
    """Whether a file is a log of annotations, or a download of such logs."""
    first = _first(file.data) if file.is_json else None
    if first is None:
        return False
    return _is_entry(first) or (
        bool(first)
        and all(isinstance(value, list) and value and _is_entry(value[0]) for value in first.values())
    )


def not_judged(file: InputFile) -> str:
    """What a file of a campaign or of its progress holds instead of judgements."""
    content = _first(file.data)
    if content is None:
        return ""
    users = [
        user for campaign in content.values() if isinstance(campaign, dict) for user in campaign.values()
    ]
    progress = bool(users) and all(isinstance(user, dict) and "progress" in user for user in users)
    if not progress and not is_campaign(content):
        return ""
    return (
        "a pearmut campaign, not what people said; that is in its folder data/annotations (or data/outputs)"
    )


def is_campaign(document: Any) -> bool:
    """Whether a JSON document is a campaign."""
    return isinstance(document, dict) and {"info", "campaign_id", "data"} <= document.keys()


def _first(data: bytes) -> dict[str, Any] | None:
    """The first line as an object, or the whole file as one."""
    for text in (data[: data.find(b"\n")] if b"\n" in data else data, data):
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            continue
        return content if isinstance(content, dict) else None
    return None


def _is_entry(value: Any) -> bool:
    return (
        isinstance(value, dict) and "user_id" in value and ("annotation" in value or "annotations" in value)
    )


@dataclass
class _Row:
    """One judgement of a translation."""

    line: int
    campaign: str
    user: str
    item: str
    system: str
    score: float
    kind: int
    start: float
    seconds: float
    spans: list[Mapping[str, Any]]
    source: str | None
    target: str | None
    reference: str | None
    edited: str | None
    protocol: str
    up: bool
    """Whether higher is better, which pearmut itself never says."""
    labels: dict[str, str] = field(default_factory=dict)
    measures: dict[str, float] = field(default_factory=dict)


def read(file: InputFile) -> FileContent:
    """One judgement per translation and page; among several answers to a page, the last one counts."""
    path, column = file.path, file.column
    rows, repeated = _rows(path, file.data)
    if not rows:
        raise DataError(f"{path_text(path)}: nobody has judged anything in it")
    wanted = [column] if isinstance(column, str) else list(column or ())
    by_adjudge = any(row.protocol for row in rows)  # which pearmut itself does not write
    spans, warning = spans_in_code_points(
        path, [(row.target, row.spans) for row in rows], breaks_counted=by_adjudge or None
    )
    warnings = [warning] if warning else []
    if repeated:
        warnings.append(
            f"{path_text(path)}: {pluralise(repeated, 'judgement')} left out that "
            f"{'was' if repeated == 1 else 'were'} given again: the last one counts"
        )
    marked = any(spans)
    protocols = {row.protocol for row in rows if row.protocol}
    named = file.protocol or (protocols.pop() if len(protocols) == 1 else _protocol(spans))
    names = dict.fromkeys(name for row in rows for name in row.measures)
    measures = {name: np.array([row.measures.get(name, math.nan) for row in rows]) for name in names}
    score = np.array([row.score for row in rows])
    chosen = next((name for name in wanted if name in measures), None)
    judgements = Judgements(
        protocol=named,
        system=NameColumn.of(row.system for row in rows),
        item=NameColumn.of(row.item for row in rows),
        annotator=NameColumn.of(row.user for row in rows),
        score=measures[chosen] if chosen else score,
        kind=np.array([row.kind for row in rows], np.int8),
        start=_known(row.start for row in rows),
        seconds=_known(row.seconds for row in rows),
        spans=spans if marked or named in ("esa", "mqm") else None,
        labels={
            name: NameColumn.of(row.labels.get(name) for row in rows)
            for name in dict.fromkeys(name for row in rows for name in row.labels)
        },
        measures=measures,
        higher_is_better=named not in LOWER_IS_BETTER and all(row.up for row in rows),
        file=NameColumn.same(path, len(rows)),
        line=np.array([row.line for row in rows], np.int64),
    )
    return FileContent(judgements, tuple(warnings))


def texts(judgements: Judgements, file: InputFile) -> Texts:
    """The texts of judgements that were read from this file."""
    rows, _ = _rows(file.path, file.data)
    known = {(row.line, row.item, row.system): row for row in rows}
    assert judgements.line is not None
    keys = zip(judgements.line.tolist(), judgements.item.values(), judgements.system.values(), strict=True)
    matched = []
    for line, item, system in keys:
        # An item that several documents have is called document:item since.
        called = [item, *(item[at + 1 :] for at, sign in enumerate(item) if sign == ":")]
        rows_of = (known.get((line, name_in_file, system)) for name_in_file in called)
        matched.append(next((row for row in rows_of if row is not None), None))
    columns = {
        name: tuple(None if row is None else getattr(row, name) for row in matched)
        for name in ("source", "target", "reference", "edited")
    }
    return Texts(
        **{name: column for name, column in columns.items() if any(text is not None for text in column)}
    )


def _known(values: Iterator[float]) -> Any:
    numbers = np.fromiter(values, np.float64)
    return None if np.isnan(numbers).all() else numbers


def _protocol(spans: Sequence[tuple[Span, ...]]) -> str:
    if any(span.category for row in spans for span in row):
        return "mqm"
    return "esa" if any(spans) else "da"


def _rows(path: str, data: bytes) -> tuple[list[_Row], int]:
    """The answers that count, and the number of repeated ones."""
    latest: dict[tuple[Any, ...], _Row] = {}
    unnumbered: dict[tuple[str, str], _Row] = {}
    repeated = 0
    for line, campaign, entry in _entries(path, data):
        place = f"{path_text(path)}, line {line}"
        user = str(entry.get("user_id"))
        if entry.get("annotation") == RESET:  # masks all that this person said before
            latest = {key: row for key, row in latest.items() if key[:2] != (campaign, user)}
            continue
        for segment, model, row in _of_entry(entry, line, campaign, place):
            page = entry.get("item_i")
            if page is None:
                _check_same_item(unnumbered.setdefault((campaign, row.item), row), row, place)
            key = (campaign, user, row.item if page is None else (str(page), segment), model)
            repeated += key in latest
            latest.pop(key, None)
            latest[key] = row
    return list(latest.values()), repeated


def _check_same_item(first: _Row, row: _Row, place: str) -> None:
    """Refuse two items of one name, which only `item_i` could distinguish."""
    if row.source != first.source:
        raise DataError(
            f"{place}: item {row.item!r} has another source than in line {first.line}, and no 'item_i' tells the two "
            "apart; give every page its 'item_i', or every item an 'item_id' of its own"
        )


def _entries(path: str, data: bytes) -> Iterator[tuple[int, str, Entry]]:
    first = _first(data)
    if first is not None and not _is_entry(first):
        whole_text(path, data)  # says where it is no text
        for campaign, entries in first.items():
            for number, entry in enumerate(entries, 1):
                if not _is_entry(entry):
                    raise DataError(f"{path_text(path)}, {campaign!r}, entry {number} is no annotation")
                yield number, campaign, entry
        return
    for line, text in enumerate(lines(path, data), 1):
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path_text(path)}, line {line}: not JSON: {error}") from None
        if not _is_entry(entry):
            raise DataError(
                f"{path_text(path)}, line {line}: no 'user_id' and 'annotation', as pearmut's log has them"
            )
        yield line, "", entry


def _of_entry(entry: Entry, line: int, campaign: str, place: str) -> Iterator[tuple[int, str, _Row]]:
    page = entry.get("item")
    # The first versions logged a page with its payload, later ones the list itself.
    logged = (
        list_under(page, "payload", place) if isinstance(page, Mapping) else list_under(entry, "item", place)
    )
    items = [item if isinstance(item, Mapping) else {} for item in logged]
    if items and "form" in items[0]:
        return
    annotations = entry.get("annotation", entry.get("annotations"))
    annotations = [annotations] if isinstance(annotations, Mapping) else annotations
    if not isinstance(annotations, list):
        raise DataError(f"{place}: annotations of a document were expected, as a list")
    items += [{}] * (len(annotations) - len(items))
    number = entry.get("item_i")
    ids = [str(item.get("item_id", item.get("doc_id", number))) for item in items]
    answered_items = [item for item, answer in zip(items, annotations, strict=False) if answer is not None]
    if number is None and not all("item_id" in item or "doc_id" in item for item in answered_items):
        raise DataError(
            f"{place}: nothing tells which item was judged; give the page its 'item_i', or the item an 'item_id'"
        )
    actions = [action for action in list_under(entry, "actions", place) if isinstance(action, Mapping)]
    skipped = any(action.get("action") == SKIPPED for action in actions)
    times = page_times(entry, actions)
    answers = [
        (segment, model, answer)
        for segment, annotation in enumerate(annotations)
        for model, answer in _models(annotation, items[segment], place)
    ]
    for segment, model, answer in answers:
        item = items[segment]
        score = _score(answer, place)
        if math.isnan(score) and skipped:
            continue
        name = ids[segment]
        if ids.count(name) > 1:
            name = f"{name}#{ids[: segment + 1].count(name)}"
        row = _Row(
            line=line,
            campaign=campaign,
            user=str(entry["user_id"]),
            item=name,
            system=model,
            score=score,
            kind=_kind(item, number),
            start=times.start,
            seconds=times.of(
                segment, model, len(answers), [m for place, m, _ in answers if place == segment]
            ),
            spans=check_error_spans(place, answer.get("error_spans")),
            source=_text(item.get("src")),
            target=_target(item, model, place),
            reference=_text(item.get("ref")),
            edited=_text(answer.get("textfield")),
            protocol=str(entry.get("protocol") or "").lower(),
            up=entry.get("higher_is_better") is not False,
            labels=_labels(item, name, campaign),
            measures=_measures(answer),
        )
        yield segment, model, row


def _models(annotation: Any, item: Mapping[str, Any], place: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The answer for each model: by name, by position in a list, or the only one."""
    if annotation is None:
        return []
    if isinstance(annotation, list):
        if not all(answer is None or isinstance(answer, Mapping) for answer in annotation):
            raise DataError(f"{place}: an object was expected for every model, with what was said of it")
        return [
            (model, answer or {})
            for model, answer in zip(_listed_models(item, annotation, place), annotation, strict=False)
        ]
    if not isinstance(annotation, Mapping):
        raise DataError(
            f"{place}: an object was expected for every segment, with what was said of each model"
        )
    if annotation and all(isinstance(answer, Mapping) for answer in annotation.values()):
        return [(str(model), answer) for model, answer in annotation.items()]
    return [(str(item.get("sys_id", item.get("model", ONLY_SYSTEM))), annotation)]


def _listed_models(item: Mapping[str, Any], listed: Sequence[Any], place: str) -> list[str]:
    """The models of a list."""
    models = list_under(item, "models", place) or [f"candidate {at}" for at in range(1, len(listed) + 1)]
    return list(map(str, models))


def _target(item: Mapping[str, Any], model: str, place: str) -> str | None:
    target = item.get("tgt")
    if isinstance(target, Mapping):
        return _text(target.get(model))
    if isinstance(target, list):
        return _text(dict(zip(_listed_models(item, target, place), target, strict=False)).get(model))
    return _text(target)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _score(answer: Mapping[str, Any], place: str) -> float:
    """The score, or the mean of sliders as in pearmut's results."""
    score = answer.get("score")
    if score is None:
        sliders = [finite(value) for value in _sliders(answer).values()]
        given = [value for value in sliders if value is not None]
        return math.fsum(given) / len(given) if given else math.nan
    number = finite(score)
    if number is None:
        raise DataError(f"{place}: {reprlib.repr(score)} is no score")
    return number


def _sliders(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    sliders = answer.get("sliders")
    return sliders if isinstance(sliders, Mapping) else {}


def _measures(answer: Mapping[str, Any]) -> dict[str, float]:
    further = answer.get("measures")
    given = {**_sliders(answer), **(further if isinstance(further, Mapping) else {})}
    return {str(name): number for name, value in given.items() if (number := finite(value)) is not None}


def _kind(item: Mapping[str, Any], number: Any) -> int:
    if item.get("kind") in KINDS:
        return KINDS.index(item["kind"])
    return TUTORIAL if isinstance(number, str) and number.startswith(_NOT_WORK) else ORDINARY


def _labels(item: Mapping[str, Any], name: str, campaign: str) -> dict[str, str]:
    labels = {"campaign": campaign} if campaign else {}
    match = _WMT_ITEM.fullmatch(name)
    if match:
        labels |= {"languages": match[1], "domain": match[2], "document": match[3]}
    further = item.get("labels")
    if isinstance(further, Mapping):
        labels |= {str(key): str(value) for key, value in further.items() if value}
    return labels


@dataclass(frozen=True)
class PageTimes:
    """When a page was begun, and how the time on it was spent."""

    start: float
    spent: Mapping[tuple[int, str], float]
    """Seconds before actions on a translation, by segment and model; the model is '' if there was only one."""
    common: float
    """The remaining seconds, until the page was handed in."""

    def of(self, segment: int, model: str, answers: int, models: Sequence[str]) -> float:
        """The seconds of one translation."""
        seconds = self.spent.get((segment, model), 0.0) + self.spent.get((segment, ""), 0.0) / len(models)
        return seconds + self.common / answers


def page_times(entry: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]) -> PageTimes:
    """The times of an entry of the log."""
    known = [time for action in actions if (time := finite(action.get("time"))) is not None]
    start = min(known) if known else math.nan
    given = finite(entry.get("time"))
    if given is not None or len(known) < max(2, len(actions)):
        return PageTimes(start, {}, math.nan if given is None else given)
    spent: dict[tuple[int, str], float] = {}
    common = 0.0
    for before, after in pairwise(actions):
        seconds = min(after["time"] - before["time"], LONGEST_PAUSE)
        if is_whole(after.get("index")):
            key = (after["index"], str(after.get("model", "")))
            spent[key] = spent.get(key, 0.0) + seconds
        else:
            common += seconds
    return PageTimes(start, spent, common)
