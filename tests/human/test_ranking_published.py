"""What was published of four campaigns, from the judgements that are public."""

from itertools import pairwise

import numpy as np
import pytest

from adjudge.human.pairs import comparisons, resampled_tables
from adjudge.human.preferences import preferences
from adjudge.human.ranking import rank_systems
from adjudge.human.trueskill import trueskill_runs
from adjudge.stats.clusters import range_clusters
from helpers.rankings import laeubli, official, toral, toral_published, wmt13, wmt16

WMT16 = ("deu-eng", "eng-ron", "eng-tur", "ron-eng", "tur-eng")
NEAR_THE_EDGE = 0.015, 0.035
"""A rank is in a 95 % range if 2.5 % of runs reach it. With 1,000 runs that is off by less than 1 % (two sigma)."""

EXPECTED_WINS = {
    "uedin-heafield-unconstrained": 0.638,
    "uedin-wmt13": 0.603,
    "online-B": 0.591,
    "LIMSI-Ncode-SOUL-primary": 0.573,
    "KIT_primary": 0.561,
    "online-A": 0.540,
    "MES-SimplifiedFrench-primary": 0.512,
    "DCU__primary": 0.485,
    "RWTH_primary": 0.438,
    "CMU_Tree-to-Tree": 0.428,
    "cu-zeman": 0.420,
    "JHU": 0.389,
    "Shef-wproa": 0.322,
}


def test_expected_wins_of_wmt13(shared):
    ranking = rank_systems(wmt13(shared), seed=1)
    assert [s.system for s in ranking.systems] == list(EXPECTED_WINS)
    for system in ranking.systems:
        assert system.score == pytest.approx(EXPECTED_WINS[system.system], abs=0.0006)
    assert (ranking.comparisons, ranking.units, ranking.remarks) == (99_960, 9_996, ())


@pytest.mark.parametrize("pair", WMT16)
def test_trueskill_of_wmt16(shared, pair):
    published, judgements = official(shared, pair), wmt16(shared, pair)
    ranking = rank_systems(judgements, method="trueskill", seed=1)
    assert [s.system for s in ranking.systems] == list(published)
    other = {}
    for system in ranking.systems:
        score, ranks, cluster = published[system.system]
        # Both are means of 1,000 runs, which vary by some 0.08: four standard errors of a difference.
        assert system.score == pytest.approx(score, abs=4 * system.deviation * np.sqrt(2 / 1000) + 0.0005)
        if (system.rank, system.cluster) != (ranks, cluster):
            other[system.system] = ranks
    # In deu-eng close to 2.5 % of runs reach the ends of two ranges, and the line between them depends on it.
    assert pair == "deu-eng" or not other
    assert_chance_decides(judgements, other)


def assert_chance_decides(judgements, published):
    """Published ends of ranges are right, or lie where 1,000 runs may fall on one side or on the other."""
    if not published:
        return
    made = comparisons(judgements)
    ((wins, ties),) = resampled_tables(made, None, resamples=1000, seed=3)
    scores = trueskill_runs(wins, ties, comparisons=len(made.cells), seed=4)
    ranks = 1 + (scores[:, None, :] > scores[:, :, None]).sum(2)
    low, high = NEAR_THE_EDGE
    for system, (best, worst) in published.items():
        own = ranks[:, made.systems.index(system)]
        assert (own <= best).mean() > low
        assert (own < best).mean() < high
        assert (own >= worst).mean() > low
        assert (own > worst).mean() < high


def test_clusters_of_all_of_wmt16(shared):
    """Lines are drawn where WMT drew them, from the ranges it printed."""
    files = sorted((shared.data / "06_rankings_wmt16/results").glob("*.txt"))
    assert len(files) == 12
    for path in files:
        published = list(official(shared, path.name.split(".")[1]).values())
        scores = np.array([score for score, _, _ in published])
        assert all(a >= b for a, b in pairwise(scores))
        clusters = range_clusters(scores, [ranks for _, ranks, _ in published])
        assert clusters == [cluster for _, _, cluster in published]


@pytest.mark.parametrize("subset", ["all", "en", "zh", "zh.prof", "zh.nonprof"])
def test_trueskill_of_toral(shared, subset):
    published = toral_published(shared, subset)
    ranking = rank_systems(toral(shared, subset), method="trueskill", unit="none", seed=1)
    assert [s.system for s in ranking.systems] == list(published)
    for system in ranking.systems:
        score, ranks, cluster = published[system.system]
        assert system.score == pytest.approx(score, abs=4 * system.deviation * np.sqrt(2 / 1000) + 0.0005)
        assert (system.rank, system.cluster) == (ranks, cluster)


@pytest.mark.parametrize(
    ("condition", "level", "percent", "p"),
    [
        ("adequacy", "document", (52, 11, 37), 0.029),
        ("adequacy", "sentence", (41, 9, 50), 0.244),
        ("fluency", "document", (50, 28, 22), 0.0),
        ("fluency", "sentence", (51, 17, 32), 0.003),
    ],
)
def test_preferences_of_laeubli(shared, condition, level, percent, p):
    """As published, every judgement by itself; items' means give .044, .289, < .001 and .008."""
    (preference,) = preferences(laeubli(shared, condition, level), unit="pair")
    assert (preference.system, preference.other) == ("human", "mt")
    assert preference.shares == pytest.approx(percent, abs=0.5)
    assert preference.p == pytest.approx(p, abs=0.0005)
    if (condition, level) == ("adequacy", "document"):
        assert (preference.wins, preference.ties, preference.losses) == (104, 22, 74)
