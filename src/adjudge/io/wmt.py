"""Files of the WMT shared tasks: XML since 2021, SGM until 2020 (and NIST's mteval XML).

Most SGM files are no XML (bare ampersands, attributes there twice, DOC closed by doc), so they are read by their tags
alone, in upper or lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudge.errors import DataError
from adjudge.io.documents import Documents, language_pair, reference_name
from adjudge.io.files import whole_text
from adjudge.io.markup import parse_xml
from adjudge.io.names import stem
from adjudge.io.table import TextTable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/]+))")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BREAK = re.compile(r"[ \t]*\n[ \t]*")
_SETS = {"srcset": "source", "refset": "reference", "tstset": "output"}
_KINDS = {"src": "source", "ref": "reference", "hyp": "output"}


def read_xml(path: str, data: bytes, language: str | None) -> TextTable:
    """Segments by document and number; `supplemental` parts are left out."""
    root = parse_xml(path, data)
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
                documents.add(kind, _name_of_part(kind, part, path), name, segment.get("id"), text)
    return documents.table(language or language_pair(source, target))


def _documents(root: Element) -> Iterator[tuple[str | None, Element]]:
    """Documents with their collection, if any (test sets since 2022)."""
    for child in root:
        if child.tag == "doc":
            yield None, child
        elif child.tag == "collection":
            yield from ((child.get("id"), doc) for doc in child.iter("doc"))


def _name_of_part(kind: str, part: Element, path: str) -> str:
    if kind == "source":
        return ""
    return reference_name(part.get("translator")) if kind == "reference" else part.get("system") or stem(path)


def read_sgm(path: str, data: bytes, language: str | None) -> TextTable:
    """All sets of a file; white space around segments and line breaks within them are layout."""
    text = whole_text(path, data)
    documents = Documents(path)
    kind = name_of_set = document = ""
    of_set: dict[str, str] = {}
    of_document: dict[str, str] = {}
    source = target = None
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if opened and not (closing and name == "seg"):
            raise DataError(f"{path}, line {_line(text, opened)}: this <seg> is not closed before {tag[0]}")
        if name in _SETS:
            kind = "" if closing else _SETS[name]
            of_set = {} if closing else _attributes(tag[3])
            source, target = source or of_set.get("srclang"), target or of_set.get("trglang")
        elif name == "doc":
            of_document = {} if closing else _attributes(tag[3])
            document = of_document.get("docid", "")
            if not closing:
                labels = {"domain": of_document.get("genre"), "origin": of_document.get("origlang")}
                documents.document(document, labels)
        elif not closing:
            if not kind:
                raise DataError(
                    f"{path}, line {_line(text, tag)}: a <seg> outside of srcset, refset and tstset"
                )
            opened = tag
        elif opened:
            name_of_set = _owner(kind, of_set, of_document, path)
            number = _attributes(opened[3]).get("id")
            documents.add(kind, name_of_set, document, number, _plain(text[opened.end() : tag.start()]))
            opened = None
        else:
            raise DataError(f"{path}, line {_line(text, tag)}: </seg> without <seg>")
    if opened:
        raise DataError(
            f"{path}, line {_line(text, opened)}: this <seg> is never closed; is the file truncated?"
        )
    if kind:
        raise DataError(f"{path}: the end of the {kind} set is missing; is the file truncated?")
    return documents.table(language or language_pair(source, target))


def _owner(kind: str, of_set: dict[str, str], of_document: dict[str, str], path: str) -> str:
    if kind == "source":
        return ""
    name = of_set.get("refid") or of_set.get("sysid") or of_document.get("sysid")
    return reference_name(name) if kind == "reference" else name or stem(path)


def _attributes(text: str) -> dict[str, str]:
    """The attributes of a tag; of duplicates (real files have two sysid) the first counts."""
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        attributes.setdefault(match[1].lower(), _unescape(match[2] or match[3] or match[4] or ""))
    return attributes


def _plain(text: str) -> str:
    return _unescape(_BREAK.sub(" ", text.strip(" \t\n")))


def _unescape(text: str) -> str:
    """The text with entities decoded once; other ampersands stay."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16)
    legal = 0 < code < 0xD800 or 0xDFFF < code < 0x110000
    return chr(code) if legal else match[0]


def _line(text: str, tag: re.Match[str]) -> int:
    return text.count("\n", 0, tag.start()) + 1
