"""Scores of people and metrics from a folder, with metrics computed and sentinels beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.cli import _cache, _options, _outputs
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet, MetaTexts
    from adjudge.io import Input

Command = TypeVar("Command", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]

_SCORES = (
    click.option(
        "-m",
        "--metric",
        "metrics",
        metavar="METRIC",
        multiple=True,
        help="A metric to compute on the folder's texts, as in 'chrf(word_order=2)'; may be repeated.",
    ),
    click.option(
        "-r",
        "--reference",
        "references",
        metavar="LIST",
        multiple=True,
        help="The reference that these read, several together with commas; may be repeated for further versions.",
    ),
    click.option("-l", "--language", metavar="PAIR", help="The language pair, where the folder has several."),
    _cache.cache_option,
)


def score_options(command: Command) -> Command:
    """-m, -r and -l: what `read_scores` takes."""
    for option in reversed(_SCORES):
        command = option(command)
    return command


@dataclass(frozen=True)
class FolderScores:
    """What a folder holds and what was computed on it."""

    meta_set: MetaSet
    texts: MetaTexts
    inputs: tuple[Input, ...]
    references: tuple[tuple[str, ...], ...]
    """Sets of references that metrics were given."""


def read_scores(
    folder: str,
    *,
    metrics: Sequence[str],
    references: Sequence[str],
    language: str | None,
    caching: bool,
    progress: Progress | None,
    computed_later: bool = False,
) -> FolderScores:
    """The scores in a folder and those of the metrics asked for."""
    from adjudge.io.metric_scores import read_meta_set
    from adjudge.meta.computed import with_metrics

    specs = _options.metric_specs(metrics)
    if references and not specs:
        raise UsageError("-r says what metrics read that are computed here: name them with -m")
    loaded = read_meta_set(folder, language, texts=True, needs_metrics=not (specs or computed_later))
    _outputs.check_not_read(loaded.inputs)
    sets = tuple(tuple(name.strip() for name in text.split(",")) for text in references)
    meta_set = loaded.meta_set
    if specs and not computed_later:
        cache = _cache.row_cache(caching)
        meta_set = with_metrics(meta_set, loaded.texts, specs, sets, cache=cache, progress=progress)
    return FolderScores(meta_set, loaded.texts, loaded.inputs, sets)
