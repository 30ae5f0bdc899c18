"""XLIFF 1.2 and 2.0: a unit (1.2) or segment (2.0) a segment, with source and target."""

from __future__ import annotations

from typing import Any

from adjudge.errors import DataError
from adjudge.io.documents import language_pair
from adjudge.io.localisation import local, opened, plain, units
from adjudge.io.table import Column, Table


def read(path: str, data: bytes, language: str | None) -> Table:
    """Source and target; the target is the reference, or the output where the file is given as a system."""
    text, root = opened(path, data, "xliff")
    second = (root.get("version") or root.get("xmlns", "").rpartition(":")[2]).startswith("2")
    elements = units(path, text, "XLIFF", "xliff2.Xliff2File" if second else "xliff.xlifffile")
    texts = [_texts(path, element) for element in elements]
    for element, (source, _) in zip(elements, texts, strict=True):
        if source is None:
            raise DataError(
                f"{path}, line {element.sourceline}: unit {element.get('id', '')!r} has no source"
            )
    sources: Column = tuple(source for source, _ in texts)
    targets: Column = tuple(target for _, target in texts)
    of_source, of_target = _languages(elements[0])
    documents = [_document(element) for element in elements]
    return Table(
        path,
        source=sources,  # type: ignore[arg-type]  # checked above
        references={"target": targets} if any(target is not None for target in targets) else {},
        labels={"document": tuple(documents)} if any(documents) else {},
        language=language or language_pair(of_source, of_target),
        columns={
            name: column for name, column in ((of_source, sources), (of_target, targets)) if name is not None
        },
    )


def _texts(path: str, unit: Any) -> tuple[str | None, str | None]:
    """Source and target of a unit; those of suggestions (alt-trans) lie deeper and are not meant."""
    texts: dict[str, str] = {}
    for child in unit:
        if isinstance(child.tag, str) and (name := local(child.tag)) in ("source", "target"):
            texts.setdefault(name, plain(path, child))
    return texts.get("source"), texts.get("target")


def _languages(unit: Any) -> tuple[str | None, str | None]:
    for element in (unit, *unit.iterancestors()):
        for names in (("source-language", "target-language"), ("srcLang", "trgLang")):
            if element.get(names[0]):
                return element.get(names[0]), element.get(names[1])
    return None, None


def _document(unit: Any) -> str:
    file = next((element for element in unit.iterancestors() if local(element.tag) == "file"), None)
    return "" if file is None else file.get("original") or file.get("id") or ""
