"""Folders of mt-metrics-eval with scores by metrics and people: read and written, with their texts.

    human-scores/en-de.mqm.seg.score   metric-scores/en-de/BLEU-refA.seg.score   documents/en-de.docs
    en-de/human/mqm.seg.score          en-de/metrics/BLEU-refA.seg.score         en-de/docs.*.tsv

`.seg.score` has one line per system and segment, `.sys.score` one per system. Metrics are called NAME-REFERENCE, with
`src` for those that read no reference; `mtme.py` says where texts lie.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from adjudge.data.judgements import NameColumn
from adjudge.data.score_tables import Array, MetaSet, MetaTexts, ScoreTable, means
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.files import path_text, read_bytes, read_lines
from adjudge.io.mtme import TextPaths, choose_pair, names_in, read_segments, segment_numbers
from adjudge.io.sheet import ABSENT, Sheet, split, text_rows
from adjudge.io.table import Input
from adjudge.wording import pluralise, some_of

_PAIR = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?")
_NO_REFERENCE = "src"


@dataclass(frozen=True)
class ScoreFolder:
    """Where the scores of one language pair lie."""

    language: str
    people: Mapping[str, str]
    """Paths without `.seg.score` and `.sys.score`, by name."""
    metrics: Mapping[str, str]
    labels: str | None
    texts: TextPaths

    @property
    def references(self) -> tuple[str, ...]:
        """Names of references, which may also be systems."""
        return tuple(self.texts.references)


@dataclass(frozen=True)
class LoadedScores:
    """Scores of metrics and people, and the files all of it came from."""

    meta_set: MetaSet
    inputs: tuple[Input, ...]
    texts: MetaTexts = field(default_factory=MetaTexts)
    """The texts in the folder, where they were asked for."""
    paths: TextPaths | None = None
    """Where the texts lie."""


def read_meta_set(
    path: str, language: str | None = None, *, texts: bool = False, needs_metrics: bool = True
) -> LoadedScores:
    """The scores in a folder, and with `texts` the texts; the language pair must be named where there are several.

    A folder without scores of metrics is an error, unless some are to be computed (`needs_metrics` false).
    """
    folder = _folder(path, language)
    if not folder.people:
        raise DataError(
            f"{path_text(path)}: no scores of people: human/NAME.seg.score or human-scores/PAIR.NAME.seg.score"
        )
    if not folder.metrics and needs_metrics:
        raise DataError(
            f"{path_text(path)}: no scores of metrics: metrics/NAME-REF.seg.score or "
            "metric-scores/PAIR/NAME-REF.seg.score"
        )
    people = {name: _Scores.read(prefix) for name, prefix in folder.people.items()}
    metrics = {name: _Scores.read(prefix) for name, prefix in folder.metrics.items()}
    systems = tuple(sorted({system for scores in people.values() for system in scores.names}))
    count = _segments({**people, **metrics})
    labels = {} if folder.labels is None else _labels(folder.labels, count)
    name = os.path.basename(os.path.normpath(path))
    tables = {name: scores.table(name, systems, count) for name, scores in metrics.items()}
    references, notes = _references(folder, tables, systems)
    notes += _notes(metrics, [system for system in systems if system not in references])
    meta_set = MetaSet(
        name,
        folder.language,
        systems,
        {name: scores.table(name, systems, count) for name, scores in people.items()},
        tables,
        labels,
        references,
        notes,
    )
    measures = [*people.values(), *metrics.values()]
    inputs = tuple(item for scores in measures for item in scores.inputs)
    if not texts:
        return LoadedScores(meta_set, inputs)
    known, files = read_texts(folder.texts, count)
    return LoadedScores(meta_set, (*inputs, *files), known, folder.texts)


@dataclass(frozen=True)
class _Scores:
    """The scores in the two files of one measure."""

    path: str
    segments: Mapping[str, Array]
    systems: Mapping[str, float]
    inputs: tuple[Input, ...]

    @property
    def names(self) -> list[str]:
        """Systems with at least one score."""
        rated = [name for name, scores in self.segments.items() if not np.isnan(scores).all()]
        return list(dict.fromkeys([*rated, *self.systems]))

    @classmethod
    def read(cls, prefix: str) -> _Scores:
        """The scores in the files that exist."""
        segments: dict[str, Array] = {}
        systems: dict[str, float] = {}
        inputs: list[Input] = []
        if os.path.exists(f"{prefix}.seg.score"):
            sheet, names, scores = _read_scores(f"{prefix}.seg.score", inputs)
            segment_numbers(sheet, names)  # every system has as many
            segments = {name: scores[names.codes == code] for code, name in enumerate(names.names)}
        if os.path.exists(f"{prefix}.sys.score"):
            _, names, scores = _read_scores(f"{prefix}.sys.score", inputs)
            pairs = zip(names.values(), scores.tolist(), strict=True)
            systems = {system: score for system, score in pairs if not math.isnan(score)}
        return cls(prefix, segments, systems, tuple(inputs))

    def table(self, name: str, systems: Sequence[str], count: int) -> ScoreTable:
        """The scores of these systems; where the file of systems is missing, the means of their segments."""
        cells = np.full((len(systems), count), np.nan)
        for row, system in enumerate(systems):
            if system in self.segments:
                cells[row] = self.segments[system]
        whole: Array = np.array([self.systems.get(system, np.nan) for system in systems])
        whole = whole if self.systems else means(cells)
        reference = name.rpartition("-")[2]
        return ScoreTable(name, cells, whole, "" if reference == _NO_REFERENCE else reference)


def _read_scores(path: str, inputs: list[Input]) -> tuple[Sheet, NameColumn, Array]:
    """The lines of a file, and their systems and scores."""
    content, sha256 = read_bytes(path)
    inputs.append(Input("scores", path, sha256))
    sheet = split(path, text_rows(path, content), " ", ("system", "score"))
    return sheet, sheet.names("system"), sheet.numbers("score", absent=ABSENT)


def _segments(measures: Mapping[str, _Scores]) -> int:
    """The number of segments, which must be the same in all files."""
    counts = {
        scores.path: len(next(iter(scores.segments.values())))
        for scores in measures.values()
        if scores.segments
    }
    (first, count), *others = counts.items() or [("", 0)]
    for path, other in others:
        if other != count:
            raise DataError(
                f"{path_text(first)}.seg.score has {pluralise(count, 'segment')} a system, but "
                f"{path_text(path)}.seg.score "
                f"{other}"
            )
    return count


def _references(
    folder: ScoreFolder, metrics: Mapping[str, ScoreTable], systems: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Systems that are references, and a note where only the names of metrics say so (BLEU-refA)."""
    if folder.references:
        return tuple(name for name in folder.references if name in systems), ()
    given = {name: metric for metric, table in metrics.items() for name in table.references}
    named = tuple(name for name in systems if name in given)
    notes = [
        f"{name} counts as a reference, because {given[name]} is named after it; there is no file of references"
        for name in named
    ]
    return named, tuple(notes)


def _notes(metrics: Mapping[str, _Scores], systems: Sequence[str]) -> tuple[str, ...]:
    notes = []
    for name, scores in metrics.items():
        missing = [s for s in systems if s not in scores.segments and s not in scores.systems]
        if missing:
            notes.append(f"{name} has no scores of {', '.join(missing)}; it is not judged on them")
    return tuple(notes)


def _labels(path: str, count: int) -> dict[str, tuple[str, ...]]:
    rows = [line.split("\t") if "\t" in line else line.split(maxsplit=1) for line in read_lines(path)]
    if len(rows) != count or any(len(row) < 2 for row in rows):
        return {}
    return {"domain": tuple(row[0] for row in rows), "document": tuple(row[1] for row in rows)}


def _folder(path: str, language: str | None) -> ScoreFolder:
    if not os.path.isdir(path):
        raise DataError(
            f"{path_text(path)} is no folder; a folder with scores of metrics and people was expected"
        )
    flat = os.path.isdir(os.path.join(path, "human-scores"))
    pairs = _pairs(path, flat)
    if not pairs:
        raise DataError(
            f"{path_text(path)} holds no scores: a folder of mt-metrics-eval was expected, with human-scores and "
            "metric-scores, or PAIR/human and PAIR/metrics"
        )
    pair = choose_pair(path, pairs, language)
    return _flat(path, pair) if flat else _open_folder(path, pair)


def _pairs(path: str, flat: bool) -> list[str]:
    if flat:
        names = names_in(path, "human-scores")
        return sorted({name.split(".")[0] for name in names if name.endswith(".score")})
    if os.path.isdir(os.path.join(path, "human")):
        return [os.path.basename(os.path.normpath(path))]
    return sorted(
        name
        for name in names_in(path)
        if _PAIR.fullmatch(name) and os.path.isdir(os.path.join(path, name, "human"))
    )


def _flat(path: str, pair: str) -> ScoreFolder:
    human = os.path.join(path, "human-scores")
    people = {
        name.removeprefix(f"{pair}."): os.path.join(human, name)
        for name in _measures(human)
        if name.startswith(f"{pair}.")
    }
    folder = os.path.join(path, "metric-scores", pair)
    documents = os.path.join(path, "documents", f"{pair}.docs")
    return ScoreFolder(
        pair,
        people,
        {name: os.path.join(folder, name) for name in _measures(folder)},
        documents if os.path.exists(documents) else None,
        TextPaths.flat(path, pair),
    )


def _open_folder(path: str, pair: str) -> ScoreFolder:
    folder = path if os.path.isdir(os.path.join(path, "human")) else os.path.join(path, pair)
    human, metrics = os.path.join(folder, "human"), os.path.join(folder, "metrics")
    documents = [name for name in names_in(folder) if name.startswith("docs.") and name.endswith(".tsv")]
    return ScoreFolder(
        pair,
        {name: os.path.join(human, name) for name in _measures(human)},
        {name: os.path.join(metrics, name) for name in _measures(metrics)},
        os.path.join(folder, documents[0]) if documents else None,
        TextPaths.nested(folder, pair),
    )


def _measures(folder: str) -> list[str]:
    """The names of measures with a file of segments or of systems."""
    endings = (".seg.score", ".sys.score")
    return sorted({name[: -len(e)] for name in names_in(folder) for e in endings if name.endswith(e)})


def read_texts(paths: TextPaths, count: int) -> tuple[MetaTexts, tuple[Input, ...]]:
    """The texts; each file must have one line per segment."""
    inputs: list[Input] = []

    def column(role: str, path: str) -> tuple[str, ...]:
        segments, item = read_segments(path, role)
        inputs.append(item)
        if len(segments) != count:
            raise DataError(
                f"{path_text(path)} has {len(segments)} lines, but scores are of {count} segments"
            )
        return segments

    texts = MetaTexts(
        None if paths.source is None else column("source", paths.source),
        {name: column("reference", path) for name, path in paths.references.items()},
        {name: column("system", path) for name, path in paths.outputs.items()},
    )
    return texts, tuple(inputs)


def folder_files(meta_set: MetaSet, texts: MetaTexts) -> dict[str, bytes]:
    """The files of a folder by their paths in it.

    Numbers are written so that reading gives the very same ones. Metrics without segment scores have a file of
    systems alone. mt-metrics-eval reads no `None` in a metric's file: systems without scores are left out there.
    """
    pair = meta_set.language
    if not pair:
        raise UsageError("mt-metrics-eval calls its files by the language pair: say it with -l, as in en-de")
    files: dict[str, str] = {}
    for name, table in meta_set.gold.items():
        _check(name)
        files |= _score_files(f"human-scores/{pair}.{name}", table, meta_set.systems, people=True)
    for name, table in meta_set.metrics.items():
        base = name.rpartition("-")[0] if name.endswith(f"-{table.reference or 'src'}") else name
        _check(base)
        title = f"{base}-{table.reference or 'src'}"
        files |= _score_files(f"metric-scores/{pair}/{title}", table, meta_set.systems, people=False)
    if texts.sources is not None:
        files[f"sources/{pair}.txt"] = _lines(texts.sources)
    files |= {f"references/{pair}.{name}.txt": _lines(text) for name, text in texts.references.items()}
    files |= {f"system-outputs/{pair}/{name}.txt": _lines(text) for name, text in texts.outputs.items()}
    if "document" in meta_set.labels:
        files[f"documents/{pair}.docs"] = _documents(meta_set.labels)
    return {name: text.encode("utf-8") for name, text in files.items()}


def _check(name: str) -> None:
    if "/" in name or "\\" in name or name.startswith("."):
        raise UsageError(
            f"{name!r} is no name for a file: leave its options out, or write the folder without it"
        )


def _score_files(title: str, table: ScoreTable, systems: tuple[str, ...], *, people: bool) -> dict[str, str]:
    """The two files of a measure."""
    files = {}
    rated = [
        row
        for row in range(len(systems))
        if people or not any(math.isnan(value) for value in table.segments[row])
    ]
    if any(not math.isnan(value) for row in rated for value in table.segments[row]):
        rows = [(systems[row], value) for row in rated for value in table.segments[row]]
        files[f"{title}.seg.score"] = "".join(f"{name}\t{_number(value)}\n" for name, value in rows)
    whole = [
        (name, float(value))
        for name, value in zip(systems, table.systems, strict=True)
        if people or not math.isnan(value)
    ]
    if any(not math.isnan(value) for _, value in whole):
        files[f"{title}.sys.score"] = "".join(f"{name}\t{_number(value)}\n" for name, value in whole)
    return files


def _number(value: float) -> str:
    return "None" if math.isnan(value) else repr(float(value))


def _lines(segments: tuple[str, ...]) -> str:
    broken = [str(at) for at, text in enumerate(segments, 1) if "\n" in text or "\r" in text]
    if broken:
        raise UsageError(f"segments of several lines cannot be written one a line: {some_of(broken, 5)}")
    return "".join(f"{text}\n" for text in segments)


def _documents(labels: Mapping[str, tuple[str, ...]]) -> str:
    documents = labels["document"]
    domains = labels.get("domain", ("all",) * len(documents))
    return "".join(f"{domain}\t{name}\n" for domain, name in zip(domains, documents, strict=True))


def read_judged_folders(
    folders: Sequence[str], gold: str | None, languages: Sequence[str]
) -> list[tuple[LoadedScores, str]]:
    """The scores in folders, of every language, each with the name of the people's scores to take."""
    read = []
    for folder in folders:
        for language in languages or (None,):
            loaded = read_meta_set(folder, language)
            known = list(loaded.meta_set.gold)
            if gold is None and len(known) > 1:
                raise UsageError(
                    f"{folder} has several people's scores, say which with --gold: {', '.join(known)}"
                )
            if gold is not None and gold not in known:
                raise unknown_name("scores of people", gold, known, f"in {folder}")
            read.append((loaded, gold or known[0]))
    return read
