"""What a result rests on: the unit that labels ask for, design effects, and what must be said beside a claim."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.stats.design import (
    UNANIMOUS,
    Balance,
    Design,
    Grouping,
    choose_unit,
    design_effect,
    influences,
    join_designs,
    unit_noun,
    units_of,
)


@pytest.mark.parametrize(
    ("labels", "unit"),
    [
        ({}, "segment"),
        ({"document": ["a", "a", "b", "b", "c", "c"]}, "document"),
        ({"document": list("abcdef")}, "segment"),  # each document is one segment
        ({"document": ["a"] * 6}, "segment"),  # one document cannot be drawn
        ({"text": ["1", "1", "2", "2", "3", "3"]}, "text"),
        ({"text": ["1", "1", "2", "2", "3", "3"], "document": ["a", "b"] * 3}, "document"),
    ],
)
def test_the_coarsest_labelled_unit_is_chosen(labels, unit) -> None:
    chosen, reason = choose_unit(labels, 6)
    assert chosen == unit
    assert bool(reason) is (unit != "segment")


def test_documents_that_lie_in_two_strata_are_not_drawn_within_them() -> None:
    labels = {"document": ["a", "a", "b", "b"]}
    assert choose_unit(labels, 4, ["x", "x", "y", "y"])[0] == "document"
    assert choose_unit(labels, 4, ["x", "y", "x", "y"])[0] == "segment"


def test_the_design_effect_is_that_of_the_formula() -> None:
    """Segments of a document that are all the same: √(segments a document), but for the small sample."""
    rng = np.random.default_rng(1)
    by_document = rng.normal(size=40)
    by_document -= by_document.mean()
    documents = np.repeat(np.arange(40), 5)
    same = np.repeat(by_document, 5)
    effect = design_effect([same], None, documents)
    assert effect == pytest.approx(math.sqrt(5 * (40 / 39) / (200 / 199)))
    assert design_effect([np.zeros(200)], None, documents) == 1.0


@given(st.integers(0, 2**32 - 1))
def test_influences_of_a_mean_are_its_parts(seed) -> None:
    scores = np.random.default_rng(seed).normal(size=30)
    rows = np.stack([scores, np.ones(30)], axis=1)
    added = influences(rows, lambda sums: sums[..., 0] / sums[..., 1])
    assert added == pytest.approx((scores - scores.mean()) / 29, abs=1e-12)


def test_what_is_ignored_is_said_with_its_remedy() -> None:
    sound = Design("document,annotator", 8)
    assert (sound.sound, sound.reservations()) == (True, ())
    design = Design(
        "translation", 200, groupings=(Grouping("document", 20, 1.8), Grouping("annotator", 8, 2.4))
    )
    (sentence,) = design.reservations()
    assert not design.sound
    assert sentence == (
        "Translations of one document or annotator are alike but were drawn one by one: p-values are too small and "
        "intervals too narrow. Standard errors are 1.8 times as large by 20 documents and 2.4 times as large by 8 "
        "annotators. --unit document,annotator accounts for it."
    )
    slight = replace(design, groupings=(Grouping("document", 200, 1.05),))
    assert (slight.sound, slight.reservations()) == (True, ())


@pytest.mark.parametrize(
    ("unit", "ignored", "remedy"),
    [
        ("document", ["annotator"], "document,annotator"),
        ("annotator", ["document"], "document,annotator"),
        ("annotator", ["item"], "item,annotator"),
        ("translation", ["annotator"], "item,annotator"),
        ("judgement", ["document", "annotator"], "document,annotator"),
        ("segment", ["document"], "document"),
        ("text", ["document"], "document"),
    ],
)
def test_the_remedy_keeps_what_was_drawn(unit, ignored, remedy) -> None:
    design = Design(unit, 20, groupings=tuple(Grouping(name, 20, 1.5) for name in ignored))
    assert f" --unit {remedy} accounts for it." in design.reservations()[0]


@pytest.mark.parametrize(("groups", "effect", "said"), [(8, 0.8, False), (8, 0.95, True), (400, 1.05, False)])
def test_few_groups_that_seem_not_to_matter_may_matter(groups, effect, said) -> None:
    """With 8 annotators an effect of 1.3 is often measured as one below 1.1, and hid what it does."""
    design = Design("document", 20, groupings=(Grouping("annotator", groups, effect),))
    assert bool(design.reservations()) is said
    assert (design.error_rate(0.05) > 0.05) is said
    assert not said or design.reservations()[0] == (
        "8 annotators were not drawn, and are too few to rule out that p-values are too small. --unit "
        "document,annotator accounts for it."
    )


def test_the_error_rate_is_that_of_students_t_by_whole_groups() -> None:
    design = Design("segment", 500, groupings=(Grouping("document", 8, 1.5),))
    assert design.error_rate(0.05) == pytest.approx(2 * stats.t.sf(stats.norm.isf(0.025) / 1.5, 7))
    assert Design("segment", 500).error_rate(0.05) == 0.05
    assert math.isnan(replace(design, groupings=(Grouping("document", 8),)).error_rate(0.05))
    assert replace(design, groupings=(Grouping("document", 8, 0.0),)).sound


@pytest.mark.parametrize(("unit", "adjusted", "refused"), [
    ("annotator", False, True), ("item", False, True), ("item,annotator", False, True), ("item,annotator", True, False),
])  # fmt: skip
def test_uneven_annotators_must_be_in_the_model_not_only_drawn(unit, adjusted, refused) -> None:
    design = Design(unit, 12, balance=Balance(12, 0.8, systematic=True), adjusted=adjusted)
    assert bool(design.refusal) is refused
    assert ("systems are compared with annotators in the model" in design.reservations()[0]) is not refused


def test_systems_that_nobody_judged_together_need_annotators_that_are_drawn() -> None:
    apart = Design("item", 60, balance=Balance(10, 1.0, systematic=True, parts=(("A",), ("B",))))
    assert apart.refusal == "annotators were not spread evenly over systems"
    assert replace(apart, unit="item,annotator").refusal == ""


def test_few_annotators_speak_for_themselves() -> None:
    alone = Design("translation", 200, balance=Balance(1, 0.0, systematic=False))
    assert alone.reservations()[0].startswith("One annotator judged everything")
    two = replace(alone, balance=Balance(2, 0.0, systematic=False))
    assert two.reservations()[0].startswith("Only 2 annotators judged everything: the result is theirs")
    assert (alone.opinion, two.opinion) == ("in this annotator’s opinion", "in these two annotators’ opinion")
    assert math.isnan(alone.error_rate(0.05))
    eight = replace(alone, balance=Balance(8, 0.0, systematic=False))
    assert (eight.reservations(), eight.opinion, eight.error_rate(0.05)) == ((), "", 0.05)


def test_who_lacks_what_is_said() -> None:
    design = Design("item,annotator", 8, shared=0.8, missing={"B": 40}, common=True)
    assert design.reservations() == (
        "B lacks 40 items that others have: every two systems are compared on the items that both have, while scores "
        "are over all items judged. One that lacks more is called better only if it stays so with the worst score "
        "on what it lacks.",
    )
    apart = replace(design, shared=0.1, common=False)
    assert "share only 10 % of their items" in apart.reservations()[0]
    own = replace(design, common=False)
    assert (design.refusal, apart.refusal) == ("", "")
    assert own.refusal == "B lacks 40 items that others have, and each system was tested on what it has"
    assert own.reservations()[0].startswith(f"{own.refusal}: what is missing may be the worst.")
    assert replace(own, adjusted=True).refusal == own.refusal


@pytest.mark.parametrize(("number", "few"), [(2, False), (3, True), (5, True), (6, False)])
def test_few_annotators_with_strong_tastes_are_warned_of(number, few) -> None:
    """bench/calibration_crossed.py and calibration_rankings.py have the shares."""
    drawn = Design("item,annotator", number, balance=Balance(number, 0.0, systematic=False))
    warned = [sentence for sentence in drawn.reservations() if "of 100 pairs of equal systems" in sentence]
    assert bool(warned) is few
    assert drawn.sound is not few
    if few:
        rate = UNANIMOUS[number]
        assert warned[0].startswith(f"Only {number} annotators judged:")
        assert f"up to {100 * rate:.0f} of 100 pairs" in warned[0]
        assert drawn.error_rate(0.05) == rate
    swapped = Design("annotator", number, smallest_p=2.0 ** (1 - number), balance=drawn.balance)
    assert not any("of 100 pairs" in sentence for sentence in swapped.reservations())  # its p says so


@pytest.mark.parametrize(
    ("unit", "one", "several"),
    [
        ("segment", "segment", "segments"),
        ("text", "distinct segment", "distinct segments"),
        ("domain", "group of domain", "groups of domain"),
        ("document,annotator", "group of document,annotator", "documents and annotators"),
    ],
)
def test_units_have_names(unit, one, several) -> None:
    assert (unit_noun(unit), units_of(unit)) == (one, several)


def test_runs_that_no_test_draws_are_said_with_what_they_change() -> None:
    own = Design("segment", 100, groupings=(Grouping("training run", 6, 2.14),))
    assert not own.sound
    (sentence,) = own.reservations()
    assert "over other runs standard errors are 2.1 times as large (6 runs in all)" in sentence
    unknown = Design("segment", 100, groupings=(Grouping("training run", 4, fixed=True),))
    assert unknown.reservations() == ("The result is about these 4 training runs, not about others.",)
    assert Design("segment", 100, groupings=(Grouping("training run", 6, 1.05),)).sound


def test_language_pairs_limit_what_a_mean_is_about() -> None:
    own = Design("document", 60, groupings=(Grouping("language pair", 4, 1.8, fixed=True),))
    assert own.sound  # the mean claims nothing of other pairs
    assert own.reservations() == (
        "The result is about these 4 language pairs, not about others: standard errors by whole language pairs are "
        "1.8 times as large.",
    )


def test_what_is_ignored_widens_an_error_as_far_as_its_variances_add_up() -> None:
    known = (Grouping("document", 20, 1.5), Grouping("annotator", 8, 2.0), Grouping("training run", 6, 3.0))
    error, units = Design("segment", 200, groupings=known).widened(0.5, 200)
    assert error == pytest.approx(0.5 * math.sqrt(1 + (1.5**2 - 1) + (2.0**2 - 1)))
    assert units == 8
    assert Design("segment", 200).widened(0.5, 200) == (0.5, 200)
    assert math.isnan(Design("segment", 9, groupings=(Grouping("document", 4),)).widened(0.5, 9)[0])


def test_the_design_of_a_mean_is_that_of_all_its_sets() -> None:
    first = Design("document", 20, "because", (Grouping("annotator", 8, 2.0),), 0.25, missing={"a": 2})
    second = Design("document", 30, "because", (), 0.5, shared=0.9, missing={"a": 1, "b": 3})
    own = join_designs([first, second], (Grouping("language pair", 2, fixed=True),))
    assert (own.unit, own.units, own.shared) == ("document", 50, 0.9)
    assert own.missing == {"a": 3, "b": 3}
    assert own.smallest_p == 2 * 0.125 * 0.25
    annotators, pairs = own.groupings
    assert annotators.effect == pytest.approx(math.sqrt((4 + 1) / 2))  # of one set there are none to ignore
    assert pairs.fixed
    assert own.reason == "Documents are drawn within each of 2 test sets."
    assert join_designs([first]) == first
    assert join_designs([first, replace(second, unit="segment")]).unit == "unit"


def test_judgements_of_unnamed_people_carry_a_reservation() -> None:
    """Nobody can see whether judgements of one person are alike: it is said, and the design is not sound."""
    design = Design("translation", 100, anonymous=True)
    assert not design.sound
    [sentence] = design.reservations()
    assert sentence.startswith("Annotators are not named")
    assert Design("segment", 100).sound
