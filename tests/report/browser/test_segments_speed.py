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


def test_three_thousand_segments_of_five_systems(chromium, tmp_path):
    result = measured(3000, 5, tmp_path, chromium)
    hold(result, 5)
    assert result.made < 5


@pytest.mark.slow
def test_thirty_thousand_segments_of_ten_systems(chromium, tmp_path):
    hold(measured(30_000, 10, tmp_path, chromium), 40)
