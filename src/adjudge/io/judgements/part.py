"""What one file gave."""

from __future__ import annotations

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
