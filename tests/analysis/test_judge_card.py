"""Judge cards: figures by hand, planted biases found, none claimed where there is none, and intervals that hold."""

import math

import numpy as np
import pytest

from adjudge.analysis.judge_answers import Ratings
from adjudge.analysis.judge_card import CardOptions, judge_card
from adjudge.errors import DataError, UsageError
from helpers.judge_cards import choice

QUICK = CardOptions(resamples=50)


def card(runs=(), choices=(), people=None, lengths=None, *, again=(), documents=None, options=QUICK):
    ratings = Ratings([dict(run) for run in runs], list(again), dict(documents or {}))
    return judge_card("j", ratings, choices, people, lengths, options=options)


def run_of(**scores):
    """Scores by `system_item`."""
    return {tuple(name.split("_")): score for name, score in scores.items()}


# By hand


def test_missing_answers_are_those_that_another_run_or_people_have():
    first = run_of(A_1=50.0, A_2=math.nan, B_1=60.0)
    second = run_of(A_1=50.0, A_2=70.0)
    missing = card([first, second], people={("A", "1"): 1.0, ("B", "2"): 1.0, ("C", "1"): 1.0}).missing
    # Expected in either run: A 1, A 2, B 1, and B 2, which people have; nobody asked about C.
    assert (missing.missing, missing.asked) == (1 + 1 + 2, 8)
    assert missing.systems == {"A": (1, 4), "B": (3, 4)}
    nothing = card([run_of(A_1=1.0, A_2=2.0)]).missing
    assert (nothing.missing, nothing.share.value, nothing.share.low) == (0, 0, 0)
    assert nothing.share.high == pytest.approx(1 - 0.025**0.5)


def test_repeatability_counts_runs_and_repeats():
    first, second = run_of(A_1=10.0, A_2=20.0, A_3=30.0), run_of(A_1=10.0, A_2=26.0, A_3=math.nan)
    repeatability = card([first, second], again=[(("A", "3"), 33.0)]).repeatability
    assert (repeatability.translations, repeatability.answers) == (3, 6)
    assert repeatability.same.value == pytest.approx(1 / 3)
    assert repeatability.apart.value == pytest.approx((0 + 6 + 3) / 3)
    assert repeatability.icc.value > 0.8
    assert card([first]).repeatability is None


def test_position_is_what_both_orders_have_in_common():
    choices = [
        choice("1", "A", "B", 1), choice("1", "B", "A", 1),  # first, whichever it is
        choice("2", "A", "B", 1), choice("2", "B", "A", -1),  # A, whichever comes first
        choice("3", "A", "B", 0), choice("3", "B", "A", 1),
        choice("4", "A", "B", 1),  # asked in one order only
        choice("5", "A", "B", math.nan), choice("5", "B", "A", 1),
        choice("6", "A", "B", 1, "x"), choice("6", "B", "A", 1, "y"),  # by two judges
    ]  # fmt: skip
    position = card(choices=choices).position
    assert position.questions == 3
    assert position.favour.value == pytest.approx((1 + 0 + 0.5) / 3)
    assert position.steady.value == pytest.approx(1 / 3)
    one_sided = card(choices=choices[6:7])
    assert one_sided.position is None
    assert "in both orders" in one_sided.notes[0]


def test_agreement_by_hand():
    judged = run_of(A_1=1.0, B_1=2.0, A_2=5.0, B_2=5.0, A_3=9.0, B_3=3.0)
    people = dict(zip(judged, [1, 2, 4, 6, 2, 8], strict=True))
    result = card([judged], people=people).people
    expected = np.corrcoef(list(judged.values()), list(people.values()))[0, 1]
    assert result.pearson.value == pytest.approx(expected)
    assert result.accuracy.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert result.pairs == 3
    assert math.isnan(result.systems)


def test_the_length_slope_is_that_of_least_squares():
    rng = np.random.default_rng(3)
    keys = [(system, str(item)) for item in range(30) for system in "ABC"]
    people = {key: float(rng.normal(50, 10)) for key in keys}
    lengths = {key: int(rng.integers(20, 200)) for key in keys}
    judged = {key: 0.5 * people[key] + 7 * math.log(lengths[key]) + rng.normal(0, 2) for key in keys}
    length = card([judged], people=people, lengths=lengths).length
    items = np.eye(30)[[int(item) for _, item in keys]]
    design = np.column_stack([items, [people[k] for k in keys], [math.log(lengths[k]) for k in keys]])
    slope = np.linalg.lstsq(design, np.array([judged[k] for k in keys]), rcond=None)[0][-1]
    assert length.slope.value == pytest.approx(slope * math.log(1.1))
    assert length.given_people


def test_what_the_files_do_not_tell_is_said():
    only = card([run_of(A_1=1.0, A_2=2.0)])
    text = " ".join(only.notes)
    assert "nothing was judged twice" in text
    assert "--people FILE" in text
    assert "--system-output NAME=FILE" in text
    with pytest.raises(DataError, match="nothing that the judge said"):
        card()
    with pytest.raises(UsageError, match="item or document"):
        CardOptions(unit="annotator")
    with pytest.raises(UsageError, match="item '1' has no document"):
        card([run_of(A_1=1.0, A_2=2.0)], options=CardOptions(unit="document"))


def test_systems_that_lack_more_answers_than_others_are_told():
    def with_holes(a, b):
        lost = {("A", str(i)) for i in range(a)} | {("B", str(i)) for i in range(b)}
        keys = [(system, str(i)) for i in range(50) for system in "AB"]
        return card([{key: math.nan if key in lost else 1.0 for key in keys}])

    uneven, even = with_holes(12, 1), with_holes(4, 3)
    assert uneven.missing.uneven_p == pytest.approx(
        0.0010, abs=2e-4
    )  # chi-square 10.7 with one degree of freedom
    assert "unevenly, 24 % of one system and 2 % of another" in uneven.sentences()[0]
    assert even.missing.uneven_p > 0.5
    assert "unevenly" not in even.sentences()[0]


# By simulation


def simulated(rng, *, items=60, position=0.0, length=0.0, noise=6.0, resamples=40):
    """A judge, people and choices with known biases; quality depends on length a little, which is no bias."""
    keys = [(system, str(item)) for item in range(items) for system in "AB"]
    lengths = {key: int(rng.integers(40, 160)) for key in keys}
    difficulty = {str(item): rng.normal(0, 8) for item in range(items)}
    quality = {key: 60 + difficulty[key[1]] + rng.normal(0, 8) for key in keys}
    people = {key: quality[key] + rng.normal(0, 1) for key in keys}
    runs = [
        {key: quality[key] + length * math.log(lengths[key]) + rng.normal(0, noise) for key in keys}
        for _ in range(2)
    ]
    choices = []
    for item in range(items):
        lead = (quality["A", str(item)] - quality["B", str(item)]) / 10
        for first, second, sign in (("A", "B", 1), ("B", "A", -1)):
            answer = np.sign(sign * lead + position + rng.normal(0, 0.5))
            choices.append(choice(str(item), first, second, float(answer)))
    return card(runs, choices, people, lengths, options=CardOptions(resamples=resamples))


def test_planted_biases_are_found():
    rng = np.random.default_rng(11)
    cards = [simulated(rng, position=0.8, length=12.0) for _ in range(12)]
    assert sum(card.position.favour.p < 0.05 for card in cards) >= 11
    assert sum(card.length.slope.p < 0.05 for card in cards) >= 11
    assert all(card.position.favour.value > 0 and card.length.slope.value > 0 for card in cards)
    assert "It favours what is shown first" in " ".join(cards[0].sentences())
    assert "It favours long translations" in " ".join(cards[0].sentences())


def test_no_bias_is_claimed_where_there_is_none():
    rng = np.random.default_rng(12)
    cards = [simulated(rng, items=40) for _ in range(80)]
    for figures in ([card.position.favour for card in cards], [card.length.slope for card in cards]):
        alarms = sum(figure.p < 0.05 for figure in figures)
        assert alarms <= 10  # of 80 at 5 %: more with a chance of 0.3 %
        assert sum(figure.low <= 0 <= figure.high for figure in figures) == len(figures) - alarms


@pytest.mark.slow
def test_intervals_hold_what_they_promise():
    """Of 300 judges each, how often the interval holds the truth: 95 %, or a little less for resamples."""
    rng = np.random.default_rng(13)
    length, noise, sd = 12.0, 6.0, math.hypot(8, 8)
    truth = {
        "icc": (sd**2 + 0.0) / (sd**2 + noise**2),
        "slope": length * math.log(1.1),
    }
    hits = {"icc": 0, "slope": 0, "pearson": 0}
    for _ in range(300):
        plain = simulated(rng, resamples=400)
        low, high = plain.repeatability.icc.low, plain.repeatability.icc.high
        hits["icc"] += low <= truth["icc"] <= high
        r = sd**2 / math.sqrt((sd**2 + 1) * (sd**2 + noise**2))
        hits["pearson"] += plain.people.pearson.low <= r <= plain.people.pearson.high
        biased = simulated(rng, length=length)
        hits["slope"] += biased.length.slope.low <= truth["slope"] <= biased.length.slope.high
    assert 0.92 <= hits["slope"] / 300 <= 0.98
    assert 0.92 <= hits["icc"] / 300 <= 0.98
    assert 0.88 <= hits["pearson"] / 300 <= 0.98


@pytest.mark.slow
def test_biases_are_claimed_of_one_honest_judge_in_twenty():
    """Of 300 judges without a bias: the shares that docs/judge-card.md states."""
    rng = np.random.default_rng(14)
    cards = [simulated(rng) for _ in range(300)]
    position = sum(card.position.favour.p < 0.05 for card in cards) / 300
    length = sum(card.length.slope.p < 0.05 for card in cards) / 300
    print(f"position {position:.1%}, length {length:.1%}")
    assert 0.02 <= position <= 0.09  # 5 %, and three standard errors
    assert 0.02 <= length <= 0.09
