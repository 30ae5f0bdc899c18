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
    # strictly above: 1 of 1000 is not more than a thousandth
    assert function_words.derive(sentences, share=0.003) == set()
    assert function_words.derive(sentences, share=0.0029) == {"the"}


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
    with pytest.raises(DataError, match="cannot be written"):
        function_words.write({"a"}, str(tmp_path / "no" / "folder"))
