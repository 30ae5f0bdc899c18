"""Do tests of rankings keep what they promise? Simulated campaigns say so (bench/calibration_rankings.py)."""

import pytest

from conftest import benchmark_module

calibration = benchmark_module("calibration_rankings")
ONE, THREE, DOCUMENTS, LEANING = calibration.KINDS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "unit"),
    [(ONE, "pair"), (ONE, "item"), (THREE, "item"), (DOCUMENTS, "document"), (LEANING, "annotator")]
    + [(kind, "document,annotator") for kind in calibration.KINDS],
)
def test_false_alarms(kind, unit):
    """1,000 campaigns: more than 7.5 % is three and a half standard errors."""
    assert calibration.found(kind, 0.0, 1000, 5)[unit] < 7.5


@pytest.mark.slow
def test_what_is_too_small_and_what_finds_less():
    assert calibration.found(THREE, 0.0, 400, 6)["pair"] > 10
    assert calibration.found(DOCUMENTS, 0.0, 400, 6)["item"] > 10
    power = calibration.found(THREE, calibration.LEAD, 400, 7)
    assert power["item"] > power["majority"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "unit"), [(THREE, "item"), (DOCUMENTS, "document")])
def test_nothing_is_the_same_at_the_margin(kind, unit):
    margin = kind.preference(calibration.LEAD)
    assert calibration.alike(kind, calibration.LEAD, margin, 1000, 8)[unit] < 7.5
    wide = calibration.alike(kind, 0.0, 2.5 * margin, 200, 8)[unit]
    assert wide > 80


def test_the_tables_are_made():
    made = calibration.tables(2)
    assert [len(lines) for lines in made.values()] == [10, 9, 10, 6]
