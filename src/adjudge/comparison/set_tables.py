"""Measures over test sets: systems set by set, in the mean over all sets, and over those of a language or domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudge.comparison.results import Pair, Standing
from adjudge.stats.design import Design, join_designs


@dataclass(frozen=True)
class SetScore:
    """One system on one test set; NaN where it has no output there."""

    test_set: str
    system: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class SetGroup:
    """The mean over some of the test sets: all of them, those of a language pair, those of a domain."""

    by: str
    """all, language or domain."""
    name: str
    sets: tuple[str, ...]
    results: tuple[Standing, ...]
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True)
class MeasureTable:
    """One measure over all test sets that have it."""

    metric: str
    label: str
    is_metric: bool
    """Whether it can be computed from texts; people's scores and those of files cannot."""
    specs: Mapping[str, str]
    """By test set what makes the measure again, for tokenizers follow the language; signatures as well."""
    signatures: Mapping[str, str]
    higher_is_better: bool | None
    decimals: int
    scores: tuple[SetScore, ...]
    groups: tuple[SetGroup, ...]
    """All sets first."""
    designs: Mapping[str, Design] = field(default_factory=dict)
    """By test set, what was drawn and what else belongs together."""
    by_people: bool = False
    """Whether people gave the scores."""
    design: Design | None = None
    """Of the mean over all sets, language pairs included; None in results that were kept without designs."""

    @property
    def results(self) -> tuple[Standing, ...]:
        """Systems in the mean over all sets."""
        return self.groups[0].results

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Those in the mean over all sets."""
        return self.groups[0].pairs

    @property
    def sets(self) -> tuple[str, ...]:
        """The test sets that have it."""
        return self.groups[0].sets

    def pair(self, a: str, b: str) -> Pair | None:
        """Two systems in the mean, seen from either; None where they share no test set."""
        return next((own for own in self.pairs if {own.a, own.b} == {a, b} and own.sets), None)


def tables_of_set(
    name: str, results: Sequence[Standing], pairs: Sequence[Pair], design: Design
) -> tuple[MeasureTable, ...]:
    """The tables of a single test set: the mean over it is what was found on it."""
    by_metric: dict[str, list[Standing]] = {}
    for standing in results:
        by_metric.setdefault(standing.metric, []).append(standing)
    tables = []
    for metric, own in by_metric.items():
        first = own[0]
        sign = -1.0 if first.higher_is_better is False else 1.0
        of_set = tuple(
            replace(pair, sets_better=int(sign * pair.delta > 0), sets_worse=int(sign * pair.delta < 0))
            for pair in pairs
            if pair.metric == metric
        )
        tables.append(
            MeasureTable(
                metric=metric,
                label=first.label,
                is_metric=True,
                specs={name: metric},
                signatures={name: first.signature},
                higher_is_better=first.higher_is_better,
                decimals=first.decimals,
                scores=tuple(SetScore(name, s.system, s.score, s.low, s.high) for s in own),
                groups=(SetGroup("all", "all", (name,), tuple(own), of_set),),
                designs={name: design},
                design=join_designs([design]),
            )
        )
    return tuple(tables)
