"""Words that are alike by their vectors, alone and in relations."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.kernels import CSPTK, PTK, SPTK
from helpers.kernel_trees import VECTORS, close, composed, lexical, small, tags
from helpers.trees import trees
from oracles import kernels as oracle

mixed = trees(tags | lexical)


@given(mixed, mixed, st.booleans(), st.booleans(), st.sampled_from([0.01, 0.85]), st.sampled_from([1, 2, 20]))
def test_sptk_weighs_pairs_of_words_by_their_cosine(a, b, same_class, equal_words, threshold, max_length):
    kernel = SPTK(
        max_length=max_length,
        threshold=threshold,
        vectors=VECTORS,
        same_class=same_class,
        equal_words_match=equal_words,
    )
    similarity = oracle.lexical_similarity(VECTORS, same_class=same_class, equal_words_match=equal_words)
    expected = oracle.partial_tree_kernel(a, b, 0.4, 0.4, 1, max_length, similarity, threshold)
    assert kernel(a, b) == close(expected, rel=1e-12)


@given(composed, composed, st.sampled_from(["sum", "product", "dilation"]))
def test_csptk_weighs_relations_by_the_cosine_of_both_words_together(a, b, composition):
    kernel = CSPTK(vectors=VECTORS, composition=composition)
    known = {word: vector for word, vector in VECTORS.items() if any(vector)}
    similarity = oracle.compositional_similarity(known, composition)
    assert kernel(a, b) == close(oracle.partial_tree_kernel(a, b, 0.4, 0.4, 1, 20, similarity), rel=1e-12)


@given(small, small)
def test_sptk_without_vectors_is_ptk(a, b):
    assert SPTK(max_length=None)(a, b) == PTK()(a, b)


def test_compositions_by_hand():
    """Of the unit vectors h = (1, 0, 0) and m = (.8, .6, 0), against h with itself."""
    both = "(COMP##obj<cat::n,dog::n>)", "(COMP##obj<cat::n,cat::n>)"
    cosines = {"sum": 1.8 / np.hypot(1.8, 0.6), "product": 1.0, "dilation": 1.64 / np.hypot(1.64, 0.48)}
    for composition, cosine in cosines.items():
        value = kernels.csptk(*both, vectors=VECTORS, composition=composition, normalise=True)
        assert value == close(cosine), composition


def test_classes_and_relations_may_keep_compositions_apart():
    def value(a: str, b: str, **options: bool) -> float:
        return kernels.csptk(f"(COMP##{a})", f"(COMP##{b})", vectors=VECTORS, normalise=True, **options)

    assert value("obj<cat::n,dog::n>", "det<cat::n,dog::n>") == close(1)
    assert value("obj<cat::n,dog::n>", "det<cat::n,dog::n>", same_relation=True) == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::v,dog::n>") == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::n,dog::v>") == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::v,dog::v>", same_class=False) == close(1)
    assert value("obj<zzyx::n,qqq::n>", "det<zzyx::n,qqq::n>") == 0  # nothing is known of either word
