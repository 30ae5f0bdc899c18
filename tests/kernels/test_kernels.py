"""Kernels hold to their definitions on small trees and sequences, to their laws, and to any depth and width."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.kernels import CSPTK, PTK, SK, SPTK, SSTK, STK
from helpers.kernel_trees import ALL_KERNELS, VECTORS, close, composed, small


@given(st.lists(composed, min_size=1, max_size=4))
def test_values_are_symmetric_and_those_of_a_normalised_kernel_with_itself_are_one(some):
    for kernel in ALL_KERNELS():
        values = kernel.matrix(some, list(some))
        assert values == close(values.T, rel=1e-13)
        assert kernel.matrix(some) == close(values, rel=1e-13)
        assert kernel.pairs(some, some) == close(np.diag(values), rel=1e-13)
        ones = kernel.pairs(some, some, normalise=True)
        assert ones.tolist() == [float(len(tree) > 0) if values[i, i] else 0.0 for i, tree in enumerate(some)]


@given(st.lists(small, min_size=2, max_size=5))
def test_gram_matrices_are_positive_semidefinite_so_that_no_value_is_beyond_both_selves(some):
    for kernel in (PTK(), SSTK(), STK(), PTK(max_length=2)):
        gram = kernel.matrix(some, normalise=True)
        assert np.linalg.eigvalsh(gram)[0] > -1e-9
        assert (gram >= 0).all()
        assert (gram <= 1).all()


def test_values_by_hand():
    # One symbol in common: decay twice. Two: both alone, and the pair, which spans two places in either.
    assert kernels.sk("a", "a") == 0.75**2
    assert kernels.sk("ab", "ab", n=2, decay=0.5) == 2 * 0.5**2 + 0.5**4
    assert kernels.sk("axb", "ab", n=2, decay=0.5) == 2 * 0.5**2 + 0.5**5
    assert kernels.sk(["the", "cat"], ["the", "dog"], normalise=True) == close(
        0.5625 / (2 * 0.5625 + 0.75**4)
    )
    leaf = 0.4 * 0.4**2
    assert kernels.ptk("(A)", "(A)") == close(leaf)
    assert kernels.ptk("(S(a)(b))", "(S(a)(b))") == close(2 * leaf + 0.4 * (0.4**2 + 2 * leaf + leaf**2))
    assert kernels.ptk("(S(a)(x)(b))", "(S(a)(b))") == close(
        2 * leaf + 0.4 * (0.4**2 + 2 * leaf + 0.4 * leaf**2)
    )
    assert kernels.sstk("(S(A(b)))", "(S(A(c)))") == close(0.4)  # S → A, with A cut
    assert kernels.stk("(S(A(b)))", "(S(A(c)))") == 0
    assert kernels.stk("(S(A(b)))", "(S(A(c)))", kelp=True) == close(0.4)
    assert kernels.sptk("(LEX##cat::n)", "(LEX##dog::n)", vectors=VECTORS) == close(0.8 * leaf)
    relations = "(COMP##obj<eat::v,cat::n>)", "(COMP##obj<eat::v,dog::n>)"
    assert kernels.csptk(*relations, vectors=VECTORS) == close(0.8 * leaf)  # eat is unknown: as its modifier


def test_parameters_that_are_left_out_are_kelps():
    assert (SK().n, SK().decay) == (4, 0.75)
    assert (PTK().decay, PTK().vertical, PTK().terminal, PTK().max_length) == (0.4, 0.4, 1, None)
    for kernel in (SPTK(), CSPTK()):
        assert (kernel.max_length, kernel.threshold, kernel.same_class) == (20, 0.01, True)
        assert not kernel.equal_words_match
    assert (CSPTK().composition, CSPTK().same_relation, CSPTK().kelp) == ("sum", False, False)
    assert (SSTK().decay, SSTK().leaves, STK().decay, STK().leaves, STK().kelp) == (
        0.4,
        True,
        0.4,
        True,
        False,
    )


def test_kelps_reading_of_csptk_gives_different_words_nothing():
    a, b = "(COMP##x<cat::n,cat::n>(LEX##cat::n))", "(COMP##x<cat::n,cat::n>(LEX##dog::n))"
    assert kernels.csptk(a, b, vectors=VECTORS, kelp=True) < kernels.csptk(a, b, vectors=VECTORS)
    assert kernels.csptk("(LEX##cat::n)", "(LEX##dog::n)", vectors=VECTORS, kelp=True) == 0
