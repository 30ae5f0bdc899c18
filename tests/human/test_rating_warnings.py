"""What a reader of ratings is warned of: judges without variance."""

import pytest

from adjudge.data.judgements import NameColumn
from adjudge.errors import DataError
from adjudge.human.grouping import several_questions
from adjudge.human.ratings import analyse_ratings
from helpers.judged import QUICK, ratings


def test_a_judge_without_variance_keeps_raw_scores() -> None:
    rows = [("x", s, str(i), 50.0 + i + v) for i in range(5) for s, v in (("a", 5), ("b", 0))]
    rows += [("flat", s, str(i), 70.0) for i in range(5) for s in "ab"]
    analysis = analyse_ratings(ratings(rows), **QUICK)
    assert any(
        "flat gave the same score to everything, or only one (10 judgements)" in w for w in analysis.warnings
    )
    assert {s.n_judgements for s in analysis.groups[0].systems} == {10}


def test_all_judges_without_variance() -> None:
    rows = [("x", s, str(i), 70.0) for i in range(5) for s in "ab"]
    analysis = analyse_ratings(ratings(rows), **QUICK)
    assert analysis.facts.score == "raw"
    (pair,) = analysis.groups[0].pairs
    assert (pair.p, pair.significant, pair.delta) == (1, False, 0)
    with pytest.raises(DataError, match="--score raw"):
        analyse_ratings(ratings(rows), score="z", **QUICK)


def test_answers_to_one_question_are_no_mixture():
    rows = [("ann", system, str(item), 50.0 + item) for item in range(4) for system in "AB"]
    alike = ratings(rows).labelled("criterion", NameColumn.of(["fluency"] * 8))
    assert list(several_questions(alike)) == []
    both = ratings(rows).labelled("criterion", NameColumn.of(["fluency", "adequacy"] * 4))
    (told,) = several_questions(both)
    assert "answers about 2 things (criterion: fluency, adequacy) are taken together" in told
