"""Forward and reverse halves: which is which, and what they say of systems."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.analysis.translationese import halves, lengths

scores = st.floats(-50, 50).map(lambda value: round(value, 3))


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.tuples(scores, scores, scores), min_size=3)
)
def test_figures_are_those_of_scipy(systems: dict[str, tuple[float, float, float]]) -> None:
    halves_of_systems = halves("BLEU", systems)
    forward = np.array([f for f, _, _ in systems.values()])
    reverse = np.array([r for _, r, _ in systems.values()])
    assert halves_of_systems.mean_difference == pytest.approx(np.mean(reverse - forward))
    assert halves_of_systems.deviation == pytest.approx(np.std(reverse - forward, ddof=1))
    assert halves_of_systems.reverse_higher == pytest.approx(np.mean(reverse > forward))
    assert halves_of_systems.reverse_higher + halves_of_systems.forward_higher <= 1
    if len(set(forward)) > 1 and len(set(reverse)) > 1:
        assert halves_of_systems.pearson == pytest.approx(stats.pearsonr(forward, reverse)[0])
        assert halves_of_systems.spearman == pytest.approx(stats.spearmanr(forward, reverse)[0])
        assert halves_of_systems.kendall == pytest.approx(stats.kendalltau(forward, reverse)[0])
    else:
        assert math.isnan(halves_of_systems.kendall)
    assert len(halves_of_systems.pairs) == len(systems) * (len(systems) - 1) // 2


def test_order_flips_and_relative_differences() -> None:
    halves_of_systems = halves(
        "BLEU", {"a": (30.0, 50.0, 40.0), "b": (20.0, 60.0, 40.0), "c": (20.0, 50.0, 35.0)}
    )
    flips = {(pair.a, pair.b): pair.flips for pair in halves_of_systems.pairs}
    assert flips == {("a", "b"): True, ("a", "c"): False, ("b", "c"): False}
    assert halves_of_systems.flips == pytest.approx(1 / 3)
    first = halves_of_systems.pairs[0]
    assert first.forward_relative == pytest.approx(10 / 25)
    assert first.reverse_relative == pytest.approx(-10 / 55)
    relative = [10 / 25, 10 / 25, 0], [10 / 55, 0, 10 / 55]
    assert halves_of_systems.forward_relative == pytest.approx(np.mean(relative[0]))
    assert halves_of_systems.reverse_relative == pytest.approx(np.mean(relative[1]))
    assert math.isnan(halves("z", {"a": (1, 2, 1), "b": (0, 1, 1)}, has_zero=False).pairs[0].forward_relative)


def test_a_system_without_one_half_is_left_out() -> None:
    halves_of_systems = halves("z", {"a": (1.0, 2.0, 1.5), "b": (math.nan, 1.0, 1.0)})
    assert [s.system for s in halves_of_systems.systems] == ["a"]
    assert math.isnan(halves_of_systems.pearson)
    assert math.isnan(halves_of_systems.flips)


def test_lengths_are_counted_by_direction() -> None:
    text_lengths = lengths(["a b c", "a", "a b"], ["forward", "reverse", "forward"], "source")
    assert [(length.direction, length.segments, length.mean) for length in text_lengths] == [
        ("forward", 2, 2.5),
        ("reverse", 1, 1.0),
    ]
    assert [(length.width, length.histogram[:4], len(length.histogram)) for length in text_lengths] == [
        (1, (0, 0, 1, 1), 12),
        (1, (0, 1, 0, 0), 12),
    ]
    (chinese,) = lengths(["机器翻译的评测工具" * 3], ["forward"], "source")
    assert chinese.mean == 27


@given(st.lists(st.integers(0, 400), min_size=1, max_size=60))
def test_every_segment_is_in_a_histogram(words: list[int]) -> None:
    ways = ["forward" if count % 2 else "reverse" for count in words]
    text_lengths = lengths(["w " * count for count in words], ways, "source")
    assert len({length.width for length in text_lengths}) == 1
    for entry in text_lengths:
        own = [count for count, way in zip(words, ways, strict=True) if way == entry.direction]
        assert sum(entry.histogram) == entry.segments == len(own)
        for place, count in enumerate(entry.histogram[:-1]):
            assert count == sum(entry.width * place <= length < entry.width * (place + 1) for length in own)
