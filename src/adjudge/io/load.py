"""From file arguments to a test set and outputs: the door the commands come through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO

from adjudge.data import Outputs, TestSet
from adjudge.data.levels import TextLevel, arrange_at_level
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.files import check_segments, path_text
from adjudge.io.input_files import (
    InputFiles,
    PickedColumn,
    SuiteSelection,
    expected_names,
    without_suites,
)
from adjudge.io.language import language_of
from adjudge.io.names import looks_like_reference, qualify_name, stem, system_and_run
from adjudge.io.table import Input, TextTable
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.io.tree_files import TreeText

_PLACE = ("document", "testsuite")
ENOUGH = 10
"""Segments; in fewer, a system may equal a reference by chance."""


@dataclass(frozen=True)
class Loaded:
    """A test set, what systems made of it, and the files all of it came from."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    inputs: tuple[Input, ...]
    notes: tuple[str, ...] = ()
    """Notes about what was left out on purpose."""


def read(path: str, *, format: str | None = None, language: str | None = None) -> TextTable:
    """What one file (or mt-metrics-eval folder) holds; suffix and content tell a format not given."""
    return InputFiles(format, language, None).read_table(path, format, language)


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
    if level is not None:
        TextLevel.of(level)  # one that cannot be read is refused before any file is read
    if back_translations and realign:
        raise UsageError(
            "--realign changes outputs, so that back-translations in files are not theirs any more: leave "
            "out one of the two, or let --back-translator translate what was cut anew"
        )
    input_files = InputFiles(input_format, language, stdin)
    # Lines that an engine merged or split are not those of the other files, so these are not held to them.
    output_files = InputFiles(input_format, language, stdin) if realign else input_files
    columns = columns_of(
        input_files, output_files, systems, references, source, pseudo_references, labels, test_set
    )
    back = [c for text in back_translations for c in input_files.columns(text, "system", "back_translation")]
    loaded = _make_loaded(columns, back, input_files, output_files, _reference_notes(columns))
    if trees:
        loaded = _with_trees(loaded, trees, [*columns.texts, *back])
    if realign:
        loaded = _with_realigned_outputs(loaded)
    if level is None:
        return loaded
    arranged, outputs = arrange_at_level(loaded.test_set, loaded.outputs, level)
    return replace(loaded, test_set=arranged, outputs=outputs)


def columns_of(
    input_files: InputFiles,
    output_files: InputFiles,
    systems: Sequence[str],
    references: Sequence[str],
    source: str | None,
    pseudo_references: Sequence[str],
    labels: str | None = None,
    test_set: str | None = None,
) -> InputColumns:
    """The columns that arguments mean; what is not given apart is what the test set's file holds of its kind."""
    whole = input_files.test_set(test_set) if test_set is not None else None
    apart = [column for text in references for column in input_files.columns(text, "reference")]
    sources = input_files.columns(source, "source") if source else []
    machine = [
        c for text in pseudo_references for c in input_files.columns(text, "reference", "pseudo_reference")
    ]
    tables = [whole] if whole is not None else list(input_files.tables.values())
    own = {name: column for table in reversed(tables) for name, column in table.labels.items()}
    label_columns = input_files.labels(labels) if labels is not None else {}
    if not (apart or machine or sources or whole):
        raise UsageError("nothing to compare with: give a reference (-r), a source (-s) or a test set (-t)")
    outputs = [column for text in systems for column in output_files.columns(text, "system")]
    if whole is not None:
        apart = apart or [PickedColumn(name, column, whole.path) for name, column in whole.references.items()]
        if whole.source is not None and not sources:
            sources = [PickedColumn("source", whole.source, whole.path)]
        if not (apart or sources):
            raise UsageError(
                f"{whole.path} holds no reference or source, but {', '.join(dict(whole.named())) or 'nothing'}; "
                f"say which one is meant: -r {whole.path}:REFERENCE {whole.path}:OUTPUT"
                f"{expected_names(whole, 'reference')}"
            )
        outputs = outputs or [
            PickedColumn(name, column, whole.path) for name, column in whole.outputs.items()
        ]
    return InputColumns(whole, apart, machine, sources, tables, {**own, **label_columns}, outputs)


def loaded_from(columns: InputColumns, input_files: InputFiles) -> Loaded:
    """The test set and outputs of these columns."""
    return _make_loaded(columns, [], input_files, input_files, _reference_notes(columns, names_only=True))


@dataclass(frozen=True)
class InputColumns:
    """The columns that arguments mean, by what they serve as."""

    whole: TextTable | None
    """The file of a test set that may hold everything."""
    references: Sequence[PickedColumn]
    pseudo: Sequence[PickedColumn]
    sources: Sequence[PickedColumn]
    tables: Sequence[TextTable]
    """The files that tell labels and languages by themselves."""
    labels: Mapping[str, tuple[str, ...]]
    systems: Sequence[PickedColumn]

    @property
    def all_references(self) -> list[PickedColumn]:
        """Those by people, then those by machines."""
        return [*self.references, *self.pseudo]

    @property
    def texts(self) -> list[PickedColumn]:
        """References, sources and outputs."""
        return [*self.all_references, *self.sources, *self.systems]

    @property
    def name(self) -> str:
        """What the test set is called: as its file, or the first one of a reference or source."""
        return stem(self.whole.path if self.whole else [*self.all_references, *self.sources][0].path)


def _make_loaded(
    columns: InputColumns,
    back: Sequence[PickedColumn],
    input_files: InputFiles,
    output_files: InputFiles,
    doubts: Sequence[str],
) -> Loaded:
    """The test set and outputs of these columns, once they are known to be of the same segments."""
    references, sources = columns.all_references, columns.sources
    _check_not_both(references, columns.systems)
    for text in columns.texts:
        check_segments(text.path, text.segments)
    read_tables = list(input_files.tables.values())
    kept = without_suites(read_tables, [column.segments for column in columns.references])
    input_files.check_aligned(kept)
    if references and all(None in column.segments for column in references):
        _check_references(references, columns.labels, kept)
    pair, known_by = input_files.named_language
    notes: tuple[str, ...] = ()
    if not pair:
        by_role = {"reference": references, "source": sources, "system": columns.systems}
        pair, known_by, notes = language_of(columns.tables, by_role)
    outputs = _outputs(columns.systems, kept if output_files is input_files else SuiteSelection())
    translated: dict[str, str] = {}
    unclear: list[str] = []
    if back:
        files = [(column.name, column.path, column.complete(kept)) for column in back]
        translated, unclear = match_back_translations(outputs, files)
    return Loaded(
        TestSet(
            references=tuple(kept.fit(column.segments) for column in references),
            sources=sources[0].complete(kept) if sources else None,
            labels={name: kept.fit(column) for name, column in columns.labels.items()},
            name=columns.name,
            language=pair,
            language_from=known_by,
            pseudo=len(columns.pseudo),
            back_translations=translated,
        ),
        outputs,
        tuple(dict.fromkeys((*input_files.inputs, *output_files.inputs))),
        (*(note for table in read_tables for note in table.notes), *kept.notes, *notes, *unclear, *doubts),
    )


def _with_trees(loaded: Loaded, arguments: Sequence[str], texts: Sequence[PickedColumn]) -> Loaded:
    """A loaded test set with trees of its texts, from files."""
    from adjudge.io.tree_files import TreeText, read_trees

    read = read_trees(arguments, [TreeText(text.name, text.path, text.segments) for text in texts])
    return Loaded(
        replace(loaded.test_set, trees=read.treebank),
        loaded.outputs,
        (*loaded.inputs, *read.inputs),
        (*loaded.notes, *read.notes),
    )


def _with_realigned_outputs(loaded: Loaded) -> Loaded:
    """The outputs with a segment for every reference, and a note on each that had other lines."""
    references = loaded.test_set.references
    if not references:
        raise UsageError("--realign cuts outputs where references are cut: it needs one at least (-r)")
    from adjudge.io.realignment import realign_output  # late: it loads numpy

    cut = [(output, realign_output(output.segments, references)) for output in loaded.outputs]
    return replace(
        loaded,
        test_set=replace(loaded.test_set, realigned=True),
        outputs=tuple(replace(output, segments=new.segments) for output, new in cut),
        notes=(*loaded.notes, *filter(None, (new.note(output.title) for output, new in cut))),
    )


def texts_of(arguments: Sequence[str], stdin: BinaryIO | None = None) -> tuple[list[TreeText], list[Input]]:
    """The texts that arguments mean, whatever they serve as, and the files they are in."""
    from adjudge.io.tree_files import TreeText

    input_files = InputFiles(None, None, stdin)
    columns = [column for text in arguments for column in input_files.columns(text, "reference", "text")]
    return [TreeText(column.name, column.path, column.segments) for column in columns], list(
        input_files.inputs
    )


def _check_not_both(references: Sequence[PickedColumn], outputs: Sequence[PickedColumn]) -> None:
    """Refuse a text that is held against itself: the score would say nothing."""
    for reference in references:
        for output in outputs:
            if output.segments is reference.segments:
                named = reference.column or output.column
                column = f":{named}" if named else ""
                raise UsageError(
                    f"{path_text(reference.path)}{column} is taken for the reference and for a system's "
                    "output at once; "
                    f"give two files, or two columns: -r {path_text(reference.path)}:REFERENCE "
                    f"{path_text(output.path)}:OUTPUT"
                )


def _reference_notes(columns: InputColumns, *, names_only: bool = False) -> list[str]:
    """What to say of systems that are probably references, as in `-r ref.A.en ref.B.en`, where -r takes one file."""
    notes = []
    for output in columns.systems:
        why = _why_reference(output, columns.references, names_only=names_only)
        if why and (columns.whole is None or output.path != columns.whole.path):
            file = path_text(output.path) + (f":{output.column}" if output.column else "")
            notes.append(
                f"{file} counts as a system, but {why}; if it is a reference, give it as one (-r {file}), and if it is "
                f"a system, give it a name (NAME={file})"
            )
    return notes


def _why_reference(output: PickedColumn, references: Sequence[PickedColumn], *, names_only: bool) -> str:
    """Why a system is probably a reference; empty where nothing says so."""
    if not names_only and len(output.segments) >= ENOUGH:
        for reference in references:
            if output.segments == reference.segments:
                return f"all its segments are those of the reference {path_text(reference.path)}"
    called = output.column or output.path
    # A name that was given to it, as in NAME=FILE, says that it is meant as a system.
    if output.name == (output.column or stem(output.path)) and looks_like_reference(
        called, [reference.path for reference in references]
    ):
        return "its name looks like that of a reference"
    return ""


def _check_references(
    columns: Sequence[PickedColumn], labels: Mapping[str, tuple[str, ...]], kept: SuiteSelection
) -> None:
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


def _check_runs(columns: Sequence[PickedColumn], names: Sequence[tuple[str, str]]) -> None:
    """Refuse a system beside training runs of its own: is it one more run, or another system?"""
    whole = {system: column for (system, run), column in zip(names, columns, strict=True) if not run}
    for (system, run), column in zip(names, columns, strict=True):
        if run and system in whole:
            first = path_text(whole[system].path)
            raise UsageError(
                f"{first} is called {system}, and {path_text(column.path)} is run {run} of {system}: one "
                "more run of it or "
                f"another system? Say which: {system}.run0={first} or OTHER-NAME={first}"
            )


def _outputs(columns: Sequence[PickedColumn], kept: SuiteSelection) -> tuple[Outputs, ...]:
    """Outputs whose names tell them apart: two of one name are qualified with their folders."""
    names = [system_and_run(column.name) for column in columns]
    if any(run for _, run in names):
        _check_runs(columns, names)
    count = Counter(names)
    apart = [
        (qualify_name(name[0], column.path), name[1]) if count[name] > 1 else name
        for name, column in zip(names, columns, strict=True)
    ]
    for (system, run), times in Counter(apart).items():
        if times > 1:
            paths = [
                column.path for name, column in zip(apart, columns, strict=True) if name == (system, run)
            ]
            if len(set(paths)) == 1 and system == qualify_name(
                names[apart.index((system, run))][0], paths[0]
            ):
                raise UsageError(f"{path_text(paths[0])} is given {times} times as a system; once is enough")
            title = Outputs(system, (), run).title
            raise UsageError(f"{times} outputs are called {title!r}; name them apart: NAME=FILE")
    return tuple(
        Outputs(system, column.complete(kept), run)
        for (system, run), column in zip(apart, columns, strict=True)
    )


def match_back_translations(
    outputs: Sequence[Outputs], files: Sequence[tuple[str, str, Sequence[str]]]
) -> tuple[dict[str, str], list[str]]:
    """The back-translation of each output by its text, and what to tell of it; files are (name, path, segments)."""
    by_name = {(output.system, output.run): output for output in outputs}
    given: list[tuple[Sequence[str], Sequence[str]]] = []
    for name, path, segments in files:
        output = by_name.get(system_and_run(name))
        if output is None and len(files) == len(outputs) == 1:
            output = outputs[0]
        if output is None:
            raise unknown_name(
                "system",
                name,
                [output.title for output in outputs],
                f"say whose back-translation {path} is: --back-translation SYS={path}",
            )
        given.append((output.segments, segments))
    return by_text(given)


def by_text(columns: Sequence[tuple[Sequence[str], Sequence[str]]]) -> tuple[dict[str, str], list[str]]:
    """Translations by the text that was translated, the first of each; a warning counts texts that have several."""
    translations: dict[str, str] = {}
    unclear: dict[str, None] = {}
    for texts, translated in columns:
        for text, translation in zip(texts, translated, strict=True):
            if translations.setdefault(text, translation) != translation:
                unclear[text] = None
    if not unclear:
        return translations, []
    example = next(iter(unclear))[:40]
    return translations, [
        f"{pluralise(len(unclear), 'output')} with several back-translations, of which the first counts (as "
        f"{example!r})"
    ]
