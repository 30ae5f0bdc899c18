"""What post-editors and engines are paid, as commands take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli._options import Command, Real
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.human.postediting import Rates

_RATES = (
    click.option(
        "--wage",
        metavar="X",
        type=Real(),
        help="What an hour of post-editing costs; with --scratch-speed.",
    ),
    click.option(
        "--scratch-speed", metavar="N", type=Real(), help="Words an hour when translating from scratch."
    ),
    click.option("--engine-cost", metavar="X", type=Real(), default=0.0, help="What 1,000 words of MT cost."),
    click.option(
        "--currency", metavar="NAME", default="", help="Of all prices, to stand beside costs (EUR)."
    ),
)


def rate_options(command: Command) -> Command:
    """--wage, --scratch-speed, --engine-cost and --currency: what `rates_of` takes."""
    for option in reversed(_RATES):
        command = option(command)
    return command


def rates_of(options: Mapping[str, Any]) -> Rates | None:
    """What is paid, where it was said."""
    from adjudge.human.postediting import Rates

    wage, speed = options["wage"], options["scratch_speed"]
    if wage is None and speed is None:
        if options["engine_cost"]:
            raise UsageError(
                "--engine-cost is a part of what post-editing costs: give --wage and --scratch-speed too"
            )
        if options["currency"] and options.get("price") is None:
            raise UsageError(
                "--currency names that of prices, and none was given: --wage and --scratch-speed"
            )
        return None
    if wage is None or speed is None:
        raise UsageError("the cost of post-editing follows from both --wage and --scratch-speed")
    return Rates(wage, speed, options["engine_cost"], options["currency"])
