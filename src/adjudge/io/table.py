"""What one file holds, whatever its format: named columns that are aligned by segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Column = tuple[str | None, ...]


@dataclass(frozen=True)
class Input:
    """A file that was read: what for, which one, and the hash of its bytes as they lie on the disk."""

    role: str  # reference, source, system, test_set or labels
    path: str
    sha256: str


@dataclass(frozen=True)
class Table:
    """What one file holds, aligned by segment."""

    path: str
    source: tuple[str, ...] | None = None
    references: Mapping[str, Column] = field(default_factory=dict)
    outputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    language: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """All that PATH:COLUMN may name beyond the above: headers as written in the file, languages."""
    keys: tuple[str, ...] | None = None
    """Which segment each is (document and number) where the file says so; two files must then agree."""
    inputs: tuple[Input, ...] = ()
    notes: tuple[str, ...] = ()
    """What was left out on purpose, for the user to know."""

    def __len__(self) -> int:
        columns = dict(self.named())
        return len(next(iter(columns.values()))) if columns else 0

    def texts(self) -> dict[str, Column]:
        """Source, references and outputs by name: the columns that are text and not labels."""
        source = {} if self.source is None else {"source": self.source}
        return {**source, **self.references, **self.outputs}

    def named(self) -> Iterator[tuple[str, Column]]:
        """Every column by every name it can be asked for; the first of a name is meant."""
        yield from self.columns.items()
        if self.source is not None:
            yield "source", self.source
            yield "src", self.source
        yield from self.references.items()
        yield from self.outputs.items()
        yield from self.labels.items()
