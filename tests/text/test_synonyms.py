import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError, MissingResourceError
from adjudge.text import resources, synonyms
from adjudge.text.resources import Resources

# Short, so that they and what rules make of them are often listed; not only ASCII, where a letter is a byte.
stems = st.text(alphabet="aeyé", min_size=1, max_size=3)


@pytest.fixture
def folder(tmp_path):
    """Synonyms in METEOR's format, small enough to read."""
    (tmp_path / "english.synsets").write_text(
        "big\n00000001 00000002\nlarge\n00000002\nman\n7\nfish\n3\ncarry\n4\nhous\n5\nhouse\n6\nga\n9\nbas\n8\nan\n10\n"
    )
    (tmp_path / "english.exceptions").write_text("be\nis am\nfish\nfishes\nbig\nfishes bigger\n")
    (tmp_path / "english.relations").write_text("1\n2\n")
    return tmp_path


@pytest.fixture
def words(folder):
    return synonyms.meteor_synonyms(Resources(str(folder)))


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("big", {1, 2}),
        ("large", {2}),
        ("Large", set()),  # looked up as it stands
        ("unheard", set()),
        ("fishes", {1, 2, 3}),  # both of its bases in the exceptions
        ("is", set()),  # a base nobody lists, and no rule is tried after the exceptions
        ("women", set()),
        ("fishmen", set()),
        ("carries", {4}),
        ("carrying", {4}),
        ("houses", {6}),  # -s before -es, so house and not hous
        ("bass", set()),  # no rule where a word ends in ss
        ("men", {7}),
        ("as", set()),  # nor where it has but two letters
        ("gas", {9}),
        ("larger", {2}),
        ("largest", {2}),
    ],
)
def test_meteors_rule(words, word, ids):
    assert words.synsets(word) == ids
    assert words.ids(word) == tuple(sorted(ids))


@given(
    st.dictionaries(stems, st.lists(st.integers(0, 9), max_size=4), min_size=1),
    st.dictionaries(stems, st.lists(stems, min_size=1, max_size=3)),
    stems,
    st.sampled_from(["", "s", "es", "ies", "ing", "ed", "er", "est", "men", "ches", "ss"]),
)
def test_the_core_does_what_the_rule_says(listed, irregular, start, suffix):
    """The rule again, in Python: irregular forms, else the first detachment that yields a listed word."""
    table = synonyms.SynonymTable(
        "",
        "".join(f"{word}\n{' '.join(map(str, ids))}\n" for word, ids in listed.items()),
        "".join(f"{base}\n{' '.join(forms)}\n" for base, forms in irregular.items()),
        synonyms.DETACHMENTS,
    )
    word = start + suffix
    bases = [base for base, forms in irregular.items() if word in forms]
    if not bases and len(word) > 2 and not word.endswith("ss"):
        rules = ((s, e) for s, e in synonyms.DETACHMENTS if word.endswith(s))
        detached = (word[: len(word) - len(s)] + e for s, e in rules)
        bases = [base for base in detached if base in listed][:1]
    assert table.synsets(word) == {synset for form in (word, *bases) for synset in listed.get(form, ())}


def test_data_are_known_by_what_they_say(folder):
    before = synonyms.meteor_synonyms(Resources(str(folder))).signature
    assert re.fullmatch(r"meteor-1\.5-[0-9a-f]{8}", before)
    assert synonyms.meteor_synonyms(Resources(str(folder))).signature == before
    with (folder / "english.synsets").open("a") as file:
        file.write("huge\n2\n")
    assert synonyms.meteor_synonyms(Resources(str(folder))).signature != before


def test_one_pass_of_the_rules_only(words):
    # carryings -> carrying is no listed word, so nothing is cut a second time
    assert words.synsets("carryings") == set()


@pytest.mark.parametrize("file", ["english.synsets", "english.exceptions"])
def test_a_file_cut_short(folder, file):
    text = (folder / file).read_text()
    (folder / file).write_text(text[: text.rindex("\n", 0, -1) + 1])
    with pytest.raises(DataError, match=rf"{file} is cut short"):
        synonyms.meteor_synonyms(Resources(str(folder)))
    (folder / file).write_bytes(b"")
    with pytest.raises(DataError, match=rf"{file} is cut short"):
        synonyms.meteor_synonyms(Resources(str(folder)))


def test_a_file_of_something_else(folder):
    (folder / "english.synsets").write_text("one\ntwo\n")
    with pytest.raises(DataError, match="not METEOR's file of synsets"):
        synonyms.meteor_synonyms(Resources(str(folder)))
    (folder / "english.synsets").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="UTF-16"):
        synonyms.meteor_synonyms(Resources(str(folder)))


def test_meteors_own_files_against_the_jar(meteor_jar):
    """Pairs that the rule calls synonyms are those that the jar matches with its synonym matcher alone."""
    known = synonyms.meteor_synonyms(Resources())
    assert known.name == "meteor-1.5"
    left = [
        "big",
        "cars",
        "running",
        "children",
        "men",
        "geese",
        "glasses",
        "was",
        "bass",
        "went",
        "better",
        "his",
    ]
    right = [
        "large",
        "automobile",
        "run",
        "child",
        "man",
        "goose",
        "spectacles",
        "be",
        "basses",
        "go",
        "good",
        "he",
    ]
    pairs = [(a, b) for a in left for b in right]
    options = ("-m", "synonym", "-w", "1.0")
    aligned = meteor_jar.alignments([a for a, _ in pairs], [[b for _, b in pairs]], *options)
    theirs = [bool(entry.matches) for entry in aligned]
    ours = [a != b and not known.synsets(a).isdisjoint(known.synsets(b)) for a, b in pairs]
    assert ours == theirs
    assert 8 < sum(ours) < len(ours) / 2


@pytest.fixture
def dictionary(tmp_path):
    """WordNet's dictionary files with a word or two each."""
    licence = "  1 This software and database is being provided to you\n"
    index = {
        "noun": "dog n 2 3 @ ~ #m 2 1 00000010 00000020  \nman n 1 1 @ 1 1 00000030  \n",
        "verb": "dog v 1 1 @ 1 1 00000010  \nchase v 1 1 @ 1 0 00000040\n",
        "adj": "big a 1 0 1 1 00000050\n",
        "adv": "well r 1 0 1 1 00000060\n",
    }
    exceptions = {"noun": "men man\n", "verb": "chased chase\n", "adj": "", "adv": "best well\n"}
    for part, lines in index.items():
        (tmp_path / f"index.{part}").write_text(licence + lines)
        (tmp_path / f"{part}.exc").write_text(exceptions[part])
    return tmp_path


def test_wordnets_files(dictionary):
    known = synonyms.wordnet(dictionary)
    assert known.name == "wordnet"
    assert known.ids("dog") == (40, 41, 80)  # noun 10, verb 10, noun 20: parts of speech stay apart
    assert known.synsets("dogs") == known.synsets("dog")
    assert known.synsets("men") == known.synsets("man") == {120}
    assert known.synsets("best") == known.synsets("well")
    assert known.synsets("cat") == set()


def test_terps_rule_keeps_parts_of_speech_apart_and_tries_every_base_form(dictionary):
    (dictionary / "noun.exc").write_text("men man\n\naxes ax axis\n")
    with (dictionary / "index.noun").open("a") as file:
        file.write("ax n 1 0 1 1 00000070\naxe n 1 0 1 1 00000080\naxis n 1 0 1 1 00000090\n")
    known = synonyms.terp_synonyms(dictionary)
    assert known.ids("dog") == (40, 41, 80)
    assert known.ids("dogged") == ()  # no rule undoes a doubled letter
    assert known.ids("axes") == (280, 320, 360)  # both exceptions and the rule for -s
    assert known.ids("chased") == (161,)
    assert known.ids("bigger") == known.ids("chaser") == ()
    (dictionary / "index.verb").write_text("dog v 3 1 @ 1 1 00000010\n")
    with pytest.raises(DataError, match=r"index\.verb: not a line of WordNet's index"):
        synonyms.terp_synonyms(dictionary).ids("dog")
    (dictionary / "adv.exc").unlink()
    with pytest.raises(MissingResourceError, match="apt-get install wordnet-base"):
        synonyms.terp_synonyms(dictionary)


def test_wordnet_files_that_are_not_there_or_not_whole(dictionary):
    (dictionary / "index.verb").write_text("dog v 3 1 @ 1 1 00000010\n")
    with pytest.raises(DataError, match=r"index\.verb, line 1: not a line of WordNet's index"):
        synonyms.wordnet(dictionary)
    (dictionary / "index.verb").unlink()
    with pytest.raises(MissingResourceError, match="apt-get install wordnet-base"):
        synonyms.wordnet(dictionary)


def test_debians_wordnet_says_what_meteors_files_say():
    """METEOR's files were made from WordNet 3.0: the same words, as many synsets or one less where two collide."""
    folder = resources.debian_wordnet()
    if folder is None or resources.jar() is None:
        pytest.skip("apt-get install wordnet-base; " + resources.INSTALL)
    debian, meteor = synonyms.wordnet(folder), synonyms.meteor_synonyms(Resources())
    for word in ("car", "automobiles", "geese", "running", "set", "well", "good", "better"):
        assert len(debian.synsets(word)) == len(meteor.synsets(word)) > 0


def test_english_falls_back_to_debians(dictionary, monkeypatch):
    monkeypatch.setattr(resources, "PACKAGE", "a_package_nobody_has")
    monkeypatch.setattr(resources, "DEBIAN_WORDNET", dictionary)
    with pytest.raises(MissingResourceError, match="or apt-get install wordnet-base"):
        synonyms.english_synonyms(Resources())
    (dictionary / "data.noun").touch()
    assert synonyms.english_synonyms(Resources()).name == "wordnet"


def test_english_prefers_meteors(folder):
    assert synonyms.english_synonyms(Resources(str(folder))).name == "meteor-1.5"


def test_an_open_multilingual_wordnet(tmp_path):
    path = tmp_path / "wn-data-fra.tab"
    path.write_text(
        "# wolf\tfra\thttp://example.org\tCeCILL-C\n"
        "00000010-n\tfra:lemma\tchien\n00000010-n\tlemma\ttoutou\n00000010-v\tfra:lemma\tchien\n"
        "00000010-n\tfra:def\t0\tun animal\n00000011-s\tfra:lemma\tParis\n"
    )
    known = synonyms.open_multilingual_wordnet(path)
    assert known.name == "wn-data-fra"
    assert known.ids("chien") == (40, 41)
    assert known.synsets("toutou") == {40}
    assert known.synsets("paris") == known.synsets("Paris") == {46}
    assert known.synsets("un") == known.synsets("0") == known.synsets("chiens") == set()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("00000010-n\tlemma\n", "line 1"),
        ("x\tlemma\ty\n", "line 1"),
        ("# only\n", "no lemma"),
        ("", "no lemma"),
    ],
)
def test_a_file_that_is_no_wordnet(tmp_path, text, message):
    path = tmp_path / "a.tab"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        synonyms.open_multilingual_wordnet(path)
