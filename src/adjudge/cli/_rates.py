"""What post-editors and engines are paid, as commands take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli._options import option
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.human.postediting import PostEditingRates

RATES = (
    "wage scratch_speed",
    option("engine_cost", default=0.0),
    option("currency", default=""),
)
"""--wage, --scratch-speed, --engine-cost and --currency: what `rates_of` takes."""


def rates_of(given: Mapping[str, Any]) -> PostEditingRates | None:
    """What is paid, where it was said."""
    from adjudge.human.postediting import PostEditingRates

    wage, speed = given["wage"], given["scratch_speed"]
    if wage is None and speed is None:
        if given["engine_cost"]:
            raise UsageError(
                "--engine-cost is a part of what post-editing costs: give --wage and --scratch-speed too"
            )
        if given["currency"] and given.get("cost_per_word") is None:
            raise UsageError(
                "--currency names that of prices, and none was given: --wage and --scratch-speed"
            )
        return None
    if wage is None or speed is None:
        raise UsageError("the cost of post-editing follows from both --wage and --scratch-speed")
    return PostEditingRates(wage, speed, given["engine_cost"], given["currency"])
