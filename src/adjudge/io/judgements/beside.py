"""The texts that stand in the same files as judgements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError
from adjudge.io.files import read_bytes
from adjudge.io.judgements import own, pearmut, sheet
from adjudge.io.judgements.texts import Texts, texts_of


def read_texts(judgements: Judgements) -> Texts:
    """The texts that stand in the files of judgements, on the lines where those were read."""
    if judgements.file is None or judgements.line is None:
        return Texts()
    found: dict[str, NDArray[np.object_]] = {}
    for code, path in enumerate(judgements.file.names):
        rows = np.flatnonzero(judgements.file.codes == code)
        here = _read(path, judgements[rows]) if path != "-" else Texts()
        for name, column in here.columns().items():
            found.setdefault(name, np.full(len(judgements), None, object))[rows] = column
    return Texts(**{name: tuple(column) for name, column in found.items()})


def _read(path: str, judgements: Judgements) -> Texts:
    data, book = sheet.as_text(path, read_bytes(path)[0])
    if own.is_own(data):
        return own.texts(judgements, path, data)
    if pearmut.is_log(data):
        return pearmut.texts(judgements, path, data)
    try:
        table = sheet.read(path, data) if book is None else sheet.of_book(path, book)
    except DataError:  # it was read as judgements: a file without a header has no column of texts
        return Texts()
    return texts_of(judgements, table)
