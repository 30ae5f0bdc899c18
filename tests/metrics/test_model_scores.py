"""COMET, BLEURT and MetricX: what they are shown, what is kept, named and refused, with a model that is none."""

import pytest

import adjudge
from adjudge import metrics, workspace
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Span
from adjudge.errors import MissingResourceError, UsageError
from helpers import fakes

SET = TestSet(references=(("a b c", "d"), ("a", None)), sources=("x a", "y"))
SYSTEM = Outputs("one", ("a b", "y"))


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=60)) as used:
        yield used


def segments(spec, test_set=SET, output=SYSTEM):
    return adjudge.score(test_set, output, spec, segments=True).results[0].segments


@pytest.mark.parametrize(
    ("name", "options", "shown"),
    [
        ("comet", "", {"output", "reference", "source"}),
        ("comet", "qe=true", {"output", "source"}),
        ("bleurt", "", {"output", "reference"}),
        ("metricx", "", {"output", "reference", "source"}),
        ("metricx", "qe=true", {"output", "source"}),
        ("metricx", "edition=23", {"output", "reference"}),
        ("metricx", "edition=23,qe=true", {"output", "source"}),
    ],
)
def test_models_are_shown_what_they_read(tmp_path, name, options, shown):
    folder = fakes.model(tmp_path / "m", log=True)
    spec = fakes.spec(name, folder, options)
    first = segments(spec)
    assert all(set(row) == shown for row in fakes.asked(folder))
    assert len(fakes.asked(folder)) == (2 if "qe" in options else 3)
    assert segments(spec) == first
    assert len(fakes.asked(folder)) == (2 if "qe" in options else 3), "scores are kept"
    nrefs = metrics.metric(spec).signature(SET).startswith("nrefs:")
    assert nrefs == ("reference" in shown)


def test_the_best_reference_counts():
    assert segments(fakes.spec("comet")) == pytest.approx(
        (0.8, 0)
    )  # 2·2/5 with the first, 2·1/3 with the second
    assert segments(fakes.spec("metricx")) == pytest.approx((2 / 3, 0))  # lower is better
    assert segments(fakes.spec("comet", options="qe=true")) == pytest.approx((0.5, 1))


def test_what_a_model_needs_must_be_there():
    bare = TestSet(references=(("a",),))
    with pytest.raises(UsageError, match="source"):
        adjudge.score(bare, Outputs("x", ("a",)), fakes.spec("comet"))
    with pytest.raises(UsageError, match="reference"):
        adjudge.score(TestSet(sources=("a",)), Outputs("x", ("a",)), fakes.spec("bleurt"))
    assert segments(
        fakes.spec("comet", options="qe=true"), TestSet(sources=("a",)), Outputs("x", ("a",))
    ) == (1,)


def test_a_model_is_what_it_is_taken_for(tmp_path):
    never = fakes.model(tmp_path / "kiwi", references="never")
    with pytest.raises(UsageError, match=r"reads no references; say so with comet\(qe=true"):
        segments(fakes.spec("comet", never))
    assert segments(fakes.spec("comet", never, "qe=true")) == pytest.approx((0.5, 1))
    must = fakes.model(tmp_path / "comet", references="must")
    with pytest.raises(UsageError, match="cannot do without references"):
        segments(fakes.spec("comet", must, "qe=true"))


@pytest.mark.parametrize("name", ["comet", "bleurt", "metricx"])
def test_segments_that_are_too_long_are_named(name):
    long = TestSet(references=(("a", "b " * 30),), sources=("x", "y"))
    for _ in range(2):
        (warning,) = adjudge.score(long, Outputs("one", ("a", "b")), fakes.spec(name)).warnings
        assert warning == (
            f"{name}: segments of one longer than the 24 tokens that fake_model takes, scored by the beginning: 1, at "
            "segment (tokens) 2 (31)"
        )


def test_errors_that_a_model_marks_are_spans(tmp_path):
    metric = metrics.metric(fakes.spec("comet", fakes.model(tmp_path / "xcomet", spans=True)))
    spans = metric.spans(metric.prepare(SET), ["abc d", ""])
    assert spans == [(Span(0, 3, "major", comment="confidence 0.750"),), ()]
    plain = metrics.metric(fakes.spec("comet"))
    with pytest.raises(UsageError, match="marks no errors"):
        plain.spans(plain.prepare(SET), SYSTEM.segments)


@pytest.mark.parametrize("name", ["comet", "bleurt", "metricx"])
def test_without_a_model(name):
    with pytest.raises(MissingResourceError, match=rf"{name} needs a model, .*--allow-download"):
        metrics.metric(name).signature(SET)


def test_another_model_has_other_scores(tmp_path):
    folder = fakes.model(tmp_path / "m", log=True)
    for options in ("", "precision=float16", "qe=true"):
        segments(fakes.spec("comet", folder, options))
    assert len(fakes.asked(folder)) == 8
