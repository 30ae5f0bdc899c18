"""WER, PER and CDER against their definitions, Moses' evaluator, jiwer and rapidfuzz."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from conftest import Shared
from helpers.edit_rates import ORACLES, errors
from helpers.scoring import rows_of as rows
from helpers.scoring import score_of as score

# Few words, so that they meet; lengths on both sides of the 64-bit edge.
words = st.lists(st.sampled_from("abcdefg"), max_size=200)


@pytest.mark.parametrize("name", ORACLES)
@given(hypothesis=words, reference=words)
def test_the_kernel_counts_what_the_definition_counts(
    name: str, hypothesis: list[str], reference: list[str]
) -> None:
    (row,) = rows(name, [" ".join(hypothesis)], [" ".join(reference)])
    assert errors(name, row) == ORACLES[name](hypothesis, reference)
    assert row[-1] == len(reference)


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
