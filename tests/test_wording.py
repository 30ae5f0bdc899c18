"""Numbers, nouns and lists as people write them, in one place."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.wording import join_names, noun_form, percent, percent_of, pluralise, some_of, with_sign


def test_nouns_stand_beside_their_numbers():
    assert [pluralise(n, "line") for n in (0, 1, 2, 2000)] == ["0 lines", "1 line", "2 lines", "2,000 lines"]
    assert pluralise(3, "loss") == "3 losses"
    assert [noun_form(n, "label") for n in (1, 2)] == ["label", "labels"]


def test_names_in_a_row():
    names = ["a", "b", "c", "d", "e"]
    assert [join_names(names[:n]) for n in (0, 1, 2, 3)] == ["", "a", "a and b", "a, b and c"]
    assert join_names(names, 3) == "a, b, c and 2 more"
    assert [some_of(names[:n]) for n in (0, 1, 3, 4)] == ["", "a", "a, b, c", "a, b, c and 1 more"]


@given(st.lists(st.sampled_from("abc"), max_size=3000), st.integers(1, 5))
def test_no_name_is_lost_in_a_row(names, most):
    told = some_of(names, most)
    assert told.count(",") >= min(len(names), most) - 1
    if len(names) > most:
        assert told.endswith(f" and {len(names) - most:,} more")


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0 %"),
        (0.0004, "under 0.1 %"),
        (0.012, "1.2 %"),
        (0.126, "13 %"),
        (0.9995, "over 99.9 %"),
        (1, "100 %"),
    ],
)
def test_shares_are_all_or_nothing_only_where_they_are(share, told):
    assert percent_of(share) == told


def test_levels_are_exact():
    assert [percent(level) for level in (0.95, 0.999, 0.9975)] == ["95 %", "99.9 %", "99.75 %"]


def test_nothing_of_it_is_written_again():
    """A second function of the same name is how copies began."""
    own = "pluralise|noun_form|join_names|some_of|percent|percent_of|signed"
    copy = re.compile(rf"^def _?(?:{own})\([^)]*\) -> str:", re.MULTILINE)
    folder = Path(adjudge.__file__).parent
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.py")}
    assert {place for place, text in texts.items() if copy.search(text)} == {"wording.py"}


def test_digits_that_count_have_the_same_signs():
    assert with_sign(-0.0712, 2, kind="g") == "−0.071"
    assert with_sign(12345.0, 2, kind="g") == "+1.2e+04"
    assert with_sign(0.0, 3, kind="g") == "0"


def test_no_other_place_writes_signs():
    """`:+` in a format writes a hyphen for a minus, and is not seen by whoever changes `signed`."""
    sources = Path(adjudge.__file__).parent.rglob("*.py")
    assert [str(p) for p in sources if re.search(r"\{[^{}\"']*:\+[.,0-9]*[a-z%]", p.read_text("utf-8"))] == []
