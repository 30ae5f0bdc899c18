"""WER beside jiwer and rapidfuzz, and at the edges of a machine word."""

import random
import re

import jiwer
import pytest
from rapidfuzz.distance import Levenshtein

from adjudge.metrics import metric
from conftest import Shared
from helpers.edit_rates import ORACLES, errors
from helpers.scoring import rows_of as rows


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("length", [62, 63, 64, 65, 127, 128, 129, 192, 500])
def test_texts_at_the_edges_of_64_words(name: str, length: int) -> None:
    draw = random.Random(length)
    for size in (1, 63, 64, 65, length):
        hypothesis = draw.choices(range(300), k=length)
        kept = [word for word in hypothesis if draw.random() < 0.8]
        reference = kept[size // 3 : size] + draw.choices(range(300), k=size)
        hyp, ref = [str(w) for w in hypothesis], [str(w) for w in reference]
        for a, b in ((hyp, ref), (ref, hyp)):
            (row,) = rows(name, [" ".join(a)], [" ".join(b)])
            assert errors(name, row) == ORACLES[name](a, b)


@pytest.mark.parametrize(("system", "reference"), [("w1.sys1.en", "w1.ref.en"), ("w3.hyp.en", "w3.ref.en")])
def test_jiwer_and_rapidfuzz(shared: Shared, system: str, reference: str) -> None:
    outputs, refs = shared.lines(system)[:20000], list(shared.lines(reference)[:20000])
    # jiwer splits at spaces only, so other white space (in a few references of w3) is made one.
    refs = [re.sub(r"\s", " ", line) for line in refs]
    ours = rows("wer", outputs, refs)
    score = float(metric("wer").aggregate(ours.sum(0)))
    assert score == pytest.approx(100 * jiwer.wer(refs, list(outputs)), abs=1e-9)
    pairs = zip(outputs, refs, strict=True)
    assert ours[:, 0].tolist() == [Levenshtein.distance(h.split(), r.split()) for h, r in pairs]
