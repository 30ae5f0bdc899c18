"""Errors held against errors: hand-computed, laws, and WMT's definition character by character."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.errors import DataError
from adjudge.human.spans import marked_places, overlap, span_f1, span_precision, span_recall, span_rows
from helpers.marked import judged

PLACES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from(["minor", "major"])).map(
        lambda entry: (entry[0], entry[0] + entry[1], entry[2])
    ),
    max_size=4,
)


def by_characters(gold, predicted, length=30):
    """WMT 2023's definition as its paper words it: a list of characters, looked at one by one."""
    tp = ours = theirs = 0.0
    for i in range(length):
        major, minor = (any(b <= i < e and s == kind for b, e, s in gold) for kind in ("major", "minor"))
        said_major, said_minor = (
            any(b <= i < e and s == kind for b, e, s in predicted) for kind in ("major", "minor")
        )
        ours += major or minor
        theirs += said_major or said_minor
        if not (major or minor) or not (said_major or said_minor):
            continue
        if major and minor:
            tp += 1
        elif major:
            tp += 1 if said_major else 0.5
        else:
            tp += 1 if said_minor else 0.5
    return tp, ours, theirs


def test_a_worked_example():
    # "The cat sat on the mat": gold marks `cat` (4–7) major and `on the` (12–18) minor; predicted are `cat sat` (4–11)
    # major and `the` (15–18) major. In common: 3 of the same severity, 3 of another: 3 + 1.5 of 9 and of 10.
    gold = [(4, 7, "major"), (12, 18, "minor")]
    predicted = [(4, 11, "major"), (15, 18, "major")]
    assert overlap(gold, predicted) == (4.5, 9, 10)
    sums = np.array([4.5, 9, 10])
    assert span_precision(sums) == pytest.approx(45)
    assert span_recall(sums) == pytest.approx(50)
    assert span_f1(sums) == pytest.approx(2 * 45 * 50 / 95)
    assert overlap(gold, predicted, credit=0) == (3, 9, 10)


@pytest.mark.parametrize(
    ("gold", "predicted", "f1", "precision", "recall"),
    [
        ([], [], 100, 100, 100),
        ([(0, 5, "minor")], [], 0, 100, 0),
        ([], [(0, 5, "minor")], 0, 0, 100),
        ([(0, 5, "minor")], [(5, 9, "minor")], 0, 0, 0),
        ([(0, 4, "minor")], [(0, 4, "major")], 50, 50, 50),
        ([(0, 4, "minor"), (2, 4, "major")], [(0, 4, "minor")], 100, 100, 100),
    ],
)
def test_small_cases(gold, predicted, f1, precision, recall):
    sums = np.array(overlap(gold, predicted))
    assert (span_f1(sums), span_precision(sums), span_recall(sums)) == (f1, precision, recall)


@given(PLACES, PLACES)
def test_it_is_wmts_definition(gold, predicted):
    assert overlap(gold, predicted) == by_characters(gold, predicted)


@given(PLACES, PLACES)
def test_laws(gold, predicted):
    common, ours, theirs = overlap(gold, predicted)
    assert overlap(gold, gold) == (ours, ours, ours)
    assert overlap(predicted, gold) == (common, theirs, ours)
    assert common <= min(ours, theirs)
    sums, swapped = np.array([common, ours, theirs]), np.array([common, theirs, ours])
    assert span_precision(sums) == span_recall(swapped)
    assert 0 <= span_f1(sums) <= 100
    p, r = span_precision(sums), span_recall(sums)
    if ours and theirs:
        assert span_f1(sums) == pytest.approx(2 * p * r / (p + r) if p + r else 0)


def test_what_is_marked():
    spans = [
        Span(3, 5, "Critical"),
        Span(7, 7, "minor"),
        Span(None, None, "major", "accuracy/omission"),
        Span(0, 2, "neutral"),
        Span(0, 2, "undecided"),
        Span(0, 2, "no-error"),
        Span(0, 2, "major", side="source"),
        Span(1, 10**9, "odd"),
    ]
    assert marked_places(spans) == [(3, 5, "major"), (7, 8, "minor"), (1, 10**9, "odd")]
    assert overlap(marked_places(spans), marked_places(spans))[1] == 10**9 - 1


GOLD = judged(
    ("ann", "A", "1", [(0, 4, "minor")]),
    ("bob", "A", "1", [(2, 4, "major")]),
    ("ann", "A", "2", []),
    ("ann", "B", "1", [(5, 9, "major")]),
    labels={"document": ["d", "d", "d", "e"]},
)


def test_rows_are_those_of_the_gold():
    model = judged(
        ("m", "A", "1", [(0, 4, "minor")]), ("m", "A", "2", [(0, 3, "minor")]), ("m", "B", "1", [])
    )
    rows = span_rows(GOLD, {"m": model})
    np.testing.assert_array_equal(rows.rows["m"], [[4, 4, 4], [1, 2, 4], [0, 0, 3], [0, 4, 0]])
    assert rows.labels["item"] == ("1", "1", "2", "1")
    assert rows.labels["document"] == ("d", "d", "d", "e")
    assert not rows.notes


def test_what_was_judged_several_times_counts_by_its_mean():
    model = judged(("m", "A", "1", [(0, 4, "minor")]), ("n", "A", "1", []))
    rows = span_rows(GOLD[np.array([0])], {"m": model})
    np.testing.assert_array_equal(rows.rows["m"], [[2, 4, 2]])


def test_people_are_held_against_each_other_and_never_against_themselves():
    rows = span_rows(GOLD, {"people": GOLD})
    np.testing.assert_array_equal(rows.rows["people"], [[1, 4, 2], [1, 2, 4]])
    assert rows.notes == ("2 judgements of 4 left out: not all judges have one of the same translation",)


def test_missing_judgements_are_not_judgements_that_all_is_well():
    model = judged(
        ("m", "A", "1", [(0, 4, "minor")]),
        ("m", "B", "1", []),
        labels={"missing": ["", "there is no JSON object in it"]},
    )
    rows = span_rows(GOLD, {"m": model})
    assert rows.labels["system"] == ("A", "A")


def test_what_cannot_be_compared():
    with pytest.raises(DataError, match=r"m judged none .* \('1' of 'A' and '1' of 'C'\)"):
        span_rows(GOLD, {"m": judged(("m", "C", "1", []))})
    with pytest.raises(DataError, match="no translation that all judges and somebody else judged"):
        span_rows(GOLD[np.array([2])], {"m": judged(("ann", "A", "2", []))})
    unmarked = Judgements("da", NameColumn.of("A"), NameColumn.of("1"), NameColumn.of("m"), np.array([1.0]))
    with pytest.raises(DataError, match="no errors are marked"):
        span_rows(GOLD, {"m": unmarked})


def test_errors_that_experts_marked(shared):
    """WMT's TED talks: two raters each, held against each other by the textbook."""
    from adjudge.io.judgements import read

    judgements = read(shared.data / "15_ted_mqm_ende" / "mqm_ted_ende.tsv").judgements[:1500]
    result = span_rows(judgements, {"people": judgements}) if _twice(judgements) else None
    spans = [marked_places(several) for several in judgements.spans]
    assert sum(map(bool, spans)) > 300
    for first, other in pairwise(spans):
        inside = [[(b, min(e, 400), s) for b, e, s in places if b < 400] for places in (first, other)]
        known = [[place for place in places if place[2] in ("minor", "major")] for places in inside]
        assert overlap(*known) == by_characters(*known, length=400)
    assert result is None or 0 < span_f1(result.rows["people"].sum(0)) < 100


def _twice(judgements):
    keys = list(zip(judgements.system.values(), judgements.item.values(), strict=True))
    return len(set(keys)) < len(keys)
