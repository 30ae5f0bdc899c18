"""Kernels on ordered labelled trees: PTK, SPTK, CSPTK, SSTK and STK.

Labels fall into groups of which only members of one group can match; a group says what makes its labels similar.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.data.trees import NodeKind, Tree, compositional_parts, lexical_parts, read_tree
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.kernels.base import (
    Kernel,
    KernelVocabulary,
    Numbering,
    PreparedStructures,
    Values,
    length,
    number,
)
from adjudge.kernels.vectors import (
    COMPOSITIONS,
    Composition,
    Vector,
    WordVectors,
    composed_vector,
    unit_vector,
)

Numbers = NDArray[np.int32]
EQUAL = -1
"""A node that matches those of its group because they have the same label."""


@dataclass(eq=False)
class LabelVocabulary(KernelVocabulary):
    """Nodes match where their texts are equal, whatever kind they are of (PTK)."""

    groups: Numbering[Hashable] = field(default_factory=Numbering)

    def nodes(self, trees: Sequence[Tree]) -> tuple[Numbers, Numbers]:
        """The group of every node of all trees, and its number among similar labels."""
        groups = np.array([group for tree in trees for group in self._encode(tree)], np.int32)
        return groups, np.full(len(groups), EQUAL, np.int32)

    def _encode(self, tree: Tree) -> Sequence[int]:
        return list(map(self.groups.__getitem__, tree.labels))

    def similarities(self) -> _native.Similarities | None:
        """How similar labels of one group are; None where they are equal."""
        return None


@dataclass(frozen=True)
class TreeKernel(Kernel[Tree | str]):
    """A kernel on trees, which may also be given as bracketed text."""

    def prepare(
        self, items: Sequence[Tree | str], others: PreparedStructures | None = None
    ) -> PreparedStructures:
        """Trees as the core reads them: nodes in groups that can match."""
        labels: LabelVocabulary = others.vocabulary if others is not None else self._labels()
        trees = [item if isinstance(item, Tree) else read_tree(item) for item in items]
        with labels.lock:
            groups, similar = labels.nodes(trees)
        parents = np.array([parent for tree in trees for parent in tree.parents], np.int32)
        sizes = np.array([len(tree) for tree in trees], np.int64)
        return PreparedStructures(self, _native.KernelTrees(groups, similar, parents, sizes), labels)

    def _pairs(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        return _native.tree_kernel_pairs(a.native, b.native, self._native(a.vocabulary), threads)[:, 0]

    def _matrix(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        return _native.tree_kernel_matrix(a.native, b.native, self._native(a.vocabulary), threads)

    @abstractmethod
    def _labels(self) -> LabelVocabulary:
        """An empty vocabulary."""

    @abstractmethod
    def _native(self, labels: LabelVocabulary) -> _native.TreeKernel:
        """The kernel with its parameters."""


@dataclass(frozen=True)
class PTK(TreeKernel):
    """The partial tree kernel (Moschitti 2006): any connected parts of the trees, with gaps between children.

    Nodes match where their labels are equal, whatever their kinds. A pair of which one is a leaf weighs
    vertical·decay²·terminal; any other vertical·(decay² + the sum over common sequences of up to `max_length`
    children of decay^(children skipped) and the product of their own weights).
    """

    decay: float = 0.4
    """λ, for children that are skipped."""
    vertical: float = 0.4
    """μ, for each level of the tree."""
    terminal: float = 1.0
    """Times the weight of leaves."""
    max_length: int | None = None

    def __post_init__(self) -> None:
        number(self.decay, "decay", most=1)
        number(self.vertical, "vertical", most=1)
        number(self.terminal, "terminal")
        length(self.max_length, "max_length")

    def _labels(self) -> LabelVocabulary:
        return LabelVocabulary()

    def _native(self, labels: LabelVocabulary) -> _native.TreeKernel:
        return _native.TreeKernel.partial(
            self.decay,
            self.vertical,
            self.terminal,
            length(self.max_length, "max_length"),
            labels.similarities(),
            getattr(self, "threshold", 0.0),
        )


@dataclass(frozen=True, eq=False)
class SPTK(PTK):
    """The smoothed partial tree kernel (Croce et al. 2011): PTK in which different words match by their vectors.

    Nodes of different kinds do not match. Lexical nodes (`cat::n`) are as similar as the cosine of their words'
    vectors, 1 where they are equal; words without a vector are similar to themselves alone, and all other nodes
    match where they are equal. The weight of a pair of nodes is multiplied by their similarity, and 0 where that
    is less than `threshold`.
    """

    max_length: int | None = 20
    threshold: float = 0.01
    vectors: WordVectors = field(default_factory=dict[str, Any], repr=False)
    same_class: bool = True
    """Words of different classes (the letter after `::`) are not similar."""
    equal_words_match: bool = False
    """Equal words match even where their classes differ."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.threshold, (int, float)) or not 0 <= self.threshold <= 1:
            raise UsageError(f"threshold={self.threshold}: must be a number from 0 to 1")

    def __eq__(self, other: object) -> bool:
        return self is other  # vectors may be too many to compare

    __hash__ = object.__hash__

    def _labels(self) -> LabelVocabulary:
        matching = Matching(self.vectors, self.same_class, self.equal_words_match)
        return SimilarLabels(matching=matching)


@dataclass(frozen=True, eq=False)
class CSPTK(SPTK):
    """The compositional SPTK (Annesi et al. 2014): relations of two words match by the vectors of both together.

    Compositional nodes (`nsubj<chase::v,cat::n>`) are as similar as the cosine of their composed vectors, where
    their classes of heads and of modifiers are the same: of the unit vectors h and m the sum, the product by
    elements, or the dilation (h·h)h + (h·m)m. An unknown word takes the other's vector. Lexical nodes are
    similar as in SPTK; `kelp` gives different ones no similarity, as KeLP does (it computes it and drops it).
    """

    composition: Composition = "sum"
    same_relation: bool = False
    """Compositional nodes of different relations are not similar."""
    kelp: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.composition not in COMPOSITIONS:
            raise unknown_name("composition", self.composition, COMPOSITIONS)

    def _labels(self) -> LabelVocabulary:
        return SimilarLabels(
            matching=Matching(
                self.vectors,
                self.same_class,
                self.equal_words_match,
                similar_words=not self.kelp,
                composition=self.composition,
                same_relation=self.same_relation,
            )
        )


@dataclass(frozen=True)
class SSTK(TreeKernel):
    """The subset tree kernel (Collins and Duffy 2001): parts that keep all children of a node or none.

    Inner nodes match where they have the same label, kind and children; a pair weighs decay times the product
    over its children of 1 + the children's own weight (for leaves 1). With `leaves`, leaves of equal labels are
    parts too and weigh decay.
    """

    decay: float = 0.4
    leaves: bool = True

    def __post_init__(self) -> None:
        number(self.decay, "decay", most=1)

    def _labels(self) -> LabelVocabulary:
        return Productions()

    def _native(self, labels: LabelVocabulary) -> _native.TreeKernel:
        return _native.TreeKernel.subset(self.decay, 1.0, self.leaves, False)


@dataclass(frozen=True)
class STK(SSTK):
    """The subtree kernel (Vishwanathan and Smola 2002): whole subtrees, down to the leaves.

    As SSTK, but a pair weighs decay times the product of its children's weights, so that it is 0 where anything
    below differs. `kelp` takes the factor 1 where two inner children have different children themselves, as KeLP
    does; such a pair then counts though what hangs below is not the same.
    """

    kelp: bool = False

    def _native(self, labels: LabelVocabulary) -> _native.TreeKernel:
        return _native.TreeKernel.subset(self.decay, 0.0, self.leaves, self.kelp)


@dataclass(eq=False)
class Productions(LabelVocabulary):
    """Inner nodes match where they and their children have the same labels and kinds, leaves where they do (STK)."""

    labels: Numbering[tuple[NodeKind, str]] = field(default_factory=Numbering)

    def _encode(self, tree: Tree) -> Sequence[int]:
        node_labels = list(map(self.labels.__getitem__, zip(tree.kinds, tree.labels, strict=True)))
        return [
            self.groups[(node_labels[node], *(node_labels[child] for child in children))]
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
class SimilarLabels(LabelVocabulary):
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
            group, entry = self._place(kind, label)
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

    def _place(self, kind: NodeKind, label: str) -> tuple[int, int]:
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
