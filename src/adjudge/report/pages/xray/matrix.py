"""Alignments as a matrix on a screen: a row for every word of the reference, a column for every one of the output."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from adjudge.analysis.alignments import word_kinds
from adjudge.analysis.xray import SegmentView, SystemView
from adjudge.display import Line, StyledText, cell_width, shorten, visible
from adjudge.report.pages.xray.signs import GLYPHS, OTHER

LABEL = 16
"""Columns for words beside a matrix."""
LETTERS = 12
"""Letters of words above a matrix."""
ROWS = 40
"""A matrix of more words is a desert of dots: sentences and pages show them better."""
WIDE = 2
"""Columns of a word, for letters above it need room between them."""
EMPTY = "·"


def matrix_lines(segment: SegmentView, width: int) -> list[Line]:
    """Two systems beside each other where they fit, else one below the other; a note where there are too many words."""
    views = [view for view in segment.systems if view.alignment.hypothesis and view.alignment.reference]
    if len(views) == 2 and segment.same_reference and _fits(views, width):
        return _matrix(views, width)
    lines: list[Line] = []
    views = [view for view in views if not _same(view)]
    for view in views:
        if _fits([view], width):
            lines += [[], *_matrix([view], width, named=len(segment.systems) > 1)]
    if not all(_fits([view], width) for view in views):
        note = f"  {'Others have' if lines else 'There are'} too many words to draw here; -o page.html draws them."
        lines += [[], [StyledText(shorten(note, width), "note")]]
    return lines[1:]


def _same(view: SystemView) -> bool:
    """Whether all is the same, of which a matrix shows nothing but its diagonal."""
    return view.alignment.hypothesis == view.alignment.reference and len(view.structure.chunks) == 1


def _fits(views: Sequence[SystemView], width: int) -> bool:
    """Whether there is room for it, and so few words that there is something to see."""
    room = width - _label_width(views[0]) - 2 - len(views)
    words = sum(len(view.alignment.hypothesis) for view in views)
    return WIDE * words <= room and len(views[0].alignment.reference) <= ROWS


def _label_width(view: SystemView) -> int:
    return min(LABEL, max(cell_width(visible(word)) for word in view.alignment.reference))


def _matrix(views: Sequence[SystemView], width: int, *, named: bool = False) -> list[Line]:
    room = _label_width(views[0])
    names = [visible(view.system) for view in views]
    heads = [_head(view.alignment.hypothesis) for view in views]
    height = max(map(len, heads))
    heads = [[" " * cell_width(head[-1])] * (height - len(head)) + head for head in heads]
    blocks = [_body(view) for view in views]
    lines: list[Line] = []
    if len(views) == 2:
        left = WIDE * len(views[0].alignment.hypothesis) + room + 2
        first, second = shorten(names[0], left - 1), shorten(names[1], width - left - 2)
        lines.append([StyledText(f"  {first}{' ' * (left - cell_width(first))}{second}", "heading")])
    elif named:
        lines.append([StyledText(f"  {shorten(names[0], width - 2)}", "heading")])
    for row in range(height):
        parts = [[StyledText(head[row])] for head in heads]
        lines.append(_middle_word(parts, StyledText(" " * room)))
    words = views[0].alignment.reference
    matched = [any(word_kinds(view.alignment, "reference")[r] for view in views) for r in range(len(words))]
    for r, word in enumerate(words):
        text = shorten(visible(word), room)
        label = StyledText(text + " " * (room - cell_width(text)), "" if matched[r] else "unmatched")
        lines.append(_middle_word([block[r] for block in blocks], label))
    return lines


def _middle_word(parts: Sequence[Line], label: StyledText) -> Line:
    """The word in the middle of two drawings, or to the left of one."""
    if len(parts) == 1:
        return [StyledText("  "), label, StyledText(" "), *parts[0]]
    return [StyledText("  "), *parts[0], StyledText(" "), label, StyledText(" "), *parts[1]]


def _head(words: Sequence[str]) -> list[str]:
    """Words from top to bottom, a column each, their ends in the last line."""
    columns = [_letters(word) for word in words]
    if any(letters is None for letters in columns):  # letters that join or run to the left do not stack
        columns = [list(str(i)) for i in range(1, len(words) + 1)]
    stacked = [letters or [] for letters in columns]
    height = max(map(len, stacked))
    stacked = [[" "] * (height - len(letters)) + letters for letters in stacked]
    return [
        "".join(letters[row] + " " * (WIDE - cell_width(letters[row])) for letters in stacked)
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


def _body(view: SystemView) -> list[Line]:
    hypothesis, reference = view.alignment.hypothesis, view.alignment.reference
    rows = [[StyledText(EMPTY, "rule")] * len(hypothesis) for _ in reference]
    for link in view.alignment.links:
        for r in range(*link.reference):
            for h in range(*link.hypothesis):
                rows[r][h] = StyledText(GLYPHS.get(link.kind, OTHER), link.kind)
    return [[piece for cell in row for piece in (cell, StyledText(" " * (WIDE - 1)))] for row in rows]
