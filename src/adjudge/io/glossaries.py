"""Glossaries of terms and their translations, from tables (TSV, CSV) and TBX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.data import languages
from adjudge.errors import DataError, UsageError
from adjudge.io.files import lines, read_bytes
from adjudge.io.markup import parse_xml
from adjudge.io.sheet import separator_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BETWEEN = "|"
"""Between several translations of a term in one cell."""
HEADS = ("source", "src", "term", "from")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass(frozen=True)
class Term:
    """A source term and its accepted translations."""

    source: str
    targets: tuple[str, ...]


def read_glossary(path: str, language: str) -> list[Term]:
    """The terms of a file, with duplicates merged; `language` is the pair, for TBX."""
    data, _ = read_bytes(path)
    pairs = (
        _of_tbx(path, data, language)
        if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")
        else _of_table(path, data)
    )
    together: dict[str, dict[str, None]] = {}
    for source, targets in pairs:
        together.setdefault(source, {}).update(dict.fromkeys(targets))
    terms = [Term(source, tuple(targets)) for source, targets in together.items() if targets]
    if not terms:
        raise DataError(f"{path} has no term with a translation")
    return terms


def _of_table(path: str, data: bytes) -> list[tuple[str, list[str]]]:
    rows = lines(path, data)
    separator = separator_of(rows[0], path) if "\t" not in rows[0] else "\t"
    pairs = []
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        cells = [cell.strip() for cell in row.split(separator)]
        if len(cells) < 2 or not cells[0]:
            raise DataError(
                f"{path}, line {number}: a term and its translation were expected, with a tab between them "
                f"(several translations: a {BETWEEN} b)"
            )
        if number == 1 and (cells[0].lower() in HEADS or all(map(languages.is_code, cells[:2]))):
            continue
        pairs.append((cells[0], [target.strip() for target in cells[1].split(BETWEEN) if target.strip()]))
    return pairs


def _of_tbx(path: str, data: bytes, language: str) -> list[tuple[str, list[str]]]:
    """Entries of TBX, of the versions with termEntry, langSet and of those with conceptEntry, langSec."""
    if not language:
        raise UsageError(f"{path} has several languages: say the pair, as in -l en-de")
    source, target = languages.pair(language)
    if not source:
        raise UsageError(f"{path}: both languages must be known, as in -l en-{target}")
    pairs = []
    for entry in parse_xml(path, data).iter():
        if _name(entry) not in ("termEntry", "conceptEntry"):
            continue
        by_language: dict[str, list[str]] = {}
        for part in entry.iter():
            if _name(part) in ("langSet", "langSec"):
                tag = part.get(_LANGUAGE) or part.get("lang") or ""
                terms = ["".join(term.itertext()).strip() for term in part.iter() if _name(term) == "term"]
                by_language.setdefault(tag.replace("_", "-").split("-")[0].lower(), []).extend(
                    filter(None, terms)
                )
        pairs += [(term, by_language.get(target, [])) for term in by_language.get(source, [])]
    if not pairs:
        raise DataError(f"{path} has no entries in {languages.name(source).title()}; is -l {language} right?")
    return pairs


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]
