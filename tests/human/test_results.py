"""Ratings and rankings have one shape, in Python and in JSON: who reads one reads the other."""

import json
from dataclasses import fields

import pytest

from adjudge.human import ranking_display, rating_display
from adjudge.human.ranking_results import RankingAnalysis, RankingFacts
from adjudge.human.rankings import analyse_rankings
from adjudge.human.ratings import analyse_ratings
from adjudge.human.results import RatingAnalysis, RatingFacts
from adjudge.report.render.json import json_text
from helpers.judged import drawn
from helpers.rankings import judged

OLD = {
    "ratings": {
        "": {"judgements", "groups", "agreement", "annotators", "errors", "warnings"},
        "judgements": {
            "protocol",
            "kinds",
            "systems",
            "items",
            "annotators",
            "score",
            "unit",
            "dropped",
            "design",
        },
        "systems": {
            "system",
            "mean",
            "z",
            "n_translations",
            "n_judgements",
            "low",
            "high",
            "cluster",
            "rank",
        },
        "pairs": {"a", "b", "delta", "p", "p_adjusted", "effect", "effect_reversed", "common", "significant"},
        "test": {"method", "unit", "alpha", "correction", "resamples", "seed", "confidence", "comparisons"},
    },
    "rankings": {
        "": {"judgements", "groups", "agreement", "annotators", "controls", "warnings"},
        "judgements": {
            "protocol",
            "rankings",
            "systems",
            "items",
            "annotators",
            "unit",
            "too_small",
            "alpha",
        },
        "systems": {
            "system",
            "score",
            "n_translations",
            "n_judgements",
            "low",
            "high",
            "cluster",
            "rank",
            "wins",
        },
        "pairs": {
            "a",
            "b",
            "wins",
            "ties",
            "losses",
            "delta",
            "p",
            "p_adjusted",
            "effect",
            "significant",
            "units",
        },
        "test": {"method", "unit", "drawn", "clusters", "resamples", "seed", "confidence"},
    },
}
"""Names that stood in the documents before they had one shape, and stay."""
COMMON = {
    "": {"judgements", "groups", "agreement", "annotators", "controls", "errors", "warnings"},
    "judgements": {
        *("protocol", "judgements", "kinds", "systems", "items", "annotators", "unit", "higher_is_better")
    },
    "groups": {"by", "method", "systems", "pairs", "test", "claims", "remarks"},
    "systems": {
        *(
            "system",
            "score",
            "low",
            "high",
            "cluster",
            "rank",
            "rank_interval",
            "n_translations",
            "n_judgements",
        )
    },
    "pairs": {"a", "b", "delta", "p", "p_adjusted", "effect", "effect_reversed", "common", "significant"},
    "test": {"method", "unit", "alpha", "correction", "resamples", "seed", "confidence", "comparisons"},
}


@pytest.fixture(scope="module")
def analyses():
    rows = [("A", "B", (-1, 1, 1, 0)[item % 4], item, item) for item in range(12)]
    return {
        "ratings": analyse_ratings(drawn(systems=2, items=20), resamples=20),
        "rankings": analyse_rankings(judged(rows), resamples=20),
    }


def parts(document):
    group = document["groups"][0]
    first = {"systems": group["systems"][0], "pairs": group["pairs"][0], "test": group["test"]}
    return {"": document, "judgements": document["judgements"], "groups": group, **first}


@pytest.mark.parametrize("kind", ["ratings", "rankings"])
def test_documents_have_the_common_names_and_keep_their_old_ones(analyses, kind):
    report = {"ratings": rating_display, "rankings": ranking_display}[kind]
    result = parts(json.loads(json_text(report.document(analyses[kind]))))
    for part, names in COMMON.items():
        assert names <= set(result[part]), part
    for part, names in OLD[kind].items():
        assert names <= set(result[part]), part


def test_results_have_one_shape():
    ranking_only = {field.name for field in fields(RankingAnalysis)} - {
        f.name for f in fields(RatingAnalysis)
    }
    assert not ranking_only
    shared_facts = {f.name for f in fields(RankingFacts)} & {f.name for f in fields(RatingFacts)}
    assert COMMON["judgements"] <= shared_facts


@pytest.mark.parametrize("kind", ["ratings", "rankings"])
def test_a_reader_needs_no_question_which_one_it_is(analyses, kind):
    analysis = analyses[kind]
    everything = analysis.groups[0]
    assert not everything.by
    assert [system.system for system in everything.systems]
    scores = [system.score for system in everything.systems]
    assert scores == sorted(scores, reverse=analysis.facts.higher_is_better)
    assert len(everything.pairs) == 1
    assert all(person.annotator for person in analysis.annotators)
    assert sum(analysis.facts.kinds.values()) == analysis.facts.judgements


def test_the_score_of_a_system_is_what_was_tested(analyses):
    ratings = analyses["ratings"]
    assert ratings.facts.score == "z"
    assert all(system.score == system.z for system in ratings.groups[0].systems)
    raw = analyse_ratings(drawn(systems=2, items=20), score="raw", resamples=20)
    assert all(system.score == system.mean for system in raw.groups[0].systems)
