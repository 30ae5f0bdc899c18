"""BERTScore by its definition on a model that is none, and what it says of long, empty and missing texts."""

import math
import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge import metrics, workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, MissingResourceError, UsageError
from helpers import fakes
from helpers.fake_worker import vector

LINE = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "dog"]), max_size=6).map(" ".join)


def twin(output: str, reference: str, weight) -> tuple[float, float, float]:
    """F, precision and recall, token by token."""
    sides = [["[CLS]", *text.split(), "[SEP]"] for text in (output, reference)]
    if not all(len(side) > 2 for side in sides):
        return 0.0, 0.0, 0.0

    def cosine(a, b):
        a, b = np.array(vector(a)), np.array(vector(b))
        return max(0.0, float(a @ b / np.sqrt((a @ a) * (b @ b))))

    shares = []
    for own, other in (sides, sides[::-1]):
        weights = [weight(token) for token in own]
        if not sum(weights):
            return 0.0, 0.0, 0.0
        best = [max(cosine(token, o) for o in other) for token in own]
        shares.append(sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights))
    both = sum(shares)
    return (2 * shares[0] * shares[1] / both if both else 0.0), *shares


def scores(options: str, test_set: TestSet, outputs) -> list[float]:
    metric = metrics.metric(fakes.spec("bertscore", options=options))
    return (metric.stats(metric.prepare(test_set), outputs)[:, 0] / 100).tolist()


@settings(max_examples=25)
@given(st.lists(st.tuples(LINE, LINE, LINE), min_size=1, max_size=4))
def test_the_definition(lines):
    outputs, first, second = zip(*lines, strict=True)
    test_set = TestSet(references=(first, second))
    references = [*first, *second]
    counts = Counter(t for text in references for t in {"[CLS]", *text.split(), "[SEP]"})

    def idf(token):
        return math.log((len(references) + 1) / (counts[token] + 1))

    def flat(token):
        return float(token not in ("[CLS]", "[SEP]"))

    for name, weight in (("false", flat), ("true", idf)):
        for column, measure in enumerate(("f", "precision", "recall")):
            expected = [
                max(twin(output, reference, weight)[column] for reference in pair) for output, *pair in lines
            ]
            ours = scores(f"measure={measure},idf={name}", test_set, outputs)
            assert ours == pytest.approx(expected, abs=1e-6)


def test_empty_texts_score_nothing():
    test_set = TestSet(references=(("", "a b", "", " "),))
    assert scores("", test_set, ["", "", "a b", "\u3000"]) == [0, 0, 0, 0]


def test_a_baseline_rescales(tmp_path):
    file = tmp_path / "en.tsv"
    file.write_text("LAYER,P,R,F\n5,0,0,0\n6,0.2,0.4,0.5\n")
    test_set = TestSet(references=(("the cat", "a mat"),))
    for measure, base in (("precision", 0.2), ("recall", 0.4), ("f", 0.5)):
        plain = scores(f"measure={measure}", test_set, ["the dog", ""])
        rescaled = scores(f"measure={measure},baseline={file}", test_set, ["the dog", ""])
        assert rescaled == pytest.approx([(value - base) / (1 - base) for value in plain])
    signature = metrics.metric(fakes.spec("bertscore", options=f"baseline={file}")).signature(test_set)
    assert "|baseline:no|" not in signature
    for text, message in (
        ("LAYER,P,R,F\n5,0,0,0\n", "no line for layer 6"),
        ("LAYER,P,R,F\n6,0,x,0\n", "line 2"),
    ):
        file.write_text(text)
        with pytest.raises(DataError, match=message):
            scores(f"baseline={file}", test_set, ["the dog", ""])


def test_texts_that_are_too_long_are_counted_and_named(tmp_path):
    test_set = TestSet(references=(("a", "b " * 40, "c"), ("a", None, "c " * 23)))
    systems = [Outputs("x", ("a", "b", "c " * 30)), Outputs("y", ("a", "b", "c"))]
    spec = fakes.spec("bertscore")
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore())):
        for _ in range(2):  # the second time from what was kept
            warnings = adjudge.score(test_set, systems, spec).warnings
            assert warnings == (
                "bertscore: references longer than the 24 tokens that fake_model takes, scored by the beginning: 1, at "
                "segment (tokens) 2 (42)",
                "bertscore: references longer than the 24 tokens that fake_model takes, scored by the beginning: 1, at "
                "segment (tokens) 3 (25)",
                "bertscore: outputs of x longer than the 24 tokens that fake_model takes, scored by the beginning: 1, "
                "at segment (tokens) 3 (32)",
            )
    many = TestSet(references=(("b " * 40,) * 12,))
    (warning,) = adjudge.score(many, Outputs("x", ("a",) * 12), spec).warnings
    assert warning.endswith(
        ": 12, at segment (tokens) 1 (42), " + ", ".join(f"{n} (42)" for n in range(2, 11)) + " and 2 more"
    )


def test_references_are_encoded_once_for_all_systems(tmp_path):
    folder = fakes.model(tmp_path / "m", log=True)
    test_set = TestSet(references=(("a", "b", "a"),))
    systems = [Outputs("x", ("c", "b", "a")), Outputs("y", ("c", "d", "a"))]
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore())):
        adjudge.score(test_set, systems, fakes.spec("bertscore", folder))
        adjudge.compare(test_set, systems, [fakes.spec("bertscore", folder)])
    assert fakes.asked(folder) == ["a", "b", "c", "d"]


def test_layers_of_known_models_are_those_of_bert_score():
    assert metrics.metric("bertscore(model=roberta-large)").encoder.layer == 17
    assert metrics.metric("bertscore(model=roberta-large,layer=3)").encoder.layer == 3
    assert metrics.metric("bertscore(model=./roberta-large)").encoder.layer is None


def test_what_cannot_be_asked():
    with pytest.raises(MissingResourceError, match=r"bertscore needs a model.*bertscore\(model=FOLDER\)"):
        metrics.metric("bertscore").signature(TestSet(references=(("a",),)))
    for options in ("layer=0", "measure=f2", "precision=int8"):
        with pytest.raises(UsageError):
            metrics.metric(f"bertscore(model=x,{options})")


def test_the_signature_names_the_model():
    signature = metrics.metric(fakes.spec("bertscore")).signature(TestSet(references=(("a",),)))
    assert "|layer:last|" in signature
    assert "|model:fake_model|hash:" in signature
    assert "|by:fake-1|" in signature
    assert zlib.crc32(b"") == 0  # the fake's vectors are those of this test
