"""chrF and chrF++ against sacreBLEU (live and golden) and their own definition."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.chrf import Chrf
from helpers.texts import columns, corpora, segments
from oracles.ngrams import chrf_row


@given(
    hypothesis=segments,
    reference=segments,
    char_order=st.integers(0, 8),
    word_order=st.integers(1, 3),
    whitespace=st.booleans(),
)
def test_rows_are_those_of_the_definition(hypothesis, reference, char_order, word_order, whitespace):
    chrf = Chrf(char_order=char_order, word_order=word_order, whitespace=whitespace)
    rows = chrf.stats(chrf.prepare(TestSet(references=((reference,),))), [hypothesis])
    assert list(rows[0]) == chrf_row(hypothesis, reference, char_order, word_order, whitespace)


def test_a_long_line_with_many_different_characters_is_counted_right():
    # More characters than the directly addressed table of the kernel takes.
    hypothesis = "".join(chr(0x4E00 + (i * 7919) % 9000) for i in range(4000)) * 2
    reference = hypothesis[1000:5000] + hypothesis[:1500]
    rows = Chrf().stats(Chrf().prepare(TestSet(references=((reference,),))), [hypothesis])
    assert list(rows[0]) == chrf_row(hypothesis, reference, 6, 0, False)


@settings(max_examples=100)
@given(
    corpus=corpora,
    char_order=st.integers(1, 7),
    word_order=st.integers(0, 3),
    beta=st.integers(0, 4),
    lowercase=st.booleans(),
    whitespace=st.booleans(),
    eps_smoothing=st.booleans(),
)
def test_equals_sacrebleu_for_every_option(corpus, **options):
    hypotheses, references = columns(corpus)
    theirs = sacrebleu.CHRF(**options)
    ours = Chrf(**options)
    test_set = TestSet(references=tuple(map(tuple, references)))
    rows = ours.stats(ours.prepare(test_set), hypotheses)
    assert ours.aggregate(rows.sum(0)) == pytest.approx(
        theirs.corpus_score(hypotheses, references).score, abs=1e-9
    )
    for i, row in enumerate(rows):
        expected = theirs.sentence_score(hypotheses[i], [r[i] for r in references]).score
        assert ours.aggregate(row) == pytest.approx(expected, abs=1e-9)


def test_equals_every_golden_value_of_sacrebleu(shared):
    entries = [e for e in shared.json("sacrebleu.json")["entries"] if "|nc:" in e["signature"]]
    assert len(entries) > 20
    for entry in entries:
        fields = dict(part.split(":", 1) for part in entry["signature"].split("|"))
        chrf = Chrf(
            char_order=int(fields["nc"]),
            word_order=int(fields["nw"]),
            beta=1.0 if entry["name"] == "chrF1" else 2.0,
            lowercase=fields["case"] == "lc",
            whitespace=fields["space"] == "yes",
            eps_smoothing=fields["eff"] == "no",
        )
        test_set = TestSet(references=tuple(shared.lines(name) for name in entry["refs"]))
        rows = chrf.stats(chrf.prepare(test_set), shared.lines(entry["hyp"]))
        assert chrf.aggregate(rows.sum(0)) == pytest.approx(entry["score"], abs=1e-9)
        if "segments" in entry:
            np.testing.assert_allclose(
                chrf.aggregate(rows[: len(entry["segments"])]), entry["segments"], atol=1e-9
            )
        assert (
            chrf.signature(test_set).rsplit("|", 1)[0].removesuffix("|beta:1")
            == (entry["signature"].rsplit("|", 1)[0])
        )


def test_chrf_plus_plus_is_a_preset():
    assert metric("chrf++") == Chrf(word_order=2)
    assert metric("chrf++(beta=1)") == Chrf(word_order=2, beta=1.0)
    assert metric("chrf++").label == "chrF++"
    assert metric("chrf++(beta=1)").label == "chrF++(beta=1.0)"
    assert metric("chrf(word_order=2)").spec == "chrf++"


@pytest.mark.parametrize(
    "spec",
    [
        "chrf(char_order=-1)",
        "chrf(char_order=0)",
        "chrf(beta=nan)",
        "chrf(beta=-1)",
        "chrf(beta=1e200)",
        "chrf(word_order=101)",
    ],
)
def test_wrong_options_are_refused(spec):
    with pytest.raises(UsageError):
        metric(spec)
