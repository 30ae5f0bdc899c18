"""Places in code points and in UTF-16's units."""

from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.utf16 import Utf16Text, trim_start

wide = st.text(st.sampled_from("ab \u00e9e\u0301漢ש😀👩\u200d𝒳\n\t"), max_size=12)


@given(wide)
def test_units_are_those_of_utf_16(text):
    units = Utf16Text(text)
    for place in range(len(text) + 1):
        assert units.units(place) == len(text[:place].encode("utf-16-le")) // 2
        assert units.start(units.units(place)) == place
        assert units.end(units.units(place)) == place
    for place, sign in enumerate(text):
        if sign > "\uffff":  # in the middle of a character
            assert units.start(units.units(place) + 1) == place
            assert units.end(units.units(place) + 1) == place + 1
    end = units.units(len(text))
    assert [units.units(len(text) + 2), units.start(end + 2), units.end(end + 2)] == [
        end + 2,
        *[len(text) + 2] * 2,
    ]
    assert trim_start("\u3000\ufeff a😀b").units(5) == 3
    assert trim_start(" a😀b").units(0) == 0
    assert trim_start("").units(0) == 0
