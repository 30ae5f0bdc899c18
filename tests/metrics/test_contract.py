"""Laws that hold for every metric there is; a new file in metrics/ is tested by being there."""

import math
import pickle
import random
import sys
import typing
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import metrics
from adjudge.data import TestSet
from adjudge.errors import MissingExtraError, MissingResourceError, UsageError
from adjudge.metrics.base import Direction, MeanMetric, Metric
from adjudge.metrics.bleu import Bleu
from adjudge.metrics.chrf import Chrf
from helpers import estimators, fakes
from helpers.treebanks import with_trees

SOURCES = (
    "Die Katze sass .",
    "Es regnet heute , oder ?",
    "Nein !",
    "Der Preis : 3,50 Euro .",
    "Hallo Welt",
    "x",
)
REFERENCES = (
    (
        "The cat sat on the mat .",
        "It rains today, doesn't it?",
        "No!",
        "The price: 3.50 euros.",
        "Hello world",
        "x",
    ),
    (
        "A cat was sitting there.",
        "It is raining today.",
        "No !",
        "It costs 3.50 euros.",
        "Hello, world",
        "y x",
    ),
)
OUTPUTS = (
    "The cat sat on the the mat.",
    "Today it rains, not?",
    "",
    "Price the: 3,50 euros .",
    "hello World",
    "x",
)
ONE = TestSet(references=REFERENCES[:1], sources=SOURCES)
TWO = TestSet(references=REFERENCES, sources=SOURCES)


def with_its_data(metric: Metric):
    """The metric as a parameter; its tests are skipped where language data that it needs are not installed."""
    name = str(metric).replace(f"{estimators.model_file().parent}/", "")  # another one in every process
    try:
        metric.signature(ONE)
    except (MissingExtraError, MissingResourceError) as error:
        return pytest.param(metric, id=name, marks=pytest.mark.skip(reason=str(error)))
    return pytest.param(metric, id=name)


MODELS = [fakes.spec(name) for name in ("bertscore", "bleurt", "comet", "meant", "metricx")]
MODELS.append(fakes.spec("comet", options="qe=true"))
COMMAND = f'command(run="{sys.executable} {fakes.HERE / "overlap_program.py"}")'
LEARNED = [f"learned(model={fakes.HERE / name}.json)" for name in ("learned_linear", "learned_trees")]
QE = f"qe(model={estimators.model_file()})"
METRICS = [metrics.metric(name) for name in (*metrics.names(), *MODELS, COMMAND, *LEARNED, QE)]
every_metric = pytest.mark.parametrize("metric", [with_its_data(m) for m in METRICS])
every_lexical = pytest.mark.parametrize(
    "metric", [with_its_data(m) for m in METRICS if m.needs <= {"references", "trees"}]
)


def rows_of(metric: Metric, test_set=TWO, outputs=OUTPUTS, threads=1):
    if "trees" in metric.needs:
        test_set = with_trees(test_set, outputs)
    return metric.stats(metric.prepare(test_set), outputs, threads=threads)


@every_metric
def test_rows_are_finite_and_one_a_segment(metric):
    rows = rows_of(metric)
    assert rows.dtype == np.float64
    assert rows.shape[0] == len(OUTPUTS)
    assert rows.ndim == 2
    assert np.isfinite(rows).all()


@every_metric
def test_rows_are_the_same_on_any_number_of_threads(metric):
    rng = random.Random(1)
    order = [rng.randrange(len(OUTPUTS)) for _ in range(700)]
    test_set, outputs = TWO[order], [OUTPUTS[i] for i in order]
    alone = rows_of(metric, test_set, outputs, threads=1)
    for threads in (2, 5, 0):
        np.testing.assert_array_equal(rows_of(metric, test_set, outputs, threads=threads), alone)


@every_metric
def test_a_row_depends_on_its_own_segment_only(metric):
    rows = rows_of(metric)
    changed = list(OUTPUTS)
    changed[1] = "Something else entirely ."
    np.testing.assert_array_equal(np.delete(rows_of(metric, TWO, changed), 1, 0), np.delete(rows, 1, 0))


@every_metric
def test_a_row_is_the_same_in_any_chunk(metric):
    """What cannot be said of a part of the references, a metric says itself (`undivided`)."""
    rows, parts = rows_of(metric), (slice(0, 2), slice(2, 5), slice(5, 6))
    chunks = [rows_of(metric, TWO[part], OUTPUTS[part]) for part in parts]
    if metric.undivided:
        assert "over all references" in metric.undivided or "language model" in metric.undivided
    else:
        np.testing.assert_array_equal(np.concatenate(chunks), rows)


@pytest.mark.parametrize("name", ["nist", "bertscore(idf=true)", "meant(idf=true)"])
def test_metrics_that_count_over_all_references_say_so(name):
    assert "over all references" in metrics.metric(name).undivided


@every_metric
def test_what_a_metric_needs_it_uses(metric):
    assert metric.needs <= metric.uses


@pytest.mark.parametrize(
    ("spec", "reads"),
    [
        ("command(run=x)", True),
        ("llm(reference=true)", True),
        ("llm", False),
        ("tskm", True),
        ("tskm(pairs=cs+sc)", False),
    ],
)
def test_metrics_that_do_without_references_say_whether_they_use_them(spec, reads):
    metric = metrics.metric(spec)
    assert "references" not in metric.needs
    assert ("references" in metric.uses) == reads


@every_metric
def test_aggregate_broadcasts_over_leading_axes(metric):
    rows = rows_of(metric)
    sums = np.stack([np.stack([rows[:3].sum(0), rows[3:].sum(0)]), np.stack([rows[1], rows.sum(0)])])
    scores = metric.aggregate(sums)
    assert scores.shape == (2, 2)
    for i in range(2):
        for j in range(2):
            np.testing.assert_array_equal(scores[i, j], metric.aggregate(sums[i, j]))


@every_metric
def test_aggregate_leaves_its_argument_alone(metric):
    sums = rows_of(metric).sum(0)
    before = sums.copy()
    metric.aggregate(sums)
    np.testing.assert_array_equal(sums, before)


@every_metric
def test_scores_lie_within_the_declared_scale(metric):
    worst, best = sorted(metric.scale)
    rows = rows_of(metric)
    for variant in (metric, metric.for_segments()):
        scores = np.append(variant.aggregate(rows), variant.aggregate(rows.sum(0)))
        scores = scores[~np.isnan(scores)]
        assert (scores >= worst - 1e-9).all()
        assert (scores <= best + 1e-9).all()


@every_lexical
def test_the_reference_itself_gets_the_best_score(metric):
    perfect = rows_of(metric, ONE, REFERENCES[0])
    score = float(metric.aggregate(perfect.sum(0)))
    if math.isfinite(metric.scale[1]):
        assert score == pytest.approx(metric.scale[1], abs=1e-9)
    ours = float(metric.aggregate(rows_of(metric, ONE).sum(0)))
    if getattr(metric, "neutral", False):
        return
    assert score >= ours if metric.direction is not Direction.LOWER else score <= ours


@every_lexical
def test_empty_texts_on_either_side_have_a_score(metric):
    test_set = TestSet(references=(("", "a b", "   ", "a"),))
    rows = rows_of(metric, test_set, ["", "", "a b", "\u3000"])
    assert np.isfinite(rows).all()
    assert np.isfinite(metric.for_segments().aggregate(rows)).all()
    assert np.isfinite(metric.aggregate(rows.sum(0)))


@every_lexical
def test_repeating_a_reference_changes_nothing(metric):
    doubled = TestSet(references=(REFERENCES[0], REFERENCES[0]))
    once, twice = rows_of(metric, ONE), rows_of(metric, doubled)
    np.testing.assert_array_equal(metric.aggregate(once), metric.aggregate(twice))


@every_lexical
def test_a_missing_reference_is_as_if_it_were_not_there(metric):
    holes = TestSet(references=(REFERENCES[0], (None,) * len(OUTPUTS)), sources=SOURCES)
    np.testing.assert_array_equal(rows_of(metric, holes), rows_of(metric, ONE))
    assert metric.signature(holes) == metric.signature(ONE)
    assert "nrefs:var" in metric.signature(TestSet(references=(REFERENCES[0], ("x",) + (None,) * 5)))


@every_lexical
def test_one_very_long_segment_is_scored(metric):
    rng = random.Random(2)
    words = [rng.choice("abcdefgh") * rng.randint(1, 3) for _ in range(3000)]
    other = words[500:] + words[:400]
    if metric.name == "terp":  # which refuses such: its search would take hours
        words, other = words[:150], other[:120]
    rows = rows_of(metric, TestSet(references=((" ".join(words),),)), [" ".join(other)])
    assert np.isfinite(rows).all()


@every_metric
def test_spec_pickle_and_equality_agree(metric):
    assert metrics.metric(str(metric)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert hash(metrics.metric(str(metric))) == hash(metric)
    assert metric.title
    assert metric.summary
    assert metric.label


def other_values(metric, field, kind):
    """Some legal value of an option that is not the one it has."""
    current = getattr(metric, field)
    if type(None) in typing.get_args(kind):
        kind = next(k for k in typing.get_args(kind) if k is not type(None))
    if typing.get_origin(kind) is typing.Literal:
        candidates = list(typing.get_args(kind))
    elif kind is bool:
        candidates = [not current] if current is not None else [True, False]
    elif field == "tokenize":
        candidates = ["intl", "char"]
    elif kind is str:
        candidates = ["de", "fr"] if field == "language" else []  # others name files
    else:
        candidates = [1, 2, 3] if kind is int else [1.0, 2.0, 0.1, 0.101, 0.1010000001]
    for value in candidates:
        try:
            other = replace(metric, **{field: value})
            other.signature(TWO)
        except UsageError:  # or data for it are not installed
            continue
        if other != metric:
            yield other


@every_metric
def test_every_option_shows_in_the_signature_and_in_the_spec(metric):
    kinds = typing.get_type_hints(type(metric))
    for field in fields(metric):
        if field.name == "precision" and not getattr(metric, "model", "one"):
            continue  # how a model is run says nothing where there is none
        others = list(other_values(metric, field.name, kinds[field.name]))
        same = [other for other in others if other.signature(TWO) == metric.signature(TWO)]
        # An option not given (None, "") may stand for one of its values.
        assert len(same) <= (getattr(metric, field.name) in (None, "")), field.name
        for other in others:
            assert other.spec != metric.spec
            assert metrics.metric(other.spec) == other


@every_metric
def test_options_are_checked_by_name(metric):
    with pytest.raises(UsageError, match="unknown option"):
        metrics.metric(f"{metric.name}(no_such_option=1)")


@given(path=st.text(min_size=1, max_size=12) | st.text(",()=\"\\' |:", min_size=1, max_size=6))
def test_specs_carry_any_file_name(path):
    bleu = Bleu(tokenize=f"spm:{path}", lowercase=True)
    assert metrics.metric(bleu.spec) == bleu
    assert metrics.split(f"chrf,{bleu.spec},{bleu.spec}") == ["chrf", bleu.spec, bleu.spec]


@given(st.floats(0, 1e6))
def test_specs_carry_any_number(beta):
    assert metrics.metric(Chrf(beta=beta).spec) == Chrf(beta=beta)
    assert Chrf(beta=np.float64(beta)).signature(ONE) == Chrf(beta=beta).signature(ONE)
    assert np.isfinite(Chrf(beta=beta).aggregate(rows_of(Chrf(beta=beta)).sum(0)))


@every_metric
def test_no_rows_at_all_sum_up_to_empty_texts(metric):
    nothing = rows_of(metric).sum(0) * 0
    empty = rows_of(metric, TestSet(references=[[""]], sources=[""]), [""])
    score = float(metric.aggregate(nothing))
    if isinstance(metric, MeanMetric):
        assert math.isnan(score)
    else:
        assert score == float(metric.aggregate(empty.sum(0)))


def test_unknown_metrics_are_answered_with_the_nearest():
    with pytest.raises(
        UsageError, match=r"unknown metric 'blue'; did you mean 'bleu'\? \(adjudge score --list\)"
    ):
        metrics.metric("blue")


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "bleu(",
        "bleu)",
        "bleu(lowercase)",
        "bleu(=1)",
        "bleu(max_order=2,max_order=2)",
        "bleu(max_order=2,)",
        'bleu(tokenize="13a)',
        'bleu(tokenize="13a" none)',
        r'bleu(tokenize="\q")',
    ],
)
def test_specs_that_cannot_be_read_are_refused(spec):
    with pytest.raises(UsageError):
        metrics.metric(spec)


# Alignments


@every_lexical
def test_alignments_link_words_that_are_there_once(metric: Metric) -> None:
    if metric.name not in metrics.aligning_metrics():
        with pytest.raises(
            UsageError, match=f"{metric.name} yields no alignment of words; metrics that do: "
        ):
            metric.alignments(metric.prepare(with_trees(TWO, OUTPUTS)), OUTPUTS)
        return
    alignments = metric.alignments(metric.prepare(TWO), OUTPUTS)
    assert len(alignments) == len(OUTPUTS)
    for alignment in alignments:
        for side in ("hypothesis", "reference"):
            words = [n for link in alignment.links for n in range(*getattr(link, side))]
            assert len(words) == len(set(words))
            assert set(words) <= set(range(len(getattr(alignment, side))))
