"""Ratings whose design misleads means and z-scores: uneven annotators, and items that are missing for a reason."""

import numpy as np
import pytest

from adjudge.comparison.verdict import comparison_verdict
from adjudge.comparison.verdict_words import verdict_sentence
from adjudge.data.judgements import NameColumn
from adjudge.human.ratings import analyse_ratings
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


@pytest.mark.parametrize("unit", ["auto", "translation"])
def test_the_worst_translations_being_absent_makes_no_system_better(unit) -> None:
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        item, rows = rng.normal(0, 12, 200), []
        scores = {system: 60 + item + rng.normal(0, 8, 200) for system in "AB"}
        absent = set(np.argsort(scores["B"])[:40].tolist())
        for system in "AB":
            for i in range(200):
                if system == "A" or i not in absent:
                    rows.append((f"p{(i * 7) % 8}", system, str(i), float(scores[system][i])))
        analysis = analyse_ratings(ratings(rows), score="raw", unit=unit, **QUICK)
        pair = pair_of(analysis, "A", "B")
        assert pair.common == 160
        ahead = pair.b if (pair.delta < 0) else pair.a
        found += pair.significant and ahead == "B"
    design = analysis.groups[0].comparison.design
    assert (dict(design.missing), design.common) == ({"B": 40}, True)
    assert found == 0  # means over all that each has told B better in 81 %, common items alone in 40 %


def test_a_system_that_lacks_some_items_may_still_be_better() -> None:
    rng, rows = np.random.default_rng(5), []
    for i in range(200):
        for system, ahead in (("A", 0.0), ("B", 12.0)):
            if system == "A" or i % 10:
                rows.append((f"p{(i * 7) % 8}", system, str(i), float(60 + ahead + rng.normal(0, 8))))
    pair = pair_of(analyse_ratings(ratings(rows), score="raw", **QUICK), "A", "B")
    assert pair.significant
    assert pair.common == 180
    assert pair.low < pair.delta < pair.high
