"""`adjudge meta --fit-differences` and what `compare` says of differences."""

import json
import re

import numpy as np
import pytest


@pytest.fixture
def table(tmp_path):
    """Five test sets whose people love what chrF does."""
    rng = np.random.default_rng(4)
    lines = ["test_set\tlanguage\tsystem\thuman\tchrf\tbleu"]
    for place in range(5):
        for system in range(10):
            quality = rng.normal(0, 4)
            scores = (quality, 50 + quality + rng.normal(0, 1), 30 + rng.normal(0, 4))
            lines.append(
                "\t".join([f"w{place}", "pt-en", f"s{system}", *(f"{value:.4f}" for value in scores)])
            )
    path = tmp_path / "systems.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def compare(run, examples):
    def call(*arguments, systems=("neural", "neural-fixed")):
        files = [str(examples / "systems" / f"{name}.en") for name in systems]
        reference = ("-r", str(examples / "reference.en"))
        return run("compare", *reference, *arguments, *files, "-q", "--trials", "500", "--resamples", "100")

    return call


def test_a_table_of_your_own(run, table, tmp_path, compare):
    file = tmp_path / "mine.json"
    assert run("meta", "--fit-differences", str(table), "--data-name", "our", "-o", str(file)).code == 0
    assert json.loads(file.read_text())["format"] == "adjudge differences 2"
    shown = compare("-m", "chrf", "--differences", str(file)).out
    assert "on test sets like those of our data, such a difference went with people's" in _flat(shown)
    assert "people agree" in run("meta", "fit-differences", str(table)).out
    assert "<svg" in run("meta", "--fit-differences", str(table), "-f", "html").out
    lines = run("meta", "--fit-differences", str(table), "-f", "tsv").out.splitlines()
    assert lines[0].split("\t") == ["metric", "family", "delta", "agreement", "low", "high", "pairs"]


def test_what_wmts_people_said_of_such_a_difference(compare):
    result = json.loads(compare("-m", "chrf,ter,bleu", "-f", "json").out)
    worth = {own["metric"]: own for own in result["differences"]["pairs"]}
    assert result["differences"]["table"] == "WMT"
    pairs = {pair["metric"]: pair for pair in result["pairs"]}
    for metric, own in worth.items():
        assert abs(own["delta"]) == pytest.approx(abs(pairs[metric]["delta"]))
        assert own["significant"] == pairs[metric]["significant"]
        assert 0.5 <= own["low"] <= own["agreement"] <= own["high"] <= 1
        assert own["better"] == "neural-fixed"
    assert worth["ter"]["delta"] < 0 < worth["chrf"]["delta"]


def _flat(shown):
    return shown.replace("\n  ", " ")


def test_sentences_say_that_a_curve_was_fitted_and_agree_with_the_claims(compare):
    shown = _flat(compare("-m", "chrf").out)
    said = re.search(
        r"neural-fixed against neural, \+0\.1 chrF: on test sets like those of WMT 2013–2023, such a difference went "
        r"with people's preference in about (\d+) % of system pairs "
        r"\(fitted curve; for a new test set (\d+)–(\d+) %\)\. "
        r"Here the difference is not significant\.",
        shown,
    )
    low, share, high = (int(said[place]) for place in (2, 1, 3))
    assert 50 <= low < share < high < 70
    clear = _flat(compare("-m", "chrf", systems=("rulebased", "neural")).out)
    assert "neural against rulebased, +22.3 chrF: on test sets like those of WMT 2013–2023" in clear
    assert "about 99 % of system pairs" in clear  # no curve is certain
    assert "not significant" not in clear


def test_a_table_says_what_is_like_what(run, table):
    args = ("meta", "--fit-differences", str(table), "--like", "bleu=chrf", "-f", "json")
    curves = {curve["metric"]: curve for curve in json.loads(run(*args).out)["curves"]}
    assert (curves["bleu"]["like"], curves["chrf"]["like"]) == ("chrf", "")
    refused = run("meta", "--fit-differences", str(table), "--like", "bleu")
    assert (refused.code, "expected NAME=OTHER" in refused.err) == (2, True)
    refused = run("meta", "--fit-differences", str(table), "--like", "blue=chrf")
    assert (refused.code, "did you mean 'bleu'" in refused.err) == (2, True)


def test_a_year_that_is_none(run, table):
    head, *rows = table.read_text().splitlines()
    years = ["late", *["2020"] * (len(rows) - 1)]
    dated = [f"{year}\t{row}" for year, row in zip(years, rows, strict=True)]
    table.write_text("\n".join([f"year\t{head}", *dated]) + "\n")
    refused = run("meta", "--fit-differences", str(table))
    assert (refused.code, "line 2" in refused.err, "'late' is not a year" in refused.err) == (1, True, True)


def test_many_pairs_are_a_table_of_neighbours(compare):
    shown = compare(systems=("neural", "neural-fixed", "rulebased", "shortened")).out
    assert "people agree, %" in shown
    assert "Neighbours only" in shown
    assert (
        "on a new test set"
        in compare("--baseline", "neural", systems=("neural", "neural-fixed", "rulebased", "shortened")).out
    )


def test_metrics_without_data_are_named(compare):
    shown = compare("-m", "exact-match,chrf").out
    assert "How often people agree with a difference in exact match is not known: too few data." in " ".join(
        shown.split()
    )
    assert json.loads(compare("-m", "exact-match", "-f", "json").out)["differences"]["unknown"] == [
        "exact match"
    ]
    assert "What people said" not in compare("-m", "length-ratio").out


def test_nothing_of_it(compare):
    assert "What people said" not in compare("--differences", "none").out
    assert "differences" not in json.loads(compare("--differences", "none", "-f", "json").out)


@pytest.mark.parametrize(("lines", "repeats", "said"), [(29, 1, False), (12, 10, False), (30, 1, True)])
def test_of_so_few_segments_nothing_is_said_of_such_differences(
    run, examples, tmp_path, lines, repeats, said
):
    """Above it stood that nobody knows how large the difference is, for the segments are too few."""
    files = [examples / "reference.en", *(examples / "systems" / f"{n}.en" for n in ("neural", "rulebased"))]
    for file in files:
        segments = file.read_text(encoding="utf-8").splitlines()[:lines] * repeats
        (tmp_path / file.name).write_text("".join(f"{segment}\n" for segment in segments), encoding="utf-8")
    short = [tmp_path / file.name for file in files]
    given = ("compare", "-q", "-m", "chrf,exact-match", "--trials", "300", "--resamples", "100", "-r", *short)
    assert ("What people said" in run(*given).out) == said
    assert ("differences" in json.loads(run(*given, "-f", "json").out)) == said


def test_what_is_refused(run, compare, table, tmp_path, examples):
    shown = compare("--differences", "nowhere.json")
    assert (shown.code, "does not exist" in shown.err) == (1, True)
    shown = compare("--differences", str(examples / "baseline.json"))
    assert (shown.code, "is not a table of differences" in shown.err) == (1, True)
    few = tmp_path / "few.tsv"
    few.write_text("".join(table.read_text().splitlines(True)[:21]))
    shown = run("meta", "--fit-differences", str(few))
    assert (shown.code, "too few data" in shown.err) == (1, True)


def test_folders_are_test_sets(run, shared):
    shown = run("meta", "--fit-differences", str(shared.data / "03_wmt23_mqm_esa"))
    assert (shown.code, "--gold: da-sqm, mqm" in shown.err) == (2, True)
    shown = run("meta", "--fit-differences", str(shared.data / "03_wmt23_mqm_esa"), "--gold", "mqm")
    assert (shown.code, "too few data" in shown.err) == (1, True)
