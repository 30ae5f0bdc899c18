"""`adjudge meta`: a folder of scores in, agreement with people out, and messages that say what is missing."""

import json
import math

import numpy as np
import pytest

PEOPLE = np.array([[90.0, 80, 60, 70], [70, 60, 50, 65], [40, 30, 20, 10]])
SYSTEMS = ("alpha", "beta", "gamma")


def write(path, table):
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [(system, value) for system, row in zip(SYSTEMS, table, strict=True) for value in row]
    lines = [f"{system}\t{'None' if math.isnan(value) else float(value)}" for system, value in cells]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path):
    """A folder as mt-metrics-eval has them."""
    people = PEOPLE.copy()
    people[:, 3] = math.nan
    write(tmp_path / "human-scores" / "en-de.da.seg.score", people)
    write(tmp_path / "metric-scores" / "en-de" / "good-refA.seg.score", PEOPLE / 100)
    write(tmp_path / "metric-scores" / "en-de" / "bad-src.seg.score", -PEOPLE)
    write(tmp_path / "metric-scores" / "en-de" / "flat-src.seg.score", np.ones_like(PEOPLE))
    return tmp_path


def test_the_usual_tasks(run, folder):
    shown = run("meta", str(folder), "-f", "json")
    result = json.loads(shown.out)
    assert {one["task"] for one in result["results"]} == {
        "da system accuracy", "da system pearson", "da segment pearson", "da segment acc_eq by item"
    }  # fmt: skip
    by = {(one["task"], one["metric"]): one for one in result["results"]}
    assert by["da system pearson", "good-refA"]["value"] == pytest.approx(0.9959, abs=1e-4)  # a segment more
    assert by["da segment pearson", "good-refA"]["value"] == pytest.approx(1.0)
    assert by["da system accuracy", "bad-src"]["value"] == 0.0
    assert by["da segment pearson", "flat-src"]["value"] is None
    assert "same score" in by["da segment pearson", "flat-src"]["reason"]
    assert by["da segment pearson", "good-refA"]["n"] == 9
    assert [average["metric"] for average in result["averages"]] == ["good-refA", "bad-src"]
    assert {"task", "a", "b", "delta", "p", "p_adjusted", "significant"} <= set(result["pairs"][0])


def test_one_task_in_words(run, folder):
    shown = run("meta", str(folder), "--level", "segment", "--correlation", "kendall", "--group", "item")
    assert "Kendall's tau-b" in shown.out
    assert "3 systems" in shown.out
    lines = run("meta", "run", str(folder), "--level", "system", "-f", "tsv").out.splitlines()
    assert lines[0].split("\t")[:3] == ["task", "metric", "value"]
    assert len(lines) == 4
    first = run("meta", "--level", "system", "-f", "tsv", str(folder)).out.splitlines()
    assert first == lines  # options may stand before the folder


def test_tasks_of_a_file(run, folder, tmp_path):
    file = tmp_path / "tasks.toml"
    file.write_text('[[task]]\ngold = "da"\nlevel = "system"\ncorrelation = "spa"\nweight = 2\n')
    result = json.loads(run("meta", str(folder), "--tasks", str(file), "-f", "json").out)
    assert {one["correlation"] for one in result["results"]} == {"spa"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no task"),
        ("[[task]]\nlevel = 'system'", "task 1: gold: missing"),
        ("[[task]]\ngold = 3", "task 1: gold: a text was expected"),
        ("[[task]]\ngold = 'da'\nlevl = 'system'", "did you mean 'level'"),
        ("[[task]]\ngold = 'da'\nlevel = 'systm'", "task 1: unknown level"),
        ("[[task]\n", "no TOML"),
    ],
)
def test_files_of_tasks_that_are_wrong(run, folder, tmp_path, text, message):
    file = tmp_path / "tasks.toml"
    file.write_text(text)
    shown = run("meta", str(folder), "--tasks", str(file))
    assert shown.code == 1
    assert message in shown.err
    assert str(file) in shown.err


def test_folders_that_are_wrong(run, folder, tmp_path):
    scores = folder / "metric-scores" / "en-de" / "good-refA.seg.score"
    whole = scores.read_text()
    for text, message in (
        (whole.replace("0.9", "high", 1), "line 1: 'high' is no number"),
        (whole + "alpha\t1\n", "alpha has 5 lines, but beta 4"),
        ("", "is empty"),
        ("alpha 1 2\n", "line 1: a system and a score were expected"),
        ("alpha\t1\nbeta\t1\ngamma\t1\n", "4 segments a system"),
    ):
        scores.write_text(text)
        shown = run("meta", str(folder))
        assert shown.code == 1, text
        assert message in shown.err, text
        assert "good-refA.seg.score" in shown.err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no scores" in run("meta", str(empty)).err
    assert "is no folder" in run("meta", str(scores)).err


def test_a_metric_without_a_system_is_named(run, folder):
    file = folder / "metric-scores" / "en-de" / "part-src.seg.score"
    lines = (folder / "metric-scores" / "en-de" / "bad-src.seg.score").read_text().splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("gamma")) + "\n")
    shown = run("meta", str(folder), "--level", "segment")
    assert "part-src has no scores of gamma" in shown.err
    assert "part-src: no scores of gamma." in shown.out


def test_what_people_said_must_be_clear(run, folder):
    write(folder / "human-scores" / "en-de.mqm.seg.score", -PEOPLE)
    shown = run("meta", str(folder))
    assert shown.code == 2
    assert "--gold: da, mqm" in shown.err
    write(folder / "human-scores" / "cs-de.mqm.seg.score", -PEOPLE)
    shown = run("meta", str(folder), "--gold", "da")
    assert "say which one with -l: cs-de, en-de" in shown.err
