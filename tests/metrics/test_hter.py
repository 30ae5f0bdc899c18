"""HTER against its definition and the gold of a quality-estimation task."""

from typing import Any

import numpy as np
import pytest

from adjudge.data import TestSet
from adjudge.metrics import metric
from adjudge.metrics.hter import Hter
from adjudge.metrics.ter import Ter


def test_it_is_ter_against_the_post_edit() -> None:
    test_set = TestSet(references=(("the cat sat", "on the mat"),))
    outputs = ["the cat sits", "the mat on"]
    rows = Hter().stats(Hter().prepare(test_set), outputs)
    assert np.array_equal(rows, Ter().stats(Ter().prepare(test_set), outputs))
    assert Hter().aggregate(rows).tolist() == pytest.approx([100 / 3, 100 / 3], abs=1e-12)


def test_a_cap_ends_each_segment_at_100_and_keeps_rows_additive() -> None:
    hter = Hter(cap=True)
    rows = hter.stats(
        hter.prepare(TestSet(references=(("a", "a b", "", ""),))), ["u v w x", "a c", "u v", ""]
    )
    assert rows.tolist() == [[1, 1], [1, 2], [2, 0], [0, 0]]
    assert hter.aggregate(rows).tolist() == [100, 50, 100, 0]
    assert hter.aggregate(rows[:2].sum(0)) == pytest.approx(100 * 2 / 3, abs=1e-12)


def test_signature() -> None:
    test_set = TestSet(references=(("a",),))
    assert "|cap:yes|" in metric("hter(cap=true)").signature(test_set)
    assert "|cap:no|" in metric("hter").signature(test_set)


@pytest.mark.parametrize(("part", "stem"), [("dev", "dev"), ("test", "test20"), ("train", "train")])
def test_gold_of_mlqe(shared: Any, part: str, stem: str) -> None:
    """All segments; the gold is printed with six decimals."""
    folder = shared.data / "10_mlqe_pe" / "en-de" / "pe" / part
    outputs, edited, gold = (
        (folder / f"{stem}.{kind}").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for kind in ("mt", "pe", "hter")
    )
    hter = Hter(cap=True)
    rows = hter.stats(hter.prepare(TestSet(references=(edited,))), outputs)
    assert len(gold) == (7000 if part == "train" else 1000)
    assert [f"{score / 100:.6f}" for score in hter.aggregate(rows)] == gold
