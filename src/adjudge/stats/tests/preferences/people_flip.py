"""Sign-flip tests of people's and of items' preferences, and a t-test clustered by both: the largest p counts."""

from __future__ import annotations

from adjudge.stats.design import ANNOTATOR
from adjudge.stats.tests.preferences.base import Answers
from adjudge.stats.tests.preferences.clustered_t import ClusteredPreference


class PeopleFlip(ClusteredPreference):
    """People turn by coins, however many there are."""

    name = "people-flip"
    title = (
        "sign-flip tests of people's and of items' preferences, and a t-test clustered by both: the largest"
    )
    short_title = "sign-flip tests"

    def takes(self, unit: str) -> bool:
        """Annotators alone, which items lie across."""
        return unit == ANNOTATOR

    @property
    def method(self) -> str:
        """A sign-flip test, with more beside it."""
        return "sign-flip"

    def describe(self, unit: str) -> str:
        """Whatever is drawn."""
        return self.title

    def _people_turn(self, answers: Answers) -> bool:
        return True
