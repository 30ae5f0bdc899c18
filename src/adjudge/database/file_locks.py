"""Nobody but SQLite opens a database's file, for whoever closes it ends SQLite's locks.

On POSIX a process loses *all* its locks on a file as soon as it closes *any* descriptor of it (fcntl(2)). SQLite knows
of the descriptors that it opened itself and closes them when that is safe; of an `open()` elsewhere it knows nothing.
Without the locks the next program that closes the database takes itself for the last one, and deletes the log that
this one goes on writing its answers to. So it is not left to everybody's care: while a process has a connection,
opening the file (or the two beside it) in any other way is refused, by a hook that Python calls before every `open`.

A process that was forked from one with a connection inherits SQLite's belief to hold locks, and no lock: there, the
file is not opened again. Processes are begun anew (`subprocess`, "spawn").
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from adjudge.database.problems import StoreError

BESIDE = ("", "-wal", "-shm")
_connections: Counter[Path] = Counter()
"""How many connections of this process each file has."""
_inherited: set[Path] = set()
_changing = threading.Lock()
_watching = False


def register_connection(path: Path) -> None:
    """Keep everybody else from a file to which there is a connection now; once for each."""
    global _watching
    with _changing:
        if not _watching:
            sys.addaudithook(_refuse)
            os.register_at_fork(after_in_child=_forked)
            _watching = True
        _connections[path] += 1


def unregister_connection(path: Path) -> None:
    """One of them was closed."""
    with _changing:
        _connections[path] -= 1
        if _connections[path] <= 0:
            del _connections[path]


def check_process(path: Path) -> None:
    """Refuse a file that was open when this process was forked."""
    if path in _inherited:
        raise StoreError(
            f"the database {path} was open when this process was forked, and cannot be used in it: begin processes "
            "anew (spawn)"
        )


def _forked() -> None:
    global _changing
    _changing = threading.Lock()
    _inherited.update(_connections)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not _connections or isinstance(arguments[0], int):
        return
    try:
        opened = os.stat(arguments[0])
    except (OSError, ValueError, TypeError):  # nothing is there yet
        return
    for path in tuple(_connections):
        for beside in BESIDE:
            try:
                kept = os.stat(f"{path}{beside}")
            except OSError:
                continue
            if os.path.samestat(opened, kept):
                raise StoreError(
                    f"{path}{beside} is a database in use, which nothing may open beside it: name another file "
                    "(copies are made by adjudge human backup)"
                )
