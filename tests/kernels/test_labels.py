"""What labels of nodes say: kinds, words and their classes."""

from adjudge import kernels
from helpers.kernel_trees import VECTORS, close


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
