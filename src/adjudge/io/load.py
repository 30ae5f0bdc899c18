"""From file arguments to a test set and outputs: the door the commands come through."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from adjudge.data import Outputs, TestSet
from adjudge.data.levels import SEGMENT, Level, arranged
from adjudge.errors import DataError, UsageError
from adjudge.io import formats
from adjudge.io.files import read_bytes, shown
from adjudge.io.language import Named, language_of
from adjudge.io.names import parse, qualified, stem, suffix, system_and_run
from adjudge.io.suites import Kept, without_suites
from adjudge.io.table import Input, Table
from adjudge.io.text_columns import Taken, expected_names, named_column, pick
from adjudge.io.translations import back_translated
from adjudge.io.tree_files import Text, read_trees

_PAIR = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*-[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*")
_PLACE = ("document", "testsuite")


@dataclass(frozen=True)
class Loaded:
    """A test set, what systems made of it, and the files all of it came from."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    inputs: tuple[Input, ...]
    notes: tuple[str, ...] = ()
    """What was left out on purpose, for the user to know."""


def read(path: str, *, format: str | None = None, language: str | None = None) -> Table:
    """What one file (or mt-metrics-eval folder) holds; suffix and content tell a format not given."""
    return _read(path, format, language, None)


def load(
    *,
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    test_set: str | None = None,
    labels: str | None = None,
    input_format: str | None = None,
    language: str | None = None,
    level: str | None = None,
    realign: bool = False,
    pseudo_references: Sequence[str] = (),
    back_translations: Sequence[str] = (),
    trees: Sequence[str] = (),
    stdin: BinaryIO | None = None,
) -> Loaded:
    """A test set and outputs from files; what is given apart replaces what `test_set` holds of its kind.

    Labels come from the test set, or else from the files of references and source, and before all from `labels`.
    Nothing is truncated, padded or reordered: files of different length are an error. Test suites without
    references are left out where a file marks them as such; `notes` tells so. Pseudo-references are machine
    translations of the source and count as references after the others; back-translations (SYS=FILE) are outputs
    translated back; `trees` are files of trees of any of these texts.

    With a `level`, texts are whole documents (`document`) or windows of them (`window:3`). With `realign`, outputs
    whose lines are not those of the reference are cut anew by edit distance, and `notes` tells which.
    """
    wanted = Level.of(level or SEGMENT)
    if back_translations and realign:
        raise UsageError(
            "--realign changes outputs, so that back-translations in files are not theirs any more: leave "
            "out one of the two, or let --back-translator translate what was cut anew"
        )
    shelf = Shelf(input_format, language, stdin)
    whole = shelf.test_set(test_set) if test_set is not None else None
    apart = [column for text in references for column in shelf.columns(text, "reference")]
    sources = [column for text in [source or ()] if text for column in shelf.columns(text, "source")]
    machine = [c for text in pseudo_references for c in shelf.columns(text, "reference", "pseudo_reference")]
    tables = [whole] if whole is not None else list(shelf.tables.values())
    own = {name: column for table in reversed(tables) for name, column in table.labels.items()}
    label_columns = shelf.labels(labels) if labels is not None else {}
    if not (apart or machine or sources or whole):
        raise UsageError("nothing to compare with: give a reference (-r), a source (-s) or a test set (-t)")
    # Lines that an engine merged or split are not those of the other files, so these are not held to them.
    loose = Shelf(input_format, language, stdin) if realign else shelf
    given = [column for text in systems for column in loose.columns(text, "system")]
    if whole is not None:
        apart = apart or [Taken(name, column, whole.path) for name, column in whole.references.items()]
        if not (apart or sources or whole.source):
            raise UsageError(
                f"{whole.path} holds no reference or source, but {', '.join(dict(whole.named())) or 'nothing'}; "
                f"say which one is meant: -r {whole.path}:REFERENCE {whole.path}:OUTPUT"
                f"{expected_names(whole, 'reference')}"
            )
        if not systems:
            given = [Taken(name, column, whole.path) for name, column in whole.outputs.items()]
    back = [c for text in back_translations for c in shelf.columns(text, "system", "back_translation")]
    references_taken = [*apart, *machine]
    _check_not_both(references_taken, given)
    read_tables = list(shelf.tables.values())
    kept = without_suites(read_tables, [column.segments for column in apart])
    shelf.check_aligned(kept)
    _check_referenced(references_taken, own, kept)
    whole_source = kept.fit(whole.source) if whole and whole.source is not None else None
    pair, known_by, notes = shelf.language_of(tables, references_taken, sources, given, whole)
    outputs = _outputs(given, Kept() if realign else kept)
    texts = [*references_taken, *sources, *given, *back]
    if whole is not None and whole.source is not None and not sources:
        texts.insert(len(references_taken), Taken("source", whole.source, whole.path))
    translated, unclear = back_translated(outputs, [(c.name, c.path, c.complete(kept)) for c in back])
    loaded = Loaded(
        TestSet(
            references=tuple(kept.fit(column.segments) for column in references_taken),
            sources=sources[0].complete(kept) if sources else whole_source,
            labels={name: kept.fit(column) for name, column in {**own, **label_columns}.items()},
            name=stem(whole.path if whole else (apart or machine or sources)[0].path),
            language=pair,
            language_from=known_by,
            pseudo=len(machine),
            back_translations=translated,
        ),
        outputs,
        tuple(dict.fromkeys((*shelf.inputs, *loose.inputs))),
        (*(note for table in read_tables for note in table.notes), *kept.notes, *notes, *unclear),
    )
    if trees:
        loaded = _with_trees(loaded, trees, texts)
    return _at_level(_cut_anew(loaded) if realign else loaded, wanted)


def _with_trees(loaded: Loaded, arguments: Sequence[str], texts: Sequence[Taken]) -> Loaded:
    """The same with trees of these texts, from files."""
    read = read_trees(arguments, [Text(text.name, text.path, text.segments) for text in texts])
    return Loaded(
        replace(loaded.test_set, trees=read.treebank),
        loaded.outputs,
        (*loaded.inputs, *read.inputs),
        (*loaded.notes, *read.notes),
    )


def _cut_anew(loaded: Loaded) -> Loaded:
    """The outputs with a segment for every reference, and a note on each that had other lines."""
    references = next((column for column in loaded.test_set.references if None not in column), None)
    if references is None:
        raise UsageError(
            "--realign cuts outputs where a reference is cut: it needs one that every segment has (-r)"
        )
    from adjudge.io.realignment import realigned  # late: it loads numpy

    texts = [text or "" for text in references]
    cut = [(output, realigned(output.segments, texts)) for output in loaded.outputs]
    return replace(
        loaded,
        outputs=tuple(replace(output, segments=new.segments) for output, new in cut),
        notes=(*loaded.notes, *filter(None, (new.note(output.title) for output, new in cut))),
    )


def _at_level(loaded: Loaded, level: Level) -> Loaded:
    """The same texts as documents or windows."""
    test_set, outputs = arranged(loaded.test_set, loaded.outputs, str(level))
    return replace(loaded, test_set=test_set, outputs=outputs)


def texts_of(arguments: Sequence[str], stdin: BinaryIO | None = None) -> tuple[list[Text], list[Input]]:
    """The texts that arguments mean, whatever they serve as, and the files they are in."""
    shelf = Shelf(None, None, stdin)
    columns = [column for text in arguments for column in shelf.columns(text, "reference", "text")]
    return [Text(column.name, column.path, column.segments) for column in columns], list(shelf.inputs)


class Shelf:
    """The files of one call: each read once, all of them remembered."""

    def __init__(self, form: str | None, language: str | None, stdin: BinaryIO | None) -> None:
        self.form = None if form is None else formats.check_format(form)
        self.language = language
        self.stdin = stdin
        self.tables: dict[tuple[str, str | None, str | None], Table] = {}
        self.inputs: dict[Input, None] = {}  # a set that keeps the order
        self.asked = ("", "")
        """The language that was asked for, and how."""
        if language:
            self.asked = (language, "-l")

    def test_set(self, text: str) -> Table:
        """The container that may hold everything; behind the colon its language or language pair."""
        arguments = list(parse(text))
        if len(arguments) != 1:
            raise UsageError(f"one test set (-t) was expected, {text!r} matches {len(arguments)}")
        path, pair = arguments[0].path, arguments[0].column
        table = self._table(path, "test_set", language=pair or self.language)
        # Formats with several languages have looked it up; the others take down whatever it is.
        looked_up = pair in table.further  # a language of a TMX file
        if pair and table.language == pair and not (looked_up or _PAIR.fullmatch(pair)):
            raise UsageError(
                f"{path}:{pair}: only a language pair (en-de) can stand behind a test set; "
                f"for columns: -r {path}:REFERENCE {path}:OUTPUT"
            )
        if pair:
            self.asked = (table.language or pair, f"-t …:{pair}")
        return table

    def language_of(
        self,
        tables: Sequence[Table],
        references: Sequence[Taken],
        sources: Sequence[Taken],
        outputs: Sequence[Taken],
        whole: Table | None,
    ) -> tuple[str, str, tuple[str, ...]]:
        """The language pair or target, how it is known, and what to tell of it: asked for, in files, in their names."""
        if self.asked[0]:
            return *self.asked, ()
        texts = {"reference": references, "source": sources, "system": outputs}
        if whole is not None and whole.source is not None and not sources:
            texts["source"] = [Taken("source", whole.source, whole.path)]
        named = {
            role: [Named(taken.path, taken.column) for taken in columns] for role, columns in texts.items()
        }
        return language_of(tables, named)

    def labels(self, text: str) -> dict[str, tuple[str, ...]]:
        """All columns of a file with a header, or the one behind the colon, as labels."""
        labels: dict[str, tuple[str, ...]] = {}
        for argument in parse(text):
            table = self._table(argument.path, "labels", form=_label_format(argument.path))
            columns = table.columns or table.labels
            chosen = {argument.column: named_column(table, argument.column)} if argument.column else columns
            # the usual synonyms (docid, origlang) are known by the field's own word
            words = {id(column): name for name, column in table.labels.items()}
            for name, column in chosen.items():
                labels[words.get(id(column), name)] = Taken(name, column, table.path).complete()
        return labels

    def columns(self, text: str, role: str, purpose: str = "") -> list[Taken]:
        """The columns one argument means in a role; results name the file by its purpose, if that is another."""
        return [
            column
            for argument in parse(text, named=role == "system")
            for column in pick(self._table(argument.path, purpose or role), argument, role)
        ]

    def check_aligned(self, kept: Kept) -> None:
        """Refuse files of different lengths, and files that say themselves that they are in another order."""
        tables = list(self.tables.values())
        self._check_lengths(tables, kept)
        known = [(table.path, kept.fit(table.keys)) for table in tables if table.keys is not None]
        for path, keys in known[1:]:
            if keys != known[0][1]:
                at = next(i for i, (a, b) in enumerate(zip(known[0][1], keys, strict=True)) if a != b)
                raise DataError(
                    f"segment {at + 1} is {known[0][1][at]} in {known[0][0]}, but {keys[at]} in {path}; "
                    "they must be the same segments in the same order"
                )
        told = [(table.path, kept.fit(table.source)) for table in tables if table.source is not None]
        for path, source in told[1:]:
            # other words can be another tokenisation; the same words elsewhere are another order
            if source != told[0][1] and Counter(source) == Counter(told[0][1]):
                at = next(i for i, (a, b) in enumerate(zip(told[0][1], source, strict=True)) if a != b)
                raise DataError(
                    f"{told[0][0]} and {path} have the same sources in another order, from segment {at + 1} on; "
                    "they must be the same segments in the same order"
                )

    @staticmethod
    def _check_lengths(tables: Sequence[Table], kept: Kept) -> None:
        first = next((table for table in tables if table.path == kept.path), tables[0])
        allowed = {len(first), len(kept.rows)} if kept.rows else {len(first)}
        without = f" ({len(kept.rows)} without the test suites that have no references)" if kept.rows else ""
        for table in tables:
            if len(table) not in allowed:
                raise DataError(
                    f"{shown(first.path)} has {len(first)} segments{without}, "
                    f"but {shown(table.path)} has {len(table)}; they must be the same segments in the same order "
                    "(--realign cuts outputs anew where an engine merged or split lines)"
                )

    def _table(self, path: str, role: str, form: str | None = None, language: str | None = None) -> Table:
        key = (path, form or self.form, language or self.language)
        if path == "-" and any(known[0] == "-" for known in self.tables):
            raise UsageError("standard input (-) can be given once only")
        if key not in self.tables:
            self.tables[key] = _read(*key, self.stdin)
        table = self.tables[key]
        one_file = len(table.inputs) == 1
        self.inputs.update((replace(i, role=role) if one_file else i, None) for i in table.inputs)
        return table


def _read(path: str, form: str | None, language: str | None, stdin: BinaryIO | None) -> Table:
    if form is not None:
        formats.check_format(form)
    if os.path.isdir(path) and (form == "mtme" or (form is None and formats.is_mtme(path))):
        return formats.reader("mtme").read(path, b"", language)
    data, sha256 = read_bytes(path, stdin if path == "-" else None)
    if form == "mtme":
        raise DataError(f"{path} is a file; an mt-metrics-eval folder was expected")
    table = formats.reader(form or formats.detect(path, data)).read(path, data, language)
    return replace(table, inputs=(Input("test_set", path, sha256),))


def _label_format(path: str) -> str | None:
    """The format of a file of labels: its suffix tells, whatever the format of the texts, and most are TSV."""
    if os.path.isdir(path) or suffix(path) == ".xml":
        return None
    detected = formats.detect(path, b"")
    return "tsv" if detected == "text" else detected


def _check_not_both(references: Sequence[Taken], outputs: Sequence[Taken]) -> None:
    """Refuse a text that is held against itself: the score would say nothing."""
    for reference in references:
        for output in outputs:
            if output.segments is reference.segments:
                named = reference.column or output.column
                column = f":{named}" if named else ""
                raise UsageError(
                    f"{shown(reference.path)}{column} is taken for the reference and for a system's output at once; "
                    f"give two files, or two columns: -r {shown(reference.path)}:REFERENCE {shown(output.path)}:OUTPUT"
                )


def _check_referenced(columns: Sequence[Taken], labels: Mapping[str, tuple[str, ...]], kept: Kept) -> None:
    references = [kept.fit(column.segments) for column in columns]
    if references and all(None in column for column in references):
        for at, segment in enumerate(zip(*references, strict=True)):
            if all(reference is None for reference in segment):
                paths = " and ".join(sorted({column.path for column in columns}))
                places = {name: kept.fit(labels[name])[at] for name in _PLACE if name in labels}
                place = ", ".join(f"{name} {value!r}" for name, value in places.items() if value)
                number = kept.number(at, columns[0].segments)
                raise DataError(
                    f"{paths}: segment {number}{place and f' ({place})'} has no reference at all; "
                    "give it one, or take it out of all files"
                )


def _check_runs(columns: Sequence[Taken], names: Sequence[tuple[str, str]]) -> None:
    """Refuse a system beside training runs of its own: is it one more run, or another system?"""
    whole = {system: column for (system, run), column in zip(names, columns, strict=True) if not run}
    for (system, run), column in zip(names, columns, strict=True):
        if run and system in whole:
            first = shown(whole[system].path)
            raise UsageError(
                f"{first} is called {system}, and {shown(column.path)} is run {run} of {system}: one more run of it or "
                f"another system? Say which: {system}.run0={first} or OTHER-NAME={first}"
            )


def _outputs(columns: Sequence[Taken], kept: Kept) -> tuple[Outputs, ...]:
    """Outputs whose names tell them apart: two of one name are qualified with their folders."""
    names = [system_and_run(column.name) for column in columns]
    _check_runs(columns, names)
    count = Counter(names)
    apart = [
        (qualified(name[0], column.path), name[1]) if count[name] > 1 else name
        for name, column in zip(names, columns, strict=True)
    ]
    for (system, run), times in Counter(apart).items():
        if times > 1:
            paths = [
                column.path for name, column in zip(apart, columns, strict=True) if name == (system, run)
            ]
            if len(set(paths)) == 1 and system == qualified(names[apart.index((system, run))][0], paths[0]):
                raise UsageError(f"{shown(paths[0])} is given {times} times as a system; once is enough")
            title = Outputs(system, (), run).title
            raise UsageError(f"{times} outputs are called {title!r}; name them apart: NAME=FILE")
    return tuple(
        Outputs(system, column.complete(kept), run)
        for (system, run), column in zip(apart, columns, strict=True)
    )
