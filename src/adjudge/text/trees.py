"""Trees that kernels take, made from the parse of a segment.

A segment's sentences stand beside each other as a forest: kernels sum over pairs of nodes, so a root above them all
would only add a pair that no sentence has. Labels and kinds of node are KeLP's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from adjudge.data.dependencies import Parse, ParsedSentence, Treebank
from adjudge.data.trees import ROOT, NodeKind, Tree, compositional_label, lexical_label
from adjudge.errors import UsageError

__all__ = ["ParsedSentence", "Treebank", "WordReading", "compositional_tree", "sequence", "tree"]

Words = Literal["exact", "lemma"]
Shape = Literal["lct", "grct", "pct", "constituency"]
ROOT_HEAD = "*::*"
"""What stands for the head of the root in a compositional node."""

# The letter of a class is the first of Penn's tag, as in KeLP; universal tags get the letter Penn would give them.
_LETTERS = {
    "ADJ": "j",
    "ADP": "i",
    "ADV": "r",
    "AUX": "v",
    "CCONJ": "c",
    "DET": "d",
    "INTJ": "u",
    "NOUN": "n",
    "NUM": "c",
    "PART": "t",
    "PRON": "p",
    "PROPN": "n",
    "PUNCT": ".",
    "SCONJ": "i",
    "SYM": "s",
    "VERB": "v",
    "X": "f",
}

Lemmatizer = Callable[[str], str]


@dataclass(frozen=True)
class WordReading:
    """What stands for a word in a tree."""

    words: Words = "exact"
    lowercase: bool = True
    lemmatizer: Lemmatizer | None = None
    """For words whose lemma the parse does not tell; without one they stand as they are."""

    def of(self, sentence: ParsedSentence) -> list[str]:
        """The words of a sentence."""
        words = list(sentence.words)
        if self.words == "lemma":
            words = [lemma or self._lemma(word) for word, lemma in zip(words, sentence.lemmas, strict=True)]
        return [word.lower() for word in words] if self.lowercase else words

    def of_label(self, label: str) -> str:
        """What stands for a word of a tree of constituents, which no sentence has."""
        word = self._lemma(label) if self.words == "lemma" else label
        return word.lower() if self.lowercase else word

    def _lemma(self, word: str) -> str:
        return self.lemmatizer(word) if self.lemmatizer is not None else word


def sequence(parse: Parse, reading: WordReading) -> list[str]:
    """The words of a segment in their order."""
    words: list[str] = []
    for part in parse:
        if isinstance(part, Tree):
            leaves = [part.labels[node] for node in part.preorder if not part.children[node]]
            words += map(reading.of_label, leaves)
        else:
            words += reading.of(part)
    return words


def tree(parse: Parse, reading: WordReading, shape: Shape = "lct") -> Tree:
    """The tree of a segment in one of the shapes of Croce, Moschitti & Basili (2011), or its constituents as given."""
    if shape == "constituency":
        return _constituents(parse, reading)
    make = {"lct": _lexical, "grct": _relational, "pct": _part_of_speech}[shape]
    return _forest([make(sentence, reading.of(sentence)) for sentence in _dependencies(parse)])


def compositional_tree(parse: Parse, reading: WordReading) -> Tree:
    """The tree whose nodes are pairs of head and modifier (Annesi, Croce & Basili 2014)."""
    return _forest([_compositional(sentence, reading.of(sentence)) for sentence in _dependencies(parse)])


def _lexical(sentence: ParsedSentence, words: list[str]) -> Tree:
    """Each word a node; its dependents in the order of the sentence, then its part of speech and its relation.

    Children stand in the order of their numbers: words first, in the sentence's order.
    """
    size = len(words)
    heads = [head - 1 for head in sentence.heads]  # a root's 0 becomes ROOT
    tags = sentence.parts_of_speech
    return Tree(
        (*_labels(words, tags), *tags, *sentence.relations),
        (*heads, *range(size), *range(size)),
        _kinds(size, NodeKind.LEXICAL, NodeKind.PART_OF_SPEECH, NodeKind.RELATION),
    )


def _relational(sentence: ParsedSentence, words: list[str]) -> Tree:
    """Each relation a node; among its dependents, where the word stands, the part of speech with the word below."""
    size = len(words)
    tags = sentence.parts_of_speech
    labels, parents = [], []
    for at, (relation, tag, head) in enumerate(zip(sentence.relations, tags, sentence.heads, strict=True)):
        labels += [relation, tag]
        parents += [2 * (head - 1) if head else ROOT, 2 * at]
    below = [2 * at + 1 for at in range(size)]
    kinds = (NodeKind.RELATION, NodeKind.PART_OF_SPEECH) * size
    return Tree(
        (*labels, *_labels(words, tags)), (*parents, *below), (*kinds, *_kinds(size, NodeKind.LEXICAL))
    )


def _part_of_speech(sentence: ParsedSentence, words: list[str]) -> Tree:
    """Each part of speech a node; its dependents, then its relation and its word."""
    size = len(words)
    heads = [head - 1 for head in sentence.heads]
    tags = sentence.parts_of_speech
    return Tree(
        (*tags, *sentence.relations, *_labels(words, tags)),
        (*heads, *range(size), *range(size)),
        _kinds(size, NodeKind.PART_OF_SPEECH, NodeKind.RELATION, NodeKind.LEXICAL),
    )


def _compositional(sentence: ParsedSentence, words: list[str]) -> Tree:
    """Each word a node with its head; its dependents, then its part of speech, its relation and the word itself."""
    size = len(words)
    heads = [head - 1 for head in sentence.heads]
    tags = sentence.parts_of_speech
    lexical = _labels(words, tags)
    pairs = [
        compositional_label(relation, lexical[head] if head != ROOT else ROOT_HEAD, lexical[at])
        for at, (relation, head) in enumerate(zip(sentence.relations, heads, strict=True))
    ]
    return Tree(
        (*pairs, *tags, *sentence.relations, *lexical),
        (*heads, *range(size), *range(size), *range(size)),
        _kinds(size, NodeKind.COMPOSITIONAL, NodeKind.PART_OF_SPEECH, NodeKind.RELATION, NodeKind.LEXICAL),
    )


def _labels(words: list[str], tags: tuple[str, ...]) -> list[str]:
    """Words with the letters of their classes."""
    return [
        lexical_label(word, _LETTERS.get(tag) or tag[:1].lower() or "_")
        for word, tag in zip(words, tags, strict=True)
    ]


def _kinds(size: int, *kinds: NodeKind) -> tuple[NodeKind, ...]:
    return tuple(kind for kind in kinds for _ in range(size))


def _dependencies(parse: Parse) -> list[ParsedSentence]:
    sentences = [part for part in parse if isinstance(part, ParsedSentence)]
    if len(sentences) != len(parse):
        raise UsageError(
            "the trees given are of constituents, and this metric takes dependency trees (CoNLL-U); "
            "ptk(tree=constituency) and sstk(tree=constituency) take these"
        )
    return sentences


def _constituents(parse: Parse, reading: WordReading) -> Tree:
    given = []
    for part in parse:
        if not isinstance(part, Tree):
            raise UsageError(
                "tree=constituency takes trees of constituents in brackets (--trees TEXT=FILE), not dependency trees; "
                "tree=lct is for those"
            )
        labels = [
            reading.of_label(label) if not below else label
            for label, below in zip(part.labels, part.children, strict=True)
        ]
        given.append(Tree(tuple(labels), part.parents, part.kinds))
    return _forest(given)


def _forest(trees: list[Tree]) -> Tree:
    """Trees beside each other as one."""
    if len(trees) == 1:
        return trees[0]
    labels: list[str] = []
    parents: list[int] = []
    kinds: list[NodeKind] = []
    for part in trees:
        start = len(labels)
        labels += part.labels
        parents += [ROOT if parent == ROOT else parent + start for parent in part.parents]
        kinds += part.kinds
    return Tree(tuple(labels), tuple(parents), tuple(kinds))
