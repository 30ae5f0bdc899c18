"""What records are called: by number, label, revision, or how far from the last one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from adjudge.database.problems import check_text
from adjudge.errors import UsageError

LAST = re.compile(r"last(?:~(\d+))?")
NUMBER = re.compile(r"#?(\d+)")
REVISION = re.compile(r"[0-9a-f]{4,40}")
LONGEST = 200


class Named(NamedTuple):
    """What tells a record from others."""

    id: int
    label: str | None
    commit: str | None


def check_label(label: str) -> None:
    """Refuse a label that could not be asked for by it."""
    check_text("the label of a record", label)
    if not label.strip() or len(label) > LONGEST:
        raise UsageError(f"a label of a record has 1 to {LONGEST} characters, not {len(label)}")
    if LAST.fullmatch(label) or NUMBER.fullmatch(label):
        raise UsageError(
            f"{label!r} cannot be the label of a record: numbers and last, last~1, … name records already"
        )


def find(records: Sequence[Named], name: str, place: str) -> int:
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
