"""CoNLL-U: dependency trees, a word a line in ten columns, an empty line after each sentence.

Rows of multiword tokens (`2-3`) and of empty nodes (`2.1`) are no words of the tree and are left out. Of the comments,
`# newdoc id` says which text sentences are of and `# segment` which segment of it; a sentence without goes on with what
the one before it said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adjudge.data.dependencies import ParsedSentence, head_fault
from adjudge.errors import DataError
from adjudge.io import files

COLUMNS = 10
WORD, RANGE, EMPTY_NODE = re.compile(r"[1-9]\d*"), re.compile(r"\d+-\d+"), re.compile(r"\d+\.\d+")
DOCUMENT = re.compile(r"#\s*newdoc id\s*=\s*(.*)")
SEGMENT = re.compile(r"#\s*segment\s*=\s*(.*)")
FORMAT = "see universaldependencies.org/format.html, or let `adjudge parse` write the file"


@dataclass(frozen=True)
class PlacedSentence:
    """A sentence and its place in the file."""

    sentence: ParsedSentence
    line: int
    """Of its first word."""
    segment: int | None = None
    """The segment it is of, where the file says so."""
    document: str = ""
    """The text it is of, where the file says so."""


def read(path: str, data: bytes) -> list[PlacedSentence]:
    """The sentences of a file; one that is no tree is an error with its line."""
    sentences = []
    segment, document = None, ""
    for block in _blocks(files.lines(path, data)):
        rows = []
        for number, line in block:
            if not line.startswith("#"):
                rows.append((number, line))
            elif comment := DOCUMENT.match(line):
                document, segment = comment[1].strip(), None
            elif comment := SEGMENT.match(line):
                segment = _segment(path, number, comment[1].strip())
        if rows:
            sentence = _sentence(path, rows)
            sentences.append(PlacedSentence(sentence, rows[0][0], segment, document))
    return sentences


def write(documents: Iterable[tuple[str, Iterable[Sequence[ParsedSentence]]]]) -> Iterator[str]:
    """The lines of a file with the sentences of named texts, segment by segment."""
    for name, segments in documents:
        heading = [f"# newdoc id = {_clean(name)}"]
        for number, sentences in enumerate(segments, 1):
            for place, sentence in enumerate(sentences, 1):
                yield from heading
                heading = []
                yield f"# segment = {number}"
                yield f"# sent_id = {number}.{place}"
                yield f"# text = {_clean(' '.join(sentence.words))}"
                yield from _rows(sentence)
                yield ""


def _rows(sentence: ParsedSentence) -> Iterator[str]:
    columns = zip(
        sentence.words,
        sentence.lemmas,
        sentence.classes,
        sentence.tags,
        sentence.heads,
        sentence.relations,
        strict=True,
    )
    for number, (word, lemma, universal, tag, head, relation) in enumerate(columns, 1):
        known = [_clean(text) or "_" for text in (word, lemma, universal, tag)]
        yield "\t".join([str(number), *known, "_", str(head), _clean(relation) or "_", "_", "_"])


def _clean(text: str) -> str:
    """A text without tabs and line breaks."""
    return " ".join(text.split())


def _blocks(lines: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Lines with their numbers, from one empty line to the next."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _segment(path: str, number: int, text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,17}", text):
        raise DataError(
            f"{path}, line {number}: # segment = {text!r}: the number of a segment, from 1, was expected"
        )
    return int(text)


def _sentence(path: str, rows: Sequence[tuple[int, str]]) -> ParsedSentence:
    words: list[tuple[int, list[str]]] = []
    for number, line in rows:
        cells = line.split("\t")
        if len(cells) != COLUMNS:
            hint = "; they are set apart by tabs, not spaces" if "\t" not in line else ""
            raise DataError(
                f"{path}, line {number}: {len(cells)} column{'s' * (len(cells) != 1)} where CoNLL-U has "
                f"{COLUMNS}{hint} ({FORMAT})"
            )
        if RANGE.fullmatch(cells[0]) or EMPTY_NODE.fullmatch(cells[0]):
            continue
        _check_number(path, number, cells[0], len(words) + 1)
        words.append((number, cells))
    heads = [_head(path, number, cells[6]) for number, cells in words]
    if fault := head_fault(heads):
        at, why = fault
        line_number, cells = words[at - 1]
        raise DataError(
            f"{path}, line {line_number}: word {at} ({cells[1]!r}): {why}; mend the line or parse the text again "
            "(adjudge parse)"
        )
    columns = list(zip(*(_without_placeholders(cells) for _, cells in words), strict=True)) or [()] * 5
    forms, lemmas, universal, tags, relations = columns
    return ParsedSentence(forms, tuple(heads), relations, tags, lemmas, universal)


def _without_placeholders(cells: Sequence[str]) -> tuple[str, str, str, str, str]:
    """Form, lemma, universal tag, tag and relation; `_` stands for what is not known, but is also a character."""
    form = cells[1]
    lemma = cells[2] if cells[2] != "_" or form == "_" else ""
    universal, tag = ("" if cell == "_" else cell for cell in cells[3:5])
    return form, lemma, universal, tag, cells[7]


def _check_number(path: str, number: int, text: str, expected: int) -> None:
    if WORD.fullmatch(text) and int(text) == expected:
        return
    if WORD.fullmatch(text) and int(text) == expected - 1:
        raise DataError(
            f"{path}, line {number}: word {text} stands there twice, so that it has two heads; a word has one "
            f"({FORMAT})"
        )
    raise DataError(
        f"{path}, line {number}: word {expected} was expected, and not {text!r}: words are numbered from 1, and an "
        "empty line ends a sentence"
    )


def _head(path: str, number: int, text: str) -> int:
    if re.fullmatch(r"\d{1,9}", text):
        return int(text)
    if re.fullmatch(r"\d+([|,; ]\d+)+", text):
        why = f"{text!r} are two heads; a word has one"
    elif text == "_":
        why = "there is no head: this sentence has not been parsed"
    else:
        why = f"the head is {text!r}; the number of a word was expected, or 0 for the root"
    raise DataError(f"{path}, line {number}: {why} ({FORMAT})")
