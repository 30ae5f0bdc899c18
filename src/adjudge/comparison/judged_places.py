"""Which outputs and segments of a test set judgements are about."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.data import TestSet
from adjudge.errors import unknown_name
from adjudge.io.judgements import ONLY_SYSTEM


class JudgedPlaces:
    """Which system and which segment a judgement means."""

    def __init__(self, names: Iterable[str], test_set: TestSet, first: int = 1) -> None:
        self.names = tuple(names)
        self.count = len(test_set)
        self.first = first
        self.ids: dict[str, int] = {}
        self.label = next((n for n in ("segment_id", "seg_id", "segment", "id") if n in test_set.labels), "")
        if self.label:
            self.ids = {text: at for at, text in enumerate(test_set.labels[self.label])}

    def systems(self, name: str) -> tuple[str, ...] | None:
        """The systems of a name; several where outputs were the same (`a+b`), None where one is not there."""
        whole = self._system(name)
        if whole is None and name == ONLY_SYSTEM and len(self.names) == 1:
            return self.names
        if whole is not None and whole.count("+") < name.count("+"):  # one system of several
            whole = None
        parts = [whole] if whole else [self._system(part) for part in name.split("+")]
        known = tuple(part for part in parts if part is not None)
        return known if len(known) == len(parts) else None

    def _system(self, name: str) -> str | None:
        if name in self.names:
            return name
        # WMT's rankings say newstest2013.fr-en.NAME or newstest2016.NAME.ro-en.
        within = [known for known in self.names if f".{known}." in f".{name}."]
        longest = [known for known in within if len(known) == max(map(len, within))]
        return longest[0] if len(longest) == 1 else None

    def unknown_system(self, name: str) -> str:
        """What to say of a system whose outputs are not there."""
        if name == ONLY_SYSTEM:
            return (
                "the judgements name no system, but outputs of several were given "
                f"({', '.join(self.names)}); add a column 'system'"
            )
        error = str(unknown_name("system", name, self.names))
        go_on = " Give" if error.endswith("?") else "; give"
        return (
            f"{error}{go_on} its outputs as NAME=FILE, or leave out such judgements: --skip-unknown-systems"
        )

    def segment(self, text: str) -> int | str:
        """The place of a segment, from 0, or what is wrong with it."""
        if self.ids:
            none = f"no segment of the test set has {text!r} for its label {self.label!r}"
            return self.ids.get(text, none)
        try:
            at = int(text) - self.first
        except ValueError:
            remedy = "ids need labels of the segments (-L) with a column 'segment_id'"
            return f"segment {text!r} is no whole number; {remedy}"
        if not 0 <= at < self.count:
            last = self.first + self.count - 1
            other = "; do they count from 0? --first-segment 0" if at == -1 and self.first == 1 else ""
            return f"segment {text}: the test set has {self.first} to {last}{other}"
        return at
