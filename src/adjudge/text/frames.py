"""Who did what to whom: predicates with their arguments, from dependency trees or from a file of frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adjudge.errors import DataError
from adjudge.io import files

ROLES = {
    "nsubj": "agent",
    "csubj": "agent",
    "obl:agent": "agent",
    "nsubj:pass": "patient",
    "csubj:pass": "patient",
    "obj": "patient",
    "ccomp": "patient",
    "xcomp": "patient",
    "iobj": "recipient",
    "obl:arg": "recipient",
    "obl": "circumstance",
    "advmod": "circumstance",
    "advcl": "circumstance",
}
"""What a relation of Universal Dependencies says about an argument of a verb."""
SHAPE = '{"text": …, "words": […], "frames": [{"predicate": [2], "arguments": [{"role": "A0", "words": [0, 1]}]}]}'
PREDICATES = ("VERB",)
WITH_PREDICATE = ("compound:prt", "aux", "aux:pass", "cop")
"""Words below a predicate that belong to it."""


@dataclass(frozen=True)
class FrameArgument:
    """What fills a role of a predicate: the places of its words, from 0."""

    role: str
    words: tuple[int, ...]


@dataclass(frozen=True)
class Frame:
    """A predicate and its arguments."""

    predicate: tuple[int, ...]
    arguments: tuple[FrameArgument, ...] = ()


@dataclass(frozen=True)
class FramedText:
    """The words of a text and the frames among them."""

    words: tuple[str, ...]
    frames: tuple[Frame, ...] = ()


class DependencyTree(Protocol):
    """A sentence's words with heads (from 1; 0 for the root), relations and universal parts of speech."""

    @property
    def words(self) -> Sequence[str]:
        """The words in their order."""

    @property
    def heads(self) -> Sequence[int]:
        """The number of each word's head."""

    @property
    def relations(self) -> Sequence[str]:
        """Each word's relation to its head."""

    @property
    def classes(self) -> Sequence[str]:
        """Each word's part of speech."""


def from_trees(sentences: Iterable[DependencyTree]) -> FramedText:
    """The frames of a text's sentences: every verb is a predicate, what hangs on it are its arguments."""
    words: list[str] = []
    frames: list[Frame] = []
    for sentence in sentences:
        frames += _frames(sentence, len(words))
        words += sentence.words
    return FramedText(tuple(words), tuple(frames))


def read(path: str) -> dict[str, FramedText]:
    r"""The frames of texts, by text, from a file with a line of JSON for each.

    `{"text": "The cat sat .", "words": ["The", "cat", "sat", "."], "frames": [{"predicate": [2], "arguments":
    [{"role": "A0", "words": [0, 1]}]}]}`; words are numbered from 0, and may be left out where spaces part them.
    """
    framed: dict[str, FramedText] = {}
    for number, line in enumerate(files.read_lines(path), 1):
        if not line.strip():
            continue
        try:
            framed_text = _frame_text(json.loads(line))
            framed[json.loads(line)["text"]] = framed_text
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataError(
                f"{path}, line {number}: not the frames of a text ({error}); expected {SHAPE}"
            ) from None
    return framed


def _frame_text(document: Mapping[str, Any]) -> FramedText:
    words = tuple(map(str, document.get("words") or document["text"].split()))
    frames = tuple(
        Frame(
            _places(frame["predicate"], len(words)),
            tuple(
                FrameArgument(str(argument["role"]), _places(argument["words"], len(words)))
                for argument in frame.get("arguments", ())
            ),
        )
        for frame in document.get("frames", ())
    )
    return FramedText(words, frames)


def _places(values: Sequence[int], count: int) -> tuple[int, ...]:
    for value in values:
        if not isinstance(value, int) or not 0 <= value < count:
            raise ValueError(f"word {value!r} of {count}, counted from 0")
    return tuple(values)


def _frames(sentence: DependencyTree, start: int) -> Iterator[Frame]:
    """A frame for every verb of a sentence whose words are numbered from `start`."""
    below: list[list[int]] = [[] for _ in range(len(sentence.words) + 1)]
    for number, head in enumerate(sentence.heads, 1):
        below[head].append(number)
    for number, kind in enumerate(sentence.classes, 1):
        if kind not in PREDICATES:
            continue
        words = [
            number,
            *(child for child in below[number] if sentence.relations[child - 1] in WITH_PREDICATE),
        ]
        arguments = [
            FrameArgument(role, tuple(start + word - 1 for word in sorted(_subtree(child, below))))
            for child in below[number]
            if (role := _role(sentence.relations[child - 1]))
        ]
        yield Frame(tuple(start + word - 1 for word in sorted(words)), tuple(arguments))


def _role(relation: str) -> str:
    return ROLES.get(relation) or ROLES.get(relation.partition(":")[0], "")


def _subtree(root: int, below: Sequence[Sequence[int]]) -> list[int]:
    words, waiting = [], [root]
    while waiting:
        word = waiting.pop()
        words.append(word)
        waiting += below[word]
    return words
