"""`adjudge analyse origins`: plain files, a study, people beside metrics, and what is said where that fails."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ("-r", EXAMPLES / "reference.en", "-s", EXAMPLES / "source.pt", "-L", EXAMPLES / "labels.tsv")
SYSTEMS = [EXAMPLES / "systems" / f"{name}.en" for name in ("neural", "shortened", "rulebased")]


def test_plain_files_and_people(run):
    shown = run(
        *("analyse", "origins", *FILES, "-l", "pt-en", "-m", "bleu", "--resamples", "30", "-f", "json"),
        *("--judgements", EXAMPLES / "judgements.tsv", *SYSTEMS),
    )
    assert (shown.code, shown.err) == (0, "")
    document = json.loads(shown.out)
    assert [own["measure"] for own in document["measures"]] == ["BLEU", "unigram precision", "DA z"]
    halves = {s["system"]: s for s in document["measures"][0]["sets"][0]["halves"]["systems"]}
    assert halves["neural"]["forward"] == pytest.approx(48.9, abs=0.05)
    assert halves["neural"]["reverse"] == pytest.approx(58.2, abs=0.05)


def test_a_study_in_place_of_files(run, tmp_path):
    (tmp_path / "study.toml").write_text(
        f'[[test_set]]\nname = "x"\nlanguage = "pt-en"\nreferences = ["{EXAMPLES}/reference.en"]\n'
        f'labels = "{EXAMPLES}/labels.tsv"\nsystems = ["{EXAMPLES}/systems/neural.en"]\n'
        f'judgements = ["{EXAMPLES}/judgements.tsv"]\n'
    )
    shown = run("analyse", "origins", tmp_path / "study.toml", "--resamples", "20", "-q")
    assert (shown.code, shown.err) == (0, "")
    for title in ("BLEU forward and reverse", "chrF forward", "unigram precision forward", "DA z forward"):
        assert title in shown.out
    page = tmp_path / "page.html"
    assert run("analyse", "origins", tmp_path / "study.toml", "--resamples", "20", "-q", "-o", page).code == 0
    assert 'class="box"' in page.read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "study.toml, line 1: language: missing; "),
        ('language = "fr-de"\n', "line 1: language: fr-de is not the pair of these origins (pt, en)"),
    ],
)
def test_a_study_without_the_language_pair_of_its_origins(run, tmp_path, line, message):
    (tmp_path / "ref").write_text((EXAMPLES / "reference.en").read_text())
    (tmp_path / "out").write_text((EXAMPLES / "reference.en").read_text())
    (tmp_path / "study.toml").write_text(
        f'[[test_set]]\nname = "x"\n{line}references = ["ref"]\nsystems = ["out"]\nlabels = "{EXAMPLES}/labels.tsv"\n'
    )
    shown = run("analyse", "origins", tmp_path / "study.toml")
    assert shown.code == 1
    assert message in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*FILES[:4], "-l", "pt-en", SYSTEMS[0]], "labels with a column origin"),
        ([*FILES, "-l", "fr-de", SYSTEMS[0]], "none of them is a language of the pair"),
        ([*FILES, "--unit", "page", "-l", "pt-en", SYSTEMS[0]], "no label 'page'"),
        (["no.toml"], "does not exist"),
        (["a.toml", "-l", "pt-en"], "give it alone"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(run, arguments, message):
    shown = run("analyse", "origins", *arguments)
    assert shown.code in (1, 2)
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_documents_are_drawn_where_they_are_labelled(run, examples):
    """Each document lies in one half; asked for, segments are drawn."""
    files = ["-r", examples / "reference.en", "-s", examples / "source.pt", "-L", examples / "labels.tsv"]
    given = ["analyse", "origins", *files, "-l", "pt-en", "-q", "-m", "chrf", "--resamples", "50"]
    systems = [examples / "systems" / f"{name}.en" for name in ("neural", "rulebased")]
    for more, unit in (([], "document"), (["--unit", "segment"], "segment")):
        ended = run(*map(str, [*given, *more, *systems]))
        assert ended.code == 0, ended.err
        assert f"resamples of {unit}s within each half" in " ".join(ended.out.split())
