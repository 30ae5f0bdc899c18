"""TER by its definition, slowly: every candidate shift is made and its edit distance computed from nothing.

Two programs define TER in practice. They agree on the edit distance and on what a shift is, and differ in which shifts
they look at, in what they do on long segments, and in how they cut text into words.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

INFINITY = float("inf")
LONGEST = 10  # words that may move together
FARTHEST = 50  # how far


@dataclass(frozen=True)
class Alignment:
    """The edits and which hypothesis word stands where a reference word does."""

    edits: int
    hypothesis_of: list[int]  # position in the hypothesis, or the one before the gap
    hypothesis_wrong: list[bool]
    reference_wrong: list[bool]


def sacrebleu_edits(hypothesis: list[str], reference: list[str]) -> int:
    """Edits and shifts as sacreBLEU counts them."""
    if not reference:
        return len(hypothesis)
    words, shifts, tried = list(hypothesis), 0, 0
    while True:
        now = beam_alignment(words, reference)
        best: tuple[int, int, int, int] | None = None
        shifted = words
        for start, target_start, length in matching_spans(words, reference):
            if not movable(now, start, target_start, length):
                continue
            for target in targets(now, target_start, length):
                moved = move(words, start, length, target)
                tried += 1
                rank = (now.edits - beam_alignment(moved, reference).edits, length, -start, -target)
                if best is None or rank > best:
                    best, shifted = rank, moved
            if tried >= 1000:
                break
        if tried >= 1000 or best is None or best[0] <= 0:
            return shifts + now.edits
        words, shifts = shifted, shifts + 1


def matching_spans(words: list[str], reference: list[str]) -> list[tuple[int, int, int]]:
    """(start in hypothesis, start in reference, length) of equal spans."""
    spans = []
    for start in range(len(words)):
        for target in range(len(reference)):
            if abs(start - target) > FARTHEST:
                continue
            for length in range(1, LONGEST + 1):
                if words[start : start + length] != reference[target : target + length]:
                    break
                if start + length > len(words) or target + length > len(reference):
                    break
                spans.append((start, target, length))
    return spans


def movable(now: Alignment, start: int, target: int, length: int) -> bool:
    """Only a span with an error, to a place with an error, that is not where it already is."""
    return (
        any(now.hypothesis_wrong[start : start + length])
        and any(now.reference_wrong[target : target + length])
        and not start <= now.hypothesis_of[target] < start + length
    )


def targets(now: Alignment, target: int, length: int) -> list[int]:
    """Before which words the span may go: after any that is aligned to the place or to the one before it."""
    places = [
        0 if place < 0 else now.hypothesis_of[place] + 1 for place in range(target - 1, target + length)
    ]
    return sorted(set(places))


def move(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The span put before the word at `target`; a target inside the span counts from behind it."""
    span, rest = words[start : start + length], words[:start] + words[start + length :]
    if target < start:
        at = target
    elif target > start + length:
        at = target - length
    else:
        at = target
    return rest[:at] + span + rest[at:]


def beam_alignment(words: list[str], reference: list[str]) -> Alignment:
    """Edit distance over the cells near the diagonal of the rectangle."""
    n, m = len(words), len(reference)
    ratio = m / n if n else 1
    width = 25 if ratio / 2 <= 25 else math.ceil(ratio / 2 + 25)
    cells: dict[tuple[int, int], tuple[float, str]] = {(0, j): (j, "D" if j else "") for j in range(m + 1)}
    for i in range(1, n + 1):
        diagonal = math.floor(i * ratio)
        last = m if i == n else min(m, diagonal + width - 1)
        for j in range(max(0, diagonal - width), last + 1):
            cells[i, j] = cheapest(cells, i, j, words, reference)
    return read_back(cells, n, m, words, reference)


def cheapest(
    cells: dict[tuple[int, int], tuple[float, str]], i: int, j: int, words: list[str], reference: list[str]
) -> tuple[float, str]:
    """The first of the cheapest: keep or substitute, drop a hypothesis word (I), add a reference word (D)."""
    unknown = (INFINITY, "")
    same = i > 0 and j > 0 and words[i - 1] == reference[j - 1]
    ways = [
        (cells.get((i - 1, j - 1), unknown)[0] + (not same), " " if same else "S"),
        (cells.get((i - 1, j), unknown)[0] + 1, "I"),
        (cells.get((i, j - 1), unknown)[0] + 1, "D"),
    ]
    return min(ways, key=lambda way: way[0])


def read_back(
    cells: dict[tuple[int, int], tuple[float, str]], n: int, m: int, words: list[str], reference: list[str]
) -> Alignment:
    """The alignment along the cheapest path."""
    path, i, j = [], n, m
    while i or j:
        step = cells[i, j][1]
        path.append(step)
        i -= step != "D"
        j -= step != "I"
    hypothesis_of, hypothesis_wrong, reference_wrong = [], [], []
    at = -1
    for step in reversed(path):
        if step != "D":
            at += 1
            hypothesis_wrong.append(step != " ")
        if step != "I":
            hypothesis_of.append(at)
            reference_wrong.append(step != " ")
    return Alignment(int(cells[n, m][0]), hypothesis_of, hypothesis_wrong, reference_wrong)


def tercom_edits(hypothesis: list[str], reference: list[str]) -> int:
    """Edits and shifts as tercom counts them; `empty` texts are the caller's business."""
    words, shifts = list(hypothesis), 0
    now = pruned_alignment(words, reference)
    while True:
        best, best_cost, shifted = now, 0, None
        candidates = tercom_shifts(words, reference, now)
        for length in range(LONGEST, 0, -1):
            for start, place in candidates.get(length, []):
                saved = now.edits - best.edits - best_cost
                if saved > 2 * length or (best_cost and saved == 2 * length):
                    break
                moved = tercom_move(words, start, length, place)
                then = pruned_alignment(moved, reference)
                gain = best.edits + best_cost - then.edits - 1
                if gain > 0 or (gain == 0 and not best_cost):
                    best, best_cost, shifted = then, 1, moved
        if shifted is None:
            return shifts + now.edits
        words, now, shifts = shifted, best, shifts + 1


def tercom_shifts(words: list[str], reference: list[str], now: Alignment) -> dict[int, list[tuple[int, int]]]:
    """(start, position to follow) by length, in tercom's order."""
    result: dict[int, list[tuple[int, int]]] = {}
    aligned = now.hypothesis_of

    def places(span: list[str]) -> list[int]:
        return [at for at in range(len(reference)) if reference[at : at + len(span)] == span]

    for start in range(len(words)):
        if not any(
            aligned[at] != start and aligned[at] - start <= FARTHEST and start - aligned[at] - 1 <= FARTHEST
            for at in places(words[start : start + 1])
        ):
            continue
        for end in range(start, min(len(words), start + LONGEST)):
            span = words[start : end + 1]
            if not places(span):
                break
            if not any(now.hypothesis_wrong[start : end + 1]):
                continue
            usable = [
                at
                for at in places(span)
                if not start <= aligned[at] <= end and abs(aligned[at] - start) <= FARTHEST
            ]
            if not usable:
                break
            for at in usable:
                if not any(now.reference_wrong[at : at + len(span)]):
                    continue
                for offset in range(-1, len(span)):
                    if offset == -1 and at == 0:
                        result.setdefault(len(span), []).append((start, -1))
                        continue
                    place = aligned[at + offset]
                    if place != start and (offset == 0 or place != aligned[at]):
                        result.setdefault(len(span), []).append((start, place))
    return result


def tercom_move(words: list[str], start: int, length: int, place: int) -> list[str]:
    """The span put behind the word at `place`; a place inside the span counts from its start."""
    span, rest = words[start : start + length], words[:start] + words[start + length :]
    if place < start:
        at = place + 1
    elif place >= start + length:
        at = place + 1 - length
    else:
        at = place
    return rest[:at] + span + rest[at:]


def pruned_alignment(words: list[str], reference: list[str]) -> Alignment:
    """Edit distance hypothesis word by hypothesis word, leaving cells 20 edits behind the best of the column.

    "Best of the column" is the least cost of a kept or substituted word that leads into it.
    """
    n, m = len(words), len(reference)
    cells: dict[tuple[int, int], tuple[float, str]] = {(0, 0): (0, "")}

    def offer(i: int, j: int, cost: float, step: str) -> bool:
        if (i, j) in cells and cells[i, j][0] <= cost:
            return False
        cells[i, j] = (cost, step)
        return True

    best = INFINITY
    first, last = 0, 0
    for i in range(n + 1):
        limit, best = best + 20, INFINITY
        next_first, next_last = None, -1
        j = first
        while j <= min(last, m):
            if (i, j) in cells and not (i < n and cells[i, j][0] > limit):
                cost = cells[i, j][0]
                if next_first is None:
                    next_first = j
                if i < n and j < m:
                    same = words[i] == reference[j]
                    taken = offer(i + 1, j + 1, cost + (not same), " " if same else "S")
                    if same or taken:
                        best = min(best, cost + (not same))
                next_last = j + 1
                if i < n:
                    offer(i + 1, j, cost + 1, "I")
                if j < m and offer(i, j + 1, cost + 1, "D"):
                    last = max(last, j + 1)
            j += 1
        first, last = next_first or 0, next_last
    return read_back(cells, n, m, words, reference)


def sacrebleu_words(
    text: str, *, normalized: bool = False, no_punct: bool = False, asian_support: bool = False
) -> list[str]:
    """Words as sacreBLEU's TER cuts them (case is the caller's)."""
    text = text.rstrip()
    if not text:
        return []
    if normalized:
        text = western(text.replace("\n-", "").replace("\n", " "))
        if asian_support:
            text = re.sub(f"([{IDEOGRAPHIC}{ASIAN_PUNCTUATION}])", r" \1 ", text)
    if no_punct:
        text = unpunctuated(text, asian_support)
    return text.split()


def tercom_words(
    text: str, *, normalized: bool = False, no_punct: bool = False, asian_support: bool = False
) -> list[str]:
    """Words as tercom cuts them: white space is ASCII's, kana stay together in runs, and Java's split is odd."""
    text = text.strip("".join(map(chr, range(33))))
    if not text:
        return []
    if normalized:
        text = western(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " "))
        if asian_support:
            text = re.sub(f"([{IDEOGRAPHIC}{ASIAN_PUNCTUATION}])", r" \1 ", text)
            for kana in ("\u3040-\u309f", "\u30a0-\u30ff", "\u31f0-\u31ff"):
                text = re.sub(f"([{kana}]+)", r" \1 ", text)
        text = text.strip(JAVA_SPACE)
    if no_punct:
        text = unpunctuated(text, asian_support)
    # String.split keeps an empty first word, drops empty last ones, and gives "" back as one word.
    words = re.split(f"[{JAVA_SPACE}]+", text)
    while len(words) > 1 and not words[-1]:
        words.pop()
    return [] if words == [""] and text else words


JAVA_SPACE = " \t\n\x0b\f\r"
IDEOGRAPHIC = (
    "\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f\u3200-\u32ff"
)
FULL_WIDTH = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
ASIAN_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb" + FULL_WIDTH


def western(text: str) -> str:
    """The normalisation of mteval version 11."""
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    text = re.sub(r"([ -&(-+/:-@\[-`{-~])", r" \1 ", f" {text} ")
    text = text.replace("'s ", " 's ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])-", r"\1 - ", text)


def unpunctuated(text: str, asian_support: bool) -> str:
    """Text without the punctuation that both programs remove."""
    text = re.sub(r'[.,?:;!"()]', "", text)
    return re.sub(f"[{ASIAN_PUNCTUATION}]", "", text) if asian_support else text
