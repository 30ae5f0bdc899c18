"""Systems on segments written in the source language, and on those that were translated into it first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.translationese import Halves, Lengths, halves, lengths
from adjudge.comparison.results import Measured
from adjudge.data import TestSet, languages
from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import ORDINARY, Judgements
from adjudge.data.origins import FORWARD, ORIGIN, OTHER, REVERSE, directions
from adjudge.engine.spilling import some_rows
from adjudge.errors import DataError, UsageError
from adjudge.human import assessment
from adjudge.human.grouping import in_canonical_order, without_tutorials
from adjudge.human.ranking import SHARES, RankOptions, rank_systems
from adjudge.human.results import RatingAnalysis, decimals_of
from adjudge.stats.units import total

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Translationese:
    """The two halves of a test set, by every measure."""

    directions: Mapping[str, str]
    """Of every origin."""
    segments: Mapping[str, int]
    """How many go each way."""
    measures: tuple[Halves, ...]
    lengths: tuple[Lengths, ...] = ()


def translationese(
    measured: Sequence[Measured],
    labels: Mapping[str, Sequence[str]],
    language: str = "",
    test_set: TestSet | None = None,
) -> Translationese:
    """Scores of every system on either half and on both; with a test set, lengths of its segments as well."""
    origins = labels[ORIGIN]
    known = directions(origins, languages.pair(language))
    ways = np.array([known.get(origin, OTHER) for origin in origins])
    _check(ways.tolist(), known, language)
    measures = []
    for measurement in measured:
        scores = {}
        for system, runs in measurement.rows.items():
            scores[system] = tuple(
                float(np.mean([measurement.aggregate(total(some_rows(run, which))) for run in runs]))
                for which in map(np.flatnonzero, _masks(ways))
            )
        measures.append(
            halves(
                measurement.label,
                scores,  # type: ignore[arg-type]
                higher_is_better=measurement.higher_is_better,
                decimals=measurement.decimals,
            )
        )
    text_lengths: list[Lengths] = []
    if test_set is not None:
        if test_set.sources is not None:
            text_lengths += lengths(test_set.sources, ways.tolist(), "source")
        for number, column in enumerate(test_set.references, 1):
            given = [i for i, text in enumerate(column) if text is not None]
            name = "reference" if len(test_set.references) == 1 else f"reference {number}"
            text_lengths += lengths([column[i] or "" for i in given], [str(ways[i]) for i in given], name)
    return Translationese(known, dict(Counter(ways.tolist())), tuple(measures), tuple(text_lengths))


def of_judgements(
    analysis: RatingAnalysis, language: str = "", sources: Sequence[str] = ()
) -> Translationese:
    """Translationese in people's scores, raw and (where there are any) standardised, from an analysis of ratings.

    `sources` are the lines that items are numbers of, for the lengths of segments.
    """
    if analysis.facts.whole_systems:
        raise UsageError("scores of whole systems do not tell how many segments are in each half")
    judgements, which = analysis.judgements, analysis.which
    known, ways, sizes, text_lengths = _ways(judgements, which, language, sources)
    facts, measures = analysis.facts, []
    kinds: list[tuple[str, Floats]] = [("raw", judgements.score)]
    if analysis.z is not None:
        kinds.append(("z", analysis.z))
    for name, values in sorted(kinds, key=lambda kind: kind[0] != facts.score):  # what was tested comes first
        parts = [
            assessment.translations(judgements, values, which=which & mask).scores for mask in _masks(ways)
        ]
        places = [judgements.system.names.index(s.system) for s in analysis.groups[0].systems]
        scores = {judgements.system.names[s]: tuple(float(part[s]) for part in parts) for s in places}
        decimals = 3 if name == "z" else decimals_of(facts.protocol, parts[2][places].tolist())
        measures.append(
            halves(
                f"{facts.protocol.upper()} {name}",
                scores,  # type: ignore[arg-type]
                higher_is_better=facts.higher_is_better,
                decimals=decimals,
                has_zero=name == "raw" and bool((judgements.score[which] >= 0).all()),
            )
        )
    return Translationese(known, sizes, tuple(measures), text_lengths)


def of_rankings(
    judgements: Judgements,
    language: str = "",
    sources: Sequence[str] = (),
    *,
    method: str,
    **options: Unpack[RankOptions],
) -> Translationese:
    """Translationese in people's preferences; `options` as in `ranked`."""
    single = in_canonical_order(expand_joint_systems(without_tutorials(judgements)))
    known, ways, sizes, text_lengths = _ways(single, single.kind == ORDINARY, language, sources)
    if method != "trueskill":  # whose score is a mean over runs
        options["resamples"] = 1
    parts = []
    for mask in _masks(ways):
        try:
            parts.append(
                {s.system: s.score for s in rank_systems(single[mask], method=method, **options).systems}
            )
        except DataError as error:
            raise UsageError(f"not both halves can be ranked: {error}") from None
    scores = {name: tuple(part.get(name, math.nan) for part in parts) for name in parts[2]}
    measure = halves(
        method.replace("-", " "),
        scores,  # type: ignore[arg-type]
        decimals=3,
        has_zero=method in SHARES,
    )
    return Translationese(known, sizes, (measure,), text_lengths)


def _ways(
    judgements: Judgements, which: NDArray[np.bool_], language: str, sources: Sequence[str]
) -> tuple[dict[str, str], NDArray[np.str_], dict[str, int], tuple[Lengths, ...]]:
    """Of every origin its direction, of every judgement its direction, how many items go each way, their lengths."""
    origin = judgements.labels.get(ORIGIN)
    if origin is None:
        raise UsageError(
            "nothing says where segments were first written (--labels FILE.tsv with a column origin)"
        )
    known = directions(origin.names, languages.pair(language))
    ways = np.array([*(known[name] for name in origin.names), OTHER])[origin.codes]
    items, first = np.unique(judgements.item.codes[which], return_index=True)
    of_items = ways[which][first].tolist()
    _check(of_items, known, language)
    text_lengths: tuple[Lengths, ...] = ()
    if sources:
        names = [judgements.item.names[item] for item in items]
        text_lengths = tuple(lengths([_line(sources, name) for name in names], of_items, "source"))
    return known, ways, dict(Counter(of_items)), text_lengths


def _line(sources: Sequence[str], item: str) -> str:
    if not (item.isascii() and item.isdigit() and 1 <= int(item) <= len(sources)):
        raise DataError(
            f"item {item!r} is none of the {len(sources):,} lines of the source, which count from 1"
        )
    return sources[int(item) - 1]


def _masks(ways: NDArray[np.str_]) -> tuple[NDArray[np.bool_], ...]:
    """Forward, reverse, both; what comes from elsewhere is in none."""
    return ways == FORWARD, ways == REVERSE, ways != OTHER


def _check(ways: Sequence[str], known: Mapping[str, str], language: str) -> None:
    for way in (FORWARD, REVERSE):
        if way not in ways:
            origins = ", ".join(f"{origin} ({direction})" for origin, direction in known.items())
            pair = f"--language {language}" if language else "--language SOURCE-TARGET"
            raise UsageError(
                f"there is no {way} half to compare: the origins are {origins}; is the language pair right ({pair})?"
            )
