"""How often the intervals of `adjudge analyse origins` hold: R−F, correlations between halves, pairs that change order.

    python bench/origins.py [CAMPAIGNS]

Campaigns are made up: systems whose true scores on the two halves correlate, segments with an ease of their own, noise.
"close" systems differ by less than segments can tell, "apart" ones by several times as much.
"""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.flips import HalfDraws, bounded_correlation, difference_p_values, flips
from adjudge.stats.resampling import estimate

SEGMENTS, RESAMPLES = 300, 300
SPREADS = {"close": 0.5, "middling": 1.5, "apart": 4.0}
Floats = NDArray[np.float64]


def drawn(rng: np.random.Generator, truth: Floats) -> HalfDraws:
    """One half of a test set, with resamples of its segments."""
    scores = truth + 10 * rng.normal(size=(SEGMENTS, 1)) + 10 * rng.normal(size=(SEGMENTS, len(truth)))
    counts = rng.multinomial(SEGMENTS, np.full(SEGMENTS, 1 / SEGMENTS), RESAMPLES)
    return HalfDraws(scores.mean(0), counts @ scores / SEGMENTS, SEGMENTS)


def halves(campaigns: int, systems: int, spread: float, correlation: float) -> list[float]:
    """How often the true share of changed orders and the true mean of R−F lie in their intervals, and widths."""
    rng = np.random.default_rng(7)
    pairs = list(combinations(range(systems), 2))
    share_held = mean_held = wrong = 0
    widths = []
    for _ in range(campaigns):
        common, other = rng.normal(size=(2, systems))
        forward = spread * common
        reverse = 3 + spread * (correlation * common + np.sqrt(1 - correlation**2) * other)
        one, two = drawn(rng, forward), drawn(rng, reverse)
        apart = [
            np.array([s[a] - s[b] for a, b in pairs]) for s in (forward, reverse, one.scores, two.scores)
        ]
        changed = flips(*apart[2:], difference_p_values(one, pairs), difference_p_values(two, pairs))
        truly = apart[0] * apart[1] < 0
        share = changed.share()
        share_held += share.low - 1e-12 <= truly.mean() <= share.high + 1e-12
        wrong += bool((changed.sure_flips & ~truly).any())
        widths.append(share.high - share.low)
        off = estimate(float((two.scores - one.scores).mean()), (two.resampled - one.resampled).mean(1))
        mean_held += off.low <= (reverse - forward).mean() <= off.high
    return [
        100 * share_held / campaigns,
        100 * wrong / campaigns,
        float(np.mean(widths)),
        100 * mean_held / campaigns,
    ]


def correlations(campaigns: int, systems: int, correlation: float) -> list[float]:
    """How often the correlation of the population that systems come from lies in its interval: r, ρ, τ."""
    rng = np.random.default_rng(8)
    truth = {
        "pearson": correlation,
        "spearman": 6 / np.pi * np.arcsin(correlation / 2),
        "kendall": 2 / np.pi * np.arcsin(correlation),
    }
    held = dict.fromkeys(truth, 0)
    told = dict.fromkeys(truth, 0)
    for _ in range(campaigns):
        first, other = rng.normal(size=(2, systems))
        second = correlation * first + np.sqrt(1 - correlation**2) * other
        for name, value in truth.items():
            own = bounded_correlation(name, first, second)
            told[name] += not np.isnan(own.low)
            held[name] += own.low <= value <= own.high
    return [100 * held[name] / max(told[name], 1) for name in truth]


def main() -> None:
    """Print two tables."""
    campaigns = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print("systems           true r  share holds  a sure change is none  width  R−F holds")
    for systems in (5, 10):
        for name, spread in SPREADS.items():
            for correlation in (0.5, 0.95):
                share, wrong, width, mean = halves(campaigns, systems, spread, correlation)
                row = f"{systems:2d} {name:14s} {correlation:6.2f}"
                print(f"{row}  {share:9.1f} %  {wrong:19.1f} %  {width:5.2f}  {mean:7.1f} %")
    print("\nsystems  true r    r holds    ρ holds    τ holds")
    for systems in (5, 8, 15):
        for correlation in (0.5, 0.9, 0.97):
            shares = correlations(5 * campaigns, systems, correlation)
            print(f"{systems:7d}  {correlation:6.2f}  " + "  ".join(f"{share:7.1f} %" for share in shares))


if __name__ == "__main__":
    main()
