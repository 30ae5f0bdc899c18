"""The map of power: without colours, as a picture, a power in a cell."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.planning import power_display, power_map
from adjudge.report.charts.power_map import power_svg
from adjudge.report.render.text import plain


def test_the_map_without_colours(results):
    lines = plain(power_map.map_lines(power_display.grid(results["map"]))).splitlines()
    assert lines[2].split()[:3] == ["55", ".438▄", ".367▃"]
    assert lines[-1].split()[-1] == "13080"
    styles = [span.style for line in power_map.map_lines(power_display.grid(results["map"])) for span in line]
    assert {f"power{k}" for k in range(5)} <= set(styles)
    # Eighty columns are enough for the whole of it, and fewer make two parts.
    assert len(power_map.map_lines(power_display.grid(results["map"]), width=80, rule=True)) == len(lines) + 1
    assert len(power_map.map_lines(power_display.grid(results["map"]), width=50)) > len(lines)


def test_the_picture_is_sound(results):
    for name in ("map", "pilot map"):
        root = ET.fromstring(power_svg(power_display.grid(results[name])))
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        powers = [power for row in results[name].power for power in row]
        assert [power_map.cell_text(power) for power in powers] == [
            text for text in texts if text in {power_map.cell_text(power) for power in powers}
        ][: len(powers)]
        assert root.attrib["aria-label"]
    mapped = replace(results["map"], n=(100,), power=((0.1,) * 10,))
    assert ET.fromstring(power_svg(power_display.grid(mapped))) is not None


@given(st.floats(0, 1))
def test_a_power_in_a_cell(power):
    text = power_map.cell_text(power)
    assert float(text) == pytest.approx(power, abs=0.0005001)
    assert len(text) <= 4
    assert power_map.bar(power) in power_map.BARS
    assert power_map.bar(0.0) == "▁"
    assert power_map.bar(1.0) == "█"


def test_heads_of_columns_are_told_apart():
    assert power_map.columns_of((0.4, 0.41), 2) == ("0.40", "0.41")
    assert power_map.columns_of((0.4, 0.401, -0.5), 1) == ("0.400", "0.401", "−0.500")
