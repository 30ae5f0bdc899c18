"""Fitting METEOR's parameters: planted ones are found, and nobody sees the fold that is held out."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from adjudge.evaluate.tuning.pearson import PearsonSums
from tests.oracles import correlation as oracle

from adjudge.data import Judgement, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.evaluate.tuning import items as items_module
from adjudge.evaluate.tuning import search as search_module
from adjudge.evaluate.tuning import space as space_module
from adjudge.evaluate.tuning import tune, tune_items
from adjudge.evaluate.tuning.items import Gathered, Items, gather
from adjudge.evaluate.tuning.search import fold_of_units, search
from adjudge.evaluate.tuning.space import GRID, Space, scores
from adjudge.evaluate.tuning.tuning import held_out_scores
from adjudge.metrics.meteor_parameters import Parameters

DEFAULT = Parameters(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)
PLANTED = Parameters(0.5, 1.0, 0.4, 0.6, 1.0, 0.5, 1.0, 0.0)
SMALL = {
    "delta": (0.5, 0.6, 0.8),
    "stem": (0.0, 0.5, 1.0),
    "synonym": (0.5, 1.0),
    "paraphrase": (0.0, 0.5),
    "alpha": (0.1, 0.5, 0.9),
    "beta": (0.2, 1.0, 2.0),
    "gamma": (0.0, 0.4, 0.8),
}


def made_rows(n, seed=0, matchers=4):
    """Rows as METEOR would have them, of translations that are better or worse by chance."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, 23))
    words = np.stack([rng.integers(5, 30, n), rng.integers(5, 30, n)], 1)
    function = rng.binomial(words, 0.45)
    rows[:, 0:2], rows[:, 2:4] = words, function
    left = [(words - function).min(1), function.min(1)]
    quality = rng.beta(4, 3, n)
    for matcher in range(matchers):
        for kind in (0, 1):
            found = rng.binomial(left[kind], quality * (0.6 if matcher == 0 else 0.3))
            left[kind] = left[kind] - found
            rows[:, 7 + 4 * matcher + kind] = rows[:, 9 + 4 * matcher + kind] = found
    matched = rows[:, [7, 8, 11, 12, 15, 16, 19, 20]].sum(1).astype(int)
    rows[:, 4] = rows[:, 5] = matched
    rows[:, 6] = np.where(matched > 0, 1 + rng.binomial(np.maximum(matched - 1, 0), rng.beta(2, 3, n)), 0)
    return rows


def plain_score(row, p):
    """The formula, for one row, as the paper has it."""
    sides = []
    for side in (0, 1):
        matched = sum(
            w * (p.delta * row[7 + 4 * m + 2 * side] + (1 - p.delta) * row[8 + 4 * m + 2 * side])
            for m, w in enumerate(p.weights)
        )
        total = p.delta * (row[side] - row[2 + side]) + (1 - p.delta) * row[2 + side]
        sides.append(matched / total if total else 0.0)
    precision, recall = sides
    if precision == 0 or recall == 0:
        return 0.0
    mean = precision * recall / (p.alpha * precision + (1 - p.alpha) * recall)
    return mean * (1 - p.gamma * (row[6] / ((row[4] + row[5]) / 2)) ** p.beta)


@pytest.fixture
def small(monkeypatch):
    """A grid that takes no time."""
    monkeypatch.setattr(space_module, "GRID", SMALL)


def planted(n, noise=0.0, seed=0, matchers=4):
    rows = made_rows(n, seed, matchers)
    human = scores(rows, [PLANTED])[0]
    # Times a power of 2, which rounds nothing: what is equal stays so.
    human = 64 * (human + noise * human.std() * np.random.default_rng(seed + 1).normal(size=n))
    return Items(rows, human, np.arange(n) // 4)


def ranked(n, seed=0):
    items = planted(n, noise=0.5, seed=seed)
    order = [
        p for u in range(items.units) for p in itertools.permutations(np.flatnonzero(items.unit == u), 2)
    ]
    pairs = np.array([(a, b) for a, b in order if items.human[a] > items.human[b]])
    return Items(items.rows, np.zeros(n), items.unit, pairs)


def fit(items, measure="pearson", **options):
    gathered = Gathered(items, len(items), 4, items.units)
    common = {"level": "segment", "unit": "segment", "protocol": "da", "resamples": 50}
    return tune_items(gathered, DEFAULT, measure=measure, **(common | options))


def test_scores_are_the_formula():
    rows = made_rows(60)
    rows[0, 4:] = 0  # nothing matched
    rows[1, :] = 0  # nothing there
    points = [
        DEFAULT,
        PLANTED,
        replace(PLANTED, alpha=0.0, gamma=1.0),
        replace(DEFAULT, alpha=1.0, delta=1.0),
    ]
    expected = [[plain_score(row, point) for row in rows] for point in points]
    np.testing.assert_allclose(scores(rows, points), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall"])
def test_planted_parameters_are_found(small, measure):
    tuning = fit(planted(240), measure)
    assert tuning.fitted == pytest.approx(1.0, abs=1e-9)
    assert tuning.parameters == PLANTED
    assert tuning.held_out[0].tuned == pytest.approx(1.0, abs=1e-3)
    assert tuning.held_out[0].delta > 0


def test_planted_parameters_off_the_grid_are_refined(small, monkeypatch):
    monkeypatch.setattr(space_module, "GRID", SMALL | {"alpha": (0.3, 0.8), "gamma": (0.3, 0.7)})
    tuning = fit(planted(240))
    assert tuning.fitted > 0.9999
    assert tuning.parameters.alpha == pytest.approx(0.5, abs=0.05)


def test_noise_is_no_obstacle(small):
    tuning = fit(planted(400, noise=1.0), resamples=200)
    first = tuning.held_out[0]
    assert first.default < first.tuned < tuning.fitted
    assert first.low < first.delta < first.high
    assert 0 < first.p_value < 0.05
    assert 0 < first.p_williams < 0.05
    assert [one.measure for one in tuning.held_out] == ["pearson", "spearman", "kendall"]


def brute_force(items, measure):
    """Every point of the grid, one after the other, by the slow twins."""
    human = list(items.human)
    best = (-np.inf, None)
    for values in itertools.product(*SMALL.values()):
        point = replace(DEFAULT, **dict(zip(SMALL, values, strict=True)))
        mine = [plain_score(row, point) for row in items.rows]
        if measure == "pearson":
            value = oracle.pearson(mine, human)
        elif measure == "spearman":
            value = oracle.pearson(oracle.ranks(mine), oracle.ranks(human))
        elif measure == "kendall":
            value = oracle.tau_b(mine, human)
        else:
            value = sum(1 if mine[a] > mine[b] else -1 for a, b in items.pairs) / len(items.pairs)
        if round(value, 9) > best[0]:
            best = round(value, 9), point
    return best


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
def test_the_grid_is_searched_as_brute_force_would(small, measure):
    items = ranked(16) if measure == "tau" else planted(12, noise=1.0)
    fold = fold_of_units(items.units, 2, 7)[items.unit]
    found = search(items, fold, 2, Space.of(items.rows, DEFAULT), measure, seed=7)
    for part, one in enumerate(found):
        mine = items if part == 2 else items.take(fold != part)
        value, _ = brute_force(mine, measure)
        assert one.grid_value == pytest.approx(value, abs=2e-9)
        assert one.value >= one.grid_value


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
def test_refinement_is_never_worse_than_grid_or_default(small, measure):
    for seed in range(3):
        items = ranked(40, seed) if measure == "tau" else planted(40, noise=2.0, seed=seed)
        fold = fold_of_units(items.units, 3, seed)[items.unit]
        for part, one in enumerate(search(items, fold, 3, Space.of(items.rows, DEFAULT), measure, seed=seed)):
            mine = items if part == 3 else items.take(fold != part)
            default, grid, final = mine.correlation(
                scores(mine.rows, [DEFAULT, one.grid_point, one.point]), measure
            )
            assert final >= grid - 1e-8
            assert final >= default - 1e-8
            assert final == pytest.approx(one.value, abs=1e-8)


def test_sums_give_pearson_s_correlation():
    items = planted(3000, noise=1.0)
    fold = fold_of_units(items.units, 5, 3)[items.unit]
    space = Space.of(items.rows, DEFAULT)
    sums = PearsonSums(items, fold, 5)
    sums.prepare(space.axis("beta"))
    way = space.counting()[77]
    points, values = sums.values(way, space)
    for index in (0, 50, 179):
        alpha, beta, gamma = points[index]
        one = scores(items.rows, [replace(way, alpha=alpha, beta=beta, gamma=gamma)])[0]
        expected = [np.corrcoef(one[fold != f], items.human[fold != f])[0, 1] for f in range(6)]
        np.testing.assert_allclose(values[index], expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("measure", ["pearson", "kendall", "tau"])
def test_no_part_sees_its_fold(small, measure):
    items = ranked(80) if measure == "tau" else planted(80, noise=1.0)
    fold = fold_of_units(items.units, 4, 5)[items.unit]
    before = search(items, fold, 4, Space.of(items.rows, DEFAULT), measure, seed=5)
    # What people said of fold 2 is turned upside down: without it, all stays as it was.
    human = np.where(fold == 2, -items.human, items.human)
    pairs = items.pairs
    if pairs is not None:
        pairs = np.where((fold[pairs[:, :1]] == 2), pairs[:, ::-1], pairs)
    after = search(
        Items(items.rows, human, items.unit, pairs), fold, 4, Space.of(items.rows, DEFAULT), measure, seed=5
    )
    assert after[2] == before[2]
    assert [a.value for a in after] != [b.value for b in before]


def test_held_out_scores_are_by_the_parameters_of_others():
    items = planted(40)
    fold = fold_of_units(items.units, 2, 1)[items.unit]
    found = held_out_scores(items, fold, [DEFAULT, PLANTED])
    for number, point in enumerate([DEFAULT, PLANTED]):
        mine = scores(items.rows, [point])[0]
        np.testing.assert_allclose(
            found[fold == number], ((mine - mine.mean()) / mine.std())[fold == number], rtol=0, atol=1e-12
        )


def test_folds_hold_whole_units_of_about_one_size():
    fold = fold_of_units(103, 5, 1)
    assert set(np.bincount(fold)) == {20, 21}
    assert (fold != fold_of_units(103, 5, 2)).any()
    assert (fold == fold_of_units(103, 5, 1)).all()


@pytest.mark.parametrize("measure", ["pearson", "spearman", "tau"])
def test_threads_change_nothing_and_the_seed_decides(small, measure):
    items = ranked(60) if measure == "tau" else planted(60, noise=1.0)
    one = fit(items, measure, threads=1)
    assert fit(items, measure, threads=3) == one
    assert fit(items, measure, threads=1, seed=1) != one


def test_a_sample_is_searched_where_sorting_would_take_long(small, monkeypatch):
    monkeypatch.setattr(search_module, "SORTED_AT_ONCE", 100)
    tuning = fit(planted(400), "spearman")
    assert tuning.fitted > 0.999
    assert tuning.items == 400


def test_a_matcher_that_matches_nothing_keeps_its_weight(small):
    items = planted(60, matchers=2)
    tuning = fit(items)
    assert tuning.free == ("delta", "stem", "alpha", "beta", "gamma")
    assert tuning.parameters.synonym == DEFAULT.synonym
    assert tuning.grid == 3 * 3 * 3 * 3 * 3


def test_the_stated_grid_has_its_size():
    assert Space.of(made_rows(50), DEFAULT).size == 24300 == np.prod([len(v) for v in GRID.values()])


# From judgements to items

TEST_SET = TestSet(references=(("a",) * 4,), labels={"document": ("d1", "d1", "d2", "d2")})
ROWS = {"A": made_rows(4, 1), "B": made_rows(4, 2)}


def said(system, item, score, **others):
    return Judgement(system, str(item), score, protocol="da", **others)


def gathered(judgements, test_set=TEST_SET, rows=ROWS, level="segment", unit="segment", **options):
    return gather(judgements, rows, test_set, level=level, unit=unit, **options)


def test_several_judgements_of_a_translation_count_by_their_mean():
    found = gathered([said("A", 1, 10), said("B", 2, 5), said("A", 1, 20)])
    assert found.items.human.tolist() == [15, 5]
    assert (found.items.rows == [ROWS["A"][0], ROWS["B"][1]]).all()
    assert (found.judgements, found.systems, found.segments) == (3, 2, 2)


def test_lower_is_better_where_edits_are_counted():
    found = gathered([Judgement("A", "1", 0.3, protocol="hter"), Judgement("B", "1", 0.1, protocol="hter")])
    assert found.items.human.tolist() == [-0.3, -0.1]


def test_units_are_segments_documents_or_systems():
    spoken = [said(s, i, i) for s in "AB" for i in (1, 2, 3)]
    assert gathered(spoken).items.unit.tolist() == [0, 1, 2, 0, 1, 2]
    assert gathered(spoken, unit="document").items.unit.tolist() == [0, 0, 1, 0, 0, 1]
    assert gathered(spoken, unit="system").items.unit.tolist() == [0, 0, 0, 1, 1, 1]


def test_systems_are_judged_by_the_mean_of_their_translations():
    # A's first segment has two judgements, yet counts once.
    found = gathered(
        [said("A", 1, 10), said("A", 1, 20), said("A", 2, 5), said("B", 3, 1)], level="system", unit="system"
    )
    assert found.items.human.tolist() == [10, 1]
    np.testing.assert_array_equal(found.items.rows[0], ROWS["A"].sum(0))


def test_outputs_that_are_the_same_were_judged_once():
    joined = said("A+B", 1, 7)
    assert len(gathered([joined, said("A", 2, 1)]).items) == 2
    assert gathered([joined], level="system").items.human.tolist() == [7, 7]


def test_wmt_dresses_names():
    found = gathered([said("newstest2013.fr-en.A", 1, 1), said("newstest2016.B.ro-en", 1, 2)])
    assert found.systems == 2


def test_segments_by_id_or_from_another_first_number():
    named = TestSet(references=(("a",) * 4,), labels={"segment_id": ("w", "x", "y", "z")})
    assert (gathered([said("A", "y", 1)], named).items.rows == ROWS["A"][2]).all()
    assert (gathered([said("A", 0, 1)], first=0).items.rows == ROWS["A"][0]).all()


def ranks(*values, segment=1, ranking="r"):
    return [
        Judgement(name, str(segment), rank=rank, ranking=ranking, protocol="rank")
        for name, rank in zip("ABC", values, strict=False)
    ]


def test_ranks_make_pairs_within_a_ranking_only():
    rows = ROWS | {"C": made_rows(4, 3)}
    found = gathered(ranks(1, 2, 2) + ranks(2, 1, ranking="other"), rows=rows)
    assert sorted(map(tuple, found.items.pairs.tolist())) == [(0, 1), (0, 2), (1, 0)]
    shares = gathered(ranks(1, 2, 2) + ranks(2, 1, ranking="other"), rows=rows, level="system").items.human
    np.testing.assert_allclose(shares, [2 / 3, 1 / 2, 0])


def test_taking_items_keeps_their_pairs():
    items = ranked(16)
    keep = items.unit != 1
    taken = items.take(keep)
    kept = np.flatnonzero(keep)
    assert set(map(tuple, kept[taken.pairs])) == {tuple(p) for p in items.pairs if keep[p].all()}


@pytest.mark.parametrize(
    ("judgements", "options", "message"),
    [
        ([said("C", 1, 1)], {}, "unknown system in the judgements 'C'; known: A, B"),
        ([said("C", 1, 1)], {"known_only": True}, "no judgement of any of the systems"),
        (
            [said("A", 0, 1)],
            {},
            "segment 0 of the judgements: the test set has 1 to 4; do they count from 0?",
        ),
        ([said("A", 5, 1)], {}, "segment 5 of the judgements: the test set has 1 to 4"),
        ([said("A", "x7", 1)], {}, "segment 'x7' of the judgements is no whole number"),
        ([Judgement("A", "", 1.0, protocol="da")], {}, "--level system"),
        (ranks(1, 1), {}, "no two translations of a segment have different ranks"),
    ],
)
def test_judgements_that_do_not_fit(judgements, options, message):
    with pytest.raises(DataError) as error:
        gathered(judgements, **options)
    assert message in str(error.value)


def test_questions_that_make_no_sense():
    spoken = [said("A", i, i) for i in (1, 2, 3, 4)]
    for options, message in [
        ({"level": "sytem"}, "unknown level 'sytem'; did you mean 'system'"),
        ({"measure": "person"}, "unknown correlation 'person'; did you mean 'pearson'"),
        ({"measure": "tau"}, "tau is for ranks"),
        ({"unit": "speaker"}, "unknown unit 'speaker'"),
        ({"folds": 1}, "at least 2"),
        ({"level": "system", "unit": "segment"}, "systems are held out"),
    ]:
        with pytest.raises(UsageError, match=message):
            tune(spoken, ROWS, TEST_SET, DEFAULT, **options)
    with pytest.raises(UsageError, match="by tau only"):
        tune(ranks(1, 2), ROWS, TEST_SET, DEFAULT, measure="pearson")
    with pytest.raises(UsageError, match="cannot be held apart"):
        tune(ranks(1, 2), ROWS, TEST_SET, DEFAULT, unit="system")


def test_too_little_or_nothing_to_fit_to():
    with pytest.raises(DataError, match="no judgements"):
        tune([], ROWS, TEST_SET, DEFAULT)
    with pytest.raises(DataError, match=r"too few judgements: 4 segments for 5 folds.*--folds 4"):
        tune([said("A", i, i) for i in (1, 2, 3, 4)], ROWS, TEST_SET, DEFAULT)
    with pytest.raises(DataError, match=r"all 8 judgements are the same \(50\)"):
        tune([said(s, i, 50) for s in "AB" for i in (1, 2, 3, 4)], ROWS, TEST_SET, DEFAULT, folds=2)
    empty = {name: np.zeros((4, 23)) for name in "AB"}
    with pytest.raises(DataError, match="the same score"):
        tune([said(s, i, i) for s in "AB" for i in (1, 2, 3, 4)], empty, TEST_SET, DEFAULT, folds=2)


def test_systems_can_be_fitted_to(small):
    names = "abcdefgh"
    rows = {name: made_rows(30, seed) for seed, name in enumerate(names)}
    test_set = TestSet(references=(("x",) * 30,))
    human = {name: scores(rows[name].sum(0)[None], [PLANTED])[0, 0] for name in names}
    tuning = tune(
        [Judgement(name, score=value, protocol="da") for name, value in human.items()],
        rows, test_set, DEFAULT, level="system", folds=4, resamples=20,
    )  # fmt: skip
    assert tuning.fitted == pytest.approx(1.0, abs=1e-6)
    assert tuning.items == tuning.units == 8
    assert "very few" in tuning.warnings[0]


def test_all_names_are_in_one_place():
    assert items_module.MEASURES == ("pearson", "spearman", "kendall", "tau")
