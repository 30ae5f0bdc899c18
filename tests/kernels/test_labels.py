"""What labels of nodes say: kinds, words and their classes."""

from adjudge import kernels
from helpers.kernel_trees import VECTORS


def test_words_that_nothing_is_known_of_match_themselves_across_classes_on_request():
    a, b = "(LEX##zzyx::n)", "(LEX##zzyx::v)"
    assert kernels.sptk(a, b, vectors=VECTORS, same_class=False) == 0
    assert kernels.sptk(a, b, vectors=VECTORS, equal_words_match=True, normalise=True) == 1
