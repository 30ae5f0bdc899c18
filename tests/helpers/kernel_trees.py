"""What the tests of kernels share: drawn trees and sequences, and slow sums."""

import pytest
from hypothesis import strategies as st

from adjudge import kernels
from adjudge.data.trees import NodeKind
from adjudge.kernels import CSPTK, PTK, SPTK, SSTK, STK
from helpers.trees import trees

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


composed = trees(tags | lexical | compositional)


decays = st.floats(0.1, 1)


close = pytest.approx


def ALL_KERNELS() -> list[kernels.Kernel]:
    return [PTK(), SPTK(vectors=VECTORS), CSPTK(vectors=VECTORS), SSTK(), STK(), PTK(max_length=2)]
