"""What one file holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from adjudge.data.judgements import Judgements


@dataclass(frozen=True, eq=False)
class FileContent:
    """Judgements of one file, and what the user should know of how they were read."""

    judgements: Judgements
    warnings: tuple[str, ...] = ()
    format: str = ""
    """The format that it turned out to have, where that is another one than it was taken for."""

    def warned(self, *warnings: str) -> FileContent:
        """The same with more to know."""
        return replace(self, warnings=(*self.warnings, *warnings))
