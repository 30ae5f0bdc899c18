"""What TMX and XLIFF share: the toolkit that parses them, and the plain text between inline codes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from adjudge.errors import DataError, MissingExtraError
from adjudge.io.markup import checked, decoded

# What these enclose is code of the original format, not text (TMX 1.4b and XLIFF 1.2, inline elements).
_CODES = {"bpt", "ept", "it", "ph", "ut"}


def units(path: str, text: str, kind: str, store: str) -> list[Any]:
    """The units of a file as elements, in its order, as translate-toolkit's `store` has them."""
    module, name = store.split(".")
    try:
        parser = getattr(importlib.import_module(f"translate.storage.{module}"), name)
    except ImportError:
        raise MissingExtraError(f"reading {path} ({kind})", "localisation") from None
    try:
        document = parser.parsestring(text.encode())
    except Exception as error:  # whatever the toolkit and libxml2 make of a stranger's file
        why = getattr(error, "msg", None) or str(error) or "not laid out as the standard says"
        raise DataError(f"{path} cannot be read as {kind}: {why}") from None
    if not document.units:
        raise DataError(f"{path} is empty: no segment in it")
    return [unit.xmlelement for unit in document.units]


def opened(path: str, data: bytes, root: str) -> tuple[str, dict[str, str]]:
    """The text of an XML file whose first element is `root`, and that element's attributes."""
    text = decoded(path, data)
    name, attributes = checked(path, text)
    if local(name) != root:
        raise DataError(f"{path} begins with <{name}>, but <{root}> was expected")
    return text, attributes


def plain(path: str, element: Any) -> str:
    """The text of a segment: what inline elements enclose counts, codes of the original format do not."""
    text = "".join(_pieces(path, element))
    if "\0" in text:
        raise DataError(f"{path}, line {element.sourceline}: a NUL character")
    return text


def _pieces(path: str, element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            name = local(child.tag)
            if name == "cp":  # XLIFF 2: a character that XML cannot hold
                yield _character(path, child)
            elif name not in _CODES:
                yield from _pieces(path, child)
        elif type(child).__name__ == "_Entity":
            raise DataError(f"{path}, line {child.sourceline}: the entity {child.text} is not declared")
        yield child.tail or ""


def _character(path: str, element: Any) -> str:
    try:
        character = chr(int(element.get("hex", ""), 16))
        character.encode()
    except (ValueError, OverflowError):  # no number, too large or a surrogate
        raise DataError(
            f"{path}, line {element.sourceline}: no character: <cp hex={element.get('hex')!r}>"
        ) from None
    return character


def local(tag: str) -> str:
    """The name of an element without namespace or prefix."""
    return tag.rpartition("}")[2].rpartition(":")[2]
