"""Rankings to decisions: what is drawn by chance depends on the seed alone."""

from dataclasses import asdict

import numpy as np
import pytest

from adjudge.data.judgements import Names
from adjudge.evaluate.ranking import rank
from adjudge.human.ranking import METHODS
from rankings import judged

SYSTEMS = "abcd"


def drawn(seed=1, items=30, people=4):
    """Rankings of four systems, a better than b and so on, all pairs of each, by two or three people an item."""
    rng = np.random.default_rng(seed)
    rows, who = [], []
    shown = [(i, p) for i in range(items) for p in rng.choice(people, rng.integers(2, 4), replace=False)]
    for ranking, (item, person) in enumerate(shown):
        place = np.round(rng.normal(np.arange(4), 2))
        for one in range(4):
            for other in range(one + 1, 4):
                outcome = float(np.sign(place[other] - place[one]))
                rows.append((SYSTEMS[one], SYSTEMS[other], outcome, ranking, item))
                who.append(f"p{person}")
    return judged(rows, annotator=Names.of(who))


@pytest.mark.parametrize("method", METHODS)
def test_nothing_depends_on_the_order_of_rows(method):
    judgements = drawn()
    found = rank(judgements, method=method, resamples=50, seed=7)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(judgements))
        again = rank(judgements[order], method=method, resamples=50, seed=7)
        for one, other in zip(found.groups[0].ranking.systems, again.groups[0].ranking.systems, strict=True):
            assert (one.system, one.rank, one.cluster) == (other.system, other.rank, other.cluster)
            assert (one.score, one.low, one.high) == pytest.approx((other.score, other.low, other.high))
        assert [p.p for p in found.groups[0].pairs] == [p.p for p in again.groups[0].pairs]
        inter = asdict(again.agreement.inter)
        for name, one in asdict(found.agreement.inter).items():
            assert one == pytest.approx(inter[name]), name
