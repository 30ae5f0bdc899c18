"""Where a history is, what its records are called, and the revision of its project."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from adjudge.database.files import check_named, is_address
from adjudge.database.problems import check_text
from adjudge.errors import DataError, UsageError

LAST = re.compile(r"last(?:~(\d+))?")
NUMBER = re.compile(r"#?(\d+)")
REVISION = re.compile(r"[0-9a-f]{4,40}")
LONGEST = 200


class RecordName(NamedTuple):
    """What identifies a record."""

    id: int
    label: str | None
    commit: str | None


def check_label(label: str) -> None:
    """Refuse a label that could not be used to find the record."""
    check_text("the label of a record", label)
    if not label.strip() or len(label) > LONGEST:
        raise UsageError(f"a label of a record has 1 to {LONGEST} characters, not {len(label)}")
    if LAST.fullmatch(label) or NUMBER.fullmatch(label):
        raise UsageError(
            f"{label!r} cannot be the label of a record: numbers and last, last~1, … name records already"
        )


def find_record(records: Sequence[RecordName], name: str, place: str) -> int:
    """The number of the record of that name; of several with the same label or revision, the newest."""
    if not records:
        raise UsageError(f"{place} holds no records yet: adjudge score … --record")
    if match := LAST.fullmatch(name):
        back = int(match[1] or 0)
        if back >= len(records):
            raise UsageError(f"{name}: {place} holds only {len(records):,} records")
        return records[-1 - back].id
    by_label = [record.id for record in records if record.label == name]
    if by_label:
        return by_label[-1]
    if match := NUMBER.fullmatch(name):
        if int(match[1]) in (numbers := {record.id for record in records}):
            return int(match[1])
        if name.startswith("#") or not REVISION.fullmatch(name):
            raise UsageError(
                f"there is no record {match[1]} in {place}: numbers go from {min(numbers)} to {max(numbers)}"
            )
    commit = name.removesuffix("+").lower()
    if REVISION.fullmatch(commit):
        by_commit = [r for r in records if r.commit is not None and r.commit.startswith(commit)]
        if len({record.commit for record in by_commit}) > 1:
            raise UsageError(f"{name}: more than one revision in {place} begins so; give more of it")
        if by_commit:
            return by_commit[-1].id
    raise UsageError(
        f"there is no record {name!r} in {place}: give its number, label or revision, or last, last~1, … "
        "(adjudge history list)"
    )


FOLDER, FILE = ".adjudge", "history.db"
SECONDS = 10
"""Time limit for git, in seconds."""


def default_place() -> str:
    """A file in the folder of the project that the working directory is in.

    That is the nearest folder upwards with a history, else the one that git knows, else the working directory.
    """
    here = Path.cwd()
    for marker in (f"{FOLDER}/{FILE}", ".git"):
        for folder in (here, *here.parents):
            if (folder / marker).exists():
                return str(folder / FOLDER / FILE)
    return str(here / FOLDER / FILE)


def make_folder(place: str) -> None:
    """Create the usual folder if it is missing, and make git ignore it; no other folder is created."""
    folder = Path(place).parent
    if is_address(place) or folder.name != FOLDER or folder.exists():
        return
    try:
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
    except OSError as error:
        raise DataError(f"the history {place} cannot be made: {folder}: {error.strerror}") from None


def is_free(place: str) -> bool:
    """Whether a new file can be created at this place."""
    check_named(place)
    path = Path(place)
    folder = path.parent
    if folder.name == FOLDER and not folder.exists():
        folder = folder.parent
    return (
        not (is_address(place) or path.exists()) and folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    )


@dataclass(frozen=True)
class Revision:
    """The state of a project in git; None for what is unknown."""

    commit: str | None = None
    branch: str | None = None
    changed: bool | None = None
    """Whether tracked files were changed since that commit."""


def revision_of(folder: str | Path = ".") -> Revision:
    """The revision of the project in a folder; nothing where there is no git, or no commit yet."""
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "HEAD")
    if not commit:
        return Revision()
    branch = _git(folder, "symbolic-ref", "--quiet", "--short", "HEAD")
    state = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return Revision(commit, branch or None, None if state is None else bool(state))


def _git(folder: str | Path, *arguments: str) -> str | None:
    import subprocess  # late: a list of records starts no process

    # The repository is not trusted: nothing that its configuration names is started.
    command = ["git", "-c", "core.fsmonitor=false", "--no-optional-locks", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
