"""Power from a pilot: of outputs that a metric scored, of a stored run, of scores that people gave."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from adjudge.comparison import Plan, TestSetFacts, compare_measured, measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.planning.campaign_plan import CampaignDesign
from adjudge.planning.pilot import pilot_of_rows, pilot_of_scores
from adjudge.planning.pilot_power import map_power_from_pilot, power_from_pilot
from adjudge.stats import power as formulas

QUICK = CampaignDesign(simulations=500)


def scores(segments=300, shift=0.25, correlation=0.5, seed=3):
    """Systems A and B (better by the shift) whose scores of a segment correlate."""
    rng = np.random.default_rng(seed)
    hard = math.sqrt(correlation) * rng.normal(size=segments)
    a, b = (hard + math.sqrt(1 - correlation) * rng.normal(size=segments) for _ in range(2))
    return ScoreMatrix(("A", "B"), np.stack([a, b + a.mean() - b.mean() + shift]))


@pytest.fixture(scope="module")
def measured(request):
    """Two systems that differ on every third segment, by BLEU."""
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(50)]
    references = [" ".join(rng.choice(words, 12)) for _ in range(120)]

    def spoil(text, share):
        return " ".join(rng.choice(words) if rng.random() < share else word for word in text.split())

    old = [spoil(text, 0.4) for text in references]
    new = [
        spoil(ref, 0.3) if i % 3 == 0 else text
        for i, (ref, text) in enumerate(zip(references, old, strict=True))
    ]
    labels = {"document": tuple(f"d{i // 4}" for i in range(120))}
    test_set = TestSet(references=(tuple(references),), labels=labels)
    result = measure(test_set, [Outputs("old", tuple(old)), Outputs("new", tuple(new))], ["bleu", "ter"])
    return {entry.metric: entry for entry in result}


def test_the_facts_of_a_pilot(measured):
    pilot = pilot_of_rows(measured["bleu"], seed=1)
    facts = pilot.facts
    comparison = compare_measured(
        [measured["bleu"]],
        TestSetFacts("", 120, 1, ""),
        plan=Plan(seed=1, interval="percentile"),
    )
    (pair,) = comparison.pairs
    assert (facts.a, facts.b, facts.units, facts.unit) == ("old", "new", 120, "segment")
    assert facts.difference == pytest.approx(pair.delta)
    assert (facts.low, facts.high) == pytest.approx((pair.low, pair.high))
    assert 0.5 < facts.effect < 0.6
    assert pilot.difference_at(1.0) == pytest.approx(facts.difference)
    assert pilot.difference_at(0.0) == pytest.approx(0.0, abs=1e-9)
    assert pilot.difference_at(0.5) == pytest.approx(facts.difference / 2, rel=0.05)
    assert pilot_of_rows(measured["bleu"], ("new", "old"), seed=1).facts.difference == -facts.difference
    # By a metric of which less is better, the better system is the same.
    assert pilot_of_rows(measured["ter"], seed=1).facts.effect > 0.5


def test_n_of_the_wanted_power(measured):
    pilot = pilot_of_rows(measured["bleu"], seed=1)
    campaign = CampaignDesign(simulations=1500)
    answer = power_from_pilot(pilot, campaign, scale=0.5)
    assert (answer.asked, answer.test) == ("n", "randomisation")
    assert answer.power == pytest.approx(0.8, abs=0.05)
    assert answer.n == answer.n_wanted
    powers = [point.power for point in answer.curve]
    assert powers == sorted(powers)
    assert {point.n for point in answer.curve} >= {answer.n}
    asked = power_from_pilot(pilot, campaign, scale=0.5, n=answer.n)
    assert (asked.asked, asked.power, asked.error) == ("power", answer.power, answer.error)
    half = power_from_pilot(pilot, campaign, difference=abs(answer.difference))
    assert half.scale == pytest.approx(0.5, abs=1e-6)
    assert half.n == pytest.approx(answer.n, rel=0.06)
    harder = power_from_pilot(pilot, replace(campaign, systems=8), scale=0.5, power=0.9)
    assert harder.n > answer.n


def test_trials_agree_with_the_normal_distribution(measured):
    quick = pilot_of_rows(measured["bleu"], seed=1)
    slow = pilot_of_rows(measured["bleu"], trials=1000, seed=1, threads=1)
    assert slow.tests == ("randomisation", "bootstrap")
    point = {"n": 80, "scale": 0.6, "alpha": 0.05, "sides": 2, "seed": 2}
    expected = slow.simulate["randomisation"](**point, simulations=500)
    result = quick.simulate["randomisation"](**point, simulations=10_000)
    assert result.power == pytest.approx(expected.power, abs=3 * expected.error + 0.01)


def test_whole_documents(measured):
    labels = {"document": [f"d{i // 4}" for i in range(120)]}
    pilot = pilot_of_rows(measured["bleu"], labels=labels, unit="document", seed=1)
    assert (pilot.facts.unit, pilot.facts.units) == ("document", 30)
    segments = power_from_pilot(pilot_of_rows(measured["bleu"], seed=1), QUICK)
    documents = power_from_pilot(pilot, QUICK)
    assert documents.n < segments.n < 8 * documents.n
    with pytest.raises(UsageError, match="domain"):
        pilot_of_rows(measured["bleu"], labels=labels, unit="domain", seed=1)


def test_scores_of_people_by_every_test():
    matrix = scores()
    pilot = pilot_of_scores(matrix, seed=1)
    assert pilot.tests == ("rank-sum", "signed-rank", "sign", "randomisation", "bootstrap")
    assert pilot.facts.difference == pytest.approx(-0.25)
    assert pilot.facts.correlation == pytest.approx(0.5, abs=0.1)
    effect = float((matrix.scores[0][:, None] < matrix.scores[1]).mean())
    assert pilot.facts.effect == pytest.approx(effect)
    answer = power_from_pilot(pilot, CampaignDesign(simulations=2000))
    assert answer.test == "rank-sum"
    # Scores are normal here, so formulas know the answers.
    wanted = formulas.smallest_n(lambda n: formulas.rank_sum(n, effect).power(0.05), 0.8)
    assert answer.n == pytest.approx(wanted, rel=0.08)
    n = {alternative.test: alternative.n for alternative in answer.alternatives}
    assert set(n) == {"signed-rank", "sign", "randomisation", "bootstrap"}
    d = matrix.scores[1] - matrix.scores[0]
    paired = formulas.smallest_n(
        lambda k: formulas.signed_rank(k, float(ndtr(d.mean() / d.std()))).power(0.05), 0.8
    )
    assert n["signed-rank"] == pytest.approx(paired, rel=0.15)
    assert n["signed-rank"] < 0.7 * answer.n  # half of the variance is shared
    one_sided = power_from_pilot(pilot, CampaignDesign(simulations=500, one_sided=True))
    assert one_sided.n < answer.n
    assert {alternative.test for alternative in one_sided.alternatives} == {"signed-rank", "sign"}


def test_systems_that_share_no_segment():
    matrix = scores()
    apart = matrix.scores.copy()
    apart[0, ::2] = np.nan
    apart[1, 1::2] = np.nan
    pilot = pilot_of_scores(ScoreMatrix(("A", "B"), apart), seed=1)
    assert pilot.tests == ("rank-sum",)
    assert math.isnan(pilot.facts.correlation)
    assert pilot.facts.low < pilot.facts.difference < pilot.facts.high
    answer = power_from_pilot(pilot, QUICK, scale=0.9)
    assert answer.alternatives == ()
    assert answer.power == pytest.approx(0.8, abs=0.06)
    with pytest.raises(UsageError, match="cannot be made with this pilot, but rank-sum can"):
        power_from_pilot(pilot, QUICK, test="signed-rank")


def test_a_budget_and_a_map():
    pilot = pilot_of_scores(scores(), seed=1)
    answer = power_from_pilot(
        pilot, CampaignDesign(simulations=300, systems=4, annotators_per_item=2), budget=2000
    )
    assert (answer.n, answer.judgements, answer.budget) == (250, 2000, 2000)
    power_map = map_power_from_pilot(pilot, QUICK, test="signed-rank", n=(50, 200), scales=(0.5, 1.0))
    assert power_map.n == (50, 200)
    assert power_map.differences == pytest.approx((-0.125, -0.25))
    (a, b), (c, d) = power_map.power
    assert a < b < d
    assert a < c < d
    assert power_map.enough[0] == pytest.approx(4 * power_map.enough[1], rel=0.2)
    whole = map_power_from_pilot(pilot, CampaignDesign(simulations=100))
    assert len(whole.power) == len(whole.n)
    assert {len(row) for row in whole.power} == {len(whole.differences)}


def test_what_to_beware_of():
    few = power_from_pilot(pilot_of_scores(scores(15, 1.0), seed=1), QUICK)
    assert any("are too small a pilot to tell how they differ" in warning for warning in few.warnings)
    unsure = power_from_pilot(pilot_of_scores(scores(100, 0.01), seed=1), QUICK, n=200)
    assert any("so it may be none" in warning for warning in unsure.warnings)
    chosen = power_from_pilot(pilot_of_scores(scores(100, 0.1), seed=1), QUICK, n=200, difference=0.05)
    assert chosen.warnings == ()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"test": "rank-sun"}, "did you mean 'rank-sum'"),
        ({"scale": 0.0}, "no difference is never found"),
        ({"scale": -1.0}, "scale -1"),
        ({"scale": math.nan}, "scale nan"),
        ({"difference": 0.0}, "scale 0"),
        ({"difference": math.nan}, "difference nan"),
        ({"scale": 0.5, "difference": 0.1}, "give one of them"),
        ({"n": 1}, "n 1: must be 2"),
        ({"n": 10, "budget": 100}, "give one of them"),
        ({"power": 0.01}, "no more than alpha"),
    ],
)
def test_questions_without_an_answer(question, message):
    with pytest.raises(UsageError, match=message):
        power_from_pilot(pilot_of_scores(scores(), seed=1), QUICK, **question)


def test_a_difference_out_of_reach(measured):
    pilot = pilot_of_rows(measured["bleu"], seed=1)
    with pytest.raises(UsageError, match="out of reach; the pilot's is"):
        power_from_pilot(pilot, QUICK, difference=500.0)
    with pytest.raises(UsageError, match="two-sided"):
        power_from_pilot(pilot, CampaignDesign(one_sided=True))


def test_pilots_that_are_none(measured):
    three = ScoreMatrix(("A", "B", "C"), np.random.default_rng(1).normal(size=(3, 40)))
    with pytest.raises(UsageError, match=r"of two systems, there are 3: --pair A B, for example"):
        pilot_of_scores(three, seed=1)
    assert pilot_of_scores(three, ("C", "A"), seed=1).facts.a == "C"
    with pytest.raises(UsageError, match="unknown system 'D'"):
        pilot_of_scores(three, ("A", "D"), seed=1)
    with pytest.raises(UsageError, match="must be two systems"):
        pilot_of_scores(three, ("A", "A"), seed=1)
    first = ScoreMatrix(("A",), np.ones((1, 5)))
    with pytest.raises(UsageError, match="there is 1: give another one"):
        pilot_of_scores(first, seed=1)
    two = ScoreMatrix(("A", "B"), np.array([[1.0, 3.0], [1.0, 2.0]]))
    assert pilot_of_scores(two, seed=1).facts.units == 2
    nothing = ScoreMatrix(("A", "B"), np.array([[1.0, math.nan], [1.0, 2.0]]))
    with pytest.raises(DataError, match="A has 1 scored translation;"):
        pilot_of_scores(nothing, seed=1)
    same = ScoreMatrix(("A", "B"), np.stack([np.arange(30.0)] * 2))
    with pytest.raises(DataError, match="differ by the same on every segment"):
        power_from_pilot(pilot_of_scores(same, seed=1), QUICK)
    even = np.random.default_rng(0).normal(size=40)
    flat = ScoreMatrix(("A", "B"), np.stack([np.concatenate([even, -even]), np.concatenate([-even, even])]))
    with pytest.raises(DataError, match="it has no difference to be found again"):
        power_from_pilot(pilot_of_scores(flat, seed=1), QUICK)
    runs = measured["bleu"]
    several = Measured(
        runs.metric, runs.label, runs.signature, True, 1, runs.aggregate, runs.segment_scores,
        {"old": runs.rows["old"] * 2, "new": runs.rows["new"]},
    )  # fmt: skip
    with pytest.raises(UsageError, match="old has 2 training runs"):
        pilot_of_rows(several, seed=1)
