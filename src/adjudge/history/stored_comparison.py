"""Comparisons over several test sets, read back from the tables in a stored result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from adjudge.comparison.plan import Plan, checked_options
from adjudge.comparison.ranked_sets import MeanPreference, RankedSets, TestedPreference
from adjudge.comparison.results import (
    Comparison,
    Measured,
    MeasureTable,
    Pair,
    SetGroup,
    SetScore,
    Standing,
)
from adjudge.history.stored import StoredResult, measured_sets
from adjudge.io.fields import Fields
from adjudge.stats.design import Balance, Design, Grouping, join_designs
from adjudge.stats.equivalence import Equivalence

MOST = 10**6
"""Upper limit of numbers of test sets and clusters."""


def stored_comparison(stored: StoredResult) -> Comparison:
    """The comparison in the result of a study, with its rows where the file has them."""
    fields = Fields(stored.path, dict(stored.document))
    measured: Mapping[str, tuple[Measured, ...]] = measured_sets(stored) if stored.rows else {}
    return Comparison.over_sets(
        {name: stored.facts[name] for name in fields.texts("sets")},
        tuple(_table(entry) for entry in fields.objects("tables")),
        Plan(**checked_options(fields.object("plan"))),
        measured=measured,
        languages=_texts(fields.object("languages")),
        domains=_texts(fields.object("domains")),
        rankings=_rankings(fields.object("rankings")) if "rankings" in fields else None,
    )


def _texts(fields: Fields) -> dict[str, str]:
    return {name: fields.take(name, str) for name in fields.values}


def _table(fields: Fields) -> MeasureTable:
    if not fields.take("groups", list):
        raise fields.fault("groups", "the mean over all test sets was expected")
    signatures = _texts(fields.object("signatures"))
    measure = _Measure(
        fields.take("metric", str),
        fields.take("label", str),
        next(iter(signatures.values()), ""),
        fields.optional("higher_is_better", bool),
        fields.whole("decimals", 0, 15),
    )
    designs = {name: _design(entry) for name, entry in fields.object_or_empty("designs").members()}
    return MeasureTable(
        metric=measure.metric,
        label=measure.label,
        is_metric=fields.take("is_metric", bool),
        specs=_texts(fields.object("specs")),
        signatures=signatures,
        higher_is_better=measure.higher_is_better,
        decimals=measure.decimals,
        scores=tuple(
            SetScore(
                entry.take("test_set", str),
                entry.take("system", str),
                entry.number("score"),
                entry.number("low"),
                entry.number("high"),
            )
            for entry in fields.objects("scores")
        ),
        groups=tuple(_group(entry, measure) for entry in fields.objects("groups")),
        designs=designs,
        design=_design(fields.object("design")) if "design" in fields else _of_mean(designs),
        by_people=fields.optional("by_people", bool) or False,
    )


class _Measure(NamedTuple):
    """What all systems and pairs of a table have in common."""

    metric: str
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int


def _rankings(fields: Fields) -> RankedSets:
    scores = fields.object("scores")
    return RankedSets(
        {name: scores.number(name) for name in scores.values},
        tuple(_preference(entry) for entry in fields.objects("pairs")),
        fields.texts("others"),
        _design(fields.object("design")) if "design" in fields else None,
    )


def _preference(fields: Fields) -> TestedPreference:
    entry = fields.object("preference")
    preference = MeanPreference(
        entry.take("a", str),
        entry.take("b", str),
        mean=entry.number("mean"),
        p=entry.number("p"),
        sets=entry.whole("sets", 0, MOST),
        ahead_on=entry.whole("ahead_on", 0, MOST),
        behind_on=entry.whole("behind_on", 0, MOST),
    )
    return TestedPreference(preference, fields.number("p_adjusted"), fields.take("significant", bool))


def _of_mean(designs: Mapping[str, Design]) -> Design | None:
    """The design of a mean from those of its test sets, for files without it."""
    return join_designs(list(designs.values())) if designs else None


def _design(fields: Fields) -> Design:
    missing = fields.object("missing")
    return Design(
        unit=fields.take("unit", str),
        units=fields.whole("units", 0),
        reason=fields.take("reason", str),
        groupings=tuple(_grouping(entry) for entry in fields.objects("groupings")),
        smallest_p=fields.number("smallest_p"),
        shared=fields.number("shared"),
        missing={name: missing.whole(name, 0) for name in missing.values},
        common=fields.take("common", bool),
        balance=_balance(fields.object("balance")) if "balance" in fields else None,
        looks=fields.whole("looks", 1),
        rarer=fields.take("rarer", str),
    )


def _grouping(fields: Fields) -> Grouping:
    name, groups = fields.take("name", str), fields.whole("groups", 0)
    fixed = fields.optional("fixed", bool) or False
    return Grouping(name, groups, fields.number("effect"), fields.take("remedy", str), fixed)


def _balance(fields: Fields) -> Balance:
    parts = fields.take("parts", list)
    if not all(isinstance(part, list) and all(isinstance(name, str) for name in part) for part in parts):
        raise fields.fault("parts", "groups of systems were expected")
    return Balance(
        annotators=fields.whole("annotators", 0),
        imbalance=fields.number("imbalance"),
        systematic=fields.take("systematic", bool),
        parts=tuple(map(tuple, parts)),
    )


def _group(fields: Fields, measure: _Measure) -> SetGroup:
    return SetGroup(
        fields.take("by", str),
        fields.take("name", str),
        fields.texts("sets"),
        tuple(_mean(entry, measure) for entry in fields.objects("scores")),
        tuple(_pair(entry, measure.metric) for entry in fields.objects("pairs")),
    )


def _mean(fields: Fields, measure: _Measure) -> Standing:
    return Standing(
        fields.take("system", str),
        measure.metric,
        measure.label,
        score=fields.number("score"),
        low=fields.number("low"),
        high=fields.number("high"),
        deviation=math.nan,
        signature=measure.signature,
        higher_is_better=measure.higher_is_better,
        decimals=measure.decimals,
        cluster=fields.whole("cluster", 1, MOST) if "cluster" in fields else None,
        sets=fields.whole("sets", 0, MOST),
        missing=fields.texts("missing"),
    )


def _pair(fields: Fields, metric: str) -> Pair:
    return Pair(
        metric,
        fields.take("a", str),
        fields.take("b", str),
        delta=fields.number("delta"),
        low=fields.number("low"),
        high=fields.number("high"),
        p=fields.number("p"),
        p_adjusted=fields.number("p_adjusted"),
        significant=fields.take("significant", bool),
        margin=_margin(fields.object("margin")) if "margin" in fields else None,
        sets=fields.whole("sets", 0, MOST),
        sets_better=fields.whole("better_on", 0, MOST),
        sets_worse=fields.whole("worse_on", 0, MOST),
    )


def _margin(fields: Fields) -> Equivalence:
    names = ("margin", "low", "high", "confidence", "p", "p_not_worse", "p_not_better", "alpha")
    return Equivalence(*(fields.number(name) for name in names))
