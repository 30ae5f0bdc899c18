"""TERp (Snover et al. 2009) word by word: every table whole, every shift tried."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Shift = tuple[int, int, int]
"""First word, last word, the word to go behind."""
Related = Callable[[str, str], bool]
Phrases = dict[tuple[str, ...], dict[tuple[str, ...], float]]
"""What may stand for a reference phrase, and what it costs."""


@dataclass(frozen=True)
class Settings:
    """Costs and limits; the defaults are TERp's TER."""

    match: float = 0.0
    insert: float = 1.0
    delete: float = 1.0
    substitute: float = 1.0
    stem: float = 1.0
    synonym: float = 1.0
    shift: float = 1.0
    beam: float = 20
    longest_shift: int = 10
    farthest_shift: int = 50
    shifts: str = "exact"  # or relax, relax_nophrase, none
    same_stem: Related = lambda a, b: False
    synonymous: Related = lambda a, b: False
    stop_words: frozenset[str] = frozenset()
    phrases: Phrases = field(default_factory=dict)


@dataclass(frozen=True)
class Edit:
    """One step of a path: its kind and how many words of each side it takes."""

    kind: str
    hypothesis: int
    reference: int


def words(
    line: str, *, normalize: bool = True, lowercase: bool = True, punctuation: bool = True
) -> list[str]:
    """TERp's normalisation, one pattern after the other."""
    text = re.sub(r"[ \t-\r]+", " ", line.strip("".join(map(chr, range(33)))))
    if lowercase:
        text = text.lower()
    if normalize:
        text = text.replace("<skipped>", "")
        for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, character)
        text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {text} ")
        text = text.replace("'s ", " 's ")
        text = re.sub(r"[ \t-\r]([^,. \t]+)([.,])[ \t-\r]", r"\1 \2 ", text)
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    if not punctuation:
        text = re.sub(r'[.,?:;!"()]', "", text)
    return [word for word in re.split(r"[ \t-\r]+", text.strip("".join(map(chr, range(33))))) if word]


def matching_phrases(
    s: Settings, hyp: Sequence[str], h: int, ref: Sequence[str], r: int
) -> list[tuple[int, int, float]]:
    """Lengths and cost of every phrase pair that begins at these words."""
    results = []
    for length in range(1, min(len(ref) - r, max(map(len, s.phrases), default=0)) + 1):
        others = s.phrases.get(tuple(ref[r : r + length]), {})
        for other in sorted(others, key=lambda o: (len(o), o)):
            if tuple(hyp[h : h + len(other)]) == other:
                results.append((len(other), length, others[other]))
    return results


def distance(s: Settings, hyp: Sequence[str], ref: Sequence[str]) -> tuple[float, list[Edit]]:
    """The cheapest path TERp's beam leaves: column by column, cells far behind the last column's best left out."""
    cost: dict[tuple[int, int], float] = {(0, 0): 0.0}
    step: dict[tuple[int, int], Edit] = {}
    best = math.inf
    first, last = 0, 0

    def reach(r: int, h: int, total: float, edit: Edit) -> bool:
        if (r, h) in cost and cost[r, h] <= total:
            return False
        cost[r, h], step[r, h] = total, edit
        return True

    for h in range(len(hyp) + 1):
        previous_best, best = best, math.inf
        next_first: int | None = None
        next_last = -1
        r = first - 1
        while (r := r + 1) <= len(ref) and (h == len(hyp) or r <= last):
            if (r, h) not in cost:
                continue
            here = cost[r, h]
            if h < len(hyp) and here > previous_best + s.beam:
                continue
            next_first = r if next_first is None else next_first
            next_last = r + 1
            if r < len(ref) and h < len(hyp):
                if ref[r] == hyp[h]:
                    kinds = [("match", s.match)]
                else:
                    kinds = [("substitution", s.substitute)]
                    kinds += [("stem", s.stem)] * s.same_stem(hyp[h], ref[r])
                    kinds += [("synonym", s.synonym)] * s.synonymous(hyp[h], ref[r])
                for kind, price in kinds:
                    if reach(r + 1, h + 1, here + price, Edit(kind, 1, 1)) or kind == "match":
                        best = min(best, here + price)
            for taken, length, price in matching_phrases(s, hyp, h, ref, r):
                reach(r + length, h + taken, here + price, Edit("phrase", taken, length))
            if h < len(hyp):
                reach(r, h + 1, here + s.insert, Edit("insertion", 1, 0))
            if r < len(ref) and reach(r + 1, h, here + s.delete, Edit("deletion", 0, 1)):
                last = max(last, r + 1)
        first, last = next_first or 0, next_last
    path = []
    r, h = len(ref), len(hyp)
    while r or h:
        path.append(step[r, h])
        r, h = r - path[-1].reference, h - path[-1].hypothesis
    return cost[len(ref), len(hyp)], path[::-1]


def candidates(s: Settings, hyp: Sequence[str], ref: Sequence[str], path: list[Edit]) -> list[list[Shift]]:
    """Shifts to try, by the longer side's length."""
    beside_r: list[int] = []
    beside_h: list[int] = []
    wrong_r: list[bool] = []
    wrong_h: list[bool] = []
    for edit in path:
        r, h = len(beside_r), len(beside_h)
        at_r, at_h = (r, h) if edit.hypothesis and edit.reference else (r - 1, h - 1)
        for _ in range(edit.reference):
            beside_r.append(at_h)
            wrong_r.append(edit.kind != "match")
        for _ in range(edit.hypothesis):
            beside_h.append(at_r)
            wrong_h.append(edit.kind != "match")
    values: list[set[Shift]] = [set() for _ in range(s.longest_shift + 1)]
    if s.shifts == "none":
        return [[]]

    def alike(a: str, b: str) -> bool:
        return a == b or (s.shifts != "exact" and (s.same_stem(a, b) or s.synonymous(a, b)))

    def phrases(h: int, r: int) -> list[tuple[int, int, float]]:
        if s.shifts != "relax":
            return []
        low = beside_h[max(0, h - s.farthest_shift)]
        high = beside_h[min(len(hyp) - 1, h + s.farthest_shift)]
        return matching_phrases(s, hyp, h, ref, r) if max(low, 0) <= r <= high else []

    def grow(h0: int, r0: int, h: int, r: int) -> None:
        while h - h0 < s.longest_shift and h < len(hyp) and r < len(ref):
            for taken, length, _ in phrases(h, r):
                grow(h0, r0, h + taken, r + length)
            if not alike(hyp[h], ref[r]):
                return
            push(h0, r0, h, r)
            h, r = h + 1, r + 1

    def push(h0: int, r0: int, h: int, r: int) -> None:
        if not any(wrong_h[h0 : h + 1]) or not any(wrong_r[r0 : r + 1]):
            return
        if set(hyp[h0 : h + 1]) <= s.stop_words or set(ref[r0 : r + 1]) <= s.stop_words:
            return
        spot = beside_r[r0]
        if h0 <= spot <= h or abs(spot - h0) > s.farthest_shift:
            return
        group = values[min(max(h - h0, r - r0), s.longest_shift)]
        if r0 == 0:
            group.add((h0, h, -1))
        for place in range(max(r0 - 1, 0), min(r0 + h - h0, len(ref) - 1) + 1):
            if beside_r[place] != h0 and (place == r0 or beside_r[place] != spot):
                group.add((h0, h, beside_r[place]))

    for r0 in range(len(ref)):
        for h0 in range(len(hyp)):
            grow(h0, r0, h0, r0)
    return [sorted(group) for group in values]


def shifted(hyp: Sequence[str], start: int, end: int, behind: int) -> list[str]:
    """The words with [start, end] moved behind a word, or as far to the right as it lies inside the span."""
    span, rest = list(hyp[start : end + 1]), list(hyp[:start]) + list(hyp[end + 1 :])
    if behind < start:
        at = behind + 1
    elif behind > end:
        at = behind - len(span) + 1
    else:
        at = behind
    return rest[:at] + span + rest[at:]


@dataclass(frozen=True)
class Result:
    """What one hypothesis costs against one reference, and by which edits."""

    cost: float
    path: list[Edit]
    shifts: list[int]

    def counts(self) -> list[int]:
        """Insertions, deletions, substitutions, stems, synonyms, phrases, shifts, shifted words."""
        kinds = [edit.kind for edit in self.path]
        names = "insertion", "deletion", "substitution", "stem", "synonym", "phrase"
        return [kinds.count(name) for name in names] + [len(self.shifts), sum(self.shifts)]


def terp(s: Settings, hyp: Sequence[str], ref: Sequence[str]) -> Result:
    """Shift as long as that pays, then count what is left."""
    if not hyp or not ref:
        edits = [Edit("deletion", 0, 1)] * len(ref) + [Edit("insertion", 1, 0)] * len(hyp)
        total = 0.0
        for edit in edits:
            total += s.insert if edit.hypothesis else s.delete
        return Result(total, edits, [])
    now = list(hyp)
    cost, path = distance(s, now, ref)
    paid, sizes = 0.0, []
    while True:
        best: tuple[float, list[Edit], list[str], int] = cost, path, now, 0
        best_shift = 0.0
        groups = candidates(s, now, ref, path)
        for size in range(len(groups), 0, -1):
            for start, end, behind in groups[size - 1]:
                gained = cost - (best_shift + best[0])
                if gained > 2 * size or (best_shift and gained == 2 * size):
                    break
                words = shifted(now, start, end, behind)
                tried, tried_path = distance(s, words, ref)
                gain = (best[0] + best_shift) - (tried + s.shift)
                if gain > 0 or (best_shift == 0 and gain == 0):
                    best, best_shift = (tried, tried_path, words, end - start + 1), s.shift
            else:
                continue
            break
        if not best_shift:
            return Result(cost + paid, path, sizes)
        cost, path, now = best[0], best[1], best[2]
        paid += s.shift
        sizes.append(best[3])
