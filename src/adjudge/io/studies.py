"""Studies read whole: every test set with its outputs, what people said of them, and scores made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from adjudge import workspace
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.errors import AdjudgeError, DataError, UsageError
from adjudge.io import judgements as judgement_files
from adjudge.io.load import load
from adjudge.io.segment_scores import ScoreFile, load_scores
from adjudge.io.study_file import Study, StudySet, read_study
from adjudge.io.table import Input

Progress = Callable[[str, int, int], None]
Value = TypeVar("Value")


@dataclass(frozen=True)
class LoadedSet:
    """One test set of a study with its outputs, judgements and scores."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    """The language pair, from the study or the files."""
    domain: str = ""
    judgements: Judgements | None = None
    """Judgements of these outputs by people, if there are any."""
    qe: tuple[ScoreFile, ...] = ()
    """Scores of segments that were made without references."""
    place: str = ""
    """File and line, for messages."""


@dataclass(frozen=True)
class LoadedStudy:
    """A study and its test sets."""

    study: Study
    sets: tuple[LoadedSet, ...]
    inputs: tuple[Input, ...]
    """The study's own file first."""
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that have an output for some test set, in the order of the file."""
        return tuple(dict.fromkeys(output.system for loaded in self.sets for output in loaded.outputs))


def load_study(path: str | Study, *, progress: Progress | None = None) -> LoadedStudy:
    """A study with the texts, judgements and scores of its test sets; errors name the line."""
    study = read_study(path) if isinstance(path, str) else path
    sets: list[LoadedSet] = []
    inputs: list[Input] = [study.input]
    notes: list[str] = []
    for place, study_set in enumerate(study.sets):
        if progress:
            progress(f"reading {study_set.name}", place, len(study.sets))
        loaded = _read_at(study_set, load, study_set.arguments())
        inputs += loaded.inputs
        notes += [f"{study_set.name}: {note}" for note in loaded.notes]
        language = study_set.language or loaded.test_set.language
        test_set = replace(loaded.test_set, name=study_set.name)
        entry = LoadedSet(
            study_set.name, test_set, loaded.outputs, language, study_set.domain, place=study_set.place
        )
        if study_set.judgements:
            people = _read_at(
                study_set,
                judgement_files.read,
                {"paths": study_set.judgements, "protocol": study_set.protocol or None},
            )
            entry = replace(entry, judgements=people.judgements)
            inputs += people.inputs
            notes += [f"{study_set.name}: {note}" for note in people.warnings]
        if study_set.qe:
            scores = tuple(
                file for path in study_set.qe for file in _read_at(study_set, load_scores, {"paths": [path]})
            )
            _check_measures(study_set, scores)
            entry = replace(entry, qe=scores)
            inputs += [item for file in scores for item in file.inputs]
            notes += [f"{study_set.name}: {note}" for file in scores for note in file.notes]
        sets.append(entry)
    return LoadedStudy(study, tuple(sets), tuple(dict.fromkeys(inputs)), tuple(notes))


def _check_measures(study_set: StudySet, scores: Sequence[ScoreFile]) -> None:
    names = [file.name for file in scores]
    for name in names:
        if names.count(name) > 1:
            raise DataError(
                f"{study_set.place}: qe: two files of scores are called {name!r}; a measure is called as its file"
            )


def _read_at(study_set: StudySet, read: Callable[..., Value], arguments: Mapping[str, Any]) -> Value:
    """The result of a reader; its errors name the line of the test set."""
    try:
        with workspace.use(workspace.with_settings(named_by_file=True)):  # addresses that a study names
            return read(**arguments)
    except AdjudgeError as error:
        kind = UsageError if isinstance(error, UsageError) else DataError
        raise kind(f"{study_set.place}: {error}") from None
