import pytest

from adjudge.errors import UsageError
from adjudge.text import languages


@pytest.mark.parametrize(
    ("given", "iso"),
    [
        ("en", "en"),
        ("English", "en"),
        ("pt-BR", "pt"),
        ("de_AT", "de"),
        ("cz", "cs"),
        ("se", "sv"),
        ("nb", "no"),
        ("ja", "ja"),
        ("xx", "other"),
        ("other", "other"),
        ("DEU", "de"),
        (" Czech ", "cs"),
    ],
)
def test_every_way_to_write_a_language_gives_its_code(given, iso):
    assert languages.code(given) == iso


@pytest.mark.parametrize("given", ["", "klingon", "e", "english!", "1"])
def test_what_is_no_language_is_refused(given):
    with pytest.raises(UsageError, match="unknown language"):
        languages.code(given)


def test_a_typo_gets_the_nearest_name():
    with pytest.raises(UsageError, match="did you mean 'german'"):
        languages.code("germann")


def test_a_name_falls_back_to_the_code():
    assert languages.name("cz") == "czech"
    assert languages.name("ja") == "ja"


@pytest.mark.parametrize(
    ("language", "target"),
    [("en-de", "de"), ("zh-en", "en"), ("cs_en", "en"), ("de", "de"), ("pt-BR", "pt"), ("German", "de")],
)
def test_the_language_translated_into(language, target):
    assert languages.target(language) == target
