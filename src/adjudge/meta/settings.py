"""How tasks are run: which intervals, which test between metrics, how often something is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.metric_swaps import SWAPS
from adjudge.stats.multiple import CORRECTIONS

INTERVALS = ("bootstrap", "fisher", "modern", "none")
TESTS = ("permutation", "mtme", "bootstrap", "williams", "none")


@dataclass(frozen=True)
class RunSettings:
    """What is computed beside the agreement itself."""

    interval: str = "bootstrap"
    """`bootstrap` over items, and at system level what holds for few systems (`intervals.system_interval`); `fisher`
    as NIST printed it; `modern`, Fisher's with the errors that rho and tau have; or `none`."""
    test: str = "permutation"
    """Between metrics: `permutation`, `mtme` (the same as mt-metrics-eval has it), `bootstrap`, `williams` (of
    Pearson's r), or `none`."""
    swap: str | None = None
    """What permutations swap: `cells`, `systems`, `items` or `both`; None for systems at system level, items
    for measures of pairs, else cells."""
    correction: str = "holm"
    """Of the p-values of all pairs of a task."""
    draws: int = 1000
    alpha: float = 0.05
    seed: int = 12345

    def __post_init__(self) -> None:
        for what, value, known in (
            ("interval", self.interval, INTERVALS),
            ("test", self.test, TESTS),
            ("swap", self.swap or "cells", SWAPS),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        if self.test == "mtme" and self.swap not in (None, "cells"):
            raise UsageError(
                f"mt-metrics-eval swaps single scores (cells), not {self.swap}: --test permutation"
            )
        if self.draws < 1:
            raise UsageError(f"draws must be 1 at least, not {self.draws}")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha must lie between 0 and 1, not {self.alpha:g}")
