"""A t-test clustered by items or documents and by annotators, beside the sign-flip test: the larger p counts."""

from __future__ import annotations

import math

from adjudge.stats.design import units_of
from adjudge.stats.tests.preferences.base import Answers, PreferenceTest


class ClusteredPreference(PreferenceTest):
    """As if other items and other people had been asked."""

    name = "clustered-t"
    title = "t-test clustered by {}, and sign-flip test of {}s' preferences: the larger p"
    short_title = "clustered t-tests"

    def takes(self, unit: str) -> bool:
        """Units of two kinds."""
        return "," in unit

    def describe(self, unit: str) -> str:
        """With both kinds."""
        return self.title.format(units_of(unit), unit.split(",")[0])

    def p(self, answers: Answers) -> float:
        """The largest of the tests that can be made."""
        p = answers.flipped_p
        if answers.mean is not None and answers.mean.error > 0:
            p = max(p, answers.mean.p())
        if self._people_turn(answers) and answers.people is not None:
            p = max(p, answers.people.flipped_p)
        return p

    def smallest_p(self, answers: Answers) -> float:
        """That of whatever turns by coins."""
        if self._people_turn(answers) and answers.people is not None:
            return max(answers.smallest_p, answers.people.smallest_p)
        return answers.smallest_p

    def _people_turn(self, answers: Answers) -> bool:
        """Where there are too few people for an error, they turn by a coin instead."""
        return answers.mean is None or math.isnan(answers.mean.error)
