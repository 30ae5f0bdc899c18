"""Which labels can match: the groups that nodes are put into, and what makes those of one group similar."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.data.trees import NodeKind, Tree, compositional_parts, lexical_parts
from adjudge.errors import DataError
from adjudge.kernels.base import Numbering, Vocabulary
from adjudge.kernels.vectors import Composition, Vector, WordVectors, composed_vector, unit_vector

Numbers = NDArray[np.int32]
EQUAL = -1
"""A node that matches those of its group because they have the same label."""


@dataclass(eq=False)
class Labels(Vocabulary):
    """Nodes match where their texts are equal, whatever kind they are of (PTK)."""

    groups: Numbering[Hashable] = field(default_factory=Numbering)

    def nodes(self, trees: Sequence[Tree]) -> tuple[Numbers, Numbers]:
        """The group of every node of all trees, and its number among similar labels."""
        groups = np.array([group for tree in trees for group in self._of(tree)], np.int32)
        return groups, np.full(len(groups), EQUAL, np.int32)

    def _of(self, tree: Tree) -> Sequence[int]:
        return list(map(self.groups.__getitem__, tree.labels))

    def similarities(self) -> _native.Similarities | None:
        """How similar labels of one group are; None where they are equal."""
        return None


@dataclass(eq=False)
class Productions(Labels):
    """Inner nodes match where they and their children have the same labels and kinds, leaves where they do (STK)."""

    labels: Numbering[tuple[NodeKind, str]] = field(default_factory=Numbering)

    def _of(self, tree: Tree) -> Sequence[int]:
        own = list(map(self.labels.__getitem__, zip(tree.kinds, tree.labels, strict=True)))
        return [
            self.groups[(own[node], *(own[child] for child in children))]
            for node, children in enumerate(tree.children)
        ]


@dataclass(frozen=True)
class Matching:
    """What decides whether words, and pairs of them, can be similar."""

    vectors: WordVectors
    same_class: bool = True
    """Words of different classes are not similar."""
    equal_words_match: bool = False
    """Equal words match even where classes differ."""
    similar_words: bool = True
    """Different words may be similar at all (in KeLP's CSPTK they are not)."""
    composition: Composition | None = None
    """How head and modifier of compositional nodes are put together; None: these match where they are equal."""
    same_relation: bool = False
    """Compositional nodes of different relations are not similar."""


@dataclass(eq=False)
class SimilarLabels(Labels):
    """Nodes of a kind match where their texts are equal; words and compositions also where they are similar."""

    matching: Matching = field(kw_only=True)
    labels: Numbering[tuple[NodeKind, str]] = field(default_factory=Numbering)
    words: Numbering[Hashable] = field(default_factory=Numbering)
    classes: Numbering[Hashable] = field(default_factory=Numbering)
    label_groups: list[int] = field(default_factory=list)
    """The group of each label."""
    label_entries: list[int] = field(default_factory=list)
    """The entry of each label."""
    entries: list[tuple[int, int, int]] = field(default_factory=list)
    """The word, the class and the vector of labels that others can be similar to."""
    vectors: list[Vector] = field(default_factory=list)
    _latest: dict[int, _native.Similarities] = field(default_factory=dict)

    def nodes(self, trees: Sequence[Tree]) -> tuple[Numbers, Numbers]:
        """The group of every node of all trees, and its number among similar labels."""
        numbers = [
            number
            for tree in trees
            for number in map(self.labels.__getitem__, zip(tree.kinds, tree.labels, strict=True))
        ]
        for kind, label in list(self.labels)[len(self.label_groups) :]:
            group, entry = self._placed(kind, label)
            self.label_groups.append(group)
            self.label_entries.append(entry)
        flat = np.array(numbers, np.int64)
        groups, entries = np.array(self.label_groups, np.int32), np.array(self.label_entries, np.int32)
        return groups[flat], entries[flat]

    def similarities(self) -> _native.Similarities:
        """What is known of all labels so far; those who have an earlier one keep it."""
        with self.lock:
            size = len(self.entries)
            if size not in self._latest:
                table = np.array(self.entries, np.int32).reshape(-1, 3)
                words, classes, rows = (np.ascontiguousarray(column) for column in table.T)
                vectors = np.array(self.vectors) if self.vectors else np.zeros((0, 1))
                self._latest = {size: _native.Similarities(words, classes, rows, vectors)}
            return self._latest[size]

    def _placed(self, kind: NodeKind, label: str) -> tuple[int, int]:
        matching = self.matching
        if kind is NodeKind.LEXICAL and matching.similar_words:
            return self._word(label)
        if kind is NodeKind.COMPOSITIONAL and matching.composition is not None:
            return self._composition(label, matching.composition)
        return self.groups[kind, label], EQUAL

    def _word(self, label: str) -> tuple[int, int]:
        matching = self.matching
        word, letter = lexical_parts(label)
        vector = unit_vector(matching.vectors, word)
        if vector is None and not matching.equal_words_match:
            return self.groups[NodeKind.LEXICAL, label], EQUAL
        key = word if matching.equal_words_match else label
        word_class = ("word", letter if matching.same_class else "")
        # Where equal words match across classes, every word can match one of any class.
        group = ("words",) if matching.equal_words_match else word_class
        return self.groups[group], self._entry(("word", key), word_class, vector)

    def _composition(self, label: str, composition: Composition) -> tuple[int, int]:
        matching = self.matching
        relation, *both = compositional_parts(label)
        (head, head_class), (modifier, modifier_class) = map(lexical_parts, both)
        h, m = (unit_vector(matching.vectors, word) for word in (head, modifier))
        vector = composed_vector(h, m, composition)
        if vector is None:
            return self.groups[NodeKind.COMPOSITIONAL, label], EQUAL
        word_class = (
            "composition",
            (head_class, modifier_class) if matching.same_class else (),
            relation if matching.same_relation else "",
        )
        return self.groups[word_class], self._entry(("composition", label), word_class, vector)

    def _entry(self, word: Hashable, word_class: Hashable, vector: Vector | None) -> int:
        row = -1
        if vector is not None:
            if self.vectors and len(vector) != len(self.vectors[0]):
                raise DataError(
                    f"word vectors of {len(self.vectors[0])} and of {len(vector)} numbers cannot be compared"
                )
            row = len(self.vectors)
            self.vectors.append(vector)
        self.entries.append((self.words[word], self.classes[word_class], row))
        return len(self.entries) - 1
