"""METEOR 1.5's alignment and statistics, step by step and with every path written out (Denkowski and Lavie 2014)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

BEAM = 40
NAMES = ("exact", "stem", "synonym", "paraphrase")


class Match(NamedTuple):
    """Half-open ranges would do; METEOR keeps starts and lengths."""

    matcher: str
    reference: int
    reference_length: int
    hypothesis: int
    hypothesis_length: int


@dataclass
class Knowledge:
    """What the matchers know of words; phrases are pairs that the table holds, in its order."""

    matchers: tuple[str, ...] = ("exact",)
    stem: Callable[[str], str] = str
    synsets: Callable[[str], Iterable[int]] = lambda word: ()
    phrases: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)


@dataclass
class Path:
    chosen: tuple[Match, ...] = ()
    used: frozenset[int] = frozenset()
    covered: int = 0
    chunks: int = 0
    distance: int = 0
    decided: int = 0
    last_end: int | None = None

    def key(self) -> tuple[int, int, int]:
        return -self.covered, self.chunks, self.distance


def candidates(hypothesis: Sequence[str], reference: Sequence[str], known: Knowledge) -> list[Match]:
    """All matches, matcher by matcher; equal texts are left to the first."""
    matchers = known.matchers[:1] if list(hypothesis) == list(reference) else known.matchers
    results: list[Match] = []
    for matcher in matchers:
        if matcher == "paraphrase":
            results += phrase_matches(hypothesis, reference, known)
            continue
        for r, theirs in enumerate(reference):
            for h, ours in enumerate(hypothesis):
                if matcher == "exact":
                    matched = ours == theirs
                elif matcher == "stem":
                    matched = ours != theirs and known.stem(ours) == known.stem(theirs)
                else:
                    shared = set(known.synsets(ours)) & set(known.synsets(theirs))
                    matched = ours != theirs and bool(shared)
                if matched:
                    results.append(Match(matcher, r, 1, h, 1))
    return results


def phrase_matches(hypothesis: Sequence[str], reference: Sequence[str], known: Knowledge) -> list[Match]:
    """From each side to the other; shorter phrases first, then the order of the table, then the position."""

    def one_way(side: Sequence[str], other: Sequence[str]) -> Iterable[tuple[int, int, int, int]]:
        for start in range(len(side)):
            for end in range(start + 1, len(side) + 1):
                for phrase, paraphrase in known.phrases:
                    if tuple(side[start:end]) != phrase:
                        continue
                    for at in range(len(other)):
                        if tuple(other[at : at + len(paraphrase)]) == paraphrase:
                            yield start, end - start, at, len(paraphrase)

    forward = [Match("paraphrase", *place) for place in one_way(reference, hypothesis)]
    backward = [Match("paraphrase", *place[2:], *place[:2]) for place in one_way(hypothesis, reference)]
    return forward + backward


def gain(match: Match) -> int:
    """Covered words, in whole numbers on each side; a match that is not exact counts one half."""
    weight = 1.0 if match.matcher == "exact" else 0.5
    return int(weight * match.reference_length) + int(weight * match.hypothesis_length)


def extended(path: Path, match: Match) -> Path:
    breaks = path.last_end is not None and path.last_end != match.hypothesis
    return replace(
        path,
        chosen=(*path.chosen, match),
        used=path.used | set(range(match.hypothesis, match.hypothesis + match.hypothesis_length)),
        covered=path.covered + gain(match),
        chunks=path.chunks + breaks,
        decided=match.reference + match.reference_length,
        last_end=match.hypothesis + match.hypothesis_length,
    )


def align(hypothesis: Sequence[str], reference: Sequence[str], known: Knowledge) -> list[Match]:
    """The matches METEOR chooses, by reference position."""
    result = candidates(hypothesis, reference, known)
    at: list[list[Match]] = [[m for m in result if m.reference == r] for r in range(len(reference))]
    hypothesis_cover = [0] * len(hypothesis)
    reference_cover = [0] * len(reference)
    for m in result:
        for h in range(m.hypothesis, m.hypothesis + m.hypothesis_length):
            hypothesis_cover[h] += 1
        for r in range(m.reference, m.reference + m.reference_length):
            reference_cover[r] += 1

    def alone(m: Match) -> bool:
        return all(
            hypothesis_cover[h] == 1 for h in range(m.hypothesis, m.hypothesis + m.hypothesis_length)
        ) and all(reference_cover[r] == 1 for r in range(m.reference, m.reference + m.reference_length))

    paths = [Path()]
    for r in range(len(reference)):
        following: list[Path] = []
        for path in sorted(paths, key=Path.key)[:BEAM]:
            if r < path.decided:
                following.append(path)
            elif len(at[r]) == 1 and alone(at[r][0]):
                step = abs(r - at[r][0].hypothesis)
                following.append(replace(extended(path, at[r][0]), distance=path.distance + step))
            else:
                burden = path.distance  # grows on the path that is left, not on the one that matches
                for m in at[r]:
                    if path.used.isdisjoint(range(m.hypothesis, m.hypothesis + m.hypothesis_length)):
                        following.append(replace(extended(path, m), distance=burden))
                        burden += abs(r - m.hypothesis)
                closed = path.chunks + (path.last_end is not None)
                following.append(replace(path, chunks=closed, last_end=None, decided=r + 1, distance=burden))
        paths = following
    ended = [
        replace(path, chunks=path.chunks + (path.last_end is not None))
        for path in sorted(paths, key=Path.key)[:BEAM]
    ]
    return list(min(ended, key=Path.key).chosen)


def row(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    known: Knowledge,
    function_words: frozenset[str] = frozenset(),
) -> list[float]:
    """The 23 numbers of a segment; 0 chunks where all words are matched in one."""
    matches = align(hypothesis, reference, known)
    chunks, expected = 0, None
    for m in matches:
        chunks += (m.reference, m.hypothesis) != expected
        expected = (m.reference + m.reference_length, m.hypothesis + m.hypothesis_length)
    ours = {m: hypothesis[m.hypothesis : m.hypothesis + m.hypothesis_length] for m in matches}
    theirs = {m: reference[m.reference : m.reference + m.reference_length] for m in matches}
    matched = sum(map(len, ours.values())), sum(map(len, theirs.values()))
    if chunks == 1 and matched == (len(hypothesis), len(reference)):
        chunks = 0
    numbers: list[float] = [len(hypothesis), len(reference)]
    numbers += [sum(word in function_words for word in side) for side in (hypothesis, reference)]
    numbers += [*matched, chunks]
    for name in NAMES:
        for side in (ours, theirs):
            words = [word for m, part in side.items() if m.matcher == name for word in part]
            function = sum(word in function_words for word in words)
            numbers += [len(words) - function, function]
    return numbers
