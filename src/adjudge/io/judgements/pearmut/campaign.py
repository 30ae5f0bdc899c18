"""pearmut: a campaign is one JSON file, with a task for each user or a pool for all.

Translations were a text (with `sys_id`) or a list (with `models`) up to 0.3, and are an object by model since;
protocols were three flags and have names since 0.3.2.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from adjudge.data.judgements import KINDS
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError
from adjudge.io.fields import is_whole, list_under, table_under, value_of
from adjudge.io.files import path_text
from adjudge.io.judgements.columns import ONLY_SYSTEM
from adjudge.io.judgements.pearmut.offsets import check_error_spans, spans_in_code_points
from adjudge.io.judgements.pearmut.read import is_campaign
from adjudge.io.judgements.pearmut.write import error, is_empty
from adjudge.wording import pluralise

_PROTOCOLS = {"da": "DA", "sqm": "DA", "esa": "ESA", "mqm": "MQM", "adequacy-fluency": "DA"}
_SLIDERS = ("fluency", "adequacy")
_MODELLED = ("item_id", "doc_id", "src", "ref", "tgt", "models", "sys_id", "error_spans", "kind", "document")
_TUTORIAL = "tutorial"


def read_files(files: Mapping[str, bytes]) -> Tasks | None:
    """The campaign of one file."""
    return read(*next(iter(files.items()))) if len(files) == 1 else None


def read(path: str, data: bytes) -> Tasks:
    """The campaign in a file, also in the form in which pearmut stores it."""
    document = value_of(path, data)
    if not is_campaign(document):
        raise DataError(
            f"{path_text(path)}: 'info', 'campaign_id' and 'data' were expected, as pearmut has them"
        )
    info = document["info"]
    if not isinstance(info, dict):
        raise DataError(f"{path_text(path)}: 'info' is no table of settings")
    welcome = document.get("data_welcome") or []
    tasks = [*_batches(path, document["data"], info)]
    batches = tuple(
        Batch(
            (
                *_documents(f"{path_text(path)}, data_welcome", welcome, kind=_TUTORIAL),
                *_documents(f"{path_text(path)}, {name or f'task {number}'}", documents, first=len(welcome)),
            ),
            name,
        )
        for number, (name, documents) in enumerate(tasks, 1)
    )
    sliders = [
        slider
        for slider in list_under(info, "sliders", f"{path_text(path)}, info")
        if isinstance(slider, dict)
    ]
    scales = {str(slider.get("name", "")).lower() for slider in sliders} == {*_SLIDERS}
    return Tasks(
        name=str(document["campaign_id"]),
        protocol="adequacy-fluency" if scales else _protocol(info),
        batches=batches,
        in_context=any(len(items) > 1 for _, documents in tasks for items in documents),
        points=_points(path, sliders[0]) if scales else 0,
        extra={"info": info},
    )


def _batches(path: str, data: Any, info: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    users = info.get("users")
    names = [
        str(user.get("user_id", "")) if isinstance(user, Mapping) else str(user)
        for user in (users if isinstance(users, list) else ())
    ]
    if isinstance(data, Mapping):  # as it is kept: by users
        yield from ((str(user), documents) for user, documents in data.items())
    elif not isinstance(data, list):
        raise DataError(f"{path_text(path)}: 'data' is no list")
    elif info.get("assignment", info.get("type")) == "task-based":
        yield from ((names[at] if at < len(names) else "", task) for at, task in enumerate(data))
    else:
        yield "", data  # a pool that everybody draws from


def _protocol(info: Mapping[str, Any]) -> str:
    named = str(info.get("protocol", "")).lower()
    if named in ("da", "esa", "mqm", "cesa"):
        return "esa" if named == "cesa" else named
    if info.get("protocol_error_categories"):
        return "mqm"
    return "da" if info.get("protocol_error_spans") is False else "esa"


def _points(path: str, slider: Mapping[str, Any]) -> int:
    highest = slider.get("max", 0)
    if isinstance(highest, float) and highest.is_integer():
        highest = int(highest)
    if not is_whole(highest):
        raise DataError(
            f"{path_text(path)}, info: a slider's 'max' is no whole number, but {reprlib.repr(highest)}"
        )
    return int(highest)


def _documents(place: str, documents: Any, *, kind: str = "ordinary", first: int = 0) -> Iterator[TaskItem]:
    if not isinstance(documents, list) or not all(isinstance(document, list) for document in documents):
        raise DataError(f"{place}: a list of documents was expected, each a list of items")
    for page, document in enumerate(documents, first):
        for at, item in enumerate(document):
            if not isinstance(item, dict) or ("tgt" not in item and "form" not in item):
                raise DataError(f"{place}, document {page - first + 1}, item {at + 1}: no 'tgt'")
            if "form" not in item:
                yield _item(f"{place}, document {page - first + 1}, item {at + 1}", item, kind, page, at)


def _item(place: str, item: Mapping[str, Any], kind: str, page: int, at: int) -> TaskItem:
    target, marked = _by_model(place, item)
    spans, _ = spans_in_code_points(
        place,
        [(text, check_error_spans(place, marked.get(model))) for model, text in target.items()],
        breaks_counted=True,
    )
    own_kind = item.get("kind")
    return TaskItem(
        item=str(item.get("item_id", item.get("doc_id", f"{page}.{at}"))),
        translations=tuple(
            Translation(tuple(str(model).split("+")), text, errors)
            for (model, text), errors in zip(target.items(), spans, strict=True)
        ),
        source=item.get("src"),
        reference=item.get("ref"),
        kind=own_kind if own_kind in KINDS else kind,
        document=str(item.get("document", "")),
        page=page,
        extra={key: value for key, value in item.items() if key not in _MODELLED},
    )


def _by_model(place: str, item: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """The texts, and the errors in them, by the names of their systems: each version wrote them in its own way."""
    target = item["tgt"]
    if isinstance(target, str):
        name = str(item.get("sys_id", ONLY_SYSTEM))
        return {name: target}, {name: item.get("error_spans")}
    if isinstance(target, list):
        models = [str(name) for name in list_under(item, "models", place) or range(1, len(target) + 1)]
        if len(models) != len(target):
            raise DataError(f"{place}: {pluralise(len(target), 'text')} in 'tgt', but {len(models)} 'models'")
        texts = dict(zip(models, target, strict=True))
        marked = dict(zip(models, list_under(item, "error_spans", place), strict=False))
    else:
        texts, marked = table_under(item, "tgt", place), table_under(item, "error_spans", place)
    if not texts or not all(isinstance(text, str) for text in texts.values()):
        raise DataError(f"{place}: 'tgt' maps models to their texts")
    return texts, marked


def write(tasks: Tasks) -> dict[str, bytes]:
    """The campaign's file, with a task for each user."""
    if tasks.protocol not in _PROTOCOLS:
        raise DataError(f"pearmut has no protocol for {tasks.protocol}; it has da, esa and mqm")
    people: dict[str, list[list[dict[str, Any]]]] = {}
    welcome: dict[str, list[dict[str, Any]]] = {}
    for number, batch in enumerate(tasks.batches, 1):
        task = people.setdefault(batch.annotator or f"user-{number}", [])
        for _, page in groupby(batch.items, key=lambda item: item.page):
            items = list(page)
            document = [_item_json(item) for item in items]
            if items[0].kind == _TUTORIAL:
                welcome.setdefault(json.dumps(document), document)
            else:
                task.append(document)
    info: dict[str, Any] = {
        "assignment": "task-based",
        "protocol": _PROTOCOLS[tasks.protocol],
        "users": list(people),
        "shuffle": False,
    }
    if tasks.protocol == "adequacy-fluency":
        info["sliders"] = [{"name": name, "min": 1, "max": tasks.points or 5, "step": 1} for name in _SLIDERS]
    content: dict[str, Any] = {"info": info, "campaign_id": tasks.name}
    if welcome:
        content["data_welcome"] = list(welcome.values())
    content["data"] = list(people.values())
    return {f"{tasks.name}.json": (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()}


def _item_json(task_item: TaskItem) -> dict[str, Any]:
    names = ["+".join(translation.systems) for translation in task_item.translations]
    for name in names:
        if name.isdecimal():
            raise DataError(f"system {name!r}: pearmut refuses names that are nothing but digits")
    if len({*names}) < len(names):
        raise DataError(f"item {task_item.item!r}: a system is there twice, which pearmut cannot show")
    item: dict[str, Any] = {"item_id": task_item.item}
    for key, value in (("src", task_item.source), ("ref", task_item.reference)):
        if value is not None:
            item[key] = value
    item["tgt"] = dict(zip(names, (translation.text for translation in task_item.translations), strict=True))
    if any(translation.spans for translation in task_item.translations):
        item["error_spans"] = {
            name: [error(span, translation.text) for span in translation.spans if not is_empty(span)]
            for name, translation in zip(names, task_item.translations, strict=True)
        }
    if task_item.kind not in ("ordinary", _TUTORIAL):
        item["kind"] = task_item.kind
    if task_item.document:
        item["document"] = task_item.document
    return {**item, **task_item.extra}
