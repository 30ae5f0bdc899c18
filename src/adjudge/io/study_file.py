"""A study: one file that says what is evaluated, where the files are, by which metrics, and how differences are tested.

    name = "spring"
    metrics = ["bleu", "chrf"]
    systems = ["outputs/{system}/{name}.en"]

    [plan]
    unit = "document"

    [[test_set]]
    name = "news"
    language = "pt-en"
    source = "news/source.pt"
    references = ["news/reference.en"]
    labels = "news/labels.tsv"
    judgements = ["news/judgements.tsv"]

Paths are relative to the file's own folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from typing import Any

from adjudge.data import languages
from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields
from adjudge.io.files import missing_file, path_text
from adjudge.io.names import is_named_set, leads_to_file, stem
from adjudge.io.remote import is_url
from adjudge.io.table import Input
from adjudge.io.toml_places import Path, TomlDocument, place_of

SYSTEM = "{system}"
_WILD = re.compile(r"[*?\[]")
_NAMED = re.compile(r"\{(name|language|domain|source|target)\}")


@dataclass(frozen=True)
class Patterns:
    """The folder of patterns, and the patterns for test sets without their own."""

    folder: str
    common: tuple[str, ...]

    def inside(self, path: str) -> str:
        """A path of the file as seen from here."""
        return path if is_url(path) else os.path.join(self.folder, path)


SET = "test_set"
METRICS = ("bleu", "chrf")
STUDY = ("name", "metrics", "systems", "baseline", "lower_is_better", "plan", SET)
KINDS: dict[str, type] = {
    "name": str,
    "language": str,
    "domain": str,
    "source": str,
    "references": list,
    "labels": str,
    "systems": list,
    "test_set": str,
    "format": str,
    "judgements": list,
    "protocol": str,
    "qe": list,
}
"""Fields of a test set; `test_set` is a file that holds all of it."""
WORDS = ("name", "language", "domain", "format", "protocol")
FILES = ("source", "labels", "test_set")


@dataclass(frozen=True)
class StudySet:
    """One test set of a study, with paths as they can be opened."""

    name: str
    language: str = ""
    domain: str = ""
    source: str = ""
    references: tuple[str, ...] = ()
    labels: str = ""
    systems: tuple[str, ...] = ()
    test_set: str = ""
    format: str = ""
    judgements: tuple[str, ...] = ()
    """Files of judgements of these outputs."""
    protocol: str = ""
    """The protocol of the judgements, where the files do not tell."""
    qe: tuple[str, ...] = ()
    """Files of segments' scores that were made without references (or elsewhere): each is a measure."""
    place: str = ""
    """File and line, for messages."""

    def arguments(self) -> dict[str, Any]:
        """What `io.load` and `checks.lint` take."""
        return {
            "systems": self.systems,
            "references": self.references,
            "source": self.source or None,
            "test_set": self.test_set or None,
            "labels": self.labels or None,
            "input_format": self.format or None,
            "language": self.language or None,
        }


@dataclass(frozen=True)
class Study:
    """What is evaluated."""

    path: str
    name: str
    metrics: tuple[str, ...]
    sets: tuple[StudySet, ...]
    input: Input
    places: Mapping[Path, int]
    """The lines of its fields in the file."""
    baseline: str = ""
    """The system that others are compared with; empty to compare all pairs."""
    lower_is_better: tuple[str, ...] = ()
    """Measures among the files of scores for which lower is better."""
    plan: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a `Plan` as they stand in the file."""

    def where(self, *way: str | int) -> str:
        """File, line and field, for messages."""
        return _field_at(place_of(self.path, self.places, way), way)


def read_study(path: str) -> Study:
    """A study from its file; errors name field and line."""
    document = TomlDocument.read(path)
    _check(document, document.values, STUDY, ())
    entries = document.values.get(SET)
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{path_text(path)}: no test set; each begins with a line [[{SET}]]")

    def where(name: str) -> str:
        return _where(document, (name,))

    values = document.values
    common = tuple(fields.texts(values.get("systems", []), where("systems")))
    reader = _Reader(document, Patterns(os.path.dirname(path), common))
    sets = tuple(reader.set(entry, place) for place, entry in enumerate(entries))
    if common and not any(study_set.systems for study_set in sets):
        raise DataError(f"{where('systems')}: no file is called {common[0]}, for none of the test sets")
    _check_names(sets, document)
    return Study(
        path=path,
        name=fields.text(values.get("name", os.path.basename(path)), where("name")),
        metrics=tuple(fields.texts(values.get("metrics", list(METRICS)), where("metrics"), fewest=1)),
        sets=sets,
        baseline=fields.check_type(values.get("baseline", ""), str, where("baseline")),
        lower_is_better=tuple(fields.texts(values.get("lower_is_better", []), where("lower_is_better"))),
        plan=fields.table(values.get("plan", {}), where("plan")),
        places=document.lines,
        input=Input("study", path, document.sha256),
    )


@dataclass(frozen=True)
class _Reader:
    """The entries of one file."""

    document: TomlDocument
    patterns: Patterns

    def where(self, way: Path) -> str:
        return _where(self.document, way)

    def set(self, entry: Any, place: int) -> StudySet:
        """A test set; all its files must exist."""
        way: Path = (SET, place)
        values = fields.table(entry, self.where(way))
        _check(self.document, values, KINDS, way)
        for name, value in values.items():
            fields.check_type(value, KINDS[name], self.where((*way, name)))
        if not values.get("name", "").strip():
            raise DataError(f"{self.where(way)}: name: missing; what the test set is called")
        if not any(values.get(name) for name in ("references", "test_set", "source")):
            raise DataError(
                f"{self.where(way)}: references: missing; the files of the references, or test_set with all of it"
            )
        check_language(values.get("language"), self.where((*way, "language")))
        words: dict[str, Any] = {name: values[name] for name in WORDS if name in values}
        single: dict[str, Any] = {
            name: self._file(values[name], (*way, name)) for name in FILES if values.get(name)
        }
        several: dict[str, Any] = {
            name: tuple(self._file(text, (*way, name)) for text in self._texts(values, name, way))
            for name in ("references", "judgements", "qe")
        }
        systems = self._texts(values, "systems", way)
        files = system_files(self.patterns, systems, words, self.where((*way, "systems")))
        return StudySet(**words, **single, **several, systems=files, place=self.where(way))

    def _texts(self, values: Mapping[str, Any], name: str, way: Path) -> list[str]:
        return fields.texts(values.get(name, []), self.where((*way, name)))

    def _file(self, text: str, way: Path) -> str:
        """A path relative to the working directory; it must exist."""
        if is_named_set(text):
            return text
        path = self.patterns.inside(text)
        if not leads_to_file(path):
            raise DataError(f"{self.where(way)}: {missing_file(path)}")
        return path


def check_language(language: str | None, where: str) -> None:
    """Refuse what is neither a language pair nor a target language."""
    if language is None:
        return
    try:
        for code in filter(None, languages.pair(language)):
            languages.code(code)
    except AdjudgeError as error:
        raise DataError(f'{where}: {error}; a pair is written as in language = "de-en"') from None
    if not any(languages.pair(language)):
        raise DataError(f'{where}: empty; a pair is written as in language = "de-en"')


def _check_names(sets: Sequence[StudySet], document: TomlDocument) -> None:
    seen: dict[str, str] = {}
    for place, study_set in enumerate(sets):
        if study_set.name in seen:
            where = _where(document, (SET, place, "name"))
            raise DataError(
                f"{where}: two test sets are called {study_set.name!r}; the other is at {seen[study_set.name]}"
            )
        seen[study_set.name] = study_set.place.rpartition(", ")[2]


def _where(document: TomlDocument, way: Path) -> str:
    """File, line and field."""
    return _field_at(document.place(*way), way)


def _field_at(place: str, way: Path) -> str:
    names = ".".join(str(part) for part in way if isinstance(part, str) and part != SET)
    return f"{place}: {names}" if names else place


def _check(document: TomlDocument, values: Mapping[str, Any], known: Iterable[str], way: Path) -> None:
    """Refuse unknown fields of a table."""
    for name in values:
        try:
            fields.check_keys([name], known)
        except AdjudgeError as error:
            raise DataError(f"{document.place(*way, name, 0)}: {error}") from None


def system_files(
    patterns: Patterns, texts: Sequence[str], words: Mapping[str, str], where: str
) -> tuple[str, ...]:
    """The files of a test set, as NAME=FILE where a pattern says which part of the path is the name.

    A pattern of the test set itself that means no file is a mistake; one that holds for all sets may mean none here.
    """
    files: list[str] = []
    for text in texts or patterns.common:
        name, path = _split_name(patterns, _fill(text, words))
        matching = _match(patterns, name, path)
        if not matching and texts:
            wild = _WILD.search(path) or SYSTEM in path
            file = patterns.inside(path)
            raise DataError(f"{where}: {f'no file is called {file}' if wild else missing_file(file)}")
        files += matching
    _check_once(files, where)
    return tuple(files)


def _split_name(patterns: Patterns, text: str) -> tuple[str, str]:
    """Name and file of NAME=FILE; an existing file with an equals sign in its name has no separate name."""
    name, equals, path = text.partition("=")
    if not equals or not name or leads_to_file(patterns.inside(text)):
        return "", text
    return name, path


def _fill(text: str, words: Mapping[str, str]) -> str:
    """A pattern with what is known of the test set: {name}, {language}, {source}, {target}, {domain}."""
    source, target = languages.pair(words["language"]) if words.get("language") else ("", "")
    known = {"name": "", "language": "", "domain": "", **words, "source": source, "target": target}
    return _NAMED.sub(lambda match: known[match[1]], text)


def _match(patterns: Patterns, name: str, path: str) -> list[str]:
    """The files that match one pattern."""
    if SYSTEM in path:
        return _by_system(patterns, path)
    if leads_to_file(patterns.inside(path)):
        matching = [path]
    else:
        matching = _list_files(patterns, path) if _WILD.search(path) else []
    return [f"{name}={patterns.inside(file)}" if name else patterns.inside(file) for file in matching]


def _by_system(patterns: Patterns, path: str) -> list[str]:
    """Files whose paths have a system's name in place of {system}, which may stand there several times."""
    parts = path.split(SYSTEM)
    first, *rest = (re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]") for part in parts)
    shape = re.compile(first + "(?P<system>[^/]+)" + "(?P=system)".join(rest), re.DOTALL)
    return [
        f"{match['system']}={patterns.inside(file)}"
        for file in _list_files(patterns, "*".join(parts))
        if (match := shape.fullmatch(file))
    ]


def _list_files(patterns: Patterns, path: str) -> list[str]:
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
