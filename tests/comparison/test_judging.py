"""A metric or a model as an annotator: its judgements as those of people."""

import json
import math

import numpy as np
import pytest

from adjudge import workspace
from adjudge.comparison.judging import judge
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Span
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import read, write
from adjudge.metrics.llm import Llm
from helpers.models import serving

SET = TestSet(sources=("eins", "zwei"), references=(("one", "two"),), labels={"document": ("d", "e")})
OUTPUTS = [Outputs("A", ("one", "too")), Outputs("B", ("won", "two two"))]


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=5)) as used:
        yield used


@pytest.fixture
def model():
    with serving(lambda *_: "50") as served:
        yield served


def llm(model, **options):
    return Llm(model="judge-1", url=model.url, **options)


def test_scores_of_any_metric():
    answers = judge(SET, OUTPUTS, "chrf", name="c")
    assert answers.judgements.protocol == "da"
    assert answers.judgements.system.values() == ["A", "A", "B", "B"]
    assert answers.judgements.item.values() == ["1", "2", "1", "2"]
    assert answers.judgements.annotator.names == ("c",)
    assert answers.judgements.labels["document"].values() == ["d", "e", "d", "e"]
    assert answers.judgements.score[0] == pytest.approx(100)
    assert answers.texts.target == ("one", "too", "won", "two two")
    assert judge(SET, OUTPUTS, "ter").judgements.higher_is_better is False


def test_errors_come_with_their_places_and_back_from_a_file(model, tmp_path):
    model.answer = lambda question, _: json.dumps(
        {"errors": [{"quote": "two", "severity": "major"}] if "two two" in question else [], "score": 70}
    )
    for protocol, scores in (("mqm", [0, 0, 0, -5]), ("esa", [70] * 4)):
        answers = judge(SET, OUTPUTS, llm(model, protocol=protocol))
        np.testing.assert_array_equal(answers.judgements.score, scores)
        assert answers.judgements.spans == ((), (), (), (Span(0, 3, "major"),))
        assert answers.judgements.protocol == protocol
        path = tmp_path / f"{protocol}.jsonl"
        write(answers.judgements, answers.texts, path=path)
        again = read(path).judgements
        assert again.spans == answers.judgements.spans
        np.testing.assert_array_equal(again.score, answers.judgements.score)


def test_missing_answers_are_left_out_and_said(model):
    model.answer = lambda question, _: "?" if "won" in question else "50"
    answers = judge(SET, OUTPUTS, llm(model))
    assert (len(answers.judgements), answers.asked) == (3, 4)
    assert "1 answer of 2 (50 %) could not be read" in answers.notes[0]
    model.answer = lambda *_: "?"
    with pytest.raises(DataError, match="nothing that it said"):
        judge(SET, OUTPUTS, llm(model, seed=5))


def test_runs_ask_again(model):
    model.answer = lambda _, number: str(number)
    answers = judge(SET, OUTPUTS[:1], llm(model), runs=3)
    assert len(model.questions) == 6
    assert sorted({body["seed"] for body in model.bodies}) == [0, 1, 2]
    assert answers.judgements.labels["run"].values() == ["1", "1", "2", "2", "3", "3"]
    with pytest.raises(UsageError, match="chrf says the same in every run"):
        judge(SET, OUTPUTS, "chrf", runs=2)


def test_two_systems_are_shown_in_both_orders(model):
    model.answer = lambda *_: "A"  # what stands first
    judgements = judge(SET, OUTPUTS, llm(model, protocol="pairwise")).judgements
    assert judgements.is_ranking
    assert list(
        zip(judgements.system.values(), judgements.other.values(), judgements.score, strict=True)
    ) == [
        ("A", "B", 1.0),
        ("A", "B", 1.0),
        ("B", "A", 1.0),
        ("B", "A", 1.0),
    ]
    with pytest.raises(UsageError, match="needs two systems"):
        judge(SET, OUTPUTS[:1], llm(model, protocol="pairwise"))


def test_one_of_two_choices_may_be_missing(model):
    model.answer = lambda question, _: "hm" if "A:\n<<<won" in question else "B"
    answers = judge(SET, OUTPUTS, llm(model, protocol="pairwise"))
    assert (len(answers.judgements), answers.asked) == (3, 4)
    assert len(answers.judgements.other) == 3
    assert not any(map(math.isnan, answers.judgements.score))
