"""Errors weigh what Google's weights say, and kinds of errors add up to the score."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import Judgements, Span
from adjudge.errors import DataError, UsageError
from adjudge.human.mqm import error_penalties, error_types, read_weights, severities, weigh_errors
from helpers.judged import ratings

spans = st.builds(
    Span,
    st.none(),
    st.none(),
    st.sampled_from(["major", "Minor", "neutral", "No-error", "critical"]),
    st.sampled_from(["Fluency/Punctuation", "Accuracy/Omission", "Non-translation!", ""]),
)


def marked(*errors: tuple[Span, ...]) -> Judgements:
    rows = [("x", "ab"[i % 2], str(i), 0.0) for i in range(len(errors))]
    return ratings(rows, protocol="mqm", spans=errors)


@given(st.lists(st.lists(spans, max_size=8).map(tuple), min_size=2, max_size=10))
def test_kinds_of_errors_add_up_to_the_score(errors: list[tuple[Span, ...]]) -> None:
    judgements = marked(*errors)
    sums = error_penalties(judgements)
    kinds = error_types(judgements)
    for code, system in enumerate(judgements.system.names):
        mean = sums[judgements.system.codes == code].mean()
        assert math.fsum(kind.weight for kind in kinds if kind.system == system) == pytest.approx(mean)


def test_only_the_heaviest_errors_of_a_segment_may_count() -> None:
    errors = (*[Span(0, 1, "minor", "Style")] * 4, *[Span(0, 1, "major", "Accuracy")] * 3)
    np.testing.assert_array_equal(error_penalties(marked(errors, ()), most=5), [17, 0])


def test_an_unknown_severity_is_named_with_its_place() -> None:
    with pytest.raises(DataError, match="judgement 2: unknown severity 'majr'; did you mean 'major'"):
        error_penalties(marked((), (Span(0, 1, "majr"),)))


def test_severities_of_ones_own_weigh_what_is_said() -> None:
    spans = ((Span(0, 1, "leicht", "Stil"), Span(1, 2, "Schwer", "Stil")), (Span(0, 1, "leicht", "Stil"),))
    rows = ratings([("x", "a", "1", 0.0), ("x", "b", "1", 0.0)], protocol="mqm", spans=spans)
    assert severities(rows) == ["leicht", "schwer"]
    with pytest.raises(
        DataError, match=r"judgement 1: unknown severity 'leicht'.* --error-weights leicht=NUMBER"
    ):
        weigh_errors(rows)
    weights = read_weights("leicht=1,Schwer=4", severities(rows))
    assert weigh_errors(rows, weights).judgements.score.tolist() == [5.0, 1.0]
    assert str(weights).endswith("leicht 1, schwer 4")
    with pytest.raises(UsageError, match="did you mean 'leicht'"):
        read_weights("leict=1", severities(rows))


def test_weights_can_be_others() -> None:
    assert read_weights(" ") is None
    assert read_weights("major=10, non-translation=0") == ErrorWeights(major=10, non_translation=0)
    with pytest.raises(UsageError, match="did you mean 'major'"):
        read_weights("majr=1")
    with pytest.raises(UsageError, match="NAME=NUMBER"):
        read_weights("major")
    with pytest.raises(UsageError, match="from 0 up"):
        read_weights("major=-1")


def test_without_marks_there_is_nothing_to_weigh() -> None:
    with pytest.raises(DataError, match="no errors are marked"):
        error_penalties(ratings([("x", "a", "1", 1.0)]))


def own(severity: str, weight: float | None, category: str = "") -> Span:
    return Span(0, 1, severity, category, weight=weight)


def test_weights_of_the_file_are_used_unless_others_are_asked_for() -> None:
    judgements = marked((own("major", 0, "source issue"), own("minor", 3)), (own("critical", 25),))
    penalties = weigh_errors(judgements)
    assert penalties.judgements.score.tolist() == [3, 25]
    assert (penalties.weights, penalties.judgements.higher_is_better) == ("as the files say", False)
    assert [kind.weight for kind in error_types(judgements, penalties.weigh)] == [3, 0, 25]
    asked = weigh_errors(judgements, ErrorWeights(critical=10))
    assert asked.judgements.score.tolist() == [6, 10]
    assert asked.weights.startswith("major 5, minor 1, punctuation 0.1, non-translation 25, ")
    assert weigh_errors(judgements, most=1).judgements.score.tolist() == [3, 25]


def test_where_only_some_errors_say_what_they_weigh_none_does() -> None:
    penalties = weigh_errors(marked((own("major", 0), own("minor", None)), ()))
    assert penalties.judgements.score.tolist() == [6, 0]
    assert penalties.warnings == ("only 1 of 2 errors say what they weigh: all are weighed as Google does",)


def test_scores_beside_errors_without_weights_stay() -> None:
    judgements = replace(marked((own("major", None),), ()), score=np.array([-7.0, 0.0]))
    penalties = weigh_errors(judgements)
    assert penalties.judgements is judgements
    assert "scores of their own" in penalties.weights
    assert weigh_errors(judgements, ErrorWeights()).judgements.score.tolist() == [5, 0]


def test_other_protocols_stay_as_they_are() -> None:
    judgements = replace(marked((own("major", 5),)), protocol="esa")
    assert weigh_errors(judgements).judgements is judgements


def test_an_unknown_severity_of_another_protocol_is_named_with_its_place() -> None:
    with pytest.raises(DataError, match="judgement 1: unknown severity 'bad'"):
        error_types(marked((Span(0, 1, "bad"),)))
