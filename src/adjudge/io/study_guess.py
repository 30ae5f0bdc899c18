"""A study guessed from the files of a folder: what looks like a source, a reference, outputs.

Four ways of keeping test sets are known: a folder a set (`reference.en`, `source.de`, `systems/NAME.en`), WMT's and
mt-metrics-eval's folders (`sources/`, `references/`, `system-outputs/`), files side by side that their names tell apart
(`news.de-en.de`, `news.de-en.en`, `news.de-en.NAME.en`; `…src.de`, `…ref.en`), and files that hold all of a set
(WMT's XML, a TSV with columns).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace

from adjudge.data import languages
from adjudge.errors import AdjudgeError, DataError
from adjudge.io.study_layouts import GuessedSet as GuessedSet
from adjudge.io.study_layouts import folder_sets, named_sets, whole_sets

DEEPEST = 4
"""Folders below the one given that are looked into."""


@dataclass(frozen=True)
class Guessed:
    """What a folder looks like."""

    sets: tuple[GuessedSet, ...]
    unused: tuple[str, ...]
    """Files of which nobody knows what they are."""


def guess(folder: str) -> Guessed:
    """The test sets that a folder and those below it look like, in the order of their names."""
    if not os.path.isdir(folder):
        raise DataError(f"{folder} is no folder; a study is made from a folder of test sets")
    files = _files(folder)
    guessed: list[GuessedSet] = []
    for layout in (folder_sets, named_sets, whole_sets):
        used = {name for own in guessed for name in own.files}
        left = [name for name in files if name not in used]
        if layout is whole_sets:  # what lies below a test set is something of its
            places = tuple(f"{own.name}/" for own in guessed)
            left = [name for name in left if not name.startswith(places)]
        guessed += layout(folder, left)
    if not guessed:
        raise DataError(
            f"{folder}: nothing looks like a test set: reference.LANGUAGE and systems/NAME.LANGUAGE were looked for, "
            "NAME.src-tgt.LANGUAGE, sources/ and references/, and files that hold all of a test set (XML, TSV)"
        )
    used = {name for own in guessed for name in own.files}
    sets = sorted(guessed, key=lambda own: own.name)
    return Guessed(tuple(map(_checked, sets)), tuple(name for name in files if name not in used))


def _checked(own: GuessedSet) -> GuessedSet:
    """The same without a language pair that is none."""
    try:
        if own.language and all(map(languages.code, filter(None, languages.pair(own.language)))):
            return own
    except AdjudgeError:
        pass
    return replace(own, language="")


def study_text(name: str, sets: tuple[GuessedSet, ...]) -> str:
    """The file of the study."""
    parts = [f"name = {_quoted(name)}", 'metrics = ["bleu", "chrf"]', ""]
    for own in sets:
        parts += ["[[test_set]]", f"name = {_quoted(own.name)}"]
        for field in ("language", "test_set", "source"):
            value = getattr(own, field)
            parts += [f"{field} = {_quoted(value)}"] if value else []
        parts += [f"references = {_list(own.references)}"] if own.references else []
        parts += [f"labels = {_quoted(own.labels)}"] if own.labels else []
        for field in ("systems", "judgements", "qe"):
            value = getattr(own, field)
            parts += [f"{field} = {_list(value)}"] if value else []
        parts.append("")
    return "\n".join(parts)


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a basic string of TOML


def _files(folder: str) -> list[str]:
    """All files, by their ways from the folder, with / between the parts."""
    names = []
    for place, inner, files in os.walk(folder):
        relative = os.path.relpath(place, folder)
        depth = 0 if relative == "." else relative.count(os.sep) + 1
        inner[:] = sorted(n for n in inner if not n.startswith(".")) if depth < DEEPEST else []
        prefix = "" if relative == "." else relative.replace(os.sep, "/") + "/"
        names += [
            prefix + name for name in sorted(files) if not name.startswith(".") and name != "study.toml"
        ]
    return names
