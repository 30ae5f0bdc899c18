"""Systems on segments written in the source language, and on those that were translated into it first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.analysis.translationese import (
    FORWARD,
    OTHER,
    REVERSE,
    Halves,
    Lengths,
    directions,
    halves,
    lengths,
)
from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.evaluate.comparison import Measured
from adjudge.evaluate.judged import Analysis, JudgedGroup
from adjudge.evaluate.wording import counted

ORIGIN = "origin"


@dataclass(frozen=True)
class Translationese:
    """The two halves of a test set, by every measure."""

    directions: Mapping[str, str]
    """Of every origin."""
    segments: Mapping[str, int]
    """How many go each way."""
    measures: tuple[Halves, ...]
    lengths: tuple[Lengths, ...] = ()


def language_pair(language: str) -> tuple[str, str]:
    """Source and target of `de-en`; a single language (`en`, `pt-BR`) is the target."""
    first, sign, last = language.replace("_", "-").partition("-")
    return (first, last) if sign and last.islower() and "-" not in last else ("", language)


def translationese(
    measured: Sequence[Measured],
    labels: Mapping[str, Sequence[str]],
    language: str = "",
    test_set: TestSet | None = None,
) -> Translationese:
    """Scores of every system on either half and on both; with a test set, lengths of its segments as well."""
    origins = labels[ORIGIN]
    known = directions(origins, language_pair(language))
    ways = np.array([known.get(origin, OTHER) for origin in origins])
    _check(ways.tolist(), known)
    measures = []
    for one in measured:
        scores = {}
        for system, runs in one.rows.items():
            scores[system] = tuple(
                float(np.mean([one.aggregate(run[which].sum(0)) for run in runs]))
                for which in (ways == FORWARD, ways == REVERSE, np.ones(len(ways), bool))
            )
        measures.append(
            halves(one.label, scores, higher_is_better=one.higher_is_better, decimals=one.decimals)  # type: ignore[arg-type]
        )
    found: list[Lengths] = []
    if test_set is not None:
        if test_set.sources is not None:
            found += lengths(test_set.sources, ways.tolist(), "source")
        for number, column in enumerate(test_set.references, 1):
            there = [i for i, text in enumerate(column) if text is not None]
            name = "reference" if len(test_set.references) == 1 else f"reference {number}"
            found += lengths([column[i] or "" for i in there], [str(ways[i]) for i in there], name)
    return Translationese(known, dict(Counter(ways.tolist())), tuple(measures), tuple(found))


def of_judgements(analysis: Analysis, language: str = "") -> Translationese:
    """The same for people's scores, from an analysis by origin."""
    parts = {g.by[ORIGIN]: g for g in analysis.groups if set(g.by) == {ORIGIN}}
    if analysis.facts.whole_systems:
        raise UsageError("scores of whole systems do not tell how many segments are in each half")
    known = directions(tuple(parts), language_pair(language))
    sizes: Counter[str] = Counter()
    for origin, group in parts.items():
        sizes[known[origin]] += max((s.n_translations or 0 for s in group.systems), default=0)
    _check(list(sizes.elements()), known)
    by_way = {way: [g for origin, g in parts.items() if known[origin] == way] for way in (FORWARD, REVERSE)}
    scores = {
        system.system: (
            _mean(by_way[FORWARD], system.system, analysis),
            _mean(by_way[REVERSE], system.system, analysis),
            _mean([analysis.groups[0]], system.system, analysis),
        )
        for system in analysis.groups[0].systems
    }
    is_z = analysis.facts.score == "z"
    measure = halves(
        f"{analysis.facts.protocol.upper()} {'z' if is_z else 'raw'}",
        scores,
        higher_is_better=analysis.facts.higher_is_better,
        decimals=3 if is_z else 1,
        has_zero=not is_z,
    )
    return Translationese(known, dict(sizes), (measure,))


def reverse_warning(origins: Sequence[str], language: str) -> str | None:
    """What to say loudly where some of a test set was translated from the target language; None where none was."""
    try:
        known = directions(origins, language_pair(language))
    except UsageError:  # nobody said which language is the source
        return None
    reverse = sum(known.get(origin) == REVERSE for origin in origins)
    if not reverse:
        return None
    return (
        f"{counted(reverse, 'segment')} of {len(origins):,} WERE CREATED IN REVERSE: written in the target language, "
        "so that the source is itself a translation. That makes them easier and may change the order of systems; "
        "look at both halves (--by origin), and claim nothing from the reverse one"
    )


def _mean(groups: Sequence[JudgedGroup], system: str, analysis: Analysis) -> float:
    found = [s for group in groups for s in group.systems if s.system == system]
    sizes = [s.n_translations or 0 for s in found]
    total = sum(sizes)
    values = [(s.z if analysis.facts.score == "z" else s.mean) for s in found]
    if not total or any(value is None for value in values):
        return math.nan
    return sum(float(v or 0.0) * n for v, n in zip(values, sizes, strict=True)) / total


def _check(ways: Sequence[str], known: Mapping[str, str]) -> None:
    for way in (FORWARD, REVERSE):
        if way not in ways:
            origins = ", ".join(f"{origin} ({direction})" for origin, direction in known.items())
            raise UsageError(
                f"there is no {way} half to compare: the origins are {origins}; is the language pair right "
                "(--language de-en)?"
            )
