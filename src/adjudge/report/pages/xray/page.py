"""Alignments as a page for a browser: one file that needs nothing else, light and dark, with or without a mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.analysis.alignments import Side
from adjudge.analysis.xray import SegmentView, SystemView, Xray
from adjudge.data import Link
from adjudge.display import arrow
from adjudge.report.pages.xray import spreads as xray_spreads
from adjudge.report.pages.xray.signs import EXTRA, GLYPHS, MEANING, OTHER, in_order, kind_class
from adjudge.report.pages.xray.xray import empty_note, influence_note, ranking_note, title
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, text
from adjudge.report.render.page import page as whole_page
from adjudge.wording import number, pluralise

ROW = 28
"""Height of a word in the drawings' own units; the style sheet's 1.75rem stretch to any size of letters."""
OPEN = 80
"""Drawings of more rows wait until they are opened."""
CLASSES = ("first", "second")


def page(result: Xray, *, version: str, decimals: int | None = None) -> Html:
    """The whole page."""
    decimals = result.decimals if decimals is None else decimals
    names = " and ".join(system.system for system in result.systems)
    known = result.test_set
    size = f"{pluralise(known.segments, 'segment')}, {pluralise(known.references, 'reference')}"
    about = f"test set “{known.name}” ({size})" if known.name else size
    body = [
        html("<header>"),
        html('<h1>{} under the <span class="whole">X-ray</span></h1>', names),
        html('<p class="soft">Which words match the reference, and how, by {}; {}.</p>', result.label, about),
        html("</header>"),
        html("<main>"),
        _summary(result, decimals),
        html("<h2>How the words match</h2>"),
        xray_spreads.words_section(result),
        html("<h2>How the segments are spread</h2>"),
        xray_spreads.section(result, decimals),
        html("<h2>{}</h2>", title(result)),
        html('<p class="soft">{}.</p>', _sentence_case(ranking_note(result)))
        if ranking_note(result)
        else NOTHING,
        _legend(result) if result.segments else NOTHING,
        _contents(result, decimals),
        *(_segment(segment, result, decimals) for segment in result.segments),
        html("</main>"),
        html("<footer><p>adjudge {}</p><p><code>{}</code></p>", version, result.signature),
        html(
            "<p>Precision and recall are the parts of the output and of the reference that match; "
            "fragmentation is chunks per matched word. A chunk is a run of matches in the same order on both "
            "sides.</p></footer>"
        ),
        html('<p id="telling" aria-live="polite"></p>'),
    ]
    plain = " and ".join(system.system for system in result.systems)
    return whole_page(f"X-ray: {plain}", body, styles=["xray.css"], script="xray.js")


def _system(name: str, index: int) -> Html:
    return html('<span class="system {}">{}</span>', CLASSES[index], name)


def _sentence_case(told: str) -> str:
    return told[:1].upper() + told[1:]


def _summary(result: Xray, decimals: int) -> Html:
    heads = [f"{result.short_label} {arrow(result.higher_is_better)}", "precision", "recall"]
    rows = [
        html(
            '<tr><th scope="row">{}</th><td class="score">{}</td>',
            _system(s.system, index),
            number(s.score, decimals),
        )
        + NOTHING.join(
            html("<td>{}</td>", number(value, 3)) for value in (s.precision, s.recall, s.fragmentation)
        )
        + html("</tr>")
        for index, s in enumerate(result.systems)
    ]
    columns = NOTHING.join(html('<th scope="col">{}</th>', head) for head in heads)
    columns += html('<th scope="col">fragmen&shy;tation</th>')
    head = html('<thead><tr><th scope="col">System</th>{}</tr></thead>', columns)
    return html('<table class="summary">{}<tbody>{}</tbody></table>', head, NOTHING.join(rows))


def _legend(result: Xray) -> Html:
    used = {link.kind for s in result.segments for view in s.systems for link in view.alignment.links}
    told = {kind: f"{kind}: {MEANING.get(kind, kind)}" for kind in in_order(used)}
    signs = {kind: GLYPHS.get(kind, OTHER) for kind in told} | {"": EXTRA}
    told[""] = "unmatched"
    items = [
        html(
            '<li><button type="button" aria-pressed="false" class="{}" data-kind="{}">'
            '<span class="glyph" aria-hidden="true">{}</span>{}</button></li>',
            kind_class(kind),
            kind_class(kind),
            signs[kind],
            meaning,
        )
        for kind, meaning in told.items()
    ]
    items.append(html('<li class="soft"><span class="shade" aria-hidden="true"></span>shaded: a chunk</li>'))
    return html(
        '<ul class="legend" aria-label="Kinds of links; press one to see it alone">{}</ul>',
        NOTHING.join(items),
    )


def _contents(result: Xray, decimals: int) -> Html:
    if not result.segments:
        return html("<p>{}</p>", empty_note(result))
    if len(result.segments) == 1:
        return NOTHING
    items = [
        html('<li><a href="#segment-{}">{}: ', s.number, s.number)
        + " → ".join(number(view.score, decimals) for view in s.systems)
        + html("</a></li>")
        for s in result.segments
    ]
    return html('<nav aria-label="Segments"><ul class="contents">{}</ul></nav>', NOTHING.join(items))


def _segment(segment: SegmentView, result: Xray, decimals: int) -> Html:
    texts = []
    if segment.source is not None:
        texts.append(html('<dt>source</dt><dd dir="auto">{}</dd>', segment.source))
    for index, reference in enumerate(segment.references, 1):
        if reference is not None:
            name = "reference" if len(segment.references) == 1 else f"reference {index}"
            texts.append(html('<dt>{}</dt><dd dir="auto">{}</dd>', name, reference or html("<i>empty</i>")))
    for index, view in enumerate(segment.systems):
        told = _sentence(segment.number, index, view) + _facts(view, result, decimals)
        texts.append(html("<dt>{}</dt><dd>{}</dd>", _system(view.system, index), told))
    drawings = (
        [_drawing(segment, list(enumerate(segment.systems)))]
        if segment.same_reference
        else [_drawing(segment, [entry]) for entry in enumerate(segment.systems)]
    )
    return html(
        '<article id="segment-{}" aria-labelledby="title-{}">\n<h3 id="title-{}">Segment {}</h3>\n<p '
        'class="soft standing">{}</p>\n<dl class="text">{}</dl>\n{}</article>',
        segment.number,
        segment.number,
        segment.number,
        segment.number,
        _sentence_case(influence_note(segment, result, decimals)),
        NOTHING.join(texts),
        NOTHING.join(drawings),
    )


def _facts(view: SystemView, result: Xray, decimals: int) -> Html:
    s = view.structure
    parts = [
        html("{} <b>{}</b>", result.short_label, number(view.score, decimals)),
        f"precision {number(view.precision, 2)}",
        f"recall {number(view.recall, 2)}",
        f"fragmentation {number(view.fragmentation, 2)}",
        pluralise(len(s.chunks), "chunk"),
        pluralise(s.crossings, "crossing"),
    ]
    parts += [pluralise(len(view.alignment.shifts), "shift")] if view.alignment.shifts else []
    parts += [f"by reference {view.reference}"] if result.test_set.references > 1 else []
    return html('<span class="facts">{}</span>', html(" · ").join(parts))


def _sentence(number: int, index: int, view: SystemView) -> Html:
    words = [
        html('<mark class="{}"', kind_class(link.kind if link else ""))
        + (html(' data-links="{}"', _name(number, index, n)) if link else "")
        + html(">{}</mark>", word)
        for word, (n, link) in zip(view.alignment.hypothesis, _links_by_word(view, "hypothesis"), strict=True)
    ]
    if not words:
        return html("<div><i>empty</i></div>")
    return html('<div dir="auto" data-words="words-{}-{}">{}</div>', number, index, html(" ").join(words))


def _drawing(segment: SegmentView, views: Sequence[tuple[int, SystemView]]) -> Html:
    """The words of the reference from top to bottom, those of the systems beside them, and lines between."""
    number = segment.number
    rows = max(
        len(words) for _, view in views for words in (view.alignment.hypothesis, view.alignment.reference)
    )
    if not rows:
        return NOTHING
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
    who = "they match" if len(views) == 2 else f"{first.system} matches"
    return html(
        '<details{}><summary>How {} ({})</summary><div class="draw{}">{}\n{}</div></details>\n',
        state,
        who,
        pluralise(rows, "word"),
        size,
        NOTHING.join(heads),
        NEW_LINE.join(columns),
    )


def _head(inner: str, place: str = "") -> Html:
    return html('<div class="head {}">{}</div>', place, inner)


def _words(number: int, index: int, view: SystemView, place: str) -> Html:
    links = _links_by_word(view, "hypothesis")
    items = [
        _word(
            word,
            f"{kind_class(link.kind if link else '')}",
            [_name(number, index, n)] if link else [],
            _link_text(view, link, word, "hypothesis"),
            first=position == 0,
        )
        for position, (word, (n, link)) in enumerate(zip(view.alignment.hypothesis, links, strict=True))
    ]
    if not items:
        return html('<p class="words soft {}">empty</p>', place)
    named = html('id="words-{}-{}" aria-label="output of {}"', number, index, view.system)
    return html('<ol class="words {}" {}>{}</ol>', place, named, NOTHING.join(items))


def _reference(number: int, views: Sequence[tuple[int, SystemView]]) -> Html:
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
            told = _link_text(view, link, word, "reference")
            tells.append(f"{view.system}: {told}" if len(views) > 1 else told)
        items.append(_word(word, " ".join(classes) or "none", names, "; ".join(tells), first=position == 0))
    if not items:
        return html('<p class="words soft middle">empty</p>')
    return html('<ol class="words middle" aria-label="reference">{}</ol>', NOTHING.join(items))


def _word(word: str, classes: str, names: Sequence[str], told: str, *, first: bool) -> Html:
    # One word of a column can be reached with the tabulator, the others from there with arrows.
    linked = html(' data-links="{}"', " ".join(names)) if names else ""
    return html(
        '<li class="{}" tabindex="{}"{}><span class="word" dir="auto">{}</span><span class="sr">: {}</span></li>',
        classes,
        0 if first else -1,
        linked,
        word,
        told,
    )


def _links_by_word(view: SystemView, side: Side) -> list[tuple[int, Link | None]]:
    by_word: list[tuple[int, Link | None]] = [(0, None)] * len(getattr(view.alignment, side))
    for n, link in enumerate(view.alignment.links):
        for position in range(*getattr(link, side)):
            by_word[position] = (n, link)
    return by_word


def _name(number: int, index: int, link: int) -> str:
    return f"{number}-{index}-{link}"


def _link_text(view: SystemView, link: Link | None, word: str, side: Side) -> str:
    if link is None:
        return f"“{word}” only in the {'reference' if side == 'reference' else 'output'}"
    ours = " ".join(view.alignment.hypothesis[slice(*link.hypothesis)])
    theirs = " ".join(view.alignment.reference[slice(*link.reference)])
    told = f"“{ours}” for “{theirs}”, {link.kind}"
    for n, chunk in enumerate(view.structure.chunks, 1):
        if link.matches and chunk.reference[0] <= link.reference[0] < chunk.reference[1]:
            return f"{told}, chunk {n} of {len(view.structure.chunks)}"
    return told


def _lines(number: int, index: int, view: SystemView, rows: int, *, flipped: bool) -> Html:
    """Chunks as bands and links as lines; the hypothesis is to the left unless flipped."""
    height = rows * ROW
    shapes = [
        html('<path class="chunk" d="{}"/>', _band(chunk.hypothesis, chunk.reference, flipped=flipped))
        for chunk in view.structure.chunks
    ]
    for n, link in enumerate(view.alignment.links):
        path = _curve(link, flipped=flipped)
        named = html('data-links="{}"', _name(number, index, n))
        if any(end - begin > 1 for begin, end in (link.hypothesis, link.reference)):
            band = _band(link.hypothesis, link.reference, flipped=flipped)
            shapes.append(html('<path class="phrase {}" {} d="{}"/>', kind_class(link.kind), named, band))
        shapes.append(html('<path class="link {}" {} d="{}"/>', kind_class(link.kind), named, path))
        shapes.append(html('<path class="hit" {} d="{}"/>', named, path))
    label = text(
        f"{pluralise(len(view.alignment.links), 'link')} between {view.system} and the reference: "
        + (", ".join(_told_kinds(view)) or "none")
    )
    return html(
        '<svg role="img" aria-label="{}" viewBox="0 0 100 {}" preserveAspectRatio="none" '
        'style="height:calc(var(--row) * {})">{}</svg>',
        label,
        height,
        rows,
        NOTHING.join(shapes),
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
