"""TMX and XLIFF: translation memories in two or more languages, units with source and target; read as plain text."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, TypeVar

from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.io.documents import language_pair
from adjudge.io.markup import check_first_element, decode_xml
from adjudge.io.table import Column, TextTable, check_single, number_columns

Value = TypeVar("Value")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


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


def open_xml(path: str, data: bytes, root: str) -> tuple[str, dict[str, str]]:
    """The text of an XML file whose first element is `root`, and that element's attributes."""
    text = decode_xml(path, data)
    name, attributes = check_first_element(path, text)
    if local(name) != root:
        raise DataError(f"{path} begins with <{name}>, but <{root}> was expected")
    return text, attributes


def plain(path: str, element: Any) -> str:
    """The text of a segment, with the content of inline elements, but without codes of the original format."""
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


def read_tmx(path: str, data: bytes, language: str | None) -> TextTable:
    """Source and target in the languages asked for, or in the only two; others are available as PATH:LANGUAGE."""
    elements = units(path, open_xml(path, data, "tmx")[0], "TMX", "tmx.tmxfile")
    rows = [_variants(path, number, element) for number, element in enumerate(elements, 1)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns, further = _columns(rows, names)
    source, target = _choose_languages(path, language, names, _source_language(elements[0]))
    complete = columns[source] if source else ()
    if None in complete:
        number = complete.index(None) + 1
        raise DataError(
            f"{path}: unit {number} has no {source!r}, the source; it has {', '.join(rows[number - 1])}"
        )
    if source:
        check_single(path, source, further[source])
    return TextTable(
        path,
        source=complete or None,  # type: ignore[arg-type]  # nothing is missing in it
        references=number_columns(target, columns[target], further[target]) if target else {},
        language=language_pair(source, target),
        columns={**_short(names, columns), **columns},
        further={**_short(names, further), **further},
    )


def _columns(
    rows: list[dict[str, list[str]]], names: list[str]
) -> tuple[dict[str, Column], dict[str, tuple[Column, ...]]]:
    """The first variant of each unit in each language, and further columns of those that have more."""

    def column(name: str, at: int) -> Column:
        return tuple(row[name][at] if at < len(row.get(name, ())) else None for row in rows)

    width = {name: max(len(row.get(name, ())) for row in rows) for name in names}
    further = {name: tuple(column(name, at) for at in range(1, width[name])) for name in names}
    return {name: column(name, 0) for name in names}, further


def _variants(path: str, number: int, unit: Any) -> dict[str, list[str]]:
    variants: dict[str, list[str]] = {}
    for variant in unit.iterchildren("{*}tuv"):
        name = variant.get(_LANGUAGE) or variant.get("lang")
        segment = next(variant.iterchildren("{*}seg"), None)
        if not name or segment is None:
            raise DataError(f"{path}: unit {number} has a <tuv> without language or <seg>")
        variants.setdefault(name, []).append(plain(path, segment))
    return variants


def _source_language(unit: Any) -> str | None:
    header = unit.getroottree().getroot().find("{*}header")
    name = None if header is None else header.get("srclang")
    return None if name == "*all*" else name


def _choose_languages(
    path: str, language: str | None, names: list[str], declared: str | None
) -> tuple[str | None, str | None]:
    """Source and target: as asked for, else as the header says and the only other one."""
    source = _match(declared, names) if declared else None
    if language is None:
        others = [name for name in names if name != source]
        return (source, others[0]) if source and len(others) == 1 else (None, None)
    if target := _match(language, names):
        return (source if source != target else None), target
    parts = language.split("-")  # en-de, but also en-GB-pt-BR
    for at in range(1, len(parts)):
        pair = _match("-".join(parts[:at]), names), _match("-".join(parts[at:]), names)
        if pair[0] and pair[1] and pair[0] != pair[1]:
            return pair
    raise UsageError(
        f"{path} has no {language!r}; it has {', '.join(names)}: say SOURCE-TARGET, such as en-de"
    )


def _match(wanted: str, names: list[str]) -> str | None:
    """The language that was meant: an exact match, or the only one that differs in region or case (de for de-DE)."""
    if wanted in names:
        return wanted
    wanted = wanted.replace("_", "-").lower()
    folded = {name: name.replace("_", "-").lower() for name in names}
    same = [name for name, other in folded.items() if other == wanted]
    close = same or [name for name, other in folded.items() if other.split("-")[0] == wanted]
    return close[0] if len(close) == 1 else None


def _short(names: list[str], columns: dict[str, Value]) -> dict[str, Value]:
    """Languages by their first part where that is unique, so that PATH:de finds de-DE."""
    short = {name.replace("_", "-").split("-")[0].lower() for name in names}
    return {name: columns[full] for name in sorted(short) if (full := _match(name, names))}


def read_xliff(path: str, data: bytes, language: str | None) -> TextTable:
    """Source and target; the target is the reference, or the output where the file is given as a system."""
    text, root = open_xml(path, data, "xliff")
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
    return TextTable(
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
