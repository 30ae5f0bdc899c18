"""What post-editors and engines are paid, as commands take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli._options import option

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
    from adjudge.human.postediting import rates_of_prices

    prices = {name: given[name] for name in ("wage", "scratch_speed", "engine_cost", "currency")}
    return rates_of_prices(**prices, cost_per_word=given.get("cost_per_word"))
