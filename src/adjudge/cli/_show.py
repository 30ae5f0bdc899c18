"""Where results and warnings go: stdout in colours where there are any, a file, stderr."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import UnsupportedOperation
from typing import TYPE_CHECKING

from adjudge.cli import _outputs
from adjudge.display import Line, StyledText, visible
from adjudge.report.render.text import STYLES, plain

if TYPE_CHECKING:
    from adjudge.display import Draw
    from adjudge.report.render.formats import Renderer

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")

# For terminals that know only ASCII or an old code page; each is one column wide, so nothing shifts.
SIMPLER = {"↑": "^", "↓": "v", "–": "-", "…": "~", "─": "-", "−": "-", "±": "~", "Δ": "d"}
SIMPLER |= {"→": ">", "“": '"', "”": '"'}
SIMPLER |= {"■": "#", "◆": "~", "●": "o", "▲": "^", "↷": ">", "×": "x", "·": "."}  # xray's links
SIMPLER |= dict(zip("▁▂▃▄▅▆▇█", "_.-:=+*#", strict=True))
SIMPLER |= {"∞": "-", "▌": "#", "✓": "+", "✗": "x"}
SIMPLER |= {"≤": "<=", "≥": ">=", "√": "root of "}  # in sentences only, which no column is below


def show(renderer: Renderer, form: str, path: str | None = None) -> None:
    """Print a result in the format that was asked for, or write it to a file."""
    from adjudge.report.render.formats import TEXT, render

    if form == TEXT:
        show_lines(lambda width, rule: renderer.lines(width=width, rule=rule), path)
    else:
        show_text(render(renderer, form), path)


def show_lines(draw: Draw, path: str | None = None) -> None:
    """Print lines as the screen can carry them, or write them to a file without styles."""
    screen = path is None and _is_screen()
    width = _screen_width() if screen else None
    lines = [[StyledText(harmless(span.text), span.style) for span in line] for line in draw(width, screen)]
    if path is not None:
        show_text(plain(lines), path)
        return
    if not _can_show("".join(SIMPLER)):
        simpler = str.maketrans(SIMPLER)
        lines = [[StyledText(span.text.translate(simpler), span.style) for span in line] for line in lines]
    if uses_colour():
        _print_lines(lines)
    else:
        show_text(plain(lines))


def show_text(text: str, path: str | None = None) -> None:
    """Print text as it is, or write it to a file."""
    show_pieces(lambda: (text,), path)


def show_pieces(pieces: Callable[[], Iterable[str]], path: str | None = None) -> None:
    """Print or write a text that is made piece by piece."""
    if path is None:
        sys.stdout.writelines(map(harmless, pieces()))
    else:
        _outputs.write(
            path, lambda: (harmless(text).encode("utf-8", "backslashreplace") for text in pieces())
        )


def show_bytes(data: bytes, path: str | None = None) -> None:
    """Print a file as it is, or write it; on a screen it is text."""
    if path is not None:
        _outputs.write(path, data)
    elif sys.stdout.isatty():
        show_text(data.decode("utf-8", "backslashreplace"))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def harmless(text: str) -> str:
    """Text whose control characters are spelled out: a name in a file must not command a terminal."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def check_stdout() -> None:
    """Complain before something is done whose result can be shown only once, where it cannot be shown."""
    with suppress(UnsupportedOperation):  # a stream that is no file takes everything
        os.write(sys.stdout.fileno(), b"")


def say(message: str) -> None:
    """Tell on stderr what was done."""
    print(harmless(message), file=sys.stderr)


def warn(messages: Iterable[str], *, quiet: bool) -> None:
    """Tell people what they should know, beside the results and not among them."""
    if not quiet:
        for message in messages:
            print(f"adjudge: warning: {visible(message)}", file=sys.stderr)


def uses_colour() -> bool:
    """Whether stdout takes colours; never with NO_COLOR (https://no-color.org)."""
    return _is_screen() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _screen_width() -> int:
    import shutil  # late: it loads three libraries of compression

    return shutil.get_terminal_size().columns


def _is_screen() -> bool:
    # FORCE_COLOR asks for what a terminal would show, for `less -R` and the logs of a build.
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def _can_show(characters: str) -> bool:
    try:
        characters.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _print_lines(lines: list[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False)
    for line in lines:
        text = Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
        text.rstrip()
        console.print(text, soft_wrap=True)
