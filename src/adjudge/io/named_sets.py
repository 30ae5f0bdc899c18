"""Test sets by name, `sacrebleu:wmt24`: sacreBLEU's catalogue, downloads and readers, over archives that are verified.

Texts are made anew from the archives each time, in a folder of our own. Those in sacreBLEU's cache may have been
changed, or another process may be writing them just now, and a cache that several people share may be read-only.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import logging
import os
import shutil
import socket
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adjudge import workspace
from adjudge.data.label_names import SYNONYMS
from adjudge.errors import DataError, MissingExtraError, UsageError, unknown_name
from adjudge.io.documents import reference_name
from adjudge.io.names import NAMED_SET
from adjudge.io.table import Input, TextTable

PATIENCE = 60.0
"""Timeout of a download, in seconds."""
_LABELS = {name: word for word, names in SYNONYMS.items() for name in names}


@dataclass(frozen=True)
class SetFields:
    """One language pair of a test set, with fields as sacreBLEU calls them: src, ref, ref:A, docid, origlang, …"""

    name: str
    pair: str
    fields: Mapping[str, tuple[str, ...]]
    references: tuple[str, ...]
    """The fields that sacreBLEU uses as references; a set may have more."""
    notes: tuple[str, ...] = ()

    def sha256(self) -> str:
        """A hash of all the texts, wherever they came from."""
        digest = hashlib.sha256()
        for name, column in sorted(self.fields.items()):
            digest.update("\n".join([name, *column, ""]).encode())
        return digest.hexdigest()


def read(path: str, language: str | None) -> TextTable:
    """The test set that `sacrebleu:NAME` means, in a language pair."""
    content = set_fields(path.removeprefix(NAMED_SET), language)
    path = f"{NAMED_SET}{content.name}:{content.pair}"
    references = {name: column for name, column in content.fields.items() if _is_reference(name)}
    labels = {_LABELS[name]: column for name, column in content.fields.items() if name in _LABELS}
    known = {"src", *references, *(name for name in content.fields if name in _LABELS)}
    return TextTable(
        path,
        source=content.fields["src"],
        references={_reference(name): references[name] for name in content.references},
        outputs={name: column for name, column in content.fields.items() if name not in known},
        labels={name: column for name, column in labels.items() if any(column)},
        language=content.pair,
        columns={**references, **{_reference(name): column for name, column in references.items()}},
        inputs=(Input("test_set", path, content.sha256()),),
        notes=content.notes,
    )


def sha256_of(path: str) -> str | None:
    """The hash of the texts of `sacrebleu:NAME:PAIR`; None if they are not available."""
    name, _, pair = path.removeprefix(NAMED_SET).partition(":")
    try:
        return set_fields(name, pair or None).sha256()
    except (DataError, UsageError):
        return None


def _is_reference(field: str) -> bool:
    return field == "ref" or field.startswith("ref:")


def _reference(field: str) -> str:
    """A reference as WMT's files name it: refA for sacreBLEU's ref:A and ref:refA."""
    return reference_name(field.partition(":")[2] or None)


def catalogue() -> Mapping[str, Any]:
    """The test sets that sacreBLEU knows, by name."""
    try:
        module = importlib.import_module("sacrebleu.dataset")
        known: Mapping[str, Any] = vars(module)["DATASETS"]
    except (ImportError, KeyError):  # KeyError: another package of that name
        raise MissingExtraError("a test set by name", "testsets") from None
    return known


def hint(name: str) -> str:
    """A hint for a name that is no file, but a test set of the catalogue."""
    try:
        return f"; sacreBLEU's test set of that name is {NAMED_SET}{name}" if name in catalogue() else ""
    except MissingExtraError:
        return ""


def find_dataset(name: str) -> Any:
    """The entry of a test set in sacreBLEU's catalogue."""
    known = catalogue()
    if name not in known:
        raise unknown_name("test set", name, known, "adjudge sacrebleu --list")
    return known[name]


def set_fields(name: str, language: str | None) -> SetFields:
    """All fields of a test set in a language pair; a missing set is downloaded."""
    dataset = find_dataset(name)
    pair = _pair(dataset, language)
    cached = _cached_texts(dataset, pair)
    if cached is not None:
        return cached
    return _extracted_fields(dataset, pair, tuple(verified_archives(dataset, pair)))


def _pair(dataset: Any, language: str | None) -> str:
    pairs = list(dataset.langpairs)
    if language is None and len(pairs) == 1:
        return str(pairs[0])
    if language is None:
        raise UsageError(
            f"{NAMED_SET}{dataset.name} has several language pairs, say which one with -l: {', '.join(sorted(pairs))}"
        )
    if language not in dataset.langpairs:
        raise unknown_name("language pair", language, pairs, f"in {NAMED_SET}{dataset.name}")
    return language


def verified_archives(dataset: Any, pair: str = "") -> list[str]:
    """The files of a test set in sacreBLEU's cache, downloaded where they are missing, with the right checksums."""
    places = _archives(dataset)
    before = [place for place in places if _is_there(place)]
    if len(before) < len(places):
        _download(dataset, pair, set(places) - set(before))
    for place, checksum in places.items():
        now = _md5(place)
        if checksum and now != checksum:
            raise DataError(
                f"{place}: MD5 {now}, but sacreBLEU's catalogue has {checksum} for it: it is damaged, or another file; "
                "delete it, and it is downloaded again"
            )
    return list(places)


def _archives(dataset: Any) -> dict[str, str | None]:
    """Where the cache has the files of a test set, and what their checksums should be."""
    checksums = dataset.md5 or [None] * len(dataset.data)
    places = (os.path.join(dataset._rawdir, dataset._get_tarball_filename(url)) for url in dataset.data)
    return dict(zip(places, checksums, strict=True))


def _is_there(place: str) -> bool:
    return os.path.isfile(place) and os.path.getsize(place) > 0


def _md5(place: str) -> str:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _download(dataset: Any, pair: str, missing: set[str]) -> None:
    """Let sacreBLEU download missing files; files of a failed download are deleted."""
    workspace.current().tell(f"downloading {dataset.name}", 0, 1)
    reason = ""
    try:
        with _patience(), _quiet():
            dataset.maybe_download()
    except SystemExit:
        reason = "what came has another checksum than sacreBLEU's catalogue"
    except Exception as error:  # whatever a network, a disk or an archive can do
        reason = f"{type(error).__name__}: {error}"
    if reason:
        for place in missing:
            Path(place).unlink(missing_ok=True)
        raise DataError(
            f"{NAMED_SET}{dataset.name} is not on this machine, and {', '.join(dataset.data)} cannot be fetched "
            f"({reason}); where there is a network: sacrebleu --download {dataset.name} -l {pair or 'SOURCE-TARGET'}, "
            f"and copy what that makes to {dataset._outdir} (SACREBLEU in the environment names another place for all "
            "test sets)"
        )
    workspace.current().tell(f"downloading {dataset.name}", 1, 1)


@contextmanager
def _patience() -> Iterator[None]:
    """Set a timeout for servers, which have none by default."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep sacreBLEU's log messages off the screen, since our error repeats them."""
    logger, handler = logging.getLogger("sacrebleu"), logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _cached_texts(dataset: Any, pair: str) -> SetFields | None:
    """Texts that sacreBLEU extracted earlier, if their archive is gone; None if it is there."""
    if any(map(_is_there, _archives(dataset))) or _is_wmt_xml(dataset):
        return None
    places = {field: dataset._get_txt_file_path(pair, field) for field in dataset.fieldnames(pair)}
    if not all(map(_is_there, places.values())):
        return None
    note = (
        f"{NAMED_SET}{dataset.name}: {dataset._outdir} has its texts without the archive, so no checksum could be "
        "verified"
    )
    references = [field for field in places if _is_reference(field)]
    return _fields(dataset, pair, places, references, (note,))


def _is_wmt_xml(dataset: Any) -> bool:
    """Whether a set is one XML file, which must be read to know its fields."""
    return type(dataset).__name__ == "WMTXMLDataset"


def field_names(name: str, pair: str) -> list[str]:
    """The names of the fields of a test set; most sets need not be downloaded for that."""
    dataset = find_dataset(name)
    return (
        list(set_fields(name, pair).fields)
        if _is_wmt_xml(dataset)
        else list(dataset.fieldnames(_pair(dataset, pair)))
    )


@lru_cache(maxsize=4)
def _extracted_fields(dataset: Any, pair: str, archives: tuple[str, ...]) -> SetFields:
    """The fields as sacreBLEU reads them from the archives."""
    with TemporaryDirectory(prefix="adjudge-") as folder:
        made = copy.copy(dataset)
        made._outdir, made._rawdir = folder, os.path.join(folder, "raw")
        made.maybe_download = lambda: None  # all of it is there
        os.mkdir(made._rawdir)
        try:
            for archive in archives:
                _extract(archive, made._rawdir)
            names = made.fieldnames(pair)
            made.fieldnames = lambda _: names  # a large file of XML is parsed for it
            places = dict(zip(names, made.get_files(pair), strict=True))
            chosen = set(made.get_reference_files(pair))
        except Exception as error:  # it checks little, and breaks down over the rest
            raise DataError(
                f"{NAMED_SET}{dataset.name}: sacreBLEU cannot read {pair} in {', '.join(archives)} "
                f"({type(error).__name__}: {error})"
            ) from None
        references = [field for field, place in places.items() if place in chosen]
        return _fields(dataset, pair, places, references)


def _extract(archive: str, folder: str) -> None:
    """Extract an archive into the folder and nowhere else; a plain file is copied."""
    if archive.endswith((".tar.gz", ".tgz")):
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
    elif archive.endswith(".zip"):
        with zipfile.ZipFile(archive) as pack:
            pack.extractall(folder)
    else:
        shutil.copy(archive, folder)


def _fields(
    dataset: Any, pair: str, places: Mapping[str, str], references: list[str], notes: tuple[str, ...] = ()
) -> SetFields:
    """The fields in these files, a line a segment, the references among them in order (sacreBLEU has a set of them)."""
    named = sorted(filter(_is_reference, places))
    others = (name for name in places if name != "src" and name not in named)
    columns = {name: _lines(places[name]) for name in ("src", *named, *others)}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1 or not lengths["src"]:
        counts = ", ".join(f"{name} {number:,}" for name, number in lengths.items())
        raise DataError(
            f"{NAMED_SET}{dataset.name}:{pair}: fields of different lengths, or empty ones: {counts}"
        )
    return SetFields(dataset.name, pair, columns, tuple(sorted(references)), notes)


def _lines(place: str) -> tuple[str, ...]:
    text = Path(place).read_bytes().decode("utf-8")
    return tuple(line.rstrip() for line in text.removesuffix("\n").split("\n")) if text else ()
