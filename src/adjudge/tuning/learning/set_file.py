"""Test sets to learn from in a TOML file, whose paths are meant from the file's own folder:

[[set]]
name = "newstest2017 de-en"
language = "de-en"
references = ["de-en/ref.en"]
systems = ["de-en/hyp/*.en"]          # or NAME=FILE
judgements = "de-en/human/DA-seglevel.csv"
gold_kind = "da"                      # da, rank or hter
labels = "de-en/docs.tsv"             # with a column document
skip_unknown_systems = true           # leave out judgements of systems that are not given
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any

from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.errors import DataError, unknown_name
from adjudge.io import Input, Loaded, load
from adjudge.io.files import path_text
from adjudge.io.judgements import read as read_judgements
from adjudge.io.toml_places import read_tables
from adjudge.metrics.base import Metric
from adjudge.tuning.gathering import COLUMNS
from adjudge.tuning.learning.material import TrainingSet, training_set

PATHS = ("references", "systems", "source", "test_set", "labels", "judgements")


@dataclass(frozen=True)
class SetFiles:
    """Where one test set and its judgements lie, and how to read them."""

    judgements: str
    name: str = ""
    language: str | None = None
    references: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    source: str | None = None
    test_set: str | None = None
    labels: str | None = None
    gold_kind: str = "da"
    column: str | None = None
    first_segment: int = 1
    skip_unknown_systems: bool = False
    min_gap: float = 0.0


KINDS: dict[str, type] = {field.name: str for field in fields_of(SetFiles)} | {
    "first_segment": int,
    "skip_unknown_systems": bool,
    "min_gap": float,
    "references": list,
    "systems": list,
}


@dataclass(frozen=True, eq=False)
class LoadedTrainingSet:
    """Texts and judgements of one test set, and the files they came from."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    judgements: Judgements
    inputs: tuple[Input, ...]
    first_segment: int = 1
    skip_unknown_systems: bool = False
    min_gap: float = 0.0
    notes: tuple[str, ...] = ()

    def training_set(self, metrics: Sequence[Metric], **computing: Any) -> TrainingSet:
        """Judgements beside the scores of every metric; `computing` is what these take."""
        return training_set(
            self.name,
            self.test_set,
            self.outputs,
            self.judgements,
            metrics,
            min_gap=self.min_gap,
            first_segment=self.first_segment,
            skip_unknown_systems=self.skip_unknown_systems,
            **computing,
        )


def read_sets(path: str) -> tuple[SetFiles, ...]:
    """The sets of a file, in their order."""
    folder, required = os.path.dirname(path), {"judgements": "", "name": ""}
    sets = [_set(values, where, folder) for where, values in read_tables(path, "set", KINDS, required)]
    names = [training_set.name for training_set in sets]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{path_text(path)}: two sets are called {name!r}; name them apart")
    return tuple(sets)


def load_set(files: SetFiles) -> LoadedTrainingSet:
    """The texts and judgements of a set."""
    texts = load(
        systems=files.systems,
        references=files.references,
        source=files.source,
        test_set=files.test_set,
        labels=files.labels,
        language=files.language,
    )
    how = {
        name: getattr(files, name)
        for name in ("gold_kind", "column", "first_segment", "skip_unknown_systems", "min_gap")
    }
    return with_judgements(texts, files.judgements, name=files.name, **how)


def with_judgements(
    texts: Loaded,
    judgements: str,
    *,
    name: str = "",
    gold_kind: str = "da",
    column: str | None = None,
    first_segment: int = 1,
    skip_unknown_systems: bool = False,
    min_gap: float = 0.0,
) -> LoadedTrainingSet:
    """Texts that are read already, with the judgements in a file."""
    judged = read_judgements(
        [judgements], protocol=gold_kind, column=column or COLUMNS[gold_kind], joint=True
    )
    return LoadedTrainingSet(
        name or texts.test_set.name or "the test set",
        texts.test_set,
        texts.outputs,
        judged.judgements,
        (*texts.inputs, *judged.inputs),
        1 if judged.format == "numbers" else first_segment,  # bare numbers have those of their lines
        skip_unknown_systems,
        min_gap,
        (*texts.notes, *judged.warnings),
    )


def _set(values: Mapping[str, Any], where: str, folder: str) -> SetFiles:
    if values.get("gold_kind", "da") not in COLUMNS:
        raise DataError(f"{where}: {unknown_name('kind of gold', values['gold_kind'], COLUMNS)}")
    if not values.get("references") and not values.get("test_set"):
        raise DataError(f"{where}: references: missing, and no test_set either")
    return SetFiles(**{**values} | {name: _from(folder, values[name]) for name in PATHS if name in values})


def _from(folder: str, value: Any) -> Any:
    """A path as it is meant from the folder; NAME=FILE keeps its name."""
    if isinstance(value, tuple):
        return tuple(_from(folder, text) for text in value)
    name, equals, rest = value.partition("=")
    if equals and os.sep not in name and not os.path.exists(os.path.join(folder, value)):
        return f"{name}={os.path.join(folder, rest)}"
    return os.path.join(folder, value)


def inputs_of(sets: Sequence[LoadedTrainingSet]) -> tuple[Input, ...]:
    """All files that sets came from, each once."""
    return tuple(dict.fromkeys(item for training_set in sets for item in training_set.inputs))
