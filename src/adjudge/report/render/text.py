"""Sections and tables as aligned text, for screens of any width; styles name what stands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from adjudge.display import (
    LISTED,
    Column,
    Layout,
    Line,
    Section,
    Signature,
    StyledText,
    Table,
    cell_width,
    shorten,
    visible,
    wrap_words,
)

if TYPE_CHECKING:
    from adjudge.charts import Chart, Scatter

GAP = 2
NAME_KEPT = 32
"""Names are shortened to make room for one more column, but not below this width or half the screen's."""


SHADES = " ·░▒▓█"
ACROSS, UP = 36, 12
"""Cells of a scatter on a screen."""


STYLES = {
    "heading": "bold",
    "best": "bold green",
    "win": "green",
    "loss": "red",
    "loud": "bold yellow",
    "detail": "dim",
    "rule": "dim",
    "error": "bold red",
    "warning": "yellow",
    "note": "dim",
    # How words are linked.
    "exact": "green",
    "stem": "cyan",
    "synonym": "blue",
    "paraphrase": "magenta",
    "shift": "bright_green",
    "substitution": "yellow",
    "unmatched": "red",
    # How much power there is: the last one is enough.
    "power0": "black on color(224)",
    "power1": "black on color(223)",
    "power2": "black on color(229)",
    "power3": "black on color(194)",
    "power4": "bold black on color(114)",
}
WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""

MARKED = {"✓": "win", "✗": "loss", "?": "warning"}
"""Styles of what stands before the colon of a point that begins so."""


def text_of(sections: Sequence[Section], *, width: int | None = None, rule: bool = False) -> list[Line]:
    """For a screen, or a file of plain text."""
    lines: list[Line] = []
    for section in sections:
        own = _section_lines(section, width, rule)
        lines += [[]] if lines and lines[-1] and own else []
        lines += own
    return lines


def _section_lines(section: Section, width: int | None, rule: bool) -> list[Line]:
    fill = min((w for w in (width, section.layout.widest) if w is not None), default=None)
    lines = _apply_style(wrap_words(visible(section.title).split(), width=width, indent=""), "heading")
    lines = lines if section.title else []
    if section.lead:
        lines += _apply_style(wrap_words(visible(section.lead).split(), width=fill, indent=""), section.style)
    body: list[Line] = []
    if section.drawn is not None:
        body += section.drawn(width, rule)
    for number, table in enumerate(() if section.drawn else section.tables):
        body += [[]] if number else []
        body += table_lines(table, width=width, rule=rule)
    if section.charts:
        body += _chart_lines(section.charts)
    body += [[]] if section.tables and section.sentences else []
    for sentence in section.sentences:
        body += sentence_lines(sentence, fill, section.layout)
    for warning in section.warnings:
        body += [
            [StyledText(span.text, "loud") for span in line]
            for line in sentence_lines(warning, fill, section.layout)
        ]
    return [*lines, *body, *([[]] if body and section.notes else []), *_note_lines(section.notes, fill)]


def _chart_lines(charts: Sequence[Chart]) -> list[Line]:
    """Those that screens have too."""
    from adjudge.charts import Scatter  # late: most results on screens have no chart

    shown = [chart for chart in charts if isinstance(chart, Scatter) and chart.on_screen]
    return [line for chart in shown for line in ([], *scatter_lines(chart))]


def sentence_lines(sentence: str, width: int | None, layout: Layout = LISTED) -> list[Line]:
    """One point of a list; capitals at its start are meant to be seen."""
    first = sentence.split(":")[0]
    shouted = first.isupper() and len(first.split()) > 1
    loud = "loud" if shouted or sentence.startswith("METRICS CONTRADICT") else ""
    lines: list[Line] = []
    for index, (span,) in enumerate(wrap_words(visible(sentence).split(), width=width, indent=layout.others)):
        text = span.text if index else f"{layout.first}{span.text.lstrip()}"
        head, colon, rest = text.partition(":")
        marked = MARKED.get(sentence[:1]) if not index and colon else None
        lines.append(
            [StyledText(head, marked), StyledText(colon + rest)] if marked else [StyledText(text, loud)]
        )
    return lines


def _note_lines(notes: Sequence[str | Signature], width: int | None) -> list[Line]:
    room = max((cell_width(note.metric) for note in notes if isinstance(note, Signature)), default=0)
    lines: list[Line] = []
    for note in notes:
        if isinstance(note, Signature):
            lines.append([StyledText(f"{note.metric}{' ' * (room - cell_width(note.metric))}  {note.text}")])
        else:
            lines += wrap_words(visible(note).split(), width=width, indent="")
    return _apply_style(lines, "note")


def _apply_style(lines: Sequence[Line], style: str) -> list[Line]:
    return [[StyledText(span.text, style) for span in line] for line in lines]


def plain(lines: Sequence[Line]) -> str:
    """The lines without styles or spaces at their ends."""
    return "".join("".join(span.text for span in line).rstrip() + "\n" for line in lines)


def table_lines(table: Table, *, width: int | None = None, rule: bool = False) -> list[Line]:
    """The table in lines no wider than a screen; columns that do not fit go below, beside the names again.

    `rule` draws a line below the headings.
    """
    keys = _keys(table)
    widths = _widths(table)
    if width is not None and keys:
        others = sum(w + GAP for w in widths) - widths[keys - 1] - GAP
        room = max(width - others, min(NAME_KEPT, width // 2))
        widths[keys - 1] = _name_width(table, widths[keys - 1], room)
    lines: list[Line] = []
    for block in _blocks(table, widths, width):
        below = bool(lines)
        lines += [[]] if below else []
        lines += _headings(table, widths, block)
        if rule:
            lines.append(_rule(widths, block))
        lines += _body(table, widths, block, below=below)
    return lines


def _keys(table: Table) -> int:
    """How many columns say what a row is about."""
    return sum(not column.numeric for column in table.columns)


def _heading_lines(column: Column) -> list[str]:
    """The heading in a narrow column: a metric's options below its name."""
    name, bracket, options = column.label.partition("(")
    if not bracket or not column.numeric:
        return [f"{column.label} {column.better}".rstrip()]
    return [f"{name} {column.better}".rstrip(), *options.removesuffix(")").split(",")]


def _widths(table: Table) -> list[int]:
    widths = [max(map(cell_width, _heading_lines(column))) for column in table.columns]
    for row in table.rows:
        for index, cell in enumerate(row.cells):
            widths[index] = max(widths[index], cell_width(cell.text) + _indent(table, row.detail, index))
    return widths


def _name_width(table: Table, natural: int, room: int) -> int:
    # Two systems must not look the same because their names were shortened.
    column = _keys(table) - 1
    names = {" " * _indent(table, row.detail, column) + row.cells[column].text for row in table.rows}
    while room < natural and len({shorten(name, room) for name in names}) < len(names):
        room += 1
    return min(natural, room)


def _indent(table: Table, detail: bool, column: int) -> int:
    return 2 if detail and column == _keys(table) - 1 else 0


def _blocks(table: Table, widths: list[int], width: int | None) -> Iterator[list[int]]:
    keys = _keys(table)
    names = list(range(keys))
    block, used = names[:], sum(widths[c] + GAP for c in names)
    start = used
    for together in _column_groups(table):
        wide = sum(widths[c] + GAP for c in together)
        if width is not None and len(block) > keys and used + wide - GAP > width:
            yield block
            block, used = names[:], start
        block += together
        used += wide
    yield block


def _column_groups(table: Table) -> list[list[int]]:
    """Columns of numbers, those together that must not be parted."""
    groups: list[list[int]] = []
    for column in range(_keys(table), len(table.columns)):
        if groups and table.columns[column].joined:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _rule(widths: list[int], block: list[int]) -> Line:
    return [StyledText("─" * (sum(widths[c] + GAP for c in block) - GAP), "rule")]


def _headings(table: Table, widths: list[int], block: list[int]) -> list[Line]:
    stacks = {c: _heading_lines(table.columns[c]) for c in block}
    height = max(map(len, stacks.values()))
    lines: list[Line] = []
    for level in range(height):
        line: Line = []
        for column in block:
            # Names of columns stand at the bottom, beside the scores.
            above = height - len(stacks[column])
            text = stacks[column][level - above] if level >= above else ""
            line += _align(StyledText(text, "heading"), widths[column], right=table.columns[column].numeric)
        lines.append(line)
    return lines


def _body(table: Table, widths: list[int], block: list[int], *, below: bool) -> list[Line]:
    """The rows; in a block below another one those that have nothing in its columns are left out."""
    lines: list[Line] = []
    for row in table.rows:
        if below and not any(row.cells[column].text.strip() for column in block[_keys(table) :]):
            continue
        if row.rule:
            lines.append(_rule(widths, block))
        line: Line = []
        for column in block:
            cell = row.cells[column]
            style = "best" if cell.best else cell.style or ("detail" if row.detail else "")
            numeric = table.columns[column].numeric
            text = cell.text
            if not numeric:
                text = " " * _indent(table, row.detail, column) + text
                text = shorten(text, widths[column])
            line += _align(StyledText(text, style), widths[column], right=numeric)
        lines.append(line)
    return lines


def _align(span: StyledText, width: int, *, right: bool) -> Line:
    padding = StyledText(" " * (width - cell_width(span.text)))
    gap = StyledText(" " * GAP)
    return [padding, span, gap] if right else [span, padding, gap]


def scatter_lines(chart: Scatter) -> list[Line]:
    """Points as shades of a grid of letters, the darker the more; what lies far off is at the edge."""
    import numpy as np  # late: most results have no scatter

    x, y = chart.points.across, chart.points.up
    low, high = ([float(np.quantile(own, q)) for own in (x, y)] for q in (0.01, 0.99))
    cells = []
    for own, begin, end, count in ((x, low[0], high[0], ACROSS), (y, low[1], high[1], UP)):
        width = end - begin if end > begin else 1.0
        cells.append(np.clip(((own - begin) / width * count).astype(int), 0, count - 1))
    counts = np.zeros((UP, ACROSS), int)
    np.add.at(counts, (cells[1], cells[0]), 1)
    most = counts.max()
    # By the square root, for most cells have few points.
    shade = np.where(counts > 0, 1 + np.sqrt(counts / most) * (len(SHADES) - 1.001), 0).astype(int)
    shade = np.minimum(shade, len(SHADES) - 1)
    labels = [f"{high[1]:.4g}", *[""] * (UP - 2), f"{low[1]:.4g}"]
    room = max(map(len, labels))
    lines: list[Line] = [[StyledText(f"{'':{room}} {chart.up} ↑")]]
    for label, row in zip(labels, shade[::-1], strict=True):
        lines.append([StyledText(f"{label:>{room}} │{''.join(SHADES[i] for i in row)}│")])
    ends = f"{low[0]:.4g}", f"{high[0]:.4g}"
    lines.append(
        [StyledText(f"{'':{room}} {ends[0]}{ends[1]:>{ACROSS + 2 - len(ends[0])}}  {chart.below} →")]
    )
    return lines
