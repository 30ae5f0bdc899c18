"""Agreement of annotators: as published, as a slow count of all pairs has it, and where there is none."""

import math
from dataclasses import replace
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given

from adjudge.data.judgements import BAD_REFERENCE, REPEAT
from adjudge.errors import DataError, UsageError
from adjudge.human.agreement import agreement, ranking_agreement, rating_agreement, yes_no_agreement
from helpers.judging import rankings, ratings, read_wmt21, some_ratings


def test_six_forms_where_the_same_people_rated_all():
    rng = np.random.default_rng(4)
    rows = [(who, "x", str(i), float(rng.normal(i, 2))) for i in range(8) for who in "abc"]
    full = rating_agreement(ratings(rows)).inter
    assert list(full.forms) == ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    assert full.forms["ICC(1,1)"].value == pytest.approx(full.icc.value)
    assert rating_agreement(ratings(rows[1:])).inter.forms == {}
    two = rating_agreement(ratings([row for row in rows if row[0] != "c"])).inter
    a, b = (np.array([row[3] for row in rows if row[0] == who]) for who in "ab")
    assert two.weighted.value == pytest.approx(1 - ((a - b) ** 2).mean() / ((a[:, None] - b) ** 2).mean())


def test_kappa_of_two_chances():
    rows = [
        ("A", "x", "y", "1", 1),
        ("B", "y", "x", "1", -1),
        ("C", "x", "y", "1", 0),
        ("C", "x", "y", "2", 0),
    ]
    part = ranking_agreement(rankings(rows)).inter
    assert (part.agreeing, part.comparable, part.ties, part.judgements) == (1, 3, 2, 4)
    assert part.fixed.value == pytest.approx(0)
    assert part.empirical.value == pytest.approx((1 / 3 - 0.375) / (1 - 0.375))
    assert part.empirical.words == "poor"


def test_every_option_reaches_the_agreement_of_its_kind():
    rated = ratings(
        [(who, "x", item, 10 * int(item) + len(who)) for who in ("A", "BBBBB") for item in "1234"]
    )
    drawn = {"resamples": 30, "seed": 3}
    assert agreement(rated, values=-rated.score, margin=3.0, **drawn) == rating_agreement(
        rated, values=-rated.score, margin=3.0, **drawn
    )
    assert agreement(rated).inter.close == 1.0
    assert agreement(rated, margin=0.0).inter.close == 0.0
    chosen = rankings([(who, "x", "y", item, 1) for who in "AB" for item in "123"])
    for counting in ("judges", "wmt"):
        expected = ranking_agreement(chosen, counting=counting, **drawn)
        assert agreement(chosen, counting=counting, **drawn) == expected
    answers = replace(ratings([(who, "x", item, 1) for who in "AB" for item in "12"]), protocol="yes-no")
    assert agreement(answers, **drawn) == yes_no_agreement(answers, **drawn)


@pytest.mark.parametrize(
    "rows", [[], [("A", "x", "y", "1", 1)], [("A", "x", "y", "1", 1), ("B", "x", "y", "2", 1)]]
)
def test_nothing_judged_twice(rows):
    agreed = ranking_agreement(rankings(rows))
    for part in (agreed.inter, agreed.intra):
        assert (part.empirical.value, part.empirical.reason) == (None, "nothing was judged twice")
        assert (part.agreeing, part.comparable) == (0, 0)


def test_an_answer_recorded_twice_was_given_once():
    rows = [("A", "x", "1", 50), ("A", "x", "1", 50), ("A", "x", "1", 50), ("B", "x", "1", 70)]
    agreed = rating_agreement(ratings(rows, start=np.array([10.0, 10.0, 99.0, 10.0])))
    assert (agreed.intra.pairs, agreed.inter.pairs, agreed.left_out) == (1, 1, 1)
    # Without a clock nobody can tell a second answer from a second record.
    assert rating_agreement(ratings(rows)).intra.pairs == 3


def test_wrong_questions_are_refused():
    with pytest.raises(UsageError, match="ratings, not rankings"):
        ranking_agreement(ratings([("A", "x", "1", 1)]))
    with pytest.raises(UsageError, match="rankings, not ratings"):
        rating_agreement(rankings([("A", "x", "y", "1", 1)]))
    with pytest.raises(UsageError, match="did you mean 'judges'"):
        ranking_agreement(rankings([]), counting="judge")
    with pytest.raises(UsageError, match="1 judgement, but 2 values"):
        rating_agreement(ratings([("A", "x", "1", 1)]), values=np.zeros(2))
    with pytest.raises(UsageError, match="counting is for rankings"):
        agreement(ratings([("A", "x", "1", 1)]), counting="wmt")
    for choices in (
        rankings([("A", "x", "y", "1", 1)]),
        replace(ratings([("A", "x", "1", 1)]), protocol="yes-no"),
    ):
        with pytest.raises(UsageError, match="for ratings on a scale; these judgements are choices"):
            agreement(choices, margin=5.0)
        with pytest.raises(UsageError, match="for ratings on a scale"):
            agreement(choices, values=np.zeros(1))
    with pytest.raises(DataError, match="judgement 2: the score is nan"):
        agreement(ratings([("A", "x", "1", 1), ("A", "x", "1", math.nan)]))
    with pytest.raises(DataError, match="judgement 1: the score is nan"):
        agreement(rankings([("A", "x", "y", "1", math.nan)]))


@given(some_ratings)
def test_ratings_between_annotators(rows):
    table = {}
    for who, system, item, score in rows:
        table.setdefault((system, item), {}).setdefault(who, []).append(score)
    means = {unit: [np.mean(x) for x in by.values()] for unit, by in table.items()}
    pairs = [(x, y) for values in means.values() for x, y in combinations(values, 2)]
    between = rating_agreement(ratings(rows)).inter
    assert between.pairs == len(pairs)
    if not pairs:
        assert (between.close, between.difference, between.pearson) == (None, None, None)
        assert between.alpha.reason == between.icc.reason == "nothing was judged twice"
        return
    assert between.close == pytest.approx(np.mean([abs(x - y) <= 10 for x, y in pairs]))
    assert between.difference == pytest.approx(np.mean([abs(x - y) for x, y in pairs]), abs=1e-9)
    units = [v for v in means.values() if len(v) > 1]
    if len({x for v in units for x in v}) > 1:
        widest = max(map(len, units))
        data = np.array([v + [np.nan] * (widest - len(v)) for v in units]).T
        assert between.alpha.value == pytest.approx(
            krippendorff.alpha(reliability_data=data, level_of_measurement="interval"), abs=1e-9
        )


@given(some_ratings)
def test_ratings_of_one_annotator(rows):
    mine = {}
    for who, system, item, score in rows:
        mine.setdefault((who, system, item), []).append(score)
    pairs = [(x, y) for values in mine.values() for x, y in combinations(values, 2)]
    later = [(values[0], y) for values in mine.values() for y in values[1:]]
    intra = rating_agreement(ratings(rows)).intra
    assert intra.pairs == len(pairs)
    if pairs:
        assert intra.close == pytest.approx(np.mean([abs(x - y) <= 10 for x, y in pairs]))
    if len(later) > 1 and all(np.std(side) > 1e-9 for side in zip(*later, strict=True)):
        assert intra.pearson == pytest.approx(np.corrcoef(np.array(later).T)[0, 1], abs=1e-9)
    else:
        assert intra.pearson is None


def test_repeats_and_control_items():
    rows = [("A", "x", "1", 50), ("A", "x", "1", 61), ("A", "x", "1", 0), ("B", "x", "1", 58)]
    kinds = np.array([0, REPEAT, BAD_REFERENCE, 0], dtype=np.int8)
    agreed = rating_agreement(ratings(rows, kind=kinds))
    assert (agreed.inter.difference, agreed.inter.close) == (8, 1)
    assert (agreed.intra.difference, agreed.intra.close) == (11, 0)
    assert agreed.left_out == 1
    assert rating_agreement(ratings(rows, kind=kinds), margin=11).intra.close == 1


def test_annotators_without_variance():
    rows = [(who, "x", str(item), {"A": 50, "B": 50}[who]) for who in "AB" for item in range(4)]
    between = rating_agreement(ratings(rows)).inter
    assert (between.alpha.value, between.alpha.reason) == (None, "all judgements are the same")
    assert (between.close, between.pearson) == (1, None)


def test_values_that_stand_for_scores():
    rows = [("A", "x", "1", 10), ("B", "x", "1", 90), ("A", "x", "2", 20), ("B", "x", "2", 95)]
    z = np.array([-1.0, -1.0, 1.0, 1.0])
    assert rating_agreement(ratings(rows), values=z).inter.alpha.value == 1
    z[3] = math.nan
    assert rating_agreement(ratings(rows), values=z).inter.pairs == 1


def test_real_ratings(shared):
    judged = read_wmt21(shared.data / "01_wmt21_da_toen" / "is-en" / "human")
    agreed = rating_agreement(judged, resamples=200, seed=1)
    # Annotators agree with themselves more than with each other, and with each other little (crowd workers)
    assert agreed.intra.icc.value > 2 * agreed.inter.icc.value
    assert agreed.intra.alpha.low > agreed.inter.alpha.high
    assert agreed.intra.close > agreed.inter.close
