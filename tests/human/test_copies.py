"""Outputs that several systems share: one judgement, written down for each."""

from itertools import combinations

import numpy as np
import pytest

from adjudge.data.judgements import NameColumn
from adjudge.human.agreement import ranking_agreement
from adjudge.human.choices import without_copies
from adjudge.io.judgements import read
from helpers.rankings import judged


def drawn(seed=1, items=60, judges=3):
    """Five distinct outputs seen at once by each judge; on every third item systems e and f share one."""
    rng = np.random.default_rng(seed)
    rows, who, copies = [], [], []
    for item in range(items):
        for judge in range(judges):
            ranks = dict(zip("abcde", rng.integers(1, 6, 5), strict=True))
            systems = "abcde"
            if item % 3 == 0:
                systems, ranks["f"] = "abcdef", ranks["e"]
            for a, b in combinations(systems, 2):
                rows.append((a, b, float(np.sign(ranks[b] - ranks[a])), item * judges + judge, item))
                who.append(f"j{judge}")
                copies.append("f" in (a, b))
    return judged(rows, annotator=NameColumn.of(who)), np.array(copies)


def test_copies_are_found():
    """Three judges who guess tie other outputs, too, and all of them on few items."""
    judgements, copies = drawn()
    single = without_copies(judgements)
    assert single.shown == 5
    left = {name for item in range(0, 60, 3) for name in _systems(single.judgements, item)}
    assert "f" not in left
    assert copies.sum() <= single.copies <= copies.sum() * 1.3
    inflated, right, ours = (
        ranking_agreement(j).inter.empirical.value
        for j in (judgements, judgements[~copies], single.judgements)
    )
    assert inflated > right + 0.03
    assert ours == pytest.approx(right, abs=0.03)


def _systems(judgements, item):
    mine = judgements[judgements.item.codes == judgements.item.names.index(str(item))]
    return {*mine.system.names, *mine.other.names}


def test_nothing_depends_on_the_order_of_rows():
    judgements, _ = drawn()
    order = np.random.default_rng(2).permutation(len(judgements))
    first, other = (ranking_agreement(without_copies(j).judgements) for j in (judgements, judgements[order]))
    assert first.inter.empirical.value == pytest.approx(other.inter.empirical.value)
    assert (first.inter.agreeing, first.inter.comparable) == (other.inter.agreeing, other.inter.comparable)


def test_rankings_of_one_size_have_none():
    judgements, copies = drawn()
    assert without_copies(judgements[~copies]).copies == 0
    assert without_copies(judged([("a", "b", 0, 0, "1"), ("a", "b", 0, 1, "1")])).copies == 0
    assert without_copies(judged([("a", "b", 0)])).copies == 0


def test_copies_of_wmt16(shared):
    """METHODS: κ of ron-eng is .341 where shared outputs are joined; written out, .453."""
    folder = shared.data / "06_rankings_wmt16" / "data"
    written_out = read(str(folder / "wmt16.ron-eng.csv")).judgements
    joined = read(str(folder / "collapsed" / "wmt16.collapsed.ron-eng.csv")).judgements
    right = ranking_agreement(joined).inter.empirical.value
    assert right == pytest.approx(0.343, abs=0.0005)
    assert ranking_agreement(written_out).inter.empirical.value == pytest.approx(0.453, abs=0.0005)
    single = without_copies(written_out)
    assert ranking_agreement(single.judgements).inter.empirical.value == pytest.approx(right, abs=0.01)
    assert without_copies(joined).copies == 0
    # As published it is the joined file as WMT's script counts; what is missing are outputs that everybody tied.
    assert ranking_agreement(joined, counting="wmt").inter.empirical.value == pytest.approx(0.341, abs=0.0005)
    assert ranking_agreement(single.judgements).inter.empirical.value == pytest.approx(0.333, abs=0.0005)
    assert len(joined) - len(single.judgements) == 310
