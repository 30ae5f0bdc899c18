"""Modules of Hugging Face's evaluate: the numbers of sacreBLEU and of adjudge itself, whole and in batches."""

from dataclasses import dataclass

import numpy as np
import pytest
import sacrebleu

import adjudge
from adjudge.metrics.base import MeanMetric

OUTPUTS = ["the cat sat on the mat", "a dog barked loudly at night", "nothing here is right"]
REFERENCES = [
    ["the cat sat on the mat .", "a cat was on the mat"],
    ["a dog barked at night"],
    ["all is right here"],
]


@pytest.fixture
def module(tmp_path):
    from adjudge.compat.evaluate import Adjudge

    return lambda *args, **options: Adjudge(*args, cache_dir=str(tmp_path), **options)


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_scores_are_those_of_sacrebleu(module, name):
    """Also with more references for one segment than for another."""
    columns = [[texts[i] if i < len(texts) else None for texts in REFERENCES] for i in range(2)]
    expected = getattr(sacrebleu, f"corpus_{name}")(OUTPUTS, columns).score
    answer = module(name).compute(predictions=OUTPUTS, references=REFERENCES)
    assert answer["score"] == pytest.approx(expected, abs=1e-9)
    assert answer["signature"].startswith("nrefs:var|")


def test_batches_and_single_texts(module):
    single = [texts[0] for texts in REFERENCES]
    whole = module("chrf").compute(predictions=OUTPUTS, references=single, segments=True)
    batched = module("chrf")
    batched.add_batch(predictions=OUTPUTS[:2], references=single[:2])
    batched.add(prediction=OUTPUTS[2], reference=single[2])
    assert batched.compute(segments=True) == whole
    test_set = adjudge.TestSet(references=[single])
    own = adjudge.score(test_set, [adjudge.Outputs("x", OUTPUTS)], ["chrf"], segments=True).results[0]
    assert whole["score"] == own.score
    assert whole["segments"] == list(own.segments)


def test_options_are_those_of_the_spec(module):
    answer = module("bleu(lowercase=true)").compute(predictions=["The Cat"], references=["the cat"])
    assert "case:lc" in answer["signature"]
    with pytest.raises(adjudge.AdjudgeError, match="unknown metric 'blue'"):
        module("blue")


@dataclass(frozen=True)
class Copied(MeanMetric):
    """A metric that reads sources and no references: what share of outputs is the source itself."""

    name = "copied"
    needs = frozenset({"sources"})

    def segments(self, prepared, outputs, *, threads=0):
        return np.array([100.0 * (a == b) for a, b in zip(outputs, prepared.sources, strict=True)])


def test_metrics_that_read_sources(module):
    answer = module(Copied()).compute(predictions=["a", "b"], sources=["a", "c"], segments=True)
    assert answer["score"] == 50.0
    assert answer["segments"] == [100.0, 0.0]
