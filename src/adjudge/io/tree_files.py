"""Files of trees, matched to the texts of a test set and to their segments.

A file is CoNLL-U or has bracketed trees, a line a segment. Which text its trees are of, TEXT=FILE says, else the file
itself (`# newdoc id`), else its name: `ref.conllu` or `ref.en.conllu` goes with `ref.en`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adjudge.data.dependencies import Parse, ParsedSentence, Treebank
from adjudge.data.trees import Tree, read_tree
from adjudge.errors import DataError, UsageError
from adjudge.io import conllu, files
from adjudge.io.conllu import PlacedSentence
from adjudge.io.names import parse, stem
from adjudge.io.table import Column, Input
from adjudge.wording import pluralise

ALIKE = 0.5
"""Share of characters that a tree must have in common with its segment to be of it."""


@dataclass(frozen=True)
class TreeText:
    """A text that may have trees."""

    name: str
    """As results call it: a system's name, `source`, the name of a reference."""
    path: str
    segments: Column

    def is_called(self, name: str) -> int:
        """How well a name fits: 3 for the path itself, 2 for the file's name, 1 without its ending, 0 not at all."""
        base = os.path.basename(self.path)
        ways = ((self.path, self.name), (base,), (stem(self.path),))
        fits = [3 - at for at, known in enumerate(ways) if name in known]
        return max([*fits, 2 if os.path.basename(name) == base else 0])


@dataclass(frozen=True)
class TreeFiles:
    """Trees that were read, and from which files."""

    treebank: Treebank
    inputs: tuple[Input, ...] = ()
    notes: tuple[str, ...] = ()


def read_trees(arguments: Sequence[str], texts: Sequence[TreeText]) -> TreeFiles:
    """The trees of these texts; if equal texts have different trees, the first ones count."""
    inputs: dict[Input, None] = {}
    parses: dict[int, list[Parse]] = {}
    notes: list[str] = []
    for argument in arguments:
        for chosen in parse(argument, named=True):
            if chosen.column:
                raise UsageError(
                    f"--trees {argument}: {chosen.path} has no columns; write --trees TEXT=FILE to say which text its "
                    "trees are of"
                )
            data, sha256 = files.read_bytes(chosen.path)
            inputs[Input("trees", chosen.path, sha256)] = None
            for at, parsed in _of_file(chosen.path, data, chosen.name, texts):
                if at in parses:
                    raise UsageError(
                        f"--trees: {chosen.path} and another file both have trees of {texts[at].path}"
                    )
                parses[at] = parsed
                notes += _foreign(chosen.path, texts[at], parsed)
    treebank, unclear = _join((texts[at].segments, parses[at]) for at in sorted(parses))
    return TreeFiles(treebank, tuple(inputs), (*notes, *unclear))


def _of_file(
    path: str, data: bytes, name: str, texts: Sequence[TreeText]
) -> Iterator[tuple[int, list[Parse]]]:
    """The texts that a file has trees for, by number, and their trees."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"(":
        at = _which(path, name, texts)
        yield at, _read_brackets(path, data, texts[at])
        return
    sentences = conllu.read(path, data)
    by_document: dict[int, list[PlacedSentence]] = {}
    if not name:
        for placed in sentences:
            matches = _best(placed.document, texts) if placed.document else []
            if len(matches) == 1:
                by_document.setdefault(matches[0], []).append(placed)
    if not by_document:
        by_document = {_which(path, name, texts): sentences}
    for at, of_text in by_document.items():
        yield at, _segment(path, of_text, texts[at])


def _which(path: str, name: str, texts: Sequence[TreeText]) -> int:
    """The number of the text that the trees belong to."""
    base = os.path.splitext(os.path.basename(path))[0]
    matches = _best(name or base, texts)
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(text.path for text in texts)
    asked = f"--trees {name}={path}" if name else f"--trees {path}"
    why = f"{len(matches)} texts are called so" if matches else "no text is called so"
    raise UsageError(f"{asked}: {why}; write TEXT={path}, where TEXT is one of {known}")


def _best(name: str, texts: Sequence[TreeText]) -> list[int]:
    """The texts that a name fits best."""
    fits = [text.is_called(name) for text in texts]
    best = max(fits, default=0)
    return [at for at, fit in enumerate(fits) if fit == best and best]


def _segment(path: str, sentences: Sequence[PlacedSentence], text: TreeText) -> list[Parse]:
    """The sentences of each segment: by their numbers where the file has such, else in order."""
    numbered = [placed.segment is not None for placed in sentences]
    if any(numbered):
        return _by_number(path, sentences, text)
    filled = [at for at, segment in enumerate(text.segments) if segment and segment.strip()]
    if len(sentences) not in (len(text.segments), len(filled)):
        raise DataError(
            f"{path} has {len(sentences)} sentences, but {text.path} has {len(text.segments)} segments; where a "
            "segment has several sentences, say so before each with a line `# segment = N`"
        )
    places = filled if len(sentences) == len(filled) else range(len(text.segments))
    parses: list[Parse] = [()] * len(text.segments)
    for at, placed in zip(places, sentences, strict=True):
        parses[at] = (placed.sentence,)
    return parses


def _by_number(path: str, sentences: Sequence[PlacedSentence], text: TreeText) -> list[Parse]:
    grouped: list[list[ParsedSentence]] = [[] for _ in text.segments]
    for placed in sentences:
        if placed.segment is None:
            raise DataError(
                f"{path}, line {placed.line}: no `# segment = N` says which segment this sentence is of, though others "
                "have such a line"
            )
        if placed.segment > len(grouped):
            raise DataError(
                f"{path}, line {placed.line}: segment {placed.segment}, but {text.path} has {len(grouped)} segments"
            )
        grouped[placed.segment - 1].append(placed.sentence)
    _check_complete(path, [bool(group) for group in grouped], text)
    return [tuple(group) for group in grouped]


def _read_brackets(path: str, data: bytes, text: TreeText) -> list[Parse]:
    lines = files.lines(path, data)
    if len(lines) != len(text.segments):
        raise DataError(
            f"{path} has trees for {pluralise(len(lines), 'segment')}, a line each, but {text.path} has "
            f"{len(text.segments)} segments"
        )
    trees = [read_tree(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]
    _check_complete(path, [bool(len(tree)) for tree in trees], text)
    return [(tree,) if len(tree) else () for tree in trees]


def _check_complete(path: str, present: Sequence[bool], text: TreeText) -> None:
    missing = [
        number
        for number, (has, segment) in enumerate(zip(present, text.segments, strict=True), 1)
        if not has and segment and segment.strip()
    ]
    if missing:
        raise DataError(
            f"{path} has trees for {len(present) - len(missing)} of the {len(present)} segments of {text.path}; the "
            f"first without one is segment {missing[0]}"
        )


def words_of(parse: Parse) -> list[str]:
    """The words of a parse, in order: those of its sentences, or the leaves of its trees."""
    words: list[str] = []
    for tree in parse:
        if isinstance(tree, Tree):
            words += [tree.labels[node] for node in tree.preorder if not tree.children[node]]
        else:
            words += tree.words
    return words


def _foreign(path: str, text: TreeText, parses: Sequence[Parse]) -> list[str]:
    """A warning if trees have other words than their segments; an error if most of them do."""
    foreign = [
        number
        for number, (segment, parsed) in enumerate(zip(text.segments, parses, strict=True), 1)
        if parsed and _common("".join((segment or "").split()), "".join(words_of(parsed))) < ALIKE
    ]
    if not foreign:
        return []
    first = " ".join(words_of(parses[foreign[0] - 1]))
    example = (
        f"segment {foreign[0]} is {(text.segments[foreign[0] - 1] or '')[:40]!r}, its tree has {first[:40]!r}"
    )
    if 2 * len(foreign) > sum(map(bool, parses)):
        raise DataError(
            f"the trees in {path} are not of {text.path}: {example}; say whose they are: TEXT={path}"
        )
    return [f"{path}: {len(foreign)} trees have other words than their segments in {text.path}: {example}"]


def _common(a: str, b: str) -> float:
    """The share of characters that two texts have in common, whatever their order."""
    shared = (Counter(a.lower()) & Counter(b.lower())).total()
    return 2 * shared / max(1, len(a) + len(b))


def _join(columns: Iterable[tuple[Column, Sequence[Parse]]]) -> tuple[Treebank, list[str]]:
    """All trees by text, and a warning about texts that have several."""
    trees: dict[str, Parse] = {}
    unclear: dict[str, None] = {}
    for segments, parses in columns:
        for segment, parsed in zip(segments, parses, strict=True):
            if segment is not None and trees.setdefault(segment, parsed) != parsed:
                unclear[segment] = None
    if not unclear:
        return Treebank(trees), []
    example = next(iter(unclear))[:40]
    return Treebank(trees), [
        f"{pluralise(len(unclear), 'text')} with several parses in the files of trees, "
        f"of which the first counts (as {example!r})"
    ]
