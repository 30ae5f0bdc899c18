"""Whether curves of agreement hold on test sets that they were not fitted to, as tables for docs/differences.md.

    scripts/gather-system-scores ../shared/data > systems.tsv
    python bench/differences.py systems.tsv scripts/published-system-scores.tsv

Each test set, and each year with all its test sets, is left out in turn; the model fitted to the others says how often
people agree with each of its pairs, and the interval that the share of all these pairs lies in. It has what test sets
and years have of their own and the error of a share: pairs of one test set of n systems are worth 9 / (2n + 5) of as
many independent ones.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import expit

from adjudge.io.score_tables import read_system_scores
from adjudge.meta.differences import higher_is_better_of, system_pairs
from adjudge.stats.agreement_curve import (
    EXPONENTS,
    LEVELS,
    SET_DEVIATIONS,
    YEAR_DEVIATIONS,
    AgreementModel,
    SystemPairs,
    fit_agreement,
)

BANDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
METRICS = (
    "bleu",
    "chrf",
    "comet(model=Unbabel/wmt23-cometkiwi-da-xl,qe=true)",
    "metricx(model=google/metricx-23-xl-v2p0,edition=23)",
)


DRAWS = 4000


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Test sets of one year that a model has not seen, what it says of their pairs, and what people say."""

    year: int
    pairs: SystemPairs
    promised: np.ndarray
    low: float
    high: float
    """Ends of the 95 % interval for the share of all pairs with which people agree."""

    @property
    def inside(self) -> bool:
        return self.low <= self.pairs.agree.mean() <= self.high


def held_out(pairs: SystemPairs, place: int, *, whole_year: bool) -> HeldOut | None:
    """One test set as a model sees it that was fitted without it, or without all of its year."""
    assert pairs.years is not None
    year = pairs.years[place]
    rest = [p for p, other in enumerate(pairs.years) if (other != year if whole_year else p != place)]
    return None if len(rest) < 4 else _predicted(pairs, rest, [place], year)


def held_out_year(pairs: SystemPairs, year: int) -> HeldOut | None:
    """All test sets of one year together, by a model that has seen none of them."""
    assert pairs.years is not None
    own = [place for place, other in enumerate(pairs.years) if other == year]
    rest = [place for place in range(len(pairs.systems)) if place not in own]
    return None if len(rest) < 4 else _predicted(pairs, rest, own, year)


def _predicted(pairs: SystemPairs, rest: list[int], chosen: list[int], year: int) -> HeldOut:
    model = fit_agreement(pairs.of_sets(rest), year=year)
    own = pairs.of_sets(chosen)
    low, high = np.quantile(_drawn_shares(model, own), [0.025, 0.975])
    return HeldOut(year, own, model.agreement(own.delta)[0], float(low), float(high))


def _drawn_shares(model: AgreementModel, own: SystemPairs) -> np.ndarray:
    """Shares of all pairs, where the year and every test set have something of their own."""
    rng = np.random.default_rng(12345)
    drawn = rng.choice(model.posterior.size, DRAWS, p=model.posterior.ravel())
    exponent, spread, deviation, level = np.unravel_index(drawn, model.posterior.shape)
    campaign = LEVELS[level] + YEAR_DEVIATIONS[deviation] * rng.standard_normal(DRAWS)
    total = np.zeros(DRAWS)
    for place, systems in enumerate(own.systems):
        relative = own.delta[own.test_set == place] / model.scale
        steepness = campaign + SET_DEVIATIONS[spread] * rng.standard_normal(DRAWS)
        share = expit(np.exp(steepness)[:, None] * relative ** EXPONENTS[exponent][:, None]).mean(1)
        error = np.sqrt(share * (1 - share) * (2 * systems + 5) / 9 / len(relative))
        total += len(relative) * np.clip(share + error * rng.standard_normal(DRAWS), 0, 1)
    return total / len(own)


def by_promise(sets: list[HeldOut], low: float, high: float) -> str:
    """Promised and measured over all pairs whose promise lies in a band."""
    chosen = [(own, (own.promised >= low) & (own.promised < high)) for own in sets]
    count = sum(rows.sum() for _, rows in chosen)
    band = f"{100 * low:.0f}–{min(100, 100 * high):.0f} %"
    if not count:
        return f"| {band} | 0 | – | – | – |"
    promised = sum(own.promised[rows].sum() for own, rows in chosen) / count
    measured = sum(own.pairs.agree[rows].sum() for own, rows in chosen) / count
    variance = sum(
        (2 * own.pairs.systems[0] + 5) / 9 * (own.promised[rows] * (1 - own.promised[rows])).sum()
        for own, rows in chosen
    )
    shares = f"{100 * promised:.1f} % | {100 * measured:.1f} % | ± {100 * variance**0.5 / count:.1f}"
    return f"| {band} | {count:,} | {shares} |"


def by_year(own: HeldOut) -> str:
    shares = f"{100 * own.promised.mean():.1f} % | {100 * own.low:.0f}–{100 * own.high:.0f} %"
    measured = f"{100 * own.pairs.agree.mean():.1f} %"
    return f"| {own.year} | {len(own.pairs.systems)} | {len(own.pairs):,} | {shares} | {measured} |"


def main() -> None:
    test_sets = read_system_scores(sys.argv[1:]).test_sets
    for metric in METRICS:
        pairs = system_pairs(test_sets, metric, higher_is_better_of(metric, ()))
        assert pairs is not None
        assert pairs.years is not None
        places = range(len(pairs.systems))
        alone = [own for place in places if (own := held_out(pairs, place, whole_year=False))]
        print(
            f"\n{metric}: {sum(own.inside for own in alone)} of {len(alone)} test sets inside, left out alone"
        )
        print("| promised | pairs | promised | people agreed | error |\n|---|--:|--:|--:|--:|")
        for low, high in pairwise(BANDS):
            print(by_promise(alone, low, high + 0.01 * (high == 1)))
        years = [own for year in sorted(set(pairs.years)) if (own := held_out_year(pairs, year))]
        if years:
            unseen = [own for place in places if (own := held_out(pairs, place, whole_year=True))]
            print(f"{sum(own.inside for own in unseen)} of {len(unseen)} inside, their whole year left out")
            print(
                "| year | test sets | pairs | promised | interval | people agreed |\n|--:|--:|--:|--:|--:|--:|"
            )
            for own in years:
                print(by_year(own))


if __name__ == "__main__":
    main()
