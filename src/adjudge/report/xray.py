"""Alignments drawn on a screen: a matrix where it fits, sentences with their chunks, and how measures are spread."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.analysis.alignments import Chunk, Distribution, Side, word_kinds
from adjudge.evaluate.documents import finite, finites
from adjudge.evaluate.wording import counted
from adjudge.evaluate.xray import SegmentView, SystemView, Xray
from adjudge.report.table import Cell, Column, Row, Table, arrow, best_of, number, visible
from adjudge.report.text import Line, Span, cell_width, shortened, table_lines, wrapped

if TYPE_CHECKING:
    from adjudge.evaluate.documents import Arguments
    from adjudge.io import Input

WIDTH = 80
"""What drawings fit where nothing is known of the screen."""
INDENT = 14
"""Columns before the words of a sentence."""
LABEL = 16
"""Columns for words beside a matrix."""
LETTERS = 12
"""Letters of words above a matrix."""
GLYPHS = {
    "exact": "■",
    "stem": "◆",
    "synonym": "●",
    "paraphrase": "▲",
    "shift": "↷",
    "substitution": "×",
}
MEANING = {
    "exact": "the same word",
    "stem": "another form of the word",
    "synonym": "another word of the same meaning",
    "paraphrase": "other words of the same meaning",
    "shift": "the same word, moved",
    "substitution": "another word in its place",
}
OTHER, EMPTY = "◆", "·"
SPARKS = "▁▂▃▄▅▆▇█"
TITLES = {
    "different": "Where the systems differ most",
    "decisive": "The segments that decide most between the systems",
    "gains": "Where {1} gains most over {0}",
    "losses": "Where {1} loses most against {0}",
    "best": "The best segments",
    "worst": "The worst segments",
    "chosen": "Chosen segments",
}


def text_lines(
    found: Xray, *, decimals: int | None = None, width: int | None = None, rule: bool = False
) -> list[Line]:
    """All of it: the systems, how their segments are spread, the segments, what the signs mean."""
    decimals = found.decimals if decimals is None else decimals
    lines = table_lines(system_table(found, decimals), width=width, rule=rule)
    lines += [[], *spread_lines(found.distributions, found.short_label, decimals, width), []]
    lines.append([Span(title(found), "heading")])
    if not found.segments:
        lines.append([Span(nothing(found))])
    for segment in found.segments:
        lines += [[], *segment_lines(segment, found, decimals, width or WIDTH)]
    lines += [[], *legend(found, width or WIDTH)]
    lines.append([Span(f"{visible(found.short_label)}  {visible(found.signature)}", "note")])
    return lines


def as_json(
    found: Xray, *, version: str, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> str:
    """All that is known, unrounded; what is not a finite number is null."""
    document = {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        **({} if arguments is None else {"arguments": arguments.as_document()}),
        "test_set": asdict(found.test_set),
        "metric": found.metric,
        "signature": found.signature,
        "higher_is_better": found.higher_is_better,
        "shown": found.shown,
        "systems": [
            {name: finite(value) if isinstance(value, float) else value for name, value in asdict(s).items()}
            for s in found.systems
        ],
        "distributions": [_distribution_document(d) for d in found.distributions],
        "segments": [_segment_document(segment) for segment in found.segments],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def title(found: Xray) -> str:
    """What the segments shown have in common."""
    return TITLES[found.shown].format(*(visible(system.system) for system in found.systems))


def nothing(found: Xray) -> str:
    """Why there is no segment to show."""
    if found.shown not in ("best", "worst"):
        return "There is no such segment."
    return "No segment has a score."


def system_table(found: Xray, decimals: int) -> Table:
    """A row a system."""
    scores = best_of([s.score for s in found.systems], decimals, higher_is_better=found.higher_is_better)
    rows = [
        Row(
            (
                Cell(visible(s.system)),
                Cell(number(s.score, decimals), best=best),
                Cell(number(s.precision, 3)),
                Cell(number(s.recall, 3)),
                Cell(number(s.fragmentation, 3)),
                Cell(number(s.crossings, 1)),
            )
        )
        for s, best in zip(found.systems, scores, strict=True)
    ]
    names = ("precision", "recall", "fragmentation", "crossings")
    columns = [Column(found.label, numeric=True, better=arrow(found.higher_is_better))]
    columns += [Column(name, numeric=True) for name in names]
    return Table((Column("System"), *columns), tuple(rows))


def spread_lines(
    distributions: Sequence[Distribution], label: str, decimals: int, width: int | None
) -> list[Line]:
    """A small histogram for each measure and system, and the first, fifth and ninth tenth."""
    rows = []
    for spread in distributions:
        score = spread.measure == "score"
        places = decimals if score else 2
        ends = [number(edge, 0 if score else 1) for edge in (spread.edges[0], spread.edges[-1])]
        for index, system in enumerate(spread.systems):
            tenths = [number(system.deciles[i], places) if system.deciles else "–" for i in (1, 5, 9)]
            name = label if score else spread.measure
            picture = f"{ends[0]} {sparkline(system.counts)} {ends[1]}{'+' if spread.open_ended else ''}"
            cells = [visible(name) if index == 0 else "", picture, visible(system.system), *tenths]
            rows.append(Row(tuple(map(Cell, cells))))
    # Names come last: where there is little room, they are what is shortened.
    columns = [Column("Segments"), Column("from least to most"), Column("System")]
    columns += [Column(name, numeric=True) for name in ("10 %", "median", "90 %")]
    return table_lines(Table(tuple(columns), tuple(rows)), width=width)


def sparkline(counts: Sequence[int]) -> str:
    """Counts as bars; the least bar is for no segment at all."""
    most = max(counts, default=0)
    if not most:
        return SPARKS[0] * len(counts)
    return "".join(SPARKS[0] if c == 0 else SPARKS[1 + (c * (len(SPARKS) - 2)) // most] for c in counts)


def segment_lines(segment: SegmentView, found: Xray, decimals: int, width: int) -> list[Line]:
    """One segment: the texts, and for each system (or both at once where they fit) the drawing."""
    lines: list[Line] = [[Span(f"Segment {segment.number}", "heading")]]
    if segment.source is not None:
        lines += _labelled("source", segment.source.split(), width)
    for view in segment.systems:
        lines += [*_facts(view, found, decimals, width), *sentence_lines(view, width)]
    return [*lines, [], *matrix_lines(segment, width)]


def sentence_lines(view: SystemView, width: int) -> list[Line]:
    """The reference and the hypothesis, their words marked and in numbered chunks."""
    lines: list[Line] = []
    for side, words in (("reference", view.alignment.reference), ("hypothesis", view.alignment.hypothesis)):
        pieces = list(_pieces(view, side, words, width - INDENT - 8))  # type: ignore[arg-type]
        lines += _filled(f"  {side:<{INDENT - 2}}", pieces or [[Span("(empty)", "note")]], width)
    return lines


def matrix_lines(segment: SegmentView, width: int) -> list[Line]:
    """Words of the reference from top to bottom, of the hypotheses from left to right; two beside each other."""
    views = [view for view in segment.systems if view.alignment.hypothesis and view.alignment.reference]
    if len(views) == 2 and segment.same_reference and (cells := _cell_width(views, width)):
        return _matrix(views, cells, width)
    lines: list[Line] = []
    for view in views:
        cells = _cell_width([view], width)
        if lines:
            lines.append([])
        if cells:
            lines += _matrix([view], cells, width)
        else:
            words = counted(len(view.alignment.hypothesis), "word")
            note = f"  {visible(view.system)}: {words} are too many to draw in {width} columns; -o page.html draws them"
            lines += wrapped(note.split(" "), width=width, indent="")
    return lines


def legend(found: Xray, width: int) -> list[Line]:
    """What the signs mean that were used."""
    used = {link.kind for s in found.segments for view in s.systems for link in view.alignment.links}
    kinds = [kind for kind in GLYPHS if kind in used] + sorted(used - set(GLYPHS))
    parts = [f"{GLYPHS.get(kind, OTHER)} {kind}: {MEANING.get(kind, kind)}" for kind in kinds]
    parts += ["- only in the reference", "+ only in the output", "1[ ] chunk"]
    return _filled("", [[Span(word, "note")] for word in visible("; ".join(parts)).split(" ")], width)


def _facts(view: SystemView, found: Xray, decimals: int, width: int) -> list[Line]:
    s = view.structure
    parts = [
        f"{visible(found.short_label)} {number(view.score, decimals)}",
        f"P {number(view.precision, 2)}",
        f"R {number(view.recall, 2)}",
        counted(len(s.chunks), "chunk"),
        counted(s.crossings, "crossing"),
    ]
    parts += [counted(len(view.alignment.shifts), "shift")] if view.alignment.shifts else []
    name = Span(shortened(visible(view.system), width), "heading")
    words = f" {', '.join(parts)}".split(", ")
    pieces = [[Span(word + ("," if word is not words[-1] else ""), "note")] for word in words]
    return _filled("", [[name], *pieces], width)


def _pieces(view: SystemView, side: Side, words: Sequence[str], room: int) -> Iterator[Line]:
    """Words with their marks; brackets stay with the word they open or close at."""
    kinds = word_kinds(view.alignment, side)
    opens, closes = _brackets(view.structure.chunks, side)
    extra = "-" if side == "reference" else "+"
    for index, (word, kind) in enumerate(zip(words, kinds, strict=True)):
        mark = (GLYPHS.get(kind, OTHER) if kind != "exact" else "") if kind else extra
        piece = [Span(f"{mark}{shortened(visible(word), max(8, room))}", kind or "unmatched")]
        if index in opens:
            piece.insert(0, Span(f"{opens[index]}[", "note"))
        if index in closes:
            piece.append(Span("]", "note"))
        yield piece


def _brackets(chunks: Sequence[Chunk], side: Side) -> tuple[dict[int, int], set[int]]:
    ranges = [getattr(chunk, side) for chunk in chunks]
    return {begin: i for i, (begin, _) in enumerate(ranges, 1)}, {end - 1 for _, end in ranges}


def _filled(indent: str, pieces: Sequence[Line], width: int) -> list[Line]:
    """Pieces with spaces between them, in lines of that width."""
    lines: list[Line] = [[Span(indent, "note")]]
    used = cell_width(indent)
    for piece in pieces:
        wide = sum(cell_width(span.text) for span in piece)
        first = len(lines[-1]) == 1
        if not first and used + 1 + wide > width:
            lines.append([Span(" " * cell_width(indent))])
            used, first = cell_width(indent), True
        lines[-1] += piece if first else [Span(" "), *piece]
        used += wide + (not first)
    return lines


def _labelled(label: str, words: Sequence[str], width: int) -> list[Line]:
    pieces = [[Span(shortened(visible(word), width - INDENT))] for word in words]
    return _filled(f"  {label:<{INDENT - 2}}", pieces, width)


def _cell_width(views: Sequence[SystemView], width: int) -> int:
    """How wide a matrix can draw a word: 2 columns, 1, or 0 where it does not fit."""
    room = width - _label_width(views[0]) - 1 - len(views)
    words = [word for view in views for word in view.alignment.hypothesis]
    wide = any(cell_width(c) > 1 for word in words for c in visible(word))
    return next((cells for cells in ((2,) if wide else (2, 1)) if cells * len(words) <= room), 0)


def _label_width(view: SystemView) -> int:
    return min(LABEL, max(cell_width(visible(word)) for word in view.alignment.reference))


def _matrix(views: Sequence[SystemView], cells: int, width: int) -> list[Line]:
    room = _label_width(views[0])
    names = [
        shortened(visible(view.system), max(1, cells * len(view.alignment.hypothesis))) for view in views
    ]
    heads = [_head(view.alignment.hypothesis, cells) for view in views]
    height = max(map(len, heads))
    heads = [[" " * cell_width(head[-1])] * (height - len(head)) + head for head in heads]
    blocks = [_body(view, cells) for view in views]
    lines: list[Line] = []
    if len(views) == 2:
        left = cells * len(views[0].alignment.hypothesis)
        lines.append(
            [Span(f"  {names[0]}{' ' * (left - cell_width(names[0]) + room + 2)}{names[1]}", "heading")]
        )
    for row in range(height):
        parts = [[Span(head[row])] for head in heads]
        lines.append(_beside(parts, Span(" " * room)))
    words = views[0].alignment.reference
    matched = [any(word_kinds(view.alignment, "reference")[r] for view in views) for r in range(len(words))]
    for r, word in enumerate(words):
        text = shortened(visible(word), room)
        label = Span(text + " " * (room - cell_width(text)), "" if matched[r] else "unmatched")
        lines.append(_beside([block[r] for block in blocks], label))
    return lines


def _beside(parts: Sequence[Line], label: Span) -> Line:
    """The word in the middle of two drawings, or to the left of one."""
    if len(parts) == 1:
        return [Span("  "), label, Span(" "), *parts[0]]
    return [Span("  "), *parts[0], Span(" "), label, Span(" "), *parts[1]]


def _head(words: Sequence[str], cells: int) -> list[str]:
    """Words from top to bottom, a column each, their ends in the last line."""
    columns = [_letters(word) for word in words]
    if any(letters is None for letters in columns):  # letters that join or run to the left do not stack
        columns = [list(str(i)) for i in range(1, len(words) + 1)]
    stacked = [letters or [] for letters in columns]
    height = max(map(len, stacked))
    stacked = [[" "] * (height - len(letters)) + letters for letters in stacked]
    return [
        "".join(letters[row] + " " * (cells - cell_width(letters[row])) for letters in stacked)
        for row in range(height)
    ]


def _letters(word: str) -> list[str] | None:
    letters: list[str] = []
    for character in visible(word):
        if unicodedata.bidirectional(character) in ("R", "AL", "AN"):
            return None
        if letters and cell_width(character) == 0:
            letters[-1] += character
        else:
            letters.append(character)
    return letters if len(letters) <= LETTERS else [*letters[: LETTERS - 1], "…"]


def _body(view: SystemView, cells: int) -> list[Line]:
    hypothesis, reference = view.alignment.hypothesis, view.alignment.reference
    rows = [[Span(EMPTY, "rule")] * len(hypothesis) for _ in reference]
    for link in view.alignment.links:
        for r in range(*link.reference):
            for h in range(*link.hypothesis):
                rows[r][h] = Span(GLYPHS.get(link.kind, OTHER), link.kind)
    return [[piece for cell in row for piece in (cell, Span(" " * (cells - 1)))] for row in rows]


def _distribution_document(spread: Distribution) -> dict[str, Any]:
    return {
        "measure": spread.measure,
        "edges": list(spread.edges),
        "open_ended": spread.open_ended,
        "systems": [
            asdict(system) | {"deciles": finites(system.deciles), "mean": finite(system.mean)}
            for system in spread.systems
        ],
    }


def _segment_document(segment: SegmentView) -> dict[str, Any]:
    return {
        "segment": segment.number,
        "source": segment.source,
        "references": list(segment.references),
        "systems": [
            {
                "system": view.system,
                "score": finite(view.score),
                "precision": finite(view.precision),
                "recall": finite(view.recall),
                "fragmentation": finite(view.fragmentation),
                "crossings": view.structure.crossings,
                "chunks": [asdict(chunk) for chunk in view.structure.chunks],
                **asdict(view.alignment),
            }
            for view in segment.systems
        ],
    }
