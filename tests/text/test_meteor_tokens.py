import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.text import meteor_tokens, resources
from adjudge.text.meteor_tokens import read_prefixes, tokens
from adjudge.text.resources import Resource, Resources
from oracles import meteor_text
from oracles.meteor_jar import parse_alignments

LANGUAGES = ("en", "fr", "de", "es", "cs", "ru")
METEORS = {"cs": "cz"}

# What the rules speak of: dots, commas, quotes and dashes of all kinds, letters and what is just not one, spaces.
PIECES = [
    *"aZzŠéя7.,'`‘’-–—“”\"!?¿،·|",
    "..",
    "...",
    "''",
    "--",
    "Mr",
    "No",
    "U.S",
    "e.g",
    "s",
    "don't",
    "l'eau",
    "5",
]
PIECES += [*" \t\x0b\x0c\x1c\x1f\u00a0\u2003\u3000\u2028\x85", "\u0600", "猫", "\U0001f600", "Ȁ", "ꙮ"]
PIECES += ["\ufeff", "e\u0301"]
lines = st.lists(st.sampled_from(PIECES) | st.sampled_from([" ", " ", "."]), max_size=30).map("".join)


@pytest.fixture(scope="session")
def prefixes():
    if resources.jar() is None:
        pytest.skip(resources.INSTALL)
    return {language: read_prefixes(Resources().nonbreaking_prefixes(language)) for language in LANGUAGES}


def oracle(language, prefixes):
    always, before_numbers = prefixes.get(language, ((), ()))
    return {**dict.fromkeys(always, False), **dict.fromkeys(before_numbers, True)}


@given(line=lines, language=st.sampled_from([*LANGUAGES, "it", "ja"]), punctuation=st.booleans())
def test_the_core_does_what_the_regular_expressions_say(prefixes, line, language, punctuation):
    ours = tokens(
        [line], language=language, keep_punctuation=punctuation, lowercase=False, resources=Resources()
    )
    assert ours == [meteor_text.words(line, language, oracle(language, prefixes), punctuation=punctuation)]


@given(lines)
def test_plain_text_is_cut_where_java_cuts_it(line):
    ours = tokens([line], language="en", normalize=False, lowercase=False, resources=Resources())
    assert ours == [meteor_text.words(line, "en", normalize=False)]


@pytest.mark.parametrize(
    ("language", "punctuation"), [("en", True), ("en", False), ("fr", True), ("cs", True), ("ru", False)]
)
def test_odd_lines_as_the_jar_normalises_them(meteor_jar, language, punctuation):
    drawn = random.Random(f"{language}{punctuation}")
    odd = ["".join(drawn.choices([*PIECES, " "], k=drawn.randrange(40))) for _ in range(2000)]
    theirs = meteor_jar.normalized(odd, METEORS.get(language, language), punctuation=punctuation)
    ours = tokens(
        odd, language=language, keep_punctuation=punctuation, lowercase=False, resources=Resources()
    )
    assert ours == theirs


@pytest.mark.parametrize(
    ("file", "language"),
    [("w1.sys1.en", "en"), ("en-de.refA.de", "de"), ("en-cs.refB.cs", "cs"), ("en-ja.refA.ja", "es")],
)
def test_real_lines_as_the_jar_normalises_them(shared, meteor_jar, file, language):
    texts = shared.lines(file)
    theirs = meteor_jar.normalized(texts, METEORS.get(language, language))
    assert tokens(texts, language=language, lowercase=False, resources=Resources()) == theirs


@pytest.mark.parametrize("file", ["w1.sys1.norm-align.out", "w1.sys1.norm.exact_stem_syn-align.out"])
def test_the_words_of_the_golden_alignments(shared, prefixes, file):
    aligned = parse_alignments((shared.golden / "meteor" / file).read_text(encoding="utf-8"))
    for words, name in (
        ([a.hypothesis for a in aligned], "w1.sys1.en"),
        ([a.reference for a in aligned], "w1.ref.en"),
    ):
        assert tokens(shared.lines(name), language="en", resources=Resources()) == words


@pytest.mark.parametrize(
    ("line", "language", "words"),
    [
        ("State-of-the-art, don't you think?", "en", "state of the art , don 't you think ?"),
        ("Mr. Smith of the U.S. paid $3,500.25.", "en", "mr. smith of the us paid $ 3,500.25 ."),
        ("No. 5 is no. Five", "en", "no. 5 is no . five"),
        ("“Wait…” — he's 5's", "en", "\" wait … \" — he 's 5 's"),
        ("Wait.... what", "en", "wait .... what"),
        ("L'eau d'aujourd'hui", "fr", "l' eau d' aujourd' hui"),
        ("Das geht's z.B. so", "de", "das geht ' s zb so"),
        ("a-b-c", "en", "a b-c"),  # a hyphen's neighbours are taken with it
        ("a,,b", "en", "a , ,b"),
        ("猫が。3.5 (x)", "ja", "猫が。3.5 ( x )"),
    ],
)
def test_lines_worked_by_hand(prefixes, line, language, words):
    assert tokens([line], language=language, resources=Resources()) == [words.split(" ")]


def test_options(prefixes):
    line = ["Hello, World! 5.5 U.S."]
    given = {"language": "en", "resources": Resources()}
    assert tokens(line, **given, keep_punctuation=False) == [["hello", "world", "5", "5", "us"]]
    assert tokens(line, **given, lowercase=False) == [["Hello", ",", "World", "!", "5.5", "US"]]
    assert tokens(line, **given, normalize=False) == [["hello,", "world!", "5.5", "u.s."]]
    with pytest.raises(UsageError, match="only left out of normalised text"):
        tokens(line, **given, normalize=False, keep_punctuation=False)


def test_missing_and_empty_lines(prefixes):
    given = {"language": "en", "resources": Resources()}
    assert tokens([None, "", " \t", "a"], **given) == [[], [], [], ["a"]]
    assert meteor_tokens.texts([None, "", "A"], **given).strings() == [None, "", "a"]


def test_lower_case_is_pythons(prefixes):
    lines = ["ΑΣ Σ", "İI", "DŽ Straße ẞ", "\u212a", "ASCII"]
    for normalize in (True, False):
        given = {"language": "ja", "normalize": normalize, "resources": Resources()}
        as_it_is = meteor_tokens.texts(lines, **given, lowercase=False).strings()
        assert meteor_tokens.texts(lines, **given).strings() == [line.lower() for line in as_it_is]


def test_any_number_of_threads_gives_the_same(prefixes):
    texts = [f"Line no. {i}, it's {i}-fold..." for i in range(1000)]
    given = {"language": "en", "resources": Resources()}
    first, three = (meteor_tokens.texts(texts, **given, threads=threads) for threads in (1, 3))
    assert first.strings() == three.strings()


@pytest.mark.parametrize("piece", ["a-", "''", ".", "a.", ",", "x'", "–", " . "])
def test_a_long_line_takes_no_longer_than_its_length(prefixes, piece):
    # 1 MB each; anything quadratic would not come back
    [words] = tokens([piece * (1_000_000 // len(piece))], language="en", resources=Resources())
    assert words


def test_prefix_lists(tmp_path):
    (tmp_path / "de.prefixes").write_text("# Kommentar\n\nbzw\nNr #NUMERIC_ONLY#\nArt  # kein Zusatz\n")
    assert read_prefixes(Resource(tmp_path / "de.prefixes")) == (["bzw", "Art"], ["Nr"])
    words = tokens(
        ["Nr. 5 bzw. Nr. Fünf"], language="de", lowercase=False, resources=Resources(str(tmp_path))
    )
    assert words == [["Nr.", "5", "bzw.", "Nr", ".", "Fünf"]]
    (tmp_path / "de.prefixes").write_bytes(b"\xff\xff")
    with pytest.raises(DataError, match="UTF-8"):
        tokens(["a"], language="de", resources=Resources(str(tmp_path)))


def test_without_prefix_lists(monkeypatch):
    monkeypatch.setattr(resources, "PACKAGE", "a_package_nobody_has")
    with pytest.raises(MissingResourceError, match=r"non-breaking prefixes for English.*pip install"):
        tokens(["a"], language="en", resources=Resources())
    assert tokens(["a."], language="en", normalize=False, resources=Resources()) == [["a."]]
    assert tokens(["a."], language="ja", resources=Resources()) == [["a", "."]]


def test_bad_input():
    with pytest.raises(UsageError, match="unknown language"):
        tokens(["a"], language="klingon", resources=Resources())
    with pytest.raises(DataError):
        tokens(["\ud800"], language="ja", resources=Resources())
    with pytest.raises(ValueError, match="no rules of METEOR are called x"):
        _native.meteor_texts(_native.texts(["a"]), "x", True, [], [], True, 1)
