"""`adjudge human spans`: errors of judges against those of people."""

import json

import pytest


@pytest.fixture
def judges(examples):
    return examples / "judges"


def spans(run, judges, *names, options=()):
    files = [judges / f"{name}.jsonl" for name in names]
    people = judges / "people.jsonl"
    unit = () if "--unit" in options else ("--unit", "item")
    return run("human", "spans", "--gold-judgements", people, "--trials", "199", *unit, *options, *files)


def test_judges_are_compared(run, judges):
    ended = spans(run, judges, "careful", "hasty")
    assert ended.code == 0
    assert "careful is better than hasty on texts like these (span F1" in ended.out
    assert "judgements of 192 left out" in ended.err
    document = json.loads(spans(run, judges, "careful", "hasty", options=("-f", "json")).out)
    assert {result["metric"] for result in document["results"]} == {
        "span F1",
        "span precision",
        "span recall",
    }
    assert len(document["inputs"]) == 3
    assert document["test"]["unit"] == "item"


def test_a_single_judge_has_intervals_and_no_test(run, judges):
    document = json.loads(spans(run, judges, "careful", options=("-f", "json", "--unit", "segment")).out)
    assert document["pairs"] == []
    assert all(result["low"] < result["score"] < result["high"] for result in document["results"])


def test_less_credit_is_less(run, judges):
    scores = [
        json.loads(spans(run, judges, "careful", options=("-f", "json", "--credit", credit)).out)["results"][
            0
        ]["score"]
        for credit in (0, 0.5, 1)
    ]
    assert scores == sorted(scores)
    assert scores[0] < scores[2]


def test_what_cannot_be_done(run, judges, tmp_path, examples):
    assert "no judge to hold against the gold" in spans(run, judges).err
    ended = spans(run, judges, "careful", options=(f"careful={judges}/hasty.jsonl",))
    assert ended.code == 2
    assert "two judges are called 'careful'" in ended.err
    ended = run("human", "spans", "--gold-judgements", judges / "people.jsonl", examples / "judgements.tsv")
    assert ended.code == 1
    assert "judgements.tsv, line 2: no errors are marked in these judgements" in ended.err
    other = tmp_path / "other.jsonl"
    other.write_text((judges / "careful.jsonl").read_text().replace('"system": "', '"system": "x-'))
    ended = run("human", "spans", "--gold-judgements", judges / "people.jsonl", other)
    assert ended.code == 1
    assert "other judged none of the gold's translations" in ended.err
