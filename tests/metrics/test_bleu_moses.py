"""BLEU against Moses' scripts: multi-bleu.perl, multi-bleu-detok.perl, mteval-v13a, mteval-v14 and its evaluator."""

import re

import numpy as np
import pytest

from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.bleu import Bleu
from conftest import Shared
from helpers.scoring import MTEVAL_RUNS, printed

SCRIPTS = "multi_bleu_and_mert_evaluator"


def rows(bleu: Bleu, outputs: tuple[str, ...], *references: tuple[str, ...]) -> np.ndarray:
    return bleu.stats(bleu.prepare(TestSet(references=references)), outputs, threads=2)


def multi_bleu_line(bleu: Bleu, sums: np.ndarray) -> str:
    hyp, ref = sums[:2]
    precisions = "/".join(f"{p:.1f}" for p in bleu.precisions(sums))
    return (
        f"BLEU = {bleu.aggregate(sums):.2f}, {precisions} (BP={bleu.brevity_penalty(sums):.3f}, "
        f"ratio={hyp / ref:.3f}, hyp_len={hyp:.0f}, ref_len={ref:.0f})"
    )


@pytest.mark.parametrize("system", ["sys1", "sys2"])
@pytest.mark.parametrize("case", ["", "-lc"])
def test_multi_bleu(shared: Shared, case: str, system: str) -> None:
    golden = shared.json("moses.json")[SCRIPTS]
    tokenized = Bleu(tokenize="none", lowercase=bool(case), smooth="none")
    sums = rows(tokenized, shared.lines(f"w1.tok.{system}.en"), shared.lines("w1.tok.ref.en")).sum(0)
    assert multi_bleu_line(tokenized, sums) == golden[f"multi-bleu.perl {case} tok {system}"]
    if not case:
        assert f"{tokenized.aggregate(sums) / 100:.4f}" == golden[f"evaluator BLEU tok {system}"]
    raw = Bleu(lowercase=bool(case), smooth="none")
    sums = rows(raw, shared.lines(f"w1.{system}.en"), shared.lines("w1.ref.en")).sum(0)
    assert multi_bleu_line(raw, sums) == golden[f"multi-bleu-detok.perl {case} detok {system}"]


def test_multi_bleu_with_two_references(shared: Shared) -> None:
    golden = shared.json("moses.json")[SCRIPTS]
    bleu = Bleu(tokenize="none", smooth="none")
    references = [shared.lines(f"w2.zh-en.ref{r}.en") for r in "AB"]
    sums = rows(bleu, shared.lines("w2.zh-en.Online-B.en"), *references).sum(0)
    assert multi_bleu_line(bleu, sums) == golden["multi-bleu.perl zh-en Online-B raw 2refs"]
    assert f"{bleu.aggregate(sums) / 100:.4f}" == golden["evaluator BLEU zh-en Online-B 2refs"]


def test_no_score_of_the_scripts_is_left_out(shared: Shared) -> None:
    keys = [key for key in shared.json("moses.json")[SCRIPTS] if "BLEU" in key or "multi-bleu" in key]
    assert len(keys) == 2 * 5 + 2
    assert sorted(shared.json("moses.json")["mteval"]) == sorted(MTEVAL_RUNS)


@pytest.mark.parametrize("run", MTEVAL_RUNS)
@pytest.mark.parametrize("smooth", ["exp", "mteval"])
def test_mteval(shared: Shared, run: str, smooth: str) -> None:
    """Corpus scores need no smoothing of mteval's own; its segments do."""
    golden = shared.json("moses.json")["mteval"][run]
    options = {
        "tokenize": "intl" if "international" in run else "13a",
        "lowercase": not re.match(r"mteval-v1\da?-c", run),
        "smooth": smooth,
    }
    two = "zhen2ref" in run
    references = [shared.lines(f"w2.zh-en.ref{r}.en") for r in "AB"] if two else [shared.lines("w1.ref.en")]
    for system, tables in golden["tables"].items():
        outputs = shared.lines("w2.zh-en.Online-B.en" if two else f"w1.{system}.en")
        nine = Bleu(max_order=9, **options)
        table = rows(nine, outputs, *references)
        assert printed(nine.precisions(table.sum(0)) / 100) == printed(tables["BLEU"]["individual"])
        orders = [Bleu(max_order=n, **options) for n in range(1, 10)]
        columns = [[0, 1, *range(2, 2 + n), *range(11, 11 + n)] for n in range(1, 10)]
        scores = [b.aggregate(table[:, c].sum(0)) / 100 for b, c in zip(orders, columns, strict=True)]
        assert printed(scores) == printed(tables["BLEU"]["cumulative"])
        assert printed(scores[3:4]) == printed([golden[system]["BLEU"]])
        if "segments" in run and smooth == "mteval":
            segments = orders[3].for_segments().aggregate(table[:, columns[3]]) / 100
            assert len(segments) == 2445
            assert printed(segments) == printed(golden["segment_bleu"][system])


def test_smoothing_of_mteval_by_hand() -> None:
    # Two words, one of them right: p1 1/2, p2 1/(2·1), no others; the fourth root all the same.
    bleu = metric("bleu(smooth=mteval)")
    table = rows(bleu, ("a x", "", "x y", "a"), ("a b", "a", "a b", ""))
    assert bleu.for_segments().aggregate(table) / 100 == pytest.approx(
        [(1 / 2 * 1 / 2) ** 0.25, 0, (1 / 4 * 1 / 4) ** 0.25, (1 / 2) ** 0.25]
    )
    assert "|smooth:mteval|" in bleu.signature(TestSet(references=(["a"],)))
    with pytest.raises(UsageError, match="mteval has its own way"):
        metric("bleu(smooth=mteval,effective_order=true)")
