"""Scatters, histograms and shades: nothing is lost at the edges, and what has no value has no colour."""

import re

import numpy as np

from adjudge.charts import Points
from adjudge.report.charts.scatter import BINS, heat, histograms, scatter


def test_few_points_are_dots_with_names():
    drawn = scatter(
        Points(np.array([1.0, 2.0]), np.array([3.0, 5.0]), ("a<b", "c")), caption="m", below="x", up="y"
    )
    assert drawn.count("<circle") == 2
    assert "a&lt;b: 1, 3" in drawn


def test_many_points_are_shades_and_none_is_lost_at_the_edge():
    values = np.concatenate([np.linspace(0, 100, 999), [100.00000000000004]])
    drawn = scatter(Points(values, values), caption="m", below="x", up="y")
    assert "<circle" not in drawn
    assert drawn.count('class="cell"') == 2 * BINS  # the diagonal
    assert drawn.count('class="bar"') == 2 * BINS


def test_histograms_share_a_scale():
    drawn = histograms(
        [("low", np.zeros(5)), ("high", np.full(5, 100.00000000000004))], caption="c", below="b"
    )
    places = [float(x) for x in re.findall(r'<rect[^>]* x="([\d.]+)"', drawn)]
    assert len(places) == 2
    assert places[0] == 0.0
    assert places[1] > 250
    assert "low, mean 0.00" in drawn


def test_a_missing_value_has_no_shade():
    drawn = heat("Metric", ["one", "two"], [("a", [0.5, float("nan")]), ("b", [-0.25, float("nan")])])
    assert drawn.count('class="self"') == 2
    assert "−0.250" in drawn
