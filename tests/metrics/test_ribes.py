"""RIBES against its definition and every segment RIBES 1.03 scored."""

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from conftest import Shared
from oracles import ribes as oracle

RUNS = {
    "w1.tok.sys1.cased": ("w1.tok.sys1.en", ["w1.tok.ref.en"], "false"),
    "w1.tok.sys1": ("w1.tok.sys1.en", ["w1.tok.ref.en"], "true"),
    "w1.tok.sys2": ("w1.tok.sys2.en", ["w1.tok.ref.en"], "true"),
    "zhen.OnlineB.2ref": ("w2.zh-en.Online-B.en", ["w2.zh-en.refA.en", "w2.zh-en.refB.en"], "true"),
}
few = st.lists(st.sampled_from("abcd"), max_size=30)
many = st.lists(st.integers(0, 20).map(str), max_size=40)


def scores(spec: str, hypotheses: list[str], *references: list[str | None], threads: int = 1) -> np.ndarray:
    scorer = metric(spec)
    return scorer.segments(scorer.prepare(TestSet(references=references)), hypotheses, threads=threads)


def score(hypothesis: str, *references: str | None, spec: str = "ribes") -> float:
    return float(scores(spec, [hypothesis], *[[r] for r in references])[0])


@pytest.mark.parametrize("name", RUNS)
def test_every_segment_of_ribes_1_03(shared: Shared, name: str) -> None:
    outputs, references, lowercase = RUNS[name]
    scorer = metric(f"ribes(tokenize=none,lowercase={lowercase})")
    test_set = TestSet(references=tuple(shared.lines(r) for r in references))
    rows = scorer.stats(scorer.prepare(test_set), shared.lines(outputs), threads=2)
    golden = shared.json("ribes.json")["entries"][name]
    assert [f"{s / 100:.6f}" for s in rows[:, 0]] == [f"{s:.6f}" for s in golden["segments"]]
    assert f"{scorer.aggregate(rows.sum(0)) / 100:.6f}" == f"{golden['system']:.6f}"


@given(pair=st.tuples(few, few) | st.tuples(many, many))
@example(pair=(list("xaay"), list("xay")))  # two words at one place
def test_the_kernel_scores_as_the_definition_does(pair: tuple[list[str], list[str]]) -> None:
    hypothesis, reference = pair
    ours = score(" ".join(hypothesis), " ".join(reference), spec="ribes(tokenize=none,alpha=0.5,beta=0.3)")
    assert ours == pytest.approx(100 * oracle.ribes(hypothesis, reference, 0.5, 0.3), abs=1e-9)


@settings(max_examples=5)
@given(st.data())
def test_long_segments_too(data: st.DataObject) -> None:
    """Beyond the length up to which words are compared one by one."""
    draw = data.draw(st.randoms(use_true_random=False))
    reference = [str(draw.randint(0, 40)) for _ in range(150)]
    cut = draw.randint(1, 149)
    hypothesis = reference[cut:] + reference[:cut]
    for _ in range(10):
        hypothesis[draw.randrange(150)] = str(draw.randint(0, 60))
    ours = score(" ".join(hypothesis), " ".join(reference), spec="ribes(tokenize=none)")
    assert ours == pytest.approx(100 * oracle.ribes(hypothesis, reference, 0.25, 0.10), abs=1e-9)


def test_worked_examples() -> None:
    assert score("a b c d", "a b c d") == 100
    assert score("d c b a", "a b c d") == 0
    # Five of six pairs in order, all four words found.
    assert score("a c b d", "a b c d") == pytest.approx(500 / 6)
    # One word of two against one: precision alone.
    assert score("a b", "a") == pytest.approx(100 * 0.5**0.25)
    assert score("a b", "a b c", spec="ribes(beta=1)") == pytest.approx(100 * np.exp(1 - 3 / 2))
    assert score("a b.", "A b .") == 100
    assert score("a b", "A b", spec="ribes(lowercase=false)") == 0


def test_empty_and_missing_segments() -> None:
    assert score("", "a b") == 0
    assert score("a b", "") == 0
    assert score(" \t", "") == 100
    assert score("a b", None, "a b") == 100
    assert score("a b", "b a", "a b") == 100


def test_words_that_repeat_without_end_take_no_longer() -> None:
    line = "a " * 10_000
    start = time.perf_counter()
    assert score(line, line + "a", spec="ribes(tokenize=none)") == 0  # no context is unique
    assert score(line + "b", line + "b", spec="ribes(tokenize=none)") == 100
    assert time.perf_counter() - start < 5  # 0.1 s; growing contexts one by one takes hours


def test_threads_never_change_scores(shared: Shared) -> None:
    outputs, refs = shared.lines("w1.sys1.en"), shared.lines("w1.ref.en")
    assert (scores("ribes", outputs, refs, threads=3) == scores("ribes", outputs, refs)).all()


def test_signature_and_options() -> None:
    test_set = TestSet(references=(["a"],))
    assert metric("ribes").signature(test_set).startswith("nrefs:1|case:lc|tok:13a|refs:best|version:")
    assert "|alpha:0.5|beta:0|" in metric("ribes(alpha=0.5,beta=0)").signature(test_set)
    assert metric("ribes(lowercase=false)").spec == "ribes(lowercase=false)"
    for options in ("alpha=-1", "beta=inf", "alpha=nan", "tokenize=13b", "gamma=1"):
        with pytest.raises(UsageError):
            metric(f"ribes({options})")
