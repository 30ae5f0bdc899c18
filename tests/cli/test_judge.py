"""`adjudge judge` and `adjudge judge-card`."""

import json

import pytest

from helpers.models import serving


@pytest.fixture
def judges(examples):
    return examples / "judges"


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))
    with serving(lambda question, _: str(len(question) % 101)) as served:
        yield served


def test_a_model_judges_and_its_card_is_made(run, examples, model, tmp_path):
    out = tmp_path / "llm.jsonl"
    spec = f"llm(model=judge-1,url={model.url})"
    systems = [examples / "systems/neural.en", examples / "systems/shortened.en"]
    lines = {
        path: "".join(path.read_text().splitlines(True)[:6]) for path in [*systems, examples / "source.pt"]
    }
    small = [tmp_path / path.name for path in lines]
    for path, text in zip(small, lines.values(), strict=True):
        path.write_text(text)
    arguments = ["judge", "-s", small[2], "-m", spec, "--runs", "2", "-o", out, *small[:2]]
    assert run(*arguments, "--dry-run").out.startswith("dry run: 20 requests would be made")
    ended = run(*arguments)
    assert ended.code == 0, ended.err
    assert f"24 judgements in {out} (jsonl)" in ended.err
    assert out.stat().st_mode & 0o777 == 0o600  # answers that were paid for
    assert len(model.questions) == 20  # two segments are the same in both outputs
    assert run(*arguments).code == 0
    assert len(model.questions) == 20
    pairs = tmp_path / "pairs.jsonl"
    model.answer = lambda *_: "A"
    spec = f"llm(model=judge-1,url={model.url},protocol=pairwise)"
    assert run("judge", "-s", small[2], "-m", spec, "-o", pairs, *small[:2]).code == 0
    ended = run("judge-card", out, pairs, "-f", "json")
    assert ended.code == 0, ended.err
    card = json.loads(ended.out)
    assert (card["judge"], card["runs"], card["translations"]) == ("judge-1", 2, 12)
    assert card["position"]["favour"]["value"] == 1
    assert card["repeatability"]["same"]["value"] == 1
    assert run("human", "analyse", out, "--resamples", "20", "-q").code == 0


def test_a_card_in_every_format(run, judges):
    files = [judges / f"{name}.jsonl" for name in ("hasty", "hasty-again", "pairs")]
    arguments = ["judge-card", *files, "--people", judges / "people.jsonl"]
    ended = run(*arguments)
    assert ended.code == 0
    for point in ("answers are missing", "Asked again", "shown first", "long translations", "Beside people"):
        assert point in " ".join(ended.out.split())
    card = json.loads(run(*arguments, "-f", "json").out)
    assert card["position"]["favour"]["p"] < 0.001
    assert card["people_themselves"] > 0.5
    assert len(card["inputs"]) == 4
    assert "| missing answers, % |" in run(*arguments, "-f", "markdown").out
    page = run(*arguments, "-f", "html").out
    assert page.startswith("<!doctype html>")
    assert "Judge card: hasty" in page


def test_a_person_is_a_judge_like_any_other(run, judges):
    ended = run("judge-card", judges / "people.jsonl")
    assert (ended.code, "say of whom the card is (--judge NAME)" in ended.err) == (2, True)
    ended = run(
        "judge-card",
        judges / "people.jsonl",
        "--judge",
        "ann",
        "--people",
        judges / "people.jsonl",
        "-f",
        "json",
    )
    card = json.loads(ended.out)
    assert card["judge"] == "ann"
    assert 0.3 < card["people"]["pearson"]["value"] < 1  # with bob, not with herself


def test_scores_in_a_table_and_texts_in_files(run, examples, tmp_path, judges):
    rows = [json.loads(line) for line in (judges / "careful.jsonl").read_text().splitlines()]
    table = tmp_path / "metric.tsv"
    table.write_text(
        "system\tsegment\tscore\n" + "".join(f"{r['system']}\t{r['item']}\t{r['score']}\n" for r in rows)
    )
    texts = [f"--system-output={name}={examples}/systems/{name}.en" for name in ("neural", "shortened")]
    card = json.loads(run("judge-card", table, *texts, "-f", "json").out)
    assert card["length"]["given_people"] is False
    assert card["judge"] == "the judge"


def test_what_cannot_be_done(run, judges):
    assert "no judgements of a judge" in run("judge-card").err
    ended = run("judge-card", judges / "careful.jsonl", "--people", judges / "pairs.jsonl")
    assert (ended.code, "these are rankings" in ended.err) == (2, True)
    ended = run("judge-card", judges / "careful.jsonl", "--unit", "page")
    assert (ended.code, "item or document" in ended.err) == (2, True)
    assert run("judge-card", judges / "none.jsonl").code == 1
