"""Exact match and length ratio by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.comparison import score as evaluate
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from helpers.scoring import rows_of as rows

line = st.text(st.sampled_from("aB \t\u3000."), max_size=5)


def score(spec: str, hypotheses: list[str], *references: list[str | None]) -> float:
    return float(metric(spec).aggregate(rows(spec, hypotheses, *references).sum(0)))


@given(line, line, line)
def test_exact_match_is_equality(hypothesis: str, first: str, second: str) -> None:
    words = hypothesis.split() in (first.split(), second.split())
    assert score("exact-match", [hypothesis], [first], [second]) == 100 * words
    same = hypothesis in (first, second)
    assert score("exact-match(whitespace=true)", [hypothesis], [first], [second]) == 100 * same


def test_exact_match_examples() -> None:
    hypotheses, references = ["a b", "A b", "a  b ", "", "a."], ["a b", "a b", "a b", " ", "a ."]
    assert rows("exact-match", hypotheses, references)[:, 0].tolist() == [100, 0, 100, 100, 0]
    assert score("exact-match", hypotheses, references) == 60
    assert score("exact-match(lowercase=true)", hypotheses, references) == 80
    assert score("exact-match(lowercase=true,tokenize=13a)", hypotheses, references) == 100
    assert score("exact-match(whitespace=true)", hypotheses, references) == 20
    assert score("exact-match", ["a", "b"], ["a", None], [None, "c"]) == 50
    with pytest.raises(UsageError, match="leave one of the two out"):
        metric("exact-match(whitespace=true,tokenize=13a)")
    assert "|tok:none|refs:any|space:no|" in metric("exact-match").signature(TestSet(references=(["a"],)))


def test_length_ratio_is_of_the_closest_reference() -> None:
    assert score("length-ratio", ["a b c.", "a"], ["a b", "a b"]) == 5 / 4
    assert rows("length-ratio", ["a b c"], ["a"], ["a b c d e"], ["a b"]).tolist() == [[3, 2]]
    assert rows("length-ratio", ["a b c"], ["a b c d"], ["a b"]).tolist() == [[3, 2]]  # the shorter of equals
    assert score("length-ratio", ["a"], [None], ["a b"]) == 0.5
    assert score("length-ratio", [""], ["a b"]) == 0
    assert score("length-ratio", [" "], [""]) == 1
    assert score("length-ratio", ["a b"], [""]) == 2


def test_length_ratio_has_no_better_direction() -> None:
    scores = evaluate(TestSet(references=(["a"],)), [Outputs("s", ("a",))], ["length-ratio", "wer", "f1"])
    assert [result.higher_is_better for result in scores.results] == [None, False, True]
