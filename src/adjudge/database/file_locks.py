"""Only SQLite may open the file of a database, because closing it anywhere else ends SQLite's locks.

On POSIX a process loses *all* its locks on a file as soon as it closes *any* descriptor of it (fcntl(2)). SQLite knows
of the descriptors that it opened itself and closes them when that is safe, but knows nothing of an `open()` elsewhere.
Without the locks, the next program that closes the database takes itself for the last one and deletes the log to which
this one still writes. So while a process has a connection, opening the file (or the two beside it) in any other way is
refused, by a hook that Python calls before every `open`.

A process that was forked from one with a connection believes that it holds locks, but has none. It must not open the
file again: start processes anew (`subprocess`, "spawn").
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from adjudge.database.problems import StoreError

SUFFIXES = ("", "-wal", "-shm")
"""Of the database and the two files that SQLite keeps beside it."""
_connections: Counter[Path] = Counter()
"""How many connections of this process each file has."""
_inherited: set[Path] = set()
_changing = threading.Lock()
_watching = False


def register_connection(path: Path) -> None:
    """Protect a file to which there is a new connection; call this once for each connection."""
    global _watching
    with _changing:
        if not _watching:
            sys.addaudithook(_refuse)
            os.register_at_fork(after_in_child=_on_fork)
            _watching = True
        _connections[path] += 1


def unregister_connection(path: Path) -> None:
    """Record that a connection was closed."""
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


def check_opener(name: str, process: int) -> None:
    """Refuse a database that another process opened before it was forked into this one."""
    if os.getpid() != process:
        raise StoreError(f"the database {name} was opened before this process was forked: open it anew")


def _on_fork() -> None:
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
        for suffix in SUFFIXES:
            try:
                state = os.stat(f"{path}{suffix}")
            except OSError:
                continue
            if os.path.samestat(opened, state):
                raise StoreError(
                    f"{path}{suffix} is a database in use, which nothing may open beside it: name another file "
                    "(copies are made by adjudge human backup)"
                )
