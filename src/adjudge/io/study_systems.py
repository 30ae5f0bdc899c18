"""The outputs of a study: files by patterns, each with the system that its path tells."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import glob

from adjudge.data import languages
from adjudge.errors import DataError
from adjudge.io.files import missing_file
from adjudge.io.names import leads_to_file, stem
from adjudge.io.remote import is_url

SYSTEM = "{system}"
_WILD = re.compile(r"[*?\[]")
_NAMED = re.compile(r"\{(name|language|domain|source|target)\}")


@dataclass(frozen=True)
class Patterns:
    """Where patterns begin, and those that hold for every test set that has none of its own."""

    folder: str
    common: tuple[str, ...]

    def inside(self, path: str) -> str:
        """A path of the file as seen from here."""
        return path if is_url(path) else os.path.join(self.folder, path)


def system_files(
    patterns: Patterns, own: Sequence[str], words: Mapping[str, str], where: str
) -> tuple[str, ...]:
    """The files of a test set, as NAME=FILE where a pattern says which part of the path is the name.

    A pattern of the test set itself that means no file is a mistake; one that holds for all sets may mean none here.
    """
    files: list[str] = []
    for text in own or patterns.common:
        name, path = _named(patterns, _filled(text, words))
        matching = _matching(patterns, name, path)
        if not matching and own:
            wild = _WILD.search(path) or SYSTEM in path
            file = patterns.inside(path)
            raise DataError(f"{where}: {f'no file is called {file}' if wild else missing_file(file)}")
        files += matching
    _check_once(files, where)
    return tuple(files)


def _named(patterns: Patterns, text: str) -> tuple[str, str]:
    """NAME=FILE taken apart; a file whose own name has such a sign is one."""
    name, equals, path = text.partition("=")
    if not equals or not name or leads_to_file(patterns.inside(text)):
        return "", text
    return name, path


def _filled(text: str, words: Mapping[str, str]) -> str:
    """A pattern with what is known of the test set: {name}, {language}, {source}, {target}, {domain}."""
    source, target = languages.pair(words["language"]) if words.get("language") else ("", "")
    known = {"name": "", "language": "", "domain": "", **words, "source": source, "target": target}
    return _NAMED.sub(lambda match: known[match[1]], text)


def _matching(patterns: Patterns, name: str, path: str) -> list[str]:
    """The files that one pattern means now."""
    if SYSTEM in path:
        return _by_system(patterns, path)
    if leads_to_file(patterns.inside(path)):
        matching = [path]
    else:
        matching = _listed(patterns, path) if _WILD.search(path) else []
    return [f"{name}={patterns.inside(own)}" if name else patterns.inside(own) for own in matching]


def _by_system(patterns: Patterns, path: str) -> list[str]:
    """Files whose paths have a system's name in place of {system}, which may stand there several times."""
    parts = path.split(SYSTEM)
    first, *rest = (re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]") for part in parts)
    shape = re.compile(first + "(?P<system>[^/]+)" + "(?P=system)".join(rest), re.DOTALL)
    return [
        f"{match['system']}={patterns.inside(own)}"
        for own in _listed(patterns, "*".join(parts))
        if (match := shape.fullmatch(own))
    ]


def _listed(patterns: Patterns, path: str) -> list[str]:
    return sorted(glob(path, root_dir=patterns.folder or None, recursive=True))


def _check_once(files: Sequence[str], where: str) -> None:
    """Refuse two files of one system, which `load` would tell apart by their folders."""
    seen: dict[str, str] = {}
    for text in files:
        name, equals, path = text.partition("=")
        if not equals or leads_to_file(text):
            name, path = stem(text), text
        if name in seen:
            other = seen[name]
            twice = "is there twice" if path == other else f"is {other} and {path}"
            raise DataError(f"{where}: {name} {twice}; give each a name of its own: NAME=FILE")
        seen[name] = path
