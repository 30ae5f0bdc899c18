"""Written files: cells, lines, one score per system and segment, and warnings about what a format cannot hold."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from adjudge.data.judgements import ORDINARY, Judgements, NameColumn
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.wording import are, noun_form, pluralise, some_of

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")
_BEGINS_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_NUL_ESCAPE = re.compile(r"((?<!\\)(?:\\\\)*)\\u0000")
_BREAKS = re.compile(r"[\t\n\r]")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class WriteRequest:
    """The judgements to write, and how."""

    judgements: Judgements
    texts: Texts
    items: tuple[str, ...]
    """All items that could have been judged, in order; () if unknown."""
    languages: tuple[str, str]
    for_spreadsheet: bool


@dataclass(frozen=True)
class JudgementFile:
    """The content of a file, and warnings about it."""

    data: bytes
    warnings: tuple[str, ...] = ()

    def warned(self, *warnings: str) -> JudgementFile:
        """The file with further warnings."""
        return replace(self, warnings=(*self.warnings, *filter(None, warnings)))


def number(value: float) -> str:
    """The shortest text of exactly this number, without a point where it is whole; '' for NaN."""
    if math.isnan(value):
        return ""
    if math.isinf(value):
        raise DataError(f"{value} is no finite number and cannot be written")
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute a cell; plain numbers are safe, apostrophes in front do not matter."""
    bare = text.lstrip("'")
    return bare.startswith(_BEGINS_FORMULA) and _NUMBER.fullmatch(bare) is None


def guard_cell(text: str) -> str:
    """A cell with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if is_formula(text) else text


def unguard_cell(text: str) -> str:
    """The cell that `guard_cell` was given."""
    return text[1:] if text.startswith("'") and is_formula(text) else text


def comma_separated(
    rows: Iterable[Sequence[str]], *, guard: bool = False, bom: bool = False, end: str = "\n"
) -> JudgementFile:
    """Comma-separated cells, quoted where necessary."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=end)
    for row in rows:
        writer.writerow([guard_cell(cell) for cell in row] if guard else row)
    return encode_text(text.getvalue(), bom=bom)


def tab_separated(rows: Iterable[Sequence[str]], *, guard: bool = False, bom: bool = False) -> JudgementFile:
    """Tab-separated cells; each tab or line break within a cell becomes a blank."""
    changed = 0
    lines = []
    for row in rows:
        plain = [_BREAKS.sub(" ", cell) for cell in row]
        changed += sum(a is not b for a, b in zip(plain, row, strict=True) if a != b)
        lines.append("\t".join(map(guard_cell, plain) if guard else plain) + "\n")
    return encode_text("".join(lines), bom=bom).warned(
        f"tabs and line breaks in {pluralise(changed, 'cell')} are written as blanks" if changed else ""
    )


def json_lines_of(rows: Iterable[Any]) -> JudgementFile:
    """One line of JSON per row."""
    lines = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows]
    return encode_text("".join(_with_nul(line) + "\n" for line in lines))


def _with_nul(line: str) -> str:
    """A line of JSON with NUL written as a character, but not where the text itself has the escape."""
    return _NUL_ESCAPE.sub("\\1\0", line) if "\\u0000" in line else line


def encode_text(text: str, *, bom: bool = False) -> JudgementFile:
    """The bytes of a text; unpaired surrogates and NUL are written as U+FFFD."""
    text, replaced = _NO_TEXT.subn("\N{REPLACEMENT CHARACTER}", text)
    return JudgementFile((_BOM if bom else b"") + text.encode()).warned(
        f"{pluralise(replaced, 'character')} that no text file may hold {are(replaced)} written as U+FFFD"
        if replaced
        else ""
    )


@dataclass
class Losses:
    """The information that a format cannot hold."""

    format: str
    parts: list[str] = field(default_factory=list)

    def labels(self, judgements: Judgements, written_labels: Iterable[str]) -> None:
        """Note labels that are not written."""
        written = {*written_labels}
        lost = [name for name, column in judgements.labels.items() if name not in written and column.names]
        if lost:
            self.parts.append(f"the {noun_form(len(lost), 'label')} {some_of(lost, 5)}")

    def measures(self, judgements: Judgements, written_labels: Iterable[str] = ()) -> None:
        """Note measures that are not written."""
        lost = [name for name in judgements.measures if name not in {*written_labels}]
        if lost:
            self.parts.append(f"the {noun_form(len(lost), 'measure')} {some_of(lost, 5)}")

    def add(self, what: str, lost: bool = True) -> None:
        """Note another loss."""
        if lost:
            self.parts.append(what)

    def warning(self) -> str:
        """The warning; '' if nothing is lost."""
        if not self.parts:
            return ""
        *most, last = self.parts
        return (
            f"{self.format} has no place for {', '.join(most)}{' and ' if most else ''}{last}: left out here"
        )


@dataclass(frozen=True)
class SegmentScoreGrid:
    """Mean scores of systems on items; NaN where nothing was judged."""

    items: tuple[str, ...]
    scores: Mapping[str, Sequence[float]]
    """For each system, in the order of the items."""
    warnings: tuple[str, ...]


def grid(request: WriteRequest) -> SegmentScoreGrid:
    """The mean of each translation's ordinary judgements; segments are those of the order, or those judged."""
    judgements, warnings = without_controls(request.judgements)
    if np.isnan(judgements.score).any():
        row = int(np.argmax(np.isnan(judgements.score)))
        raise DataError(f"{judgements.place(row)}: there is no score; errors have to be weighed first")
    items = request.items or _in_order(judgements.item)
    place = {item: at for at, item in enumerate(items)}
    unknown = [name for name in judgements.item.names if name not in place]
    if unknown:
        raise DataError(f"judged, but not among the items that are to be written: {some_of(unknown)}")
    scores: dict[str, list[list[float]]] = {name: [[] for _ in items] for name in judgements.system.names}
    rows = zip(judgements.system.values(), judgements.item.values(), judgements.score.tolist(), strict=True)
    several = 0
    for system, item, score in rows:
        if not item:
            raise DataError("these are scores of whole systems, not of segments")
        cell = scores[system][place[item]]
        cell.append(score)
        several += len(cell) == 2
    if several:
        warnings = (
            *warnings,
            f"{pluralise(several, 'translation')} with several judgements: their mean is written",
        )
    return SegmentScoreGrid(
        items, {name: [mean(cell) for cell in cells] for name, cells in scores.items()}, warnings
    )


def mean(values: Sequence[float]) -> float:
    """The mean; a single value is returned unchanged, even −0.0."""
    if len(values) == 1:
        return values[0]
    return math.fsum(values) / len(values) if values else math.nan


def without_controls(judgements: Judgements) -> tuple[Judgements, tuple[str, ...]]:
    """Ordinary judgements, and a note about the rest."""
    ordinary = judgements.kind == ORDINARY
    if ordinary.all():
        return judgements, ()
    left = pluralise(int((~ordinary).sum()), "control item")
    return judgements[ordinary], (f"{left} left out, which this format does not know",)


def _in_order(item: NameColumn) -> tuple[str, ...]:
    """Segments by their numbers, if they have numbers."""
    if all(name.isdecimal() for name in item.names):
        return tuple(sorted(item.names, key=int))
    return item.names
