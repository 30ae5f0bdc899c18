"""Results of a Mechanical Turk batch of direct assessment (Graham et al.): one row per HIT of many items.

Items are in `Input.sys_id_0`, `Input.sid_0`, `Input.tst_0` (the kind of item), `Input.rid_0` and so on; the answers are
in one cell, as `0_RID_SCORE|1_RID_SCORE|…`.
"""

from __future__ import annotations

import re

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.files import path_text
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.tool import Reader, Tool
from adjudge.io.sheet import code_names, numbers, records_of
from adjudge.wording import pluralise

_ITEM = re.compile(r"Input\.sys_id_(\d+)")
_ANSWER = re.compile(r"(\d+)_([^_]*)_(.*)")


def is_batch(file: InputFile) -> bool:
    """Whether the header is that of a batch."""
    return {"HITId", "WorkerId", "Input.sys_id_0"} <= set(file.first_cells)


def read(file: InputFile) -> FileContent:
    """One judgement per answered item."""
    path = file.path
    records = records_of(path, file.lines, ",")
    place = {name: at for at, name in enumerate(next(records)[1])}
    items = sorted(int(match[1]) for name in place if (match := _ITEM.fullmatch(name)))
    answer = next((name for name in place if name.startswith("Answer.") and name != "Answer.comments"), None)
    if not items:
        raise DataError(
            f"{path_text(path)}, line 1: no column 'Input.sys_id_0'; these are no results of Mechanical Turk"
        )
    if answer is None:
        raise DataError(f"{path_text(path)}, line 1: no column 'Answer.…': these are HITs, not their results")
    columns: dict[str, list[str]] = {name: [] for name in ("system", "item", "kind", "score", *_OF_HIT)}
    found_lines: list[int] = []
    incomplete = 0
    for line, record in records:
        if len(record) <= place[answer]:
            raise DataError(
                f"{path_text(path)}, line {line}: {pluralise(len(record), 'column')}, too few to have an answer"
            )
        given = _answers(record[place[answer]], f"{path_text(path)}, line {line}")
        incomplete += len(given) < len(items)
        for number, (rid, score) in given.items():
            if number not in items or record[place[f"Input.rid_{number}"]] != rid:
                raise DataError(
                    f"{path_text(path)}, line {line}: an answer to item {number} ({rid}), which is not in the HIT"
                )
            columns["system"].append(record[place[f"Input.sys_id_{number}"]])
            columns["item"].append(record[place[f"Input.sid_{number}"]])
            columns["kind"].append(record[place[f"Input.tst_{number}"]])
            columns["score"].append(score)
            for name, column in _OF_HIT.items():
                columns[name].append(record[place[column]] if column in place else "")
            found_lines.append(line)
    if not found_lines:
        raise DataError(f"{path_text(path)}: no HIT has an answer")
    return _content(path, columns, found_lines).warned(
        *(
            (f"{path_text(path)}: {pluralise(incomplete, 'HIT')} not answered to the end",)
            if incomplete
            else ()
        )
    )


_OF_HIT = {
    "hit": "HITId",
    "annotator": "WorkerId",
    "source": "Input.src",
    "target": "Input.trg",
    "asked": "Input.item",
    "seconds": "WorkTimeInSeconds",
    "status": "AssignmentStatus",
}
_ASKED = {"ad": "da", "fl": "fluency"}


"""Adequacy by direct assessment, or fluency."""


def _answers(cell: str, place: str) -> dict[int, tuple[str, str]]:
    answers = {}
    for answer in filter(None, cell.split("|")):
        match = _ANSWER.fullmatch(answer)
        if match is None:
            raise DataError(f"{place}: the answer {answer!r} is not NUMBER_ID_SCORE")
        answers[int(match[1])] = (match[2], match[3])
    return answers


def _content(path: str, columns: dict[str, list[str]], found_lines: list[int]) -> FileContent:
    def place(row: int) -> str:
        return f"{path_text(path)}, line {found_lines[row]}"

    kinds = [column_names.kind_of(kind) for kind in columns["kind"]]
    if None in kinds:
        raise DataError(
            f"{place(kinds.index(None))}: unknown kind of item {columns['kind'][kinds.index(None)]!r}"
        )
    asked = sorted(set(columns["asked"]))
    if len(asked) > 1:
        raise DataError(
            f"{path_text(path)} holds answers to several questions ({', '.join(asked)}); take them apart"
        )
    pairs = [
        f"{source}-{target}" for source, target in zip(columns["source"], columns["target"], strict=True)
    ]
    judgements = Judgements(
        protocol=_ASKED.get(asked[0], "da"),
        system=code_names(columns["system"]),
        item=code_names(columns["item"]),
        annotator=code_names(columns["annotator"]),
        score=numbers(columns["score"], (), place),
        kind=np.array(kinds, np.int8),
        labels={
            "hit": code_names(columns["hit"]),
            "languages": code_names(pairs),
            "status": code_names(columns["status"]),
        },
        measures={"hit_seconds": numbers(columns["seconds"], ("",), place)},
        file=code_names([path] * len(found_lines)),
        line=np.array(found_lines, np.int64),
    )
    return FileContent(judgements)


TOOL = Tool(
    readers={
        "mturk": Reader("results of a Mechanical Turk batch of direct assessment", read, is_file=is_batch),
    },
)
