"""Scores of people and metrics from a folder, with metrics computed and sentinels beside them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _options, _outputs, _workspace
from adjudge.errors import UsageError, unknown_name
from adjudge.io.metric_folders import LoadedScores, read_meta_set
from adjudge.io.segment_scores import read_score_columns, with_score_columns

if TYPE_CHECKING:
    from adjudge.data import Outputs, TestSet
    from adjudge.data.score_tables import MetaSet, MetaTexts
    from adjudge.io import Input
    from adjudge.io.mtme import TextPaths

Progress = Callable[[str, int, int], None]

score_options = _options.options(
    _options.option("metrics", "It is computed on the folder's texts; may be repeated."),
    _options.option(
        "references",
        "By its name in the folder; several that are read together with commas between them.",
        metavar="LIST",
    ),
    _options.option("scores", "Of the folder's segments; may be repeated.", repeated=True),
    _options.option("lower_metrics"),
    _options.option("language", "Where the folder has several."),
    _options.options(cache=True),
)
"""What `scores_of` takes, `NAMES` in Python."""
NAMES = ("metrics", "references", "scores", "lower_metrics", "language", "cache")
"""What these options are called in Python."""


@dataclass(frozen=True)
class FolderScores:
    """What a folder holds and what was computed on it."""

    meta_set: MetaSet
    texts: MetaTexts
    inputs: tuple[Input, ...]
    references: tuple[tuple[str, ...], ...]
    """Sets of references that metrics were given."""
    paths: TextPaths | None = None
    """Where the texts lie."""


def read_scores(
    folder: str,
    *,
    gold: Sequence[str],
    metrics: Sequence[str],
    references: Sequence[str],
    scores: Sequence[str],
    lower_metrics: Sequence[str],
    language: str | None,
    cache: bool,
    progress: Progress | None,
    computed_later: bool = False,
) -> FolderScores:
    """The scores in a folder or a table, those of more tables, and those of the metrics asked for.

    What `gold` names is what metrics are held against, whatever it is.
    """
    from adjudge.meta.computed import with_metrics

    specs = _options.metric_specs(metrics)
    if references and not specs:
        raise UsageError("-r says what metrics read that are computed here: name them with -m")
    read = _read(folder, language, needs_metrics=not (specs or scores or computed_later))
    meta_set, inputs = read.meta_set, list(read.inputs)
    for path in scores:
        columns = read_score_columns(path)
        meta_set = with_score_columns(meta_set, columns)
        inputs.append(columns.input)
    _outputs.check_not_read(inputs)
    for name in lower_metrics:
        if name not in {**meta_set.gold, **meta_set.metrics}:
            raise unknown_name("measure", name, {**meta_set.gold, **meta_set.metrics})
    meta_set = meta_set.with_signs_changed(lower_metrics).with_gold(gold)
    sets = tuple(tuple(name.strip() for name in text.split(",")) for text in references)
    if specs and not computed_later:
        rows = _workspace.row_cache(cache)
        meta_set = with_metrics(meta_set, read.texts, specs, sets, cache=rows, progress=progress)
    return FolderScores(meta_set, read.texts, tuple(inputs), sets, read.paths)


def _read(path: str, language: str | None, *, needs_metrics: bool) -> LoadedScores:
    """A folder, or a table with a row for each system and segment."""
    if path.endswith(".score") or not os.path.isfile(path):
        return read_meta_set(path, language, texts=True, needs_metrics=needs_metrics)
    columns = read_score_columns(path)
    meta_set = replace(columns.meta_set, language=language or "")
    return LoadedScores(meta_set, (columns.input,), columns.texts)


def scores_of(
    folder: str,
    layout: str,
    sentinels: bool,
    structure: Mapping[str, Any],
    gold: Sequence[str],
    progress: Progress | None,
    files: Mapping[str, Any],
) -> FolderScores:
    """What tasks are run on: the scores of a folder, or variants of tskm, with sentinels among them."""
    from adjudge.meta.computed import with_sentinels
    from adjudge.meta.layouts import with_tskm

    tskm = layout == "tskm"
    scores = read_scores(folder, gold=gold, progress=progress, computed_later=tskm, **files)
    if not scores.meta_set.metrics and not tskm:
        held = ", ".join(scores.meta_set.gold) or "people"
        raise UsageError(
            f"{folder}: no metric to hold against {held}; add its column, or -m METRIC, --scores FILE"
        )
    if sentinels:
        scores = replace(scores, meta_set=with_sentinels(scores.meta_set, scores.texts))
    if tskm:
        test_set, outputs = structured_texts(scores, files["language"], structure)
        specs = _options.metric_specs(files["metrics"])
        return replace(scores, meta_set=with_tskm(scores.meta_set, test_set, outputs, specs))
    return scores


def structured_texts(
    scores: FolderScores, language: str | None, options: Mapping[str, Any]
) -> tuple[TestSet, Sequence[Outputs]]:
    """The folder's texts with the trees, pseudo-references and back-translations that options name."""
    from adjudge.meta.layouts import texts_of

    references = scores.references[0] if scores.references else ()
    plain = texts_of(scores.meta_set, scores.texts, references)
    if not any(options.values()):
        return plain
    if scores.paths is None:
        raise UsageError(
            "trees, pseudo-references and back-translations go with a folder of texts, not with a table"
        )
    names = references or tuple(scores.paths.references)[:1]
    loaded = _options.load_material(
        [f"{output.system}={scores.paths.outputs[output.system]}" for output in plain[1]],
        {
            "references": [scores.paths.references[name] for name in names],
            "source": scores.paths.source,
            "language": language or scores.meta_set.language,
            **options,
        },
    )
    return loaded.test_set, loaded.outputs
