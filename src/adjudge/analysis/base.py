"""What analyses of texts share: the files they are given, how they cut texts, what they say of what they draw.

An analysis is a file of this folder: a frozen result that is `Displayable`, the function that makes it, and `analyse`,
which the command `adjudge analyse` calls with the options that its keywords are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.charts import Bar, IntervalChart
from adjudge.data import Outputs, TestSet
from adjudge.display import Column, visible
from adjudge.metrics.base import Rows, divide
from adjudge.stats import multiple
from adjudge.stats.design import Design
from adjudge.stats.ratios import RatioTest, ratio_test
from adjudge.stats.resampling import PairedTest
from adjudge.stats.significance import significant
from adjudge.stats.units import Units
from adjudge.text import tokenizers
from adjudge.text.tokenizers import Tokenizer
from adjudge.wording import number, percent

if TYPE_CHECKING:
    from adjudge.comparison.results import Measured
    from adjudge.io import Loaded
    from adjudge.io.judgements import LoadedJudgements

Key = TypeVar("Key", bound=Hashable)
Progress = Callable[[str, int, int], None]
Members = NDArray[np.intp]
"""Places of segments that a number is about, from 0, ascending; neither `repr` nor JSON show them."""
REFERENCE = "reference"
"""What the first reference is called among texts that are looked at."""


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


def first_reference(test_set: TestSet) -> list[str]:
    """The segments of the first reference; those that it does not have are empty."""
    return [text or "" for text in test_set.references[0]]


def texts_with_reference(test_set: TestSet, outputs: Sequence[Outputs]) -> dict[str, Sequence[str]]:
    """Every output by its title, and the first reference last, where there is one."""
    texts: dict[str, Sequence[str]] = {output.title: output.segments for output in outputs}
    if test_set.references:
        texts[REFERENCE] = first_reference(test_set)
    return texts


def rows_by_title(measured: Measured) -> dict[str, Rows]:
    """A metric's rows of every run of every system."""
    return {
        f"{name} (run {run})" if run else name: rows
        for name, runs in measured.rows.items()
        for run, rows in zip(measured.runs[name], runs, strict=True)
    }


def percentage(sums: Rows) -> Rows:
    """The first sum in percent of the second; NaN where there is nothing to be a share of."""
    return 100.0 * divide(sums[..., 0], sums[..., 1], otherwise=np.nan)


def compare_shares(rows: Rows, first: Rows, units: Units) -> RatioTest:
    """The test whether two texts' shares of counted things differ; each has rows of (counted, of)."""
    return ratio_test((rows[:, 0], rows[:, 1], first[:, 0], first[:, 1]), units=units)


@dataclass(frozen=True)
class Contrast:
    """A system's difference to the first one; NaN of what was not tested."""

    delta: float = math.nan
    p: float = math.nan
    p_adjusted: float = math.nan
    significant: bool = False


UNTESTED = Contrast()


def contrasts(tests: Mapping[Key, RatioTest | PairedTest], alpha: float) -> dict[Key, Contrast]:
    """Tests of one family, with p corrected after Holm over all of them."""
    adjusted = map(float, multiple.adjust_p_values([test.p for test in tests.values()]))
    return {
        key: Contrast(test.delta, test.p, p, significant(p, alpha))
        for (key, test), p in zip(tests.items(), adjusted, strict=True)
    }


def columns_within(part: str, names: Iterable[str]) -> list[Column]:
    """Columns that data alone have, of numbers that lie in a part of each record."""
    return [Column.of(name, value=attrgetter(f"{part}.{name}")) for name in names]


def interval_chart(
    systems: Iterable[tuple[str, float, float, float]],
    label: str,
    better: str,
    confidence: float,
    decimals: int = 1,
) -> IntervalChart:
    """A chart of systems, each with its score and the ends of its interval."""
    bars = [
        Bar(visible(name), score, low, high, None, number(score, decimals))
        for name, score, low, high in systems
    ]
    return IntervalChart(bars, label, better, f"{percent(confidence)} interval")


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
