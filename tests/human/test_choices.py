"""Agreement on choices: rankings and answers of yes and no, counted as anybody would count them."""

from dataclasses import asdict
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given

from adjudge.errors import DataError
from adjudge.human import choices
from adjudge.human.agreement import ranking_agreement, yes_no_agreement
from helpers.judging import rankings, ratings, read_pairs, some_rankings

WMT16 = {
    "ron-eng": ((1793, 3062, 2101, 11978, 0.341), (139, 184, 227, 1060, 0.621)),
    "deu-eng": ((749, 1076, 1182, 12926, 0.475), (101, 134, 64, 1182, 0.552)),
    "eng-ron": ((302, 509, 2110, 8642, 0.379), (119, 169, 401, 1509, 0.552)),
    "tur-eng": ((349, 630, 2367, 9684, 0.319), (45, 63, 136, 610, 0.559)),
    "eng-tur": ((403, 735, 3540, 10095, 0.322), (116, 202, 764, 1843, 0.352)),
}


def shown(part):
    return part.agreeing, part.comparable, part.ties, part.judgements, round(part.empirical.value, 3)


@pytest.mark.parametrize("pair", WMT16)
def test_wmt16_printed_these_figures(shared, pair):
    agreed = ranking_agreement(
        read_pairs(shared.data / "06_rankings_wmt16" / "data" / "collapsed" / f"wmt16.collapsed.{pair}.csv"),
        counting="wmt",
    )
    assert (shown(agreed.inter), shown(agreed.intra)) == WMT16[pair]


def test_what_wmt_misses(shared):
    """Those who saw two systems in another order, and that nobody agrees with himself or herself by accident."""
    agreed = ranking_agreement(
        read_pairs(shared.data / "06_rankings_wmt16" / "data" / "collapsed" / "wmt16.collapsed.ron-eng.csv")
    )
    assert (agreed.inter.agreeing, agreed.inter.comparable) == (3204, 5464)
    assert round(agreed.inter.empirical.value, 3) == 0.343


FORWARD = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 18, 19, 20, 22, *range(24, 41), *range(42, 50)]


@pytest.mark.parametrize(
    ("judges", "last", "expected"),
    [
        ({"prof1", "prof2"}, 18, 0.254),
        ({"nonprof1", "nonprof2", "nonprof3"}, 18, 0.130),
        ({"prof1", "prof2"}, 49, 0.265),
        ({"nonprof1", "nonprof2", "nonprof3"}, 49, 0.185),
        # Pairs of judges, from the notes beside the published data
        ({"nonprof1", "nonprof3"}, 18, 0.195),
        ({"nonprof1", "nonprof2"}, 18, 0.135),
        ({"nonprof1", "nonprof2"}, 49, 0.196),
        ({"nonprof2", "nonprof3"}, 18, 0.057),
        ({"prof1", "nonprof1"}, 49, 0.212),
        ({"prof2", "nonprof1"}, 18, 0.338),
        ({"prof2", "nonprof2"}, 49, 0.093),
    ],
)
def test_toral_and_others_printed_these_figures(shared, judges, last, expected):
    folder = shared.data / "08_rankings_toral18_zhen" / "judgements"
    read = read_pairs(*(folder / f"hp_{number:03}.csv" for number in FORWARD if number <= last))
    named = np.array([name.removeprefix("zhen_") in judges for name in read.annotator.names])
    agreed = ranking_agreement(read[named[read.annotator.codes]], counting="wmt")
    assert round(agreed.inter.empirical.value, 3) == expected


def count_pairs(rows, *, ordered):
    """(agreeing, comparable) between different people, of the same person, and of any two, pair by pair."""
    asked = []
    for who, first, second, item, answer in rows:
        if not ordered and first > second:
            first, second, answer = second, first, -answer
        asked.append((who, (first, second, item), answer))
    counts = {"inter": [0, 0], "intra": [0, 0], "all": [0, 0]}
    for (a, about, x), (b, other, y) in combinations(asked, 2):
        if about == other:
            for kind in ("all", "intra" if a == b else "inter"):
                counts[kind][0] += x == y
                counts[kind][1] += 1
    return counts


@given(some_rankings)
def test_counting_is_counting_all_pairs(rows):
    slow = count_pairs(rows, ordered=False)
    agreed = ranking_agreement(rankings(rows))
    assert [agreed.inter.agreeing, agreed.inter.comparable] == slow["inter"]
    assert [agreed.intra.agreeing, agreed.intra.comparable] == slow["intra"]
    assert agreed.inter.ties == sum(row[4] == 0 for row in rows)
    slow = count_pairs(rows, ordered=True)
    agreed = ranking_agreement(rankings(rows), counting="wmt")
    assert [agreed.inter.agreeing, agreed.inter.comparable] == slow["all"]
    assert [agreed.intra.agreeing, agreed.intra.comparable] == slow["intra"]


@given(some_rankings)
def test_it_does_not_matter_who_was_shown_first(rows):
    turned = [(who, b, a, item, -x) for who, a, b, item, x in rows]
    this, other = (ranking_agreement(rankings(r)) for r in (rows, turned))
    assert (this.left_out, this.counting) == (other.left_out, other.counting)
    for part in ("inter", "intra"):
        first, second = asdict(getattr(this, part)), asdict(getattr(other, part))
        for name, value in first.items():
            assert value == pytest.approx(second[name], abs=1e-12), name


def test_more_pairs_than_can_be_compared_have_no_coefficient_and_say_why(monkeypatch):
    monkeypatch.setattr(choices, "MOST_PAIRS", 0)
    own = ranking_agreement(rankings([(who, "x", "y", str(i), 1.0) for who in "ab" for i in range(4)])).inter
    assert own.cohen.value is None
    assert own.cohen.reason == choices.TOO_MANY_PAIRS


def test_further_coefficients_of_choices(shared):
    """Against krippendorff and statsmodels, better and worse counted from both sides."""
    rows = read_pairs(
        shared.data / "06_rankings_wmt16" / "data" / "collapsed" / "wmt16.collapsed.tur-eng.csv"
    )
    between = ranking_agreement(rows).inter
    first, second, answer = rows.system.values(), rows.other.values(), rows.score
    answers = {}
    for who, item, a, b, x in zip(
        rows.annotator.values(), rows.item.values(), first, second, answer, strict=True
    ):
        for question, value in (((item, a, b), x), ((item, b, a), -x)):
            answers.setdefault(question, {}).setdefault(who, value)
    units = [own for own in answers.values() if len(own) > 1]
    people = sorted({who for own in units for who in own})
    table = np.array([[own.get(who, np.nan) for who in people] for own in units]).T
    assert between.alpha.value == pytest.approx(krippendorff.alpha(table, level_of_measurement="nominal"))
    counts = np.stack([(table == x).sum(0) for x in (-1, 0, 1)], axis=1)
    n = counts.sum(1)
    agreed, shares = ((counts**2).sum(1) - n) / (n * (n - 1)), counts.sum(0) / n.sum()
    chance = (shares**2).sum()
    assert between.fleiss.value == pytest.approx((agreed.mean() - chance) / (1 - chance))
    assert between.fleiss.units * 2 == len(units)
    pairs = [(own[a], own[b], f"{a} {b}") for own in units for a, b in combinations(sorted(own), 2)]
    observed = sum(x != y for x, y, _ in pairs)
    expected = 0.0
    for pair in {p for _, _, p in pairs}:
        own = np.array([(x, y) for x, y, p in pairs if p == pair])
        expected += len(own) - sum((own[:, 0] == c).sum() * (own[:, 1] == c).sum() for c in (-1, 0, 1)) / len(
            own
        )
    assert between.cohen.value == pytest.approx(1 - observed / expected)
    assert between.cohen.units * 2 == len(pairs)


def test_yes_and_no():
    rows = [
        ("A", "x", "1", 1),
        ("B", "x", "1", 1),
        ("A", "x", "2", 0),
        ("B", "x", "2", 1),
        ("B", "x", "2", 1),
    ]
    agreed = yes_no_agreement(ratings(rows))
    assert (agreed.inter.agreeing, agreed.inter.comparable) == (1, 3)
    assert (agreed.intra.agreeing, agreed.intra.comparable) == (1, 1)
    assert agreed.inter.fixed.expected == 0.5
    assert agreed.inter.empirical.expected == pytest.approx(0.8**2 + 0.2**2)
    with pytest.raises(DataError, match="judgement 1: 7 is neither yes"):
        yes_no_agreement(ratings([("A", "x", "1", 7)]))


def test_intervals_draw_items():
    rng = np.random.default_rng(1)
    rows = [
        (who, "x", "y", str(item), int(truth if rng.random() < 0.7 else rng.integers(-1, 2)))
        for item in range(300)
        for truth in [rng.integers(-1, 2)]
        for who in "ABC"
    ]
    empirical = ranking_agreement(rankings(rows), resamples=300, seed=5).inter.empirical
    assert empirical.low < empirical.value < empirical.high
    assert empirical.value == ranking_agreement(rankings(rows)).inter.empirical.value


def test_one_judge_agrees_with_nobody_else():
    agreed = ranking_agreement(rankings([("A", "x", "y", "1", 1), ("A", "y", "x", "1", -1)]))
    assert agreed.inter.fixed.reason == "nothing was judged twice"
    assert agreed.intra.fixed.value == 1


def test_all_ties_leave_nothing_to_agree_about():
    part = ranking_agreement(rankings([("A", "x", "y", "1", 0), ("B", "x", "y", "1", 0)])).inter
    assert (part.empirical.value, part.empirical.reason) == (None, "all judgements are the same")
    assert part.fixed.value == 1


def test_nobody_in_particular_is_left_out_and_counted():
    rows = [("A", "x", "y", "1", 1), ("", "x", "y", "1", 1), ("", "x", "y", "1", 1), ("B", "x", "y", "1", 1)]
    agreed = ranking_agreement(rankings(rows))
    assert (agreed.inter.comparable, agreed.intra.comparable, agreed.left_out) == (1, 0, 2)
    assert ranking_agreement(rankings(rows), counting="wmt").inter.comparable == 6
