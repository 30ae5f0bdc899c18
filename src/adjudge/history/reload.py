"""The files behind a stored result: where they lie now, and whether they are still the same."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import Any

from adjudge import workspace
from adjudge.comparison.documents import Arguments
from adjudge.errors import AdjudgeError, DataError, UsageError
from adjudge.history.stored import StoredResult
from adjudge.io import Input, named_sets, remote
from adjudge.io.files import path_text
from adjudge.io.names import is_named_set, leads_to_file, stem, system_and_run

READ = 1 << 20
"""Block size for hashing, in bytes."""


@dataclass(frozen=True)
class FileState:
    """A file that a result names, and its current state."""

    role: str
    path: str
    stored: str
    """The hash in the result."""
    now: str | None
    """The current hash; None if the file is missing or was standard input."""

    @property
    def is_stdin(self) -> bool:
        """Whether it was standard input."""
        return self.path == "-"

    @property
    def problem(self) -> str:
        """What is wrong with the file; "" if nothing is."""
        if self.is_stdin:
            return "cannot be read again"
        if self.now is None and remote.is_url(self.path):
            return "cannot be read, or not without --allow-programs, for it is a file that names the address"
        if self.now is None:
            return "does not exist"
        return (
            "" if self.now == self.stored else f"has changed (sha256 {self.stored[:12]}, now {self.now[:12]})"
        )


def file_states(stored: StoredResult) -> tuple[FileState, ...]:
    """Every file that was read for a result."""
    return tuple(
        FileState(item.role, item.path, item.sha256, sha256_of(found_path(item.path, stored)))
        for item in stored.inputs
    )


def found_inputs(stored: StoredResult) -> tuple[Input, ...]:
    """The files that are read to compute a result again, where they lie now."""
    places = [(item, found_path(item.path, stored)) for item in stored.inputs]
    return tuple(replace(item, path=place) for item, place in places if place is not None)


def found_path(path: str, stored: StoredResult) -> str | None:
    """Where a file of a result lies: seen from here, or else from the folder of the result.

    Where there are two files, the one with the hash that the result has. Files of a study are found from its own file.
    """
    if path == "-" or is_named_set(path) or remote.is_url(path):
        return None if path == "-" else path
    if stored.study:
        return _path_from_study(path, stored)
    places = [path, os.path.join(os.path.dirname(stored.path), path)]
    existing = [place for place in places if os.path.exists(place)]
    hashes = {item.sha256 for item in stored.inputs if item.path == path}
    if len(set(map(os.path.realpath, existing))) > 1:
        return next((place for place in existing if sha256_of(place) in hashes), existing[0])
    return existing[0] if existing else None


def study_place(stored: StoredResult) -> str:
    """Where the file of a study lies: as it was named, or else beside the result."""
    named = stored.arguments.study if stored.arguments is not None else ""
    folder = os.path.dirname(stored.path)
    for place in (named, os.path.join(folder, named), os.path.join(folder, os.path.basename(named))):
        if os.path.isfile(place):
            return place
    raise DataError(
        f"{named}, which {stored.path} was made from, does not exist (neither here nor beside it)"
    )


def _path_from_study(path: str, stored: StoredResult) -> str:
    """A file of a study, in the same place relative to the study's file as it was then."""
    try:
        place = study_place(stored)
    except DataError:
        return path
    named = stored.arguments.study if stored.arguments is not None else ""
    if path == named:
        return os.path.normpath(place)
    folder = os.path.dirname(named)
    if os.path.isabs(path) and not path.startswith(folder + os.sep):
        return os.path.normpath(path)
    return os.path.normpath(os.path.join(os.path.dirname(place), os.path.relpath(path, folder or ".")))


def named_arguments(stored: StoredResult) -> Arguments:
    """The arguments of a result; guessed from the roles of its inputs if it has none."""
    if stored.arguments is not None:
        return stored.arguments

    def paths(role: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.path for item in stored.inputs if item.role == role))

    def single(role: str) -> str | None:
        values = paths(role)
        if len(values) > 1:
            raise DataError(
                f"{stored.path} names {len(values)} inputs as {role} and has no arguments that say how they go together"
            )
        return values[0] if values else None

    systems = paths("system")
    runs = list(dict.fromkeys((result.system, result.run or "") for result in stored.results))
    made = [system_and_run(stem(path)) for path in systems]
    if made != runs and len(systems) == len(runs):
        # Names that files do not tell were given: NAME=FILE, in the order of the results.
        systems = tuple(
            path if name in made else f"{name[0]}{f'.run{name[1]}' if name[1] else ''}={path}"
            for name, path in zip(runs, systems, strict=True)
        )
    return Arguments(
        systems=systems,
        references=paths("reference"),
        pseudo_references=paths("pseudo_reference"),
        source=single("source"),
        test_set=single("test_set"),
        labels=single("labels"),
        metrics=stored.metrics,
        runs=paths("run"),
    )


def located_arguments(stored: StoredResult) -> tuple[Arguments, tuple[str, ...]]:
    """The arguments with paths that lead to the files from here, and the systems whose files are gone.

    Nothing can be done where the test set itself is gone.
    """
    named = named_arguments(stored)

    def needed(text: str | None, has_name: bool = False) -> str | None:
        if text is None:
            return None
        path = _locate(text, stored, named=has_name)
        if path is None:
            raise DataError(_gone(text, stored))
        return path

    places = {text: _locate(text, stored, named=True) for text in named.systems}
    return replace(
        named,
        systems=tuple(place for place in places.values() if place is not None),
        references=tuple(place for text in named.references if (place := needed(text))),
        pseudo_references=tuple(place for text in named.pseudo_references if (place := needed(text))),
        back_translations=tuple(place for text in named.back_translations if (place := needed(text, True))),
        trees=tuple(place for text in named.trees if (place := needed(text, True))),
        source=needed(named.source),
        test_set=needed(named.test_set),
        # Scores need no labels; a comparison that does will say so.
        labels=None if named.labels is None else _locate(named.labels, stored),
        runs=tuple(place for text in named.runs if (place := needed(text))),
        scores=tuple(place for text in named.scores if (place := needed(text))),
    ), tuple(text for text, place in places.items() if place is None)


def files_of(stored: StoredResult, **given: Any) -> dict[str, Any]:
    """The files of a stored result's test set, as `io.load` takes them; what is given comes first.

    They are taken from the result only where nothing is given instead, and only where nothing in them has changed.
    """
    if any(given[name] for name in ("references", "source", "test_set")):
        return given
    if stored.made_elsewhere:
        raise UsageError(
            f"{stored.path} holds scores that were made elsewhere (--scores), which outputs have not: give theirs the "
            "same way"
        )
    if not stored.inputs:
        raise UsageError(f"{stored.path} does not name its files; give the references: -r FILE")
    for state in file_states(stored):
        if state.role not in ("system", "labels") and state.problem:
            raise DataError(
                f"{path_text(state.path)} ({state.role} of {stored.path}) {state.problem}; "
                "give the files it was made with: -r FILE"
            )
    named = named_arguments(stored)
    # Trees and back-translations are those of other outputs as well.
    labels = named.labels if named.level else None
    named = replace(named, systems=(), labels=labels, trees=(), back_translations=())
    files = located_arguments(replace(stored, arguments=named))[0].files() | {
        k: v for k, v in given.items() if v
    }
    return {name: value for name, value in files.items() if name != "systems"}


def _locate(text: str, stored: StoredResult, *, named: bool = False) -> str | None:
    """An argument with the path that leads to its file from here; None if there is none."""
    name, equals, rest = text.partition("=")
    with workspace.use(workspace.with_settings(named_by_file=True)):
        for address in (text, rest):
            remote.check_asked(address)
    folder = os.path.dirname(stored.path)
    ways = [("", text)]
    if named and equals and name:
        ways.append((f"{name}=", rest))
    for prefix, path in ways:
        for item in stored.inputs:
            column = path.removeprefix(item.path)
            if path.startswith(item.path) and column[:1] in ("", ":") and item.path:
                located_path = found_path(item.path, stored)
                return None if located_path is None else prefix + located_path + column
        for place in (path, os.path.join(folder, path)):
            if place != "-" and leads_to_file(place):
                return prefix + place
    return None


def _gone(text: str, stored: StoredResult) -> str:
    if text == "-":
        return f"{stored.path} was made from standard input, which cannot be read again"
    folder = os.path.dirname(stored.path) or "."
    return f"{text}, which {stored.path} was made from, does not exist (neither here nor in {folder})"


def sha256_of(path: str | None) -> str | None:
    """The hash of a file, or of a test set by name; None where there is none."""
    if path is None:
        return None
    if is_named_set(path):
        return named_sets.sha256_of(path)
    try:
        with workspace.use(workspace.with_settings(named_by_file=True)), remote.open_address(path) as file:
            digest = hashlib.sha256()
            while data := file.read(READ):
                digest.update(data)
            return digest.hexdigest()
    except (OSError, AdjudgeError):
        return None
