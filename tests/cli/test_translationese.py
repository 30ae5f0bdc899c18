"""Forward and reverse on the command line."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def halved(tmp_path):
    (tmp_path / "ref.en").write_text("the cat sat down\na dog ran off\nthe end is near\nno more\n")
    (tmp_path / "a.en").write_text("the cat sat down\na dog ran off\nthe end near\nno\n")
    (tmp_path / "b.en").write_text("the cat\na dog ran off\nthe end is near\nno more\n")
    (tmp_path / "labels.tsv").write_text("origlang\nde\nde\nen\nen\n")
    return [str(tmp_path / name) for name in ("ref.en", "labels.tsv", "a.en", "b.en")]


def test_compare_shows_both_halves(run, halved):
    reference, labels, *systems = halved
    given = [
        "compare",
        "-r",
        reference,
        "-L",
        labels,
        "-l",
        "de-en",
        "-m",
        "chrf",
        "--trials",
        "50",
        "--by",
        "origin",
    ]
    ended = run(*given, *systems)
    assert ended.code == 0
    assert "Forward and reverse by chrF" in ended.out
    assert "1 of 1 pair (100%) change their order: a and b" in " ".join(ended.out.split())
    assert "2 segments of 4 WERE CREATED IN REVERSE" in ended.err
    for form in ("markdown", "latex"):
        assert "Forward and reverse by chrF" in run(*given, "-q", "-f", form, *systems).out
    document = json.loads(run(*given, "-q", "-f", "json", *systems).out)
    assert document["translationese"]["directions"] == {"de": "forward", "en": "reverse"}
    assert document["translationese"]["measures"][0]["flips"] == 1


def test_compare_by_origin_without_a_pair_says_what_is_missing(run, halved):
    """Suffixes would tell the target language."""
    reference, labels, *systems = halved
    reference, *systems = (Path(path).rename(f"{path[:-3]}.txt") for path in (reference, *systems))
    reference, *systems = map(str, (reference, *systems))
    ended = run(
        "compare", "-r", reference, "-L", labels, "-m", "chrf", "--trials", "50", "--by", "origin", *systems
    )
    assert ended.code == 0
    assert "origin=de" in ended.out
    assert "--language de-en" in ended.err


def test_a_label_answers_to_the_name_its_file_has_for_it(run, halved):
    reference, labels, *systems = halved
    given = ["compare", "-r", reference, "-L", labels, "-l", "de-en", "-m", "chrf", "--trials", "50"]
    asked = run(*given, "--by", "origlang", *systems)
    assert asked.code == 0
    assert asked.out == run(*given, "--by", "origin", *systems).out
    assert run(*given, "--unit", "original_language", *systems).code == 0
    wrong = run(*given, "--by", "lang", *systems)
    assert wrong.code == 2
    assert "there are: origin (also origlang, orig_lang, original_language)" in wrong.err


def test_the_pair_that_was_given_stands_in_the_question(run, halved, tmp_path):
    reference, labels, *systems = halved
    given = ["compare", "-r", reference, "-L", labels, "-m", "chrf", "--trials", "50", "--by", "origin"]
    ended = run(*given, "-l", "is-fr", *systems)
    assert "none of them is a language of the pair: --language is-fr" in ended.err
    assert "de-en" not in ended.err
    (tmp_path / "labels.tsv").write_text("origlang\nis\nis\nis\nis\n")
    ended = run(*given, "-l", "is-en", *systems)
    assert "is the language pair right (--language is-en)?" in ended.err
