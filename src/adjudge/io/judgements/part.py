"""What one file gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.data.judgements import Judgements


@dataclass(frozen=True, eq=False)
class Part:
    """Judgements of one file, and what the user should know of how they were read."""

    judgements: Judgements
    warnings: tuple[str, ...] = ()

    def warned(self, *warnings: str) -> Part:
        """The same with more to know."""
        return replace(self, warnings=(*self.warnings, *warnings))


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 judgement, 2,000 judgements."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Some names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
