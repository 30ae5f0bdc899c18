"""Columns of a table of judgements by purpose, and the protocol that a file tells."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.crossing import cross_names
from adjudge.data.judgements import KINDS, LOWER_IS_BETTER, ORDINARY, Judgements, NameColumn
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.files import path_text
from adjudge.io.sheet import Floats, Sheet, is_number
from adjudge.wording import pluralise

_COLUMNS = {
    "source": column_names.SOURCE,
    "target": (*column_names.TRANSLATION, "tgt", "trg"),
    "reference": column_names.REFERENCE_TEXT,
    "edited": ("edited", "postedit", "pe"),
}
MERGED = "merged"
"""mt-metrics-eval's name for the rater of merged ratings."""
ONLY_SYSTEM = "mt"
"""The name of the system in files about a single one."""
_PROTOCOLS = ("mqm", "esa", "sqm", "hter", "adequacy", "fluency", "da")
_IN_A_NAME = re.compile(rf"(?<![a-z])({'|'.join(_PROTOCOLS)})(?:ai)?(?![a-z])")
UNKNOWN = "-1"
"""WMT's value for an unknown language or document."""
_NO_NUMBER = ("", "None", "none", "nan", "NaN", "NA", "N/A", "null")


class JudgementColumns:
    """The columns of a sheet by purpose; a column that was used is no label."""

    def __init__(self, sheet: Sheet, used: set[str] | None = None) -> None:
        self.sheet = sheet
        self.used = set(used or ())

    def name(self, wanted: Sequence[str]) -> str | None:
        """The name of the column in this file."""
        column = self.sheet.find(wanted)
        self.used |= {column or ""}
        return column

    def names(self, wanted: Sequence[str], *, needed: str = "") -> NameColumn:
        """A column of names, all missing if there is no such column; `needed` says what every row must have."""
        column = self.name(wanted)
        if column is None:
            return NameColumn.same("", len(self.sheet))
        names = self.sheet.names(column)
        self.sheet.check_names(column, names)
        if needed and (names.codes < 0).any():
            place = self.sheet.place(int(np.argmax(names.codes < 0)))
            raise DataError(f"{place}: no {needed} in column {column!r}; every judgement is of one")
        return names

    def annotators(self) -> NameColumn:
        """The annotators; merged ratings of several raters have none."""
        return self.names(column_names.ANNOTATOR).without(MERGED)

    def kinds(self) -> NDArray[np.int8]:
        """The kind of each item; a column `type` with other words is a label."""
        column = self.sheet.find(column_names.KIND)
        if column is None:
            return np.zeros(len(self.sheet), np.int8)
        names = self.sheet.names(column)
        known = [column_names.kind_of(name) for name in names.names]
        if column_names.plain(column) != "kind" and all(kind is None for kind in known):
            return np.zeros(len(self.sheet), np.int8)
        self.used.add(column)
        if None in known:
            row = int(np.argmax(names.codes == known.index(None)))
            raise DataError(
                f"{self.sheet.place(row)}, column {column!r}: unknown kind {names.names[known.index(None)]!r}; there "
                f"are {', '.join(KINDS)} (TGT or SYSTEM, CHK or REPEAT, BAD, REF)"
            )
        return np.array([*known, ORDINARY], np.int8)[names.codes]

    def times(self) -> tuple[Floats | None, Floats | None, tuple[str, ...]]:
        """Start and duration of each judgement, as far as known, and warnings about negative times."""
        begin, end = self.name(column_names.START), self.name(column_names.END)
        length = self.sheet.find(column_names.SECONDS)
        start = None if begin is None else self.sheet.times(begin)
        seconds = None
        if length is not None:
            try:
                seconds = self.sheet.numbers(length, absent=_NO_NUMBER)
                self.used.add(length)
            except DataError:
                if column_names.plain(length) == "seconds":
                    raise
        if seconds is None and start is not None and end is not None:
            seconds = self.sheet.times(end) - start
        elif end is not None and start is None and seconds is not None:
            start = self.sheet.times(end) - seconds
        if seconds is None or not (seconds < 0).any():
            return start, seconds, ()
        wrong = np.flatnonzero(seconds < 0)
        return (
            start,
            np.where(seconds < 0, math.nan, seconds),
            (
                f"{self.sheet.place(int(wrong[0]))}: the judgement ends before it begins"
                + (f", as do {len(wrong) - 1:,} others" if len(wrong) > 1 else "")
                + "; how long it took is taken as unknown",
            ),
        )

    def measures(self) -> dict[str, Floats]:
        """Other numbers in the table, by name."""
        measures = {}
        for name, wanted in {
            **{name: (name,) for name in column_names.RATINGS},
            **column_names.MEASURES,
        }.items():
            column = self.sheet.find(wanted)
            if column is None or column in self.used:
                continue
            try:
                measures[name] = self.sheet.numbers(column, absent=_NO_NUMBER)
            except DataError:
                if any(map(is_number, self.sheet.columns[column])):
                    raise
                continue  # no numbers at all: it is a label, then
            self.used.add(column)
        return measures

    def labels(self) -> dict[str, NameColumn]:
        """All other columns that are no texts, under standard names where there are any."""
        labels = {}
        languages = self._languages()
        if languages is not None:
            labels["languages"] = languages
        for name, wanted in column_names.LABELS.items():
            column = self.sheet.find(wanted)
            if column is not None and column not in self.used and name not in labels:
                labels[name] = self.names(wanted)
        for column in self.sheet.columns:
            if (
                column not in self.used
                and column not in labels
                and column_names.plain(column) not in column_names.TEXTS
            ):
                labels[column] = self.sheet.names(column)
        return {name: names for name, names in labels.items() if names.names}

    def _languages(self) -> NameColumn | None:
        source, target = (
            self.sheet.find(column_names.SOURCE_LANGUAGE),
            self.sheet.find(column_names.TARGET_LANGUAGE),
        )
        if source is None or target is None:
            return None
        self.used |= {source, target}
        return cross_names(
            self.sheet.names(source).without(UNKNOWN), self.sheet.names(target).without(UNKNOWN), "-"
        )


def rated_rows(sheet: Sheet, column: str) -> tuple[Sheet, list[str]]:
    """The rows with a judgement, and a note about the rest."""
    missing = column_names.NOT_RATED
    if missing not in sheet.columns[column]:
        return sheet, []
    rated = np.fromiter((cell.strip() != missing for cell in sheet.columns[column]), bool, len(sheet))
    if not rated.any():
        raise DataError(f"{path_text(sheet.path)}: no translation was judged, every score is {missing!r}")
    without = pluralise(int((~rated).sum()), "translation")
    return (
        sheet.take(np.flatnonzero(rated)),
        [f"{path_text(sheet.path)}: {without} without a judgement ({missing}) left out"],
    )


def protocol_in(name: str) -> str | None:
    """The protocol that is part of a name."""
    words = set(_IN_A_NAME.findall(name.lower()))
    return next((protocol for protocol in _PROTOCOLS if protocol in words), None)


def check_edits(protocol: str, score: Floats, place: Callable[[int], str]) -> None:
    """Refuse HTER below 0, which must be some other score."""
    if protocol == "hter" and (score < 0).any():
        row = int(np.argmax(score < 0))
        raise DataError(
            f"{place(row)}: HTER is {score[row]:g}, but a share of edits is 0 or more; are these scores?"
        )


def higher_is_better(protocol: str, score: Floats) -> bool:
    """Whether higher is better; MQM scores go down from 0, or up as penalties."""
    if protocol == "mqm":
        return not ((score > 0).any() and not (score < 0).any())
    return protocol not in LOWER_IS_BETTER


def texts_of(judgements: Judgements, table: Sheet, *, without: re.Pattern[str] | None = None) -> Texts:
    """The texts of judgements in their table; matches of `without` are removed."""
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
