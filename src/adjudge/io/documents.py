"""Documents of numbered segments, as WMT XML and SGM have them, aligned by document and number."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.data import languages
from adjudge.errors import DataError
from adjudge.io.table import TextTable
from adjudge.wording import pluralise

Key = tuple[str, str]


class Documents:
    """Collects segments by kind (source, reference, output), name and place; then aligns them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.columns: dict[tuple[str, str], dict[Key, str]] = {}
        self.counts: dict[tuple[str, str, str], int] = {}
        self.labels: dict[str, Mapping[str, str]] = {}

    def document(self, name: str, labels: Mapping[str, str | None]) -> None:
        """Note the labels of a document; the first value of a label counts."""
        known = {label: value for label, value in labels.items() if value is not None}
        self.labels[name] = {**known, **self.labels.get(name, {}), "document": name}

    def add(self, kind: str, name: str, document: str, number: str | None, text: str) -> None:
        """Note a segment; one without a number is the next of its document."""
        column = self.columns.setdefault((kind, name), {})
        at = (kind, name, document)
        self.counts[at] = self.counts.get(at, 0) + 1
        number = number or str(self.counts[at])
        if (document, number) in column:
            title = _title(kind, name)
            raise DataError(
                f"{self.path}: segment {number} of document {document!r} is there twice in {title}"
            )
        column[document, number] = text

    def table(self, language: str) -> TextTable:
        """All segments, in the order of the source, or of the first column if there is no source."""
        if not self.columns:
            raise DataError(f"{self.path} is empty: no segment in it")
        lead = next((at for at in self.columns if at[0] == "source"), next(iter(self.columns)))
        keys = list(self.columns[lead])
        for (kind, name), column in self.columns.items():
            self._check_same_segments(kind, name, column, lead)
        by_kind: dict[str, dict[str, tuple[str | None, ...]]] = {"source": {}, "reference": {}, "output": {}}
        for (kind, name), column in self.columns.items():
            by_kind[kind][name] = tuple(map(column.get, keys))
        documents = [self.labels.get(document, {"document": document}) for document, _ in keys]
        names = dict.fromkeys(name for labels in self.labels.values() for name in labels)
        return TextTable(
            self.path,
            source=next(iter(by_kind["source"].values()), None),  # type: ignore[arg-type]  # complete: it leads
            references=by_kind["reference"],
            outputs=by_kind["output"],  # type: ignore[arg-type]  # complete: checked above
            labels={name: tuple(labels.get(name, "") for labels in documents) for name in names},
            language=language,
            keys=tuple(f"{document}:{number}" for document, number in keys),
        )

    def _check_same_segments(
        self, kind: str, name: str, column: dict[Key, str], lead: tuple[str, str]
    ) -> None:
        """Only a reference may lack segments; nothing may have more than the source."""
        expected = self.columns[lead]
        missing = [] if kind == "reference" else [key for key in expected if key not in column]
        for key, has, lacks in [
            *((key, lead, (kind, name)) for key in missing[:1]),
            *((key, (kind, name), lead) for key in column if key not in expected),
        ]:
            raise DataError(
                f"{self.path}: segment {key[1]} of document {key[0]!r} is in {_title(*has)} "
                f"({pluralise(len(self.columns[has]), 'segment')}), but not in {_title(*lacks)} "
                f"({pluralise(len(self.columns[lacks]), 'segment')})"
            )


def reference_name(translator: str | None) -> str:
    """The name of a reference by its translator: A is refA, as in the tables of the shared tasks."""
    if not translator:
        return "ref"
    return translator if translator.lower().startswith("ref") else f"ref{translator}"


def language_pair(source: str | None, target: str | None) -> str:
    """The language pair (en-de, en-GB-de-DE), the target alone, or "" if unknown; old files write `any` for unknown."""
    tags = [languages.tag(name) if name and name != "any" else "" for name in (source, target)]
    return "-".join(filter(None, tags)) if tags[1] else ""


def _title(kind: str, name: str) -> str:
    return kind if kind == "source" else f"{kind} {name}"
