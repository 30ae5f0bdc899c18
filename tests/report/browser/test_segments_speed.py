"""Pages of many segments stay small, and quick in the hands: bench/browser.py, held to its limits."""

import pytest

from conftest import benchmark_module


def measured(segments, systems, folder, browser):
    return benchmark_module("browser").measure(segments, systems, folder, browser)


def hold(result, megabytes):
    """Of the processor in the page's thread, since a clock also counts what else runs on the machine."""
    assert result.megabytes < megabytes
    assert result.opened.processor < 3000
    assert {name: times.processor for name, times in result.acts.items() if times.processor >= 100} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("segments", "systems", "megabytes"), [(3000, 5, 5), (30_000, 10, 40)])
def test_pages_are_small_and_quick(chromium, tmp_path, segments, systems, megabytes):
    result = measured(segments, systems, tmp_path, chromium)
    hold(result, megabytes)
    assert result.made < 5
