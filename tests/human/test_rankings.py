"""Rankings to decisions: what is drawn by chance depends on the seed alone."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.grouping import in_canonical_order
from adjudge.human.ranking import METHODS
from adjudge.human.rankings import analyse_rankings, choose_ranking_unit
from helpers.judging import rankings
from helpers.rankings import compared, judged

SYSTEMS = "abcd"

UNNAMED = (
    "Annotators are not named, so it cannot be seen whether judgements of one person are alike. If they are, p-values "
    "are too small and intervals too narrow."
)


def drawn(seed=1, items=30, people=4):
    """Rankings of four systems, a better than b and so on, all pairs of each, by two or three people an item."""
    rng = np.random.default_rng(seed)
    rows, who = [], []
    shown = [(i, p) for i in range(items) for p in rng.choice(people, rng.integers(2, 4), replace=False)]
    for ranking, (item, person) in enumerate(shown):
        place = np.round(rng.normal(np.arange(4), 2))
        for entry in range(4):
            for other in range(entry + 1, 4):
                outcome = float(np.sign(place[other] - place[entry]))
                rows.append((SYSTEMS[entry], SYSTEMS[other], outcome, ranking, item))
                who.append(f"p{person}")
    return judged(rows, annotator=NameColumn.of(who))


@pytest.mark.parametrize("method", METHODS)
def test_nothing_depends_on_the_order_of_rows(method):
    judgements = drawn()
    analysis = analyse_rankings(judgements, ranking=method, resamples=50, seed=7)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(judgements))
        again = analyse_rankings(judgements[order], ranking=method, resamples=50, seed=7)
        for first, other in zip(analysis.groups[0].systems, again.groups[0].systems, strict=True):
            assert (first.system, first.rank, first.cluster) == (other.system, other.rank, other.cluster)
            assert (first.score, first.low, first.high) == pytest.approx((other.score, other.low, other.high))
        assert [p.p for p in analysis.groups[0].pairs] == pytest.approx([p.p for p in again.groups[0].pairs])
        inter = asdict(again.agreement.inter)
        for name, value in asdict(analysis.agreement.inter).items():
            assert value == pytest.approx(inter[name]), name


def test_intervals_are_of_the_unit_that_is_asked_for():
    """Items and people where nothing is asked for; drawn by one of them or by single rankings they are others."""

    def limits(**options):
        group = analyse_rankings(drawn(), resamples=50, seed=7, **options).groups[0]
        return [(system.low, system.high) for system in group.systems]

    natural = limits()
    assert limits(unit="item,annotator") == natural == limits(unit="auto")
    others = [limits(unit=unit) for unit in ("item", "annotator", "ranking")]
    assert all(own != natural for own in others)
    assert others[0] != others[1] != others[2]


def test_claims_of_few_systems_are_a_sentence_a_pair():
    analysis = analyse_rankings(
        compared(("x", "y", 20, 5, 2), ("y", "z", 9, 0, 11), ("x", "z", 30, 1, 1)), resamples=50
    )
    first, *pairs, holds = analysis.groups[0].claims
    assert first == "x ranks first: it is preferred to every other system."
    assert pairs == [
        "x is preferred to z on texts like these (30 comparisons to 1, p < 0.001, Holm).",
        "x is preferred to y on these 27 segments, too few to speak for other texts "
        "(20 comparisons to 2, p < 0.001, Holm).",
        "z and y cannot be told apart (11 comparisons to 9, p = 0.82, Holm).",
        UNNAMED,
        "How large a difference in preference must be to matter is not known; --margin sets what counts.",
    ]
    assert "Systems that cannot be told apart are not shown to be equal." in holds


def test_one_cluster_says_how_many_pairs_are_told_apart():
    """Neighbours are alike, others are not: no line has all above it preferred to all below, and yet pairs differ."""
    chain = [("a", "b", 11, 0, 9), ("b", "c", 11, 0, 9), ("c", "d", 11, 0, 9)]
    apart = [("a", "c", 30, 0, 2), ("a", "d", 30, 0, 1), ("b", "d", 30, 0, 2)]
    group = analyse_rankings(compared(*chain, *apart), resamples=50).groups[0]
    shown = sum(pair.significant for pair in group.pairs)
    assert shown == 3
    assert group.claims[0] == (
        "All 4 systems form one cluster: nowhere are all above a line shown to be preferred to all below it, though 3 "
        "of 6 pairs are told apart; tests use only items on which both were seen, where ranges of ranks (--unit "
        "ranking) use what is known through others, uncorrected."
    )
    none = analyse_rankings(compared(*chain, *((a, b, 11, 0, 9) for a, b, *_ in apart)), resamples=50).groups[
        0
    ]
    assert none.claims[0] == (
        "All 4 systems form one cluster: nowhere are all above a line shown to be preferred to all below it."
    )


def test_alpha_itself_is_significant():
    answers = compared(("x", "y", 14, 0, 6))
    (pair,) = analyse_rankings(answers, resamples=50).groups[0].pairs
    for alpha, wanted in ((pair.p, True), (np.nextafter(pair.p, 0), False)):
        (only,) = analyse_rankings(answers, resamples=50, alpha=float(alpha)).groups[0].pairs
        assert (only.p, only.significant) == (pair.p, wanted)


def test_claims_turn_a_pair_round_where_the_lower_ranked_was_preferred():
    """b stands above a by its other wins, though a was preferred where the two met."""
    analysis = analyse_rankings(
        compared(("a", "b", 20, 0, 4), ("b", "c", 99, 0, 1), ("a", "c", 40, 0, 60)),
        ranking="better",
        resamples=50,
    )
    assert any(
        c.startswith(
            "a is preferred to b on these 24 segments, too few to speak for other texts (20 comparisons to 4, "
        )
        for c in analysis.groups[0].claims
    )


def test_claims_of_a_group_name_it_and_leave_the_rest_to_the_whole():
    judgements = compared(("x", "y", 20, 5, 2)).labelled("topic", NameColumn.same("news", 27))
    _, group = analyse_rankings(judgements, resamples=50, by=["topic"]).groups
    assert group.claims[-2:] == (
        "x is preferred to y on these 27 segments, too few to speak for other texts (20 comparisons to 2, p < 0.001).",
        UNNAMED,
    )


def test_clusters_are_what_the_tests_show():
    """Two of three are told apart from the third only."""
    analysis = analyse_rankings(
        compared(("x", "y", 12, 0, 8), ("y", "z", 28, 0, 2), ("x", "z", 30, 0, 1)), resamples=50
    )
    placed = [(s.system, s.cluster, s.rank) for s in analysis.groups[0].systems]
    assert placed == [("x", 1, (1, 2)), ("y", 1, (1, 2)), ("z", 2, (3, 3))]
    assert (
        analysis.groups[0].claims[0]
        == "x and y form the first cluster: each is preferred to every system below."
    )


def test_ranges_of_ranks_say_no_more_than_tests():
    """By ranges x stands alone, since they are not corrected for the number of systems."""
    counts = [("x", "y", 30, 0, 14), ("y", "z", 20, 0, 20), ("x", "z", 31, 0, 13), ("y", "w", 20, 0, 20)]
    analysis = analyse_rankings(
        compared(*counts, ("x", "w", 28, 0, 16), ("z", "w", 20, 0, 20)), unit="pair", resamples=400
    )
    assert not analysis.facts.too_small
    assert [s.cluster for s in analysis.groups[0].systems][:2] == [1, 2]
    assert not any("ranks first" in claim or "first cluster" in claim for claim in analysis.groups[0].claims)


def test_claims_point_where_the_test_points():
    """One item with many judges for b, five items with one each for a: most items are a's."""
    rows = [("a", "b", 1, i, f"i{i}") for i in range(9)] + [("a", "b", -1, 10 + i, "i9") for i in range(20)]
    analysis = analyse_rankings(judged(rows), resamples=50)
    (pair,) = analysis.groups[0].pairs
    assert (pair.a, pair.better, pair.wins, pair.losses) == ("b", "a", 20, 9)
    assert pair.significant
    assert analysis.groups[0].claims[0] == (
        "a is preferred to b on these 10 segments, too few to speak for other texts "
        "(9 comparisons to 20, p = 0.021), though not in most comparisons: an "
        "item counts once, however often it was judged."
    )


def side_by_side(rng, people, *, taste=0.0, document=0.0, items=60, judges=2):
    """Two equal systems: what people say of an item, of a document of five, and by their own taste is alike."""
    item = np.repeat(np.arange(items), judges)
    who = np.concatenate([rng.choice(people, judges, replace=False) for _ in range(items)])
    seen = rng.normal(size=len(item)) + 0.5 * rng.normal(size=items)[item]
    seen += document * rng.normal(size=items)[item // 5] + taste * rng.normal(size=people)[who]
    return Judgements(
        "pairwise",
        NameColumn.same("a", len(item)),
        NameColumn.of(map(str, item)),
        NameColumn.of(f"p{person}" for person in who),
        np.sign(np.where(np.abs(seen) < 0.3, 0.0, seen)),
        other=NameColumn.same("b", len(item)),
        ranking=np.arange(len(item)),
        labels={"document": NameColumn.of(f"d{i // 5}" for i in item)} if document else {},
    )


@pytest.mark.parametrize(
    ("people", "document", "unit"),
    [(2, 0, "item"), (3, 0, "item,annotator"), (2, 1, "document"), (8, 1, "document,annotator")],
)
def test_the_unit_is_chosen_from_labels_alone(people, document, unit):
    judgements = side_by_side(np.random.default_rng(1), people, document=document)
    chosen, reason = choose_ranking_unit(judgements)
    assert chosen == unit
    assert bool(reason) == (unit != "item")
    turned = Judgements(**{**vars(judgements), "score": -judgements.score})
    assert choose_ranking_unit(turned) == (chosen, reason)
    design = analyse_rankings(judgements, resamples=20).groups[0].design
    assert (design.unit, design.sound) == (unit, people != 3)
    assert bool(design.opinion) == (people == 2)
    assert any("Only 2 annotators" in said for said in design.reservations()) == (people == 2)


def alarms(campaigns, people, seed, unit=None, **how):
    """In which share of campaigns two equal systems are told apart."""
    rng = np.random.default_rng(seed)
    found = [
        analyse_rankings(side_by_side(rng, people, **how), unit=unit, resamples=2)
        .groups[0]
        .pairs[0]
        .significant
        for _ in range(campaigns)
    ]
    return np.mean(found)


@pytest.mark.slow
@pytest.mark.parametrize("people", [8, 20])
@pytest.mark.parametrize("how", [{}, {"taste": 1.0}, {"document": 0.7}, {"taste": 1.0, "document": 0.7}])
def test_false_alarms_by_default(people, how):
    """800 campaigns: 7.4 % is three standard errors above 5 %."""
    assert alarms(800, people, 3, **how) < 0.074


def test_tastes_raise_false_alarms_only_by_items():
    """100 campaigns: 12 % is more than three standard errors above 5 %."""
    assert alarms(100, 8, 5, taste=1.0) <= 0.12
    assert alarms(100, 8, 5, unit="item", taste=1.0) > 0.2


def test_what_was_not_drawn_is_said():
    judgements = side_by_side(np.random.default_rng(7), 8, taste=1.5, items=100)
    group = analyse_rankings(judgements, unit="item", resamples=20).groups[0]
    (people,) = group.design.groupings
    assert (people.name, people.groups, people.material) == ("annotator", 8, True)
    assert any("--unit item,annotator accounts for it" in claim for claim in group.claims)


def test_unanimous_answers_are_no_weaker_than_nearly_unanimous_ones():
    rng = np.random.default_rng(9)
    judgements = side_by_side(rng, 3)
    p = []
    for ties in (0, 1, 2):
        score = np.ones(len(judgements))
        score[:ties] = 0
        own = Judgements(**{**vars(judgements), "score": score})
        p.append(analyse_rankings(own, resamples=2).groups[0].pairs[0].p)
    assert p[0] <= p[1] <= p[2] < 0.01


def test_rankings_have_the_same_numbers_in_any_order_of_rows_and_whatever_they_were():
    """Chance is drawn by these numbers."""
    rng, triples = np.random.default_rng(4), []
    for number in range(12):
        triples += [
            (f"p{number % 3}", a, b, str(number // 2), float(rng.integers(-1, 2)), number)
            for a, b in ("xy", "xz", "yz")
        ]
    *rows, numbers = zip(*triples, strict=True)
    given = rankings(list(zip(*rows, strict=True)), ranking=np.array(numbers))
    order = rng.permutation(len(given))
    renumbered = replace(given, ranking=rng.permutation(12)[given.ranking])
    whole, shuffled = in_canonical_order(given), in_canonical_order(renumbered[order])
    assert sorted(set(whole.ranking.tolist())) == list(range(12))
    assert shuffled.ranking.tolist() == whole.ranking[order].tolist()
