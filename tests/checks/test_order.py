"""Lines in the wrong places are found, with the place and the number of lines; right ones are left in peace."""

import random
import time

import pytest

from adjudge.checks import examine, lint
from adjudge.data import Outputs, TestSet


def order(sources, references, output):
    report = examine(TestSet(references=references, sources=sources), [Outputs("mine", tuple(output))])
    return [finding for finding in report.findings if finding.check == "order"]


def shift(lines, at, by=1):
    """The lines from `at` on `by` lines too early, with other ones at the end."""
    return [*lines[:at], *lines[at + by :], *["That was all there was to it."] * by]


def shuffle(lines):
    mixed = list(lines)
    random.Random(3).shuffle(mixed)
    return mixed


BOTH = pytest.mark.parametrize("against", ["reference", "source"])


@pytest.fixture
def judge(clean, against):
    if against == "reference":
        return lambda output: order(None, [clean.reference], output)
    return lambda output: order(clean.source, [], output)


@BOTH
def test_a_sound_output(judge, clean):
    assert judge(clean.output) == []
    assert judge(clean.reference) == []


@BOTH
@pytest.mark.parametrize(("at", "by"), [(100, 1), (40, 2), (0, 1), (0, 7), (120, 20)])
def test_a_shift(judge, clean, at, by):
    (finding,) = judge(shift(clean.output, at, by))
    assert finding.severity == "error"
    assert f"is shifted by {by} line" in finding.message
    assert f"has {by} line{'s' * (by > 1)} later" in finding.message
    assert abs(finding.lines[0] - 1 - at) <= 2


@BOTH
def test_a_shift_the_other_way(judge, clean):
    (finding,) = judge([*clean.output[:60], "One line too many here.", *clean.output[60:-1]])
    assert "is shifted by 1 line" in finding.message
    assert finding.message.endswith("1 line earlier")
    assert abs(finding.lines[0] - 61) <= 2


@BOTH
def test_a_reversed_file(judge, clean):
    (finding,) = judge(clean.output[::-1])
    assert "reverse order" in finding.message


@BOTH
def test_a_shuffled_file(judge, clean):
    (finding,) = judge(shuffle(clean.output))
    assert "is shuffled" in finding.message
    assert finding.severity == "error"
    assert "belongs to line" in finding.example


@BOTH
def test_swapped_blocks(judge, clean):
    o = clean.output
    (finding,) = judge([*o[:30], *o[60:100], *o[30:60], *o[100:]])
    assert finding.severity == "error"
    assert "swapped" in finding.message or "out of place" in finding.message
    assert abs(finding.lines[0] - 31) <= 1


def test_two_swapped_lines(clean):
    o = clean.output
    (finding,) = order(None, [clean.reference], [*o[:30], o[31], o[30], *o[32:]])
    assert "has lines 31 and 32 swapped" in finding.message
    assert finding.severity == "warning"


def test_a_file_sorted_by_length(clean):
    (finding,) = order(None, [clean.reference], sorted(clean.output, key=len))
    assert "sorted by length" in finding.message


def test_a_file_sorted_by_alphabet(clean):
    (finding,) = order(None, [clean.reference], sorted(clean.output))
    assert "sorted by alphabet" in finding.message


def test_another_test_set(clean):
    half = len(clean.output) // 2
    (finding,) = order(None, [clean.reference], [*clean.source[half:], *clean.source[:half]])
    assert finding.severity == "error"


def test_a_shifted_reference_is_blamed_itself(clean, examples):
    test_set = TestSet(references=[shift(clean.reference, 80)])
    outputs = [Outputs("a", clean.output), Outputs("b", clean.output[:90] + clean.second[90:])]
    findings = [f for f in examine(test_set, outputs).findings if f.check == "order"]
    assert len(findings) == 1
    assert findings[0].system == ""
    assert "reference 1 is shifted by 1 line" in findings[0].message


def test_counts_and_where_a_line_is_missing(clean, write):
    reference = write("ref.en", clean.reference)
    lines = list(clean.output)
    report = lint(
        references=[reference], systems=[write("mine.en", lines[:99] + lines[100:])], skip=["language"]
    )
    (finding,) = (f for f in report.findings if f.check == "line-count")
    assert f"mine has 172 lines, but {reference} has 173" in finding.message
    assert "line 100 is missing, everything behind is shifted by 1" in finding.message
    assert finding.lines == (100,)
    assert finding.severity == "error"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda o: o[:-3], "the last 3 are missing"),
        (lambda o: o[4:], "the first 4 are missing"),
        (lambda o: [*o, "And one more."], "the last one is too many"),
        (lambda o: ["A title", *o], "the first one is too many"),
        (lambda o: o[:50] + o[55:], "lines 51 to 55 are missing"),
        (lambda o: [*o[:50], "Something else.", *o[50:]], "line 51 is too many"),
        (lambda o: o[:20] + o[21:90] + o[91:], "line 91 is missing"),
        (lambda o: [], "is empty"),
    ],
)
def test_where_lines_are_missing_or_too_many(clean, write, change, told):
    files = {
        "references": [write("ref.en", clean.reference)],
        "systems": [write("mine.en", change(list(clean.output)))],
    }
    (finding,) = (f for f in lint(**files, skip=["language"]).findings if f.check == "line-count")
    assert told in finding.message


def test_the_place_is_found_against_a_source_alone(clean, write):
    files = {
        "source": write("src.pt", clean.source),
        "systems": [write("mine.en", clean.output[:99] + clean.output[100:])],
    }
    (finding,) = (f for f in lint(**files, skip=["language"]).findings if f.check == "line-count")
    assert "is missing" in finding.message
    assert abs(finding.lines[0] - 100) <= 3


def test_real_files_are_in_order(shared):
    for source, reference, outputs in [
        ("w2.zh-en.src.zh", "w2.zh-en.refA.en", ["w2.zh-en.Online-B.en", "w2.zh-en.DLUT.en"]),
        ("w1.src.sk", "w1.ref.en", ["w1.sys1.en", "w1.sys2.en"]),
    ]:
        for output in outputs:
            assert order(shared.lines(source), [shared.lines(reference)], shared.lines(output)) == []
            assert order(shared.lines(source), [], shared.lines(output)) == []


@pytest.mark.parametrize("against", ["w2.zh-en.refA.en", "w2.zh-en.src.zh"])
def test_real_files_out_of_order(shared, against):
    text, output = [shared.lines(against)], shared.lines("w2.zh-en.Online-B.en")
    (shifted,) = order(None, text, shift(output, 812))
    assert "is shifted by 1 line" in shifted.message
    assert abs(shifted.lines[0] - 813) < 6
    (mixed,) = order(None, text, shuffle(output))
    assert "is shuffled" in mixed.message
    (turned,) = order(None, text, output[::-1])
    assert "reverse order" in turned.message


@pytest.mark.slow
def test_a_hundred_thousand_lines_take_seconds(shared):
    reference, output = shared.lines("w3.ref.en"), shared.lines("w3.hyp.en")
    start = time.process_time()
    # The references come again and again, a system after the other: lines fit many places, and this one best.
    assert order(None, [reference], output) == []
    assert time.process_time() - start < 20


def test_a_text_that_repeats_itself(clean):
    """Lines fit other places as well as their own: none of them is out of place."""
    assert order(None, [clean.reference * 4], clean.output * 4) == []
    half = [*clean.output, *clean.reference]
    assert order(clean.source * 2, [], half) == []
