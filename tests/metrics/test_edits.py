"""WER, PER and CDER against their definitions, Moses' evaluator, jiwer and rapidfuzz."""

import random
import re

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from conftest import Shared
from helpers.scoring import rows_of as rows
from helpers.scoring import score_of as score
from oracles import edits

ORACLES = {"wer": edits.levenshtein, "cder": edits.cder, "per": edits.per}

# Few words, so that they meet; lengths on both sides of the 64-bit edge.
words = st.lists(st.sampled_from("abcdefg"), max_size=200)


def errors(name: str, row: np.ndarray) -> float:
    return max(row[1], row[2]) - row[0] if name == "per" else row[0]


@pytest.mark.parametrize("name", ORACLES)
@given(hypothesis=words, reference=words)
def test_the_kernel_counts_what_the_definition_counts(
    name: str, hypothesis: list[str], reference: list[str]
) -> None:
    (row,) = rows(name, [" ".join(hypothesis)], [" ".join(reference)])
    assert errors(name, row) == ORACLES[name](hypothesis, reference)
    assert row[-1] == len(reference)


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


@given(
    hypothesis=st.lists(st.sampled_from("abc"), max_size=8),
    references=st.lists(st.lists(st.sampled_from("abc"), max_size=8), min_size=1, max_size=4),
)
def test_of_several_references_the_one_with_fewest_errors_counts(
    hypothesis: list[str], references: list[list[str]]
) -> None:
    for name, oracle in ORACLES.items():
        (row,) = rows(name, [" ".join(hypothesis)], *[[" ".join(r)] for r in references])
        best = min((oracle(hypothesis, r), -len(r)) for r in references)
        assert (errors(name, row), -row[-1]) == best


@pytest.mark.parametrize("system", ["sys1", "sys2"])
@pytest.mark.parametrize("name", ORACLES)
def test_moses_evaluator(shared: Shared, name: str, system: str) -> None:
    golden = shared.json("moses.json")["multi_bleu_and_mert_evaluator"]
    scorer = metric(name)
    sums = rows(name, shared.lines(f"w1.tok.{system}.en"), shared.lines("w1.tok.ref.en")).sum(0)
    assert f"{1 - scorer.aggregate(sums) / 100:.4f}" == golden[f"evaluator {name.upper()} tok {system}"]


@pytest.mark.parametrize("name", ["wer", "cder"])
def test_moses_evaluator_with_two_references(shared: Shared, name: str) -> None:
    """It cuts 1 − error to a whole number before comparing, so the second reference seldom counts."""
    outputs = shared.lines("w2.zh-en.Online-B.en")
    sets = [shared.lines(f"w2.zh-en.ref{r}.en") for r in "AB"]
    a, b = (rows(name, outputs, r) for r in sets)
    second = np.trunc(1 - b[:, 0] / b[:, 1]) > np.trunc(1 - a[:, 0] / a[:, 1])
    sums = np.where(second[:, None], b, a).sum(0)
    golden = shared.json("moses.json")["multi_bleu_and_mert_evaluator"]
    assert f"{1 - sums[0] / sums[1]:.4f}" == golden[f"evaluator {name.upper()} zh-en Online-B 2refs"]
    both = rows(name, outputs, *sets)
    assert (both[:, 0] == np.minimum(a[:, 0], b[:, 0])).all()


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


def test_worked_examples() -> None:
    assert score("wer", "a b c d", "a x c") == pytest.approx(200 / 3)
    assert score("per", "c b a", "a b c") == 0
    assert score("per", "c b a a a", "a b c") == pytest.approx(200 / 3)
    # One jump to "a b", one back to "c d", one to the end.
    assert score("wer", "c d a b", "a b c d") == 100
    assert score("cder", "c d a b", "a b c d") == 75
    assert score("wer", "A b", "a b") == 50
    assert score("wer(lowercase=true)", "A b", "a b") == 0
    assert score("wer", "a, b", "a , b") == pytest.approx(200 / 3)
    assert score("wer(tokenize=13a)", "a, b", "a , b") == 0


@pytest.mark.parametrize("name", ORACLES)
def test_empty_and_missing_segments(name: str) -> None:
    assert score(name, "", "a b") == 100
    assert score(name, " \t ", "a b") == 100
    assert score(name, "", "") == 0
    assert score(name, "a", "") == 100  # errors without words
    assert score(name, "a b", None, "a b") == 0
    assert score(name, "a b", "c d e", "a b") == 0
    assert rows(name, [], []).sum(0).tolist() == [0.0] * (3 if name == "per" else 2)


def test_per_is_counted_on_the_sums() -> None:
    """A segment too long and one too short make up for each other, as in Moses' evaluator."""
    table = rows("per", ["a b c", "a"], ["a", "a b c"])
    assert table.tolist() == [[1, 3, 1], [1, 1, 3]]
    assert metric("per").aggregate(table).tolist() == pytest.approx([200, 200 / 3])
    assert metric("per").aggregate(table.sum(0)) == 50


@pytest.mark.parametrize("name", ORACLES)
def test_threads_never_change_rows(shared: Shared, name: str) -> None:
    outputs, refs = shared.lines("w1.sys1.en"), shared.lines("w1.ref.en")
    assert (rows(name, outputs, refs, threads=3) == rows(name, outputs, refs)).all()


@pytest.mark.parametrize("name", ORACLES)
def test_a_very_long_line(name: str) -> None:
    draw = random.Random(1)
    reference = draw.choices(range(5000), k=20_000)
    hypothesis = reference[:100] + reference[101:]
    hypothesis[5000] = 9999
    (row,) = rows(name, [" ".join(map(str, hypothesis))], [" ".join(map(str, reference))])
    assert errors(name, row) == {"wer": 2, "cder": 2, "per": 2}[name]


def test_signatures_say_all_that_changes_the_score() -> None:
    test_set = TestSet(references=(["a"],))
    assert (
        metric("wer")
        .signature(test_set)
        .startswith("nrefs:1|case:mixed|tok:none|refs:fewest-errors|version:")
    )
    assert "case:lc|tok:13a" in metric("cder(lowercase=true,tokenize=13a)").signature(test_set)
    with pytest.raises(UsageError, match="unknown tokenizer"):
        metric("per(tokenize=14a)")
