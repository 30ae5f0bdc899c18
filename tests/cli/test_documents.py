"""`--level` and `--realign` of score, compare, gate and verify."""

import json

import pytest


@pytest.fixture
def files(examples):
    return ["-r", examples / "reference.en", "-L", examples / "labels.tsv"]


@pytest.fixture
def merged(examples, tmp_path):
    """The output of a system with some lines merged."""
    lines = (examples / "systems/neural.en").read_text().splitlines()
    path = tmp_path / "neural.en"
    path.write_text(
        "\n".join([f"{lines[0]} {lines[1]}", *lines[2:50], f"{lines[50]} {lines[51]}", *lines[52:]]) + "\n"
    )
    return path


def test_documents_are_scored_and_said(run, files, examples):
    ended = run("score", *files, "--level", "document", "-m", "chrf", examples / "systems/neural.en")
    assert ended.code == 0
    assert "16 documents, 1 reference" in ended.out
    assert "|level:document|version:" in ended.out


def test_windows_are_compared_by_documents(run, files, examples):
    systems = [examples / "systems/neural.en", examples / "systems/rulebased.en"]
    ended = run(
        "compare",
        *files,
        "--level",
        "window:3",
        "-m",
        "chrf",
        "--trials",
        "99",
        "--resamples",
        "99",
        *systems,
    )
    assert ended.code == 0
    assert "of whole documents" in ended.out
    assert "141 windows of 3 segments" in ended.out
    assert "lint" not in ended.err


def test_a_level_of_texts_and_the_confidence_of_intervals_are_two_options(run, files, examples):
    systems = [examples / "systems/neural.en", examples / "systems/rulebased.en"]
    options = ["-m", "chrf", "--trials", "99", "--resamples", "99", "-f", "json", *systems]
    document = json.loads(run("compare", *files, "--confidence", "0.9", "--level", "document", *options).out)
    assert document["test"]["confidence"] == 0.9
    assert document["test_set"]["level"] == "document"
    assert document["arguments"]["level"] == "document"
    assert document["arguments"]["options"]["confidence"] == 0.9
    ended = run("compare", *files, "--confidence", "2", *options)
    assert (ended.code, "confidence=2.0: must lie between 0 and 1" in ended.err) == (2, True)
    ended = run("compare", *files, "--level", "0.9", *options)
    assert (ended.code, "level" in ended.err) == (2, True)


def test_what_is_kept_is_verified_and_held_against(run, files, examples, tmp_path):
    kept = tmp_path / "run.json"
    assert (
        run(
            "score",
            *files,
            "--level",
            "document",
            "-m",
            "chrf",
            "--save",
            kept,
            examples / "systems/neural.en",
        ).code
        == 0
    )
    assert run("verify", kept).code == 0
    ended = run("gate", "--against", kept, f"neural={examples / 'systems/neural-fixed.en'}")
    assert ended.code == 0, ended.err
    assert "16 segments" in ended.out or "16 documents" in ended.out


def test_without_documents_there_is_a_way_out(run, examples):
    ended = run(
        "score", "-r", examples / "reference.en", "--level", "document", examples / "systems/neural.en"
    )
    assert ended.code == 2
    assert "a column document in -L labels.tsv does" in ended.err
    ended = run("score", "-r", examples / "reference.en", "--level", "page", examples / "systems/neural.en")
    assert (ended.code, "unknown level 'page'" in ended.err) == (2, True)


def test_merged_lines_are_refused_until_they_are_cut_anew(run, files, examples, merged, tmp_path):
    refused = run("score", *files, "-m", "chrf", merged)
    assert refused.code == 1
    assert "has 173 segments, but" in refused.err
    kept = tmp_path / "run.json"
    ended = run("score", *files, "-m", "chrf", "--realign", "--save", kept, "-f", "json", merged)
    assert ended.code == 0
    whole = json.loads(run("score", *files, "-m", "chrf", "-f", "json", examples / "systems/neural.en").out)
    document = json.loads(ended.out)
    assert document["results"][0]["score"] == whole["results"][0]["score"]
    assert "|realigned:yes|version:" in document["results"][0]["signature"]
    assert document["arguments"]["realign"] is True
    assert "realign" not in whole["results"][0]["signature"]
    note = "neural: 171 lines for 173 segments, re-aligned with the reference by edit distance; 4 segments had no line"
    assert note in ended.err
    assert note in document["warnings"][0]
    assert run("verify", kept).code == 0
    assert run("score", *files, "-m", "chrf", "--realign", examples / "systems/neural.en").err == ""


def test_cutting_anew_needs_a_reference(run, examples, merged):
    ended = run("score", "-s", examples / "source.pt", "-m", "length-ratio", "--realign", merged)
    assert ended.code == 2
    assert "--realign cuts outputs where references are cut: it needs one at least (-r)" in ended.err
