"""Dates in whatever order and language, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.text.dates import Date, dates_of

WRITTEN = (
    """
17 November 2026|November 17, 2026|17/11/2026|11/17/2026|2026-11-17|2026/11/17|17.11.2026|17. 11. 2026|17-11-2026
am 17. November 2026|le 17 novembre 2026|17 de noviembre de 2026|17 de novembro de 2026|17 novembre 2026
17 noiembrie 2026|17 listopada 2026|17. listopadu 2026|17 ноября 2026|17 листопада 2026|17 Kasım 2026
17. marraskuuta 2026|2026. november 17.|2026年11月17日|2026년 11월 17일|Nov. 17th, 2026|17th of November 2026
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.mark.parametrize("text", WRITTEN)
def test_one_day_in_many_languages(text):
    assert dates_of(f"x {text} y") == [Date(11, 17, 2026)]


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4",
        "the 3 main points",
        "10 Marines",
        "21:30",
        "1/2 cup",
        "November 2026",
        "31/31/2026",
        "3.50",
    ],
)
def test_what_is_no_day(text):
    assert dates_of(text) == []


def test_days_without_a_year_and_years_of_two_digits():
    assert dates_of("3 mai et 4/5/26") == [Date(4, 5, 26), Date(3, 5, 0)]
    assert Date(3, 5, 0).is_same(Date(3, 5, 2026))
    assert Date(3, 5, 26).is_same(Date(3, 5, 2026))
    assert not Date(3, 5, 2025).is_same(Date(3, 5, 2026))
    assert not Date(3, 5, 2026).is_same(Date(3, 6, 2026))
    assert str(Date(3, 5, 0)) == "3/5"


@given(st.dates(min_value=__import__("datetime").date(1000, 1, 1)))
def test_every_day_is_read_as_it_was_written(day):
    low, high = sorted((day.day, day.month))
    expected = [Date(low, high, day.year)]
    for pattern in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y", "%b. %d, %Y"):
        assert dates_of(day.strftime(pattern)) == expected


@given(st.text(max_size=40))
def test_any_text_can_be_asked(text):
    assert all(1 <= date.low <= date.high <= 31 for date in dates_of(text))
