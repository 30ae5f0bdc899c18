"""Where computed rows are kept for the next time: in the user's cache folder, unless told otherwise."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudge.cli._show import warn

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def row_cache(cache: bool = True) -> RowCache | None:
    """The cache of this user, None where there is to be none or no place for it; compiled tables follow it."""
    folder = keep_tables(cache)
    if folder is None:
        return None
    from adjudge.engine.cache import RowCache

    made = RowCache(folder / "rows")
    context = click.get_current_context(silent=True)
    if context is not None:
        quiet = bool(context.params.get("quiet"))
        context.call_on_close(lambda: warn(made.notes, quiet=quiet))
    return made


def keep_tables(cache: bool = True) -> Path | None:
    """Let compiled tables lie in this user's cache, which is returned: for commands that keep no rows."""
    from adjudge.text import paraphrases

    folder = cache_folder() if cache else None
    paraphrases.keep_in(folder)
    return folder


def cache_folder() -> Path | None:
    """ADJUDGE_CACHE, or `adjudge` where caches belong on this system; None where there is no home."""
    own = os.environ.get("ADJUDGE_CACHE")
    if own:
        return Path(own)
    # A relative path there is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
    general = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(general):
        return Path(general, "adjudge")
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "adjudge", "cache")
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "adjudge"
