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
    close,
    decays,
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
