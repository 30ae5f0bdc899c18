"""Appraise: `manifest.json` says how a campaign is run, `batches.json` what is judged."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from adjudge.data.judgements import Judgements, Span
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.data.texts import Texts
from adjudge.data.utf16 import in_code_points, to_code_points, to_units, trim_start
from adjudge.errors import DataError
from adjudge.io import column_names, sheet
from adjudge.io.fields import list_under, table_under, value_of
from adjudge.io.files import path_text, read_bytes
from adjudge.io.judgements.appraise.read import header_less, is_row
from adjudge.io.judgements.appraise.write import ITEM_TYPES, error
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.spans import from_json
from adjudge.wording import pluralise

Key = tuple[str, str, str, str]
MANIFEST, BATCHES = "manifest.json", "batches.json"
_KINDS = {item_type: kind for kind, item_type in ITEM_TYPES.items() if kind != "tutorial"}
_TUTORIAL = "tutorial"
_URL = "http://127.0.0.1:8000/dashboard/sso/"
_SEGMENT = "_segment"
"""The name of a segment, where Appraise needs a number."""
_MODELLED = (
    "itemID",
    "itemType",
    "sourceText",
    "targetID",
    "targetText",
    "documentID",
    "isCompleteDocument",
    "mqm",
)
_OPTIONS = {"sqm": "SQM", "esa": "ESA", "mqm": "MQM"}


def is_batches(document: Any) -> bool:
    """Whether a JSON document is a list of batches."""
    return (
        isinstance(document, list)
        and bool(document)
        and all(isinstance(batch, dict) and "items" in batch for batch in document)
    )


def is_manifest(document: Any) -> bool:
    """Whether a JSON document is a manifest."""
    return isinstance(document, dict) and "CAMPAIGN_NAME" in document


def is_part(document: Any) -> bool:
    """Whether a JSON document is one of the two files."""
    return is_batches(document) or is_manifest(document)


def read_files(files: Mapping[str, bytes]) -> Tasks | None:
    """The campaign of one file of batches, with its manifest if there is one."""
    document = {path: value_of(path, data) for path, data in files.items()}
    batches = [path for path in files if is_batches(document[path])]
    manifests = [path for path in files if is_manifest(document[path])]
    if manifests and not batches:
        raise DataError(
            f"{path_text(manifests[0])} says how a campaign is run; what is judged is in its batches.json"
        )
    if len(batches) != 1 or len(manifests) > 1:
        return None
    manifest = manifests[0] if manifests else ""
    return read(batches[0], files[batches[0]], manifest, files.get(manifest, b""))


def not_judged(file: InputFile) -> str:
    """What a file of a campaign holds instead of judgements."""
    settings = isinstance(file.value, dict) and any(key.startswith("CAMPAIGN") for key in file.value)
    if not is_batches(file.value) and not settings:
        return ""
    return (
        f"the {'settings' if settings else 'items'} of an Appraise campaign, not what people said; export that: "
        "python manage.py ExportSystemScoresToCSV CAMPAIGN"
    )


def read(batches: str, data: bytes, manifest: str = "", manifest_data: bytes = b"") -> Tasks:
    """The campaign of the two files; without the manifest it is direct assessment."""
    document = value_of(batches, data)
    if not is_batches(document):
        raise DataError(
            f"{path_text(batches)}: a list of batches with their items was expected, as Appraise has it"
        )
    run = value_of(manifest, manifest_data) if manifest else {}
    if manifest and not is_manifest(run):
        raise DataError(f"{path_text(manifest)}: no 'CAMPAIGN_NAME' in it, so it is no manifest of Appraise")
    read_batches = tuple(_batch(batches, number, batch) for number, batch in enumerate(document, 1))
    task = table_under(document[0], "task", f"{path_text(batches)}, batch 1")
    in_context = any("documentID" in item for batch in document for item in batch["items"])
    options = [word.strip().lower() for word in str(run.get("TASK_OPTIONS", "")).split(";")]
    protocol = next((name for name in ("esa", "mqm", "sqm") if name in options), "da")
    return Tasks(
        name=str(run.get("CAMPAIGN_NAME", "")),
        protocol=protocol,
        batches=read_batches,
        languages=(str(task.get("sourceLanguage", "")), str(task.get("targetLanguage", ""))),
        in_context=in_context,
        extra={"manifest": run} if run else {},
    )


def _batch(path: str, number: int, document: Mapping[str, Any]) -> Batch:
    if not isinstance(document["items"], list):
        raise DataError(f"{path_text(path)}, batch {number}: 'items' is no list")
    items = tuple(
        _item(f"{path_text(path)}, batch {number}, item {at}", item, at)
        for at, item in enumerate(document["items"], 1)
    )
    return Batch(items, extra={"task": document.get("task", {})})


def _item(place: str, entry: Any, at: int) -> TaskItem:
    if not isinstance(entry, dict):
        raise DataError(f"{place} is no object")
    for key in ("itemID", "itemType", "sourceText", "targetID" if "targets" not in entry else "targets"):
        if key not in entry:
            raise DataError(f"{place} has no {key!r}")
    named = entry["itemType"]
    if not isinstance(named, str) or named not in _KINDS:
        raise DataError(f"{place}: unknown itemType {reprlib.repr(named)} (known: {', '.join(_KINDS)})")
    kind = _KINDS[named]
    targets = list_under(entry, "targets", place) if "targets" in entry else [entry]
    for target in targets:
        if not isinstance(target, dict) or "targetID" not in target:
            raise DataError(f"{place}: a target has no 'targetID'")
    document = str(entry.get("documentID", ""))
    names = (document, *(str(target["targetID"]) for target in targets))
    return TaskItem(
        item=str(entry.get(_SEGMENT, entry["itemID"])),
        translations=tuple(_translation(place, target, entry.get("mqm")) for target in targets),
        source=entry["sourceText"],
        kind=_TUTORIAL if kind == "ordinary" and any(_TUTORIAL in name for name in names) else kind,
        document=document,
        whole=bool(entry.get("isCompleteDocument", False)),
        page=at,
        extra={
            key: value
            for key, value in entry.items()
            if key not in _MODELLED
            or (key == "mqm" and not _is_plain(value))
            or (key == "itemID" and _SEGMENT in entry)
        },
    )


def _is_plain(errors: Any) -> bool:
    return errors in (None, "", "[]") or isinstance(errors, list)


def _translation(place: str, target: Mapping[str, Any], errors: Any) -> Translation:
    if not isinstance(target.get("targetText"), str):
        raise DataError(f"{place} has no 'targetText'")
    text = target["targetText"]
    (spans,), _ = from_json([json.dumps(errors or [])], lambda _: place)
    units = trim_start(text)
    # What is there before an annotator comes has an end that is not counted in.
    return Translation(
        tuple(str(target["targetID"]).split("+")), text, tuple(to_code_points(span, units) for span in spans)
    )


def write(tasks: Tasks) -> dict[str, bytes]:
    """The manifest and the batches of a campaign."""
    if tasks.protocol not in ("da", *_OPTIONS):
        raise DataError(f"Appraise has no task for {tasks.protocol}; it has da, sqm, esa and mqm")
    errors = tasks.protocol in ("esa", "mqm")
    documents = tasks.in_context or errors
    numbers: dict[str, int] = {}
    document = [
        {
            "items": [
                _item_json(item, at, numbers, documents, errors) for at, item in enumerate(batch.items)
            ],
            "task": batch.extra.get("task") or _task(tasks, number, len(batch.items)),
        }
        for number, batch in enumerate(tasks.batches, 1)
    ]
    # sorted keys, two blanks, nothing but ASCII: as Appraise's own scripts write it
    batches = json.dumps(document, indent=2, sort_keys=True)
    manifest = json.dumps(tasks.extra.get("manifest") or _manifest(tasks, documents), indent=4)
    return {MANIFEST: f"{manifest}\n".encode(), BATCHES: batches.encode()}


def _item_json(
    item: TaskItem, at: int, numbers: dict[str, int], documents: bool, errors: bool
) -> dict[str, Any]:
    extra = dict(item.extra)
    number = int(item.item) if item.item.isdecimal() else numbers.setdefault(item.item, len(numbers) + 1)
    entry: dict[str, Any] = {"_block": -1, "_item": at, "sourceID": "source", **extra}
    if str(number) != item.item:
        entry[_SEGMENT] = item.item
    own_id = str(number) if item.whole else number  # which is how Appraise's own scripts have it
    entry |= {
        "itemID": own_id,
        "itemType": ITEM_TYPES[item.kind],
        "sourceText": item.source or item.reference or "",
    }
    document = item.document
    if item.kind == _TUTORIAL and not any(
        _TUTORIAL in name for name in (document, *("+".join(t.systems) for t in item.translations))
    ):
        document = f"{_TUTORIAL}#{document}" if document else _TUTORIAL
    if documents or document:
        entry |= {"documentID": document, "isCompleteDocument": item.whole}
    if "targets" in extra:
        entry["targets"] = [
            {**old, "targetID": "+".join(new.systems), "targetText": new.text}
            for old, new in zip(extra["targets"], item.translations, strict=True)
        ]
        return entry
    if len(item.translations) != 1:
        raise DataError(
            f"item {item.item!r}: Appraise shows one translation here, not {len(item.translations)}"
        )
    (translation,) = item.translations
    entry |= {"targetID": "+".join(translation.systems), "targetText": translation.text}
    if errors and "mqm" not in extra:
        units = trim_start(translation.text)
        entry["mqm"] = [_prefilled_span(to_units(span, units)) for span in translation.spans]
    return entry


def _prefilled_span(span: Span) -> dict[str, Any]:
    """A prefilled error: its end is exclusive, and it has no error_type."""
    entry = error(span)
    kind = entry.pop("error_type", None)
    if span.end is not None:
        entry["end_i"] = span.end
    return {**entry, "category": "/".join(kind)} if kind else entry


def _task(tasks: Tasks, number: int, size: int) -> dict[str, Any]:
    return {
        "batchNo": number,
        "batchSize": size,
        "randomSeed": 0,
        "requiredAnnotations": 1,
        "sourceLanguage": tasks.languages[0],
        "targetLanguage": tasks.languages[1],
    }


def _manifest(tasks: Tasks, documents: bool) -> dict[str, Any]:
    count = len(tasks.batches)
    run: dict[str, Any] = {
        "CAMPAIGN_URL": _URL,
        "CAMPAIGN_NAME": tasks.name,
        "CAMPAIGN_KEY": tasks.name,
        "CAMPAIGN_NO": 1,
        "REDUNDANCY": 1,
        "TASKS_TO_ANNOTATORS": [[*tasks.languages, "uniform", _people(tasks.batches), count]],
        "TASK_TYPE": "Document" if documents else "Direct",
    }
    return run | ({"TASK_OPTIONS": _OPTIONS[tasks.protocol]} if tasks.protocol in _OPTIONS else {})


def _people(batches: Sequence[Batch]) -> int:
    named = {batch.annotator for batch in batches if batch.annotator}
    return len(named) or len(batches)


def with_campaign_texts(judgements: Judgements, tasks: Tasks) -> tuple[Judgements, Texts, tuple[str, ...]]:
    """Judgements from Appraise's CSV with their errors in code points, their texts, and what could not be told."""
    known = _known(tasks)
    if judgements.file is None or judgements.line is None:
        raise DataError("it is not known where these judgements were read")
    source = np.full(len(judgements), None, object)
    target = np.full(len(judgements), None, object)
    missing = 0
    for code, path in enumerate(judgements.file.names):
        rows = np.flatnonzero(judgements.file.codes == code)
        keys = _keys(path)
        for row in rows.tolist():
            pair = _text(known, keys.get(int(judgements.line[row])))
            if pair is None:
                missing += 1
            else:
                source[row], target[row] = pair
    if missing == len(judgements):
        raise DataError("none of these judgements is of that campaign: their items are not in it")
    texts = Texts(source=tuple(source), target=tuple(target))
    warnings = (
        (
            f"{pluralise(missing, 'judgement')} of which the campaign does not tell the text: places stay as they are",
        )
        if missing
        else ()
    )
    return in_code_points(judgements, texts), texts, warnings


def _known(tasks: Tasks) -> dict[Key, set[tuple[str | None, str]]]:
    """The texts shown, by system, item, kind and document; also without the document, for files that have none."""
    texts: dict[Key, set[tuple[str | None, str]]] = {}
    for batch in tasks.batches:
        for task_item in batch.items:
            # Appraise writes its own number, not our name of a segment.
            item = str(task_item.extra.get("itemID", task_item.item))
            for translation in task_item.translations:
                system, kind = "+".join(translation.systems), ITEM_TYPES[task_item.kind]
                for document in {task_item.document, ""}:
                    key = (system, item, kind, document)
                    texts.setdefault(key, set()).add((task_item.source, translation.text))
    return texts


def _text(known: dict[Key, set[tuple[str | None, str]]], key: Key | None) -> tuple[str | None, str] | None:
    """The text, if only one is possible."""
    candidates = known.get(key, set()) if key is not None else set()
    return next(iter(candidates)) if len(candidates) == 1 else None


def _keys(path: str) -> dict[int, Key]:
    """Appraise's key of each line."""
    data = read_bytes(path)[0]
    lines = sheet.text_rows(path, data)
    _, first = next(sheet.records_of(path, lines[:1], ","))
    table = header_less(path, lines) if is_row(first) else sheet.read(path, data)
    columns = [
        table.columns[name] if name is not None else [""] * len(table)
        for name in (
            table.find(column_names.SYSTEM),
            table.find(column_names.ITEM),
            table.find(column_names.KIND),
            table.find(("documentid", "document")),
        )
    ]
    return {
        int(line): tuple(cell.strip() for cell in cells)
        for line, *cells in zip(table.lines.tolist(), *columns, strict=True)
    }
