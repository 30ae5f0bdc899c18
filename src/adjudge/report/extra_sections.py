"""What stands beside a comparison: both halves of a test set by origin, and what differences are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.comparison import Comparison
from adjudge.comparison.comparison_display import NO_EXTRA_SECTIONS, ExtraSections
from adjudge.data import TestSet
from adjudge.data.difference_tables import DifferenceTables
from adjudge.data.label_names import meant
from adjudge.errors import UsageError
from adjudge.meta.worth import worth_of
from adjudge.meta.worth_display import worth_sections

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
    extra = NO_EXTRA_SECTIONS
    if halves is not None:
        from adjudge.analysis import origin_display  # late, as above

        document = {"translationese": origin_display.document(halves)}
        extra = ExtraSections(origin_display.sections(halves), document)
    if curves is None:
        return extra
    return extra + worth_sections(worth_of(comparison, curves, language), comparison)
