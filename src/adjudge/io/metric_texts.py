"""The texts of folders with scores of metrics and people: source, references and outputs, where they are there.

sources/en-de.txt   references/en-de.refA.txt   system-outputs/en-de/SYSTEM.txt
en-de/src.en        en-de/ref.refA.de           en-de/hyp/SYSTEM.de
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.data.score_tables import MetaTexts
from adjudge.errors import DataError
from adjudge.io.files import lines, read_bytes, shown
from adjudge.io.table import Input


@dataclass(frozen=True)
class TextPaths:
    """Where the texts of one language pair lie."""

    source: str | None
    references: Mapping[str, str]
    outputs: Mapping[str, str]

    @classmethod
    def flat(cls, path: str, pair: str) -> TextPaths:
        """As mt-metrics-eval has them: a folder a kind, and language pairs in the names."""
        source = os.path.join(path, "sources", f"{pair}.txt")
        references = _files(os.path.join(path, "references"), f"{pair}.", ".txt")
        outputs = _files(os.path.join(path, "system-outputs", pair), "", ".txt")
        return cls(source if os.path.isfile(source) else None, references, outputs)

    @classmethod
    def nested(cls, path: str, pair: str) -> TextPaths:
        """A folder a language pair: src.en, ref.refA.de, hyp/SYSTEM.de."""
        source, _, target = pair.partition("-")
        own = os.path.join(path, f"src.{source}")
        references = _files(path, "ref.", f".{target}")
        outputs = _files(os.path.join(path, "hyp"), "", f".{target}")
        return cls(own if os.path.isfile(own) else None, references, outputs)


def read_texts(paths: TextPaths, count: int) -> tuple[MetaTexts, tuple[Input, ...]]:
    """The texts, each with as many lines as there are segments."""
    inputs: list[Input] = []

    def column(role: str, path: str) -> tuple[str, ...]:
        content, sha256 = read_bytes(path)
        inputs.append(Input(role, path, sha256))
        segments = tuple(lines(path, content))
        if len(segments) != count:
            raise DataError(f"{shown(path)} has {len(segments)} lines, but scores are of {count} segments")
        return segments

    texts = MetaTexts(
        None if paths.source is None else column("source", paths.source),
        {name: column("reference", path) for name, path in paths.references.items()},
        {name: column("system", path) for name, path in paths.outputs.items()},
    )
    return texts, tuple(inputs)


def _files(folder: str, before: str, behind: str) -> dict[str, str]:
    """Files of a folder by what stands in their names between a beginning and an end."""
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return {
        name[len(before) : -len(behind)]: os.path.join(folder, name)
        for name in names
        if name.startswith(before) and name.endswith(behind) and len(name) > len(before) + len(behind)
    }
