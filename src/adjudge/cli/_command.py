"""A command: its options, made in one pass over what it declares, and how it is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from adjudge.cli import _outputs
from adjudge.cli._options import Keywords, options_of
from adjudge.cli._run import OF_THE_RUN, CommandRun

Function = Callable[..., Any]
Part = str | click.Parameter | Keywords
"""What a command declares: options by their words, a parameter that was made, or the keywords of its function."""


class Subcommand(click.Command):
    """A command that parses into the arguments of its function, and takes care of the rest itself.

    The function gets its run and what is asked. Outputs are guarded before it starts. Options on which no answer
    depends (how it is shown, where it is kept, who computes) stay with the run, unless the function has a keyword for
    them.
    """

    def __init__(self, name: str, summary: str, function: Function, parts: tuple[Part, ...]) -> None:
        params: list[click.Parameter] = []
        for part in parts:
            if isinstance(part, str):
                params.extend(options_of(part))
            elif isinstance(part, Keywords):
                params.extend(part.options(function))
            else:
                params.append(part)
        super().__init__(name, callback=function, params=params, help=function.__doc__, short_help=summary)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments; --record may stand without a place."""
        if "--record" in args:
            from adjudge.cli._record import with_place

            args = with_place(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the function, once no output is in the way of what is read."""
        assert self.callback is not None
        _outputs.check(ctx)
        own = set(getattr(self.callback, "__kwdefaults__", None) or ())
        run = CommandRun.of({name: value for name, value in ctx.params.items() if name not in own})
        asked = {name: value for name, value in ctx.params.items() if name in own or name not in OF_THE_RUN}
        return ctx.invoke(self.callback, run, **asked)


def subcommand(name: str, summary: str, *parts: Part) -> Callable[[Function], Subcommand]:
    """The command of that name that runs a function; `summary` is the line that its group shows."""
    return lambda function: Subcommand(name, summary, function, parts)
