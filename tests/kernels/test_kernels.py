"""Kernels hold to their definitions on small trees and sequences, to their laws, and to any depth and width."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.data.trees import ROOT, NodeKind, Tree
from adjudge.errors import DataError, UsageError
from adjudge.kernels import CSPTK, PTK, SK, SPTK, SSTK, STK
from helpers.trees import trees
from oracles import kernels as oracle

VECTORS = {"cat": [1, 0, 0], "dog": [4, 3, 0], "wolf": [3, 1, 1], "anti": [-1, 0, 0.1], "zero": [0, 0, 0]}
words = st.builds("{}::{}".format, st.sampled_from([*VECTORS, "zzyx"]), st.sampled_from("nv"))
pairs_of_words = st.builds("{}<{},{}>".format, st.sampled_from(["det", "obj"]), words, words)
plain = st.tuples(st.just(NodeKind.PLAIN), st.sampled_from("abc"))
tags = st.tuples(
    st.sampled_from([NodeKind.PART_OF_SPEECH, NodeKind.RELATION, NodeKind.PLAIN]), st.sampled_from("ab")
)
lexical = st.tuples(st.just(NodeKind.LEXICAL), words)
compositional = st.tuples(st.just(NodeKind.COMPOSITIONAL), pairs_of_words)
small = trees(plain)
mixed = trees(tags | lexical)
composed = trees(tags | lexical | compositional)
sequences = st.lists(st.sampled_from("abc"), max_size=8)
decays = st.floats(0.1, 1)
close = pytest.approx


def ALL_KERNELS() -> list[kernels.Kernel]:
    return [PTK(), SPTK(vectors=VECTORS), CSPTK(vectors=VECTORS), SSTK(), STK(), PTK(max_length=2)]


@given(sequences, sequences, st.integers(1, 7), decays)
def test_sk_is_the_sum_over_all_subsequences(a, b, n, decay):
    expected = oracle.sequence_kernel(a, b, n, decay)
    assert kernels.sk(a, b, n=n, decay=decay) == close(expected, rel=1e-12)


@given(small, small, decays, decays, st.floats(0.1, 5), st.sampled_from([None, 1, 2, 3]))
def test_ptk_is_the_sum_over_all_sequences_of_children(a, b, decay, vertical, terminal, max_length):
    kernel = PTK(decay, vertical, terminal, max_length)
    expected = oracle.partial_tree_kernel(a, b, decay, vertical, terminal, max_length)
    assert kernel(a, b) == close(expected, rel=1e-12)


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


@given(trees(tags, 7), trees(tags, 7), decays, st.booleans())
def test_sstk_and_stk_are_the_sums_over_all_fragments(a, b, decay, leaves):
    assert SSTK(decay, leaves)(a, b) == close(
        oracle.subset_tree_kernel(a, b, decay, leaves, False), rel=1e-12
    )
    assert STK(decay, leaves)(a, b) == close(oracle.subset_tree_kernel(a, b, decay, leaves, True), rel=1e-12)


@given(small, small)
def test_sptk_without_vectors_is_ptk(a, b):
    assert SPTK(max_length=None)(a, b) == PTK()(a, b)


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


@given(st.lists(sequences, min_size=2, max_size=6), st.integers(1, 5), decays)
def test_so_are_those_of_sequences(some, n, decay):
    gram = SK(n, decay).matrix(some, normalise=True)
    assert np.linalg.eigvalsh(gram)[0] > -1e-9
    assert gram.min() >= 0
    assert gram.max() <= 1
    assert np.diag(gram).tolist() == [float(bool(sequence)) for sequence in some]
    assert SK(n, decay).pairs(some, some[::-1]) == close(np.diag(SK(n, decay).matrix(some, some[::-1])))


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


def test_compositions_by_hand():
    """Of the unit vectors h = (1, 0, 0) and m = (.8, .6, 0), against h with itself."""
    both = "(COMP##obj<cat::n,dog::n>)", "(COMP##obj<cat::n,cat::n>)"
    cosines = {"sum": 1.8 / np.hypot(1.8, 0.6), "product": 1.0, "dilation": 1.64 / np.hypot(1.64, 0.48)}
    for composition, cosine in cosines.items():
        value = kernels.csptk(*both, vectors=VECTORS, composition=composition, normalise=True)
        assert value == close(cosine), composition


def test_words_that_nothing_is_known_of_match_themselves_across_classes_on_request():
    a, b = "(LEX##zzyx::n)", "(LEX##zzyx::v)"
    assert kernels.sptk(a, b, vectors=VECTORS, same_class=False) == 0
    assert kernels.sptk(a, b, vectors=VECTORS, equal_words_match=True, normalise=True) == 1


def test_productions_are_all_children():
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(d))", leaves=False) == 0
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(c)(d))", leaves=False) == 0
    assert kernels.sstk("(S(a)(b)(c))", "(S(a)(b)(c))", leaves=False) == 0.4


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


def test_classes_and_relations_may_keep_compositions_apart():
    def value(a: str, b: str, **options: bool) -> float:
        return kernels.csptk(f"(COMP##{a})", f"(COMP##{b})", vectors=VECTORS, normalise=True, **options)

    assert value("obj<cat::n,dog::n>", "det<cat::n,dog::n>") == close(1)
    assert value("obj<cat::n,dog::n>", "det<cat::n,dog::n>", same_relation=True) == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::v,dog::n>") == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::n,dog::v>") == 0
    assert value("obj<cat::n,dog::n>", "obj<cat::v,dog::v>", same_class=False) == close(1)
    assert value("obj<zzyx::n,qqq::n>", "det<zzyx::n,qqq::n>") == 0  # nothing is known of either word


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


def test_what_no_number_can_hold_is_an_error():
    star = Tree(("a",) * 3000, (ROOT, *[0] * 2999))
    with pytest.raises(UsageError, match="larger than a number can be"):
        PTK(decay=1, vertical=1)(star, star)
    with pytest.raises(UsageError, match="larger than a number can be"):
        PTK(decay=1, vertical=1)(star, star, normalise=True)


def test_large_kernels_are_normalised_without_their_product():
    star = Tree(("a",) * 300, (ROOT, *[0] * 299))
    kernel = PTK(decay=1, vertical=1, terminal=1)
    assert 1e150 < kernel(star, star) < 1e300
    assert kernel(star, star, normalise=True) == close(1)


def test_threads_never_change_a_value():
    rng = np.random.default_rng(5)
    some = [
        Tree(
            tuple(rng.choice(["a", "b", "c"], 30).tolist()),
            (ROOT, *(int(rng.integers(0, i)) for i in range(1, 30))),
        )
        for _ in range(300)
    ]
    for kernel in ALL_KERNELS():
        prepared = kernel.prepare(some)
        others = kernel.prepare(some[::-1], beside=prepared)
        assert (kernel.pairs(prepared, others, threads=1) == kernel.pairs(prepared, others, threads=4)).all()
        part, few = prepared, kernel.prepare(some[:20], beside=prepared)
        assert (kernel.matrix(few, part, threads=1) == kernel.matrix(few, part, threads=3)).all()
    words = [list(tree.labels) for tree in some]
    assert (SK().pairs(words, words[::-1], threads=1) == SK().pairs(words, words[::-1], threads=4)).all()


def test_items_are_prepared_once_for_others_that_come_later():
    kernel = SPTK(vectors=VECTORS)
    references = kernel.prepare(["(LEX##cat::n)", "(LEX##dog::n(POS##NN))"])
    outputs = kernel.prepare(["(LEX##wolf::n)", "(LEX##cat::n(POS##NN))"], beside=references)
    expected = kernel.pairs(
        ["(LEX##wolf::n)", "(LEX##cat::n(POS##NN))"],
        ["(LEX##cat::n)", "(LEX##dog::n(POS##NN))"],
        normalise=True,
    )
    assert (kernel.pairs(outputs, references, normalise=True) == expected).all()
    assert (
        kernel.pairs(["(LEX##wolf::n)", "(LEX##cat::n(POS##NN))"], references, normalise=True) == expected
    ).all()
    assert kernel.matrix(outputs, references).shape == (2, 2)
    assert len(references) == 2


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"decay": 0}, "decay=0: must be a number above 0 and at most 1"),
        ({"decay": 1.1}, "decay=1.1: must be"),
        ({"vertical": float("nan")}, "vertical=nan: must be"),
        ({"vertical": "x"}, "vertical=x: must be"),
        ({"terminal": float("inf")}, "terminal=inf: must be a number above 0$"),
        ({"max_length": 0}, "max_length=0: must be a whole number from 1 to 10,000, or none"),
        ({"max_length": 2.5}, "max_length=2.5: must be"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(UsageError, match=message):
        PTK(**parameters)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(UsageError, match="threshold=2: must be a number from 0 to 1"):
        SPTK(threshold=2)
    with pytest.raises(UsageError, match="unknown composition 'som'; did you mean 'sum'"):
        CSPTK(composition="som")
    with pytest.raises(UsageError, match="n=none: must be a whole number from 1"):
        SK(n=0)
    with pytest.raises(DataError, match="2 items on the one side and 1 on the other make no pairs"):
        PTK().pairs(["(a)", "(b)"], ["(a)"])
    with pytest.raises(DataError, match="'x' is no compositional label"):
        kernels.csptk("(COMP##x)", "(COMP##x)")
    with pytest.raises(DataError, match="vectors of 2 and of 3 numbers cannot be compared"):
        kernels.sptk("(LEX##a::n)", "(LEX##b::n)", vectors={"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(DataError, match="the vector of 'a' is no list of finite numbers"):
        kernels.sptk("(LEX##a::n)", "(LEX##b::n)", vectors={"a": [1, float("nan")]})
    with pytest.raises(DataError, match="character 3 of a bracketed tree: the text ends inside of 1 bracket"):
        kernels.ptk("(a", "(a)")
    kernel = PTK()
    with pytest.raises(UsageError, match="not prepared beside each other"):
        kernel.pairs(kernel.prepare(["(a)"]), kernel.prepare(["(a)"]))
    with pytest.raises(UsageError, match=r"prepared for PTK\(.*decay=0.5.*\), not for PTK"):
        kernel.pairs(PTK(decay=0.5).prepare(["(a)"]), ["(a)"])
