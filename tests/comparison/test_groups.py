"""Groups of segments: where one length ends and the next begins."""

from adjudge.comparison.groups import length_groups
from adjudge.data import TestSet

EDGES = {
    1: "1-10", 10: "1-10", 11: "11-20", 20: "11-20", 21: "21-30", 30: "21-30", 31: "31-40", 40: "31-40",
    41: "41-60", 60: "41-60", 61: ">60",
}  # fmt: skip


def test_a_group_holds_its_upper_end():
    texts = tuple(" ".join(["word"] * count) for count in EDGES)
    assert length_groups(TestSet(references=(texts,))) == tuple(EDGES.values())
    assert length_groups(TestSet(references=(("x",) * len(texts),), sources=texts)) == tuple(EDGES.values())


def test_without_spaces_four_characters_are_a_word():
    texts = ("字" * 40, "字" * 41, "字" * 240, "字" * 241)
    assert length_groups(TestSet(references=(texts,))) == ("1-10", "11-20", "41-60", ">60")
