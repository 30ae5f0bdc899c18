"""Who is better by which metric: a comparison as sentences and tables need it, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from adjudge.stats.significance import significant
from adjudge.wording import CORRECTIONS, digits, join_names, largest_p, p_number, p_text, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.comparison.results import Comparison, Pair, SegmentGroup, Standing, TestFacts


FEWEST = 30
"""Segments below which no winner is named: so few say little about other texts, whatever p is."""


@dataclass(frozen=True)
class PairwiseView:
    """The comparison as sentences need it: pairs with all metrics together, the better system first."""

    results: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    test: TestFacts
    scope: str = "this test set"
    """The segments spoken of."""
    identical: frozenset[frozenset[str]] = frozenset()
    """Pairs of systems with the same rows by every metric."""
    language: str = ""
    """The language pair or target language, where it is known: how much a difference is worth may depend on it."""
    opinion: str = ""
    """Whose opinion differences are, where so few people judged that they say nothing of others."""
    segments: int = 0
    """Distinct segments that were tested, of the pair that shares the fewest; 0 where that is not known."""

    @classmethod
    def of(cls, part: Comparison | SegmentGroup, test: TestFacts) -> PairwiseView:
        """The view that the claims were made from; a new one where a part of the comparison was replaced since."""
        known = part.pairwise
        if known and known.results is part.results and known.pairs is part.pairs and known.test is test:
            return known
        return cls(part.results, part.pairs, test)

    @property
    def is_short(self) -> bool:
        """Whether so few segments were tested that they say little about other texts."""
        return too_few(self.segments)

    @property
    def texts(self) -> str:
        """What p speaks of: on the segments tested a difference is a fact, p is about others of their kind."""
        return f"{self.kind_of_text} {self.opinion}".rstrip()

    @property
    def kind_of_text(self) -> str:
        """Texts like those that were tested, or these alone where they are too few to speak for others."""
        return texts_like(self.scope, self.segments)

    @cached_property
    def metrics(self) -> Mapping[str, Standing]:
        """A standing of each metric, to know its label, decimals and direction."""
        first: dict[str, Standing] = {}
        for standing in self.results:
            first.setdefault(standing.metric, standing)
        return first

    @cached_property
    def directed(self) -> tuple[str, ...]:
        """Metrics of which one direction is better."""
        return tuple(m for m, s in self.metrics.items() if s.higher_is_better is not None)

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of each system by the first metric that has a direction."""
        systems = dict.fromkeys(s.system for s in self.results)
        if not self.directed:
            return {name: place for place, name in enumerate(systems)}
        ranked = self.ranked(self.directed[0])
        rest = [name for name in systems if name not in ranked]
        return {name: place for place, name in enumerate([*ranked, *rest])}

    def ranked(self, metric: str) -> list[str]:
        """Systems with a score by a metric, the best first: by clusters, and in these by score."""
        standings = [s for s in self.results if s.metric == metric and not math.isnan(s.score)]
        higher = self.metrics[metric].higher_is_better
        # Tests of ranks may put a system with a worse score into a better cluster.
        return [
            s.system
            for s in sorted(standings, key=lambda s: (s.cluster or 0, -s.score if higher else s.score))
        ]

    @cached_property
    def by_pair(self) -> Mapping[tuple[str, str], Mapping[str, Pair]]:
        """Every pair, the system that stands higher (by the first metric) first, or the baseline last."""
        pairs: dict[tuple[str, str], dict[str, Pair]] = {}
        last = len(self.order)
        place = dict(self.order)
        if self.test.baseline is not None:
            place[self.test.baseline] = last
        for pair in self.pairs:
            if place.get(pair.a, last) > place.get(pair.b, last):
                pair = swap_pair(pair)
            pairs.setdefault((pair.a, pair.b), {})[pair.metric] = pair
        return dict(sorted(pairs.items(), key=lambda item: [place.get(name, last) for name in item[0]]))

    @cached_property
    def same(self) -> tuple[tuple[str, str], ...]:
        """Pairs that no metric tells apart on any segment."""
        return tuple(
            names
            for names, by_metric in self.by_pair.items()
            if frozenset(names) in self.identical
            or all(p.delta == p.better_on == p.worse_on == 0 for p in by_metric.values())
        )

    @cached_property
    def open_pairs(self) -> Mapping[tuple[str, str], Mapping[str, Pair]]:
        """Pairs that differ, by the metrics that have a direction and a p-value."""
        pairs = {}
        for names, by_metric in self.by_pair.items():
            known = {m: by_metric[m] for m in self.directed if m in by_metric}
            known = {m: p for m, p in known.items() if not math.isnan(p.p_adjusted)}
            if known and names not in self.same:
                pairs[names] = known
        return pairs

    def winner(self, pair: Pair) -> str | None:
        """The system that is significantly better, if one is: by what was tested, be it scores or ranks."""
        return self.ahead(pair) if pair.significant else None

    def ahead(self, pair: Pair) -> str | None:
        """The system for which what was tested speaks, if for one."""
        if math.isnan(pair.share):
            return self.scores_better(pair)
        return None if pair.share == 0.5 else pair.a if pair.share > 0.5 else pair.b

    def scores_better(self, pair: Pair) -> str | None:
        """The system with the better score."""
        if pair.delta == 0 or math.isnan(pair.delta):
            return None
        return pair.a if (pair.delta > 0) == self.metrics[pair.metric].higher_is_better else pair.b

    def is_upset(self, pair: Pair) -> bool:
        """Whether a system is significantly better by ranks whose score is not the better one."""
        return self.winner(pair) not in (None, self.scores_better(pair))

    @property
    def one_sided(self) -> bool:
        """Whether it was only asked if some systems are better, and not if they are worse."""
        return self.test.alternative == "one-sided"

    @cached_property
    def expected(self) -> frozenset[tuple[str, str]]:
        """Pairs of systems of which the first was expected to be the better one."""
        return frozenset(combinations(self.test.expected, 2))

    def labels(self, metrics: Iterable[str]) -> str:
        """Metrics in a row."""
        return join_names([self.metrics[m].label for m in metrics])

    @property
    def corrected(self) -> str:
        """The correction, to stand behind p-values; nothing where there was nothing to correct."""
        if self.test.comparisons < 2:
            return ""
        return f", {CORRECTIONS.get(self.test.correction, self.test.correction)}"

    def evidence(self, pairs: Iterable[Pair], *, named: bool = True) -> str:
        """Differences and p-values as they stand in brackets: `BLEU +1.2, p = 0.003, Holm`."""
        pairs = tuple(pairs)
        alpha = self.test.alpha
        gaps = [(f"{self.metrics[p.metric].label} " if named else "") + self.gap(p) for p in pairs]
        worst = max(p.p_adjusted for p in pairs)
        if len(pairs) > 1 and worst < 0.001 and all(p.significant for p in pairs):
            return f"{', '.join(gaps)}; {largest_p([worst] * len(pairs), alpha)}{self.corrected}"
        parts = []
        for gap, pair in zip(gaps, pairs, strict=True):
            before = ""
            if not pair.significant and significant(pair.p, alpha):
                before = f" ({p_number(pair.p, alpha)} before correction)"
            parts.append(f"{gap}, {p_text(pair.p_adjusted, alpha)}{before}")
        return "; ".join(parts) + (self.corrected.replace(",", ";", 1) if len(pairs) > 1 else self.corrected)

    def gap(self, pair: Pair) -> str:
        """The difference with its sign, and digits enough to see it."""
        decimals = self.metrics[pair.metric].decimals
        return with_sign(pair.delta, digits([pair.delta], decimals))


def too_few(segments: int) -> bool:
    """Whether so few segments were tested that no winner is named; 0 is a number that is not known."""
    return 0 < segments < FEWEST


def texts_like(scope: str, segments: int = 0) -> str:
    """Other texts of the kind that was tested; of too few segments, these alone."""
    if too_few(segments):
        which = "this" if segments == 1 else "these"
        return f"{which} {pluralise(segments, 'segment')}, too few to speak for other texts"
    if scope.startswith(("this ", "these ")):
        return "texts like these"
    return f"texts like those of {scope.removeprefix('the segments of ').removeprefix('the judgements of ')}"


def swap_pair(pair: Pair) -> Pair:
    """The pair with its systems swapped."""
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        delta=0.0 - pair.delta,
        low=0.0 - pair.high,
        high=0.0 - pair.low,
        wins=pair.losses,
        losses=pair.wins,
        effect=0.0 - pair.effect,
        better_on=pair.worse_on,
        worse_on=pair.better_on,
        share=pair.share if math.isnan(pair.share) else 1.0 - pair.share,
        margin=pair.margin.turned if pair.margin else None,
    )
