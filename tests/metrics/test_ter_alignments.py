"""Edits of TER and WER as alignments: made step by step they turn the output into the reference, at the row's cost."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.data import Alignment, Link, Shift, TestSet
from adjudge.errors import DataError
from adjudge.metrics import metric
from adjudge.metrics.base import Metric
from adjudge.metrics.hter import Hter
from adjudge.metrics.ter import Ter
from adjudge.metrics.wer import Wer

BOTH = [Ter(), Ter(implementation="tercom")]
ALL = [*BOTH, Wer(lowercase=True)]
both = pytest.mark.parametrize("ter", BOTH, ids=str)
every = pytest.mark.parametrize("ter", ALL, ids=str)


def aligned(ter: Metric, hypotheses: Sequence[str], *references: Sequence[str | None]) -> list[Alignment]:
    return ter.alignments(ter.prepare(TestSet(references=references)), hypotheses)


def made(alignment: Alignment) -> tuple[list[str], int]:
    """What the edits make of the hypothesis, one after the other, and how many they are."""
    words: list[int | None] = list(range(len(alignment.hypothesis)))
    for shift in alignment.shifts:
        phrase = words[slice(*shift.words)]
        words.insert(shift.target, None)  # a mark that stays where it is while the phrase is taken out
        words = [word for word in words if word not in phrase]
        place = words.index(None)
        words[place : place + 1] = phrase
    wanted = {link.hypothesis[0]: link for link in alignment.links}
    text: list[str] = []
    edits = len(alignment.shifts)
    for word in words:
        assert word is not None
        link = wanted.get(word)
        if link is None:
            edits += 1  # a word left out
            continue
        (place, _) = link.reference
        assert place >= len(text), "links cross even after all shifts"
        edits += place - len(text)  # words put in
        text += alignment.reference[len(text) : place]
        edits += link.kind == "substitution"
        text.append(alignment.reference[place] if link.kind == "substitution" else alignment.hypothesis[word])
    edits += len(alignment.reference) - len(text)
    return text + list(alignment.reference[len(text) :]), edits


def check(ter: Metric, hypotheses: Sequence[str], *references: Sequence[str | None]) -> None:
    rows = ter.stats(ter.prepare(TestSet(references=references)), hypotheses)
    for alignment, (edits, _) in zip(aligned(ter, hypotheses, *references), rows, strict=True):
        assert made(alignment) == (list(alignment.reference), edits)


def words(symbols: str, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(symbols), max_size=most).map(" ".join)


@every
@given(words("abcd", 16), words("abcd", 16))
@example("d e f a b c", "a b c d e f")
@example("c b a", "a b c")
@settings(max_examples=150, deadline=None)
def test_edits_of_few_symbols_lead_to_the_reference(ter: Metric, hypothesis: str, reference: str) -> None:
    check(ter, [hypothesis], [reference])


@every
@given(st.permutations([str(n) for n in range(90)]), st.integers(40, 90), st.integers(40, 90))
@settings(max_examples=15, deadline=None)
def test_so_they_do_where_beams_matter(ter: Metric, order: list[str], first: int, last: int) -> None:
    check(ter, [" ".join(order[:first])], [" ".join(map(str, range(90)[-last:]))])


@both
@given(st.lists(st.tuples(words("abc", 8), words("abc", 8), words("abc", 8) | st.none()), min_size=1))
@settings(max_examples=40, deadline=None)
def test_the_reference_is_one_with_the_fewest_edits(
    ter: Ter, segments: list[tuple[str, str, str | None]]
) -> None:
    outputs, first, second = map(list, zip(*segments, strict=True))
    check(ter, outputs, first, second)
    for alignment, output, this, two in zip(
        aligned(ter, outputs, first, second), outputs, first, second, strict=True
    ):
        assert alignment.hypothesis == tuple(output.split())
        references = [reference for reference in (this, two) if reference is not None]
        nearest = min(
            references, key=lambda r: ter.stats(ter.prepare(TestSet(references=[[r]])), [output])[0, 0]
        )
        assert alignment.reference == tuple(nearest.split())


@every
def test_real_files_lead_to_the_reference(ter: Metric, shared) -> None:
    references = shared.lines("w2.zh-en.refA.en")[:400]
    check(ter, shared.lines("w2.zh-en.Online-G.en")[:400], references)


@both
def test_links_by_hand(ter: Ter) -> None:
    (alignment,) = aligned(ter, ["On Monday the CAT slept deeply"], ["the cat sat on Monday"])
    assert alignment.hypothesis == ("on", "monday", "the", "cat", "slept", "deeply")
    assert alignment.links == (
        Link((0, 1), (3, 4), "shift"),
        Link((1, 2), (4, 5), "shift"),
        Link((2, 3), (0, 1), "exact"),
        Link((3, 4), (1, 2), "exact"),
        Link((4, 5), (2, 3), "substitution"),
    )
    assert alignment.shifts == (Shift((0, 2), 5),)
    assert made(alignment)[1] == 3


def test_a_shift_is_a_phrase_and_its_new_place() -> None:
    (alignment,) = aligned(Ter(), ["b c a"], ["a b c"])
    assert alignment.shifts == (Shift((2, 3), 0),)
    assert [link.kind for link in alignment.links] == ["exact", "exact", "shift"]


@every
@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a b"), ("a b", ""), ("a b", "a b")])
def test_empty_and_identical_texts(ter: Metric, hypothesis: str, reference: str) -> None:
    (alignment,) = aligned(ter, [hypothesis], [reference])
    assert (alignment.hypothesis, alignment.reference) == (
        tuple(hypothesis.split()),
        tuple(reference.split()),
    )
    assert [link.kind for link in alignment.links] == ["exact"] * (2 if hypothesis == reference != "" else 0)


def test_words_are_those_of_the_metric() -> None:
    (alignment,) = aligned(metric("ter(normalized=true)"), ["Don't, please!"], ["Don't please!"])  # type: ignore[arg-type]
    assert alignment.hypothesis == ("don't", ",", "please", "!")
    (alignment,) = aligned(Hter(case_sensitive=True), ["A b"], ["A c"])
    assert alignment.hypothesis == ("A", "b")


def test_what_rows_refuse_alignments_refuse() -> None:
    with pytest.raises(DataError, match="too long for tercom's search"):
        aligned(Ter(implementation="tercom"), ["a " * 5000], ["b " * 5000])


@pytest.mark.parametrize("ter", [Ter(), Wer()], ids=str)
def test_long_segments(ter: Metric, shared) -> None:
    lines = shared.lines("w2.zh-en.Online-G.en")[:80], shared.lines("w2.zh-en.refA.en")[:80]
    texts = [" ".join(" ".join(side).split()[:1000]) for side in lines]
    check(ter, texts[:1], texts[1:])


def test_wer_takes_the_longer_of_equally_near_references() -> None:
    (alignment,) = aligned(Wer(), ["a b c"], ["a b"], ["a b x"], [None])
    assert alignment.reference == ("a", "b", "x")
    assert alignment.links[2] == Link((2, 3), (2, 3), "substitution")


def test_a_text_of_many_words_takes_little_memory() -> None:
    # 4,000 × 4,000 words: a table of them would take 64 MB; here it is halved until a part is small.
    order = [str(n * 7919 % 4001) for n in range(4000)]
    check(Wer(), [" ".join(order)], [" ".join(order[::2] + order[1::2])])
