"""Alignments on a screen: the systems, how measures are spread, sentences with their chunks, a matrix where it fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudge.analysis.alignments import MeasureDistribution, Side, WordRun, word_kinds
from adjudge.analysis.xray import SegmentView, SystemSummary, SystemView, Xray
from adjudge.charts import Picture
from adjudge.display import (
    Cell,
    Column,
    Displayable,
    Frame,
    Line,
    Row,
    Section,
    StyledText,
    Table,
    arrow,
    best_of,
    cell_width,
    shorten,
    sparkline,
    visible,
)
from adjudge.report.pages.xray.matrix import matrix_lines
from adjudge.report.pages.xray.signs import EXTRA, GLYPHS, MEANING, MISSING, OTHER, in_order
from adjudge.report.render.formats import Renderer
from adjudge.report.render.markup import Html
from adjudge.report.render.text import plain, table_lines
from adjudge.wording import digits, number, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.comparison.documents import Arguments
    from adjudge.io import Input

WIDTH = 80
"""What drawings fit where nothing is known of the screen."""
INDENT = 14
"""Columns before the words of a sentence."""
TITLES = {
    "different": "Where the systems differ most",
    "gains": "Where {1} gains most over {0}",
    "losses": "Where {1} loses most against {0}",
    "best": "The best segments",
    "worst": "The worst segments",
    "chosen": "Chosen segments",
}
RANKED = {
    "balanced": "by {} × √words",
    "score": "by {}, however short the segment",
    "influence": "by what they do to the score of all segments",
}


def renderer(
    result: Xray,
    *,
    version: str,
    decimals: int | None = None,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
) -> Renderer:
    """Alignments on a screen, as data, as a page and as a picture."""

    def page() -> Html:
        from adjudge.report.pages.xray import page as xray_page

        return xray_page.page(result, version=version, decimals=decimals)

    def picture() -> Html:
        from adjudge.report.pages.xray import picture as alignment_picture

        return alignment_picture.picture(result, decimals=decimals)

    return Renderer(
        lambda: sections(result, decimals),
        lambda: document(result, version=version, inputs=inputs, arguments=arguments),
        html=page,
        svg=picture,
    )


@dataclass(frozen=True)
class XrayDisplay(Displayable):
    """Alignments in a notebook: the tables, and the picture as an image, so that its own style stays in it."""

    result: Xray

    def notebook_sections(self) -> list[Section]:
        """The systems, and their alignments."""
        from adjudge.report.pages.xray import picture as alignment_picture

        first, *_ = sections(self.result)
        drawn = Picture(title(self.result), lambda: alignment_picture.picture(self.result))
        return [first, Section(title(self.result), notes=(self.result.signature,), charts=(drawn,))]

    def frames(self) -> Mapping[str, Frame]:
        """A row a system."""
        return {"systems": lambda: self.result.systems}


def sections(result: Xray, decimals: int | None = None) -> list[Section]:
    """The systems, how their segments are spread, the segments, what the signs mean."""
    places = result.decimals if decimals is None else decimals
    spread = partial(spread_lines, result.distributions, result.short_label, places)
    signature: Line = [StyledText(f"{visible(result.short_label)}  {visible(result.signature)}", "note")]

    def signs(width: int | None, _: bool) -> list[Line]:
        return [*(legend(result, width or WIDTH) if result.segments else []), signature]

    return [
        Section(tables=(system_table(result, places), word_table(result))),
        Section(drawn=lambda width, _: spread(width)),
        Section(title(result), drawn=lambda width, _: _segments(result, places, width or WIDTH)),
        Section(drawn=signs),
    ]


def _segments(result: Xray, decimals: int, width: int) -> list[Line]:
    """How they were put in order, and each with its drawing."""
    lines: list[Line] = []
    if by := ranking_note(result):
        lines += _fill_lines("", [[StyledText(word, "note")] for word in by.split()], width)
    if not result.segments:
        lines.append([StyledText(empty_note(result))])
    for segment in result.segments:
        lines += [[], *segment_lines(segment, result, decimals, width)]
    return lines


def document(
    result: Xray, *, version: str, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        **({} if arguments is None else {"arguments": arguments.as_document()}),
        "test_set": result.test_set.as_document(),
        "metric": result.metric,
        "signature": result.signature,
        "higher_is_better": result.higher_is_better,
        "shown": result.shown,
        "rank": result.rank or None,
        "systems": [asdict(system) for system in result.systems],
        "distributions": [asdict(spread) for spread in result.distributions],
        "segments": [_segment_document(segment) for segment in result.segments],
    }


def title(result: Xray) -> str:
    """What the segments shown have in common."""
    return TITLES[result.shown].format(*(visible(system.system) for system in result.systems))


def ranking_note(result: Xray) -> str:
    """How segments were put in order; nothing where they were named or there are none."""
    if not result.rank or not result.segments:
        return ""
    alone = result.shown in ("best", "worst")
    what = {"balanced": "distance from the system's score", "score": "score"}.get(result.rank, "")
    return RANKED[result.rank].format(what if alone else "difference of scores")


def empty_note(result: Xray) -> str:
    """Why there is no segment to show."""
    if result.shown in ("best", "worst"):
        return "No segment has a score."
    first, *rest = (visible(system.system) for system in result.systems)
    if result.shown == "different":
        return f"None: {' and '.join([first, *rest])} have the same score in every segment."
    return (
        f"None: {rest[0]} {'gains on' if result.shown == 'gains' else 'loses against'} {first} in no segment."
    )


def influence_note(segment: SegmentView, result: Xray, decimals: int) -> str:
    """What the segment does to the score of the whole."""
    label = visible(result.short_label)
    if not math.isfinite(segment.influence):
        return ""
    places = digits([segment.influence], decimals + 2)
    moved = with_sign(segment.influence, places)
    if len(result.systems) == 1:
        return f"moves the system's {label} by {moved}"
    scores = [view.score for view in segment.systems]
    total = [system.score for system in result.systems]
    whole = with_sign(total[1] - total[0], digits([total[1] - total[0]], decimals))
    return f"{label} {with_sign(scores[1] - scores[0], decimals)}, which is {moved} of the systems' {whole}"


def system_table(result: Xray, decimals: int) -> Table:
    """A row a system."""
    scores = best_of([s.score for s in result.systems], decimals, higher_is_better=result.higher_is_better)
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
        for s, best in zip(result.systems, scores, strict=True)
    ]
    names = ("precision", "recall", "fragmentation", "crossings")
    columns = [Column(result.label, numeric=True, better=arrow(result.higher_is_better))]
    columns += [Column(name, numeric=True) for name in names]
    return Table((Column("System"), *columns), tuple(rows))


def word_table(result: Xray) -> Table:
    """How many of a system's words are in links of each kind, and how many of the reference are in none."""
    kinds = in_order({kind for s in result.systems for kind in s.words})
    columns = [Column(f"{kind} {GLYPHS.get(kind, OTHER)}", numeric=True) for kind in kinds]
    columns += [Column(f"extra {EXTRA}", numeric=True), Column(f"missing {MISSING}", numeric=True)]
    rows = tuple(
        Row((Cell(visible(s.system)), *(Cell(share_text(share)) for _, share in word_shares(s, kinds))))
        for s in result.systems
    )
    return Table((Column("Words"), *columns), rows)


def word_shares(system: SystemSummary, kinds: Sequence[str]) -> list[tuple[str, float]]:
    """Shares of the output's words of each kind and extra, then of the reference's words that are missing."""
    ours, theirs = (float(n) or math.nan for n in (system.hypothesis_words, system.reference_words))
    shares = [(kind, system.words.get(kind, 0) / ours) for kind in kinds]
    return [*shares, ("extra", system.extra / ours), ("missing", system.missing / theirs)]


def share_text(share: float) -> str:
    """A share in percent."""
    return f"{number(100 * share, 1)} %" if math.isfinite(share) else number(share, 1)


def spread_lines(
    distributions: Sequence[MeasureDistribution], label: str, decimals: int, width: int | None
) -> list[Line]:
    """A small histogram for each measure and system, and tenths; less of both on a narrow screen."""
    for merged, tenths in ((1, (1, 5, 9)), (2, (1, 5, 9)), (2, (5,))):
        table = _spread_table(distributions, label, decimals, merged, tenths)
        lines = table_lines(table, width=width)
        if width is None or max(map(cell_width, plain(table_lines(table)).splitlines())) <= width:
            break
    return lines


def _spread_table(
    distributions: Sequence[MeasureDistribution],
    label: str,
    decimals: int,
    merged: int,
    tenths: Sequence[int],
) -> Table:
    rows = []
    for spread in distributions:
        score = spread.measure == "score"
        places = decimals if score else 2
        ends = [number(edge, 0 if score else 1) for edge in (spread.edges[0], spread.edges[-1])]
        for index, system in enumerate(spread.systems):
            values = [number(system.deciles[i], places) if system.deciles else "–" for i in tenths]
            bars = [sum(system.counts[i : i + merged]) for i in range(0, len(system.counts), merged)]
            name = label if score else spread.measure
            picture = f"{ends[0]} {sparkline(bars)} {ends[1]}{'+' if spread.open_ended else ''}"
            cells = [visible(name) if index == 0 else "", picture, visible(system.system), *values]
            rows.append(Row(tuple(map(Cell, cells))))
    # Names come last: where there is little room, they are what is shortened.
    columns = [Column("Segments"), Column("from least to most"), Column("System")]
    columns += [Column("median" if i == 5 else f"{10 * i} %", numeric=True) for i in tenths]
    return Table(tuple(columns), tuple(rows))


def segment_lines(segment: SegmentView, result: Xray, decimals: int, width: int) -> list[Line]:
    """One segment: the texts, and for each system (or both at once where they fit) the drawing."""
    words = [[StyledText(word, "note")] for word in influence_note(segment, result, decimals).split()]
    lines = _fill_lines("", [[StyledText(f"Segment {segment.number} ", "heading")], *words], width)
    if segment.source is not None:
        lines += _label_lines("source", segment.source.split(), width)
    for view in segment.systems:
        lines += [*_facts(view, result, decimals, width), *sentence_lines(view, width)]
    matrices = matrix_lines(segment, width)
    return [*lines, [], *matrices] if matrices else lines


def sentence_lines(view: SystemView, width: int) -> list[Line]:
    """The reference and the hypothesis, their words marked and in numbered chunks."""
    lines: list[Line] = []
    for side, words in (("reference", view.alignment.reference), ("hypothesis", view.alignment.hypothesis)):
        pieces = list(_pieces(view, side, words, width - INDENT - 8))  # type: ignore[arg-type]
        lines += _fill_lines(f"  {side:<{INDENT - 2}}", pieces or [[StyledText("(empty)", "note")]], width)
    return lines


def legend(result: Xray, width: int) -> list[Line]:
    """What the signs mean that were used."""
    used = {link.kind for s in result.segments for view in s.systems for link in view.alignment.links}
    entries = [
        (kind, GLYPHS.get(kind, OTHER), f"{kind}: {MEANING.get(kind, kind)};") for kind in in_order(used)
    ]
    entries += [("unmatched", MISSING, "only in the reference;"), ("unmatched", EXTRA, "only in the output;")]
    pieces: list[Line] = []
    for style, glyph, told in [*entries, ("note", "1[ ]", "chunk")]:
        first, *words = visible(told).split(" ")
        pieces.append([StyledText(glyph, style), StyledText(f" {first}", "note")])
        pieces += [[StyledText(word, "note")] for word in words]
    return _fill_lines("", pieces, width)


def _facts(view: SystemView, result: Xray, decimals: int, width: int) -> list[Line]:
    s = view.structure
    parts = [
        f"{visible(result.short_label)} {number(view.score, decimals)}",
        f"P {number(view.precision, 2)}",
        f"R {number(view.recall, 2)}",
        f"fragmentation {number(view.fragmentation, 2)}",
        pluralise(len(s.chunks), "chunk"),
        pluralise(s.crossings, "crossing"),
    ]
    parts += [pluralise(len(view.alignment.shifts), "shift")] if view.alignment.shifts else []
    parts += [f"by reference {view.reference}"] if result.test_set.references > 1 else []
    name = StyledText(shorten(visible(view.system), width), "heading")
    words = f" {', '.join(parts)}".split(", ")
    pieces = [[StyledText(word + ("," if word is not words[-1] else ""), "note")] for word in words]
    return _fill_lines("", [[name], *pieces], width)


def _pieces(view: SystemView, side: Side, words: Sequence[str], room: int) -> Iterator[Line]:
    """Words with their marks; brackets stay with the word they open or close at."""
    kinds = word_kinds(view.alignment, side)
    opens, closes = _brackets(view.structure.chunks, side)
    extra = MISSING if side == "reference" else EXTRA
    for index, (word, kind) in enumerate(zip(words, kinds, strict=True)):
        mark = (GLYPHS.get(kind, OTHER) if kind != "exact" else "") if kind else extra
        piece = [StyledText(f"{mark}{shorten(visible(word), max(8, room))}", kind or "unmatched")]
        if index in opens:
            piece.insert(0, StyledText(f"{opens[index]}[", "note"))
        if index in closes:
            piece.append(StyledText("]", "note"))
        yield piece


def _brackets(chunks: Sequence[WordRun], side: Side) -> tuple[dict[int, int], set[int]]:
    ranges = [getattr(chunk, side) for chunk in chunks]
    return {begin: i for i, (begin, _) in enumerate(ranges, 1)}, {end - 1 for _, end in ranges}


def _fill_lines(indent: str, pieces: Sequence[Line], width: int) -> list[Line]:
    """Pieces with spaces between them, in lines of that width."""
    lines: list[Line] = [[StyledText(indent, "note")]]
    used = cell_width(indent)
    for piece in pieces:
        wide = sum(cell_width(span.text) for span in piece)
        first = len(lines[-1]) == 1
        if not first and used + 1 + wide > width:
            lines.append([StyledText(" " * cell_width(indent))])
            used, first = cell_width(indent), True
        lines[-1] += piece if first else [StyledText(" "), *piece]
        used += wide + (not first)
    return lines


def _label_lines(label: str, words: Sequence[str], width: int) -> list[Line]:
    pieces = [[StyledText(shorten(visible(word), width - INDENT))] for word in words]
    return _fill_lines(f"  {label:<{INDENT - 2}}", pieces, width)


def _segment_document(segment: SegmentView) -> dict[str, Any]:
    return {
        "segment": segment.number,
        "influence": segment.influence,
        "source": segment.source,
        "references": list(segment.references),
        "systems": [
            {
                "system": view.system,
                "reference_number": view.reference,
                "score": view.score,
                "precision": view.precision,
                "recall": view.recall,
                "fragmentation": view.fragmentation,
                "crossings": view.structure.crossings,
                "chunks": [asdict(chunk) for chunk in view.structure.chunks],
                **asdict(view.alignment),
            }
            for view in segment.systems
        ],
    }
