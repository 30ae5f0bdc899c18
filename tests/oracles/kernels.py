"""Kernels from their definitions: all subsequences and all fragments, listed one by one."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np

from adjudge.data.trees import NodeKind, Tree

Similarity = Callable[[NodeKind, str, NodeKind, str], float]


def sequence_kernel(a: Sequence[object], b: Sequence[object], n: int, decay: float) -> float:
    def span(places: Sequence[int]) -> int:
        return places[-1] - places[0] + 1

    return sum(
        decay ** (span(i) + span(j))
        for size in range(1, n + 1)
        for i in combinations(range(len(a)), size)
        for j in combinations(range(len(b)), size)
        if [a[k] for k in i] == [b[k] for k in j]
    )


def equal_texts(kind_a: NodeKind, a: str, kind_b: NodeKind, b: str) -> float:
    return float(a == b)


def partial_tree_kernel(
    a: Tree,
    b: Tree,
    decay: float,
    vertical: float,
    terminal: float,
    max_length: int | None = None,
    similarity: Similarity = equal_texts,
    threshold: float = 0.01,
) -> float:
    def gaps(places: Sequence[int]) -> int:
        return places[-1] - places[0] + 1 - len(places)

    @cache
    def delta(x: int, y: int) -> float:
        similar = similarity(a.kinds[x], a.labels[x], b.kinds[y], b.labels[y])
        if similar < threshold:
            return 0.0
        u, v = a.children[x], b.children[y]
        if not u or not v:
            return similar * vertical * decay**2 * terminal
        longest = min(len(u), len(v), max_length or len(u))
        sequences = sum(
            decay ** (gaps(i) + gaps(j)) * prod(delta(u[k], v[m]) for k, m in zip(i, j, strict=True))
            for size in range(1, longest + 1)
            for i in combinations(range(len(u)), size)
            for j in combinations(range(len(v)), size)
        )
        return similar * vertical * (decay**2 + sequences)

    return sum(delta(x, y) for x, y in product(range(len(a)), range(len(b))))


def lexical_similarity(
    vectors: dict[str, Sequence[float]], *, same_class: bool = True, equal_words_match: bool = False
) -> Similarity:
    def similarity(kind_a: NodeKind, a: str, kind_b: NodeKind, b: str) -> float:
        if kind_a != kind_b:
            return 0.0
        if a == b:
            return 1.0
        if kind_a != NodeKind.LEXICAL:
            return 0.0
        (word, letter), (other, other_letter) = (label.rsplit("::", 1) for label in (a, b))
        if equal_words_match and word == other:
            return 1.0
        if (same_class and letter != other_letter) or word not in vectors or other not in vectors:
            return 0.0
        return max(0.0, cosine(np.array(vectors[word]), np.array(vectors[other])))

    return similarity


def compositional_similarity(vectors: dict[str, Sequence[float]], composition: str) -> Similarity:
    lexical = lexical_similarity(vectors)

    def composed(label: str) -> tuple[list[str], np.ndarray | None]:
        head, modifier = label.partition("<")[2].removesuffix(">").split(",")
        words = [part.rsplit("::", 1)[0] for part in (head, modifier)]
        known = [unit(np.array(vectors[word])) for word in words if word in vectors]
        letters = [part.rsplit("::", 1)[1] for part in (head, modifier)]
        if not known:
            return letters, None
        h, m = known[0], known[-1]
        return letters, {"sum": h + m, "product": h * m, "dilation": (h @ h) * h + (h @ m) * m}[composition]

    def similarity(kind_a: NodeKind, a: str, kind_b: NodeKind, b: str) -> float:
        if kind_a != kind_b or kind_a != NodeKind.COMPOSITIONAL or a == b:
            return lexical(kind_a, a, kind_b, b)
        (letters, x), (other_letters, y) = composed(a), composed(b)
        if letters != other_letters or x is None or y is None:
            return 0.0
        return max(0.0, cosine(x, y))

    return similarity


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.sqrt((vector**2).sum())


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    norms = np.sqrt((x**2).sum() * (y**2).sum())
    return float(x @ y / norms) if norms > 0 else 0.0


def fragments(tree: Tree, node: int, *, whole: bool) -> dict[tuple, int]:
    """The fragments that begin at a node, as nested tuples, with the number of productions of each.

    A child is expanded or cut; in whole subtrees every inner child is expanded.
    """
    label = (tree.kinds[node], tree.labels[node])
    children = tree.children[node]
    if not children:
        return {}
    choices = []
    for child in children:
        expanded = fragments(tree, child, whole=whole)
        cut = {} if whole and tree.children[child] else {(tree.kinds[child], tree.labels[child]): 0}
        choices.append({**cut, **expanded}.items())
    return {
        (label, *(part for part, _ in chosen)): 1 + sum(count for _, count in chosen)
        for chosen in product(*choices)
    }


def subset_tree_kernel(a: Tree, b: Tree, decay: float, leaves: bool, whole: bool) -> float:
    ours, theirs = ([fragments(tree, node, whole=whole) for node in range(len(tree))] for tree in (a, b))
    shared = sum(decay ** x[part] for x, y in product(ours, theirs) for part in x.keys() & y.keys())
    leaf_pairs = sum(
        (a.kinds[x], a.labels[x]) == (b.kinds[y], b.labels[y]) and not a.children[x] and not b.children[y]
        for x, y in product(range(len(a)), range(len(b)))
    )
    return shared + decay * leaf_pairs * leaves
