"""Small test sets in every format that sacreBLEU's catalogue has, served from this machine, with their checksums.

`make` writes the archives and a description; `install` puts its entries into the catalogue of the process it runs in,
so that the real sacreBLEU's command line, in a process of its own, can have them too.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

VARIABLE = "ADJUDGE_MADE_SETS"
DESCRIPTION = "sets.json"

DOCUMENTS = [  # document, origin, domain, source and two translations of each segment
    ("bbc.1", "de", "news", [("Der Hund  bellt.", "The dog barks.", "A dog is barking."),
                             ("Es regnet &amp; stürmt.", "It rains &amp; storms.", "There is rain and a storm.")]),
    ("cnn.2", "en", "social", [("Die Katze saß auf der Matte.", "The cat sat on the mat.", "A cat was sitting there."),
                               ("Gut.", "Good.", "Fine.")]),
    ("taz.3", "de", "news", [("Niemand war überrascht.", "Nobody was surprised.", "No one was surprised.")]),
]  # fmt: skip
SEGMENTS = [segment for *_, segments in DOCUMENTS for segment in segments]
OUTPUTS = {
    "good": [
        "The dog is barking.",
        "It rains &amp; storms.",
        "The cat sat on a mat.",
        "Good.",
        "Nobody was surprised.",
    ],
    "bad": ["Dog bark.", "It rain and storm.", "The cat sat mat.", "Well.", "Nobody surprised was."],
}


def sgm(kind: str, column: int) -> str:
    """A file as WMT had them until 2020."""
    documents = "".join(
        f'<doc sysid="ref" docid="{name}" genre="{domain}" origlang="{origin}">\n<p>\n'
        + "".join(f'<seg id="{at}">{texts[column]}</seg>\n' for at, texts in enumerate(segments, 1))
        + "</p>\n</doc>\n"
        for name, origin, domain, segments in DOCUMENTS
    )
    return f'<{kind} setid="made" srclang="any" trglang="en">\n{documents}</{kind}>\n'


def wmt_xml(*, domains: bool = True) -> str:
    """A file as WMT has them since 2021, with a test suite that has no references."""

    def part(tag: str, facts: str, texts: list[str]) -> str:
        lines = "".join(f'<seg id="{at}">{text}</seg>\n' for at, text in enumerate(texts, 1))
        return f"<{tag} {facts}>\n<p>\n{lines}</p>\n</{tag}>\n"

    documents, at = "", 0
    for name, origin, domain, segments in DOCUMENTS:
        shown = f' domain="{domain}"' if domains else ""
        documents += f'<doc id="{name}" origlang="{origin}"{shown}>\n'
        documents += part("src", 'lang="de"', [texts[0] for texts in segments])
        documents += part("ref", 'lang="en" translator="A"', [texts[1] for texts in segments])
        second = [texts[2] for texts in segments]
        documents += part("ref", 'lang="en" translator="B"', second if name != "cnn.2" else [second[0], ""])
        for system, lines in OUTPUTS.items():
            documents += part("hyp", f'system="{system}" lang="en"', lines[at : at + len(segments)])
        documents += "</doc>\n"
        at += len(segments)
    suite = (
        '<doc id="suite.1" origlang="de" testsuite="s">' + part("src", 'lang="de"', ["Prüfung."]) + "</doc>\n"
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<dataset id="made">\n{documents}{suite}</dataset>\n'


def column(at: int) -> str:
    return "".join(f"{texts[at]}\n" for texts in SEGMENTS)


def make(folder: Path, address: str) -> Path:
    """Archives in `folder`, and a description with their checksums."""
    table = "".join(f"{at}\tx\t{texts[0]}\t{texts[1]}\n" for at, texts in enumerate(SEGMENTS))
    sgms = {
        "test/made-src.de.sgm": sgm("srcset", 0),
        "test/made-ref.en.sgm": sgm("refset", 1),
        "test/B.sgm": sgm("refset", 2),
    }
    packed = {
        "sgm.tgz": _tar(sgms),
        "xml.tar.gz": _tar({"xml/made.de-en.xml": wmt_xml()}),
        "old-xml.tgz": _tar({"xml/made.de-en.xml": wmt_xml(domains=False)}),
        "plain.zip": _zip({"plain/made.de": column(0), "plain/made.en": column(1)}),
        "tsv.tar.gz": _tar({"made/de-en.tsv": table}),
        "iwslt.tgz": _tar({"de-en/made.xml": sgm("srcset", 0), "en-de/made.xml": sgm("refset", 1)}),
        "again.ref": column(2).encode(),
        "packed.en.gz": gzip.compress(column(1).encode(), mtime=0),
    }
    for name, data in packed.items():
        (folder / name).write_bytes(data)
    pair = "de-en"
    sgm_files = ["test/made-src.de.sgm", "test/made-ref.en.sgm"]
    sets: dict[str, dict[str, Any]] = {
        "made18": {"kind": "FakeSGMLDataset", "files": ["sgm.tgz"], "langpairs": {pair: sgm_files}},
        "made18/tworefs": {
            "kind": "FakeSGMLDataset",
            "files": ["sgm.tgz"],
            "langpairs": {pair: [*sgm_files, "test/B.sgm"]},
        },
        "made24": {
            "kind": "WMTXMLDataset",
            "files": ["xml.tar.gz"],
            "langpairs": {pair: ["xml/made.de-en.xml"]},
            "refs": ["A"],
        },
        "made24/AB": {
            "kind": "WMTXMLDataset",
            "files": ["xml.tar.gz"],
            "langpairs": {pair: ["xml/made.de-en.xml"]},
            "refs": ["A", "B"],
        },
        "made22": {
            "kind": "WMTXMLDataset",
            "files": ["old-xml.tgz"],
            "langpairs": {pair: {"path": "xml/made.de-en.xml", "refs": ["B"]}},
            "refs": ["A"],
        },
        "made/plain": {
            "kind": "PlainTextDataset",
            "files": ["plain.zip"],
            "langpairs": {
                pair: ["plain/made.de", "plain/made.en"],
                "en-de": ["plain/made.en", "plain/made.de"],
            },
        },
        "made/packed": {
            "kind": "PlainTextDataset",
            "files": ["plain.zip", "packed.en.gz"],
            "langpairs": {pair: ["plain/made.de", "made_packed.packed.en.gz"]},
        },
        "made/tsv": {
            "kind": "TSVDataset",
            "files": ["tsv.tar.gz"],
            "langpairs": {pair: ["2:made/de-en.tsv", "3:made/de-en.tsv"]},
        },
        "made/iwslt": {
            "kind": "IWSLTXMLDataset",
            "files": ["iwslt.tgz"],
            "langpairs": {pair: ["de-en/made.xml", "en-de/made.xml"]},
        },
        "made/again": {
            "kind": "WMTAdditionDataset",
            "files": ["sgm.tgz", "again.ref"],
            "langpairs": {pair: [sgm_files[0], "made_again.again.ref"]},
        },
    }
    for name, entry in sets.items():
        entry["md5"] = [hashlib.md5(packed[file]).hexdigest() for file in entry["files"]]
        entry["data"] = [f"{address}/{file}" for file in entry.pop("files")]
        entry["description"] = f"Made set {name} "
        entry["citation"] = f"@misc{{{name}}}"
    path = folder / DESCRIPTION
    path.write_text(json.dumps(sets))
    return path


def install(description: str, cache: str) -> dict[str, Any]:
    """Put the made sets into the catalogue of this process, with a cache of their own."""
    import sacrebleu.dataset
    import sacrebleu.utils

    sacrebleu.utils.SACREBLEU_DIR = cache
    made = {}
    for name, entry in json.loads(Path(description).read_text()).items():
        own = getattr(sacrebleu.dataset, entry.pop("kind"))(name, **entry)
        own._outdir = os.path.join(cache, name)
        own._rawdir = os.path.join(own._outdir, "raw")
        made[name] = own
    sacrebleu.dataset.DATASETS.update(made)
    sacrebleu.dataset.SUBSETS["made18"] = {
        "bbc.1": "GB-politics",
        "cnn.2": "US-sport",
        "taz.3": "EU-politics-DE",
    }
    return made


@dataclass(frozen=True)
class MadeSets:
    """Made sets in the catalogue of this process, and what the real sacreBLEU is told to have them too."""

    entries: dict[str, Any]
    cache: Path
    their_cache: Path
    archives: Path
    """What is served."""

    def archive(self, name: str) -> Path:
        """Where a set's first archive lies once it has been fetched."""
        own = self.entries[name]
        return Path(own._rawdir, own._get_tarball_filename(own.data[0]))


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeSets]:
    """The made sets, as long as the block lasts."""
    import sacrebleu.dataset
    import sacrebleu.utils

    archives, cache, theirs = (folder / name for name in ("archives", "cache", "their-cache"))
    for own in (archives, cache, theirs):
        own.mkdir()
    with served(archives) as address:
        description = make(archives, address)
        monkeypatch.setattr(sacrebleu.utils, "SACREBLEU_DIR", str(cache))
        known, subsets = dict(sacrebleu.dataset.DATASETS), dict(sacrebleu.dataset.SUBSETS)
        monkeypatch.setenv(VARIABLE, os.pathsep.join([str(description), str(theirs)]))
        try:
            yield MadeSets(install(str(description), str(cache)), cache, theirs, archives)
        finally:
            for table, before in ((sacrebleu.dataset.DATASETS, known), (sacrebleu.dataset.SUBSETS, subsets)):
                table.clear()
                table.update(before)


def install_told() -> None:
    """The same, where the environment says so."""
    if told := os.environ.get(VARIABLE):
        install(*told.split(os.pathsep))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address under which the files of a folder can be fetched, from this machine alone."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _tar(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in files.items():
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def _zip(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()
