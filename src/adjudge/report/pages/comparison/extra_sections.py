"""What stands beside a comparison: both halves of a test set by origin, and what differences are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.comparison import Comparison
from adjudge.data import TestSet
from adjudge.data.difference_tables import DifferenceTables
from adjudge.data.label_names import meant
from adjudge.errors import UsageError
from adjudge.meta.worth import worth_of
from adjudge.report.pages.comparison import worth
from adjudge.report.pages.comparison.one_set import NO_EXTRA_SECTIONS, ExtraSections

if TYPE_CHECKING:
    from adjudge.analysis.origins import Translationese


def both_halves(
    comparison: Comparison, by: tuple[str, ...], language: str, test_set: TestSet | None
) -> tuple[Translationese | None, list[str]]:
    """Forward and reverse, where they are asked for and can be told apart; else a warning that says why not."""
    if "origin" not in {meant(name, comparison.labels) for name in by}:
        return None, []
    from adjudge.analysis.origins import translationese  # late: most comparisons are without origins

    try:
        return translationese(comparison.measured, comparison.labels, language, test_set), []
    except UsageError as error:
        return None, [f"forward and reverse are not set beside each other: {error}"]


def extra_sections_of(
    comparison: Comparison, halves: Translationese | None, curves: DifferenceTables | None, language: str
) -> ExtraSections:
    """What else there is to say of the same systems."""
    further = NO_EXTRA_SECTIONS
    if halves is not None:
        from adjudge.report.pages import translationese as halves_report  # late, as above

        further = halves_report.further(halves)
    if curves is None:
        return further
    return worth.both(further, worth.further(worth_of(comparison, curves, language), comparison))
