"""From file arguments to a corpus, whatever the files hold: what io refuses is examined all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from adjudge.checks.corpus import Corpus, Raw, Role, Text
from adjudge.checks.files import UTF16_BOMS, lenient_lines
from adjudge.checks.language import languages_of
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError
from adjudge.io import Input, formats, load
from adjudge.io.files import check_segments, path_text, read_bytes
from adjudge.io.input_files import InputFiles
from adjudge.io.language import of_suffix
from adjudge.io.names import parse, stem, suffix, system_and_run
from adjudge.io.table import Column


@dataclass(frozen=True)
class Files:
    """File arguments as `adjudge.io.load` takes them."""

    systems: Sequence[str] = ()
    references: Sequence[str] = ()
    source: str | None = None
    test_set: str | None = None
    labels: str | None = None
    input_format: str | None = None
    language: str | None = None
    stdin: BinaryIO | None = None


@dataclass
class _Reader:
    """Reads each argument by itself, and remembers what could not be read."""

    files: Files
    stdin: bytes | None
    raw: list[Raw] = field(default_factory=list)
    inputs: dict[Input, None] = field(default_factory=dict)
    refused: dict[tuple[str, str], None] = field(default_factory=dict)

    def stream(self) -> BinaryIO | None:
        return None if self.stdin is None else BytesIO(self.stdin)

    def arguments(self) -> Iterator[tuple[Role, str]]:
        yield from (("reference", text) for text in self.files.references)
        if self.files.source is not None:
            yield "source", self.files.source
        yield from (("system", text) for text in self.files.systems)

    def texts(self, role: Role, text: str) -> Iterator[Text]:
        """What one argument means; files of plain text are taken as they come."""
        try:
            arguments = list(parse(text, named=role == "system"))
        except DataError as error:
            self.refused[text, str(error)] = None
            return
        for argument in arguments:
            path = argument.path
            try:
                if self.is_plain(path) and not argument.column:
                    data, sha256 = read_bytes(path, self.stream() if path == "-" else None)
                    segments = lenient_lines(data)
                    check_segments(path, segments)
                    self.inputs[Input(role, path, sha256)] = None
                    name = _title(argument.name or stem(path)) if role == "system" else path_text(path)
                    self.raw.append(Raw(role, name, path, data, name if role == "system" else ""))
                    yield _text(role, name, segments, path, _run(argument.name or stem(path)))
                else:
                    column = f":{argument.column}" if argument.column else ""
                    name = f"{argument.name}=" if argument.name else ""
                    yield from self.columns(role, f"{name}{path}{column}", path)
            except DataError as error:
                self.refused[path, str(error)] = None

    def columns(self, role: Role, text: str, path: str) -> Iterator[Text]:
        """The columns of a file in one of the richer formats."""
        input_files = InputFiles(self.files.input_format, self.files.language, self.stream())
        for taken in input_files.columns(text, role):
            name = _title(taken.name) if role == "system" else f"{path_text(path)}:{taken.name}"
            yield _text(role, name, taken.segments, path, _run(taken.name), unit="segment")
        self.inputs.update(input_files.inputs)

    def container(self, text: str) -> tuple[list[Text], dict[str, tuple[str, ...]]]:
        """All that a test set in one file holds."""
        input_files = InputFiles(self.files.input_format, self.files.language, self.stream())
        try:
            table = input_files.test_set(text)
        except DataError as error:
            self.refused[text, str(error)] = None
            return [], {}
        self.inputs.update(input_files.inputs)
        columns: list[tuple[Role, str, Column]] = [
            ("reference", f"{path_text(table.path)}:{name}", column)
            for name, column in table.references.items()
        ]
        if table.source is not None:
            columns.append(("source", f"{path_text(table.path)}:source", table.source))
        columns += [("system", _title(name), column) for name, column in table.outputs.items()]
        texts = [_text(role, name, column, table.path, unit="segment") for role, name, column in columns]
        return texts, dict(table.labels)

    def labels(self, text: str) -> dict[str, tuple[str, ...]]:
        """Columns of labels."""
        input_files = InputFiles(self.files.input_format, self.files.language, self.stream())
        try:
            columns = input_files.labels(text)
        except DataError as error:
            self.refused[text, str(error)] = None
            return {}
        self.inputs.update(input_files.inputs)
        return columns

    def is_plain(self, path: str) -> bool:
        """Whether a file is one of plain text."""
        return (self.files.input_format or formats.detect(path, b"<")) == "text" and suffix(path) != ".xml"


def read_corpus(files: Files) -> tuple[Corpus, tuple[Input, ...]]:
    """Everything the arguments name, as good as it can be read."""
    if files.input_format is not None:
        formats.check_format(files.input_format)
    reader = _Reader(files, None if files.stdin is None or not _wants_stdin(files) else files.stdin.read())
    texts = [text for role, argument in reader.arguments() for text in reader.texts(role, argument)]
    refusal = ""
    if files.references or files.source is not None or files.test_set is not None:
        try:
            loaded = load(**{**vars(files), "stdin": reader.stream()})
        except DataError as error:
            refusal = str(error)
        else:
            return corpus_of(
                loaded.test_set, loaded.outputs, loaded.inputs, files.language or "", texts, reader.raw
            ), loaded.inputs
    whole, labels = reader.container(files.test_set) if files.test_set is not None else ([], {})
    if files.labels is not None:
        labels |= reader.labels(files.labels)
    given = {text.role for text in texts}
    texts += [text for text in whole if text.role not in given]
    corpus = _make_corpus(texts, labels, reader, files.language or "")
    if refusal and not (corpus.refused or corpus.astray or _is_explained(reader.raw)):
        reader.refused["", refusal] = None
        corpus = _make_corpus(texts, labels, reader, files.language or "")
    return corpus, tuple(reader.inputs)


def _wants_stdin(files: Files) -> bool:
    every = [*files.systems, *files.references, files.source, files.test_set, files.labels]
    return any(text is not None and (text == "-" or text.startswith("-:") or "=-" in text) for text in every)


def _is_explained(raw: list[Raw]) -> bool:
    """Whether a check of the bytes says why a file was refused."""

    def is_bad(data: bytes) -> bool:
        if not data or data.startswith(UTF16_BOMS) or b"\0" in data:
            return True
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return True
        return False

    return any(is_bad(item.data) for item in raw if item.data)


def corpus_of(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    inputs: Sequence[Input] = (),
    language: str = "",
    files: Sequence[Text] = (),
    raw: Sequence[Raw] = (),
) -> Corpus:
    """Loaded data as checks see them, called by the names of their files where each column has one."""

    def paths(role: str, columns: Sequence[object]) -> list[str]:
        known = [text.file for text in files if text.role == role]
        known = known or [item.path for item in inputs if item.role == role]
        return known if len(known) == len(columns) else [""] * len(columns)

    sources = None
    if test_set.sources is not None:
        path = paths("source", [test_set.sources])[0]
        sources = _text("source", path_text(path) if path else "the source", test_set.sources, path)
    references = [
        _text("reference", path_text(path) if path else f"reference {number}", column, path)
        for number, (path, column) in enumerate(
            zip(paths("reference", test_set.references), test_set.references, strict=True), 1
        )
    ]
    systems = [
        _text("system", output.title, output.segments, path, output.run)
        for path, output in zip(paths("system", outputs), outputs, strict=True)
    ]
    source_language, target_language = languages_of(language or test_set.language)
    return Corpus(
        sources,
        tuple(references),
        tuple(systems),
        test_set.labels,
        raw=tuple(raw),
        source_language=source_language,
        target_language=target_language,
    )


def _make_corpus(
    texts: list[Text], labels: dict[str, tuple[str, ...]], reader: _Reader, language: str
) -> Corpus:
    """Texts of the most common length beside each other, the others apart."""
    lengths = Counter(len(text) for text in texts if len(text))
    most = max(lengths.values(), default=0)
    first = next((len(text) for text in texts if lengths[len(text)] == most and most), 0)
    fitting = [text for text in texts if len(text) == first]
    astray = [text for text in texts if len(text) != first]
    for name, column in labels.items():
        if len(column) != first and texts:
            astray.append(_text("labels", f"label {name!r}", column))
    source_language, target_language = languages_of(language)
    return Corpus(
        next((text for text in fitting if text.role == "source"), None),
        tuple(text for text in fitting if text.role == "reference"),
        tuple(text for text in fitting if text.role == "system"),
        {name: column for name, column in labels.items() if len(column) == first},
        tuple(astray),
        tuple(reader.raw),
        tuple(reader.refused),
        source_language,
        target_language,
    )


def _text(
    role: Role, name: str, segments: Sequence[str | None], path: str = "", run: str = "", unit: str = "line"
) -> Text:
    return Text(role, name, segments, path, run, languages_of(of_suffix(path))[1], unit)


def _title(name: str) -> str:
    system, run = system_and_run(name)
    return Outputs(system, (), run).title


def _run(name: str) -> str:
    return system_and_run(name)[1]
