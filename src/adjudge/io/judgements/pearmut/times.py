"""When pages of pearmut were begun, and what the time on them went to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from adjudge.io.fields import finite, is_whole

LONGEST_PAUSE = 60.0
"""Seconds without an action count up to this, as pearmut has it."""


@dataclass(frozen=True)
class PageTimes:
    """When a page was begun, and what the time on it went to."""

    start: float
    spent: Mapping[tuple[int, str], float]
    """Seconds that ended with an action on a translation; of no model in particular where there was but one."""
    common: float
    """The rest, until the page was handed in."""

    def of(self, segment: int, model: str, answers: int, models: Sequence[str]) -> float:
        """The seconds of one translation."""
        own = self.spent.get((segment, model), 0.0) + self.spent.get((segment, ""), 0.0) / len(models)
        return own + self.common / answers


def page_times(entry: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]) -> PageTimes:
    """The times of an entry of the log."""
    known = [time for action in actions if (time := finite(action.get("time"))) is not None]
    start = min(known) if known else math.nan
    given = finite(entry.get("time"))
    if given is not None or len(known) < max(2, len(actions)):
        return PageTimes(start, {}, math.nan if given is None else given)
    spent: dict[tuple[int, str], float] = {}
    common = 0.0
    for before, after in pairwise(actions):
        seconds = min(after["time"] - before["time"], LONGEST_PAUSE)
        if is_whole(after.get("index")):
            key = (after["index"], str(after.get("model", "")))
            spent[key] = spent.get(key, 0.0) + seconds
        else:
            common += seconds
    return PageTimes(start, spent, common)
