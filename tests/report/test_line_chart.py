"""Lines in one drawing: each where its numbers are, beside what they are held to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.charts import Curve, LineChart, MarkedPoint, ReferenceLevel
from adjudge.report.charts.lines import line_chart
from helpers.pages import Page
from helpers.pages_of_all import HOSTILE, assert_harmless

NUMBER = st.floats(-1e6, 1e6)
FALLING = Curve("a", ((0.0, 1.0, 0.9, 1.1), (1.0, 0.5, 0.4, 0.6), (2.0, 0.0, None, None)))


def draw(*curves, **facts):
    return line_chart(LineChart(*curves, **facts))


def marks(made, kind):
    return [own for tag, own in Page(made).tags if tag in ("path", "circle") and own.get("class") == kind]


def places(path):
    return [tuple(map(float, place.split())) for place in path["d"].strip("MZ").split("L")]


def test_a_line_falls_where_its_numbers_fall():
    made = draw([FALLING], caption="c", below="b")
    (path,) = marks(made, "line")
    (x0, y0), (x1, y1), (x2, y2) = places(path)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert x0 < x2
    assert y0 < y2  # downwards on a screen
    (band,) = marks(made, "band")
    assert len(places(band)) == 4  # of the two points whose bounds are known


def test_every_line_has_its_own_look_and_name():
    made = draw([Curve(name, FALLING.points) for name in ("one", "other")], caption="c", below="b")
    assert "one" in Page(made).texts
    assert "other" in Page(made).texts
    assert made.count('class="kind0"') == made.count('class="kind1"') == 2  # the line and its key


def test_levels_and_what_was_chosen_stand_where_they_are():
    made = draw(
        [FALLING],
        caption="c",
        below="b",
        levels=[ReferenceLevel("none", 1.0), ReferenceLevel("all", 0.0)],
        marked=MarkedPoint("this", 1.0, 0.5),
    )
    (path,), (ring,), held = marks(made, "line"), marks(made, "chosen"), marks(made, "held")
    assert (float(ring["cx"]), float(ring["cy"])) == places(path)[1]
    assert [places(own)[0][1] for own in held] == [places(path)[0][1], places(path)[2][1]]
    assert {"none", "all"} <= set(Page(made).texts)


def test_the_diagonal_is_where_both_are_equal():
    same = Curve("same", tuple((x / 4, x / 4, None, None) for x in range(5)))
    made = draw([same], caption="c", below="b", diagonal=True)
    (path,), (held,) = marks(made, "line"), marks(made, "held")
    assert [places(path)[0], places(path)[-1]] == places(held)


@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER), min_size=2, max_size=40), st.booleans())
def test_nothing_is_drawn_outside(points, whole):
    made = draw(
        [Curve("a", tuple((x, y, min(y, u), max(y, v)) for x, y, u, v in sorted(points)))],
        caption="c",
        below="b",
        diagonal=True,
        whole=whole,
    )
    drawn = [
        place for kind in ("line", "band", "held") for path in marks(made, kind) for place in places(path)
    ]
    assert all(-0.1 <= x <= 320.1 and -0.1 <= y <= 170.1 for x, y in drawn)


def test_less_than_two_points_are_no_line():
    assert draw([Curve("a", ((0.0, 1.0, None, None),))], caption="c", below="b") == ""


def test_names_stay_text():
    rows = [Curve(HOSTILE, FALLING.points), Curve("b", FALLING.points)]
    levels, chosen = [ReferenceLevel(HOSTILE, 0.3)], MarkedPoint(HOSTILE, 1.0, 0.5)
    assert_harmless(draw(rows, caption=HOSTILE, below=HOSTILE, levels=levels, marked=chosen))
