"""Judgements side by side, and judgements nobody would think of."""

import math
from collections.abc import Container
from typing import Any

import numpy as np
from hypothesis import strategies as st

from adjudge.data.judgements import KINDS, Judgements, NameColumn, Span
from adjudge.io.column_names import PROTOCOLS

NASTY = (
    *("a", "B", "=1+1", "@SUM(A1)", "-x", "+x", "-1.5", "'=x", "''-y", "'", "\ttab", "\rreturn", "＝1"),
    *("tab\there", "line\nbreak", "carriage\rreturn", "both\r\n", 'a "quoted" word', '"', "comma, semi;"),
    *("<v>", "</v>", "x<v>y</v>z", "a+b", "a#b", "doc:1", "None", "nan", "NaN", "null", "true", "0", "-1"),
    *(
        "😀",
        "👩‍👩‍👧",
        "e\u0301",
        "שלום",
        "\u202eעברית",
        "ترجمة",
        "漢字",
        "\u2028",
        "\x0b",
        "\x85",
        "\ufeff",
        " blank ",
    ),
)
"""Names and texts that break formats: formulas, separators, marks, beyond the BMP, combining, right to left."""


def column(result: Judgements, name: str) -> Any:
    """A column as a list in which NaN equals NaN and −0.0 is not 0."""
    value = getattr(result, name)
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, NameColumn):
        return value.values()
    if name in ("labels", "measures"):
        return {
            key: entry.values() if isinstance(entry, NameColumn) else numbers(entry)
            for key, entry in value.items()
            if not isinstance(entry, NameColumn) or entry.names
        }
    return numbers(value) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else list(value)


def numbers(values: Any) -> list[str]:
    return [repr(float(value)) for value in values]


COLUMNS = (
    *("protocol", "system", "item", "annotator", "score", "kind", "other", "ranking", "start", "seconds"),
    *("spans", "labels", "measures", "higher_is_better"),
)


def assert_same(result: Judgements, expected: Judgements, but: Container[str] = ()) -> None:
    """Every column says the same on every row; where it was read does not matter."""
    for name in COLUMNS:
        if name not in but:
            assert column(result, name) == column(expected, name), name


texts = st.lists(
    st.sampled_from(NASTY) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
    max_size=4,
).map("".join)
names = texts.filter(bool)
finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-100, 100).map(float)
times = st.floats(0, 2e9) | st.just(math.nan)


@st.composite
def spans(draw: Any, length: int = 20, sides: tuple[str, ...] = ("target", "source")) -> Span:
    """An error: somewhere, empty, or missing; errors may overlap."""
    start, end = sorted((draw(st.integers(0, length)), draw(st.integers(0, length))))
    missing = draw(st.booleans())
    return Span(
        None if missing else start,
        None if missing else end,
        draw(st.sampled_from(("minor", "major", "critical", "neutral")) | texts),
        draw(st.sampled_from(("", "Accuracy/Omission", "Fluency/Punctuation")) | texts),
        draw(st.sampled_from(sides)),
        draw(st.none() | st.floats(0, 25)),
        draw(texts),
    )


@st.composite
def judgements(draw: Any, rows: int = 6) -> Judgements:
    """Whatever judgements can hold."""
    count = draw(st.integers(1, rows))

    def listed(values: Any) -> list[Any]:
        return draw(st.lists(values, min_size=count, max_size=count))

    def maybe(values: Any) -> Any:
        return np.array(listed(values)) if draw(st.booleans()) else None

    pairs = draw(st.booleans())
    return Judgements(
        protocol=draw(st.sampled_from(PROTOCOLS)),
        system=NameColumn.of(listed(names)),
        item=NameColumn.of(listed(texts)),
        annotator=NameColumn.of(listed(texts)),
        score=np.array(listed(finite | st.just(math.nan))),
        kind=np.array(listed(st.integers(0, len(KINDS) - 1)), np.int8),
        other=NameColumn.of(listed(names)) if pairs else None,
        ranking=np.array(listed(st.integers(0, 2**40)), np.int64) if pairs else None,
        start=maybe(times),
        seconds=maybe(times),
        spans=tuple(map(tuple, listed(st.lists(spans(), max_size=3)))) if draw(st.booleans()) else None,
        labels={
            name: NameColumn.of(listed(texts)) for name in draw(st.lists(names, max_size=2, unique=True))
        },
        measures={
            name: np.array(listed(finite | st.just(math.nan)))
            for name in draw(st.lists(names, max_size=2, unique=True))
        },
        higher_is_better=draw(st.booleans()),
    )
