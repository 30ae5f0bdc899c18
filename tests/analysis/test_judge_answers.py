"""Answers of a judge beside those of people: who is who, in which run, and which way is better."""

import math

import numpy as np
import pytest

from adjudge.analysis.judge_answers import choices_of, judge_name, mean_ratings, ratings_of
from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REPEAT, Judgements, NameColumn, Span
from adjudge.errors import UsageError
from helpers.judge_cards import choice

# From judgements


def judgements(rows, protocol="da", labels=None, **others):
    """Judgements from (annotator, system, item, score, kind)."""
    people, systems, items, scores, kinds = zip(*rows, strict=True)
    return Judgements(
        protocol,
        NameColumn.of(systems),
        NameColumn.of(items),
        NameColumn.of(people),
        np.array(scores, np.float64),
        np.array(kinds, np.int8),
        labels={name: NameColumn.of(values) for name, values in (labels or {}).items()},
        **others,
    )


def test_runs_are_files_and_labels_and_repeats_are_answers_given_again():
    both = judgements(
        [("m", "A", "1", 5, ORDINARY), ("m", "A", "1", 6, ORDINARY), ("m", "A", "1", 7, REPEAT)],
        labels={"run": ["1", "2", "1"], "document": ["d", "d", "d"]},
    )
    damaged = judgements([("m", "A", "1", 1, BAD_REFERENCE), ("n", "A", "1", 2, ORDINARY)])
    result = ratings_of([both, damaged], "m")
    assert result.runs == [{("A", "1"): 5}, {("A", "1"): 6}]
    assert result.again == [(("A", "1"), 7)]
    assert result.documents == {"1": "d"}


def test_what_is_better_lower_is_turned_and_errors_are_weighed():
    lower = judgements([("m", "A", "1", 30, ORDINARY)], "hter", higher_is_better=False)
    assert ratings_of([lower]).runs == [{("A", "1"): -30}]
    marked = judgements([("m", "A", "1", math.nan, ORDINARY)], "mqm", spans=((Span(0, 1, "major"),),))
    assert ratings_of([marked]).runs == [{("A", "1"): -5}]


def test_people_are_averaged_and_the_judge_is_found():
    people = judgements([("a", "A", "1", 10, ORDINARY), ("b", "A", "1", 30, ORDINARY)])
    assert mean_ratings([people])[0] == {("A", "1"): 20}
    assert judge_name([people], "a") == "a"
    with pytest.raises(UsageError, match=r"judgements of a, b: say of whom the card is \(--judge NAME\)"):
        judge_name([people], None)
    with pytest.raises(UsageError, match="no judge 'c' in these files, but a, b"):
        judge_name([people], "c")
    pairs = judgements([("a", "A", "1", 1, ORDINARY)], "pairwise", other=NameColumn.of(["B"]))
    assert choices_of([pairs], "a") == [choice("1", "A", "B", 1, "0//a")]
