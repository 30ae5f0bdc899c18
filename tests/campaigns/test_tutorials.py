"""What people tried out before they began counts for nothing: neither for them nor for any system."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.data.judgements import KINDS, ORDINARY, REPEAT, TUTORIAL, Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.human.agreement import ranking_agreement, rating_agreement
from adjudge.human.assessment import scales, standardise
from adjudge.human.curves import without_first, without_least
from adjudge.human.diagnostics import diagnoses
from adjudge.human.quality import quality
from adjudge.human.rankings import analyse_rankings
from adjudge.human.rater_model import fit_rater_model, ratings_model
from adjudge.human.ratings import analyse_ratings
from adjudge.planning.pilot import pilot_of_judgements

SYSTEMS, ITEMS, PEOPLE = 3, 30, 3


def campaign(*, pairs: bool = False) -> Judgements:
    """Everybody judges everything, one tenth of it damaged and one tenth again; in HITs, by the clock."""
    random = np.random.default_rng(5)
    rows = []
    for who in range(PEOPLE):
        for item in range(ITEMS):
            for system in range(SYSTEMS):
                other = (system + 1) % SYSTEMS
                for kind, off in ((0, 0), *(((1, 1), (2, -30)) if item % 10 == 0 and not pairs else ())):
                    value = 60 + 8 * system + 5 * who + off + random.normal(0, 6)
                    score = float(np.sign(round(random.normal(system - other, 1)))) if pairs else value
                    rows.append((f"a{who}", f"s{system}", f"s{other}", str(item), score, kind))
    return table(rows, pairs=pairs)


def table(rows: list, *, pairs: bool) -> Judgements:
    who, system, other, item, score, kind = zip(*rows, strict=True)
    count = len(rows)
    return Judgements(
        "rank" if pairs else "da",
        NameColumn.of(system),
        NameColumn.of(item),
        NameColumn.of(who),
        np.array(score, float),
        kind=np.array(kind, np.int8),
        other=NameColumn.of(other) if pairs else None,
        ranking=np.arange(count) if pairs else None,
        start=1000.0 * np.arange(count),
        seconds=np.full(count, 20.0) + np.arange(count) % 7,
        labels={"hit": NameColumn.same("h", count), "document": NameColumn.of([f"d{i}" for i in item])},
        file=NameColumn.same("j.csv", count),
        line=np.arange(1, count + 1),
    )


def with_tutorials(judgements: Judgements) -> Judgements:
    """The same, each person having begun with a few items of a system of its own; one went no further."""
    pairs = judgements.is_ranking
    tried = [
        (who, "tutorial", "s0", f"t{item % 2}", (1.0 if pairs else 0.5 * item), TUTORIAL)
        for who in (*judgements.annotator.names, "visitor")
        for item in range(6)
    ]
    first = table(tried, pairs=pairs)
    first = replace(first, start=first.start - 1e6, seconds=np.full(len(first), 0.1))
    return Judgements.joined([first, judgements])


@pytest.fixture(params=[False, True], ids=["ratings", "rankings"])
def both(request) -> tuple[Judgements, Judgements]:
    own = campaign(pairs=request.param)
    return own, with_tutorials(own)


@pytest.fixture
def ratings() -> tuple[Judgements, Judgements]:
    own = campaign()
    return own, with_tutorials(own)


def test_the_fixture_would_show_it(both):
    own, tried = both
    assert "tutorial" in tried.system.names
    assert "visitor" in tried.annotator.names
    as_ordinary = replace(tried, kind=np.where(tried.kind == TUTORIAL, ORDINARY, tried.kind).astype(np.int8))
    assert repr(diagnoses(as_ordinary)) != repr(diagnoses(own))


def test_scales(ratings):
    own, tried = ratings
    without, result = scales(own), scales(tried)
    places = [result.annotators.index(name) for name in without.annotators]
    for name in ("count", "mean", "deviation"):
        np.testing.assert_array_equal(getattr(result, name)[places], getattr(without, name))
    at = result.annotators.index("visitor")
    assert result.count[at] == 0
    assert np.isnan(result.mean[at])
    z = standardise(tried)
    np.testing.assert_array_equal(z[tried.kind != TUTORIAL], standardise(own))


@pytest.mark.parametrize("test", ["paired-t", "rank-sum"])
def test_quality(ratings, test):
    own, tried = ratings
    assert repr(quality(tried, test=test)) == repr(quality(own, test=test))
    assert quality(own)[0].damaged == 9


def test_diagnoses(both):
    own, tried = both
    assert repr(diagnoses(tried)) == repr(diagnoses(own))


def test_agreement_of_ratings(ratings):
    own, tried = ratings
    agreed = rating_agreement(tried)
    assert repr((agreed.inter, agreed.intra)) == repr(
        (rating_agreement(own).inter, rating_agreement(own).intra)
    )
    assert agreed.left_out - rating_agreement(own).left_out == 6 * (PEOPLE + 1)


@pytest.mark.parametrize("counting", ["judges", "wmt"])
def test_agreement_of_rankings(counting):
    own = campaign(pairs=True)
    result, without = (ranking_agreement(j, counting=counting) for j in (with_tutorials(own), own))
    assert repr((result.inter, result.intra)) == repr((without.inter, without.intra))
    assert result.left_out - without.left_out == 6 * (PEOPLE + 1)


def test_curves(both):
    own, tried = both
    assert repr(without_first(tried)) == repr(without_first(own))
    assert repr(without_least(tried)) == repr(without_least(own))


def test_mixed_model(ratings):
    own, tried = ratings
    result, without = ratings_model(tried), ratings_model(own)
    assert (result.systems, result.annotators) == (without.systems, without.annotators)
    assert repr(result.model) == repr(without.model)
    assert result.left_out - without.left_out == 6 * (PEOPLE + 1)
    assert repr(fit_rater_model(tried).systems) == repr(fit_rater_model(own).systems)


def test_analysis_of_ratings(ratings):
    own, tried = ratings
    result, without = (analyse_ratings(j, by=["document"], resamples=20) for j in (tried, own))
    assert repr(result.groups) == repr(without.groups)
    assert [group.by for group in result.groups[1:]] == [{"document": f"d{i}"} for i in range(ITEMS)]
    for name in ("systems", "items", "annotators"):
        assert getattr(result.facts, name) == getattr(without.facts, name)
    assert result.facts.kinds == {**without.facts.kinds, KINDS[TUTORIAL]: 24}
    assert result.facts.judgements == len(tried)
    assert repr(result.agreement.inter) == repr(without.agreement.inter)
    for name in ("controls", "annotators", "warnings"):
        assert repr(getattr(result, name)) == repr(getattr(without, name))


def test_analysis_of_rankings():
    own = campaign(pairs=True)
    result, without = (analyse_rankings(j, resamples=20) for j in (with_tutorials(own), own))
    assert repr(result.groups) == repr(without.groups)
    assert result.warnings == ("24 comparisons in tutorials left out", *without.warnings)
    for name in ("judgements", "systems", "items", "annotators"):
        assert getattr(result.facts, name) == getattr(without.facts, name)


def test_pilot(ratings):
    own, tried = ratings
    result, without = (pilot_of_judgements(j, ("s2", "s0"), seed=1) for j in (tried, own))
    assert repr(result.facts) == repr(without.facts)


def test_nothing_but_tutorials_is_nothing(both):
    own, tried = both
    only = tried[tried.kind == TUTORIAL]
    assert diagnoses(only) == ()
    with pytest.raises(DataError, match=r"none of these judgements is of an ordinary item|no two systems"):
        analyse_rankings(only) if own.is_ranking else analyse_ratings(only)


def test_repeats_of_the_campaign_stay(ratings):
    own, tried = ratings
    assert (tried.kind == REPEAT).sum() == (own.kind == REPEAT).sum() == 27
    assert quality(tried)[0].repeats == 9
