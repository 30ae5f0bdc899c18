"""How results declare what is shown of them: columns of tables, sections with sentences, charts.

A result has its declaration beside its fields. Screens, TSV, CSV, JSON, Markdown, LaTeX, pages and notebooks follow
from it; `report` makes them, and nothing of that is imported until somebody looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.wording import MISSING, number, with_sign

if TYPE_CHECKING:
    import pandas
    import polars

    from adjudge.charts import Chart

UP, DOWN = "↑", "↓"
ARROWS = {True: UP, False: DOWN, None: ""}
"""The sign for the better direction by whether higher is better; none where there is no such thing."""
LONGEST = 80
"""Characters of a label or a category in a report."""


@dataclass(frozen=True)
class Column:
    """A column of a result: how a screen heads it, what data call it, and how a record's value is shown.

    A column with a `name` goes into data (TSV, CSV, pandas, Polars), one with a `label` onto screens, pages and paper;
    most have both. A `joined` column stays beside the one before it, however narrow the screen. A column of sentences
    is `wide`: in print it takes that share of a line.
    """

    label: str
    numeric: bool = False
    better: str = ""
    """The arrow that says which way is better."""
    joined: bool = False
    wide: float = 0.0
    name: str = ""
    value: Callable[[Any], Any] | None = None
    """What a record has in this column; None: its field of that name."""
    text: Callable[[Any], Cell | str] | None = None
    """What a cell says; None: the value as its decimals and sign ask for."""
    decimals: int = 0
    """Of a number; whole numbers have none."""
    sign: bool = False
    """Whether numbers have a plus or a minus before them."""
    key: bool = False
    """Whether it says what a row is about, in a table whose other columns repeat for every system."""
    best: bool = False
    """Whether the best value of a row stands out in such a table."""
    compared: bool = False
    """Whether it compares a system with the first one, which then has no such column."""

    @classmethod
    def of(cls, name: str, label: str = "", decimals: int | None = None, **facts: Any) -> Column:
        """A declared column: a number where it has decimals, else text; in data only where it has no label."""
        return cls(label, numeric=decimals is not None, name=name, decimals=decimals or 0, **facts)

    @property
    def heading(self) -> str:
        """Label and arrow on one line."""
        return f"{self.label} {self.better}".rstrip()

    def value_of(self, record: Any) -> Any:
        """What the record has in this column, unrounded."""
        return self.value(record) if self.value is not None else getattr(record, self.name)

    def cell(self, record: Any) -> Cell:
        """What stands in the record's row."""
        if self.text is not None:
            shown = self.text(record)
            return shown if isinstance(shown, Cell) else Cell(visible(shown))
        value = self.value_of(record)
        if isinstance(value, str):
            return Cell(visible(value))
        if isinstance(value, int):
            return Cell(f"{value:,}")
        return Cell(with_sign(value, self.decimals) if self.sign else number(value, self.decimals))

    def best_among(self, records: Sequence[Any]) -> list[bool]:
        """Whose value looks best once rounded."""
        values = [self.value_of(record) for record in records]
        higher = None if not self.better else self.better == UP
        return best_of(values, self.decimals, higher_is_better=higher)


@dataclass(frozen=True)
class Cell:
    """What one cell says; `marks` are raised in print, `style` colours a screen only, a `link` is for pages."""

    text: str
    best: bool = False
    style: str = ""
    marks: str = ""
    link: str = ""


@dataclass(frozen=True)
class Row:
    """Cells; `detail` rows belong to the row above them, and `rule` draws a line above."""

    cells: tuple[Cell, ...]
    detail: bool = False
    rule: bool = False


@dataclass(frozen=True)
class Table:
    """Columns, of which those that are not numeric come first, and rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def keys(self) -> int:
        """How many columns say what a row is about."""
        return sum(not column.numeric for column in self.columns)


class Data(NamedTuple):
    """A table without looks: the names of its columns, and its rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Records:
    """A table of a result before it is shown: its columns, and a record for every row."""

    columns: tuple[Column, ...]
    records: Sequence[Any]

    def table(self, *, rule: Callable[[Any], bool] = lambda record: False) -> Table:
        """For screens, pages and paper; `rule` says above which records a line is drawn."""
        shown = tuple(column for column in self.columns if column.label)
        rows = (Row(tuple(column.cell(own) for column in shown), rule=rule(own)) for own in self.records)
        return Table(shown, tuple(rows))

    def by_system(self, *, rule: Callable[[Any], bool] = lambda record: False) -> Table:
        """Records with the same keys in one row, where all but the keys stand once for every system.

        The column `system` says whose a record is; a label such as `F {}` holds the system's name.
        """
        (system,) = (column for column in self.columns if column.name == "system")
        keys = [column for column in self.columns if column.key]
        others = [column for column in self.columns if column.label and not column.key]
        names: dict[str, int] = {}
        rows: dict[tuple[Any, ...], list[Any]] = {}
        for own in self.records:
            names.setdefault(system.value_of(own), len(names))
            rows.setdefault(tuple(column.value_of(own) for column in keys), []).append(own)
        columns = [
            (place, column, replace(column, label=column.label.replace("{}", visible(name))))
            for name, place in names.items()
            for column in others
            if place or not column.compared
        ]
        body = []
        for same in rows.values():
            best = {id(column): column.best_among(same) for column in others if column.best}
            cells = [column.cell(same[0]) for column in keys]
            for place, column, _ in columns:
                cell = column.cell(same[place])
                cells.append(replace(cell, best=True) if column.best and best[id(column)][place] else cell)
            body.append(Row(tuple(cells), rule=rule(same[0])))
        return Table((*keys, *(labelled for *_, labelled in columns)), tuple(body))

    def data(self) -> Data:
        """The names of columns and the rows, unrounded."""
        named = [column for column in self.columns if column.name]
        rows = [[column.value_of(record) for column in named] for record in self.records]
        return Data([column.name for column in named], rows)

    def document(self) -> list[dict[str, Any]]:
        """For JSON: the values of every record by the names of the columns."""
        head, rows = self.data()
        return [dict(zip(head, row, strict=True)) for row in rows]


class StyledText(NamedTuple):
    """A piece of a line; `style` is empty or names what screens colour."""

    text: str
    style: str = ""


Line = list[StyledText]

Draw = Callable[[int | None, bool], list[Line]]
"""Lines for a screen of some width (None: no limit), with rules below headings or without."""


class Layout(NamedTuple):
    """How sentences stand on a screen: what is before their first line and the others, and how wide they may be."""

    first: str
    others: str
    widest: int | None = 100


LISTED = Layout("- ", "  ")
INDENTED = Layout("  ", "    ")
FLUSH = Layout("", "", None)


class Signature(NamedTuple):
    """A note that is copied rather than read: how a metric was computed."""

    metric: str
    text: str


@dataclass(frozen=True)
class Section:
    """What belongs together; from top to bottom as its fields are."""

    title: str = ""
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
    """Said one by one, as a list."""
    notes: tuple[str | Signature, ...] = ()
    """How it was done and what columns mean; less loud."""
    printed: Table | None = None
    """In Markdown, LaTeX and on pages, in place of the sentences and of what is drawn."""
    key: str = ""
    """What it is about, for pages that have a drawing of it."""
    lead: str = ""
    """A sentence above the tables: the answer, or what they show."""
    style: str = ""
    """Of the lead."""
    warnings: tuple[str, ...] = ()
    """Sentences that are meant to be seen."""
    drawn: Draw | None = None
    """On a screen, in place of the tables: what no table can say."""
    legend: str = ""
    """Below tables in LaTeX: what marks mean."""
    layout: Layout = LISTED
    charts: tuple[Chart, ...] = ()
    """On pages and in notebooks, above the tables."""
    below: tuple[Chart, ...] = ()
    """On pages and in notebooks, below all else."""
    drawn_instead: bool = False
    """Whether pages have its charts in place of its tables, which can still be taken along from there."""

    @property
    def printed_sentences(self) -> list[str | Signature]:
        """All sentences in print, except those that a table replaces there."""
        return [*(() if self.printed else self.sentences), *self.warnings, *self.notes]


Frame = Callable[[], "Sequence[Any] | Data"]
"""Makes a table of pandas or Polars: a table, or records whose fields are its columns."""


class Displayable:
    """A result that declares how it is shown: on screens and paper, as data, on a page and in a notebook.

    A result says this itself, or its `display` does, whose fields are options: decimals, which table TSV has.
    """

    __slots__ = ()

    def display(self) -> Displayable:
        """The declaration, where it stands in a file of its own."""
        return self

    @property
    def title(self) -> str:
        """Of its page."""
        raise NotImplementedError

    @property
    def about(self) -> str:
        """Below the title of its page."""
        return ""

    def sections(self) -> list[Section]:
        """What is shown and said, part by part."""
        raise NotImplementedError

    def printed(self) -> Sequence[Section]:
        """For Markdown and LaTeX, where print has another order than a screen."""
        return self.sections()

    def paper(self) -> Sequence[Section]:
        """For LaTeX, where a paper has less room than other print."""
        return self.printed()

    def page_sections(self) -> Sequence[Section]:
        """For a page, which says its title and what it is about at its top."""
        return self.sections()

    @property
    def page_warnings(self) -> Sequence[str]:
        """What a page says at its top."""
        return ()

    def notebook_sections(self) -> Sequence[Section]:
        """For a notebook."""
        return self.sections()

    def frames(self) -> Mapping[str, Frame]:
        """Tables of pandas and Polars by name, the first unless one is named; none: that of `data` is the only one."""
        return {}

    def data(self) -> Data:
        """Its table, unrounded: TSV, CSV, pandas and Polars."""
        raise NotImplementedError

    def document(self) -> Mapping[str, Any] | None:
        """For JSON; None: all fields but those that `repr` leaves out."""
        return None

    def _repr_html_(self) -> str:
        return str(_notebook().html_of(self))

    def to_pandas(self, table: str = "") -> pandas.DataFrame:
        """The result as a table of pandas, as TSV has it; `table` names another one where there are several."""
        return _notebook().pandas_of(self, table)

    def to_polars(self, table: str = "") -> polars.DataFrame:
        """The result as a table of Polars; `table` names another one where there are several."""
        return _notebook().polars_of(self, table)  # type: ignore[no-any-return]


class Plottable(Displayable):
    """A result that can also be drawn as a chart."""

    __slots__ = ()

    def plot(self, metric: str = "") -> Any:
        """Scores with their intervals as a chart: by one metric, or by each of them, one below the other."""
        return _notebook().chart_of(self, metric)


def _notebook() -> Any:
    import adjudge

    return adjudge._notebook


def link_cells(table: Table, address: Callable[[int, int], str]) -> Table:
    """The same table, each cell with the address that a row and a column (from 0) have; '' for none."""
    rows = (
        replace(row, cells=tuple(replace(cell, link=address(r, c)) for c, cell in enumerate(row.cells)))
        for r, row in enumerate(table.rows)
    )
    return replace(table, rows=tuple(rows))


SPARKS = "▁▂▃▄▅▆▇█"


def sparkline(counts: Sequence[int]) -> str:
    """Counts as bars; the least bar is for no segment at all."""
    most = max(counts, default=0)
    if not most:
        return SPARKS[0] * len(counts)
    return "".join(SPARKS[0] if c == 0 else SPARKS[1 + (c * (len(SPARKS) - 2)) // most] for c in counts)


def around(value: float, low: float, high: float, decimals: int) -> str:
    """A score and half of its interval, where it has one."""
    half = (high - low) / 2
    return number(value, decimals) + ("" if math.isnan(half) else f" ± {number(half, decimals)}")


def claims_beside_systems(sections: Sequence[Section]) -> list[Section]:
    """For pages: what may be claimed belongs beside the systems; how every pair did comes after it."""
    claims = [section for section in sections if section.key == "claims"]
    ordered: list[Section] = []
    for section in sections:
        ordered += [section] if section.key != "claims" else []
        ordered += claims if section.key == "systems" else []
    return ordered


def rank_range(ranks: tuple[int, int] | None) -> str:
    """One rank, or from which to which."""
    if ranks is None:
        return MISSING
    low, high = ranks
    return str(low) if low == high else f"{low}–{high}"


def share(value: float) -> str:
    """A share in two digits, without the 0 that every one begins with."""
    return MISSING if math.isnan(value) else f".{round(value * 100):02d}" if value < 0.995 else "1"


def group_name(by: Mapping[str, str]) -> str:
    """The labels of a group in a row; nothing for everything."""
    return ", ".join(f"{label}={value}" for label, value in by.items())


def arrow(higher_is_better: bool | None) -> str:
    """The sign for the better direction; none where there is no such thing."""
    return ARROWS[higher_is_better]


def best_of(values: list[float], decimals: int, *, higher_is_better: bool | None) -> list[bool]:
    """Which values look best once rounded; none where all look alike or no direction is better."""
    known = [value for value in values if not math.isnan(value)]
    shown = {number(value, decimals) for value in known}
    if len(shown) < 2 or higher_is_better is None:
        return [False] * len(values)
    best = number(max(known) if higher_is_better else min(known), decimals)
    return [number(value, decimals) == best for value in values]


def brief(text: str) -> str:
    """A name that may be a text: its beginning, visibly."""
    return visible(text) if len(text) <= LONGEST else f"{visible(text[: LONGEST - 1])}…"


def note_text(note: str | Signature) -> str:
    """A note in one line."""
    return f"{note.metric}: {note.text}" if isinstance(note, Signature) else visible(note)


def visible(text: str) -> str:
    """Text without line breaks, escape sequences and other characters that do not print."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


RELATIONS = ("<", ">", "=", "≤", "≥")


ENDINGS = tuple(f"{letter} {sign}" for letter in "pnN" for sign in RELATIONS)


def wrap_words(words: Sequence[str], *, width: int | None, indent: str) -> list[Line]:
    """Words (which may hold spaces) filled into lines that start with `indent`; `80 %` and `p < 0.05` stay whole."""
    lines = [indent]
    for word in _together(words):
        if width is not None and lines[-1] != indent and cell_width(lines[-1]) + 1 + cell_width(word) > width:
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else f" {word}"
    return [[StyledText(line)] for line in lines]


def _together(words: Sequence[str]) -> list[str]:
    parts: list[str] = []
    for word in words:
        before = parts[-1] if parts else ""
        relation = word in RELATIONS and before.lstrip("(") in ("p", "n", "N")
        if before and (word.startswith("%") or relation or before.endswith(ENDINGS)):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts


def cell_width(text: str) -> int:
    """How many columns of a screen the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def shorten(text: str, width: int) -> str:
    """The text with its middle left out where it is too wide: names often differ at the end."""
    if cell_width(text) <= width:
        return text
    head, tail = width - 1 - (width - 1) // 2, (width - 1) // 2
    start, end = _clip(text, head), _clip(text[::-1], tail)[::-1]
    while cell_width(start) > head:  # signs that are wider together than each for itself
        start = start[:-1]
    while end and cell_width(end) > tail:
        end = end[1:]
    return f"{start}…{end}"


def _clip(text: str, width: int) -> str:
    """As much of the beginning of a text as takes no more columns than that."""
    used = 0
    for place, sign in enumerate(text):
        used += cell_width(sign)
        if used > width:
            return text[:place]
    return text
