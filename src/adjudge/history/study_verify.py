"""The result of a study computed again from the study's file, and what no longer holds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from adjudge import __version__, workspace
from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Progress
from adjudge.errors import AdjudgeError, DataError
from adjudge.history.reload import FileState, sha256_of
from adjudge.history.run_differences import differences
from adjudge.history.stored import EQUAL
from adjudge.history.study_stored import StoredStudy, study_document, study_rows
from adjudge.history.verification import Problem, Verification
from adjudge.human.studies import run_study
from adjudge.io import Input
from adjudge.io.files import shown
from adjudge.io.names import is_named_set
from adjudge.io.remote import is_url
from adjudge.io.studies import load_study
from adjudge.wording import counted

WORDS = ("format", "version", "study", "inputs", "arguments", "rows")
"""Fields that are checked in other ways than by comparing them with what is computed."""


def verify_study(stored: StoredStudy, *, threads: int = 0, progress: Progress | None = None) -> Verification:
    """Run a study again as it was run then, and compare all there is to compare; no cache of rows is asked."""
    notes = []
    if stored.version != __version__:
        notes.append(f"written by adjudge {stored.version}, computed again by {__version__}")
    files = study_files(stored)
    problems = [
        Problem("file", shown(state.path), state.role, state.stored, state.now, state.problem)
        for state in files
        if state.problem
    ]
    checked = len(files)
    try:
        count, wrong = _computed_again(stored, threads, progress)
        checked += count
        problems += wrong
    except AdjudgeError as error:
        message = f"is not possible: {error}"
        problems.append(Problem("inputs", "", "computing it again", None, None, message))
    return Verification(stored.path, stored.version, "study", files, checked, tuple(problems), tuple(notes))


def study_place(stored: StoredStudy) -> str:
    """Where the study's file lies: as it was named, or else beside the result."""
    named = stored.arguments.study
    folder = os.path.dirname(stored.path)
    for place in (named, os.path.join(folder, named), os.path.join(folder, os.path.basename(named))):
        if os.path.exists(place):
            return place
    raise DataError(
        f"{named}, which {stored.path} was made from, does not exist (neither here nor beside it)"
    )


def found_study_inputs(stored: StoredStudy) -> tuple[Input, ...]:
    """The files that are read to compute the result again, where they lie now."""
    try:
        return tuple(replace(item, path=place) for item, place in _placed(stored))
    except DataError:
        return ()


def study_files(stored: StoredStudy) -> tuple[FileState, ...]:
    """Every file that was read for the result, found by its way from the study's own folder."""
    try:
        placed = _placed(stored)
    except DataError:
        placed = [(item, item.path) for item in stored.inputs]
    return tuple(FileState(item.role, item.path, item.sha256, sha256_of(place)) for item, place in placed)


def _placed(stored: StoredStudy) -> list[tuple[Input, str]]:
    then, now = os.path.dirname(stored.arguments.study), os.path.dirname(study_place(stored))
    places = []
    for item in stored.inputs:
        moved = item.path
        if is_named_set(item.path) or is_url(item.path):
            places.append((item, item.path))
            continue
        if not os.path.isabs(item.path) or item.path.startswith(then + os.sep):
            moved = os.path.join(now, os.path.relpath(item.path, then or "."))
        if item.role == "study":
            moved = study_place(stored)
        places.append((item, os.path.normpath(moved)))
    return places


def _computed_again(
    stored: StoredStudy, threads: int, progress: Progress | None
) -> tuple[int, list[Problem]]:
    with workspace.use(workspace.changed(named_by_file=True)):
        loaded = load_study(study_place(stored), progress=progress)
        result = run_study(
            loaded,
            stored.arguments.metrics,
            threads=threads,
            progress=progress,
            **stored.arguments.options,  # fields of a plan, checked as they were read
        )
    now = study_document(result, loaded.study.name, loaded.inputs, stored.arguments)
    count, changed, _ = differences(_named(stored.document), _named(now))
    problems = [Problem(d.part, d.where, d.field, d.stored, d.now, d.message) for d in changed]
    problems += _inputs_beside(stored, loaded.inputs)
    if stored.rows:
        more, wrong = _rows_beside(stored, result)
        count, problems = count + more, problems + wrong
    return count, problems


def _named(document: Mapping[str, Any]) -> dict[str, Any]:
    """A study's tables cut into entries that have names, so that a difference is said of what it is of."""
    same = document.get("version") == __version__  # another version may have other words
    words = WORDS if same else (*WORDS, "verdict")
    flat = {name: value for name, value in document.items() if name not in (*words, "tables")}
    results, means, pairs = [], [], []
    for table in document["tables"]:
        metric = table["metric"]
        for entry in table["scores"]:
            results.append({**entry, "metric": metric})
        for group in table["groups"]:
            own = f"{metric}, mean over {group['by'] if group['by'] == 'all' else group['name']}"
            means += [{**entry, "metric": own} for entry in group["scores"]]
            pairs += [{**entry, "metric": own} for entry in group["pairs"]]
    signatures = {table["metric"]: table["signatures"] for table in document["tables"]}
    named = {"results": results, "means": means, "pairs": pairs}
    return flat | named | ({"signatures": signatures} if same else {})


def _inputs_beside(stored: StoredStudy, inputs: Sequence[Input]) -> list[Problem]:
    """The files that are read now must be those that were read then."""
    known = {(item.role, os.path.realpath(place)) for item, place in _placed(stored)}
    return [
        Problem("file", item.path, item.role, None, item.sha256, "has no hash in the result")
        for item in inputs
        if (item.role, os.path.realpath(item.path)) not in known
    ]


def _rows_beside(stored: StoredStudy, result: Comparison) -> tuple[int, list[Problem]]:
    now, problems = study_rows(result), []
    for key in dict.fromkeys([*stored.rows, *now]):
        where = f"{key.system} on {key.test_set} by {key.metric}"
        old, new = stored.rows.get(key), now.get(key)
        if old is None or new is None:
            message = "are missing in the file" if old is None else "are of no output that is there"
            problems.append(Problem("rows", where, "rows", None, None, message))
        elif old.shape != new.shape:
            problems.append(Problem("rows", where, "shape", list(old.shape), list(new.shape)))
        elif not np.allclose(old, new, rtol=EQUAL, atol=EQUAL):
            wrong = int((~np.isclose(old, new, rtol=EQUAL, atol=EQUAL).all(1)).sum())
            problems.append(
                Problem("rows", where, "rows", None, None, f"differ in {counted(wrong, 'segment')}")
            )
    return len(now), problems
