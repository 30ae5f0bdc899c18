"""Prompts: ours never change within a version, a user's are checked, and texts stay as they are."""

import gzip
import hashlib

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.metrics.judges.prompts import OWN, language_names, prompt

HASHES = {
    "score.v1": "37ddb8d1440e1143",
    "esa.v1": "f547b3a39db8465d",
    "mqm.v1": "50fb51ac6b722e95",
    "pairwise.v1": "dae5147e821734c6",
}
VALUES = {
    "source": "S {reference} {output}",
    "reference": None,
    "output": "O\n\n{source}",
    "a": "1",
    "b": "2",
    "source_language": "German",
    "target_language": "English",
}


@pytest.mark.parametrize("protocol", OWN)
def test_a_prompt_keeps_its_words_as_long_as_it_keeps_its_version(protocol):
    text = prompt(protocol).text
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == HASHES[OWN[protocol]], (
        "scores were published with this wording: write another version beside it"
    )


@pytest.mark.parametrize("protocol", OWN)
def test_what_has_no_value_is_left_out_with_its_paragraph(protocol):
    without = prompt(protocol).filled(VALUES)
    assert "Reference translation" not in without
    assert "<<<S {reference} {output}>>>" in without
    assert "Reference translation by a person:\n<<<R>>>" in prompt(protocol).filled(
        {**VALUES, "reference": "R"}
    )
    assert "German" in without
    assert "English" in without


def test_fields_within_texts_stay_as_they_are():
    assert "<<<O\n\n{source}>>>" in prompt("score").filled(VALUES)


def test_a_file_of_the_users(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("Rate {output} for {source}.\n\nBeside {reference}.")
    mine = prompt("score", str(file))
    assert mine.filled(VALUES) == "Rate O\n\n{source} for S {reference} {output}."
    assert mine.name == f"sha256-{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
    assert mine.shows_reference


@pytest.mark.parametrize(
    ("protocol", "text", "error"),
    [
        ("score", "Rate it.", r"has the field \{output\}"),
        ("pairwise", "{a} {output}", r"has the field \{b\}"),
        ("score", "{output} {hypothesis}", r"unknown field \{hypothesis\}; there are \{output\}, "),
    ],
)
def test_files_that_ask_nothing(tmp_path, protocol, text, error):
    file = tmp_path / f"{protocol}.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=error):
        prompt(protocol, str(file))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        prompt("score", str(tmp_path / "none.txt"))
    (tmp_path / "latin.txt").write_bytes(b"{output} \xe9")
    with pytest.raises(DataError, match=r"latin.txt, line 1, byte 10: "):
        prompt("score", str(tmp_path / "latin.txt"))


@pytest.mark.parametrize(
    ("pair", "names"),
    [
        ("", ("the source language", "the target language")),
        ("de", ("the source language", "German")),
        ("pt-en", ("Portuguese", "English")),
        ("en-pt-BR", ("English", "Portuguese (pt-BR)")),
        ("en-zh", ("English", "the language zh")),
    ],
)
def test_names_of_languages(pair, names):
    assert language_names(pair) == names


def test_a_compressed_file_is_the_prompt_that_it_holds(tmp_path):
    (tmp_path / "own.txt").write_text("Rate {output}.")
    (tmp_path / "own.txt.gz").write_bytes(gzip.compress(b"Rate {output}."))
    assert prompt("score", str(tmp_path / "own.txt.gz")) == prompt("score", str(tmp_path / "own.txt"))
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(b"Rate {output}.")[:-4])
    with pytest.raises(DataError, match="is cut short"):
        prompt("score", str(tmp_path / "cut.txt.gz"))
