"""Texts that stand in columns beside judgements."""

from __future__ import annotations

import re

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.data.texts import Texts
from adjudge.io import column_names
from adjudge.io.sheet import Sheet

_COLUMNS = {
    "source": ("source", "sourcetext", "src", "original"),
    "target": (*column_names.TRANSLATION, "tgt", "trg"),
    "reference": ("reference", "ref"),
    "edited": ("edited", "postedit", "pe"),
}


def texts_of(judgements: Judgements, table: Sheet, *, without: re.Pattern[str] | None = None) -> Texts:
    """The texts of judgements in the table they were read from; what `without` finds is no part of them."""
    lines = judgements.line if judgements.line is not None else table.lines
    if np.array_equal(lines, table.lines):
        places = np.arange(len(lines))
    elif (np.diff(table.lines) > 0).all():
        places = np.searchsorted(table.lines, lines)
    else:  # several rows a line, and some are gone: no telling which
        return Texts()
    columns = {}
    for name, wanted in _COLUMNS.items():
        column = table.find(wanted)
        if column is not None:
            cells = table.columns[column]
            texts = (cells[place] for place in places.tolist())
            columns[name] = tuple(texts if without is None else (without.sub("", text) for text in texts))
    return Texts(**columns)
