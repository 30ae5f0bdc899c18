"""Ratings whose design misleads means and z-scores: uneven annotators, and items that are missing for a reason."""

import numpy as np
import pytest

from adjudge.comparison.verdict import comparison_verdict, verdict_sentence
from adjudge.data.judgements import NameColumn
from adjudge.human.rating_scores import AdjustedItems
from adjudge.human.ratings import analyse_ratings
from adjudge.report.pages.manager.words import sure_sentence
from adjudge.report.pages.report.words import chance_sentence
from adjudge.stats.common_items import common_weights
from helpers.judged import QUICK, ratings


def confounded(seed: int, *, group: int = 6, items: int = 100):
    """A is bad, B = C; one group of annotators judged B and most of A, the other one C and the rest of A."""
    rng = np.random.default_rng(seed)
    severity = rng.normal(0, 5, 2 * group)
    rows = []
    for system, quality in (("A", 40.0), ("B", 60.0), ("C", 60.0)):
        for item in range(items):
            second = system == "C" or (system == "A" and rng.random() < 0.2)
            who = int(second) * group + int(rng.integers(group))
            rows.append((f"p{who}", system, str(item), float(quality + severity[who] + rng.normal(0, 10))))
    return ratings(rows)


def worst_absent(seed: int):
    """Two equal systems; the worst fifth of B's translations was not judged."""
    rng = np.random.default_rng(seed)
    item, rows = rng.normal(0, 12, 200), []
    scores = {system: 60 + item + rng.normal(0, 8, 200) for system in "AB"}
    absent = set(np.argsort(scores["B"])[:40].tolist())
    for system in "AB":
        for i in range(200):
            if system == "A" or i not in absent:
                rows.append((f"p{(i * 7) % 8}", system, str(i), float(scores[system][i])))
    return ratings(rows)


def tasteful(people: int, seed: int = 1):
    """Two systems, of which every annotator favours the first."""
    return ratings(tasteful_rows(people, seed))


def tasteful_rows(people: int, seed: int = 1) -> list[tuple[str, str, str, float]]:
    """Annotator, system, item, score."""
    rng = np.random.default_rng(seed)
    return [
        (f"p{i % people}", system, str(i), float(60 + 8 * (system == "A") + rng.normal(0, 5)))
        for i in range(120)
        for system in "AB"
    ]


@pytest.mark.parametrize(
    ("people", "rate", "whose"),
    [
        (1, None, "in this annotator’s opinion"),
        (2, None, "in these two annotators’ opinion"),
        (3, 0.25, ""),
        (8, 0.05, ""),
    ],
)
def test_what_few_annotators_favour_is_their_opinion(people, rate, whose) -> None:
    """One or two name no winner; the rate of three is that at which all of them favour one system by chance."""
    comparison = analyse_ratings(tasteful(people), score="raw", **QUICK).groups[0].comparison
    verdict = comparison_verdict(comparison)
    assert verdict.as_document()["error_rate"] == rate
    assert comparison.claims[0].startswith(
        f"A is better than B on texts like these{' ' if whose else ''}{whose} ("
    )
    if whose:
        assert (verdict.winner, verdict.certainty) == ("", "opinion")
        assert verdict_sentence(verdict) == f"No winner for other people: A is better than B {whose} only."
    else:
        assert verdict.winner == "A"


def pair_of(analysis, a: str, b: str):
    return next(pair for pair in analysis.groups[0].pairs if {pair.a, pair.b} == {a, b})


def test_z_scores_of_uneven_groups_are_no_evidence() -> None:
    found = 0
    for seed in range(40):
        analysis = analyse_ratings(confounded(seed), **QUICK)
        found += pair_of(analysis, "B", "C").significant
    assert found <= 4  # z-scores told B from C in all of them
    comparison = analysis.groups[0].comparison
    assert comparison.test.method == "clustered-t"
    assert analysis.facts.score == "adjusted"
    assert comparison.design.balance.systematic
    assert "Annotators were not spread evenly over systems" in " ".join(comparison.claims)
    assert pair_of(analysis, "A", "B").significant
    by_z = analyse_ratings(confounded(1), preset="wmt21", **QUICK)
    assert pair_of(by_z, "B", "C").significant
    assert "z-scores and raw means are no evidence here." in " ".join(by_z.groups[0].claims)
    assert_nothing_is_claimed(by_z.groups[0].comparison)


def assert_nothing_is_claimed(comparison) -> None:
    """Whatever p says: systems had other annotators, who are not in the model."""
    assert not any(" better than " in claim for claim in comparison.claims)
    assert not comparison.design.sound
    verdict = comparison_verdict(comparison)
    assert (verdict.winner, verdict.certainty) == ("", "untested")
    assert verdict_sentence(verdict).startswith("No winner: annotators were not spread evenly over ")


def test_a_unit_without_annotators_claims_nothing_of_uneven_groups() -> None:
    """Documents drawn one by one do not make up for annotators who judged other systems."""
    judgements = confounded(1)
    documents = judgements.labelled("document", NameColumn.of(judgements.item.values()))
    asked = analyse_ratings(documents, unit="document", **QUICK).groups[0].comparison
    assert next(pair for pair in asked.pairs if {pair.a, pair.b} == {"B", "C"}).significant
    assert_nothing_is_claimed(asked)


@pytest.mark.parametrize("unit", ["annotator", "item", "translation", "judgement"])
def test_annotators_that_are_drawn_alone_are_not_in_the_model(unit) -> None:
    """Whole annotators drawn, or none: z-scores of uneven groups stay no evidence, and nothing is claimed."""
    comparison = analyse_ratings(confounded(1), unit=unit, **QUICK).groups[0].comparison
    assert next(pair for pair in comparison.pairs if {pair.a, pair.b} == {"B", "C"}).significant
    assert "annotators in the model." not in " ".join(comparison.claims).replace(
        "takes annotators into the model.", ""
    )
    assert_nothing_is_claimed(comparison)


def test_annotators_drawn_with_items_are_in_the_model_when_asked_for_by_name() -> None:
    asked = analyse_ratings(confounded(1), unit="item,annotator", **QUICK)
    auto = analyse_ratings(confounded(1), **QUICK)
    assert asked.facts.score == "adjusted"
    assert [pair.p for pair in asked.groups[0].pairs] == [pair.p for pair in auto.groups[0].pairs]


def test_a_group_with_annotators_of_its_own_systems_claims_nothing() -> None:
    """Even over all, uneven in either half: what holds of the whole does not hold of a part."""
    rng, rows, half = np.random.default_rng(3), [], []
    for item in range(200):
        for system in "AB":
            who = (
                f"p{(item + 3 * ((system == 'A') ^ (item < 100))) % 3 + 3 * ((system == 'A') ^ (item < 100))}"
            )
            rows.append(
                (who, system, str(item), float(60 + 10 * (who in ("p0", "p1", "p2")) + rng.normal(0, 5)))
            )
            half.append("first" if item < 100 else "second")
    judgements = ratings(rows).labelled("half", NameColumn.of(half))
    analysis = analyse_ratings(judgements, by=["half"], score="raw", unit="translation", **QUICK)
    whole, *parts = analysis.groups
    assert not whole.comparison.design.refusal
    assert all(part.comparison.design.refusal for part in parts)
    assert not any(" better than " in claim for part in parts for claim in part.claims)


@pytest.mark.parametrize("each", [1, 5])
def test_systems_that_nobody_judged_together_are_compared_by_annotators(each) -> None:
    """Equal systems, each with its own annotators: these differ, and so their systems seem to."""
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        severity = {(system, who): rng.normal(0, 8) for system in "AB" for who in range(each)}
        rows = [
            (f"p{system}{item % each}", system, str(item), float(60 + severity[system, item % each] + noise))
            for system in "AB"
            for item, noise in enumerate(rng.normal(0, 5, 60))
        ]
        comparison = analyse_ratings(ratings(rows), **QUICK).groups[0].comparison
        found += comparison.pairs[0].significant
    assert found <= (5 if each > 1 else 0)
    assert comparison.design.balance.parts == (("A",), ("B",))
    assert "No annotator judged any two systems: differences hold only if" in " ".join(comparison.claims)


@pytest.mark.parametrize(
    "options",
    [{}, {"unit": "translation"}, {"test": "rank-sum"}, {"test": "signed-rank"}, {"unit": "annotator"}],
)
def test_the_worst_translations_being_absent_makes_no_system_better(options) -> None:
    found = 0
    for seed in range(16):
        analysis = analyse_ratings(worst_absent(seed), score="raw", **options, **QUICK)
        pair = pair_of(analysis, "A", "B")
        assert pair.common == 160
        ahead = pair.b if (pair.delta < 0) else pair.a
        found += pair.significant and ahead == "B"
        assert not any("B is better" in claim for claim in analysis.groups[0].claims)
    design = analysis.groups[0].comparison.design
    assert (dict(design.missing), design.common) == ({"B": 40}, True)
    assert found == 0  # means over all that each has told B better in 81 %, common items alone in 40 %


def uneven(seed: int, *, ahead: float = 0.0, absent: str = "worst", annotators: int = 12):
    """Two systems, judged mostly by different annotators; a fifth of B's items is absent: its worst, or the easiest."""
    rng = np.random.default_rng(seed)
    severity, item, rows = rng.normal(0, 5, annotators), rng.normal(0, 12, 200), []
    scores = {"A": 60 + item + rng.normal(0, 8, 200), "B": 60 + ahead + item + rng.normal(0, 8, 200)}
    order = np.argsort(scores["B"] if absent == "worst" else -item)
    gone = set(order[:40].tolist()) if absent else set()
    half = annotators // 2
    for system, likely in (("A", 0.2), ("B", 0.8)):
        for i in range(200):
            who = half * int(rng.random() < likely) + int(rng.integers(half))
            if system == "A" or i not in gone:
                rows.append((f"p{who}", system, str(i), float(scores[system][i] + severity[who])))
    return ratings(rows)


@pytest.mark.parametrize("absent", ["worst", "easiest"])
def test_uneven_annotators_and_absent_items_together_make_no_system_better(absent) -> None:
    """By all that each system has, B was better in most of these where its worst is absent, A where the easiest is."""
    found = 0
    for seed in range(20):
        analysis = analyse_ratings(uneven(seed, absent=absent), **QUICK)
        found += pair_of(analysis, "A", "B").significant
    design = analysis.groups[0].comparison.design
    assert (analysis.facts.score, design.adjusted, design.common) == ("adjusted", True, True)
    assert dict(design.missing) == {"B": 40}
    assert found <= 3
    said = " ".join(analysis.groups[0].claims)
    assert "compared with annotators in the model" in said
    assert (
        "B lacks 40 items that others have: every two systems are compared on the items that both have"
        in said
    )


def test_a_much_better_system_is_found_by_uneven_annotators_although_it_lacks_some_items() -> None:
    analysis = analyse_ratings(uneven(3, ahead=40.0), **QUICK)
    assert pair_of(analysis, "A", "B").significant
    assert comparison_verdict(analysis.groups[0].comparison).winner == "B"


def test_uneven_annotators_without_absent_items_are_compared_as_before() -> None:
    """On common items, where these are all of them, the fit is the fit to everything."""
    judgements = uneven(1, absent="")
    analysis = analyse_ratings(judgements, **QUICK)
    scores = {system.system: system.score for system in analysis.groups[0].systems}
    pair = pair_of(analysis, "A", "B")
    assert pair.delta == pytest.approx(scores[pair.a] - scores[pair.b])
    items = AdjustedItems(judgements, np.ones(len(judgements), dtype=bool), (0, 1))
    weights = common_weights(items, 0, 1)
    assert weights is not None
    rows = items.rows(weights)
    means = {name: own[:, 0].sum() / own[:, 1].sum() for name, own in zip("AB", rows.values(), strict=True)}
    assert means == pytest.approx(scores)


def test_unnamed_annotators_leave_the_error_rate_unknown() -> None:
    """Whether judgements of one person are alike cannot be seen, so how often equal systems differ is not known."""
    rows = [("", system, item, score) for _, system, item, score in tasteful_rows(8)]
    comparison = analyse_ratings(ratings(rows), score="raw", **QUICK).groups[0].comparison
    verdict = comparison_verdict(comparison)
    assert not comparison.design.sound
    assert comparison.design.anonymous
    assert (verdict.winner, verdict.as_document()["error_rate"]) == ("A", None)
    assert "Annotators are not named" in " ".join(verdict.reservations)
    assert sure_sentence(verdict).endswith(
        "How often a test like this would call one of two equally good engines better is not known."
    )
    assert "is not known" in chance_sentence(verdict, "holm", 1, 0.05, "a test set like this")


@pytest.mark.parametrize("options", [{"preset": "wmt21"}, {"unit": "judgement"}])
def test_tests_of_all_that_each_system_has_claim_nothing_where_items_are_absent(options) -> None:
    """Their numbers stay; that they compare systems on common items is not said."""
    comparison = analyse_ratings(worst_absent(1), score="raw", **options, **QUICK).groups[0].comparison
    assert comparison.pairs[0].significant
    assert comparison.claims[0] == (
        "Nothing is claimed: B lacks 40 items that others have, and each system was tested on what it has."
    )
    assert not any(" better than " in claim for claim in comparison.claims)
    assert not any(
        "every two systems are compared on the items that both have" in c for c in comparison.claims
    )
    verdict = comparison_verdict(comparison)
    assert (verdict.winner, verdict.certainty, verdict.as_document()["error_rate"]) == ("", "untested", None)


@pytest.mark.parametrize("method", [None, "rank-sum", "signed-rank"])
def test_a_system_that_lacks_some_items_may_still_be_better(method) -> None:
    rng, rows = np.random.default_rng(5), []
    for i in range(200):
        for system, ahead in (("A", 0.0), ("B", 12.0)):
            if system == "A" or i % 10:
                rows.append((f"p{(i * 7) % 8}", system, str(i), float(60 + ahead + rng.normal(0, 8))))
    pair = pair_of(analyse_ratings(ratings(rows), score="raw", test=method, **QUICK), "A", "B")
    assert pair.significant
    assert pair.common == 180
    assert pair.low < pair.delta < pair.high
