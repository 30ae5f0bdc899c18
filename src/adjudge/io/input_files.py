"""The files of one call: which columns each argument means, and whether all files have the same segments.

An argument names a column (PATH:COLUMN), or means those of the role that the file has in a test set. Test suites
without references, which WMT's files hold beside the test set proper, are left out with a note.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, TypeVar, cast

from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io import formats
from adjudge.io.columns import OUTPUT, SOURCE
from adjudge.io.files import missing_file, path_text, read_bytes
from adjudge.io.names import Argument, is_named_set, leads_to_file, parse, stem, suffix
from adjudge.io.remote import shown_address
from adjudge.io.table import Column, Input, TextTable, check_single, number_columns
from adjudge.wording import pluralise, some_of

Text = TypeVar("Text", str, str | None)
_NAMES = 3  # files named in a note before the rest is only counted


@dataclass(frozen=True)
class SuiteSelection:
    """Which segments remain of the files that have all of them; files that have only these are as they are."""

    path: str = ""
    total: int = -1
    """Segments before any was left out; -1 where none is."""
    rows: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def fit(self, column: tuple[Text, ...]) -> tuple[Text, ...]:
        """The kept segments of a column."""
        return tuple(column[row] for row in self.rows) if len(column) == self.total else column

    def number(self, at: int, column: Column) -> int:
        """Which segment of its file, from 1, the kept segment `at` of a column is."""
        return (self.rows[at] if len(column) == self.total else at) + 1


_ALL = SuiteSelection()


@dataclass(frozen=True)
class PickedColumn:
    """A column taken from a file."""

    name: str
    segments: Column
    path: str
    column: str = ""
    """The name it was asked for by, as in PATH:COLUMN."""

    def complete(self, kept: SuiteSelection = _ALL) -> tuple[str, ...]:
        """The segments that are kept, all of which must be there."""
        segments = kept.fit(self.segments)
        if None in segments:
            first = kept.number(segments.index(None), self.segments)
            raise DataError(
                f"{self.path}: segment {first} of {self.name!r} is missing; "
                "an empty text was expected at least (only references may be missing)"
            )
        return cast("tuple[str, ...]", segments)


_PAIR = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*-[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*")


class InputFiles:
    """The files of one call: each read once, all of them remembered."""

    def __init__(self, form: str | None, language: str | None, stdin: BinaryIO | None) -> None:
        self.form = None if form is None else formats.check_format(form)
        self.language = language
        self.stdin = stdin
        self.tables: dict[tuple[str, str | None, str | None], TextTable] = {}
        self.inputs: dict[Input, None] = {}  # a set that keeps the order
        self.named_language = ("", "")
        """The language that was asked for, and how."""
        if language:
            self.named_language = (language, "-l")

    def test_set(self, text: str) -> TextTable:
        """The container that may hold everything; behind the colon its language or language pair."""
        arguments = list(parse(text))
        if len(arguments) != 1:
            raise UsageError(f"one test set (-t) was expected, {text!r} matches {len(arguments)}")
        path, pair = arguments[0].path, arguments[0].column
        if path != "-" and not leads_to_file(path):
            from adjudge.io import named_sets  # late: few need it

            raise DataError(missing_file(path) + named_sets.hint(path))
        table = self._table(path, "test_set", language=pair or self.language)
        # Formats with several languages have looked it up; the others take down whatever it is.
        looked_up = pair in table.further  # a language of a TMX file
        if pair and table.language == pair and not (looked_up or _PAIR.fullmatch(pair)):
            raise UsageError(
                f"{path}:{pair}: only a language pair (en-de) can stand behind a test set; "
                f"for columns: -r {path}:REFERENCE {path}:OUTPUT"
            )
        if pair:
            self.named_language = (table.language or pair, f"-t …:{pair}")
        return table

    def labels(self, text: str) -> dict[str, tuple[str, ...]]:
        """All columns of a file with a header, or the one behind the colon, as labels."""
        return {label: column.complete() for label, column in self.label_columns(text)}

    def label_columns(self, text: str) -> Iterator[tuple[str, PickedColumn]]:
        """The label columns of a file with a header, or the one behind the colon, each with its place."""
        for argument in parse(text):
            table = self._table(argument.path, "labels", form=_label_format(argument.path))
            columns = table.columns or table.labels
            chosen = {argument.column: named_column(table, argument.column)} if argument.column else columns
            # the usual synonyms (docid, origlang) are known by the field's own word
            words = {id(column): name for name, column in table.labels.items()}
            for name, column in chosen.items():
                yield words.get(id(column), name), PickedColumn(name, column, table.path)

    def columns(self, text: str, role: str, purpose: str = "") -> list[PickedColumn]:
        """The columns one argument means in a role; results name the file by its purpose, if that is another."""
        return [
            column
            for argument in parse(text, named=role == "system")
            for column in pick(self._table(argument.path, purpose or role), argument, role)
        ]

    def check_aligned(self, kept: SuiteSelection) -> None:
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
    def _check_lengths(tables: Sequence[TextTable], kept: SuiteSelection) -> None:
        first = next((table for table in tables if table.path == kept.path), tables[0])
        allowed = {len(first), len(kept.rows)} if kept.rows else {len(first)}
        without = f" ({len(kept.rows)} without the test suites that have no references)" if kept.rows else ""
        for table in tables:
            if len(table) not in allowed:
                raise DataError(
                    f"{path_text(first.path)} has {pluralise(len(first), 'segment')}{without}, "
                    f"but {path_text(table.path)} has {len(table)}; they must be the same segments in the same order "
                    "(--realign cuts outputs anew where an engine merged or split lines)"
                )

    def _table(self, path: str, role: str, form: str | None = None, language: str | None = None) -> TextTable:
        key = (path, form or self.form, language or self.language)
        if path == "-" and any(known[0] == "-" for known in self.tables):
            raise UsageError("standard input (-) can be given once only")
        if key not in self.tables:
            self.tables[key] = self.read_table(*key)
        table = self.tables[key]
        one_file = len(table.inputs) == 1
        self.inputs.update((replace(i, role=role) if one_file else i, None) for i in table.inputs)
        return table

    def read_table(self, path: str, form: str | None, language: str | None) -> TextTable:
        """What one file or folder holds, in its format or the one that its name and content tell."""
        if is_named_set(path):
            from adjudge.io import named_sets  # late: few need it

            return named_sets.read(path, language)
        if os.path.isdir(path) and (form == "mtme" or (form is None and formats.is_mtme(path))):
            return formats.reader("mtme")(path, b"", language)
        data, sha256 = read_bytes(path, self.stdin if path == "-" else None)
        if form == "mtme":
            raise DataError(f"{path} is a file; an mt-metrics-eval folder was expected")
        path = shown_address(path)  # from here on it is only told
        table = formats.reader(form or formats.detect(path, data))(path, data, language)
        return replace(table, inputs=(Input("test_set", path, sha256),))


def _label_format(path: str) -> str | None:
    """The format of a file of labels: its suffix tells, whatever the format of the texts, and most are TSV."""
    if os.path.isdir(path) or suffix(path) == ".xml":
        return None
    detected = formats.detect(path, b"")
    return "tsv" if detected == "text" else detected


def named_column(table: TextTable, column: str) -> Column:
    """The column of that name, or an error with the nearest one."""
    known = dict(reversed(list(table.named())))
    if column not in known:
        raise unknown_name("column", column, known, f"in {table.path}")
    return known[column]


def pick(table: TextTable, argument: Argument, role: str) -> list[PickedColumn]:
    """The columns an argument means: the one it names, else those of its role, else the only one there is."""
    own: Mapping[str, Column]
    if argument.column:
        chosen = named_column(table, argument.column)
        name = next((name for name, output in table.outputs.items() if output is chosen), argument.column)
        further = table.further.get(argument.column, ())
        if role != "reference":
            check_single(table.path, argument.column, further)
        own = number_columns(name, chosen, further)
    else:
        texts = table.texts()
        own, other = {
            "reference": (table.references, table.outputs),
            "system": (table.outputs, table.references),
            "source": ({} if table.source is None else {"source": table.source}, {}),
        }[role]
        # a translation is a translation: the target of an XLIFF file can be reference or output
        only = other if len(other) == 1 else texts if len(texts) == 1 else {}
        own = own or {stem(table.path): column for column in only.values()}
        if not own:
            raise _which(table, role)
    if argument.name:
        if len(own) > 1:
            raise UsageError(
                f"{argument.name}={table.path} names {len(own)} outputs at once ({', '.join(own)}); "
                f"say which one: {argument.name}={table.path}:COLUMN"
            )
        own = {argument.name: next(iter(own.values()))}
    return [PickedColumn(name, column, table.path, argument.column) for name, column in own.items()]


def _which(table: TextTable, role: str) -> UsageError:
    columns = ", ".join(table.texts() or dict(table.named())) or "nothing"
    return UsageError(
        f"{table.path} holds no {role}, but {columns}; say which one is meant: {table.path}:COLUMN"
        f"{expected_names(table, role)}"
    )


def expected_names(table: TextTable, role: str) -> str:
    """The names by which columns are known, for files whose columns have names."""
    if not table.columns:
        return ""
    names = {"source": SOURCE, "reference": ("ref", "refA", "reference"), "system": (*OUTPUT, "mt.NAME")}[
        role
    ]
    return f", or call it one of {', '.join(names)}"


def without_suites(tables: Sequence[TextTable], references: Sequence[Column]) -> SuiteSelection:
    """Leave out the documents that a file calls test suites and for which none of the references is there.

    The references taken decide; where they are of another length (someone has left the test suites out of
    them), those of the file itself do, or the documents of the file that has references.
    """
    whole = next((t for t in tables if t.keys is not None and any(t.labels.get("testsuite", ()))), None)
    if whole is None or not references:
        return SuiteSelection()
    documents, suites = whole.labels["document"], whole.labels["testsuite"]
    columns = [c for c in references if len(c) == len(whole)] or list(whole.references.values())
    referenced = {
        document
        for column in columns
        for document, text in zip(documents, column, strict=True)
        if text is not None
    }
    if not columns:  # a file without references beside another of documents that has them
        others = (t for t in tables if t.keys is not None and t.references)
        referenced = {document for table in others for document in table.labels["document"]}
    rows = tuple(
        row
        for row, (document, suite) in enumerate(zip(documents, suites, strict=True))
        if document in referenced or not suite
    )
    if not (referenced and rows) or len(rows) == len(whole):
        return SuiteSelection()
    return SuiteSelection(whole.path, len(whole), rows, (_note(whole, rows, tables),))


def _note(whole: TextTable, rows: tuple[int, ...], tables: Sequence[TextTable]) -> str:
    kept = set(rows)
    out = [row for row in range(len(whole)) if row not in kept]
    documents = len({whole.labels["document"][row] for row in out})
    suites = sorted({whole.labels["testsuite"][row] for row in out})
    others = [path_text(table.path) for table in tables if table is not whole and len(table) == len(whole)]
    return (
        f"{path_text(whole.path)}: left out {pluralise(documents, 'document')} ({pluralise(len(out), 'segment')}) "
        f"of test suites without references: {', '.join(suites)}"
        + (f"; the same segments were left out of {some_of(others, _NAMES)}" if others else "")
    )
