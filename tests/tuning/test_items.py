"""Items to fit to: translations with their references, systems with their translations."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from helpers.tunings import DEFAULT, PLANTED, numbers, plain_scores, planted, points, ranked, systems


@given(points, st.integers(1, 3), st.integers(0, 5))
def test_systems_add_up_the_rows_of_their_best_references(chosen, references, seed):
    items = systems(4, 7, references, seed)
    values = _native.MeteorGrid(items.rows, items.begins.tolist(), True).scores(numbers(chosen), 1)
    expected = [plain_scores(items, point) for point in chosen]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose([items.scores(p) for p in chosen], 100 * values, rtol=0, atol=1e-10)


def test_another_reference_may_win_by_other_parameters():
    items = planted(200, references=3)
    chosen = [_native.meteor_best(items.rows, point.numbers) for point in (DEFAULT, PLANTED)]
    differ = (chosen[0] != chosen[1]).any(1)
    assert 0 < differ.sum() < 200
    fixed = replace(items, rows=np.ascontiguousarray(chosen[0][:, None]))
    assert (items.scores(PLANTED)[differ] > fixed.scores(PLANTED)[differ]).all()
    assert (items.scores(PLANTED)[~differ] == fixed.scores(PLANTED)[~differ]).all()


def test_taking_items_keeps_their_pairs_and_translations():
    items = ranked(16)
    keep = items.unit != 1
    kept = np.flatnonzero(keep)
    assert set(map(tuple, kept[items.take(keep).pairs])) == {tuple(p) for p in items.pairs if keep[p].all()}
    whole = systems(5, 3, 2)
    keep = np.array([True, False, True, True, False])
    assert (whole.take(keep).scores(DEFAULT) == whole.scores(DEFAULT)[keep]).all()
