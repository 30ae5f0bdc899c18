"""The texts that stand in the same files as judgements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.io.files import read_bytes
from adjudge.io.judgements import pearmut, sheet
from adjudge.io.judgements.texts import Texts, texts_of


def read_texts(judgements: Judgements) -> Texts:
    """The texts that stand in the files of judgements, on the lines where those were read."""
    if judgements.file is None or judgements.line is None:
        return Texts()
    found: dict[str, NDArray[np.object_]] = {}
    for code, path in enumerate(judgements.file.names):
        rows = np.flatnonzero(judgements.file.codes == code)
        data = read_bytes(path)[0]
        if pearmut.is_log(data):
            here = pearmut.texts(judgements[rows], path, data)
        else:
            here = texts_of(judgements[rows], sheet.read(path, data))
        for name, column in here.columns().items():
            found.setdefault(name, np.full(len(judgements), None, object))[rows] = column
    return Texts(**{name: tuple(column) for name, column in found.items()})
