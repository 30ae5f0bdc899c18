"""Ratings in columns with names: a row a judgement."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, LOWER_IS_BETTER, ORDINARY, Judgements, Names, Span
from adjudge.errors import DataError, unknown_name
from adjudge.io.files import shown
from adjudge.io.judgements import spans as errors
from adjudge.io.judgements import words
from adjudge.io.judgements.part import Part
from adjudge.io.judgements.sheet import Floats, Sheet, is_number
from adjudge.wording import counted

ONLY_SYSTEM = "mt"
"""What the system is called in files that hold the judgements of a single one."""
_PROTOCOLS = ("mqm", "esa", "sqm", "hter", "adequacy", "fluency", "da")
_IN_A_NAME = re.compile(rf"(?<![a-z])({'|'.join(_PROTOCOLS)})(?:ai)?(?![a-z])")
_UNKNOWN = "-1"
"""What WMT writes where it knows no language or document."""
_NO_NUMBER = ("", "None", "none", "nan", "NaN", "NA", "N/A", "null")


def ratings(sheet: Sheet, *, protocol: str | None = None, column: str | Sequence[str] | None = None) -> Part:
    """The judgements of a table; where the score is None, nothing was judged and the row is left out."""
    marks = sheet.find(words.SPANS)
    chosen = _score_column(sheet, protocol, column, optional=marks is not None)
    sheet, warnings = _of_a_system(sheet)
    columns = Columns(sheet, {sheet.find(words.SYSTEM) or "", marks or ""})
    if chosen is not None:
        sheet, left_out = judged(sheet, chosen)
        columns, warnings = Columns(sheet, columns.used), [*warnings, *left_out]
    columns.used |= {chosen or ""}
    spans, weights = None, np.empty(0)
    if marks is not None:
        spans, sums = errors.from_json(sheet.columns[marks], sheet.place)
        weights = np.array(sums, np.float64)
    score = sheet.numbers(chosen) if chosen is not None else 0.0 - weights
    named = protocol or _protocol(columns, chosen, spans, score)
    check_edits(named, score, sheet.place)
    if named == "mqm" and spans is not None and not score.any():
        # Appraise stores 0 where only errors were asked for; what those weigh is a question of analysis.
        score = 0.0 - weights if np.isfinite(weights).all() else np.full(len(sheet), math.nan)
    start, seconds, late = columns.times()
    annotator = columns.names(words.ANNOTATOR)
    kind = columns.kinds()
    item = columns.names(words.ITEM, needed="segment")
    measures, labels = columns.measures(), columns.labels()
    item, labels = _whole_documents(columns, item, labels)
    of_hits = start is None and "hit" in labels  # times may be those of HITs
    if of_hits and seconds is not None and _same_within(labels["hit"], annotator, seconds):
        measures, seconds = {**measures, "hit_seconds": seconds}, None
    judgements = Judgements(
        protocol=named,
        system=columns.names(words.SYSTEM, needed="system"),
        item=item,
        annotator=annotator,
        score=score,
        kind=kind,
        start=start,
        seconds=seconds,
        spans=spans,
        labels=labels,
        measures=measures,
        file=Names.same(sheet.path, len(sheet)),
        line=sheet.lines,
        higher_is_better=higher_is_better(named, score),
    )
    return Part(judgements, (*warnings, *late))


def _of_a_system(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """A table in which every row has a system; translations of nobody are those of a single one."""
    if sheet.find(words.SYSTEM) is not None:
        return sheet, []
    told = sheet.find(words.TRANSLATION) is not None or sheet.find(words.ITEM) is not None
    if not told or sheet.nearly(words.SYSTEM):
        raise sheet.lacks(words.SYSTEM, "whose output was judged?")
    added = {"system": [ONLY_SYSTEM] * len(sheet)}
    if sheet.find(words.ITEM) is None:
        added["line"] = [str(number) for number in range(1, len(sheet) + 1)]
    return (
        replace(sheet, columns={**sheet.columns, **added}),
        [f"{shown(sheet.path)}: no column names a system, so all are taken to be of one, {ONLY_SYSTEM!r}"],
    )


class Columns:
    """The columns of a sheet by what they are for; what was asked for is no label any more."""

    def __init__(self, sheet: Sheet, used: set[str] | None = None) -> None:
        self.sheet = sheet
        self.used = set(used or ())

    def name(self, wanted: Sequence[str]) -> str | None:
        """What the column is called in this file."""
        found = self.sheet.find(wanted)
        self.used |= {found or ""}
        return found

    def names(self, wanted: Sequence[str], *, needed: str = "") -> Names:
        """A column of names, without any if there is no such column; `needed` says what every row must have."""
        column = self.name(wanted)
        if column is None:
            return Names.same("", len(self.sheet))
        found = self.sheet.names(column)
        self.sheet.check_names(column, found)
        if needed and (found.codes < 0).any():
            place = self.sheet.place(int(np.argmax(found.codes < 0)))
            raise DataError(f"{place}: no {needed} in column {column!r}; every judgement is of one")
        return found

    def kinds(self) -> NDArray[np.int8]:
        """What each item was shown for; a column `type` with words for something else is a label."""
        column = self.sheet.find(words.KIND)
        if column is None:
            return np.zeros(len(self.sheet), np.int8)
        found = self.sheet.names(column)
        known = [words.kind_of(name) for name in found.names]
        if words.plain(column) != "kind" and all(kind is None for kind in known):
            return np.zeros(len(self.sheet), np.int8)
        self.used.add(column)
        if None in known:
            row = int(np.argmax(found.codes == known.index(None)))
            raise DataError(
                f"{self.sheet.place(row)}, column {column!r}: unknown kind {found.names[known.index(None)]!r}; there "
                f"are {', '.join(KINDS)} (TGT or SYSTEM, CHK or REPEAT, BAD, REF)"
            )
        return np.array([*known, ORDINARY], np.int8)[found.codes]

    def times(self) -> tuple[Floats | None, Floats | None, tuple[str, ...]]:
        """When each was begun and how long it took, as far as the file says; no time is below 0."""
        begin, end = self.name(words.START), self.name(words.END)
        length = self.sheet.find(words.SECONDS)
        start = None if begin is None else self.sheet.times(begin)
        seconds = None
        if length is not None:
            try:
                seconds = self.sheet.numbers(length, absent=_NO_NUMBER)
                self.used.add(length)
            except DataError:
                if words.plain(length) == "seconds":
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
        """Numbers beside the judgement."""
        found = {}
        for name, wanted in {**{name: (name,) for name in words.RATINGS}, **words.MEASURES}.items():
            column = self.sheet.find(wanted)
            if column is None or column in self.used:
                continue
            try:
                found[name] = self.sheet.numbers(column, absent=_NO_NUMBER)
            except DataError:
                if any(map(is_number, self.sheet.columns[column])):
                    raise
                continue  # no numbers at all: it is a label, then
            self.used.add(column)
        return found

    def labels(self) -> dict[str, Names]:
        """Every other column that is no text; those the field has a word for under that word."""
        found = {}
        languages = self._languages()
        if languages is not None:
            found["languages"] = languages
        for name, wanted in words.LABELS.items():
            column = self.sheet.find(wanted)
            if column is not None and column not in self.used and name not in found:
                found[name] = self.names(wanted)
        for column in self.sheet.columns:
            if column not in self.used and column not in found and words.plain(column) not in words.TEXTS:
                found[column] = self.sheet.names(column)
        return {name: names for name, names in found.items() if names.names}

    def _languages(self) -> Names | None:
        source, target = self.sheet.find(words.SOURCE_LANGUAGE), self.sheet.find(words.TARGET_LANGUAGE)
        if source is None or target is None:
            return None
        self.used |= {source, target}
        return crossed(known(self.sheet.names(source)), known(self.sheet.names(target)), "-")


def known(column: Names) -> Names:
    """A column without WMT's word for nothing."""
    if _UNKNOWN not in column.names:
        return column
    codes = np.where(column.codes == column.names.index(_UNKNOWN), -1, column.codes).astype(np.int32)
    return Names(column.names, codes)[np.arange(len(codes))]


def crossed(first: Names, second: Names, sign: str) -> Names:
    """Both names of every row as one, in the order of their appearance; none where one of them lacks."""
    width = len(second.names) + 1
    keys = first.codes.astype(np.int64) * width + second.codes
    known = (first.codes >= 0) & (second.codes >= 0)
    found, begins, places = np.unique(keys[known], return_index=True, return_inverse=True)
    order = np.argsort(begins)
    turn = np.empty(len(found), np.int32)
    turn[order] = np.arange(len(found), dtype=np.int32)
    codes = np.full(len(keys), -1, np.int32)
    codes[known] = turn[places]
    return Names(
        tuple(f"{first.names[key // width]}{sign}{second.names[key % width]}" for key in found[order]), codes
    )


def judged(sheet: Sheet, column: str) -> tuple[Sheet, list[str]]:
    """The rows that have a judgement, and a word on how many have none."""
    nothing = words.NOT_RATED
    if nothing not in sheet.columns[column]:
        return sheet, []
    there = np.fromiter((cell.strip() != nothing for cell in sheet.columns[column]), bool, len(sheet))
    if not there.any():
        raise DataError(f"{shown(sheet.path)}: no translation was judged, every score is {nothing!r}")
    without = counted(int((~there).sum()), "translation")
    return (
        sheet.take(np.flatnonzero(there)),
        [f"{shown(sheet.path)}: {without} without a judgement ({nothing}) left out"],
    )


def _score_column(
    sheet: Sheet, protocol: str | None, column: str | Sequence[str] | None, *, optional: bool
) -> str | None:
    if isinstance(column, str):
        if column not in sheet.columns:
            raise DataError(f"{shown(sheet.path)}: {unknown_name('column', column, sheet.columns)}")
        return column
    wanted = column or words.SCORES.get(protocol or "", (*words.RATINGS, "hter"))
    found = sheet.find(wanted)
    if found is None and not optional:
        ranked = sheet.find((*words.RANK, "system1rank")) is not None
        raise sheet.lacks(
            wanted, "name the one that has the scores" + ("; or are these ranks?" if ranked else "")
        )
    return found


def _protocol(
    columns: Columns, column: str | None, spans: tuple[tuple[Span, ...], ...] | None, score: Floats
) -> str:
    """How it was asked: the file says so, or the column's name, the errors in it, the file's name."""
    said = columns.sheet.find(("protocol",))
    if said is not None:
        names = columns.sheet.names(said).names
        if len(names) > 1:
            several = ", ".join(names)
            raise DataError(
                f"{shown(columns.sheet.path)} holds judgements of several protocols ({several}); take them apart"
            )
        columns.used.add(said)
        if names:
            return names[0].lower()
    found = None if column is None else protocol_in(column)
    if found is None and spans is not None:
        only_errors = not score.any() and any(span.category for row in spans for span in row)
        return "mqm" if column is None or only_errors else "esa"
    return found or protocol_in(os.path.basename(columns.sheet.path)) or "da"


def protocol_in(name: str) -> str | None:
    """The protocol that a name has in it."""
    there = set(_IN_A_NAME.findall(name.lower()))
    return next((protocol for protocol in _PROTOCOLS if protocol in there), None)


def check_edits(protocol: str, score: Floats, place: Callable[[int], str]) -> None:
    """Refuse shares of edits below 0: what was taken for HTER are other scores."""
    if protocol == "hter" and (score < 0).any():
        row = int(np.argmax(score < 0))
        raise DataError(
            f"{place(row)}: HTER is {score[row]:g}, but a share of edits is 0 or more; are these scores?"
        )


def higher_is_better(protocol: str, score: Floats) -> bool:
    """Which way scores go: those that count errors go down from 0, or up as penalties."""
    if protocol == "mqm":
        return not ((score > 0).any() and not (score < 0).any())
    return protocol not in LOWER_IS_BETTER


def _whole_documents(
    columns: Columns, item: Names, labels: dict[str, Names]
) -> tuple[Names, dict[str, Names]]:
    """Judgements of whole documents, which Appraise marks: the item is the document."""
    flag = columns.sheet.find(words.WHOLE_DOCUMENT)
    if flag is None:
        return item, labels
    labels.pop(flag, None)
    if "document" not in labels:
        return item, labels
    whole = np.fromiter((cell.strip().lower() in ("true", "1") for cell in columns.sheet.columns[flag]), bool)
    if not whole.any():
        return item, labels
    document = labels["document"]
    codes = np.where(whole, document.codes + len(item.names), item.codes).astype(np.int32)
    both = Names((*item.names, *document.names), codes).renamed({})
    level = Names(("segment", "document"), whole.astype(np.int32))
    return both[np.arange(len(codes))], {**labels, "level": level}


def _same_within(hit: Names, annotator: Names, seconds: Floats) -> bool:
    """Whether all judgements of a HIT have one time, which is then the HIT's own, as in WMT's files."""
    key = hit.codes.astype(np.int64) * (len(annotator.names) + 1) + annotator.codes
    order = np.argsort(key, kind="stable")
    same = np.diff(key[order]) == 0
    return bool(same.any() and not (np.diff(seconds[order])[same] != 0).any())
