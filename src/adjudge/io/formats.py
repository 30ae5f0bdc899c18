"""Which format a file has, and who reads it."""

from __future__ import annotations

import importlib
import os
import re
from dataclasses import dataclass
from typing import Protocol, cast

from adjudge.errors import DataError, unknown_name
from adjudge.io.names import suffix
from adjudge.io.table import Table


class Reader(Protocol):
    """What a module of a format offers."""

    def read(self, path: str, data: bytes, language: str | None) -> Table:
        """The content of one file, given its decompressed bytes."""


@dataclass(frozen=True)
class Format:
    """Where a format is read, which suffixes tell it, and what an XML file of it begins with."""

    module: str
    suffixes: tuple[str, ...] = ()
    roots: tuple[bytes, ...] = ()


FORMATS = {
    "text": Format("text"),
    "tsv": Format("tsv", (".tsv",)),
    "csv": Format("csv", (".csv",)),
    "xlsx": Format("xlsx", (".xlsx", ".xlsm")),
    "parquet": Format("parquet", (".parquet", ".pq")),
    "jsonl": Format("jsonl", (".jsonl", ".ndjson", ".json")),
    "xml": Format("wmt", (), (b"dataset",)),
    "sgm": Format("sgm", (".sgm", ".sgml"), (b"mteval", b"srcset", b"refset", b"tstset")),
    "mtme": Format("mtme"),
    "tmx": Format("tmx", (".tmx",), (b"tmx",)),
    "xliff": Format("xliff", (".xlf", ".xliff"), (b"xliff",)),
}
_ROOT = re.compile(rb"<([A-Za-z][\w:.-]*)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_MTME_FOLDERS = ("sources", "references", "system-outputs")


def reader(name: str) -> Reader:
    """The module that reads a format, loaded now."""
    return cast(Reader, importlib.import_module(f"adjudge.io.{FORMATS[name].module}"))


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
