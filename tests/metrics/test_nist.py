"""NIST against its definition and all that mteval-v13a and v14 printed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.nist import Nist
from conftest import Shared
from helpers.scoring import MTEVAL_RUNS, printed
from oracles import nist as oracle

line = st.lists(st.sampled_from("0abc"), max_size=9).map(tuple)


def set_of(shared: Shared, run: str) -> TestSet:
    if "zhen2ref" in run:
        return TestSet(references=tuple(shared.lines(f"w2.zh-en.ref{r}.en") for r in "AB"))
    return TestSet(references=(shared.lines("w1.ref.en"),))


def outputs(shared: Shared, system: str) -> tuple[str, ...]:
    return shared.lines("w2.zh-en.Online-B.en" if system == "Online-B" else f"w1.{system}.en")


@pytest.mark.parametrize("run", MTEVAL_RUNS)
def test_mteval(shared: Shared, run: str) -> None:
    golden = shared.json("moses.json")["mteval"][run]
    scorer = Nist(
        max_order=9,
        tokenize="intl" if "international" in run else "13a",
        lowercase=not run.startswith(("mteval-v13a-c", "mteval-v14-c")),
    )
    prepared = scorer.prepare(set_of(shared, run))
    for system, tables in golden["tables"].items():
        rows = scorer.stats(prepared, outputs(shared, system), threads=2)
        by_order = scorer.by_order(rows.sum(0))
        assert printed(by_order) == printed(tables["NIST"]["individual"])
        assert printed(np.cumsum(by_order)) == printed(tables["NIST"]["cumulative"])
        assert f"{by_order[:5].sum():.4f}" == f"{golden[system]['NIST']:.4f}"
        if "segments" in run:
            segments = scorer.by_order(rows)[:, :5].sum(-1)
            assert len(segments) == 2445
            assert printed(segments) == printed(golden["segment_nist"][system])


@given(
    st.integers(1, 6),
    st.lists(st.tuples(line, st.lists(line, min_size=1, max_size=3)), min_size=1, max_size=6),
)
def test_the_kernel_scores_as_the_definition_does(
    orders: int, segments: list[tuple[oracle.Words, list[oracle.Words]]]
) -> None:
    hypotheses = [hypothesis for hypothesis, _ in segments]
    references = [refs for _, refs in segments]
    columns = [[" ".join(r[k]) if k < len(r) else None for r in references] for k in range(3)]
    scorer = Nist(tokenize="none", max_order=orders)
    prepared = scorer.prepare(TestSet(references=tuple(columns)))
    rows = scorer.stats(prepared, [" ".join(h) for h in hypotheses], threads=1)
    assert float(scorer.aggregate(rows.sum(0))) == pytest.approx(
        oracle.nist(hypotheses, references, orders), abs=1e-9
    )


def score(hypotheses: list[str], *references: list[str | None]) -> float:
    scorer = metric("nist")
    rows = scorer.stats(scorer.prepare(TestSet(references=references)), hypotheses)
    return float(scorer.aggregate(rows.sum(0)))


def test_worked_example() -> None:
    # Each word is one of four: 2 bits. "a" is always followed by "b", so the second word of "a b" adds nothing.
    assert score(["a b"], ["a b c d"]) == pytest.approx(
        2 * np.exp(np.log(0.5) * (np.log(2) / np.log(1.5)) ** 2)
    )
    # "b" follows half of the times "a" occurs: 1 bit for the one bigram.
    assert score(["a b a c"], ["a b a c"]) == pytest.approx((1 + 2 + 1 + 2) / 4 + 2 / 3)


def test_empty_and_missing_segments() -> None:
    assert score([""], ["a b"]) == 0
    assert score([""], [""]) == 0
    assert score(["a"], [" "]) == 0
    assert score(["x"], ["a b"]) == 0
    assert score(["a b", "c"], ["a b", None], [None, "c"]) == pytest.approx(np.log2(3))
    assert metric("nist").aggregate(np.zeros((3, 12))).tolist() == [0.0, 0.0, 0.0]


def test_many_different_words_and_long_ones() -> None:
    """Beyond the first size of the model's tables and blocks of text."""
    words = [f"{i:05d}" * (20_000 if i == 7 else 1) for i in range(9000)]
    reference = [" ".join(words[i : i + 90]) for i in range(0, 9000, 90)]
    assert score(reference, reference) == pytest.approx(np.log2(9000))


def test_nltk_agrees_on_one_reference(shared: Shared) -> None:
    from nltk.translate.nist_score import corpus_nist  # takes seconds, in every process that collects

    outputs, reference = shared.lines("w1.tok.sys1.en"), shared.lines("w1.tok.ref.en")
    scorer = Nist(tokenize="none")
    rows = scorer.stats(scorer.prepare(TestSet(references=(reference,))), outputs)
    golden = shared.json("nltk.json")["corpus_nist"]
    assert float(scorer.aggregate(rows.sum(0))) == pytest.approx(golden, abs=1e-9)

    some = slice(100, 400)
    live = corpus_nist([[line.split()] for line in reference[some]], [line.split() for line in outputs[some]])
    rows = scorer.stats(scorer.prepare(TestSet(references=(reference[some],))), outputs[some])
    assert float(scorer.aggregate(rows.sum(0))) == pytest.approx(live, abs=1e-9)


def test_threads_never_change_rows(shared: Shared) -> None:
    scorer = metric("nist")
    prepared = scorer.prepare(set_of(shared, "w1"))
    rows = [scorer.stats(prepared, outputs(shared, "sys1"), threads=n) for n in (1, 3)]
    assert (rows[0] == rows[1]).all()


def test_signature_and_options() -> None:
    test_set = TestSet(references=(["a"],))
    assert metric("nist").signature(test_set).startswith("nrefs:1|case:mixed|tok:13a|version:")
    assert "|order:4|" in metric("nist(max_order=4)").signature(test_set)
    for options in ("max_order=0", "max_order=x", "tokenize=14", "order=5"):
        with pytest.raises(UsageError):
            metric(f"nist({options})")
