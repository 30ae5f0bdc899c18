"""Every command that names a better system gives its verdict in JSON, and its text says the same."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEW = ("--trials", "300", "--resamples", "100")
SYSTEMS = tuple(EXAMPLES / "systems" / f"{name}.en" for name in ("neural", "rulebased", "shortened"))
COMPARED = ("-r", EXAMPLES / "reference.en", *SYSTEMS)
COMMANDS = {
    "compare": ("compare", *COMPARED, *FEW),
    "compare with a baseline": ("compare", *COMPARED, "--baseline", "rulebased", *FEW),
    "ratings": ("human", "analyse", EXAMPLES / "judgements.tsv", "--trials", "300"),
    "assessment": ("human", "analyse", EXAMPLES / "assessment.csv", "--trials", "300"),
    "rankings": ("human", "analyse", EXAMPLES / "rankings.csv", "--resamples", "100"),
    "study": ("study", "run", EXAMPLES / "study" / "study.toml", "-m", "chrf", *FEW),
    "compare of a study": ("compare", EXAMPLES / "study" / "study.toml", "-m", "chrf", *FEW),
}
FIELDS = {
    "sentence", "systems", "winner", "certainty", "decided_by", "measures", "alpha", "error_rate", "pair", "difference",
    "exceeds_margin", "relevance", "metrics", "reservations",
}  # fmt: skip


def plain(text: str) -> str:
    """A text without the marks of its format."""
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return " ".join(text.replace("\\", "").replace("’", "'").replace("''", "'").split())


@pytest.mark.parametrize("command", COMMANDS)
def test_text_and_json_give_one_verdict(command, run) -> None:
    arguments = (*COMMANDS[command], "--quiet")
    verdict = json.loads(run(*arguments, "-f", "json").out)["verdict"]
    assert set(verdict) >= FIELDS
    assert verdict["winner"] in (None, *verdict["systems"])
    for form in ("text", "markdown", "html"):
        assert plain(verdict["sentence"]) in plain(run(*arguments, "-f", form).out), form


def test_what_a_difference_is_worth_is_said_in_one_word(run) -> None:
    verdict = json.loads(run(*COMMANDS["compare"], "--quiet", "-f", "json").out)["verdict"]
    assert verdict["relevance"]["visibility"] == "clear"
    assert verdict["relevance"]["noticeable"] is verdict["exceeds_margin"] is True


def test_a_margin_in_the_mean_over_sets_decides_what_matters(run) -> None:
    small, large = (
        json.loads(run(*COMMANDS["study"], "--margin", f"chrf={margin}", "--quiet", "-f", "json").out)
        for margin in ("0.5", "90")
    )
    (before, after) = (own["verdict"]["metrics"] or own["verdict"] for own in (small, large))
    assert (before["difference"]["margin"], before["exceeds_margin"]) == (0.5, True)
    assert (after["difference"]["margin"], after["exceeds_margin"]) == (90.0, False)


def test_a_gate_gives_a_verdict_for_every_new_system(run, tmp_path) -> None:
    stored = tmp_path / "stored.json"
    given = ("-r", EXAMPLES / "reference.en", "-m", "chrf")
    run("score", *given, SYSTEMS[0], "--save", stored, "--quiet")
    answer = run("gate", *given, SYSTEMS[1], "--against", stored, "--trials", "300", "-f", "json", "--quiet")
    (verdict,) = json.loads(answer.out)["verdicts"]
    assert answer.code == 3
    assert set(verdict) >= FIELDS
    assert verdict["winner"] == f"neural ({stored})"


@pytest.mark.parametrize(("segments", "few"), [(12, True), (29, True), (30, False)])
def test_too_few_segments_speak_for_no_other_texts(run, tmp_path, segments, few):
    """The verdict named no winner, and the claim below it said "better on texts like these"."""
    files = [tmp_path / name for name in ("reference.en", "neural.en", "rulebased.en")]
    for file in files:
        folder = EXAMPLES if file.name == "reference.en" else EXAMPLES / "systems"
        lines = (folder / file.name).read_text(encoding="utf-8").splitlines()[:segments]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ended = run("compare", "-q", "-f", "json", "-m", "chrf", "-r", *files)
    document = json.loads(ended.out)
    said = [claim for claim in document["claims"] if claim.startswith("neural is better")]
    assert len(said) == 1
    assert (f"on these {segments} segments, too few to speak for other texts" in said[0]) == few
    assert any("texts like these" in claim for claim in document["claims"]) != few
    assert (document["verdict"]["winner"] is None) == few


def shortened(folder: Path, segments: int, *, repeats: int = 1) -> list[Path]:
    """The example's reference and two outputs, cut to so many segments, each of them repeated."""
    files = [folder / name for name in ("reference.en", "neural.en", "rulebased.en")]
    for file in files:
        source = EXAMPLES / "systems" if file.name != "reference.en" else EXAMPLES
        lines = (source / file.name).read_text(encoding="utf-8").splitlines()[:segments] * repeats
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files


@pytest.mark.parametrize("repeats", [1, 10])
def test_of_so_few_segments_no_format_says_whether_a_difference_matters(repeats, run, tmp_path) -> None:
    """The manager's page said "it is not known"; claims, JSON and the gate said that people usually notice it."""
    reference, better, worse = shortened(tmp_path, 12, repeats=repeats)
    compared = run("compare", "-q", "-m", "chrf", "-f", "json", "-r", reference, better, worse)
    document = json.loads(compared.out)
    assert document["verdict"]["relevance"] is document["verdict"]["exceeds_margin"] is None
    claims = " ".join(document["claims"])
    assert " notice " not in claims
    assert "so few segments do not tell how large it is" in claims
    run("score", "-q", "-m", "chrf", "-r", reference, better, "--save", tmp_path / "stored.json")
    against = ("--against", tmp_path / "stored.json", "--system", "neural")
    gated = run("gate", "-q", "-m", "chrf", "-r", reference, worse, *against).out
    assert " notice " not in gated
    assert "so few segments do not tell how large it is" in gated


def test_the_page_of_a_short_test_does_not_call_it_large_enough(run, tmp_path) -> None:
    """Under "12 segments are too few" the page said that the test set is large enough."""
    reference, *systems = shortened(tmp_path, 12)
    page = tmp_path / "page.html"
    run("report", "-q", "-m", "chrf", "-r", reference, *systems, *FEW, "-o", page)
    text = plain(page.read_text(encoding="utf-8"))
    assert "So few segments say little about other texts, whatever p is." in text
    assert "What cannot be told apart may be equal" not in text
    row = text[text.index("large enough to show the difference?") :][:120]
    assert "fail" in row
    assert "12 segments" in row


@pytest.mark.parametrize(("segments", "known"), [(2, False), (5, False), (6, True)])
def test_so_few_segments_give_no_interval_of_a_score(segments, known, run, tmp_path) -> None:
    """Percentiles of 5 segments cannot hold 95 %, and stood behind ± all the same."""
    reference, *systems = shortened(tmp_path, segments)
    given = ("compare", "-q", "-m", "chrf", "-r", reference, *systems, *FEW)
    results = json.loads(run(*given, "-f", "json").out)["results"]
    assert [own["low"] is not None and own["high"] is not None for own in results] == [known, known]
    text = plain(run(*given).out)
    assert bool(re.search(r"\d ± \d", text)) == known
    assert ("± –" in text) == ("with fewer than 6 segments" in text) == (not known)


def test_one_sentence_is_spoken_of_as_one(run, tmp_path) -> None:
    reference, *systems = shortened(tmp_path, 1)
    page = tmp_path / "page.html"
    run("report", "-q", "--audience", "manager", "-r", reference, *systems, *FEW, "-o", page)
    text = plain(page.read_text(encoding="utf-8"))
    assert "these sentences" not in text
    assert "1 sentence, " not in text


def test_a_study_of_few_segments_speaks_for_no_other_texts(run, tmp_path) -> None:
    """Under "24 segments are too few" it said that people usually notice it, and that all holds for other texts."""
    sets = ""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shortened(tmp_path / name, 12)
        sets += f'[[test_set]]\nname = "{name}"\nreferences = ["{name}/reference.en"]\n'
        sets += f'systems = ["{name}/neural.en", "{name}/rulebased.en"]\n'
    study = tmp_path / "study.toml"
    study.write_text(f'name = "short"\nmetrics = ["chrf"]\n{sets}', encoding="utf-8")
    said = plain(run("study", "run", study, "-q", *FEW).out)
    assert "neural is better than rulebased in the mean of 2 test sets" in said
    assert "so few segments do not tell how large the difference is" in said
    assert "All of it holds for these 24 segments, too few to speak for other texts" in said
    assert " notice " not in said


@pytest.mark.parametrize(("segments", "few"), [(12, True), (40, False)])
def test_rankings_of_few_segments_speak_for_no_other_texts(segments, few, run, tmp_path) -> None:
    """The verdict named no winner, and the claim below it said "preferred on texts like these"."""
    rows = [f"p{judge}\tA\tB\t{item}\tA\n" for item in range(segments) for judge in range(6)]
    path = tmp_path / "rankings.tsv"
    path.write_text("judge\tsystem1\tsystem2\tsegment\tpreferred\n" + "".join(rows), encoding="utf-8")
    document = json.loads(run("human", "analyse", path, "-q", "-f", "json", "--resamples", "100").out)
    claims = " ".join(document["groups"][0]["claims"])
    assert (document["verdict"]["winner"] is None) == few
    assert (f"A is preferred to B on these {segments} segments, too few to speak" in claims) == few
    assert ("texts like these" in claims) != few
