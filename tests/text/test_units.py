"""Units beside numbers, by one name in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.text.units import units_of


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("5 km, 5km, 5 Kilometer, 5 quilômetros, 5 километров, 5公里", ["km"] * 6),
        ("3.5 kg und 200 g", ["kg", "g"]),
        ("10 %, 10%, 10 percent, 10 Prozent, 10 por cento, 10 процентов", ["%"] * 6),
        ("€5 and 5 €, 5 EUR, 5 euros", ["euro"] * 4),
        ("US$ 3,000 or $3 or 3 dólares", ["dollar"] * 3),
        ("120 km/h", ["km/h"]),
        ("20 °C, 2 h 30 min", ["°C", "hour", "minute"]),
        ("230 V", ["V"]),
        ("S600 V12", []),
        ("5 millimeters, 5 milligrams, 5 miles", ["mm", "mg", "mile"]),
        ("1,7 Millionen Pfund, £1.7m", ["pound"] * 2),
        ("126,5 Millionen US-Dollar, 3 milhões de dólares, 5 mil euros", ["dollar", "dollar", "euro"]),
        ("5公里以外", ["km"]),
        ("5 v", []),
        ("2 in the house, 4 times, 5 methods, 3 milliards, 7 monkeys", []),
        ("km %", []),
    ],
)
def test_units(text, units):
    assert sorted(units_of(text)) == sorted(units)


@given(st.text(max_size=40))
def test_any_text_can_be_asked(text):
    assert isinstance(units_of(text), list)
