"""`adjudge meta challenge`: files in, shares of wins out, in every format; and messages."""

import json

import pytest


def test_all_formats(run, examples, tmp_path):
    file = str(examples / "challenge.tsv")
    shown = run("meta", "challenge", file, "-m", "bleu,chrf", "-f", "json")
    result = json.loads(shown.out)
    assert {
        "kind",
        "name",
        "severity",
        "metric",
        "value",
        "low",
        "high",
        "n",
        "wins",
        "ties",
        "losses",
    } == set(result["results"][0])
    assert {"kind", "name", "a", "b", "delta", "p", "p_adjusted", "significant"} <= set(result["pairs"][0])
    whole = {own["metric"]: own for own in result["results"] if own["kind"] == "all"}
    assert whole["chrf"]["n"] == 200
    for own in result["results"]:
        assert own["wins"] + own["ties"] + own["losses"] == own["n"]
        assert own["low"] <= own["value"] <= own["high"]
    text = run("meta", "challenge", file, "-m", "bleu,chrf").out
    assert "By phenomenon" in text
    assert "negation" in text
    lines = run("meta", "challenge", file, "-m", "chrf", "-f", "tsv").out.splitlines()
    assert len(lines) == 1 + 3 * (1 + 3 + 5)  # chrF and two sentinels
    assert result["sentinels"] == ["sentinel-length", "sentinel-source"]
    assert "† is no metric but a sentinel" in text
    assert "sentinel" not in run("meta", "challenge", file, "-m", "chrf", "--no-sentinels").out
    page = tmp_path / "page.html"
    assert run("meta", "challenge", file, "-m", "chrf", "-o", str(page)).code == 0
    assert "<svg" in page.read_text()
    assert "By phenomenon" in page.read_text()


def test_the_usual_metrics_where_none_is_named(run, examples, tmp_path):
    result = json.loads(run("meta", "challenge", str(examples / "challenge.tsv"), "-f", "json").out)
    assert {own["metric"] for own in result["results"]} - set(result["sentinels"]) == {"bleu", "chrf", "ter"}
    file = tmp_path / "scored.tsv"
    file.write_text("good\tbad\tX-good\tX-bad\na\tb\t1\t2\n")
    result = json.loads(
        run("meta", "challenge", str(file), "-f", "json", "--lower-metric", "X", "--no-sentinels").out
    )
    assert [(own["metric"], own["wins"]) for own in result["results"]] == [("X", 1), ("X", 1)]


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["nowhere.tsv"], "does not exist", 1),
        ([], "FILE", 2),
        (["{file}", "-m", "blue"], "did you mean 'bleu'", 2),
        (["{file}", "-m", "length-ratio"], "not better either way", 2),
        (["{file}", "--lower-metric", "chrf"], "lower is better", 2),
        (["{file}", "-o", "{file}"], "challenge.tsv", 2),
    ],
)
def test_what_is_refused(run, examples, arguments, message, code):
    file = str(examples / "challenge.tsv")
    shown = run("meta", "challenge", *(text.format(file=file) for text in arguments))
    assert shown.code == code
    assert message in shown.err
