"""The kernel on sequences is the sum over all subsequences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.kernels import SK
from helpers.kernel_trees import close, decays
from oracles import kernels as oracle

sequences = st.lists(st.sampled_from("abc"), max_size=8)


@given(sequences, sequences, st.integers(1, 7), decays)
def test_sk_is_the_sum_over_all_subsequences(a, b, n, decay):
    expected = oracle.sequence_kernel(a, b, n, decay)
    assert kernels.sk(a, b, n=n, decay=decay) == close(expected, rel=1e-12)


@given(st.lists(sequences, min_size=2, max_size=6), st.integers(1, 5), decays)
def test_so_are_those_of_sequences(some, n, decay):
    gram = SK(n, decay).matrix(some, normalise=True)
    assert np.linalg.eigvalsh(gram)[0] > -1e-9
    assert gram.min() >= 0
    assert gram.max() <= 1
    assert np.diag(gram).tolist() == [float(bool(sequence)) for sequence in some]
    assert SK(n, decay).pairs(some, some[::-1]) == close(np.diag(SK(n, decay).matrix(some, some[::-1])))
