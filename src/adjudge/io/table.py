"""The content of one file in any format: named columns that are aligned by segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.errors import DataError

Column = tuple[str | None, ...]


@dataclass(frozen=True)
class Input:
    """A file that was read: its role, its path, and the hash of its bytes on disk."""

    role: str  # reference, source, system, test_set or labels
    path: str
    sha256: str


@dataclass(frozen=True)
class TextTable:
    """The content of one file, aligned by segment."""

    path: str
    source: tuple[str, ...] | None = None
    references: Mapping[str, Column] = field(default_factory=dict)
    outputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    language: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """All that PATH:COLUMN may name beyond the above: headers as written in the file, languages."""
    further: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    """More references under the name of one column, where a segment has several translations in it (TMX)."""
    keys: tuple[str, ...] | None = None
    """Which segment each is (document and number) where the file says so; two files must then agree."""
    inputs: tuple[Input, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes about what was left out on purpose."""

    def __len__(self) -> int:
        columns = dict(self.named())
        return len(next(iter(columns.values()))) if columns else 0

    def texts(self) -> dict[str, Column]:
        """Source, references and outputs by name: the columns that are text and not labels."""
        source = {} if self.source is None else {"source": self.source}
        return {**source, **self.references, **self.outputs}

    def named(self) -> Iterator[tuple[str, Column]]:
        """Every column by every name it has; the first one of a name counts."""
        yield from self.columns.items()
        if self.source is not None:
            yield "source", self.source
            yield "src", self.source
        yield from self.references.items()
        yield from self.outputs.items()
        yield from self.labels.items()


def number_columns(name: str, first: Column, further: Sequence[Column]) -> dict[str, Column]:
    """A column and further ones by numbered names: de, de.2, de.3."""
    return {name: first, **{f"{name}.{at}": column for at, column in enumerate(further, 2)}}


def check_single(path: str, name: str, further: Sequence[Column]) -> None:
    """Refuse a column in which a segment has several translations, where only one can be meant."""
    if further:
        number = next(at for at, text in enumerate(further[0], 1) if text is not None)
        raise DataError(f"{path}: unit {number} has two variants in {name!r}; only references may be several")
