"""Rank tests against scipy's on drawn scores, against WMT's own p-values on real ones, and their laws."""

import csv
import math
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.stats import ranktests
from adjudge.stats.ranktests import ALTERNATIVES, all_pairs, rank_sum, sign_test, signed_rank

few = st.integers(-3, 3).map(float)
fine = st.floats(-1e6, 1e6, allow_subnormal=False)


def scores(minimum=1, maximum=30):
    return st.sampled_from([few, fine]).flatmap(
        lambda kind: st.lists(kind, min_size=minimum, max_size=maximum).map(np.array)
    )


two_lists = st.sampled_from([few, fine]).flatmap(
    lambda kind: st.tuples(*[st.lists(kind, min_size=1, max_size=30).map(np.array)] * 2)
)
pairs_of_scores = st.sampled_from([few, fine]).flatmap(
    lambda kind: st.lists(st.tuples(kind, kind), min_size=1, max_size=40).map(lambda x: np.array(x).T)
)
alternatives = st.sampled_from(ALTERNATIVES)


@given(two_lists, alternatives, st.booleans())
def test_rank_sum_is_scipys(lists, alternative, continuity):
    a, b = lists
    assume(len(set(a) | set(b)) > 1)
    theirs = scipy.stats.mannwhitneyu(
        a, b, alternative=alternative, use_continuity=continuity, method="asymptotic"
    )
    ours = rank_sum(a, b, alternative=alternative, continuity=continuity)
    assert ours.statistic == theirs.statistic
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-12, abs=1e-300)


@given(two_lists, alternatives)
def test_exact_rank_sum_deals_the_scores_in_all_ways(lists, alternative):
    a, b = lists[0][:4], lists[1][:4]
    ranks = scipy.stats.rankdata(np.concatenate([a, b]))
    sums = np.array([sum(c) for c in combinations(ranks, len(a))])
    upper, lower = (sums >= ranks[: len(a)].sum()).mean(), (sums <= ranks[: len(a)].sum()).mean()
    expected = {"greater": upper, "less": lower, "two-sided": min(1, 2 * min(upper, lower))}[alternative]
    assert rank_sum(a, b, alternative=alternative, method="exact").p == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_p_values_are_scipys_where_it_has_them(alternative):
    rng = np.random.default_rng(5)
    for n, m in [(3, 5), (8, 8), (20, 31)]:
        a, b = rng.normal(0.5, 1, n), rng.normal(size=m)
        theirs = scipy.stats.mannwhitneyu(a, b, alternative=alternative, method="exact").pvalue
        assert rank_sum(a, b, alternative=alternative, method="exact").p == pytest.approx(theirs, rel=1e-9)
        theirs = scipy.stats.wilcoxon(a, b[:n], alternative=alternative, method="exact").pvalue
        ours = signed_rank(a, b[:n], alternative=alternative, method="exact").p
        assert ours == pytest.approx(theirs, rel=1e-9)


@given(pairs_of_scores, alternatives, st.sampled_from(ranktests.ZEROS), st.booleans())
def test_signed_rank_is_scipys(pairs, alternative, zeros, continuity):
    a, b = pairs
    assume((a != b).any())
    theirs = scipy.stats.wilcoxon(
        a, b, alternative=alternative, zero_method=zeros, correction=continuity, method="asymptotic"
    )
    ours = signed_rank(a, b, alternative=alternative, zeros=zeros, continuity=continuity)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-11, abs=1e-300)
    if alternative == "two-sided":
        assert min(ours.positive, ours.negative) == theirs.statistic


@given(pairs_of_scores, alternatives, st.sampled_from(ranktests.ZEROS))
def test_exact_signed_rank_turns_all_signs(pairs, alternative, zeros):
    d = pairs[0, :8] - pairs[1, :8]
    if zeros == "wilcox":
        d = d[d != 0]
    ranks = scipy.stats.rankdata(np.abs(d))
    ranks = ranks[d != 0]
    signs = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
    seen, sums = ranks[d[d != 0] > 0].sum(), signs @ ranks if len(ranks) else np.zeros(1)
    upper, lower = (sums >= seen).mean(), (sums <= seen).mean()
    expected = {"greater": upper, "less": lower, "two-sided": min(1, 2 * min(upper, lower))}[alternative]
    ours = signed_rank(pairs[0, :8], pairs[1, :8], alternative=alternative, zeros=zeros, method="exact")
    assert ours.p == pytest.approx(expected, abs=1e-12)


@given(pairs_of_scores, alternatives)
def test_sign_test_is_the_binomial(pairs, alternative):
    a, b = pairs
    ours = sign_test(a, b, alternative=alternative)
    assert (ours.wins, ours.ties, ours.losses) == ((a > b).sum(), (a == b).sum(), (a < b).sum())
    assume(ours.wins + ours.losses)
    theirs = scipy.stats.binomtest(ours.wins, ours.wins + ours.losses, alternative=alternative).pvalue
    assert ours.p == pytest.approx(theirs, rel=1e-12)


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=8, max_size=8), min_size=2, max_size=4),
    st.sampled_from(ranktests.TESTS),
    st.sampled_from(ranktests.ZEROS),
    st.randoms(use_true_random=False),
)
def test_what_rounding_parted_ties(whole, test, zeros, random):
    exact = np.array(whole) / 8  # of which sums and differences have no rounding
    blurred = exact + np.array([[random.uniform(-1e-13, 1e-13) for _ in row] for row in whole])
    plain = all_pairs(exact, test, zeros=zeros)
    result = all_pairs(blurred, test, zeros=zeros, rounding=1e-9)
    assert result.p == pytest.approx(plain.p, rel=1e-12, nan_ok=True)
    assert result.beats == pytest.approx(plain.beats, nan_ok=True)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("continuity", [True, False])
def test_equal_scores_say_nothing(alternative, continuity):
    same = np.full(7, 0.1)
    assert rank_sum(same, same[:3], alternative=alternative, continuity=continuity).p == 1
    for method in ranktests.METHODS:
        assert signed_rank(same, same, alternative=alternative, continuity=continuity, method=method).p == 1
        assert rank_sum(same, same, alternative=alternative, method=method).p == 1
    assert sign_test(same, same, alternative=alternative).p == 1


def test_bad_scores_are_refused():
    good = np.arange(3.0)
    with pytest.raises(DataError, match="score 2 of b is nan"):
        rank_sum(good, np.array([1.0, math.nan]))
    with pytest.raises(DataError, match="score 1 of a is inf"):
        sign_test(np.array([math.inf]), good[:1])
    with pytest.raises(UsageError, match="a is not a list"):
        rank_sum(np.array([]), good)
    with pytest.raises(UsageError, match="3 of a and 2 of b"):
        signed_rank(good, good[:2])
    with pytest.raises(UsageError, match="did you mean 'greater'"):
        rank_sum(good, good, alternative="great")
    with pytest.raises(UsageError, match="too many for the exact test"):
        rank_sum(np.arange(150.0), np.arange(150.0), method="exact")
    with pytest.raises(DataError, match="infinite"):
        all_pairs(np.array([[1.0, math.inf]]))
    with pytest.raises(UsageError, match="unknown test"):
        all_pairs(good[None], "t")


@st.composite
def matrices(draw):
    systems, segments = draw(st.integers(1, 4)), draw(st.integers(1, 12))
    cell = st.one_of(draw(st.sampled_from([few, fine])), st.just(math.nan))
    return np.array(
        draw(
            st.lists(st.lists(cell, min_size=segments, max_size=segments), min_size=systems, max_size=systems)
        )
    )


@given(matrices(), alternatives, st.booleans(), st.booleans(), st.sampled_from(ranktests.ZEROS))
def test_a_matrix_is_all_its_pairs(matrix, alternative, common, continuity, zeros):
    options = {"alternative": alternative, "continuity": continuity}
    summed = all_pairs(matrix, common=common, **options)
    signed = all_pairs(matrix, "signed-rank", zeros=zeros, **options)
    sign = all_pairs(matrix, "sign", alternative=alternative)
    assert np.isnan(np.diag(summed.p)).all()
    for i, j in permutations(range(len(matrix)), 2):
        both = ~np.isnan(matrix[i]) & ~np.isnan(matrix[j])
        a, b = matrix[i][both], matrix[j][both]
        assert summed.segments[i, j] == both.sum()
        if both.any():
            assert summed.beats[i, j] == (a > b).mean()
            assert sign.p[i, j] == sign_test(a, b, alternative=alternative).p
            assert signed.p[i, j] == signed_rank(a, b, zeros=zeros, **options).p
        else:
            assert np.isnan([summed.beats[i, j], sign.p[i, j], signed.p[i, j]]).all()
        if not common:
            a, b = (entry[~np.isnan(entry)] for entry in (matrix[i], matrix[j]))
        if len(a) and len(b):
            alone = rank_sum(a, b, **options)
            assert summed.p[i, j] == alone.p
            assert summed.share[i, j] == pytest.approx(alone.superiority, abs=1e-12)
        else:
            assert np.isnan([summed.p[i, j], summed.share[i, j]]).all()


def test_blocks_and_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    matrix = np.where(rng.random((6, 50)) < 0.2, math.nan, rng.normal(size=(6, 50)))
    for test in ranktests.TESTS:
        whole = all_pairs(matrix, test, threads=1).p
        with monkeypatch.context() as patch:
            patch.setattr(ranktests, "BLOCK", 170)
            np.testing.assert_array_equal(all_pairs(matrix, test, threads=3).p, whole)


def segment_means(folder):
    """The official mean z of each translation: SYS SID RAW Z N."""
    with open(folder / "seg-scores.csv", encoding="utf-8") as file:
        rows = [line.split() for line in file][1:]
    systems = {name: i for i, name in enumerate(dict.fromkeys(row[0] for row in rows))}
    segments = {sid: i for i, sid in enumerate(dict.fromkeys(row[1] for row in rows))}
    means = np.full((len(systems), len(segments)), math.nan)
    for system, sid, _, z, _ in rows:
        means[systems[system], segments[sid]] = float(z)
    return systems, means


@pytest.mark.parametrize("pair", ["is-en", "cs-en"])
def test_wmt21_printed_these_p_values(shared, pair):
    folder = shared.data / "01_wmt21_da_toen" / pair / "human"
    systems, means = segment_means(folder)
    ours = all_pairs(means, alternative="greater", common=False).p
    with open(folder / "wilcoxon-p.csv", encoding="utf-8") as file:
        columns, *rows = [row for row in csv.reader(file, delimiter=" ") if any(row)]
    compared = 0
    for name, *cells in rows:
        for other, cell in zip((c for c in columns if c), cells, strict=False):
            if float(cell) != 0.12:  # which stands for all that are not significant
                p = ours[systems[name], systems[other]]
                assert p == pytest.approx(float(cell), rel=1e-12), (name, other)
                compared += 1
    assert compared > 20


def test_sign_tests_of_a_published_study(shared):
    """Läubli et al. 2018: people against machines, by documents and by sentences."""
    with open(shared.data / "09_laeubli18_pairwise" / "ratings.csv", encoding="utf-8") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if not (row["type"] == "sentence" and row["exp_item_number"][0] == "U")
        ]
    result = {}
    for condition in ("adequacy", "fluency"):
        for level in ("document", "sentence"):
            values = [r["rating"] for r in rows if (r["condition"], r["type"]) == (condition, level)]
            human = np.array([{"human": 1.0, "tie": 0.0, "mt": -1.0}[entry] for entry in values])
            result[condition, level] = sign_test(human, np.zeros(len(human)))
    assert (result["adequacy", "document"].wins, result["adequacy", "document"].losses) == (104, 74)
    assert round(result["adequacy", "document"].p, 3) == 0.029
    assert round(result["adequacy", "sentence"].p, 3) == 0.244
    assert result["fluency", "document"].p < 0.001
    assert round(result["fluency", "sentence"].p, 3) == 0.003
