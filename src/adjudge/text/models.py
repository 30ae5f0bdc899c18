"""Neural models, each in a process of its own that lives as long as it is asked (`text/worker/`)."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudge import workspace
from adjudge.errors import DataError, MissingResourceError, ProgramError, UsageError, unasked_program
from adjudge.io import programs
from adjudge.io.content_store import key_of

WORKER = Path(__file__).parent / "worker" / "main.py"
PIECE = 2048
"""Rows that a worker is given at once; what it has said of them is kept before it gets the next ones."""
SHOWN = 12
"""Characters of a hash in a signature."""


@dataclass(frozen=True)
class ModelSettings:
    """All that says which model is run and how, but for what no score depends on."""

    family: str
    """The file in `text/worker/` that knows how to run it."""
    model: str
    """A folder, a file or a hub's id."""
    python: str = ""
    """A Python that has the model's packages; empty for adjudge's own."""
    precision: str = "float32"
    more: tuple[tuple[str, Any], ...] = ()
    """What only this family knows, such as a layer."""
    install: str = "pip install 'adjudge[neural]'"
    """How to get the packages."""

    def document(self) -> dict[str, Any]:
        """As the worker reads it."""
        used = workspace.current()
        return {
            "family": self.family,
            "model": self.model,
            "precision": self.precision,
            "device": used.device,
            "allow_download": used.allow_download,
            **dict(self.more),
        }


@dataclass(frozen=True)
class ModelFacts:
    """Which model it is, beyond its name."""

    name: str
    """The hub's id, or the last part of a path."""
    identity: str
    """The hub's revision, or a hash of the files that scores depend on."""
    library: str
    """The packages that run it, with their versions."""

    def signature_fields(self) -> dict[str, str]:
        """Name, identity and library as signatures have them."""
        kind = "rev" if self.identity.startswith("rev-") else "hash"
        shown = self.identity.removeprefix("rev-")[:SHOWN]
        return {"model": self.name, kind: shown, "by": self.library}


@dataclass(eq=False)
class _Worker:
    """A running worker and what it was started with."""

    python: str
    allow_download: bool
    """Packages read this once, when they are first loaded."""
    program: programs.Program = field(init=False)

    def __post_init__(self) -> None:
        arguments = [self.python or sys.executable, str(WORKER)]
        self.program = programs.Program(arguments)


_running: list[_Worker] = []
"""At most one: a second model may be more than there is memory for."""


def facts(settings: ModelSettings) -> ModelFacts:
    """Which model the settings mean; it is looked for, but not loaded."""
    key = (settings, workspace.current().allow_download)
    if key not in _facts:
        (answer,) = _answers(settings, {"find": settings.document()}, until="model")
        place = answer["model"]
        path = Path(place["folder"])
        revision = f"rev-{place['revision']}" if place["revision"] else ""
        name = settings.model if revision else Path(os.path.abspath(settings.model)).name
        files = [path / file for file in place["files"]]
        _facts[key] = ModelFacts(name, revision or _digest(files), place["library"])
    return _facts[key]


_facts: dict[tuple[ModelSettings, bool], ModelFacts] = {}


def results(
    settings: ModelSettings,
    rows: Sequence[Any],
    doing: str,
    check: Callable[[Mapping[str, Any]], None] | None = None,
) -> Iterator[tuple[dict[str, Any], dict[int, Any]]]:
    """What the model says of rows, piece by piece: its own facts, and results by the places of the rows.

    Facts come first; `check` may refuse a model by them.
    """
    used = workspace.current()
    done = 0
    for start in range(0, len(rows), PIECE):
        piece = rows[start : start + PIECE]
        question = {"rows": piece, "of": settings.document(), "batch_size": used.batch_size}
        own: dict[str, Any] = {}
        values: dict[int, Any] = {}
        for answer in _answers(settings, question, until="end"):
            own = answer.get("facts", own)
            if "facts" in answer and check is not None:
                check(own)
            for place, value in answer.get("results", ()):
                values[start + place] = value
            used.tell(doing, done + len(values), len(rows))
        done += len(values)
        yield own, values


def stop() -> None:
    """End the worker that is running, if any."""
    while _running:
        _running.pop().program.end()


atexit.register(stop)


def _answers(settings: ModelSettings, question: dict[str, Any], until: str) -> Iterator[dict[str, Any]]:
    """A worker's answers to a question, up to the last one; whatever goes wrong ends the worker."""
    worker = _worker(settings)
    finished = False
    try:
        worker.program.send([json.dumps(question)])
        while not finished:
            line = worker.program.answer(workspace.current().time_limit)
            if line is None:
                raise _death(worker, settings)
            answer = json.loads(line)
            if "error" in answer:
                finished = True  # it goes on to the next question
                raise _error(answer, settings, worker.program.complaint())
            finished = until in answer
            yield answer
    finally:
        if not finished:
            stop()


def _worker(settings: ModelSettings) -> _Worker:
    if not workspace.current().may_run:
        raise unasked_program(
            f"the model {settings.model}" + (f" by {settings.python}" if settings.python else "")
        )
    allow = workspace.current().allow_download
    for worker in _running:
        if worker.python == settings.python and worker.allow_download == allow and worker.program.alive:
            return worker
    stop()
    _running.append(_Worker(settings.python, allow))
    return _running[-1]


def _death(worker: _Worker, settings: ModelSettings) -> ProgramError:
    status = worker.program.status()
    how = (
        f"ended with status {status}" if status is None or status >= 0 else f"was killed by signal {-status}"
    )
    way_out = "where memory ran out, a smaller --batch-size helps"
    return ProgramError(
        f"{settings.model}: the process that runs the model {how}; {way_out}{worker.program.complaint()}"
    )


def _error(answer: dict[str, Any], settings: ModelSettings, complaint: str) -> Exception:
    """What the worker says went wrong, as one of our errors."""
    kind, message = answer["error"], answer["message"]
    if kind == "import":
        reason = "" if answer.get("reason") in (None, message) else f" ({answer['reason']})"
        where = f"{settings.python} has" if settings.python else "this Python has"
        return MissingResourceError(
            f"{settings.model}: {where} no package {message}{reason}: {settings.install}, or name a Python that has "
            "it (python=VENV/bin/python; scripts/make-neural-venv makes one)"
        )
    if kind == "absent":
        return MissingResourceError(message)
    if kind == "value":
        return UsageError(f"{settings.model}: {message}")
    if "out of memory" in message:
        return ProgramError(f"{settings.model}: {message}; take a smaller --batch-size, or another --device")
    return DataError(f"{settings.model}: the model cannot be run: {message}{complaint}")


def _digest(files: Sequence[Path]) -> str:
    """A hash of files, remembered in the store by their sizes and times: weights may be many gigabytes."""
    store = workspace.current().store
    key = key_of("1", *(f"{file}\0{(s := file.stat()).st_size}\0{s.st_mtime_ns}" for file in files))
    known = store.get("model-hash", [key]) if store is not None else {}
    if key in known:
        return known[key].decode("ascii")
    total = hashlib.sha256()
    for file in sorted(files, key=lambda path: path.name):
        with open(file, "rb") as stream:
            total.update(file.name.encode() + b"\0" + hashlib.file_digest(stream, "sha256").digest())
    digest = total.hexdigest()
    if store is not None:
        store.put("model-hash", {key: digest.encode("ascii")})
    return digest
