"""Commands found by the names of their files, and imported only when they run."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, cast

import click

from adjudge.errors import unknown_name

FOLDER = Path(__file__).parent


class CommandsByFile(click.Group):
    """A group whose commands are the files of a folder that do not start with an underscore, and its folders.

    A command file defines `command`, and its docstring's first line is the help that `adjudge --help` shows,
    which is read from the file without importing it. A folder is a group of its own, defined in its `__init__.py`.
    """

    def __init__(self, *args: Any, folder: Path | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._own = folder

    @property
    def _folder(self) -> Path:
        return self._own or FOLDER

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a command, its help is shown: that is a question, not an error."""
        return super().parse_args(ctx, args or ["--help"])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every file and every folder is a command."""
        names = [path.stem for path in self._folder.glob("[!_]*.py")]
        names += [path.parent.name for path in self._folder.glob("[!_]*/__init__.py")]
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where there is no such file."""
        if cmd_name not in self.list_commands(ctx):
            return None
        inner = ".".join(self._folder.relative_to(FOLDER).parts)
        package = f"{__package__}.{inner}" if inner else __package__
        module = importlib.import_module(f"{package}.{cmd_name.replace('-', '_')}")
        return cast(click.Command, module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for, or the nearest name in an error."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            raise unknown_name("command", name, self.list_commands(ctx), f"{ctx.command_path} --help")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summary(name)) for name in self.list_commands(ctx)])

    def summary(self, name: str) -> str:
        """The first line of a command file's docstring, without importing the file."""
        path = self._folder / name.replace("-", "_")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        with file.open(encoding="utf-8") as opened:
            return opened.readline().strip().strip('"').rstrip(".")


class WithDefault(CommandsByFile):
    """A group that takes what is no command of its own for the arguments of its usual one."""

    def __init__(self, *args: Any, default: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The usual command goes before arguments that begin with none, whether a word or an option."""
        if args and args[0] not in {*self.list_commands(ctx), *ctx.help_option_names}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)
