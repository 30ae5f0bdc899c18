"""How often the interval of ICC(1,1) holds the truth: simulated judges who judge the same translations again.

    .venv/bin/python bench/intraclass.py [JUDGES]

Items have several translations that lie together, so that whole items are left out. Qualities spread normally, evenly,
exponentially, or as the exponential of a normal spread, which has a long tail (`log-normal`; that of `longer` a few
dozen items do not show). adjudge.stats.intraclass.TAIL was chosen by these. Two more spreads had no say: Student's
t with 5 degrees of freedom, and two kinds of translations, one in five of them bad. The share of 95 % intervals that
hold, in percent.
"""

import sys

import numpy as np
from scipy.special import log_ndtr, ndtr, stdtrit

from adjudge.stats.intraclass import intraclass_one_way

DESIGNS = ((15, 2, 2), (30, 2, 2), (60, 3, 2), (40, 1, 3), (100, 2, 2))
"""Items, translations of each, and how often each is judged."""


def log_normal(normal: np.ndarray, shape: float) -> np.ndarray:
    """Mean 0, variance 1, and a long tail of bad ones."""
    spread = np.sqrt((np.exp(shape**2) - 1) * np.exp(shape**2))
    return np.asarray(-(np.exp(shape * normal) - np.exp(shape**2 / 2)) / spread)


SPREADS = {
    "normal": lambda normal: normal,
    "even": lambda normal: (ndtr(normal) - 0.5) * np.sqrt(12),
    "exponential": lambda normal: 1 + log_ndtr(normal),
    "log-normal": lambda normal: log_normal(normal, 0.7),
    "longer": lambda normal: log_normal(normal, 1.0),
    "student's t": lambda normal: stdtrit(5, ndtr(normal)) / np.sqrt(5 / 3),
    "two kinds": lambda normal: np.where(ndtr(normal) < 0.2, -2.0, 0.5),
}


def simulated(
    random: np.random.Generator, design: tuple[int, int, int], truth: float, spread: str
) -> np.ndarray:
    """Scores (items, translations, times) whose intraclass correlation is known."""
    items, translations, times = design
    quality = random.normal(size=(items, 1)) + random.normal(size=(items, translations))
    quality = SPREADS[spread](quality / np.sqrt(2))
    noise = random.normal(size=(items, translations, times))
    return np.sqrt(truth) * quality[..., None] + np.sqrt(1 - truth) * noise


def held(judges: int, design: tuple[int, int, int], truth: float, spread: str) -> float:
    random = np.random.default_rng(12345)
    items, translations, times = design
    units = np.repeat(np.arange(items * translations), times)
    together = [str(item) for item in np.repeat(np.arange(items), translations * times)]
    hits = 0
    for _ in range(judges):
        values = simulated(random, design, truth, spread).ravel()
        coefficient = intraclass_one_way(values, units, limits=True, together=together)
        hits += coefficient.low <= truth <= coefficient.high
    return 100 * hits / judges


def main(judges: int) -> None:
    print("items x translations x times   ICC " + "".join(f"{name:>12}" for name in SPREADS))
    shares = []
    for design in DESIGNS:
        for truth in (0.3, 0.6, 0.9):
            shares.append([held(judges, design, truth, spread) for spread in SPREADS])
            cells = "".join(f"{share:12.1f}" for share in shares[-1])
            print(f"{' x '.join(map(str, design)):28} {truth:5.1f} {cells}", flush=True)
    print(f"{'mean':28} {'':5} {''.join(f'{share:12.1f}' for share in np.mean(shares, axis=0))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
