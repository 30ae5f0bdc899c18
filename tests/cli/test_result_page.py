"""`-o result.html` of compare and score: a page that says what JSON says, and needs nothing but itself."""

import json

import pytest

from helpers.pages import Page, Tables, check_alone

HOSTILE = '<b onload> & "quotes" <style> <!-- \x1b[31m 日本語'


@pytest.fixture
def shown(run, tmp_path, examples):
    """The page and the JSON of one command."""

    def call(command, *arguments):
        path = tmp_path / "page.html"
        given = [command, "-q", "--no-cache", "-r", examples / "reference.en", *arguments]
        assert run(*given, "-o", path).code == 0
        text = path.read_text(encoding="utf-8")
        check_alone(text)
        Page(text)
        return text, json.loads(run(*given, "-f", "json").out)

    return call


@pytest.fixture
def systems(examples):
    return [examples / "systems" / f"{name}.en" for name in ("neural", "neural-fixed", "rulebased")]


def test_a_comparison(shown, systems, examples):
    labels = ("-L", examples / "labels.tsv", "--by", "origin", "-l", "pt-en")
    text, value = shown("compare", "-m", "bleu", "-m", "ter", "--trials", 200, *labels, *systems)
    page, words = Tables(text), "".join(Page(text).texts).replace("\u00a0", " ")
    for result in value["results"]:
        start = f"{result['system']}: {result['score']:.1f}, {result['low']:.1f}"[:-1]
        assert any(label.startswith(start) and " to " in label for label in page.labels), start
    rows = page.headed("System", "BLEU ↑")
    assert [row[0] for row in rows] == ["neural-fixed", "neural", "rulebased"]
    assert (
        len(page.headed("System", "against", "Δ BLEU")) == len(page.headed("System", "against", "Δ TER")) == 3
    )
    assert value["claims"]
    for claim in [*value["claims"], *(claim for group in value["groups"] for claim in group["claims"])]:
        assert claim in words
    assert "origin=" in words
    for result in value["results"]:
        assert result["signature"] in words


def test_against_a_baseline(shown, systems):
    text, _ = shown("compare", "-m", "bleu", "--trials", 99, "--baseline", "neural", *systems)
    assert "<h2>Against neural</h2>" in text
    assert "<h2>Every pair</h2>" not in text


def test_many_systems_are_a_triangle(shown, systems):
    many = [f"s{index}={systems[index % 3]}" for index in range(8)]
    text, _ = shown("compare", "-m", "ter", "--trials", 99, *many)
    assert len(Tables(text).headed("#", "Δ TER")) == 8


def test_scores(shown, systems):
    text, value = shown("score", "--segments", "-m", "bleu,ter", *systems)
    page = Tables(text)
    for result in value["results"]:
        assert f"{result['system']}: {result['score']:.1f}" in page.labels
    assert [row[0] for row in page.headed("System", "BLEU ↑")] == ["neural", "neural-fixed", "rulebased"]
    assert len(page.headed("Segment", "System")) == 3 * value["test_set"]["segments"]
    assert "dots: scores" in text
    assert "lines:" not in text


def test_names_are_shown_as_they_are(shown, systems):
    for command in ("score", "compare"):
        text, _ = shown(command, "-m", "bleu", f"{HOSTILE}={systems[0]}", systems[1])
        assert "<b onload" not in text
        assert "\x1b" not in text


def test_the_list_of_metrics_is_no_page(run):
    ended = run("score", "--list", "-f", "html")
    assert (ended.code, "the list of metrics is no page" in ended.err) == (2, True)
