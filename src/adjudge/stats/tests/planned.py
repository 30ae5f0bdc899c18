"""Tests whose power is known before anything is judged: they plan campaigns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import unknown_name
from adjudge.stats.tests import Test, all_of

if TYPE_CHECKING:
    from adjudge.stats.power import Normal
    from adjudge.stats.simulated import Simulated

Floats = NDArray[np.float64]


class PlannedTest(Test):
    """A test of translations by whose is better, with its power for so many of them and an effect P(A < B)."""

    power_methods: ClassVar[tuple[str, ...]]
    """How its power is found, the default first: shieh, noether, simulation or exact."""
    paired: ClassVar[bool] = True
    """Whether both systems' translations of the same segments are judged."""
    leaves_out_ties: ClassVar[bool] = False
    """Whether segments without a winner say nothing, so that a plan asks how many there are."""

    def normal(self, n: int, effect: float, *, other: int, ties: float, method: str) -> Normal:
        """The test's statistic for n translations of one system and `other` of the other, by shieh or noether."""
        raise NotImplementedError

    def simulated(self, n: int, effect: float, *, other: int, **level: Any) -> Simulated:
        """The power from campaigns that are drawn with normal scores."""
        raise NotImplementedError

    def pilot(self, a: Floats, b: Floats, n: int, **how: Any) -> Simulated:
        """The power from campaigns of n translations that are drawn from the scores of a pilot."""
        raise NotImplementedError

    def power_apart(
        self, distance: float, n: int, m: int, alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """The power where normal scores lie so many standard deviations apart; `levels` are how often each occurs."""
        raise NotImplementedError

    def share_apart(self, distance: float, n: int, m: int, levels: Floats | None) -> float:
        """What is tested, as a share, where normal scores lie so far apart."""
        from adjudge.stats.power import share_above  # late: commands that test nothing start faster

        return share_above(distance)


def planned_tests() -> dict[str, PlannedTest]:
    """All of them by name."""
    from adjudge.stats.tests.preferences.base import PreferenceTest
    from adjudge.stats.tests.systems.base import SystemTest

    tests: dict[str, Test] = {**all_of(SystemTest), **all_of(PreferenceTest)}
    return {name: test for name, test in tests.items() if isinstance(test, PlannedTest)}


def planned_test(name: str) -> PlannedTest:
    """The test of this name whose power is known beforehand."""
    known = planned_tests()
    if name not in known:
        raise unknown_name("test", name, known)
    return known[name]
