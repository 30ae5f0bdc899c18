"""Scores in bands: every segment in one of them, whose ends are round numbers that find it again."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge.dossiers.histograms import BANDS, histograms
from adjudge.dossiers.segment_table import ScoreColumn

numbers = st.lists(st.floats(-500, 500) | st.just(float("nan")), min_size=1, max_size=40)


@given(numbers)
def test_every_segment_is_in_one_band_that_its_ends_tell(values) -> None:
    column = np.array(values)
    made = histograms(ScoreColumn("m", "M", True, "metric", {"s": column}), ["s", "other"])
    known = column[np.isfinite(column)]
    if not len(known):
        assert made == ()
        return
    [own] = made
    assert sum(own.counts) == len(known)
    assert own.missing == len(column) - len(known)
    assert len(own.counts) <= BANDS + 2
    for place, ((low, high), count) in enumerate(zip(own.bands, own.counts, strict=True)):
        low, high = float(f"{low:.10g}"), float(f"{high:.10g}")  # as links spell them
        below = known <= high if place == len(own.counts) - 1 else known < high
        assert count == int(((known >= low) & below).sum())


def test_percentages_have_round_bands() -> None:
    [own] = histograms(ScoreColumn("m", "M", True, "metric", {"s": np.array([0.0, 33.0, 100.0])}), ["s"])
    assert own.edges == tuple(range(0, 101, 5))
    assert own.counts[0] == own.counts[6] == own.counts[-1] == 1
