"""The texts of judgements that were exported without them, from the campaign in which they were shown.

Appraise's CSV has places of errors, counted as browsers count, and no texts; only these say which characters they are.
"""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.data.tasks import Tasks
from adjudge.data.texts import Texts
from adjudge.data.utf16 import in_code_points
from adjudge.errors import DataError
from adjudge.io import column_names, sheet
from adjudge.io.files import read_bytes
from adjudge.io.judgements.appraise.read import header_less, is_row
from adjudge.wording import counted

Key = tuple[str, str, str, str]
_TYPES = {"ordinary": "TGT", "repeat": "CHK", "bad reference": "BAD", "reference": "REF", "tutorial": "TGT"}


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
            f"{counted(missing, 'judgement')} of which the campaign does not tell the text: places stay as they are",
        )
        if missing
        else ()
    )
    return in_code_points(judgements, texts), texts, warnings


def _known(tasks: Tasks) -> dict[Key, set[tuple[str | None, str]]]:
    """What was shown by system, item, kind and document; also without the document, where a file has none."""
    texts: dict[Key, set[tuple[str | None, str]]] = {}
    for batch in tasks.batches:
        for task_item in batch.items:
            # Appraise writes its own number, not our name of a segment.
            item = str(task_item.extra.get("itemID", task_item.item))
            for translation in task_item.translations:
                system, kind = "+".join(translation.systems), _TYPES[task_item.kind]
                for document in {task_item.document, ""}:
                    key = (system, item, kind, document)
                    texts.setdefault(key, set()).add((task_item.source, translation.text))
    return texts


def _text(known: dict[Key, set[tuple[str | None, str]]], key: Key | None) -> tuple[str | None, str] | None:
    """The only text it can be."""
    candidates = known.get(key, set()) if key is not None else set()
    return next(iter(candidates)) if len(candidates) == 1 else None


def _keys(path: str) -> dict[int, Key]:
    """What Appraise calls what stands on each line."""
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
