"""Sentences for tests: from KeLP's lexical-centred trees, and made by rule."""

from collections.abc import Sequence
from dataclasses import replace

from adjudge.data import TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.data.trees import NodeKind, Tree, read_tree, renumber_tree


def sentence_of(lexical: Tree) -> ParsedSentence:
    """The sentence that a lexical-centred tree is of, its words in the order of the tree."""
    lexical = renumber_tree(lexical)
    nodes = [node for node, kind in enumerate(lexical.kinds) if kind is NodeKind.LEXICAL]
    number = {node: at for at, node in enumerate(nodes, 1)}
    leaf = {
        (lexical.parents[node], kind): lexical.labels[node]
        for node, kind in enumerate(lexical.kinds)
        if kind is not NodeKind.LEXICAL
    }
    return ParsedSentence(
        words=tuple(
            lexical.labels[node].removesuffix(f"::{leaf[node, NodeKind.PART_OF_SPEECH][0].lower()}")
            for node in nodes
        ),
        heads=tuple(number.get(lexical.parents[node], 0) for node in nodes),
        relations=tuple(leaf[node, NodeKind.RELATION] for node in nodes),
        tags=tuple(leaf[node, NodeKind.PART_OF_SPEECH] for node in nodes),
    )


def kelp_columns(shared, name: str) -> tuple[list[str], list[str]]:
    """The trees of systems and of references in one of KeLP's files."""
    lines = (shared.root / "golden/kelp" / name).read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split("\t")[1:] for line in lines]
    return [system for system, _ in cells], [reference for _, reference in cells]


def kelp_sentences(shared) -> tuple[list[ParsedSentence], list[ParsedSentence]]:
    """The sentences of KeLP's 300 pairs."""
    systems, references = kelp_columns(shared, "lct300.trees.tsv")
    return [sentence_of(read_tree(text)) for text in systems], [
        sentence_of(read_tree(text)) for text in references
    ]


def chain(text: str, **columns) -> ParsedSentence:
    """Each word hangs on the one before it."""
    words = tuple(text.split())
    return ParsedSentence(words, tuple(range(len(words))), ("root", *["dep"] * (len(words) - 1)), **columns)


def with_trees(test_set: TestSet, outputs: Sequence[str]) -> TestSet:
    """The test set with a tree for every text: of its words, each on the one of half its number."""
    texts = {text for column in (*test_set.references, outputs) for text in column if text is not None}
    trees = {}
    for text in texts:
        words = tuple(text.split())
        relations = ("root", *(f"r{len(word)}" for word in words[1:]))
        heads = tuple(number // 2 for number in range(1, len(words) + 1))
        trees[text] = (
            (ParsedSentence(words, heads, relations, tuple(word[:1] for word in words)),) if words else ()
        )
    return replace(test_set, trees=Treebank(trees))
