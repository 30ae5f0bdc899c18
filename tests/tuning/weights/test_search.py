"""Line searches are exact: held to brute force on small lists, and to a list with a known optimum."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.tuning.weights import SEARCHES, WeightedLists, climb
from adjudge.tuning.weights.search import best_steps, point_at

BLEU = metric("bleu(smooth=none)")


def drawn_lists(seed, segments=4, hypotheses=6, width=3, whole=False):
    """Lists with drawn features; rows are additive counts, and the score is their quotient."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, hypotheses + 1, segments)
    count = int(sizes.sum())
    features = generator.integers(-3, 4, (count, width)).astype(float)
    if not whole:
        features += generator.normal(size=(count, width))
    rows = np.column_stack([generator.integers(0, 9, count), generator.integers(9, 12, count)]).astype(float)
    begins = (0, *np.cumsum(sizes).tolist())
    return WeightedLists(features, rows, begins, lambda sums: 100 * sums[..., 0] / sums[..., 1])


def chosen(lists, weights):
    """The slow twin: the first of the best hypotheses of each list."""
    scores = lists.features @ weights
    return [a + int(np.argmax(scores[a:b])) for a, b in zip(lists.begins, lists.begins[1:], strict=False)]


def best_on_line(lists, weights, direction):
    """Brute force: a place between any two where two lines of one list cross, and beyond all of them."""
    offsets, slopes = lists.features @ weights, lists.features @ direction
    crossings = [
        (offsets[i] - offsets[j]) / (slopes[j] - slopes[i])
        for a, b in zip(lists.begins, lists.begins[1:], strict=False)
        for i in range(a, b)
        for j in range(i)
        if j >= a and slopes[i] != slopes[j]
    ]
    edges = np.unique(crossings)
    places = [0.0, *(edges[:-1] + edges[1:]) / 2]
    places += [edges[0] - 1, edges[-1] + 1] if len(edges) else []
    return max(
        float(lists.aggregate(lists.rows[chosen(lists, weights + place * direction)].sum(0)))
        for place in places
    )


@given(seed=st.integers(0, 10**6))
def test_the_best_place_on_a_line_is_found(seed):
    lists = drawn_lists(seed)
    generator = np.random.default_rng(seed)
    point = point_at(lists, generator.normal(size=3))
    direction = generator.normal(size=3)
    found_worth = max([point.worth, *(step.worth for step in best_steps(lists, point, [direction]))])
    assert found_worth == pytest.approx(best_on_line(lists, point.weights, direction), abs=1e-9)


@given(seed=st.integers(0, 10**6))
def test_pieces_are_the_sums_of_what_is_chosen_there(seed):
    lists = drawn_lists(seed)
    generator = np.random.default_rng(seed + 1)
    weights, directions = generator.normal(size=3), generator.normal(size=(2, 3))
    places, ends, sums = lists.core.pieces(weights, directions)
    assert len(sums) == len(places) + 2
    begin = 0
    for line, end in enumerate(ends):
        own = places[begin:end]
        assert (np.diff(own) > 0).all()
        edges = [own[0] - 1, *own, own[-1] + 1] if len(own) else [-1, 1]
        for piece in range(len(edges) - 1):
            middle = (edges[piece] + edges[piece + 1]) / 2
            slow = lists.rows[chosen(lists, weights + middle * directions[line])].sum(0)
            if edges[piece + 1] - edges[piece] > 1e-9:  # else numbers do not tell
                assert sums[begin + line + piece].tolist() == slow.tolist()
        begin = end


@given(seed=st.integers(0, 10**6))
def test_of_equal_hypotheses_the_first_is_chosen(seed):
    lists = drawn_lists(seed, whole=True)  # small whole numbers: many are equal
    weights = np.random.default_rng(seed).integers(-2, 3, 3).astype(float)
    assert lists.core.choose(weights).tolist() == chosen(lists, weights)
    point = point_at(lists, weights)
    for step in best_steps(lists, point, list(np.eye(3))):
        assert step.worth == pytest.approx(lists.score(step.weights))
        assert step.worth > point.worth


@pytest.mark.parametrize("search", SEARCHES)
def test_climbing_ends_where_no_feature_helps(search):
    for seed in range(10):
        lists = drawn_lists(seed, segments=8)
        top = climb(lists, np.ones(3), search=search, random_directions=2, rng=np.random.default_rng(1))
        assert np.abs(top.weights).sum() == pytest.approx(1)
        assert top.worth == pytest.approx(lists.score(top.weights))
        assert top.worth >= point_at(lists, np.ones(3)).worth
        for axis in np.eye(3):
            assert best_on_line(lists, top.weights, axis) <= top.worth + 1e-6


@pytest.mark.parametrize("search", SEARCHES)
def test_two_weights_are_found_as_by_looking_everywhere(search):
    """With two features all that counts is an angle; the choice changes where two hypotheses of a list are equal."""
    for seed in range(8):
        lists = drawn_lists(seed, segments=5, width=2)
        apart = np.concatenate(
            [(x[:, None] - x).reshape(-1, 2) for x in np.split(lists.features, lists.begins[1:-1])]
        )
        edges = np.unique(np.arctan2(apart[:, 0], -apart[:, 1]) % (2 * np.pi))
        middles = (edges + np.append(edges[1:], edges[0] + 2 * np.pi)) / 2
        everywhere = max(
            float(lists.aggregate(lists.rows[chosen(lists, np.array([np.cos(a), np.sin(a)]))].sum(0)))
            for a in middles
        )
        generator = np.random.default_rng(seed)
        reached = max(
            climb(lists, generator.uniform(-1, 1, 2), search=search, random_directions=2, rng=generator).worth
            for _ in range(10)
        )
        assert reached >= everywhere - 1e-9


def test_less_can_be_better():
    lists = drawn_lists(3, segments=8)
    less = WeightedLists(lists.features, lists.rows, lists.begins, lists.aggregate, higher=False)
    generator = np.random.default_rng(1)
    top = climb(less, np.ones(3), search="steepest", random_directions=0, rng=generator)
    assert less.score(top.weights) <= less.score(np.ones(3))
    assert top.worth == pytest.approx(-less.score(top.weights))


def test_an_unknown_search():
    with pytest.raises(UsageError, match="did you mean 'powell'"):
        climb(
            drawn_lists(1),
            np.ones(3),
            search="powel",
            random_directions=0,
            rng=np.random.default_rng(1),
        )


@pytest.fixture(scope="module")
def moses(shared):
    """Ten lists of a hundred hypotheses with 14 features, and Moses' start and bounds (golden/mert)."""
    folder = shared.golden / "mert"

    def blocks(name):
        lists, own = [], []
        for line in (folder / name).read_text().splitlines():
            if "_BEGIN_" in line:
                own = []
            elif "_END_" in line:
                lists.append(np.array(own))
            elif line.strip():
                own.append([float(cell) for cell in line.split()])
        return lists

    features, scores = blocks("FEATSTAT.txt"), np.concatenate(blocks("SCORESTAT.txt"))
    begins = (0, *np.cumsum([len(own) for own in features]).tolist())
    rows = np.column_stack([scores[:, 1], scores[:, 8], scores[:, 0:8:2], scores[:, 1:8:2]])
    start, lowest, highest = (
        np.array(line.split(), float) for line in (folder / "INIT").read_text().splitlines()[:3]
    )
    return WeightedLists(np.concatenate(features), rows, begins, BLEU.aggregate), start, lowest, highest


def plain_bleu(lists, weights):
    """Papineni's formula by hand on what numpy chooses."""
    sums = lists.rows[chosen(lists, weights)].sum(0)
    precision = np.exp(np.mean(np.log(sums[2:6] / sums[6:10])))
    return precision * min(1.0, np.exp(1 - sums[1] / sums[0]))


def test_moses_optimum_from_its_own_start(moses):
    lists, start, lowest, highest = moses
    used = np.any([np.ptp(own, axis=0) > 0 for own in np.split(lists.features, lists.begins[1:-1])], axis=0)
    own = WeightedLists(lists.features[:, used], lists.rows, lists.begins, lists.aggregate)
    seconds = []
    for _ in range(3):
        began = time.process_time()
        generator = np.random.default_rng(12345)
        starts = [start, *(generator.uniform(lowest, highest) for _ in range(20))]
        tops = [climb(own, s[used], search="steepest", random_directions=0, rng=generator) for s in starts]
        seconds.append(time.process_time() - began)
    best = max(tops, key=lambda point: point.worth)
    weights = np.zeros(14)
    weights[used] = best.weights
    assert plain_bleu(lists, weights) == pytest.approx(0.304339, abs=5e-7)
    assert best.worth / 100 == pytest.approx(plain_bleu(lists, weights))
    assert min(seconds) < 0.1


def test_other_starts_find_what_moses_did_not(moses):
    lists, _, _, _ = moses
    used = np.ptp(lists.features, axis=0) > 0
    own = WeightedLists(lists.features[:, used], lists.rows, lists.begins, lists.aggregate)
    generator = np.random.default_rng(7)
    tops = [
        climb(
            own,
            generator.uniform(-1, 1, used.sum()),
            search="steepest",
            random_directions=0,
            rng=generator,
        )
        for _ in range(30)
    ]
    best = max(tops, key=lambda point: point.worth)
    weights = np.zeros(14)
    weights[used] = best.weights
    assert plain_bleu(lists, weights) == pytest.approx(0.304536, abs=5e-7)
