"""What the tests of sacreBLEU's surface share: drawn texts."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu as real
from hypothesis import strategies as st

import adjudge.compat.sacrebleu as ours

# Few pieces, so that n-grams match, and among them all that tokenizers treat in a special way.
WORDS = """
    the The cat sat on a mat . , ! ' 's ( ) - -- 1 2,5 3. 1-2 &amp; &quot; &lt; &amp;lt; <skipped> $ € “ … —
    ° 東京 を りの ピザ 拳銃 。 ， 「 （ 한국어
    é İ ß Σ ς ﬁ \u0301 \u200b \ufeff \x00 😀 क् \U00020000 ㍿ ｡
"""


SPACES = [" ", " ", " ", "  ", "\t", "\n", "-\n", "\n-", "\r", "\x1c", "\x85", "\u00a0", "\u3000", "\u2028"]


PIECES = st.sampled_from([*WORDS.split(), *SPACES])


ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


SEGMENTS = st.lists(st.one_of(PIECES, PIECES, PIECES, ANYTHING), max_size=14).map("".join) | st.lists(
    PIECES, max_size=10
).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and reference sets in which a segment may lack all references but one."""
    size, sets = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    columns: list[list[str | None]] = [[] for _ in range(sets)]
    hypotheses = []
    for _ in range(size):
        references: list[str | None] = draw(st.lists(SEGMENTS, min_size=sets, max_size=sets))
        # Half the hypotheses share most of their text with a reference.
        hypotheses.append(draw(SEGMENTS) if draw(st.booleans()) else f"{references[0]}{draw(PIECES)}")
        always = draw(st.integers(0, sets - 1))
        for column, reference in enumerate(references):
            columns[column].append(reference if column == always or draw(st.integers(0, 4)) else None)
    return hypotheses, columns


def assert_same_score(mine: Any, theirs: Any) -> None:
    assert type(mine).__name__ == type(theirs).__name__
    assert mine.score == pytest.approx(theirs.score, abs=1e-9)
    assert vars(mine).keys() == vars(theirs).keys()
    for name, value in vars(theirs).items():
        if name in ("precisions", "bp", "ratio", "score"):
            assert getattr(mine, name) == pytest.approx(value, abs=1e-9), name
        else:
            assert getattr(mine, name) == value, name
            assert type(getattr(mine, name)) is type(value), name
    assert str(mine) == str(theirs)
    assert repr(mine) == repr(theirs)
    assert mine.format(width=0, score_only=True) == theirs.format(width=0, score_only=True)


def assert_same_metric(name: str, options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    hypotheses, references = corpus
    mine, theirs = getattr(ours, name)(**options), getattr(real, name)(**options)
    assert_same_score(mine.corpus_score(hypotheses, references), theirs.corpus_score(hypotheses, references))
    signature = theirs.get_signature()
    assert str(mine.get_signature()) == str(signature)
    assert mine.get_signature().format(short=True) == signature.format(short=True)
    assert mine.get_signature().info == signature.info
    rows = theirs._extract_corpus_statistics(hypotheses, references)
    assert mine._extract_corpus_statistics(hypotheses, references) == rows
    assert_same_score(mine._aggregate_and_compute(rows), theirs._aggregate_and_compute(rows))
    at_once = mine.sentence_scores(hypotheses, references)
    for score, hypothesis, *segment in zip(at_once, hypotheses, *references, strict=True):
        expected = theirs.sentence_score(hypothesis, segment)
        assert_same_score(mine.sentence_score(hypothesis, segment), expected)
        assert_same_score(score, expected)
        assert str(mine.get_signature()) == str(theirs.get_signature())
        assert mine._preprocess_segment(hypothesis) == theirs._preprocess_segment(hypothesis)


HYPOTHESES = ["the cat sat on the mat .", "hello", ""]


REFERENCES: list[list[str | None]] = [
    ["the cat sat on a mat.", "hello there", "x"],
    ["a cat on the mat.", None, ""],
]
