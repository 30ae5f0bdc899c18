"""What sets of segments are called, so that a number of a report can name the segments it is made of."""

from __future__ import annotations

from collections.abc import Sequence

NGRAM_KINDS = {"match": "right", "over": "too many", "under": "left out"}


def bucket_mark(by: str, name: str) -> str:
    """The segments of a bucket."""
    return f"{by}: {name}"


def ngram_mark(system: str, kind: str, words: Sequence[str]) -> str:
    """The segments in which a system has an n-gram right, too often or not often enough."""
    return f"{system}, {NGRAM_KINDS[kind]}: {' '.join(words)}"


def change_mark(old: str, new: str, verdict: str) -> str:
    """The segments that became better, worse, … from one system to the other."""
    return f"{old} to {new}: {verdict}"


def finding_mark(place: int, check: str) -> str:
    """The segments of a finding of lint, by its place from 1."""
    return f"lint {place}: {check}"


def words_mark(by: str, name: str, system: str = "") -> str:
    """The segments with words of a bucket, or those in which a system gets such a word wrong."""
    return f"{system}, wrong words of {by} {name}" if system else f"words of {by} {name}"


JUDGED = "judged by people"
SEVERAL_TIMES = "judged by several people"
"""The same output (or the same two) by more than one of them: what agreement is about."""


def annotator_mark(name: str) -> str:
    """The segments that somebody judged."""
    return f"judged by {name}"


def preferred_mark(winner: str, loser: str) -> str:
    """The segments for which somebody preferred one system to another."""
    return f"{winner} preferred to {loser}"


def error_mark(system: str, category: str, severity: str) -> str:
    """The segments in which people marked such an error of a system."""
    return f"{system}, marked: {category} ({severity})"


def fault_mark(kind: str, text: str) -> str:
    """The segments in which a text has a fault, or could have one where nobody has."""
    return f"{text}: {kind}"


def possible_mark(kind: str) -> str:
    """The segments in which a fault of this kind could have been made."""
    return f"could have: {kind}"
