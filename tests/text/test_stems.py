"""Stems against METEOR 1.5's own, in all of its languages; and where the installed Snowball says otherwise."""

import random
import re
import sys
from itertools import islice

import pytest

from adjudge.errors import MissingExtraError, UsageError
from adjudge.text import stems


@pytest.mark.parametrize("edition", ["meteor", "snowball"])
@pytest.mark.parametrize("language", stems.LANGUAGES)
def test_every_language_has_a_stemmer(language, edition):
    stem = stems.stemmer(language, edition)
    assert isinstance(stem("abc"), str)
    assert stem("") == ""


def test_codes_and_names_mean_the_same():
    assert stems.stemmer("de") is stems.stemmer("German")
    assert stems.stemmer("cz") is stems.stemmer("cs")


def test_a_token_is_stemmed_as_it_stands():
    assert stems.stemmer("en")("Houses") == "Hous"


def frequent(language, count):
    """The most frequent words of a language, on the web, in books and in subtitles."""
    listed = pytest.importorskip("wordfreq").top_n_list({"no": "nb"}.get(language, language), count)
    return [word for word in listed if len(word.split()) == 1 and not re.fullmatch(r"[\d,.\-]+", word)]


def made_up(language, count):
    """Words nobody has heard: pieces of real ones, and noise of few letters, where rules get in each other's way."""
    drawn = random.Random(language)
    real = frequent(language, 3000)
    letters = sorted({letter for word in real for letter in word})
    made = []
    for _ in range(count):
        beginning, middle, end = drawn.choices(real, k=3)
        word = (
            beginning[: drawn.randrange(5)] + middle[drawn.randrange(1, 6) :] + end[drawn.randrange(1, 6) :]
        )
        if drawn.random() < 0.3:
            few = drawn.choices(letters, k=4)
            word = "".join(drawn.choices(few, k=drawn.randrange(1, 7))) + end[drawn.randrange(6) :]
        if drawn.random() < 0.05:
            word = drawn.choice([word.upper(), word.title(), word + "😀😀", "😀" + word, f"{word}'{end}"])
        made.append(word)
    return [word for word in made if word and not re.fullmatch(r"[\d,.\-]+", word)]


@pytest.mark.parametrize("language", sorted(stems.METEORS))
def test_stems_are_those_of_the_jar(meteor_jar, language):
    real, invented = (words(language, 20_000) for words in (frequent, made_up))
    answers = iter(meteor_jar.stems(real + invented, language))  # to start Java takes longer than to stem
    stem = stems.stemmer(language)
    for asked in (real, invented):
        theirs = list(islice(answers, len(asked)))
        assert [(w, t, o) for w, t in zip(asked, theirs, strict=True) if (o := stem(w)) != t] == []
        assert len(set(asked)) > 12_000
        assert sum(w != t for w, t in zip(asked, theirs, strict=True)) > 0.25 * len(asked)


@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("en", ("w2.zh-en.refA.en", "w1.ref.en")),
        ("de", ("en-de.refA.de", "en-de.refB.de")),
        ("ru", ("en-ru.refA.ru",)),
    ],
)
def test_words_of_running_text_as_the_jar_stems_them(shared, meteor_jar, language, files):
    text = " ".join(line for file in files for line in shared.lines(file))
    words = sorted({*text.split(), *text.lower().split()})
    assert [stems.stemmer(language)(word) for word in words] == meteor_jar.stems(words, language)


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "skies", "sky"),
        ("en", "generally", "general"),
        ("en", "hoping", "hope"),
        ("en", "hopping", "hop"),
        ("en", "Lying", "Ly"),  # a capital hides the exception, and Snowball 3 says Lie
        ("en", "'s", "'s"),
        ("en", "猫s", "猫s"),
        ("de", "Straße", "Strass"),
        ("de", "Häuser", "Haus"),
        ("de", "Umfragen", "umfrag"),  # U marks a consonant, and comes out small
        ("fr", "jouaient", "jou"),
        ("fr", "yués", "yué"),  # u between vowels comes before y beside one
        ("tr", "evlerdeki", "ev"),
        ("tr", "ad", "ad"),
        ("nl", "maan", "man"),
        ("es", "siguiéndolo", "sigu"),
        ("hu", "karral", "kar"),
    ],
)
def test_words_worked_by_hand(language, word, stem):
    assert stems.stemmer(language)(word) == stem


# Words whose rules Snowball changed after METEOR 1.5, or which its program spoils, with the stems of METEOR's edition.
@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "technologist", "technologist"),
        ("en", "emergency", "emerg"),
        ("en", "organization", "organ"),
        ("en", "evenings", "even"),
        ("en", "added", "ad"),
        ("en", "vying", "vy"),
        ("en", "TOKYO", "TOKYO"),
        ("en", "years'", "year"),
        ("de", "arbeitet", "arbeitet"),
        ("de", "ergebnisse", "ergebniss"),
        ("de", "benutzerin", "benutzerin"),
        ("de", "aktuellen", "aktuell"),
        ("da", "soccer", "soc"),
        ("es", "informacion", "informacion"),
        ("fi", "asioiden", "asioid"),  # -den and the like are never cut
        ("fr", "française", "français"),
        ("hu", "nőnek", "nőnek"),  # õ stands for ő in the rules
        ("it", "dell'anno", "dell'ann"),
        ("nl", "lichamelijk", "licham"),
        ("no", "masters", "mast"),
        ("pt", "revolução", "revoluçã"),
        ("ro", "informații", "informaț"),  # only ţ is known, with a cedilla
        ("ru", "всё", "всё"),
        ("sv", "huset", "huset"),
        ("tr", "türkiye'nin", "türkiye'n"),
    ],
)
def test_the_edition_is_meteors(language, word, stem):
    assert stems.stemmer(language)(word) == stem
    assert stems.signature(language) == "meteor-1.5"


@pytest.mark.parametrize("language", sorted(stems.METEORS))
def test_snowballs_edition_is_there_for_those_who_ask(language):
    import snowballstemmer

    assert stems.signature(language, "snowball") == f"snowballstemmer-{snowballstemmer_version()}"
    theirs = snowballstemmer.stemmer(stems.LANGUAGES[language])
    words = frequent(language, 500)  # the package stems them itself, in Python
    ours = [stems.stemmer(language, "snowball")(word) for word in words]
    assert ours == theirs.stemWords(words)


def snowballstemmer_version():
    import importlib.metadata

    return importlib.metadata.version("snowballstemmer")


def test_signatures_of_other_languages():
    assert stems.signature("pl") == f"snowballstemmer-{snowballstemmer_version()}"
    with pytest.raises(UsageError):
        stems.signature("ja")


@pytest.mark.parametrize("chain", ["lerdeki", "ninki", "lerindeki", "deki"])
def test_a_chain_of_suffixes_without_end(chain):
    assert stems.stemmer("tr")("ev" + chain * 100_000).startswith("ev")


def test_languages_without_a_stemmer():
    with pytest.raises(UsageError, match="no stems for 'ja', only for ar, ca"):
        stems.stemmer("ja")
    with pytest.raises(UsageError, match="unknown language 'klingon'"):
        stems.stemmer("klingon")


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    monkeypatch.delitem(sys.modules, "snowballstemmer.polish_stemmer", raising=False)
    stems._stemmer.cache_clear()
    with pytest.raises(MissingExtraError, match=r"stems in Polish.*adjudge\[meteor\]"):
        stems.stemmer("pl")
    assert stems.stemmer("fi")("talossa") == "talo"  # METEOR's languages need nothing


def test_a_snowball_too_old_for_a_language(monkeypatch):
    pytest.importorskip("snowballstemmer")  # an edition that has no Polish does not import it either
    monkeypatch.setitem(sys.modules, "snowballstemmer.polish_stemmer", None)
    stems._stemmer.cache_clear()
    with pytest.raises(UsageError, match="no stemmer for Polish: pip install --upgrade"):
        stems.stemmer("pl")
