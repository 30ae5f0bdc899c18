import pytest

from adjudge.errors import DataError, UsageError
from adjudge.text import function_words, resources
from adjudge.text.resources import Resources


def test_meteors_lists():
    if resources.jar() is None:
        pytest.skip(resources.INSTALL)
    english = function_words.function_words("en", Resources())
    assert len(english) == 93
    assert {"the", ",", "of"} <= english
    assert {
        lang: len(function_words.function_words(lang, Resources())) for lang in ("cz", "de", "fr", "it")
    } == {
        "cz": 68,
        "de": 92,
        "fr": 85,
        "it": 0,
    }


def test_words_above_the_share_are_derived():
    sentences = [["The", "cat", "the"], ["the", "dog"] + [f"w{i}" for i in range(1000 - 5)]]
    assert function_words.derive(sentences) == {"the"}
    with pytest.raises(DataError, match="of 999 tokens every one has more"):
        function_words.derive([["the", "The"] + [f"w{i}" for i in range(997)]])
    # strictly above: 1 of 1000 is not more than a thousandth
    assert function_words.derive(sentences, share=0.003) == set()
    assert function_words.derive(sentences, share=0.0029) == {"the"}


@pytest.mark.parametrize("file", ["w1.tok.ref.en", "en-cs.refB.cs", "en-ru.refA.ru", "en-de.refA.de"])
def test_words_derived_are_those_of_meteors_own_program(shared, meteor_jar, file):
    lines = [line.lower() for line in shared.lines(file)]
    theirs = meteor_jar.function_words(lines)
    if isinstance(theirs, str):
        pytest.skip(theirs)
    assert function_words.derive(map(str.split, lines)) == set(theirs)
    assert len(theirs) > 80


def test_a_corpus_is_cut_into_words_as_the_text_that_is_scored(tmp_path, monkeypatch):
    monkeypatch.setattr(function_words, "PIECE", 7)
    path = tmp_path / "corpus.it"
    path.write_text("Il cane, il gatto.\n" * 400 + " ".join(f"p{i}" for i in range(200)) + "\n")
    common = {"language": "it", "resources": Resources()}
    assert function_words.of_corpus(str(path), normalize=True, **common) == {"il", "cane", ",", "gatto", "."}
    assert function_words.of_corpus(str(path), normalize=False, **common) == {"il", "cane,", "gatto."}
    path.write_text("poche parole")
    with pytest.raises(
        DataError, match=r"corpus\.it: .*of 2 tokens every one has more; take a larger corpus"
    ):
        function_words.of_corpus(str(path), normalize=False, **common)
    path.write_text("")
    with pytest.raises(DataError, match=r"corpus\.it: .*not a token"):
        function_words.of_corpus(str(path), normalize=False, **common)


@pytest.mark.parametrize("share", [0, 1, -1, float("nan")])
def test_a_share_out_of_range(share):
    with pytest.raises(UsageError, match="between 0 and 1"):
        function_words.derive([["a"]], share=share)


def test_nothing_to_derive_from():
    with pytest.raises(DataError, match="not a token"):
        function_words.derive([[], []])
    with pytest.raises(UsageError, match="cut into tokens"):
        function_words.derive(["plain text"])


def test_a_list_written_is_read_again(tmp_path):
    path = str(tmp_path / "ja.words")
    function_words.write({"の", "は", "b", "a"}, path)
    assert (tmp_path / "ja.words").read_text(encoding="utf-8") == "a\nb\nの\nは\n"
    assert function_words.read(path) == {"の", "は", "b", "a"}
    assert function_words.function_words("ja", Resources(str(tmp_path))) == {"の", "は", "b", "a"}


def test_files_that_are_no_list(tmp_path):
    path = tmp_path / "de.words"
    path.write_text("der\n\ndie und das\n")
    with pytest.raises(DataError, match="line 3: 'die und das' is more than one word"):
        function_words.read(str(path))
    with pytest.raises(DataError, match="line 3"):
        function_words.function_words("de", Resources(str(tmp_path)))
    path.write_text("\n \n")
    with pytest.raises(DataError, match="no word in it"):
        function_words.read(str(path))
    with pytest.raises(DataError, match="absent"):
        function_words.read(str(tmp_path / "absent"))
    with pytest.raises(DataError, match="cannot write"):
        function_words.write({"a"}, str(tmp_path / "no" / "folder"))
