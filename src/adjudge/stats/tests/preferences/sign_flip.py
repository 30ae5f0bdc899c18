"""The sign-flip test: all that was said of one unit, such as a document, turns by one coin (Fisher 1935)."""

from __future__ import annotations

from adjudge.stats.design import ANNOTATOR
from adjudge.stats.tests.preferences.base import PreferenceTest
from adjudge.stats.tests.preferences.sign import PUBLISHED


class SignFlip(PreferenceTest):
    """Exact: nothing is drawn."""

    name = "sign-flip"
    title = "sign-flip test of preferences (exact), in which all of one {} turn together"

    def takes(self, unit: str) -> bool:
        """Items, documents, or the groups of another label."""
        return "," not in unit and unit not in (*PUBLISHED, ANNOTATOR)

    def describe(self, unit: str) -> str:
        """With what turns."""
        return "sign-flip test of items' preferences (exact)" if unit == "item" else super().describe(unit)
