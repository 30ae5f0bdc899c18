"""`adjudge meta levels` and `adjudge score --levels`."""

import json

import numpy as np
import pytest


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(4)
    people = rng.uniform(0, 100, 600)
    lines = ["test_set\tlanguage\tsegment\thuman\tchrf"]
    lines += [f"w\tpt-en\t{i // 2}\t{p:.2f}\t{p + rng.normal(0, 3):.3f}" for i, p in enumerate(people)]
    path = tmp_path / "segments.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_table_of_your_own(run, table, tmp_path, examples):
    file = tmp_path / "mine.json"
    assert run("meta", "levels", str(table), "--data-name", "our", "-o", str(file)).code == 0
    shown = run("meta", "levels", str(table), "--cuts", "0,50,100")
    assert "0–50" in shown.out
    assert "█" in shown.out
    assert "<rect" in run("meta", "levels", str(table), "-f", "html").out
    assert run("meta", "levels", str(table), "-f", "tsv").out.startswith("metric\tfamily\tscore\tpeople")
    files = (
        "-r",
        str(examples / "reference.en"),
        str(examples / "systems" / "neural.en"),
        "-m",
        "chrf",
        "-q",
    )
    text = run("score", *files, "--levels", str(file)).out.replace("\n  ", " ")
    assert (
        "neural, chrF 69.9 a segment on average: in our data into English people gave such outputs 7" in text
    )
    assert "What people gave" in run("score", *files, "--levels", str(file), "-f", "html").out


def test_beside_scores(run, examples):
    files = ("-r", str(examples / "reference.en"), str(examples / "systems" / "neural.en"), "-q")
    plain = json.loads(run("score", *files, "-f", "json").out)
    result = json.loads(
        run("score", *files, "-m", "bleu,chrf,ter,exact-match", "--levels", "wmt", "-f", "json").out
    )
    assert [own["score"] for own in plain["results"]] == [own["score"] for own in result["results"][:3]]
    assert "segments" not in result["results"][0]
    levels = {own["metric"]: own for own in result["levels"]["results"]}
    for metric in ("bleu", "chrf", "ter"):
        assert 0 < levels[metric]["low"] < levels[metric]["people"] < levels[metric]["high"] < 100
    assert levels["exact-match"]["people"] is None
    assert "levels" not in plain


def test_what_is_refused(run, table, examples, tmp_path):
    files = ("-r", str(examples / "reference.en"), str(examples / "systems" / "neural.en"))
    shown = run("score", *files, "--levels", "nowhere.json")
    assert (shown.code, "does not exist" in shown.err) == (1, True)
    shown = run("score", *files, "--levels", str(examples / "baseline.json"))
    assert (shown.code, "is not a table of levels" in shown.err) == (1, True)
    shown = run("meta", "levels", str(table), "--cuts", "0,x")
    assert (shown.code, "--cuts" in shown.err) == (2, True)
    shown = run("meta", "levels", str(tmp_path / "none.tsv"))
    assert (shown.code, "does not exist" in shown.err) == (1, True)
