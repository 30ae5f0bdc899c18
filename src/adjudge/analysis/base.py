"""What analyses of texts share: the files they are given, how they cut texts, what they say of what they draw.

An analysis is a file of this folder: a frozen result that is `Displayable`, the function that makes it, and `analyse`,
which the command `adjudge analyse` calls with the options that its keywords are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.data import TestSet
from adjudge.metrics.base import Rows, divide
from adjudge.stats.design import Design
from adjudge.stats.ratios import RatioTest, ratio_test
from adjudge.stats.units import Units
from adjudge.text import tokenizers
from adjudge.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from adjudge.io import Loaded
    from adjudge.io.judgements import LoadedJudgements

Progress = Callable[[str, int, int], None]
Members = NDArray[np.intp]
"""Places of segments that a number is about, from 0, ascending; neither `repr` nor JSON show them."""


class AnalysisInputs(Protocol):
    """The files that a command was given; what is read is read when it is asked for."""

    progress: Progress | None

    def load(self) -> Loaded:
        """The test set, and at least one output."""

    def load_texts(self) -> Loaded:
        """The test set, with outputs or without."""

    def read_judgements(self, paths: Sequence[str]) -> LoadedJudgements | None:
        """The judgements of files; None of no file."""


def no_members() -> Members:
    """What a result has of segments where it was made without any."""
    return np.empty(0, np.intp)


def percentage(sums: Rows) -> Rows:
    """The first sum in percent of the second; NaN where there is nothing to be a share of."""
    return 100.0 * divide(sums[..., 0], sums[..., 1], otherwise=np.nan)


def compare_shares(rows: Rows, first: Rows, units: Units) -> RatioTest:
    """The test whether two texts' shares of counted things differ; each has rows of (counted, of)."""
    return ratio_test((rows[:, 0], rows[:, 1], first[:, 0], first[:, 1]), units=units)


def design_notes(design: Design) -> tuple[str, ...]:
    """Why an analysis draws what it draws, and what must be said of it."""
    return (*filter(None, [design.reason]), *design.reservations())


@dataclass(frozen=True)
class Cutting:
    """How texts are cut into words."""

    tokenize: str = ""
    """A tokenizer's name; empty: that of the target language."""
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.tokenize:
            tokenizers.check(self.tokenize)

    def tokenizer(self, test_set: TestSet) -> Tokenizer:
        """What cuts texts of this test set."""
        return tokenizers.tokenizer(self.tokenize or tokenizers.usual(test_set))

    def words(self, segments: Sequence[str | None], test_set: TestSet) -> list[list[str]]:
        """The words of every segment; none of one that is missing."""
        tokenizer = self.tokenizer(test_set)
        return _native.tokenize(tokenizer.cross(segments, lowercase=self.lowercase), tokenizer.core_name)
