"""Whether curves of agreement hold on test sets that they were not fitted to, as tables for docs/differences.md.

    scripts/gather-system-scores ../shared/data > systems.tsv
    python bench/differences.py systems.tsv scripts/published-system-scores.tsv

Each test set, and each year with all its test sets, is left out in turn; the model fitted to the others says how often
people agree with each of its pairs. Standard errors treat pairs as the model does: those of one test set of n systems
are worth 9 / (2n + 5) of as many independent ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adjudge.io.system_scores import read_system_scores
from adjudge.meta.differences import higher_is_better_of, system_pairs
from adjudge.stats.agreement_curve import AgreementModel, SystemPairs, fit_agreement

BANDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
METRICS = (
    "bleu",
    "chrf",
    "comet(model=Unbabel/wmt23-cometkiwi-da-xl,qe=true)",
    "metricx(model=google/metricx-23-xl-v2p0,edition=23)",
)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """One test set, and what a model that has not seen it says of its pairs."""

    year: int
    systems: int
    promised: np.ndarray
    agree: np.ndarray
    inside: bool
    """The share of all its pairs lies in the 95 % interval for a new test set, widened by the error of the share."""

    @property
    def effect(self) -> float:
        return (2 * self.systems + 5) / 9


def held_out(pairs: SystemPairs, *, years: bool) -> Iterator[HeldOut]:
    """Every test set, left out by itself or with all of its year."""
    assert pairs.years is not None
    for place, year in enumerate(pairs.years):
        out = [p for p, other in enumerate(pairs.years) if (other == year if years else p == place)]
        rest = [p for p in range(len(pairs.systems)) if p not in out]
        if len(rest) < 4:
            continue
        model = fit_agreement(pairs.of_sets(rest), year=year)
        own = pairs.of_sets([place])
        promised = model.agreement(own.delta)[0]
        yield HeldOut(year, own.systems[0], promised, own.agree, _inside(model, own))


def _inside(model: AgreementModel, own: SystemPairs) -> bool:
    means = model.shares(own.delta).mean(2).ravel()
    effect = (2 * own.systems[0] + 5) / 9
    errors = np.sqrt(means * (1 - means) * effect / len(own))
    rng = np.random.default_rng(12345)
    drawn = rng.choice(len(means), 20_000, p=model.weights.ravel())
    shares = means[drawn] + errors[drawn] * rng.standard_normal(len(drawn))
    low, high = np.quantile(shares, [0.025, 0.975])
    return bool(low <= own.agree.mean() <= high)


def row(name: str, sets: list[HeldOut], low: float = 0.0, high: float = 1.01) -> str:
    """Promised and measured over all pairs whose promise lies in a band."""
    chosen = [(one, (one.promised >= low) & (one.promised < high)) for one in sets]
    chosen = [(one, own) for one, own in chosen if own.any()]
    count = sum(own.sum() for _, own in chosen)
    if not count:
        return f"| {name} | 0 | 0 | – | – | – |"
    promised = sum(one.promised[own].sum() for one, own in chosen) / count
    measured = sum(one.agree[own].sum() for one, own in chosen) / count
    variance = sum(one.effect * (one.promised[own] * (1 - one.promised[own])).sum() for one, own in chosen)
    shares = f"{100 * promised:.1f} % | {100 * measured:.1f} % | ± {100 * variance**0.5 / count:.1f}"
    return f"| {name} | {len(chosen)} | {count:,} | {shares} |"


def main() -> None:
    test_sets = read_system_scores(sys.argv[1:]).test_sets
    for metric in METRICS:
        pairs = system_pairs(test_sets, metric, higher_is_better_of(metric, ()))
        assert pairs is not None
        assert pairs.years is not None
        alone = list(held_out(pairs, years=False))
        print(f"\n{metric}: {sum(one.inside for one in alone)} of {len(alone)} test sets inside")
        print(
            "| left out | test sets | pairs | promised | people agreed | error |\n|---|--:|--:|--:|--:|--:|"
        )
        for low, high in pairwise(BANDS):
            print(row(f"promised {100 * low:.0f}–{100 * high:.0f} %", alone, low, high + 0.01 * (high == 1)))
        for year in sorted(set(pairs.years)):
            print(row(f"each of {year}", [one for one in alone if one.year == year]))
        together = list(held_out(pairs, years=True))
        for year in sorted({one.year for one in together}):
            print(row(f"all of {year}", [one for one in together if one.year == year]))
        if together:
            print(
                f"years left out: {sum(one.inside for one in together)} of {len(together)} test sets inside"
            )


if __name__ == "__main__":
    main()
