"""Rankings: what is drawn is chosen from who compared what, and equal systems stay equal whoever judges."""

import numpy as np
import pytest

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.ranking_design import choose_unit
from adjudge.human.rankings import analyse_rankings


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
    chosen, reason = choose_unit(judgements)
    assert chosen == unit
    assert bool(reason) == (unit != "item")
    turned = Judgements(**{**vars(judgements), "score": -judgements.score})
    assert choose_unit(turned) == (chosen, reason)
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
