"""Which format a file has, and who reads it."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from adjudge.errors import DataError, unknown_name
from adjudge.io.files import lines
from adjudge.io.names import stem, suffix
from adjudge.io.table import TextTable

Reader = Callable[[str, bytes, str | None], TextTable]
"""Makes the content of one file from its path, its decompressed bytes and its language."""


class Format(NamedTuple):
    """Which function reads a format, which suffixes tell it, and what an XML file of it begins with."""

    function: str
    """Its module below `adjudge.io` and its name."""
    suffixes: tuple[str, ...] = ()
    roots: tuple[bytes, ...] = ()


FORMATS = {
    "text": Format("formats.read_text"),
    "tsv": Format("tabular.read_tsv", (".tsv",)),
    "csv": Format("tabular.read_csv", (".csv",)),
    "xlsx": Format("tabular.read_excel", (".xlsx", ".xlsm")),
    "parquet": Format("tabular.read_parquet", (".parquet", ".pq")),
    "jsonl": Format("jsonl.read", (".jsonl", ".ndjson", ".json")),
    "xml": Format("wmt.read_xml", (), (b"dataset",)),
    "sgm": Format("wmt.read_sgm", (".sgm", ".sgml"), (b"mteval", b"srcset", b"refset", b"tstset")),
    "mtme": Format("mtme.read"),
    "tmx": Format("localisation.read_tmx", (".tmx",), (b"tmx",)),
    "xliff": Format("localisation.read_xliff", (".xlf", ".xliff"), (b"xliff",)),
}
_ROOT = re.compile(rb"<([A-Za-z][\w:.-]*)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_MTME_FOLDERS = ("sources", "references", "system-outputs")


def reader(name: str) -> Reader:
    """The function that reads a format; its module is loaded now."""
    module, _, function = FORMATS[name].function.partition(".")
    return cast(Reader, getattr(importlib.import_module(f"adjudge.io.{module}"), function))


def read_text(path: str, data: bytes, language: str | None) -> TextTable:
    """Plain text, one segment per line: a column that serves as whatever the file was given as, by itself an output."""
    return TextTable(path, outputs={stem(path): tuple(lines(path, data))}, language=language or "")


def check_format(name: str) -> str:
    """The name itself if there is such a format."""
    if name not in FORMATS:
        raise unknown_name("input format", name, FORMATS)
    return name


def detect(path: str, data: bytes) -> str:
    """The format of a file: its suffix tells, for .xml the first element."""
    extension = suffix(path)
    if extension == ".xml":
        if not data:
            raise DataError(f"{path} is empty: no segment in it")
        root = _ROOT.search(_COMMENT.sub(b"", _head(data)))
        root_name = root[1].lower() if root else b""
        for name, form in FORMATS.items():
            if root_name in form.roots:
                return name
        raise DataError(
            f"{path} begins with <{root_name.decode(errors='replace')}>; expected was one of "
            + ", ".join(f"<{root.decode()}>" for form in FORMATS.values() for root in form.roots)
        )
    return next((name for name, form in FORMATS.items() if extension in form.suffixes), "text")


def _head(data: bytes) -> bytes:
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data[:65536].decode("utf-16", "ignore").encode() if utf16 else data[:65536]


def is_mtme(path: str) -> bool:
    """Whether a folder is laid out as mt-metrics-eval has it."""
    return any(os.path.isdir(os.path.join(path, name)) for name in _MTME_FOLDERS)
