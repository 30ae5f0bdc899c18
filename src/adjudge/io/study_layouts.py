"""A study guessed from the files of a folder: what looks like a source, a reference, outputs.

Four layouts of test sets are known: one folder per set (`reference.en`, `source.de`, `systems/NAME.en`), WMT's and
mt-metrics-eval's folders (`sources/`, `references/`, `system-outputs/`), files side by side that their names tell apart
(`news.de-en.de`, `news.de-en.en`, `news.de-en.NAME.en`; `…src.de`, `…ref.en`), and files that hold all of a set
(WMT's XML, a TSV with columns).
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.data import languages
from adjudge.errors import AdjudgeError, DataError
from adjudge.io import judgements as judgement_files
from adjudge.io.compression import COMPRESSION
from adjudge.io.load import read
from adjudge.io.names import suffix
from adjudge.io.segment_scores import load_scores
from adjudge.wording import pluralise

DEEPEST = 4
"""Depth of folders that are searched."""
SOURCES = ("source", "src", "input")
REFERENCES = ("reference", "ref", "target", "tgt")
LABELS = ("labels.tsv", "labels.csv", "docs.tsv", "documents.tsv", "docs.csv")
OUTPUTS = ("systems", "system-outputs", "outputs", "hyps", "hyp", "hypotheses", "system_outputs")
JUDGED = ("judgements", "judgments", "da", "mqm", "esa", "annotations", "ratings")
ROLES = {
    **dict.fromkeys(("sources", "source", "src"), "source"),
    **dict.fromkeys(("references", "ref", "refs"), "reference"),
}
WHOLE = (".xml", ".tsv", ".jsonl", ".tmx", ".xlf", ".xliff")
_WHOLE_ENDING = re.compile(rf"(?:{'|'.join(WHOLE)})(?:{'|'.join(COMPRESSION)})?$".replace(".", r"\."))
_CODE = r"(?!(?:txt|sgm|xml|tsv|csv|tmx|xlf)\b)[a-z]{2,3}(?:[-_][A-Z][A-Za-z]{1,3})?"
_ENDING = r"(?:\.(?:txt|sgm|sgml|gz|xz|zst|bz2))*"
_SOURCE = re.compile(rf"(?P<key>.*?)[.\-_]?(?:src|source)[.\-_](?P<language>{_CODE}){_ENDING}")
_REFERENCE = re.compile(
    rf"(?P<key>.*?)[.\-_]?(?:ref|reference|tgt|target)(?:[.\-_]?(?:[A-Z]|\d+))?[.\-_](?P<language>{_CODE}){_ENDING}"
)
_FLAT = re.compile(
    rf"(?P<key>(?:.+\.)?(?P<source>{_CODE})-(?P<target>{_CODE}))\.(?P<language>{_CODE}){_ENDING}"
)
_REFERENCE_NAME = re.compile(r"[.\-_]ref[A-Za-z0-9]*$")
_PAIR = re.compile(rf"(?:^|[.\-_/])({_CODE})-({_CODE})(?:$|[.\-_/])")


@dataclass(frozen=True)
class GuessedSet:
    """What looks like a test set; paths are relative to the study's folder."""

    name: str
    language: str = ""
    source: str = ""
    references: tuple[str, ...] = ()
    labels: str = ""
    systems: tuple[str, ...] = ()
    """Patterns."""
    judgements: tuple[str, ...] = ()
    qe: tuple[str, ...] = ()
    test_set: str = ""
    """A file that holds all of it."""
    outputs: int = 0
    files: tuple[str, ...] = ()
    """All files that belong to it."""

    def described(self) -> list[str]:
        """What was guessed of a test set."""
        if self.test_set:
            told = [f"all in {self.test_set}", pluralise(self.outputs, "output")]
        else:
            references = pluralise(len(self.references), "reference")
            told = [pluralise(self.outputs, "output"), references, "a source" if self.source else "no source"]
        told += ["labels"] if self.labels else []
        told += ["judgements"] if self.judgements else []
        told += [pluralise(len(self.qe), "file") + " of scores"] if self.qe else []
        if self.language:
            return [*told, f"language {self.language}"]
        return [*told, 'no language pair: say it, as in language = "de-en"']


def folder_sets(root: str, files: Sequence[str]) -> list[GuessedSet]:
    """One folder per test set: reference.en, source.de, labels.tsv, systems/NAME.en, judgements.tsv."""
    by_folder: dict[str, list[str]] = {}
    for name in files:
        by_folder.setdefault(posixpath.dirname(name), []).append(name)
    return [
        guessed
        for place in by_folder
        if (guessed := _folder_set(root, place, files, by_folder[place])) is not None
    ]


def _folder_set(root: str, place: str, files: Sequence[str], here: Sequence[str]) -> GuessedSet | None:
    references = [name for name in here if _has_name(name, REFERENCES)]
    if not references or len({suffix(name) for name in references}) > 1:
        return None
    sources = [name for name in here if _has_name(name, SOURCES)]
    labels = [name for name in here if posixpath.basename(name) in LABELS]
    ending = suffix(references[0])
    folders = {posixpath.join(place, name) for name in OUTPUTS}
    chosen = [name for name in files if posixpath.dirname(name) in folders and suffix(name) == ending]
    used = {*references, *sources, *labels}
    neighbours = [name for name in here if suffix(name) == ending and name not in used] if ending else []
    outputs = chosen or neighbours
    pattern = (
        (posixpath.join(posixpath.dirname(chosen[0]), f"*{_add_compression(chosen[0], ending)}"),)
        if chosen
        else tuple(neighbours)
    )
    below = f"{place}/" if place else ""
    near = [name for name in files if name.startswith(below) and name not in outputs and name not in used]
    judged = _judgements(root, near)
    scored = _scores(root, [name for name in near if name not in judged])
    target = ending.lstrip(".")
    source = suffix(sources[0]).lstrip(".") if sources else ""
    return GuessedSet(
        name=place or os.path.basename(os.path.abspath(root)),
        language=f"{source}-{target}" if _is_code(source) and _is_code(target) else "",
        source=sources[0] if sources else "",
        references=tuple(references),
        labels=labels[0] if labels else "",
        systems=pattern,
        judgements=judged,
        qe=scored,
        outputs=len(outputs),
        files=(*references, *sources, *labels, *outputs, *judged, *scored),
    )


def _add_compression(name: str, ending: str) -> str:
    """The suffix of a name, with that of its compression."""
    last = posixpath.splitext(name)[1]
    return ending + last if last.lower() in COMPRESSION else last


def _has_name(name: str, words: tuple[str, ...]) -> bool:
    first = posixpath.basename(name).lower().split(".")[0]
    return any(first == word or first.startswith((f"{word}-", f"{word}_")) for word in words)


def _is_code(text: str) -> bool:
    return re.fullmatch(_CODE, text) is not None


def _judgements(root: str, files: Sequence[str]) -> tuple[str, ...]:
    """The first file that is named like judgements and can be read as judgements of several segments."""
    stems = {
        name: posixpath.basename(name).lower().split(".")[0] for name in files if not name.endswith(".score")
    }
    called = [name for name, stem in stems.items() if stem.split("-")[0] in JUDGED]
    for name in sorted(called, key=lambda name: stems[name] not in JUDGED):
        try:
            read_file = judgement_files.read([os.path.join(root, name)])
        except AdjudgeError:
            continue
        if len(read_file.judgements.item.names) > 1:
            return (name,)
    return ()


def _scores(root: str, files: Sequence[str]) -> tuple[str, ...]:
    """Files of segments' scores that were made without references: in a folder qe/, or called so."""
    scored = []
    for name in files:
        folder, base = posixpath.split(name.lower())
        if (
            posixpath.basename(folder) != "qe"
            and not base.startswith("qe")
            and not base.endswith("-src.seg.score")
        ):
            continue
        try:
            load_scores([os.path.join(root, name)])
        except AdjudgeError:
            continue
        scored.append(name)
    return tuple(scored)


@dataclass(frozen=True)
class _Named:
    """A source or reference by its name: the test set it is of, and its language."""

    role: str
    key: str
    """The test set: folders that do not say what a file is, and the name without role and language."""
    language: str
    file: str


def named_sets(root: str, files: Sequence[str]) -> list[GuessedSet]:
    """Test sets whose files are distinguished by name, side by side or in folders of sources and references."""
    by_key: dict[str, list[_Named]] = {}
    for name in files:
        if (part := _parse_name(name)) is not None:
            by_key.setdefault(part.key, []).append(part)
    sets = []
    for key, parts in by_key.items():
        references = [part for part in parts if part.role == "reference"]
        sources = [part for part in parts if part.role == "source"]
        if not references:
            continue
        language = _pair(key, sources, references)
        used = tuple(part.file for part in (*sources[:1], *references))
        pattern, outputs = _outputs(key, language, [name for name in files if name not in used])
        sets.append(
            GuessedSet(
                name=key,
                language=language,
                source=sources[0].file if sources else "",
                references=tuple(part.file for part in references),
                systems=pattern,
                outputs=len(outputs),
                files=(*used, *outputs),
            )
        )
    return sets


def _parse_name(name: str) -> _Named | None:
    """What a file's name and folders say it is, where they say so."""
    folder, base = posixpath.split(name)
    parts = folder.split("/") if folder else []
    if any(part in OUTPUTS for part in parts):
        return None
    above = "/".join(part for part in parts if part not in ROLES)
    role = next((ROLES[part] for part in reversed(parts) if part in ROLES), "")
    for kind, shape in (("source", _SOURCE), ("reference", _REFERENCE)):
        if (match := shape.fullmatch(base)) and match["key"]:
            return _Named(kind, posixpath.join(above, match["key"]), match["language"], name)
    if match := _FLAT.fullmatch(base):
        kind = {match["source"]: "source", match["target"]: "reference"}.get(match["language"], "")
        return _Named(kind, posixpath.join(above, match["key"]), match["language"], name) if kind else None
    if role:
        stem = re.sub(rf"{_ENDING}$", "", base)
        stem = _REFERENCE_NAME.sub("", stem) if role == "reference" else stem
        return _Named(role, posixpath.join(above, stem), "", name)
    return None


def _pair(key: str, sources: Sequence[_Named], references: Sequence[_Named]) -> str:
    """The pair of languages, from the name of the test set or the endings of its files."""
    if match := _PAIR.search(key):
        return f"{match[1]}-{match[2]}"
    source, target = sources[0].language if sources else "", references[0].language
    return f"{source}-{target}" if source and target else ""


def _outputs(key: str, language: str, files: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """A pattern of the outputs of a test set, and the files that it means."""
    folder, base = posixpath.split(key)
    target = language.partition("-")[2]
    patterns: dict[str, list[str]] = {}
    for name in files:
        place, file = posixpath.split(name)
        parts = place.split("/")
        in_outputs = any(part in OUTPUTS for part in parts)
        rest = file[len(base) :]
        ending = re.escape(f".{target}") if target else r"\.[A-Za-z]+"
        if file.startswith(base) and (
            match := re.fullmatch(rf"([.\-_](?:hyp[.\-_])?)(.+)({ending}{_ENDING})", rest)
        ):
            if in_outputs or place == folder:
                patterns.setdefault(
                    posixpath.join(place, f"{base}{match[1]}{{system}}{match[3]}"), []
                ).append(name)
        elif in_outputs and (parts[-1] in (base, language) and parts[-1]):
            patterns.setdefault(posixpath.join(place, _system_pattern(file, language, parts)), []).append(
                name
            )
    if not patterns:
        return (), []
    best = max(patterns, key=lambda pattern: len(patterns[pattern]))
    return (best,), patterns[best]


def _system_pattern(name: str, language: str, parts: Sequence[str]) -> str:
    """newstest2019.SYSTEM.de-en in newstest2019/de-en, or SYSTEM.txt."""
    above = parts[-2] if len(parts) > 1 else ""
    if above and name.startswith(f"{above}.") and name.endswith(f".{language}"):
        return f"{above}.{{system}}.{language}"
    return "{system}" + posixpath.splitext(name)[1]


def whole_sets(root: str, files: Sequence[str]) -> list[GuessedSet]:
    """Files that hold a whole test set with its outputs."""
    sets = []
    for name in files:
        if suffix(name) not in WHOLE:
            continue
        try:
            table = read(os.path.join(root, name))
        except AdjudgeError:
            continue
        if table.references and (table.outputs or table.source is not None):
            match = _PAIR.search(name)
            language = table.language or (f"{match[1]}-{match[2]}" if match else "")
            stem = _WHOLE_ENDING.sub("", name)
            sets.append(GuessedSet(stem, language, test_set=name, outputs=len(table.outputs), files=(name,)))
    return sets


@dataclass(frozen=True)
class StudyGuess:
    """The test sets that a folder seems to hold."""

    sets: tuple[GuessedSet, ...]
    unused: tuple[str, ...]
    """Files that were not recognised."""


def guess(folder: str) -> StudyGuess:
    """The test sets that a folder and those below it look like, in the order of their names."""
    if not os.path.isdir(folder):
        raise DataError(f"{folder} is no folder; a study is made from a folder of test sets")
    files = _files(folder)
    guessed: list[GuessedSet] = []
    for layout in (folder_sets, named_sets, whole_sets):
        used = {name for part in guessed for name in part.files}
        left = [name for name in files if name not in used]
        if layout is whole_sets:  # what lies below a test set is something of its
            places = tuple(f"{part.name}/" for part in guessed)
            left = [name for name in left if not name.startswith(places)]
        guessed += layout(folder, left)
    if not guessed:
        raise DataError(
            f"{folder}: nothing looks like a test set: reference.LANGUAGE and systems/NAME.LANGUAGE were looked for, "
            "NAME.src-tgt.LANGUAGE, sources/ and references/, and files that hold all of a test set (XML, TSV)"
        )
    used = {name for part in guessed for name in part.files}
    sets = sorted(guessed, key=lambda part: part.name)
    return StudyGuess(
        tuple(map(_with_valid_language, sets)), tuple(name for name in files if name not in used)
    )


def _with_valid_language(guessed: GuessedSet) -> GuessedSet:
    """A guessed set, without its language pair if that is invalid."""
    try:
        if guessed.language and all(map(languages.code, filter(None, languages.pair(guessed.language)))):
            return guessed
    except AdjudgeError:
        pass
    return replace(guessed, language="")


def study_text(name: str, sets: tuple[GuessedSet, ...]) -> str:
    """The text of the study's file."""
    parts = [f"name = {_quote(name)}", 'metrics = ["bleu", "chrf"]', ""]
    for part in sets:
        parts += ["[[test_set]]", f"name = {_quote(part.name)}"]
        for field in ("language", "test_set", "source"):
            value = getattr(part, field)
            parts += [f"{field} = {_quote(value)}"] if value else []
        parts += [f"references = {_list(part.references)}"] if part.references else []
        parts += [f"labels = {_quote(part.labels)}"] if part.labels else []
        for field in ("systems", "judgements", "qe"):
            value = getattr(part, field)
            parts += [f"{field} = {_list(value)}"] if value else []
        parts.append("")
    return "\n".join(parts)


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_quote, texts))}]"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a basic string of TOML


def _files(folder: str) -> list[str]:
    """All files, by path relative to the folder, with / as separator."""
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
