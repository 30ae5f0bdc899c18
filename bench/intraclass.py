"""How often the interval of ICC(1,1) holds the truth: simulated judges who judge the same translations again.

    .venv/bin/python bench/intraclass.py [JUDGES]

Items have several translations that lie together, so that whole items are left out; scores spread normally, or as the
exponential of that, which has a long tail. The share of 95 % intervals that hold, in percent.
"""

import sys

import numpy as np

from adjudge.stats.intraclass import intraclass_one_way

DESIGNS = ((15, 2, 2), (30, 2, 2), (60, 3, 2), (40, 1, 3), (100, 2, 2))
"""Items, translations of each, and how often each is judged."""


def simulated(
    random: np.random.Generator, design: tuple[int, int, int], truth: float, tail: bool
) -> np.ndarray:
    """Scores (items, translations, times) whose intraclass correlation is known."""
    items, translations, times = design
    quality = random.normal(size=(items, 1)) + random.normal(size=(items, translations))
    quality = quality / np.sqrt(2)
    if tail:
        shape = 0.7
        spread = np.sqrt((np.exp(shape**2) - 1) * np.exp(shape**2))
        quality = -(np.exp(shape * quality) - np.exp(shape**2 / 2)) / spread
    noise = random.normal(size=(items, translations, times))
    return np.sqrt(truth) * quality[..., None] + np.sqrt(1 - truth) * noise


def held(judges: int, design: tuple[int, int, int], truth: float, tail: bool) -> float:
    random = np.random.default_rng(12345)
    items, translations, times = design
    units = np.repeat(np.arange(items * translations), times)
    together = [str(item) for item in np.repeat(np.arange(items), translations * times)]
    hits = 0
    for _ in range(judges):
        values = simulated(random, design, truth, tail).ravel()
        coefficient = intraclass_one_way(values, units, limits=True, together=together)
        hits += coefficient.low <= truth <= coefficient.high
    return 100 * hits / judges


def main(judges: int) -> None:
    print("items x translations x times   ICC   normal   long tail")
    shares = []
    for design in DESIGNS:
        for truth in (0.3, 0.6, 0.9):
            shares.append([held(judges, design, truth, tail) for tail in (False, True)])
            shown = " x ".join(map(str, design))
            print(f"{shown:28} {truth:5.1f} {shares[-1][0]:8.1f} {shares[-1][1]:11.1f}", flush=True)
    normal, tail = np.mean(shares, axis=0)
    print(f"{'mean':28} {'':5} {normal:8.1f} {tail:11.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
