"""How tasks are run: which intervals, which test between metrics, how often something is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.metric_swaps import SWAPS
from adjudge.stats.multiple import CORRECTIONS
from adjudge.stats.tests.metrics import DEFAULT, NO_TEST

if TYPE_CHECKING:
    from adjudge.stats.tests.metrics.base import MetricTest

INTERVALS = ("bootstrap", "fisher", "modern", "none")


@dataclass(frozen=True)
class RunSettings:
    """What is computed beside the agreement itself."""

    interval: str = "bootstrap"
    """`bootstrap` over items, and at system level what holds for few systems (`intervals.system_interval`); `fisher`
    as NIST printed it; `modern`, Fisher's with the errors that rho and tau have; or `none`."""
    test: str = DEFAULT
    """Between metrics: the name of a test of metrics (`stats.tests.metrics`), or `none`."""
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
            ("swap", self.swap or "cells", SWAPS),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        if self.test not in (DEFAULT, NO_TEST):
            self._check_test()
        if self.draws < 1:
            raise UsageError(f"draws must be 1 at least, not {self.draws}")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha must lie between 0 and 1, not {self.alpha:g}")

    def _check_test(self) -> None:
        from adjudge.stats.tests import all_of  # late: few ask for another test than the default
        from adjudge.stats.tests.metrics.base import MetricTest

        known = (*all_of(MetricTest), DEFAULT, NO_TEST)
        if self.test not in known:
            raise unknown_name("test", self.test, set(known))
        if why := self.metric_test.refusal_of_swap(self.swap):
            raise UsageError(why)

    @property
    def metric_test(self) -> MetricTest:
        """The test that `test` names, where it names one."""
        from adjudge.stats.tests.metrics.base import metric_test  # late: only those who test load it

        return metric_test(self.test)
