"""What several analyses ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.cli import _options

if TYPE_CHECKING:
    from adjudge.io.judgements import LoadedJudgements


def read_judgements(paths: Sequence[str]) -> LoadedJudgements:
    """The judgements of files, and what is to be said of them."""
    from adjudge.io.judgements import read

    return read(paths, stdin=_options.stdin_bytes())
