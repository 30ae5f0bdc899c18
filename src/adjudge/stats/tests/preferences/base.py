"""What a test of preferences is asked, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.ratios import sign_flip
from adjudge.stats.tests import Test, all_of

if TYPE_CHECKING:
    from adjudge.stats.crossed import Clustered

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answers:
    """What people said of two systems, a number a unit that adds up to how far the first one is preferred."""

    values: Floats
    parts: int
    """By this number all values become whole."""
    people: Answers | None = None
    """The same by annotators, where these are drawn as well."""
    mean: Clustered | None = None
    """The preference with its standard error by both kinds of units, where both are drawn."""

    @property
    def flipped_p(self) -> float:
        """Two-sided p where every unit could as well have the other sign."""
        return sign_flip(self.values, parts=self.parts)

    @property
    def smallest_p(self) -> float:
        """All units of one sign."""
        return float(2.0 ** (1 - len(self.values)))


class PreferenceTest(Test):
    """A two-sided test of whether one of two systems is preferred, by units that turn by coins."""

    every_comparison: ClassVar[bool] = False
    """Whether every comparison counts as one more item, as published tests have it."""
    short_title: ClassVar[str] = "sign-flip tests"
    """Several of them."""

    def takes(self, unit: str) -> bool:
        """Whether this is the test where such units are drawn; of all tests, one is."""
        raise NotImplementedError

    @property
    def method(self) -> str:
        """What files of results call it."""
        return self.name

    def describe(self, unit: str) -> str:
        """The test in words that follow on `two-sided`, where such units are drawn."""
        return self.title.format(unit)

    def p(self, answers: Answers) -> float:
        """Of no preference; 1 where nothing was preferred."""
        return answers.flipped_p

    def smallest_p(self, answers: Answers) -> float:
        """The smallest p that so many units allow."""
        return answers.smallest_p


@cache
def preference_test(unit: str) -> PreferenceTest:
    """The test that is made where such units are drawn."""
    return next(test for test in all_of(PreferenceTest).values() if test.takes(unit))
