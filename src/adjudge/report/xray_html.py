"""Alignments as a page for a browser: one file that needs nothing else, light and dark, with or without a mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from adjudge.analysis.alignments import Side
from adjudge.analysis.xray import SegmentView, SystemView, Xray
from adjudge.data import Link
from adjudge.report import xray_spread
from adjudge.report.page import page as whole_page
from adjudge.report.page import text
from adjudge.report.table import arrow, number
from adjudge.report.xray import nothing, ranked, standing, title
from adjudge.report.xray_signs import EXTRA, GLYPHS, MEANING, OTHER, in_order, kind_class
from adjudge.wording import counted

ROW = 28
"""Height of a word in the drawings' own units; the style sheet's 1.75rem stretch to any size of letters."""
OPEN = 80
"""Drawings of more rows wait until they are opened."""
CLASSES = ("first", "second")


def page(found: Xray, *, version: str, decimals: int | None = None) -> str:
    """The whole page."""
    decimals = found.decimals if decimals is None else decimals
    names = " and ".join(text(system.system) for system in found.systems)
    known = found.test_set
    size = f"{counted(known.segments, 'segment')}, {counted(known.references, 'reference')}"
    about = f"test set “{text(known.name)}” ({size})" if known.name else size
    body = [
        "<header>",
        f'<h1>{names} under the <span class="whole">X-ray</span></h1>',
        f'<p class="soft">Which words match the reference, and how, by {text(found.label)}; {about}.</p>',
        "</header>",
        "<main>",
        _summary(found, decimals),
        "<h2>How the words match</h2>",
        xray_spread.words_section(found),
        "<h2>How the segments are spread</h2>",
        xray_spread.section(found, decimals),
        f"<h2>{escape(title(found))}</h2>",
        f'<p class="soft">{escape(_sentence_case(ranked(found)))}.</p>' if ranked(found) else "",
        _legend(found) if found.segments else "",
        _contents(found, decimals),
        *(_segment(segment, found, decimals) for segment in found.segments),
        "</main>",
        f"<footer><p>adjudge {escape(version)}</p><p><code>{text(found.signature)}</code></p>",
        "<p>Precision and recall are the parts of the output and of the reference that match; fragmentation is "
        "chunks per matched word. A chunk is a run of matches in the same order on both sides.</p></footer>",
        '<p id="telling" aria-live="polite"></p>',
    ]
    plain = " and ".join(system.system for system in found.systems)
    return whole_page(f"X-ray: {plain}", body, styles=["xray.css"], script="xray.js")


def _system(name: str, index: int) -> str:
    return f'<span class="system {CLASSES[index]}">{text(name)}</span>'


def _sentence_case(told: str) -> str:
    return told[:1].upper() + told[1:]


def _summary(found: Xray, decimals: int) -> str:
    heads = [f"{found.short_label} {arrow(found.higher_is_better)}", "precision", "recall"]
    rows = [
        f'<tr><th scope="row">{_system(s.system, index)}</th><td class="score">{number(s.score, decimals)}</td>'
        + "".join(f"<td>{number(value, 3)}</td>" for value in (s.precision, s.recall, s.fragmentation))
        + "</tr>"
        for index, s in enumerate(found.systems)
    ]
    columns = "".join(f'<th scope="col">{text(head)}</th>' for head in heads)
    columns += '<th scope="col">fragmen&shy;tation</th>'
    head = f'<thead><tr><th scope="col">System</th>{columns}</tr></thead>'
    return f'<table class="summary">{head}<tbody>{"".join(rows)}</tbody></table>'


def _legend(found: Xray) -> str:
    used = {link.kind for s in found.segments for view in s.systems for link in view.alignment.links}
    told = {kind: f"{kind}: {MEANING.get(kind, kind)}" for kind in in_order(used)}
    signs = {kind: GLYPHS.get(kind, OTHER) for kind in told} | {"": EXTRA}
    told[""] = "unmatched"
    items = [
        f'<li><button type="button" aria-pressed="false" class="{kind_class(kind)}" data-kind="{kind_class(kind)}">'
        f'<span class="glyph" aria-hidden="true">{signs[kind]}</span>{text(meaning)}</button></li>'
        for kind, meaning in told.items()
    ]
    items.append('<li class="soft"><span class="shade" aria-hidden="true"></span>shaded: a chunk</li>')
    return f'<ul class="legend" aria-label="Kinds of links; press one to see it alone">{"".join(items)}</ul>'


def _contents(found: Xray, decimals: int) -> str:
    if not found.segments:
        return f"<p>{escape(nothing(found))}</p>"
    if len(found.segments) == 1:
        return ""
    items = [
        f'<li><a href="#segment-{s.number}">{s.number}: '
        + " → ".join(number(view.score, decimals) for view in s.systems)
        + "</a></li>"
        for s in found.segments
    ]
    return f'<nav aria-label="Segments"><ul class="contents">{"".join(items)}</ul></nav>'


def _segment(segment: SegmentView, found: Xray, decimals: int) -> str:
    texts = []
    if segment.source is not None:
        texts.append(f'<dt>source</dt><dd dir="auto">{text(segment.source)}</dd>')
    for index, reference in enumerate(segment.references, 1):
        if reference is not None:
            name = "reference" if len(segment.references) == 1 else f"reference {index}"
            texts.append(f'<dt>{name}</dt><dd dir="auto">{text(reference) or "<i>empty</i>"}</dd>')
    for index, view in enumerate(segment.systems):
        told = f"{_sentence(segment.number, index, view)}{_facts(view, found, decimals)}"
        texts.append(f"<dt>{_system(view.system, index)}</dt><dd>{told}</dd>")
    drawings = (
        [_drawing(segment, list(enumerate(segment.systems)))]
        if segment.same_reference
        else [_drawing(segment, [entry]) for entry in enumerate(segment.systems)]
    )
    return (
        f'<article id="segment-{segment.number}" aria-labelledby="title-{segment.number}">\n'
        f'<h3 id="title-{segment.number}">Segment {segment.number}</h3>\n'
        f'<p class="soft standing">{escape(_sentence_case(standing(segment, found, decimals)))}</p>\n'
        f'<dl class="text">{"".join(texts)}</dl>\n{"".join(drawings)}</article>'
    )


def _facts(view: SystemView, found: Xray, decimals: int) -> str:
    s = view.structure
    parts = [
        f"{text(found.short_label)} <b>{number(view.score, decimals)}</b>",
        f"precision {number(view.precision, 2)}",
        f"recall {number(view.recall, 2)}",
        f"fragmentation {number(view.fragmentation, 2)}",
        counted(len(s.chunks), "chunk"),
        counted(s.crossings, "crossing"),
    ]
    parts += [counted(len(view.alignment.shifts), "shift")] if view.alignment.shifts else []
    parts += [f"by reference {view.reference}"] if found.test_set.references > 1 else []
    return f'<span class="facts">{" · ".join(parts)}</span>'


def _sentence(number: int, index: int, view: SystemView) -> str:
    words = [
        f'<mark class="{kind_class(link.kind if link else "")}"'
        + (f' data-links="{_name(number, index, n)}"' if link else "")
        + f">{text(word)}</mark>"
        for word, (n, link) in zip(view.alignment.hypothesis, _links_by_word(view, "hypothesis"), strict=True)
    ]
    if not words:
        return "<div><i>empty</i></div>"
    return f'<div dir="auto" data-words="words-{number}-{index}">{" ".join(words)}</div>'


def _drawing(segment: SegmentView, views: Sequence[tuple[int, SystemView]]) -> str:
    """The words of the reference from top to bottom, those of the systems beside them, and lines between."""
    number = segment.number
    rows = max(
        len(words) for _, view in views for words in (view.alignment.hypothesis, view.alignment.reference)
    )
    if not rows:
        return ""
    index, first = views[0]
    which = "reference" if len(segment.references) == 1 else f"reference {first.reference}"
    heads = [_head(_system(first.system, index), "left"), _head(""), _head(which, "middle")]
    columns = [_words(number, index, first, "left"), _lines(number, index, first, rows, flipped=False)]
    columns.append(_reference(number, views))
    if len(views) == 2:
        index, second = views[1]
        heads += [_head(""), _head(_system(second.system, index), "right")]
        columns += [_lines(number, index, second, rows, flipped=True), _words(number, index, second, "right")]
    size = " two" if len(views) == 2 else ""
    state = " open" if rows <= OPEN else ""
    who = "they match" if len(views) == 2 else f"{text(first.system)} matches"
    return (
        f"<details{state}><summary>How {who} ({counted(rows, 'word')})</summary>"
        f'<div class="draw{size}">{"".join(heads)}\n{chr(10).join(columns)}</div></details>\n'
    )


def _head(inner: str, place: str = "") -> str:
    return f'<div class="head {place}">{inner}</div>'


def _words(number: int, index: int, view: SystemView, place: str) -> str:
    links = _links_by_word(view, "hypothesis")
    items = [
        _word(
            word,
            f"{kind_class(link.kind if link else '')}",
            [_name(number, index, n)] if link else [],
            _told(view, link, word, "hypothesis"),
            first=position == 0,
        )
        for position, (word, (n, link)) in enumerate(zip(view.alignment.hypothesis, links, strict=True))
    ]
    if not items:
        return f'<p class="words soft {place}">empty</p>'
    named = f'id="words-{number}-{index}" aria-label="output of {text(view.system)}"'
    return f'<ol class="words {place}" {named}>{"".join(items)}</ol>'


def _reference(number: int, views: Sequence[tuple[int, SystemView]]) -> str:
    words = views[0][1].alignment.reference
    sides = [_links_by_word(view, "reference") for _, view in views]
    items = []
    for position, word in enumerate(words):
        classes, names, tells = [], [], []
        for (index, view), links, letter in zip(views, sides, "lr", strict=False):
            n, link = links[position]
            if link is not None:
                classes.append(f"{letter}-{kind_class(link.kind)}")
                names.append(_name(number, index, n))
            told = _told(view, link, word, "reference")
            tells.append(f"{view.system}: {told}" if len(views) > 1 else told)
        items.append(_word(word, " ".join(classes) or "none", names, "; ".join(tells), first=position == 0))
    if not items:
        return '<p class="words soft middle">empty</p>'
    return f'<ol class="words middle" aria-label="reference">{"".join(items)}</ol>'


def _word(word: str, classes: str, names: Sequence[str], told: str, *, first: bool) -> str:
    # One word of a column can be reached with the tabulator, the others from there with arrows.
    linked = f' data-links="{" ".join(names)}"' if names else ""
    return (
        f'<li class="{classes}" tabindex="{0 if first else -1}"{linked}>'
        f'<span class="word" dir="auto">{text(word)}</span><span class="sr">: {text(told)}</span></li>'
    )


def _links_by_word(view: SystemView, side: Side) -> list[tuple[int, Link | None]]:
    found: list[tuple[int, Link | None]] = [(0, None)] * len(getattr(view.alignment, side))
    for n, link in enumerate(view.alignment.links):
        for position in range(*getattr(link, side)):
            found[position] = (n, link)
    return found


def _name(number: int, index: int, link: int) -> str:
    return f"{number}-{index}-{link}"


def _told(view: SystemView, link: Link | None, word: str, side: Side) -> str:
    if link is None:
        return f"“{word}” only in the {'reference' if side == 'reference' else 'output'}"
    ours = " ".join(view.alignment.hypothesis[slice(*link.hypothesis)])
    theirs = " ".join(view.alignment.reference[slice(*link.reference)])
    told = f"“{ours}” for “{theirs}”, {link.kind}"
    for n, chunk in enumerate(view.structure.chunks, 1):
        if link.matches and chunk.reference[0] <= link.reference[0] < chunk.reference[1]:
            return f"{told}, chunk {n} of {len(view.structure.chunks)}"
    return told


def _lines(number: int, index: int, view: SystemView, rows: int, *, flipped: bool) -> str:
    """Chunks as bands and links as lines; the hypothesis is to the left unless flipped."""
    height = rows * ROW
    shapes = [
        f'<path class="chunk" d="{_band(chunk.hypothesis, chunk.reference, flipped=flipped)}"/>'
        for chunk in view.structure.chunks
    ]
    for n, link in enumerate(view.alignment.links):
        path = _curve(link, flipped=flipped)
        named = f'data-links="{_name(number, index, n)}"'
        if any(end - begin > 1 for begin, end in (link.hypothesis, link.reference)):
            band = _band(link.hypothesis, link.reference, flipped=flipped)
            shapes.append(f'<path class="phrase {kind_class(link.kind)}" {named} d="{band}"/>')
        shapes.append(f'<path class="link {kind_class(link.kind)}" {named} d="{path}"/>')
        shapes.append(f'<path class="hit" {named} d="{path}"/>')
    label = text(
        f"{counted(len(view.alignment.links), 'link')} between {view.system} and the reference: "
        + (", ".join(_told_kinds(view)) or "none")
    )
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 100 {height}" preserveAspectRatio="none" '
        f'style="height:calc(var(--row) * {rows})">{"".join(shapes)}</svg>'
    )


def _told_kinds(view: SystemView) -> Iterator[str]:
    for kind, count in view.structure.kinds.items():
        yield f"{count} {kind}"


def _curve(link: Link, *, flipped: bool) -> str:
    ours, theirs = (sum(side) * ROW / 2 for side in (link.hypothesis, link.reference))
    start, end = (theirs, ours) if flipped else (ours, theirs)
    return f"M0 {start:g}C50 {start:g} 50 {end:g} 100 {end:g}"


def _band(hypothesis: tuple[int, int], reference: tuple[int, int], *, flipped: bool) -> str:
    left, right = (reference, hypothesis) if flipped else (hypothesis, reference)
    top, bottom = left[0] * ROW + 2, left[1] * ROW - 2
    other, under = right[0] * ROW + 2, right[1] * ROW - 2
    return f"M0 {top}C50 {top} 50 {other} 100 {other}V{under}C50 {under} 50 {bottom} 0 {bottom}Z"
