"""Drawings: everything stays within its frame, and round numbers stand at its edges."""

import math
import re

from hypothesis import given
from hypothesis import strategies as st

from adjudge.charts import Bar, Scale
from adjudge.report.charts.intervals import curve, draw_dumbbells, intervals

numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 6))


@given(st.lists(numbers, min_size=1, max_size=8), st.integers(3, 6))
def test_a_scale_holds_its_values_between_round_numbers(values, most):
    scale = Scale.over(values, most)
    assert scale.low <= min(values)
    assert scale.high >= max(values)
    assert 2 <= len(scale.ticks) <= most + 2
    steps = {round(b - a, 9) for a, b in zip(scale.ticks, scale.ticks[1:], strict=False)}
    assert max(steps) - min(steps) < 1e-6 * max(1.0, scale.high - scale.low)
    shown = [f"{tick:.{scale.decimals}f}" for tick in scale.ticks]
    assert len(set(shown)) == len(shown)
    assert all(
        math.isclose(float(s), t, abs_tol=1e-9, rel_tol=1e-9) for s, t in zip(shown, scale.ticks, strict=True)
    )


def test_a_scale_of_nothing():
    assert Scale.over([]).ticks[0] < Scale.over([]).ticks[-1]
    assert Scale.over([math.nan]).ticks[0] < Scale.over([math.nan]).ticks[-1]
    first = Scale.over([3.0])
    assert first.low < 3 < first.high


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=6))
def test_marks_stay_in_the_frame(values):
    bars = [
        Bar(f"s{i}", sorted(v)[1], sorted(v)[0], sorted(v)[2], 1 + i // 2, "x") for i, v in enumerate(values)
    ]
    html = intervals(bars, label="score", better="↑", interval="95 % intervals")
    places = [float(x) for x in re.findall(r'(?:cx|x1|x2)="([-\d.e+]+)%"', html)]
    assert places
    assert all(-0.01 <= place <= 100.01 for place in places)
    assert html.count("<circle") == len(bars)


def test_what_is_not_known_is_not_drawn():
    bars = [Bar("a", 1.0, math.nan, math.nan, None, "1"), Bar("b", math.nan, math.nan, math.nan, None, "–")]
    html = intervals(bars, label="score", better="", interval="95 % intervals")
    assert "nan" not in html
    assert html.count("<circle") == 1
    assert 'class="range"' not in html
    assert "clusters" not in html
    assert "nan" not in draw_dumbbells([("a", 1.0, math.nan)], label="x", first="f", second="r", decimals=1)
    assert curve([(0, 0.5, None, None)], caption="agreement", across="k") == ""
    assert (
        curve([(0, 0.5, 0.4, 0.6), (1, None, None, None), (2, 0.7, 0.6, 0.8)], caption="a", across="k").count(
            "<circle"
        )
        == 2
    )
