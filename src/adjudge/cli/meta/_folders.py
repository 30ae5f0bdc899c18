"""Folders as mt-metrics-eval has them, beside tables, for what is fitted to scores of people and metrics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.io import Input


@dataclass(frozen=True)
class Folders:
    """What was named: folders that were read, each with the scores of people to take, and other files."""

    meta_sets: tuple[tuple[MetaSet, str], ...]
    inputs: tuple[Input, ...]
    files: tuple[str, ...]


def read_folders(names: Sequence[str], gold: str | None, languages: Sequence[str]) -> Folders:
    """The folders among some names, read; patterns are expanded."""
    from adjudge.io.metric_folders import read_meta_set
    from adjudge.io.names import expand_pattern

    paths = [path for text in names for path in expand_pattern(text)]
    meta_sets: list[tuple[MetaSet, str]] = []
    inputs: list[Input] = []
    for folder in filter(os.path.isdir, paths):
        for language in languages or (None,):
            loaded = read_meta_set(folder, language)
            known = list(loaded.meta_set.gold)
            if gold is None and len(known) > 1:
                raise UsageError(
                    f"{folder} has several people's scores, say which with --gold: {', '.join(known)}"
                )
            if gold is not None and gold not in known:
                raise unknown_name("scores of people", gold, known, f"in {folder}")
            meta_sets.append((loaded.meta_set, gold or known[0]))
            inputs.extend(loaded.inputs)
    return Folders(tuple(meta_sets), tuple(inputs), tuple(path for path in paths if not os.path.isdir(path)))
