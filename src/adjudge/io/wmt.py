"""XML of the WMT shared tasks since 2021: documents with source, references and hypotheses in one file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudge.errors import DataError
from adjudge.io.documents import Documents, language_pair, reference_name
from adjudge.io.markup import parsed
from adjudge.io.names import stem
from adjudge.io.table import Table

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_KINDS = {"src": "source", "ref": "reference", "hyp": "output"}


def read(path: str, data: bytes, language: str | None) -> Table:
    """Segments as they stand, by document and number; `supplemental` parts are no segments and stay out."""
    root = parsed(path, data)
    if root.tag != "dataset":
        raise DataError(f"{path} begins with <{root.tag}>, but <dataset> was expected")
    documents = Documents(path)
    source = target = None
    for at, (collection, doc) in enumerate(_documents(root), 1):
        name = doc.get("id") or str(at)
        if name in documents.labels:
            raise DataError(f"{path}: two documents are called {name!r}")
        labels = {
            "domain": doc.get("domain"),
            "origin": doc.get("origlang"),
            "testsuite": doc.get("testsuite"),
        }
        documents.document(name, {**labels, "collection": collection})
        for part in doc:
            if part.tag not in _KINDS:
                continue
            kind = _KINDS[part.tag]
            if kind == "source":
                source = source or part.get("lang")
            else:
                target = target or part.get("lang")
            for segment in part.iter("seg"):
                text = "".join(segment.itertext())
                documents.add(kind, _whose(kind, part, path), name, segment.get("id"), text)
    return documents.table(language or language_pair(source, target))


def _documents(root: Element) -> Iterator[tuple[str | None, Element]]:
    """Documents with the collection they lie in, if any (test sets since 2022)."""
    for child in root:
        if child.tag == "doc":
            yield None, child
        elif child.tag == "collection":
            yield from ((child.get("id"), doc) for doc in child.iter("doc"))


def _whose(kind: str, part: Element, path: str) -> str:
    if kind == "source":
        return ""
    return reference_name(part.get("translator")) if kind == "reference" else part.get("system") or stem(path)
