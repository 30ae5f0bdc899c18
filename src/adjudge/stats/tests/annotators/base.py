"""What a test of an annotator is asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import unknown_name
from adjudge.stats.tests import Test, all_of

Floats = NDArray[np.float64]


class AnnotatorTest(Test):
    """A one-sided test of scores of whole translations and of the same ones damaged, where higher is better."""

    def p(self, whole: Floats, damaged: Floats) -> float:
        """That damage would be scored so much worse by chance, of two translations or more."""
        raise NotImplementedError


def annotator_test(name: str) -> AnnotatorTest:
    """The test of annotators that has this name."""
    known = all_of(AnnotatorTest)
    if name not in known:
        raise unknown_name("test of annotators", name, known)
    return known[name]
