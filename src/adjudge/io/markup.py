"""Untrusted XML: decoded by its declaration, and refused if it declares entities."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from adjudge.errors import DataError
from adjudge.io.files import checked_text, whole_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")
_ENCODING = re.compile(rb"\s*<\?xml\b[^>]*\bencoding\s*=\s*[\"']([A-Za-z][\w.-]*)[\"']")
_NO_ENCODINGS = ("utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined")
"""Encodings that Python decodes, but XML parsers do not: they can produce unpaired surrogates."""
_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decode_xml(path: str, data: bytes) -> str:
    """The text of an XML file without its declaration; UTF-8 unless BOM or declaration say otherwise."""
    declared = _ENCODING.match(data)
    encoding = next((name for bom, name in _BOMS.items() if data.startswith(bom)), None)
    encoding = encoding or (declared[1].decode() if declared else "utf-8")
    try:
        is_utf8 = codecs.lookup(encoding).name in ("utf-8", "ascii")
    except LookupError:
        raise DataError(f"{path} declares the encoding {encoding!r}, which nobody knows; use UTF-8") from None
    if codecs.lookup(encoding).name in _NO_ENCODINGS:
        raise DataError(f"{path} declares the encoding {encoding!r}, which no XML has; use UTF-8")
    if is_utf8:
        text = whole_text(path, data)
    else:
        try:
            text = data.decode(encoding)
        except (UnicodeError, LookupError) as error:  # LookupError: not an encoding of text, such as base64
            raise DataError(f"{path} is not {encoding}, which it declares: {error}") from None
        try:
            checked_text(path, text.encode())
        except UnicodeEncodeError as error:
            raise DataError(f"{path} is not {encoding}, which it declares: {error}") from None
    return _DECLARATION.sub("", text, count=1) if _DECLARATION.match(text) else text


def check_first_element(path: str, text: str) -> tuple[str, dict[str, str]]:
    """Name and attributes of the first element, after a beginning that declares no entities."""
    parser = expat.ParserCreate()
    root: list[tuple[str, dict[str, str]]] = []

    def entity(name: str, *declaration: Any) -> None:
        raise DataError(
            f"{path} declares the entity {name!r}; entities of one's own are not read, for safety"
        )

    def element(name: str, attributes: dict[str, str]) -> None:
        root.append((name, attributes))
        raise StopIteration  # the rest is the business of the reader

    parser.EntityDeclHandler = entity
    parser.StartElementHandler = element
    try:
        parser.Parse(text, True)
    except StopIteration:
        return root[0]
    except expat.ExpatError as error:
        raise not_xml(path, error) from None
    raise not_xml(path, "no element in it")


def parse_xml(path: str, data: bytes) -> Element:
    """The tree of an XML file."""
    from xml.etree import ElementTree

    text = decode_xml(path, data)
    check_first_element(path, text)
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise not_xml(path, error) from None


def not_xml(path: str, error: object) -> DataError:
    """The error with the parser's message, which has line and column."""
    return DataError(f"{path} is not well-formed XML: {error}")
