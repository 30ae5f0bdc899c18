"""What of a test set stands in a training text: against a look at every line, in bounded memory, and said by lint."""

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.checks import lint
from adjudge.checks.contamination import SeenSegments, seen_segments
from adjudge.errors import DataError

words = st.lists(st.sampled_from(["a", "b", "c", "A", ",", "é"]), max_size=7).map(" ".join)


def by_looking(segments: list[str], lines: list[str], n: int) -> SeenSegments:
    def cut(text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    known = [cut(line) for line in lines]
    grams = {tuple(own[i : i + n]) for own in known for i in range(len(own) - n + 1)}
    exact, alike, covered = [], [], []
    for segment in segments:
        own = cut(segment)
        exact.append(bool(own) and segment in lines)
        alike.append(bool(own) and own in known)
        places = set(range(len(own))) if alike[-1] else set()
        for i in range(len(own) - n + 1):
            places |= set(range(i, i + n)) if tuple(own[i : i + n]) in grams else set()
        covered.append(len(places) / len(own) if own else 0.0)
    return SeenSegments(tuple(exact), tuple(alike), tuple(covered), len(lines))


@given(st.lists(words, min_size=1, max_size=4), st.lists(words, min_size=1, max_size=6), st.integers(1, 3))
def test_the_same_as_by_looking(tmp_path_factory, segments, lines, n) -> None:
    path = tmp_path_factory.mktemp("seen") / "train"
    path.write_text("\n".join(lines) + "\n")
    assert seen_segments(segments, [str(path)], words=n) == by_looking(segments, lines, n)


def test_kinds(tmp_path) -> None:
    path = tmp_path / "train.gz"
    text = "one two three four five six seven eight nine ten"
    path.write_bytes(gzip.compress(f"x {text} y\nAlso this, here.\nand THAT one\n".encode()))
    segments = ["Also this, here.", "and that one!", f"{text} eleven", "something else"]
    seen = seen_segments(segments, [str(path)])
    assert seen.kinds == ("exact", "alike", "overlap", "unseen")
    assert seen.covered[2] == pytest.approx(10 / 11)


def test_chinese_is_cut_into_characters(tmp_path) -> None:
    path = tmp_path / "train"
    path.write_text("我们今天去北京看朋友吃饭。\n")
    seen = seen_segments(["我们今天去北京看朋友!", "他们明天去上海"], [str(path)], spaceless=True)
    assert seen.kinds == ("overlap", "unseen")


def test_several_files_are_one_text_and_a_missing_one_is_named(tmp_path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"only {name} has this\n")
    seen = seen_segments(["only a has this", "only b has this"], [str(tmp_path / "a"), str(tmp_path / "b")])
    assert seen.exact == (True, True)
    assert seen.lines == 2
    with pytest.raises(DataError, match="does not exist"):
        seen_segments(["x"], [str(tmp_path / "c")])


def test_an_empty_training_text_is_no_proof(tmp_path) -> None:
    (tmp_path / "full").write_text("something\n")
    (tmp_path / "empty").write_text("")
    with pytest.raises(DataError, match="empty: no line of a training text"):
        seen_segments(["x"], [str(tmp_path / "full"), str(tmp_path / "empty")])


def test_lint_says_it(tmp_path) -> None:
    reference = [f"this is the segment number {i} of them all" for i in range(10)]
    (tmp_path / "ref.en").write_text("\n".join(reference) + "\n")
    (tmp_path / "train.en").write_text("\n".join(reference[:4]) + "\nsomething else\n")
    files = {"references": [str(tmp_path / "ref.en")], "systems": [], "skip": ["language"]}
    report = lint(training=[str(tmp_path / "train.en")], **files)
    [own] = [f for f in report.findings if f.check == "contamination"]
    assert own.severity == "warning"
    assert (
        own.message.rpartition("/")[2]
        == "ref.en has 4 segments (40 %) that the training text has as they are"
    )
    assert own.lines == (1, 2, 3, 4)
    assert not [f for f in lint(**files).findings if f.check == "contamination"]
