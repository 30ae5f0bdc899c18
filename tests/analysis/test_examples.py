"""Examples: those that compare-mt chooses, by the book, and in words."""

import pytest

from adjudge.analysis.examples import examples
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from conftest import Shared

COMPARE_MT = {
    # compare-mt 0.2.10, sentence BLEU on w1: difference and segment, where the second system is ahead and behind
    "better": [(69.673, 1097), (69.384, 1077), (66.019, 1632), (65.249, 679), (62.394, 1648)],
    "worse": [(-83.850, 1435), (-80.359, 463), (-60.236, 738), (-58.089, 1710), (-55.940, 1394)],
}


def test_largest_differences_are_compare_mts(shared: Shared) -> None:
    def lines(name: str) -> list[str]:
        return (shared.golden / "data" / name).read_text(encoding="utf-8").rstrip("\n").split("\n")

    outputs = [Outputs(name, lines(f"w1.tok.{name}.en")) for name in ("sys1", "sys2")]
    result = examples(TestSet(references=[lines("w1.tok.ref.en")]), outputs, "bleu+1(tokenize=none)", top=5)
    told = {own.why: [(e.delta, e.segment) for e in own.examples] for own in result.lists if own.system}
    for why, expected in COMPARE_MT.items():
        assert [segment for _, segment in told[why]] == [segment for _, segment in expected]
        assert [delta for delta, _ in told[why]] == pytest.approx([delta for delta, _ in expected], abs=5e-4)


def made() -> tuple[TestSet, list[Outputs]]:
    reference = ["a b c d", "e f g h", "i j k l", "e f g h", "m n o p"]
    first = ["a b c d", "x x x x", "i j x x", "x x x x", "m n o p"]
    second = ["a x x x", "e f g h", "i j x x", "e f g h", "m n o p"]
    test_set = TestSet(references=[reference], sources=["1", "2", "3", "4", "5"])
    return test_set, [Outputs("one", first), Outputs("two", second)]


def test_every_reason_by_hand() -> None:
    result = examples(*made(), "recall(tokenize=none)")
    told = {(own.why, own.system): [e.segment for e in own.examples] for own in result.lists}
    assert told == {
        ("better", "two"): [2],  # the fourth is the same
        ("worse", "two"): [1],
        ("low", ""): [2, 3, 1, 5],
        ("high", ""): [5, 1, 2, 3],
    }
    [ahead] = result.lists[0].examples
    assert (ahead.delta, ahead.scores) == (100, (0, 100))
    assert (ahead.source, ahead.reference, ahead.outputs) == ("2", "e f g h", ("x x x x", "e f g h"))


def test_less_is_better_for_some() -> None:
    result = examples(*made(), "ter", top=1)
    assert {own.why: [e.segment for e in own.examples] for own in result.lists[:2]} == {
        "better": [2],
        "worse": [1],
    }


def test_runs_have_their_own_texts() -> None:
    test_set, [one, two] = made()
    runs = [
        Outputs("s", one.segments, run="1"),
        Outputs("t", two.segments),
        Outputs("s", two.segments, run="2"),
    ]
    result = examples(test_set, runs, "recall(tokenize=none)", top=1)
    assert result.systems == (runs[0].title, runs[2].title, runs[1].title)
    for own in result.lists:
        for example in own.examples:
            expected = [run.segments[example.segment - 1] for run in (runs[0], runs[2], runs[1])]
            assert list(example.outputs) == expected


def test_neither_better_nor_worse() -> None:
    with pytest.raises(UsageError, match="neither high nor low"):
        examples(*made(), "length-ratio")
