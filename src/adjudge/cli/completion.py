"""Print what lets a shell complete commands, options, metrics and files."""

from __future__ import annotations

import click

from adjudge.cli._completion import SHELLS


@click.command("completion", short_help="Print what lets a shell complete commands, options and files.")
@click.argument("shell", type=click.Choice(SHELLS))
def command(*, shell: str) -> None:
    """Print what lets a shell complete commands, options, metrics and files.

    \b
    eval "$(adjudge completion bash)"                    # in ~/.bashrc
    eval "$(adjudge completion zsh)"                     # in ~/.zshrc
    adjudge completion fish > ~/.config/fish/completions/adjudge.fish
    """
    from adjudge.cli import _completion, commands

    click.echo(_completion.script(commands, shell), nl=False)
