"""A language model as judge: its answers as scores, and what is missing is missing."""

import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge import metrics, workspace
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Span
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.metrics.llm import Llm
from helpers.models import serving

SOURCES = ("Die Katze sass.", "Es regnet.", "Nein!", "Hallo Welt")
REFERENCES = (("The cat sat.", "It is raining.", "No!", "Hello world"),)
OUTPUTS = ("The cat sat.", "It rain.", "", "Hi 3 worlds {source}")
TEST_SET = TestSet(references=REFERENCES, sources=SOURCES, language="de-en")


def shown(question):
    """The output that a question is about."""
    return question.rpartition("assess:\n<<<")[2].rpartition(">>>")[0]


def length_score(question, _=0):
    """A judge of no wits: the number of letters."""
    return str(len(shown(question)))


def errors(question, _=0):
    """Marks every `rain` as major, and what is empty as no translation."""
    output = shown(question)
    result = [{"quote": "rain", "severity": "major", "category": "fluency/grammar"}] * output.count("rain")
    if not output:
        result.append({"quote": "", "severity": "major", "category": "non-translation"})
    return json.dumps({"errors": result, "score": 90 - 10 * len(result)})


@pytest.fixture(scope="module")
def model():
    with serving(length_score) as served:
        yield served


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=5)) as used:
        yield used


@pytest.fixture
def llm(model):
    model.answer = length_score
    model.questions.clear()
    return Llm(model="judge-1", url=model.url)


def rows_of(metric, test_set=TEST_SET, outputs=OUTPUTS, threads=1):
    metric = metric.for_test_set(test_set)
    return metric.stats(metric.prepare(test_set), outputs, threads=threads)


# Laws that the contract of metrics asks for, with a service at hand


def test_rows_are_scores_and_weights(llm):
    rows = rows_of(llm)
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, [[12, 1], [8, 1], [0, 1], [20, 1]])
    assert float(llm.aggregate(rows.sum(0))) == 10
    assert llm.aggregate(np.stack([rows[:2].sum(0), rows.sum(0)])).shape == (2,)
    assert math.isnan(llm.aggregate(rows.sum(0) * 0))


def test_rows_are_the_same_on_any_number_of_threads_and_depend_on_their_own_segment_only(llm):
    rows = rows_of(llm)
    for threads in (0, 2, 5):
        np.testing.assert_array_equal(rows_of(llm, threads=threads), rows)
    changed = (OUTPUTS[0], "Something else", *OUTPUTS[2:])
    np.testing.assert_array_equal(np.delete(rows_of(llm, outputs=changed), 1, 0), np.delete(rows, 1, 0))


def test_spec_pickle_and_signature(llm):
    llm = replace(
        llm, protocol="mqm", reference=True, language="en-de", temperature=None, seed=7, max_tokens=None
    )
    assert metrics.metric(llm.spec) == llm
    assert pickle.loads(pickle.dumps(llm)) == llm
    place = llm.url.removeprefix("http://").removesuffix("/v1")
    assert llm.signature(TEST_SET) == (
        f"model:judge-1|at:{place}|protocol:mqm|prompt:mqm.v1|ref:yes|lang:en-de|temp:none|seed:7|max:none|"
        f"version:adjudge-{adjudge.__version__}"
    )


def test_every_option_shows_in_the_signature(llm, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("Rate {output}")
    for change in (
        {"model": "m"},
        {"url": "https://x/v1"},
        {"protocol": "esa"},
        {"prompt": str(file)},
        {"reference": True},
        {"language": "de"},
        {"temperature": 0.125},
        {"seed": 1},
        {"max_tokens": 5},
    ):
        other = replace(llm, **change)
        assert other.signature(TEST_SET) != llm.signature(TEST_SET)
        assert metrics.metric(other.spec) == other


# What is asked


def test_what_the_model_is_shown(llm, model):
    rows_of(replace(llm, seed=3))
    question = next(q for q in model.questions if "Es regnet." in q)
    assert "a text in German and a translation of it into English" in question
    assert "Source:\n<<<Es regnet.>>>" in question
    assert "It is raining." not in question
    body = next(b for b in reversed(model.bodies) if b["messages"][0]["content"] == question)
    assert {**body, "messages": 0} == {
        "model": "judge-1", "messages": 0, "temperature": 0.0, "seed": 3, "max_tokens": 1024,
    }  # fmt: skip
    rows_of(replace(llm, reference=True))
    assert any("person:\n<<<It is raining.>>>" in q for q in model.questions)


def test_the_first_reference_that_is_there_is_shown(llm, model):
    test_set = TestSet(references=(("a", None), (None, "b")), sources=("x", "y"))
    rows_of(replace(llm, reference=True), test_set, ("o", "p"))
    assert sorted("person:\n<<<" + r + ">>>" in q for q in model.questions for r in "ab") == [0, 0, 1, 1]


def test_what_cannot_be_asked_is_refused(llm, tmp_path):
    with pytest.raises(MissingResourceError, match=r"llm\(model=NAME,url=http"):
        Llm().signature(TEST_SET)
    with pytest.raises(UsageError, match=r"needs the source \(-s\)"):
        adjudge.score(TestSet(references=REFERENCES), Outputs("x", OUTPUTS), llm)
    with pytest.raises(UsageError, match=r"reference=true\) needs a reference"):
        rows_of(replace(llm, reference=True), TestSet(sources=SOURCES))
    file = tmp_path / "mine.txt"
    file.write_text("Rate {output}")
    with pytest.raises(UsageError, match=r"no field \{reference\}"):
        rows_of(replace(llm, reference=True, prompt=str(file)))
    with pytest.raises(UsageError, match="adjudge judge asks"):
        rows_of(replace(llm, protocol="pairwise"))
    with pytest.raises(UsageError, match="marks no errors: protocol=esa"):
        llm.marks(TEST_SET, OUTPUTS)
    for options in ("temperature=3", "seed=-1", "max_tokens=0", "url=x", "protocol=da"):
        with pytest.raises(UsageError):
            metrics.metric(f"llm(model=m,{options})")


# What is answered


def test_errors_are_weighed_as_those_of_people(model, llm):
    model.answer = errors
    mqm = replace(llm, protocol="mqm")
    scores = mqm.for_segments().aggregate(rows_of(mqm))
    np.testing.assert_array_equal(scores, [0, -5, -25, 0])
    assert math.copysign(1, scores[0]) == 1
    esa = replace(llm, protocol="esa")
    np.testing.assert_array_equal(esa.aggregate(rows_of(esa)), [90, 80, 80, 90])
    assert mqm.spans(mqm.prepare(TEST_SET), OUTPUTS)[1] == (Span(3, 7, "major", "fluency/grammar"),)
    assert "llm" in metrics.marking_metrics()


def test_answers_that_cannot_be_read_are_missing_counted_and_named_each_time(model, llm, own_workspace):
    model.answer = lambda question, _: (
        "bad" if "regnet" in question else "150" if "Nein" in question else "50"
    )
    for _ in range(2):
        own_workspace.notes.clear()
        scores = adjudge.score(TEST_SET, Outputs("x", OUTPUTS), llm, segments=True)
        np.testing.assert_array_equal(scores.results[0].segments, [50, math.nan, math.nan, 50])
        assert scores.results[0].score == 50
        (note,) = scores.warnings[1:]
        assert note == (
            f"{scores.results[0].label}: 2 answers of 4 (50 %) could not be read and are missing, not 0: there is no "
            "number in it (segment 2); 150 does not lie between 0 and 100 (segment 3)"
        )
    assert len(model.questions) == 4


def test_words_that_are_not_in_the_output_are_told(model, llm, own_workspace):
    model.answer = lambda *_: '{"errors": [{"quote": "dog", "severity": "major"}]}'
    mqm = replace(llm, protocol="mqm")
    assert rows_of(mqm)[:, 0].tolist() == [-5] * 4
    assert "4 errors quote words that do not stand in the output" in own_workspace.notes[0]


def test_where_nothing_is_answered_there_is_no_score(model, llm):
    model.answer = lambda *_: (400, '{"error": "context length exceeded"}')
    with pytest.raises(DataError, match=r"no answer to any question; .*400: context length exceeded"):
        rows_of(llm)


def test_who_answered_is_told_where_it_is_another(model, llm, own_workspace):
    judge = replace(llm, model="judge", language="de-en")
    rows_of(judge)
    assert own_workspace.notes == [f"{judge.label}: the service says that judge-1 answered"]
    rows_of(llm)
    assert len(own_workspace.notes) == 1


def test_missing_answers_do_not_stop_a_comparison(model, llm):
    model.answer = lambda question, _: "?" if "Hallo" in question else length_score(question)
    comparison = adjudge.compare(
        TEST_SET, [Outputs("a", OUTPUTS), Outputs("b", OUTPUTS[::-1])], llm, trials=100, resamples=100
    )
    assert {r.system: r.score for r in comparison.results} == {"a": 20 / 3, "b": 28 / 3}
    assert sum("could not be read" in warning for warning in comparison.warnings) == 1


def test_choices_between_two(model, llm):
    pairwise = replace(llm, protocol="pairwise")

    def longer(question, _):
        a, b = (question.partition(f"Translation {x}:\n<<<")[2].partition(">>>")[0] for x in "AB")
        return "A" if len(a) > len(b) else "B" if len(b) > len(a) else "T"

    model.answer = longer
    prepared = pairwise.prepare(TEST_SET)
    assert pairwise.choices(prepared, ("aaa", "", "x", "y"), ("bb", "b", "z", "y")) == [1, -1, 0, 0]


def test_a_dry_run_scores_nothing(llm, model):
    store = workspace.MemoryStore()
    with workspace.use(workspace.Workspace(store=store, dry_run=True)) as used:
        with pytest.raises(workspace.DryRun):
            adjudge.score(TEST_SET, Outputs("x", OUTPUTS), [llm, "bleu"])
        with pytest.raises(workspace.DryRun):
            adjudge.compare(TEST_SET, [Outputs("x", OUTPUTS), Outputs("y", OUTPUTS)], llm)
    assert used.usage.requests == 4
    assert not model.questions
