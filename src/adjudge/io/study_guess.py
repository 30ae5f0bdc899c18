"""A study guessed from the files of a folder: what looks like a source, a reference, outputs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from adjudge.errors import DataError
from adjudge.io.names import suffix

SOURCES = ("source", "src", "input")
REFERENCES = ("reference", "ref", "target", "tgt")
LABELS = ("labels.tsv", "labels.csv")
OUTPUTS = ("systems", "system-outputs", "outputs", "hyps", "hypotheses")
DEEPEST = 3
"""Folders below the one given that are looked into."""


@dataclass(frozen=True)
class GuessedSet:
    """A folder that looks like a test set; paths are relative to the study's folder."""

    name: str
    language: str
    source: str
    references: tuple[str, ...]
    labels: str
    systems: tuple[str, ...]
    outputs: int


def guess(folder: str) -> list[GuessedSet]:
    """The test sets that a folder and those below it look like, in the order of their names."""
    if not os.path.isdir(folder):
        raise DataError(f"{folder} is no folder; a study is made from a folder of test sets")
    guessed = [own for place in _folders(folder) if (own := _set(folder, place)) is not None]
    if not guessed:
        raise DataError(
            f"{folder}: nothing looks like a test set: a folder with reference.LANGUAGE (or ref.…), source.LANGUAGE "
            "and systems/NAME.LANGUAGE was looked for"
        )
    return guessed


def study_text(name: str, sets: list[GuessedSet]) -> str:
    """The file of the study."""
    parts = [f"name = {_quoted(name)}", 'metrics = ["bleu", "chrf"]', ""]
    for own in sets:
        parts += ["[[test_set]]", f"name = {_quoted(own.name)}"]
        parts += [f"language = {_quoted(own.language)}"] if own.language else []
        parts += [f"source = {_quoted(own.source)}"] if own.source else []
        parts += [f"references = [{', '.join(map(_quoted, own.references))}]"]
        parts += [f"labels = {_quoted(own.labels)}"] if own.labels else []
        parts += [f"systems = [{', '.join(map(_quoted, own.systems))}]", ""]
    return "\n".join(parts)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a basic string of TOML


def _folders(folder: str) -> list[str]:
    places = []
    for place, inner, _ in os.walk(folder):
        depth = 0 if place == folder else os.path.relpath(place, folder).count(os.sep) + 1
        inner[:] = sorted(n for n in inner if not n.startswith(".")) if depth < DEEPEST else []
        places.append(place)
    return places


def _set(root: str, place: str) -> GuessedSet | None:
    files = sorted(name for name in os.listdir(place) if os.path.isfile(os.path.join(place, name)))
    references = [name for name in files if _called(name, REFERENCES)]
    if not references:
        return None
    sources = [name for name in files if _called(name, SOURCES)]
    labels = [name for name in files if name in LABELS]
    outputs = next((name for name in OUTPUTS if os.path.isdir(os.path.join(place, name))), "")
    ending = suffix(references[0])
    chosen = [
        name
        for name in (os.listdir(os.path.join(place, outputs)) if outputs else [])
        if name.endswith(ending)
    ]
    beside = [
        name for name in files if name.endswith(ending) and name not in (*references, *sources, *labels)
    ]
    pattern = [os.path.join(outputs, f"*{ending}")] if outputs and chosen else beside if ending else []
    relative = os.path.relpath(place, root)

    def inside(name: str) -> str:
        return name if relative == "." else f"{relative}/{name}".replace(os.sep, "/")

    target, source = ending.lstrip("."), suffix(sources[0]).lstrip(".") if sources else ""
    return GuessedSet(
        name=os.path.basename(os.path.abspath(root)) if relative == "." else relative.replace(os.sep, "/"),
        language=f"{source}-{target}" if len(source) == len(target) == 2 else "",
        source=inside(sources[0]) if sources else "",
        references=tuple(map(inside, references)),
        labels=inside(labels[0]) if labels else "",
        systems=tuple(map(inside, pattern)),
        outputs=len(chosen) or len(beside),
    )


def _called(name: str, words: tuple[str, ...]) -> bool:
    first = name.lower().split(".")[0]
    return any(first == word or first.startswith((f"{word}-", f"{word}_")) for word in words)
