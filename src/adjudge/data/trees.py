"""Ordered labelled trees, and the bracketed text that they are read from and written to.

A text holds any number of trees, whose roots stand beside each other: `(S (NP the cat) (VP sat))` as in treebanks,
`(S(NP(the)(cat))(VP(sat)))` as KeLP writes it; a bare word is a leaf. Kinds of node are KeLP's: `LEX##cat::n` a word
with the letter of its class, `POS##NN`, `SYNT##nsubj`, `COMP##nsubj<chase::v,cat::n>` a relation of two words; text
without a kind is a plain label, but a word where it has a class (`cat::n`), as in KeLP. Brackets, white space and
backslashes inside a label have a backslash before them. Nothing here recurses: a tree may be as deep as it is large.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from adjudge.errors import DataError
from adjudge.wording import pluralise

Item = TypeVar("Item")

ROOT = -1
"""The parent of a root."""


class NodeKind(StrEnum):
    """What a node stands for; the value is KeLP's name."""

    PLAIN = ""
    LEXICAL = "LEX"
    PART_OF_SPEECH = "POS"
    RELATION = "SYNT"
    COMPOSITIONAL = "COMP"


@dataclass(frozen=True)
class Tree:
    """An ordered labelled tree, or several beside each other, or none.

    Nodes have numbers from 0; children stand in the order of their numbers, and so do roots. A parent may have a
    higher number than its child, as in dependency trees whose nodes have the numbers of the words.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    """The number of each node's parent, `ROOT` for a root."""
    kinds: tuple[NodeKind, ...] = ()
    """One a node; left out, all nodes are plain."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "parents", tuple(self.parents))
        object.__setattr__(self, "kinds", tuple(self.kinds) or (NodeKind.PLAIN,) * len(self.labels))
        size = len(self.labels)
        if len(self.parents) != size or len(self.kinds) != size:
            raise DataError(
                f"a tree of {pluralise(size, 'label')} has {len(self.parents)} parents and {len(self.kinds)} kinds"
            )
        for node, parent in enumerate(self.parents):
            if not ROOT <= parent < size:
                raise DataError(f"node {node} of a tree has parent {parent}, but nodes are 0 to {size - 1}")
        if len(self.preorder) != size:
            lost = min(set(range(size)).difference(self.preorder))
            raise DataError(f"node {lost} of a tree hangs on no root: its parents go round in a circle")

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node, in order."""
        lists: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent != ROOT:
                lists[parent].append(node)
        return tuple(map(tuple, lists))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The nodes without a parent, in order."""
        return tuple(node for node, parent in enumerate(self.parents) if parent == ROOT)

    @cached_property
    def preorder(self) -> tuple[int, ...]:
        """All nodes, each before its children and these in order."""
        order = []
        waiting = list(reversed(self.roots))
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(reversed(self.children[node]))
        return tuple(order)

    def __str__(self) -> str:
        return write_tree(self)


def read_tree(text: str, place: str = "") -> Tree:
    """The trees of a bracketed text as one Tree with as many roots; `place` goes before what errors say."""
    labels: list[str] = []
    kinds: list[NodeKind] = []
    parents: list[int] = []
    path: list[
        int
    ] = []  # the open brackets; UNLABELLED for the outermost one of a treebank, which has no label
    for token in TOKEN.finditer(text):
        if token["close"]:
            if not path:
                raise _error(text, token.start(), "a bracket is closed that was not opened", place)
            path.pop()
            continue
        raw = token["label"] if token["open"] else token["word"]
        if raw is None:
            continue  # white space
        if not raw and not (token["open"] and not path):
            raise _error(text, token.start(), "a bracket has no label; write (label …)", place)
        if not token["open"] and not path:
            raise _error(text, token.start(), f"{raw!r} stands outside of all brackets", place)
        if not raw:
            path.append(UNLABELLED)
            continue
        kind, label = _node(raw)
        parents.append(path[-1] if path and path[-1] != UNLABELLED else ROOT)
        labels.append(label)
        kinds.append(kind)
        if token["open"]:
            path.append(len(labels) - 1)
    if path:
        raise _error(text, len(text), f"the text ends inside of {pluralise(len(path), 'bracket')}", place)
    return Tree(tuple(labels), tuple(parents), tuple(kinds))


def write_tree(tree: Tree) -> str:
    """The tree as bracketed text in KeLP's form, which `read_tree` reads to an equal one, nodes in preorder."""
    depth = [0] * len(tree)
    parts: list[str] = []
    open_brackets = 0
    for node in tree.preorder:
        parent = tree.parents[node]
        depth[node] = 0 if parent == ROOT else depth[parent] + 1
        parts.append(")" * (open_brackets - depth[node]))
        parts.append("(" + _text(tree.kinds[node], tree.labels[node]))
        open_brackets = depth[node] + 1
    return "".join(parts) + ")" * open_brackets


def lexical_label(word: str, word_class: str) -> str:
    """The label of a word with its class: `cat::n`."""
    return f"{word}::{word_class}"


def compositional_label(relation: str, head: str, modifier: str) -> str:
    """The label of a relation of two lexical labels: `nsubj<chase::v,cat::n>`; commas of theirs become `_comma_`."""
    head, modifier = head.replace(",", COMMA), modifier.replace(",", COMMA)
    return f"{relation}<{head},{modifier}>"


def lexical_parts(label: str) -> tuple[str, str]:
    """The word and its class; the class is empty where the label has none."""
    parts = WORD.fullmatch(label)
    return (parts[1], parts[2]) if parts else (label, "")


def compositional_parts(label: str) -> tuple[str, str, str]:
    """The relation and the lexical labels of head and modifier; an error where the label has another form."""
    parts = COMPOSITION.fullmatch(label)
    if parts is None:
        raise DataError(f"{label!r} is no compositional label; write relation<head::c,modifier::c>")
    return parts[1], parts[2], parts[3]


def renumber_tree(tree: Tree) -> Tree:
    """A tree with its nodes numbered in preorder, as `read_tree` numbers them."""
    number = {node: place for place, node in enumerate(tree.preorder)}
    return Tree(
        _pick(tree.labels, tree.preorder),
        tuple(number.get(parent, ROOT) for parent in _pick(tree.parents, tree.preorder)),
        _pick(tree.kinds, tree.preorder),
    )


def _pick(items: Sequence[Item], numbers: Sequence[int]) -> tuple[Item, ...]:
    return tuple(items[number] for number in numbers)


def _node(raw: str) -> tuple[NodeKind, str]:
    name, mark, rest = raw.partition("##")
    if mark and name in KINDS:
        return KINDS[name], ESCAPED.sub(r"\1", rest)
    word_class = lexical_parts(raw)[1]
    return NodeKind.LEXICAL if word_class else NodeKind.PLAIN, ESCAPED.sub(r"\1", raw)


def _text(kind: NodeKind, label: str) -> str:
    text = SPECIAL.sub(r"\\\g<0>", label)
    plain = kind is NodeKind.PLAIN and label and _node(text) == (kind, label)
    return text if plain else f"{kind.value}##{text}"


def _error(text: str, at: int, message: str, place: str) -> DataError:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    where = f"line {line}, character {column}" if "\n" in text.strip() else f"character {column}"
    return DataError(f"{place + ', ' if place else ''}{where} of a bracketed tree: {message}")


UNLABELLED = -2
COMMA = "_comma_"
KINDS = {kind.value: kind for kind in NodeKind}
SPECIAL = re.compile(r"[\\()\s]")
ESCAPED = re.compile(r"\\([\\()\s])")
LABEL = r"(?:\\[\\()\s]|[^()\s])*"
TOKEN = re.compile(
    rf"(?P<open>\()\s*(?P<label>{LABEL})|(?P<close>\))|(?P<word>(?:\\[\\()\s]|[^()\s])+)|\s+", re.DOTALL
)
WORD = re.compile(r"(.+)::(.+)", re.DOTALL)
COMPOSITION = re.compile(r"(.*)<([^,]*),([^,]*)>", re.DOTALL)
