"""Scores of people and metrics from a folder or a table, with metrics computed and sentinels beside them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.errors import UsageError, unknown_name
from adjudge.io.metric_folders import LoadedScores, read_meta_set
from adjudge.io.segment_scores import read_score_columns, with_score_columns

if TYPE_CHECKING:
    from adjudge.comparison import Progress
    from adjudge.data import Outputs, TestSet
    from adjudge.data.score_tables import MetaSet, MetaTexts
    from adjudge.engine.cache import RowCache
    from adjudge.io import Input
    from adjudge.io.mtme import TextPaths


@dataclass(frozen=True)
class FolderScores:
    """What a folder holds, and what was computed on its texts."""

    meta_set: MetaSet
    texts: MetaTexts
    inputs: tuple[Input, ...]
    references: tuple[tuple[str, ...], ...]
    """Sets of references that metrics are given."""
    paths: TextPaths | None = None
    """Where the texts lie."""

    def computed(
        self, specs: Sequence[str], *, cache: RowCache | None = None, progress: Progress | None = None
    ) -> FolderScores:
        """With the scores of these metrics."""
        from adjudge.meta.computed import with_metrics

        if not specs:
            return self
        scored = with_metrics(
            self.meta_set, self.texts, specs, self.references, cache=cache, progress=progress
        )
        return replace(self, meta_set=scored)

    def with_sentinels(self) -> FolderScores:
        """With measures that know nothing of quality."""
        from adjudge.meta.computed import with_sentinels

        return replace(self, meta_set=with_sentinels(self.meta_set, self.texts))

    def with_tskm(
        self, specs: Sequence[str], language: str | None, structure: Mapping[str, Any]
    ) -> FolderScores:
        """With the variants of tskm, on texts with the trees, translations and programs of `structure`."""
        from adjudge.meta.layouts import with_tskm

        test_set, outputs = self.structured_texts(language, structure)
        return replace(self, meta_set=with_tskm(self.meta_set, test_set, outputs, specs))

    def structured_texts(
        self, language: str | None, structure: Mapping[str, Any]
    ) -> tuple[TestSet, Sequence[Outputs]]:
        """The texts with their trees, pseudo-references and back-translations."""
        from adjudge import io
        from adjudge.meta.layouts import texts_of
        from adjudge.text.translators import with_translations

        references = self.references[0] if self.references else ()
        plain = texts_of(self.meta_set, self.texts, references)
        if not any(structure.values()):
            return plain
        if self.paths is None:
            raise UsageError(
                "trees, pseudo-references and back-translations go with a folder of texts, not with a table"
            )
        programs = {name: structure[name] for name in ("translator", "back_translator")}
        loaded = io.load(
            systems=[f"{output.system}={self.paths.outputs[output.system]}" for output in plain[1]],
            references=[
                self.paths.references[name] for name in references or tuple(self.paths.references)[:1]
            ],
            source=self.paths.source,
            language=language or self.meta_set.language,
            **{name: value for name, value in structure.items() if name not in programs},
        )
        if any(programs.values()):
            loaded = with_translations(
                loaded, **{name: program for name, program in programs.items() if program}
            )
        return loaded.test_set, loaded.outputs


def read_folder_scores(
    folder: str,
    *,
    gold: Sequence[str] = (),
    references: Sequence[str] = (),
    scores: Sequence[str] = (),
    lower_metrics: Sequence[str] = (),
    language: str | None = None,
    needs_metrics: bool = True,
) -> FolderScores:
    """The scores in a folder or a table, and those of more tables.

    What `gold` names is what metrics are held against, whatever it is; where metrics are still to be computed, none
    need be there.
    """
    read = _read(folder, language, needs_metrics=needs_metrics and not scores)
    meta_set, inputs = read.meta_set, list(read.inputs)
    for path in scores:
        columns = read_score_columns(path)
        meta_set = with_score_columns(meta_set, columns)
        inputs.append(columns.input)
    for name in lower_metrics:
        if name not in {**meta_set.gold, **meta_set.metrics}:
            raise unknown_name("measure", name, {**meta_set.gold, **meta_set.metrics})
    meta_set = meta_set.with_signs_changed(lower_metrics).with_gold(gold)
    sets = tuple(tuple(name.strip() for name in text.split(",")) for text in references)
    return FolderScores(meta_set, read.texts, tuple(inputs), sets, read.paths)


def _read(path: str, language: str | None, *, needs_metrics: bool) -> LoadedScores:
    """A folder, or a table with a row for each system and segment."""
    if path.endswith(".score") or not os.path.isfile(path):
        return read_meta_set(path, language, texts=True, needs_metrics=needs_metrics)
    columns = read_score_columns(path)
    meta_set = replace(columns.meta_set, language=language or "")
    return LoadedScores(meta_set, (columns.input,), columns.texts)
