"""Where results and warnings go: stdout in colours where there are any, a file, stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.errors import DataError, UsageError
from adjudge.report.table import visible
from adjudge.report.text import STYLES, Line, Span, plain

if TYPE_CHECKING:
    from adjudge.io import Input

Render = Callable[[int | None, bool], list[Line]]
"""Lines for a screen of some width (None: no limit), with rules below headings or without."""

# For terminals that know only ASCII or an old code page; each is one column wide, so nothing shifts.
SIMPLER = {"↑": "^", "↓": "v", "–": "-", "…": "~", "─": "-", "−": "-", "±": "~", "Δ": "d"}
SIMPLER |= {"→": ">", "“": '"', "”": '"'}
SIMPLER |= {"■": "#", "◆": "~", "●": "o", "▲": "^", "↷": ">", "×": "x", "·": "."}  # xray's links
SIMPLER |= dict(zip("▁▂▃▄▅▆▇█", "_.-:=+*#", strict=True))
SIMPLER |= {"∞": "-", "▌": "#", "✓": "+", "✗": "x"}
SIMPLER |= {"≤": "<=", "≥": ">=", "√": "root of "}  # in sentences only, which no column is below


def show_lines(render: Render, path: str | None = None) -> None:
    """Print lines as the screen can carry them, or write them to a file without styles."""
    screen = path is None and _is_screen()
    width = shutil.get_terminal_size().columns if screen else None
    lines = render(width, screen)
    if path is not None:
        show_text(plain(lines), path)
        return
    if not _can_show("".join(SIMPLER)):
        simpler = str.maketrans(SIMPLER)
        lines = [[Span(span.text.translate(simpler), span.style) for span in line] for line in lines]
    if coloured():
        _print_styled(lines)
    else:
        show_text(plain(lines))


def show_text(text: str, path: str | None = None) -> None:
    """Print text as it is, or write it to a file."""
    if path is None:
        if sys.stdout is not None:
            sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}") from None


def check_writable(path: str | None) -> None:
    """Complain about a place where no file can be before the work is done, not after it."""
    if path == "-":
        raise UsageError("cannot write -: it stands for stdin; give a file's name, or leave the option away")
    if path is not None and Path(path).is_dir():
        raise UsageError(f"cannot write {path}: it is a directory")
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise UsageError(f"cannot write {path}: there is no directory {Path(path).absolute().parent}")
    if path is not None and not os.access(
        path if os.path.exists(path) else Path(path).absolute().parent, os.W_OK
    ):
        raise UsageError(f"cannot write {path}: no permission")


def check_not_read(inputs: Iterable[Input], *paths: str | None) -> None:
    """Refuse to write over a file that was read: nobody means to lose a reference."""
    for path in paths:
        if path is None or not os.path.isfile(path):
            continue
        for item in inputs:
            if item.role != "run" and os.path.isfile(item.path) and os.path.samefile(item.path, path):
                role = item.role.replace("_", " ")
                raise UsageError(f"cannot write {path}: it is an input ({role}); choose another name")


def warn(messages: Iterable[str], *, quiet: bool) -> None:
    """Tell people what they should know, beside the results and not among them."""
    if not quiet:
        for message in messages:
            print(f"adjudge: warning: {visible(message)}", file=sys.stderr)


def coloured() -> bool:
    """Whether stdout takes colours; never with NO_COLOR (https://no-color.org)."""
    return _is_screen() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_screen() -> bool:
    # FORCE_COLOR asks for what a terminal would show, for `less -R` and the logs of a build.
    return sys.stdout is not None and (sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR")))


def _can_show(characters: str) -> bool:
    try:
        characters.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _print_styled(lines: list[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False)
    for line in lines:
        text = Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
        text.rstrip()
        console.print(text, soft_wrap=True)
