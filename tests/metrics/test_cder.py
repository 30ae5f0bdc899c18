"""CDER and the others beside Moses' evaluator."""

import numpy as np
import pytest

from adjudge.metrics import metric
from conftest import Shared
from helpers.edit_rates import ORACLES
from helpers.scoring import rows_of as rows


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
