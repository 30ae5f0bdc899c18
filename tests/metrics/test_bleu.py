"""BLEU against sacreBLEU (live and golden), its own definition, and the worked examples."""

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.bleu import Bleu
from helpers.texts import columns, corpora
from oracles.ngrams import bleu_row

REFERENCE = "the Iraqi weapons are to be handed over to the army within two weeks"
SECOND = "the Iraqi weapons will be surrendered to the army in two weeks"


def sums(bleu, output, *references):
    test_set = TestSet(references=tuple((r,) for r in references))
    return bleu.stats(bleu.prepare(test_set), [output])[0]


def precisions(row):
    return list(zip(row[2:6], row[6:10], strict=True))


def test_worked_example_has_its_counts_and_score_zero():
    row = sums(Bleu(), "in two weeks Iraq's weapons will give army", REFERENCE)
    assert precisions(row) == [(4, 8), (1, 7), (0, 6), (0, 5)]
    assert Bleu(smooth="none").aggregate(row) == 0


def test_worked_example_of_clipping():
    assert precisions(sums(Bleu(), "the the the the", REFERENCE, SECOND))[0] == (2, 4)


def test_worked_example_of_the_brevity_penalty():
    row = sums(Bleu(), "the Iraqi weapons will", REFERENCE, SECOND)
    assert precisions(row) == [(4, 4), (3, 3), (2, 2), (1, 1)]
    assert Bleu().aggregate(row) == pytest.approx(100 * math.exp(1 - 12 / 4), rel=1e-12)


def test_bleu_plus_one_smooths_all_orders_but_the_first():
    row = sums(Bleu(), "in two weeks Iraq's weapons will give army", REFERENCE)
    expected = 100 * math.exp(1 - 14 / 8) * (4 / 8 * 2 / 8 * 1 / 7 * 1 / 6) ** 0.25
    assert metric("bleu+1").aggregate(row) == pytest.approx(expected, rel=1e-12)
    assert metric("bleu+1").aggregate(sums(Bleu(), "nothing matches here", REFERENCE)) == 0


@given(corpus=corpora, max_order=st.integers(1, 6))
def test_rows_are_those_of_the_definition(corpus, max_order):
    hypotheses, references = columns(corpus)
    bleu = Bleu(tokenize="none", max_order=max_order)
    rows = bleu.stats(bleu.prepare(TestSet(references=tuple(map(tuple, references)))), hypotheses)
    for i, row in enumerate(rows):
        assert list(row) == bleu_row(hypotheses[i].split(), [r[i].split() for r in references], max_order)


smoothing = st.sampled_from(
    [
        ("none", None),
        ("exp", None),
        ("floor", None),
        ("floor", 0.01),
        ("floor", 0.0),
        ("add-k", None),
        ("add-k", 0.5),
    ]
)


@settings(max_examples=100)
@given(
    corpus=corpora,
    smooth=smoothing,
    tokenize=st.sampled_from(["13a", "intl", "char", "none", "zh"]),
    lowercase=st.booleans(),
    effective_order=st.booleans(),
    max_order=st.integers(1, 5),
)
def test_equals_sacrebleu_for_every_option(corpus, smooth, tokenize, lowercase, effective_order, max_order):
    hypotheses, references = columns(corpus)
    method, value = smooth
    theirs = sacrebleu.BLEU(
        lowercase=lowercase,
        force=True,
        tokenize=tokenize,
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=max_order,
        effective_order=effective_order,
    )
    ours = Bleu(
        tokenize=tokenize,
        lowercase=lowercase,
        max_order=max_order,
        smooth=method,
        smooth_value=value,
        effective_order=effective_order,
    )
    test_set = TestSet(references=tuple(map(tuple, references)))
    rows = ours.stats(ours.prepare(test_set), hypotheses)
    assert ours.aggregate(rows.sum(0)) == pytest.approx(
        theirs.corpus_score(hypotheses, references).score, abs=1e-9
    )
    for i, row in enumerate(rows):
        expected = theirs.corpus_score([hypotheses[i]], [[r[i]] for r in references]).score
        assert ours.aggregate(row) == pytest.approx(expected, abs=1e-9)


def of_golden_entry(entry):
    fields = dict(part.split(":", 1) for part in entry["signature"].split("|"))
    tokenize = "ja-mecab" if fields["tok"].startswith("ja-mecab") else fields["tok"]
    return Bleu(
        tokenize=tokenize,
        lowercase=fields["case"] == "lc",
        smooth=fields["smooth"].split("[")[0],
        max_order=2 if "max2" in entry["name"] else 4,
    )


def test_equals_every_golden_value_of_sacrebleu(shared):
    entries = [e for e in shared.json("sacrebleu.json")["entries"] if "counts" in e]
    assert len(entries) > 40
    for entry in entries:
        bleu = of_golden_entry(entry)
        test_set = TestSet(references=tuple(shared.lines(name) for name in entry["refs"]))
        rows = bleu.stats(bleu.prepare(test_set), shared.lines(entry["hyp"]))
        total = rows.sum(0)
        # sacreBLEU's add-k adds its k to the counts it reports.
        k = 1 if bleu.smooth == "add-k" else 0
        added = [0, *[k] * (bleu.max_order - 1)]
        assert list(total[2 : 2 + bleu.max_order] + added) == entry["counts"]
        assert list(total[2 + bleu.max_order :] + added) == entry["totals"]
        assert (total[0], total[1]) == (entry["sys_len"], entry["ref_len"])
        assert bleu.aggregate(total) == pytest.approx(entry["score"], abs=1e-9)
        np.testing.assert_allclose(bleu.precisions(total), entry["precisions"], atol=1e-9)
        assert bleu.brevity_penalty(total) == pytest.approx(entry["bp"], abs=1e-12)
        if "segments" in entry:
            segments = bleu.for_segments().aggregate(rows[: len(entry["segments"])])
            np.testing.assert_allclose(segments, entry["segments"], atol=1e-9)
        assert (
            bleu.signature(test_set).rsplit("|", 1)[0].removesuffix("|order:2")
            == (entry["signature"].rsplit("|", 1)[0])
        )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu(max_order=0)", "must be from 1 to 100"),
        ("bleu(smooth=linear)", "must be one of none, floor, add-k, exp"),
        ("bleu(smooth=exp,smooth_value=1)", "only floor and add-k take a value"),
        ("bleu(smooth=floor,smooth_value=-1)", "must be a number from 0 up"),
        ("bleu(smooth=floor,smooth_value=nan)", "must be a number from 0 up"),
        ("bleu(smooth=add-k,smooth_value=inf)", "must be a number from 0 up"),
        ("bleu(tokenize=spmx)", "unknown tokenizer"),
        ("bleu(tokenize=spm:)", "needs a model file"),
        ("bleu(tokenize=13)", "did you mean '13a'"),
        ("bleu(tokenise=13a)", "did you mean 'tokenize'"),
        ("bleu(lowercase=maybe)", "must be true or false"),
        ("bleu(max_order=four)", "must be a whole number"),
    ],
)
def test_wrong_options_are_refused_with_the_way_out(spec, message):
    with pytest.raises(UsageError, match=message):
        metric(spec)
