"""Test sets to learn from in a TOML file, whose paths are meant from the file's own folder:

[[set]]
name = "newstest2017 de-en"
language = "de-en"
references = ["de-en/ref.en"]
systems = ["de-en/hyp/*.en"]          # or NAME=FILE
judgements = "de-en/human/DA-seglevel.csv"
target = "da"                         # da, rank or hter
labels = "de-en/docs.tsv"             # with a column document
known_only = true                     # leave out judgements of systems that are not given
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any

from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.io import Input, Loaded, fields, load, toml_places
from adjudge.io.files import read_bytes, shown
from adjudge.io.judgements import read as read_judgements
from adjudge.tuning.gathering import COLUMNS

PATHS = ("references", "systems", "source", "test_set", "labels", "judgements")
LISTS = ("references", "systems")


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
    target: str = "da"
    column: str | None = None
    first_segment: int = 1
    known_only: bool = False
    margin: float = 0.0


KINDS: dict[str, type] = {
    "first_segment": int,
    "known_only": bool,
    "margin": float,
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
    known_only: bool = False
    margin: float = 0.0
    notes: tuple[str, ...] = ()


def read_sets(path: str) -> tuple[SetFiles, ...]:
    """The sets of a file, in their order."""
    data, _ = read_bytes(path)
    try:
        document = toml_places.loads(data.decode("utf-8"))
    except ValueError as error:
        raise DataError(f"{shown(path)}: no TOML: {error}") from None
    entries = document.get("set")
    if list(document) != ["set"] or not isinstance(entries, list) or not entries:
        raise DataError(f"{shown(path)}: no sets; each begins with a line [[set]], and there is nothing else")
    folder = os.path.dirname(path)
    sets = [_set(entry, f"{shown(path)}: set {n}", folder) for n, entry in enumerate(entries, 1)]
    names = [own.name for own in sets]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{shown(path)}: two sets are called {name!r}; name them apart")
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
        name: getattr(files, name) for name in ("target", "column", "first_segment", "known_only", "margin")
    }
    return with_judgements(texts, files.judgements, name=files.name, **how)


def with_judgements(
    texts: Loaded,
    judgements: str,
    *,
    name: str = "",
    target: str = "da",
    column: str | None = None,
    first_segment: int = 1,
    known_only: bool = False,
    margin: float = 0.0,
) -> LoadedTrainingSet:
    """Texts that are read already, with the judgements in a file."""
    judged = read_judgements([judgements], protocol=target, column=column or COLUMNS[target], joint=True)
    return LoadedTrainingSet(
        name or texts.test_set.name or "the test set",
        texts.test_set,
        texts.outputs,
        judged.judgements,
        (*texts.inputs, *judged.inputs),
        1 if judged.format == "numbers" else first_segment,  # bare numbers have those of their lines
        known_only,
        margin,
        (*texts.notes, *judged.warnings),
    )


def _set(entry: Any, where: str, folder: str) -> SetFiles:
    values = fields.table(entry, where)
    try:
        fields.check_keys(values, [field.name for field in fields_of(SetFiles)])
    except AdjudgeError as error:
        raise DataError(f"{where}: {error}") from None
    for name in ("judgements", "name"):
        if name not in values:
            raise DataError(f"{where}: {name}: missing")
    for name, value in values.items():
        fields.typed(value, KINDS.get(name, str), f"{where}: {name}")
    for name in LISTS:
        if name in values:
            values = values | {name: tuple(fields.texts(values[name], f"{where}: {name}"))}
    if values.get("target", "da") not in COLUMNS:
        raise DataError(f"{where}: {unknown_name('target', values['target'], COLUMNS)}")
    if not values.get("references") and not values.get("test_set"):
        raise DataError(f"{where}: references: missing, and no test_set either")
    return SetFiles(**values | {name: _from(folder, values[name]) for name in PATHS if name in values})


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
    return tuple(dict.fromkeys(item for own in sets for item in own.inputs))
