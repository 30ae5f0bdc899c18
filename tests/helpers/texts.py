"""Strategies for segments that make metrics work: few words, so that they repeat, and odd characters."""

import random

from hypothesis import strategies as st

WORDS = ["a", "b", "the", "cat", "sat.", "3,5", "x-y", "(no)", "É", "猫", "on", "&amp;", "Straße", "'s"]
ODD = ["", " ", "\t", "\u00a0", "\u3000x", "...", "\x00", "a\nb", "\U0001f600", "e\u0301"]

segments = st.lists(st.sampled_from(WORDS) | st.sampled_from(ODD) | st.text(max_size=3), max_size=12).map(
    " ".join
)
# Segments with one to three references each.
corpora = st.integers(1, 3).flatmap(
    lambda sets: st.lists(st.tuples(segments, *[segments] * sets), min_size=1, max_size=6)
)


def columns(corpus):
    """A drawn corpus as hypotheses and reference sets."""
    hypotheses, *references = (list(column) for column in zip(*corpus, strict=True))
    return hypotheses, references


def many_lines(count: int, seed: int) -> tuple[str, ...]:
    """Many short segments, most of which differ."""

    rng = random.Random(seed)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "Straße", "it", "."]
    return tuple(" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(count))
