"""Kernels on trees are the sums over all parts, to any depth and width."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.data.trees import ROOT, Tree
from adjudge.kernels import PTK, SSTK, STK
from helpers.kernel_trees import (
    ALL_KERNELS,
    VECTORS,
    close,
    decays,
    plain,
    small,
    tags,
)
from helpers.trees import trees
from oracles import kernels as oracle


@given(small, small, decays, decays, st.floats(0.1, 5), st.sampled_from([None, 1, 2, 3]))
def test_ptk_is_the_sum_over_all_sequences_of_children(a, b, decay, vertical, terminal, max_length):
    kernel = PTK(decay, vertical, terminal, max_length)
    expected = oracle.partial_tree_kernel(a, b, decay, vertical, terminal, max_length)
    assert kernel(a, b) == close(expected, rel=1e-12)


@given(trees(tags, 7), trees(tags, 7), decays, st.booleans())
def test_sstk_and_stk_are_the_sums_over_all_fragments(a, b, decay, leaves):
    assert SSTK(decay, leaves)(a, b) == close(
        oracle.subset_tree_kernel(a, b, decay, leaves, False), rel=1e-12
    )
    assert STK(decay, leaves)(a, b) == close(oracle.subset_tree_kernel(a, b, decay, leaves, True), rel=1e-12)


def pruned(tree: Tree, cut: set[int]) -> Tree:
    """The same tree in which some nodes have lost all that was below them."""

    def is_kept(node: int) -> bool:
        above = tree.parents[node]
        return above == ROOT or (above not in cut and is_kept(above))

    kept = [node for node in range(len(tree)) if is_kept(node)]
    places = {node: place for place, node in enumerate(kept)}
    return Tree(
        [tree.labels[node] for node in kept],
        [places.get(tree.parents[node], ROOT) for node in kept],
        [tree.kinds[node] for node in kept],
    )


@given(trees(plain, 8), st.sets(st.integers(0, 7), max_size=3), decays, st.booleans())
def test_trees_that_are_alike_to_the_bottom_or_almost_are_too(a, cut, decay, leaves):
    # Two trees drawn by chance share no more than a production: where fragments nest, they must be almost the same.
    for b in (a, pruned(a, cut)):
        for kernel, whole in ((SSTK(decay, leaves), False), (STK(decay, leaves), True)):
            expected = oracle.subset_tree_kernel(a, b, decay, leaves, whole)
            assert kernel(a, b) == close(expected, rel=1e-12)
            assert kernel(b, a) == close(expected, rel=1e-12)
        for max_length in (None, 1, 2):
            expected = oracle.partial_tree_kernel(a, b, decay, 0.4, 2.0, max_length)
            assert PTK(decay, 0.4, 2.0, max_length)(b, a) == close(expected, rel=1e-12)


@given(
    st.lists(st.sampled_from("ab"), min_size=5, max_size=6),
    st.lists(st.sampled_from("ab"), min_size=5, max_size=6),
)
def test_nodes_with_many_children_that_match(ours, theirs):
    # More pairs of children match than are held against each other one by one.
    a, b = (Tree(["S", *labels], [ROOT] + [0] * len(labels)) for labels in (ours, theirs))
    for max_length in (None, 2, 20):
        expected = oracle.partial_tree_kernel(a, b, 0.4, 0.7, 2.0, max_length)
        assert PTK(0.4, 0.7, 2.0, max_length)(a, b) == close(expected, rel=1e-12)


def test_whole_subtrees_by_hand():
    # (S (A a) (B b)) against itself: at S one fragment of STK, all three productions, and one at A and at B each.
    deep, cut = "(S (A a) (B b))", "(S (A a) B)"
    assert kernels.stk(deep, deep, decay=0.5, leaves=False) == 0.5**3 + 2 * 0.5
    # SSTK: A and B expanded or cut, four fragments at S.
    assert kernels.sstk(deep, deep, decay=0.5, leaves=False) == 0.5 + 2 * 0.5**2 + 0.5**3 + 2 * 0.5
    # B is cut in one of them: S has the same production, but no whole subtree; A's is shared.
    assert kernels.stk(deep, cut, decay=0.5, leaves=False) == 0.5
    assert kernels.sstk(deep, cut, decay=0.5, leaves=False) == 0.5 + 0.5**2 + 0.5


def test_productions_are_all_children():
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(d))", leaves=False) == 0
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(c)(d))", leaves=False) == 0
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(c))", leaves=False) == 0.4


@pytest.mark.parametrize("kernel", ALL_KERNELS(), ids=repr)
def test_no_node_several_roots_and_one_node(kernel):
    empty, node, forest = Tree((), ()), Tree(("a",), (ROOT,)), Tree(("a", "b"), (ROOT, ROOT))
    assert kernel.matrix([empty, node, forest], normalise=True)[0].tolist() == [0, 0, 0]
    own = kernel(node, node)
    assert own > 0
    assert kernel(forest, node) == own
    assert (
        kernel(forest, forest) == 2 * own
    )  # what stands beside each other has nothing in common but its parts
    assert kernel.matrix([]).shape == (0, 0)
    assert kernel.pairs([], []).shape == (0,)


@pytest.mark.parametrize("kernel", ALL_KERNELS(), ids=repr)
def test_a_chain_of_5000_words_and_a_star_overflow_nothing(kernel):
    labels = tuple(f"w{i % 500}" for i in range(5000))
    chain = Tree(labels, tuple(range(-1, 4999)))
    star = Tree(labels[:1500], (ROOT, *[0] * 1499))
    start = time.process_time()
    values = kernel.matrix([chain, star], normalise=True)
    assert time.process_time() - start < 10  # 0.1 s
    assert np.diag(values).tolist() == [1, 1]
    assert 0 <= values[0, 1] < 1


def test_the_memory_of_a_chain_is_that_of_a_level():
    """All 4,000,000 pairs of nodes match; kept all at once they would take 32 MB a thread."""
    chain = Tree(("a",) * 2000, tuple(range(-1, 1999)))
    assert PTK()(chain, chain, normalise=True) == 1


def test_words_that_nothing_is_known_of_match_themselves_across_classes_on_request():
    a, b = "(LEX##zzyx::n)", "(LEX##zzyx::v)"
    assert kernels.sptk(a, b, vectors=VECTORS, same_class=False) == 0
    assert kernels.sptk(a, b, vectors=VECTORS, equal_words_match=True, normalise=True) == 1


def test_words_of_different_classes_are_not_similar_even_where_equal_ones_match():
    options = {"vectors": VECTORS, "equal_words_match": True}
    assert kernels.sptk("(LEX##cat::n)", "(LEX##dog::v)", **options) == 0
    assert kernels.sptk("(LEX##cat::n)", "(LEX##dog::n)", **options, normalise=True) == close(0.8)
    assert kernels.sptk(
        "(LEX##cat::n)", "(LEX##dog::v)", **options, same_class=False, normalise=True
    ) == close(0.8)
    assert kernels.sptk("(LEX##cat::n)", "(LEX##cat::v)", **options, normalise=True) == 1
