from itertools import product
from string import ascii_lowercase

import pytest

from adjudge.data import languages
from adjudge.errors import UsageError


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
        ("ger", "de"),
        ("ita", "it"),
        ("nob", "no"),
        ("jpn", "ja"),
        ("cmn", "zh"),
        ("iw", "he"),
        ("Japanese", "ja"),
        ("uk", "uk"),
        (" Czech ", "cs"),
    ],
)
def test_every_way_to_write_a_language_gives_its_code(given, iso):
    assert languages.code(given) == iso


@pytest.mark.parametrize("given", ["", "klingon", "e", "english!", "1", "qx", "zz-AT"])
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
    [
        ("en-de", "de"), ("zh-en", "en"), ("cs_en", "en"), ("de", "de"), ("pt-BR", "pt"), ("German", "de"),
        ("de-DE-en-GB", "en"), ("en_US-de_AT", "de"), ("en-zh-Hant-TW", "zh"), ("eng_Latn-zho_Hans", "zh"),
        ("zh-Hans", "zh"), ("sr-Latn", "sr"), ("es-419", "es"), ("en-es-419", "es"), ("english-german", "de"),
        ("zh-cn", "zh"), ("zh-tw", "zh"), ("pt-br", "pt"), ("en-us", "en"), ("de-de", "de"), ("ENG-DEU", "de"),
    ],
)  # fmt: skip
def test_the_language_translated_into(language, target):
    assert languages.target(language) == target


@pytest.mark.parametrize(
    ("country", "iso"), [("jp", "ja"), ("cn", "zh"), ("ua", "uk"), ("gr-GR", "el"), ("dk", "da")]
)
def test_a_countrys_code_gets_its_language(country, iso):
    with pytest.raises(UsageError, match=f"did you mean '{iso}'"):
        languages.code(country)


def test_codes_are_those_of_iso_639():
    """All of two letters and none else, but for six that were withdrawn; three letters mean what they do there."""
    langcodes = pytest.importorskip("langcodes")
    pairs = {a + b for a, b in product(ascii_lowercase, repeat=2)}
    assert {pair for pair in pairs if langcodes.tag_is_valid(pair)} - languages._ISO_639_1 == {
        "bh", "in", "iw", "ji", "jw", "mo",
    }  # fmt: skip
    assert all(map(langcodes.tag_is_valid, languages._ISO_639_1))
    three = {code: iso for code, iso in languages._ALIASES.items() if len(code) == 3}
    assert set(three.values()) >= languages._ISO_639_1 - {"sh", "se", "nb", "nn"}
    for code, iso in three.items():
        assert languages.code(langcodes.standardize_tag(code)) == iso


def test_upper_case_may_be_two_languages_or_one():
    with pytest.raises(UsageError, match="write en-de or en-DE"):
        languages.pair("EN-DE")


def test_three_languages_are_no_pair():
    with pytest.raises(UsageError, match="names 3 languages"):
        languages.target("en-de-fr")


TAGS = ["de", "de-DE", "pt-BR", "zh-Hans", "zh-Hant-TW", "es-419", "gsw", "sr-Latn-RS"]


@pytest.mark.parametrize("source", TAGS)
@pytest.mark.parametrize("target", TAGS)
def test_a_pair_of_tags_is_taken_apart_again(source, target):
    """Whatever case a file writes its tags in."""
    for spelled in (str, str.upper, str.lower):
        tags = [languages.tag(spelled(tag).replace("-", "_")) for tag in (source, target)]
        assert languages.pair("-".join(tags)) == (source, target)
        assert languages.pair(languages.tag(spelled(target))) == ("", target)
