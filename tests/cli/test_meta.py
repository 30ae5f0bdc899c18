"""`adjudge meta`: a folder of scores in, agreement with people out, and messages that say what is missing."""

import json
import math
import sys

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
    assert {entry["task"] for entry in result["results"]} == {
        "da system accuracy", "da system pearson", "da segment pearson", "da segment acc_eq by item"
    }  # fmt: skip
    by = {(entry["task"], entry["metric"]): entry for entry in result["results"]}
    assert by["da system pearson", "good-refA"]["value"] == pytest.approx(0.9959, abs=1e-4)  # a segment more
    assert by["da segment pearson", "good-refA"]["value"] == pytest.approx(1.0)
    assert by["da system accuracy", "bad-src"]["value"] == 0.0
    assert by["da segment pearson", "flat-src"]["value"] is None
    details = {(detail["task"], detail["metric"]): detail for detail in result["details"]}
    assert "same score" in details["da segment pearson", "flat-src"]["reason"]
    assert by["da segment pearson", "good-refA"]["n"] == 9
    assert [average["metric"] for average in result["averages"]] == ["good-refA", "bad-src"]
    assert list(result["pairs"][0]) == ["task", "a", "b", "delta", "p", "p_adjusted", "significant"]
    assert list(result["results"][0]) == [
        "task", "level", "metric", "correlation", "average", "value", "low", "high", "n"
    ]  # fmt: skip
    assert "there is no output" in shown.err


def test_one_task_in_words(run, folder):
    shown = run("meta", str(folder), "--level", "segment", "--correlation", "kendall", "--grouping", "item")
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
    assert {entry["correlation"] for entry in result["results"]} == {"spa"}


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
        (whole.replace("0.9", "high", 1), "line 1, column 'score': 'high' is no finite number"),
        (whole.replace("0.9", "-inf", 1), "line 1, column 'score': '-inf' is no finite number"),
        (whole + "alpha\t1\n", "alpha has 5 lines, but beta 4"),
        ("", "is empty"),
        ("alpha 1 2\n", "line 1: 3 columns, but there should be 2 (system, score)"),
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


@pytest.fixture
def texts(folder):
    """The same with texts: gamma copies the source, and beta says everything twice."""
    source = ["ein Haus", "der Hund bellt", "die Katze schläft", "es regnet"]
    reference = ["a house", "the dog barks", "the cat sleeps", "it rains"]
    outputs = {"alpha": reference, "beta": [f"{text} {text}" for text in reference], "gamma": source}
    files = {"sources/en-de.txt": source, "references/en-de.refA.txt": reference}
    files["references/en-de.refB.txt"] = ["one house", "a dog barks", "a cat is asleep", "rain falls"]
    files |= {f"system-outputs/en-de/{name}.txt": segments for name, segments in outputs.items()}
    for name, segments in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(segments) + "\n")
    return folder


def values(shown, task):
    assert shown.code == 0, shown.err
    document = json.loads(shown.out)
    return {result["metric"]: result["value"] for result in document["results"] if result["task"] == task}


def test_sentinels_ride_along_and_are_marked(run, texts):
    shown = run("meta", str(texts), "--level", "segment")
    assert "sentinel" not in shown.err
    assert "† is no metric but a sentinel" in shown.out
    assert (
        "Not shown to be better than the length of an output alone (sentinel-length): bad-src." in shown.out
    )
    document = json.loads(run("meta", str(texts), "--level", "segment", "-f", "json").out)
    marked = [detail["metric"] for detail in document["details"] if detail["sentinel"]]
    assert sorted(marked) == ["sentinel-length", "sentinel-source"]
    assert "sentinel-" not in run("meta", str(texts), "--no-sentinels").out


def test_a_sentinel_without_a_source(run, texts):
    (texts / "sources" / "en-de.txt").unlink()
    shown = run("meta", str(texts), "--level", "segment")
    assert "there is no source" in shown.err
    assert "sentinel-length" in shown.out
    assert "sentinel-source" not in shown.out


def test_metrics_computed_on_the_texts(run, texts):
    shown = run(
        "meta",
        str(texts),
        "--level",
        "system",
        "-m",
        "chrf,ter",
        "-r",
        "refA",
        "-r",
        "refA,refB",
        "-f",
        "json",
    )
    scored = values(shown, "da system pearson")
    assert {"chrf-refA", "chrf-refA.refB", "ter-refA", "ter-refA.refB", "good-refA"} <= set(scored)
    assert scored["chrf-refA"] > 0.9
    assert scored["ter-refA"] > 0  # with its sign turned, for low ones are good
    alone = run("score", "-r", str(texts / "references" / "en-de.refA.txt"), "-m", "chrf", "-f", "json",
                *(f"{n}={texts / 'system-outputs' / 'en-de' / n}.txt" for n in SYSTEMS))  # fmt: skip
    scores = [result["score"] for result in json.loads(alone.out)["results"]]
    people = PEOPLE[:, :3].mean(1)
    assert scored["chrf-refA"] == pytest.approx(np.corrcoef(scores, people)[0, 1], abs=1e-12)


def test_a_folder_without_scores_of_metrics(run, texts):
    for file in (texts / "metric-scores" / "en-de").iterdir():
        file.unlink()
    assert "no scores of metrics" in run("meta", str(texts)).err
    scored = values(
        run("meta", str(texts), "-m", "chrf", "--level", "segment", "-f", "json"), "da segment pearson"
    )
    assert "chrf-refA" in scored


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "chrf", "-r", "refC"), "unknown reference 'refC'"),
        (("-r", "refA"), "name them with -m"),
        (("-m", "chrff"), "did you mean"),
        (("--level", "system", "--swap", "cells"), "whole systems are swapped, not cells"),
        (("--level", "segment", "--correlation", "acc_eq", "--swap", "both"), "item by item (items), not by both"),
        (("--level", "segment", "--correlation", "kendall", "--test", "williams"), "Williams' test is of Pearson's r"),
        (("--test", "permutatoin"), "did you mean 'permutation'"),
        (("--swap", "cell"), "did you mean 'cells'"),
        (("--correction", "hlm"), "did you mean 'holm'"),
        (("--interval", "fischer"), "did you mean 'fisher'"),
        (("--matr", "--tskm"), "two tables"),
        (("--tskm", "-m", "chrf"), "variants of tskm"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for(run, texts, arguments, message):
    shown = run("meta", str(texts), *arguments)
    assert shown.code == 2
    assert message in shown.err


@pytest.mark.parametrize("swap", ["cells", "systems", "items", "both"])
@pytest.mark.parametrize("correlation", ["pearson", "spearman", "kendall", "kendall_c"])
def test_what_is_swapped_is_said(run, texts, swap, correlation):
    words = {
        "cells": "single scores",
        "systems": "whole systems",
        "items": "whole items",
        "both": "then whole items",
    }
    shown = run("meta", str(texts), "--level", "segment", "--correlation", correlation, "--swap", swap)
    assert words[swap] in " ".join(shown.out.split())


def test_other_tests_between_metrics(run, texts):
    for test, words in (("bootstrap", "paired bootstrap"), ("williams", "Williams' test")):
        shown = run("meta", str(texts), "--level", "segment", "--test", test, "--correction", "bh")
        assert f"{words}, two-sided, Benjamini–Hochberg" in " ".join(shown.out.split())
    assert json.loads(run("meta", str(texts), "--test", "none", "-f", "json").out)["pairs"] == []


@pytest.fixture
def noisy(tmp_path):
    """Six systems, of which three metrics say hardly anything."""
    rng = np.random.default_rng(5)
    names = [f"s{place}" for place in range(6)]
    for name in (
        "human-scores/en-de.da",
        "metric-scores/en-de/a-src",
        "metric-scores/en-de/b-src",
        "metric-scores/en-de/c-src",
    ):
        path = tmp_path / f"{name}.seg.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{system}\t{rng.normal()}\n" for system in names for _ in range(8)))
    return tmp_path


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall", "accuracy", "spa"])
def test_metrics_that_cannot_be_told_apart_have_no_bare_rank(run, noisy, kind):
    arguments = ("meta", str(noisy), "--level", "system", "--correlation", kind)
    shown = run(*arguments)
    lines = shown.out.splitlines()
    rows = [line.split() for line in lines[2:5]]
    assert lines[1].split()[-1] == "Rank"
    assert [row[-1] for row in rows] == ["1–3"] * 3
    said = "The 3 metrics cannot be told apart: no test shows one to agree better than another."
    assert said in " ".join(shown.out.split())
    (task,) = json.loads(run(*arguments, "-f", "json").out)["tasks"]
    assert task["best"] == said
    assert sorted(task["unbeaten"]) == ["a-src", "b-src", "c-src"]
    page = run(*arguments, "-f", "html").out
    assert f"1 task. {said}" in page
    assert 'class="cluster"' not in page
    ranks = [line.split("\t")[-1] for line in run(*arguments, "-f", "tsv").out.splitlines()]
    assert ranks == ["ranks", "1-3", "1-3", "1-3"]


def test_the_ranks_of_metricsmatr_are_ranges_where_intervals_meet(run, noisy):
    lines = run("meta", str(noisy), "--matr").out.splitlines()
    table = lines[lines.index("system level, no reference") + 2 :][:3]
    assert [row.split()[1] for row in table] == ["1–3"] * 3


def test_a_metric_that_is_best_is_said_to_be(run, noisy):
    people = (noisy / "human-scores" / "en-de.da.seg.score").read_text()
    (noisy / "metric-scores" / "en-de" / "a-src.seg.score").write_text(people)
    shown = run("meta", str(noisy), "--level", "segment")
    assert "a-src agrees with people better than every other metric." in shown.out
    assert shown.out.splitlines()[2].split()[-1] == "1"


def test_the_best_metric_is_held_only_against_metrics_that_have_a_value(run, noisy):
    scores = noisy / "metric-scores" / "en-de"
    (scores / "a-src.seg.score").write_text((noisy / "human-scores" / "en-de.da.seg.score").read_text())
    lines = (scores / "c-src.seg.score").read_text().splitlines()
    (scores / "c-src.seg.score").write_text("\n".join(line for line in lines if not line.startswith("s0")))
    shown = run("meta", str(noisy), "--level", "segment")
    assert "a-src agrees with people better than every other metric that has a value." in shown.out


def test_the_tables_of_metricsmatr(run, texts):
    lines = run("meta", str(texts), "--matr", "-m", "chrf", "-r", "refA", "-r", "refA,refB").out.splitlines()
    assert "segment level, single reference" in lines
    assert "system level, multiple references" in lines
    assert lines[1].split()[:4] == ["Metric", "Rank", "n", "ρ"]
    notes = " ".join(lines)
    assert "1.96/√(n − 3)" in notes
    assert "† is no metric" in notes
    for title in ("segment level, single reference", "system level, multiple references"):
        table = lines[lines.index(title) + 2 :]
        names = [line.split()[0] for line in table[: table.index("")]]
        assert {"sentinel-length", "sentinel-source"} <= set(names)
    document = json.loads(run("meta", str(texts), "--matr", "-f", "json").out)
    assert {"sentinel-length", "sentinel-source"} <= {entry["metric"] for entry in document["results"]}
    assert "sentinel" not in run("meta", str(texts), "--matr", "--no-sentinels").out


PROGRAM = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    with open({log!r}, "a") as log: log.write(line)
    print(sum(word in row.get("reference", "").split() for word in row["output"].split()))
"""


def test_a_program_is_given_references(run, texts, tmp_path):
    program, log = tmp_path / "overlap.py", tmp_path / "log"
    program.write_text(PROGRAM.format(log=str(log)))
    metric = f'command(run="{sys.executable} {program}")'

    def asked(*more):
        """What the metric is called, its value, and the references of the first segment as the program sees them."""
        log.unlink(missing_ok=True)
        arguments = (
            "meta",
            str(texts),
            "--level",
            "segment",
            "--no-cache",
            "-m",
            metric,
            *more,
            "-f",
            "json",
        )
        ((name, value),) = [
            entry
            for entry in values(run(*arguments), "da segment pearson").items()
            if entry[0].startswith("command")
        ]
        row = json.loads(log.read_text().splitlines()[0])
        assert row["source"] == "ein Haus"
        return name.removeprefix(metric.replace('"', "")), value, row["references"]

    by_words = [[2, 3, 3], [4, 6, 6], [0, 0, 0]]  # words of outputs that stand in refA, where people judged
    expected = np.corrcoef(np.ravel(by_words), PEOPLE[:, :3].ravel())[0, 1]
    assert asked() == ("-refA", pytest.approx(expected), ["a house"])
    assert asked("-r", "refA")[0] == "-refA"
    assert asked("-r", "refB")[::2] == ("-refB", ["one house"])
    assert asked("-r", "refA,refB")[::2] == ("-refA.refB", ["a house", "one house"])
    for file in (texts / "references").iterdir():
        file.unlink()
    assert asked()[::2] == ("-src", [])


def test_names_of_metrics_say_what_is_a_reference(run, texts):
    """A folder of scores alone, in which people judged refA as well."""
    path = texts / "human-scores" / "en-de.da.seg.score"
    path.write_text(path.read_text() + "".join(f"refA\t{score}\n" for score in (99, 98, 97, 96)))
    before = values(run("meta", str(texts), "--level", "segment", "-f", "json"), "da segment pearson")
    for file in (texts / "references").iterdir():
        file.unlink()
    shown = run("meta", str(texts), "--level", "segment", "-f", "json")
    assert values(shown, "da segment pearson")["good-refA"] == before["good-refA"] is not None
    assert "refA counts as a reference, because good-refA is named after it" in shown.err


def test_systems_far_from_the_others_are_left_out(run, folder):
    shown = run("meta", str(folder), "--level", "system", "--without-outliers", "-f", "json")
    assert json.loads(shown.out)["tasks"][0]["outliers_left_out"] == []
    assert "da system pearson without outliers" in shown.out


def test_a_folder_written_and_read_again_says_the_same(run, texts, tmp_path):
    written = tmp_path / "written"
    assert run("meta", "export", str(texts), str(written), "-m", "chrf", "-r", "refA").code == 0
    for arguments in ((), ("--level", "document"), ("--level", "system", "--correlation", "spa")):
        before, after = (
            json.loads(run("meta", str(folder), *more, *arguments, "-f", "json").out or "{}")
            for folder, more in ((texts, ("-m", "chrf", "-r", "refA")), (written, ()))
        )
        assert before.get("results") == after.get("results")
    again = tmp_path / "again"
    run("meta", "export", str(written), str(again))
    files = [path.relative_to(written) for path in written.rglob("*") if path.is_file()]
    assert len(files) == 16
    assert all((written / name).read_bytes() == (again / name).read_bytes() for name in files)
    assert "it is a directory" in run("meta", "export", str(texts), str(written)).err


@pytest.fixture
def table(tmp_path):
    """Answers to questions about what three systems translated, and two metrics, a row a system and segment."""
    right = [[1, 1, 0, 1], [1, 0, 0, 1], [0, 0, 0, 1]]
    rows = ["system\tsegment\tdocument\tright\tscore\terrors\tremark"]
    for system, own, scores in zip(SYSTEMS, right, PEOPLE, strict=True):
        for line, (answer, score) in enumerate(zip(own, scores, strict=True), 1):
            rows.append(f"{system}\t{line}\td{line % 2}\t{answer}\t{score}\t{100 - score}\tfine")
    path = tmp_path / "answers.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_any_number_of_a_table_is_gold_or_metric(run, table):
    shown = run(
        "meta",
        str(table),
        "--gold",
        "right",
        "--lower-metric",
        "errors",
        "--level",
        "system",
        "-f",
        "json",
    )
    scored = values(shown, "right system pearson")
    assert scored["score"] == pytest.approx(np.corrcoef(PEOPLE.mean(1), [0.75, 0.5, 0.25])[0, 1])
    assert scored["errors"] == pytest.approx(scored["score"])
    other = run("meta", str(table), "--gold", "score", "--level", "document", "-f", "json")
    assert set(values(other, "score document pearson")) == {"right", "errors"}
    shown = run("meta", str(table))
    assert shown.code == 2
    assert "--gold NAME" in shown.err
    assert (
        "did you mean 'errors'" in run("meta", str(table), "--gold", "right", "--lower-metric", "error").err
    )


def test_a_column_that_is_none_of_the_table_s(run, table):
    shown = run("meta", str(table), "--gold", "zzz")
    assert shown.code == 2
    assert "unknown scores of people 'zzz'; known: errors, right, score" in shown.err


def test_a_table_beside_a_folder(run, folder, table):
    shown = run(
        "meta", str(folder), "--scores", str(table), "--gold", "right", "--level", "segment", "-f", "json"
    )
    assert {"good-refA", "score", "errors"} <= set(values(shown, "right segment pearson"))
    table.write_text(table.read_text().replace("alpha\t4", "alpha\t9"))
    shown = run("meta", str(folder), "--scores", str(table), "--gold", "right")
    assert "segment '9' is no line of the folder's 4" in shown.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("system\t", "sytem\t", "is 'sytem' meant for 'system'"),
        ("segment\t", "numero\t", "need a system and a segment"),
        ("alpha\t2", "alpha\t1", "alpha has a row for segment 1 already, in line 2"),
        ("alpha\t2", "\t2", "no system is named"),
        ("\t90.0\t", "\tgood\t", "line 2: score is 'good', but a number in 11 other rows"),
    ],
)
def test_tables_that_are_wrong(run, table, old, new, message):
    table.write_text(table.read_text().replace(old, new, 1))
    shown = run("meta", str(table), "--gold", "right")
    assert shown.code == 1
    assert message in shown.err
    assert "answers.tsv" in shown.err


def test_a_table_without_a_metric(run, table):
    rows = [line.split("\t")[:4] for line in table.read_text().splitlines()]
    table.write_text("\n".join("\t".join(row) for row in rows) + "\n")
    shown = run("meta", str(table), "--gold", "right")
    assert shown.code == 2
    assert "no metric to hold against right; add its column, or -m METRIC, --scores FILE" in shown.err


def test_a_table_without_numbers(run, table):
    table.write_text("system\tsegment\tremark\na\t1\tfine\nb\t1\tbad\n")
    assert "no column of numbers" in run("meta", str(table), "--gold", "x").err


def test_a_table_becomes_a_folder(run, table, tmp_path):
    new = tmp_path / "new"
    assert "say it with -l" in run("meta", "export", str(table), str(new), "--gold", "right").err
    assert run("meta", "export", str(table), str(new), "--gold", "right", "-l", "de-en").code == 0
    shown = run("meta", str(new), "--level", "segment", "-f", "json")
    assert set(values(shown, "right segment pearson")) == {"score-src", "errors-src"}


def test_rankings(run, tmp_path):
    (tmp_path / "ref.en").write_text("a house\nthe dog barks\n")
    for name, text in (
        ("good", "a house\nthe dog barks\n"),
        ("bad", "one\ntwo\n"),
        ("fair", "a home\nthe dog\n"),
    ):
        (tmp_path / f"{name}.en").write_text(text)
    head = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["1,1,j,t.good.x,1,t.bad.x,2,1", "1,1,j,t.good.x,1,t.fair.x,1,1", "2,2,j,t.fair.x,1,t.bad.x,2,2"]
    (tmp_path / "ranks.csv").write_text("\n".join([head, *(f"fr,en,{row}" for row in rows)]) + "\n")
    outputs = [str(tmp_path / f"{name}.en") for name in ("good", "bad", "fair")]
    arguments = (
        "meta",
        "rankings",
        str(tmp_path / "ranks.csv"),
        "-r",
        str(tmp_path / "ref.en"),
        *outputs,
        "-m",
        "chrf,ter",
    )
    shown = run(*arguments, "-f", "json")
    assert "1 ties of people" in shown.err
    document = json.loads(shown.out)
    assert {(one["metric"], one["value"], one["n"]) for one in document["results"]} == {
        ("chrf", 1.0, 2),
        ("ter", 1.0, 2),
        ("sentinel-length", -1.0, 2),
    }
    assert "the sentinel that measures likeness to the source is missing" in shown.err
    (tmp_path / "source.fr").write_text("une maison\nle chien aboie\n")
    beside = json.loads(run(*arguments, "-s", str(tmp_path / "source.fr"), "-f", "json").out)
    assert {detail["metric"] for detail in beside["details"] if detail["sentinel"]} == {
        "sentinel-length",
        "sentinel-source",
    }
    assert "sentinel" not in run(*arguments, "--no-sentinels").out
    assert "whole items" in " ".join(run(*arguments, "--ties", "dropped").out.split())
    assert "did you mean 'dropped'" in run(*arguments, "--ties", "droped").err


def tree(text):
    """A chain of words, as CoNLL-U."""
    rows = [
        f"{at}\t{word}\t{word[:3]}\tX\t_\t_\t{at - 1}\t{'root' if at == 1 else 'dep'}\t_\t_"
        for at, word in enumerate(text.split(), 1)
    ]
    return "\n".join([f"# text = {text}", *rows, "", ""])


def test_all_variants_of_the_kernels_paper(run, texts):
    files = {}
    outputs = {path.stem: path for path in (texts / "system-outputs" / "en-de").iterdir()}
    texts_of = {name: path.read_text().splitlines() for name, path in outputs.items()}
    files["pseudo.txt"] = texts_of["beta"]
    files |= {f"back-{name}.txt": [f"{line} zurück" for line in lines] for name, lines in texts_of.items()}
    for name, lines in files.items():
        (texts / name).write_text("\n".join(lines) + "\n")
    every = {**files, **{f"{name}.txt": lines for name, lines in texts_of.items()}}
    for name in ("sources/en-de.txt", "references/en-de.refA.txt"):
        every[str(texts / name)] = (texts / name).read_text().splitlines()
    banks = [f"# newdoc id = {name}\n" + "".join(map(tree, lines)) for name, lines in every.items()]
    (texts / "trees.conllu").write_text("".join(banks))
    backs = [
        part for name in SYSTEMS for part in ("--back-translation", f"{name}={texts / f'back-{name}.txt'}")
    ]
    arguments = ("meta", str(texts), "--tskm", "--trees", str(texts / "trees.conllu"))
    shown = run(*arguments, "--pseudo-reference", str(texts / "pseudo.txt"), *backs, "-f", "json")
    variants = values(shown, "da system pearson")
    assert variants.pop("sentinel-length") is not None
    assert variants.pop("sentinel-source") is not None
    assert len(variants) == 42 + 5
    beside = values(
        run("meta", str(texts), "-m", "bleu,wer", "--level", "system", "-f", "json"), "da system pearson"
    )
    for name in ("bleu", "wer"):  # pseudo-references are for the kernels alone
        assert variants[name] == beside[f"{name}-refA"]
    plain = run(*arguments)
    assert "sentinel-length †" in plain.out
    assert "sentinel" not in run(*arguments, "--no-sentinels").out
    assert plain.out.splitlines()[1].split() == ["Pairs", "of", "texts", "Kernels", "words", "lemmas"]
    assert [line.split()[:2] for line in plain.out.splitlines()[2:5]] == [
        ["rc", "ptk"],
        ["rc", "sk"],
        ["rc", "sk+ptk"],
    ]
    assert {line.split()[1] for line in plain.out.splitlines()[5:10]} == {
        "bleu",
        "nist",
        "wer",
        "per",
        "cder",
    }
    assert "for --tskm alone" in run("meta", str(texts), "--trees", str(texts / "trees.conllu")).err


def test_a_page_with_drawings(run, texts, tmp_path):
    page = tmp_path / "page.html"
    assert run("meta", str(texts), "-m", "chrf", "-r", "refA", "-o", str(page)).code == 0
    text = page.read_text()
    for part in (
        "All tasks",
        "Metrics and people, system by system",
        "Metrics and people, segment by segment",
    ):
        assert f"<h2>{part}</h2>" in text
    assert "chrf against refA" in text
    assert "segments of refB, a reference itself" in text
    assert (
        text.count('class="scatter"') == 2 * 6 + 2
    )  # systems and segments of six measures, and two references
    assert (
        text.count("sentinel-length †") >= 4
    )  # in the heat map, the ranking, the table and beneath a scatter
    assert "4 metrics held against people" in text  # sentinels are none
    for kind in ("fisher", "modern", "none"):
        assert "<svg" in run("meta", str(texts), "--level", "segment", "--interval", kind, "-f", "html").out


def test_tasks_on_several_test_sets_and_language_pairs(run, folder, table, tmp_path):
    write(folder / "human-scores" / "cs-de.da.seg.score", -PEOPLE)
    for name in ("good-refA", "bad-src"):
        scores = folder / "metric-scores" / "en-de" / f"{name}.seg.score"
        other = folder / "metric-scores" / "cs-de" / f"{name}.seg.score"
        other.parent.mkdir(exist_ok=True)
        other.write_text(scores.read_text())
    file = tmp_path / "tasks.toml"
    task = '[[task]]\nlevel = "segment"\n'
    file.write_text(
        f'{task}gold = "da"\nlanguage = "en-de"\n{task}gold = "da"\nlanguage = "cs-de"\n'
        f'{task}gold = "right"\ntest_set = "{table.name}"\n'
    )
    document = json.loads(run("meta", str(folder), "--tasks", str(file), "-f", "json").out)
    by = {(one["task"], one["metric"]): one["value"] for one in document["results"]}
    assert by["en-de da segment pearson", "good-refA"] == pytest.approx(1)
    assert by["cs-de da segment pearson", "good-refA"] == pytest.approx(-1)
    assert ("answers.tsv right segment pearson", "score") in by
    page = tmp_path / "page.html"
    assert run("meta", str(folder), "--tasks", str(file), "-o", str(page)).code == 0
    assert page.read_text().count('class="scatter"') > 5
