"""The texts that stand in the same files as judgements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.io.files import read_bytes
from adjudge.io.judgements.formats import READERS
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.table_texts import texts_of


def read_texts(judgements: Judgements) -> Texts:
    """The texts that stand in the files of judgements, on the lines where those were read."""
    if judgements.file is None or judgements.line is None:
        return Texts()
    columns: dict[str, NDArray[np.object_]] = {}
    for code, path in enumerate(judgements.file.names):
        rows = np.flatnonzero(judgements.file.codes == code)
        here = _read(path, judgements[rows]) if path != "-" else Texts()
        for name, column in here.columns().items():
            columns.setdefault(name, np.full(len(judgements), None, object))[rows] = column
    return Texts(**{name: tuple(column) for name, column in columns.items()})


def _read(path: str, judgements: Judgements) -> Texts:
    file = InputFile.of(path, read_bytes(path)[0])
    own = [reader for reader in READERS.values() if reader.texts is not None]
    for reader in own:
        if reader.texts is not None and reader.is_file is not None and reader.is_file(file):
            return reader.texts(judgements, file)
    try:
        for reader in own:
            if reader.texts is not None and reader.is_table is not None and reader.is_table(file):
                return reader.texts(judgements, file)
        return texts_of(judgements, file.sheet)
    except DataError:  # it was read as judgements: a file without a header has no column of texts
        return Texts()
