"""Exports of Appraise: rows without a header, and what its campaigns write into names.

    user,system,item,type,source,target,score[,document,whole[,errors]][,start,end][,batch,item in the database]

Systems are called after the files of the campaign, so what all names have in common as files is dropped: the test set,
a language pair, `hyp` in front; `txt`, the pair or the language behind.

Documents carry marks: `doc#SYSTEM#bad2#duplicate1`. Where the system is among them, items are numbered through the
batch and not through the document (the campaigns of ESA); such items are told by their place in the document, which is
the same for all systems.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import (
    BAD_REFERENCE,
    ORDINARY,
    REFERENCE,
    REPEAT,
    TUTORIAL,
    Judgements,
    NameColumn,
)
from adjudge.data.utf16 import in_code_points
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.files import path_text
from adjudge.io.judgements.columns import texts_of
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.ratings import ratings
from adjudge.io.sheet import Sheet, records_of, split

_ROW = ("annotator", "system", "item", "type", "srclang", "trglang", "score")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TEST_SET = re.compile(r"(?:newstest|newsdev|generaltest|wmt)\d{2,4}\w*", re.IGNORECASE)
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_TEXT_FILES = ("txt", "sgm", "xml")


def read(file: InputFile) -> FileContent:
    """One judgement per row, with or without a header."""
    table = header_less(file.path, file.lines) if not _has_header(file) else file.sheet
    content = ratings(table, protocol=file.protocol, column=file.column)
    judgements = _tidy(content.judgements)
    return replace(content, judgements=in_code_points(judgements, texts_of(judgements, table)))


def _has_header(file: InputFile) -> bool:
    if is_rows(file):
        return False
    names = [] if file.is_json else file.first_line.split(file.separator or None)
    if file.is_json or column_names.find(names, column_names.SYSTEM) is not None:
        return True
    try:
        return is_export(file)
    except DataError:
        return False


def is_rows(file: InputFile) -> bool:
    """Whether it is an export without a header."""
    return is_row(file.first_cells)


def is_row(cells: Sequence[str]) -> bool:
    """Whether these are the cells of a judgement, and not of a header."""
    return (
        len(cells) >= len(_ROW)
        and cells[3].strip() in column_names.APPRAISE_KINDS
        and _NUMBER.fullmatch(cells[6].strip()) is not None
    )


def header_less(path: str, lines: list[str]) -> Sheet:
    """Rows without a header as columns with names."""
    _, first = next(records_of(path, lines[:1], ","))
    if not is_row(first):
        raise DataError(
            f"{path_text(path)}, line 1: expected was "
            "user,system,item,TGT|CHK|BAD|REF,source,target,score,… as Appraise "
            "exports it, or a header line"
        )
    names = [*_ROW]
    rest = [cell.strip() for cell in first[len(_ROW) :]]
    if len(rest) > 1 and rest[1] in ("True", "False"):
        names += ["documentId", "isCompleteDocument"]
        if rest[2:] and rest[2][:1] in ("[", "{", '"'):
            names.append("mqm")
    names += ["start", "end", "batch", "itemDatabaseId", "position"][: len(first) - len(names)]
    return split(path, lines, ",", names)


def is_export(file: InputFile) -> bool:
    """Whether a table with a header has Appraise's types of items."""
    column = file.sheet.find(column_names.KIND)
    return column is not None and {cell.strip() for cell in {*file.sheet.columns[column]}} <= {
        *column_names.APPRAISE_KINDS
    }


def _tidy(judgements: Judgements) -> Judgements:
    """Judgements with plain names of systems, and with kinds and documents taken from marks."""
    judgements = replace(judgements, system=judgements.system.renamed(_short_names(judgements)))
    document = judgements.labels.get("document")
    tutorial = _names_word("tutorial", judgements.system)
    if document is not None:
        tutorial |= _names_word("tutorial", document)
        judgements = _read_marks(judgements, document)
    kind = np.where(tutorial, TUTORIAL, judgements.kind).astype(np.int8)
    return replace(judgements, kind=kind)


def _names_word(word: str, column: NameColumn) -> NDArray[np.bool_]:
    return np.array([*(word in name for name in column.names), False])[column.codes]


def _short_names(judgements: Judgements) -> dict[str, str]:
    """Names without the parts that all systems share and that belong to files."""
    outputs = judgements.kind != REFERENCE
    outputs &= ~_names_word("tutorial", judgements.system)
    names = judgements.system[np.flatnonzero(outputs)].names
    pieces = {name: [part.split(".") for part in name.split("+")] for name in names}
    every = [part for parts in pieces.values() for part in parts]

    def shared(at: int, *patterns: re.Pattern[str]) -> bool:
        first = every[0][at] if every else ""
        return all(len(part) > 1 and part[at] == first for part in every) and any(
            pattern.fullmatch(first) for pattern in patterns
        )

    while every and shared(0, _TEST_SET, _PAIR, re.compile("hyp")):
        for part in every:
            del part[0]
    if every and shared(-1, re.compile("|".join(_TEXT_FILES))):
        for part in every:
            del part[-1]
        if shared(-1, _LANGUAGE):
            for part in every:
                del part[-1]
    if every and shared(-1, _PAIR):
        for part in every:
            del part[-1]
    short = {name: "+".join(".".join(part) for part in parts) for name, parts in pieces.items()}
    return short if len({*short.values()}) == len(short) else {}


def _read_marks(judgements: Judgements, document: NameColumn) -> Judgements:
    """Documents without marks, which become kinds, a label and item numbers."""
    systems = {*judgements.system.names}
    marks = [name.split("#")[1:] for name in document.names]
    numbered = [bool(mark) and mark[0] in systems for mark in marks]
    tags = ["#".join(mark[system_first:]) for mark, system_first in zip(marks, numbered, strict=True)]
    base = {name: name.split("#")[0] for name in document.names}
    repeated = np.array([*("dup" in tag for tag in tags), False])[document.codes]
    damaged = np.array([*("bad" in tag for tag in tags), False])[document.codes]
    kind = judgements.kind
    kind = np.where(damaged & (kind == ORDINARY), BAD_REFERENCE, kind)
    kind = np.where(repeated & (kind == ORDINARY), REPEAT, kind).astype(np.int8)
    plain = document.renamed(base)
    labels = {**judgements.labels, "document": plain}
    if any(tags):
        labels["mark"] = document.renamed(dict(zip(document.names, tags, strict=True))).without("")
    marked = np.flatnonzero(np.array([*numbered, False])[document.codes])
    item = judgements.item
    if len(marked):
        tag_of = np.array([*tags, ""], object)[document.codes]
        item = _places_in_documents(judgements, plain, tag_of, marked)
    return replace(judgements, kind=kind, labels=labels, item=item)


def _places_in_documents(
    judgements: Judgements, document: NameColumn, tags: NDArray[np.object_], marked: NDArray[np.intp]
) -> NameColumn:
    """`document#place` for items that are numbered through a batch.

    A document that did not fit into one batch goes on in the next one, with the next annotator; who has the same
    numbers has the same batch. Damaged and repeated items follow the annotator's own from the first one on.
    """
    values = judgements.item.values()
    if not all(values[row].isdecimal() for row in marked):
        return judgements.item
    documents, annotators = document.values(), judgements.annotator.values()
    systems = judgements.system.values()
    by_document: dict[tuple[str, str], dict[str, dict[str, set[int]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(set))
    )
    for row in marked:
        by_document[documents[row], systems[row]][annotators[row]][tags[row]].add(int(values[row]))
    places: dict[tuple[str, str, str, str, int], int] = {}
    for (name, system), batches in by_document.items():
        begins: dict[tuple[int, ...], int] = {}
        after = 0
        for annotator in sorted(batches):
            numbers_of_batch = tuple(sorted(batches[annotator][""]))
            if numbers_of_batch and numbers_of_batch not in begins:
                begins[numbers_of_batch], after = after, after + len(numbers_of_batch)
            begin = begins.get(numbers_of_batch, 0)
            for tag, numbers in batches[annotator].items():
                for place, number in enumerate(sorted(numbers), begin + 1):
                    places[name, system, annotator, tag, number] = place
    for row in marked:
        key = (documents[row], systems[row], annotators[row], tags[row], int(values[row]))
        values[row] = f"{documents[row]}#{places[key]}"
    return NameColumn.of(values)
