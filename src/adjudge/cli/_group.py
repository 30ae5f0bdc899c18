"""Commands found by reading their files, and imported only when they run."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import click

from adjudge.errors import unknown_name

FOLDER = Path(__file__).parent
DECLARATION = re.compile(
    r'^@(?:sub|click\.)command\(\s*"([\w-]+)",\s*(?:cls=\w+,\s*short_help=)?"([^"]*)"', re.M
)


class CommandsByFile(click.Group):
    """A group of the commands that the files of a folder declare, and of its folders.

    A file declares a command by `@subcommand("NAME", "…")`. Names and help are read from the text of the
    files; a file is imported when one of its commands runs. A folder is a group: the docstring of its `__init__.py` is
    its help, unless that defines a `command` of its own.
    """

    def __init__(self, *args: Any, folder: Path | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.folder = folder or FOLDER

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a command, its help is shown: that is a question, not an error."""
        return super().parse_args(ctx, args or ["--help"])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        return sorted(self.summaries())

    def summaries(self) -> dict[str, str]:
        """Every command with the line of help that its group shows."""
        files = {
            name: summary
            for path in sorted(self.folder.glob("[!_]*.py"))
            for name, summary in declared(path).items()
        }
        folders = {path.parent.name: _first_line(path) for path in self.folder.glob("[!_]*/__init__.py")}
        return {name: summary.rstrip(".") for name, summary in (files | folders).items()}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where no file declares it."""
        path = self.place_of(cmd_name)
        if path is None:
            return None
        parts = path.relative_to(FOLDER).with_suffix("").parts
        module = importlib.import_module(".".join((__package__, *parts)))
        if path.is_dir():
            return getattr(module, "command", None) or CommandsByFile(
                cmd_name, folder=path, help=module.__doc__
            )
        return next(
            value
            for value in vars(module).values()
            if isinstance(value, click.Command) and value.name == cmd_name
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for, or the nearest name in an error."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not name.startswith("-"):
            raise unknown_name("command", name, self.list_commands(ctx), f"{ctx.command_path} --help")
        return (name, command, args[1:]) if command is not None else super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line per command."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.summaries().items()))

    def place_of(self, name: str) -> Path | None:
        """The folder of a group, or the file that declares a command: usually the one of its name."""
        folder = self.folder / name
        if name.isidentifier() and (folder / "__init__.py").is_file():
            return folder
        usual = name.replace("-", "_")
        paths = sorted(self.folder.glob("[!_]*.py"), key=lambda path: (path.stem != usual, path))
        return next((path for path in paths if name in declared(path)), None)


class WithDefault(CommandsByFile):
    """A group that takes what is no command of its own for the arguments of its usual one."""

    def __init__(self, *args: Any, default: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The usual command goes before arguments that begin with none, whether a word or an option."""
        if args and args[0] not in ctx.help_option_names and self.place_of(args[0]) is None:
            args = [self.default, *args]
        return super().parse_args(ctx, args)


def declared(path: Path) -> dict[str, str]:
    """The commands that a file declares, each with its line of help."""
    return {match[1]: match[2] for match in DECLARATION.finditer(path.read_text(encoding="utf-8"))}


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as opened:
        return opened.readline().strip().strip('"')
