"""Which way a segment was translated, from where it was first written."""

import pytest

from adjudge.data.origins import directions
from adjudge.errors import UsageError


@pytest.mark.parametrize(
    ("origins", "pair", "expected"),
    [
        (["de", "en"], ("de", "en"), {"de": "forward", "en": "reverse"}),
        (["en", "de", "fr"], ("de", "en"), {"en": "reverse", "de": "forward", "fr": "other"}),
        (["en", "zh"], ("", "en"), {"en": "reverse", "zh": "forward"}),
        (["en", "zh"], ("zh", ""), {"en": "reverse", "zh": "forward"}),
        (["en", "fr"], ("de", "en"), {"en": "reverse", "fr": "other"}),
        (["en-GB", "de_AT"], ("de", "en-US"), {"en-GB": "reverse", "de_AT": "forward"}),
        (["forward", "reverse"], ("", ""), {"forward": "forward", "reverse": "reverse"}),
        (["en", "en", ""], ("en", "de"), {"en": "forward"}),
        ([], ("", ""), {}),
    ],
)
def test_directions(origins: list[str], pair: tuple[str, str], expected: dict[str, str]) -> None:
    assert directions(origins, pair) == expected


def test_two_languages_alone_do_not_say_which_is_the_source() -> None:
    with pytest.raises(UsageError, match="--language de-en"):
        directions(["de", "en"], ("", ""))
