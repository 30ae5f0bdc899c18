import sys

import pytest

from adjudge.errors import MissingExtraError, UsageError
from adjudge.text import stems


@pytest.mark.parametrize("language", stems.LANGUAGES)
def test_every_language_has_a_stemmer(language):
    assert isinstance(stems.stemmer(language)("abc"), str)


def test_codes_and_names_mean_the_same():
    assert stems.stemmer("de") is stems.stemmer("German")
    assert stems.stemmer("cz") is stems.stemmer("cs")


def test_a_token_is_stemmed_as_it_stands():
    assert stems.stemmer("en")("Houses") == "Hous"


def test_languages_without_a_stemmer():
    with pytest.raises(UsageError, match="unknown stemmer 'ja'"):
        stems.stemmer("ja")
    with pytest.raises(UsageError, match="unknown language 'klingon'"):
        stems.stemmer("klingon")


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    monkeypatch.delitem(sys.modules, "snowballstemmer.finnish_stemmer", raising=False)
    stems._stemmer.cache_clear()
    with pytest.raises(MissingExtraError, match=r"stems in Finnish.*adjudge\[meteor\]"):
        stems.stemmer("fi")


def test_a_snowball_too_old_for_a_language(monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer.polish_stemmer", None)
    stems._stemmer.cache_clear()
    with pytest.raises(UsageError, match="no stemmer for Polish: pip install --upgrade"):
        stems.stemmer("pl")
