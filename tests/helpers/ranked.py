"""What the tests of rankings share: drawn comparisons."""

from hypothesis import strategies as st

SYSTEMS = "abcde"


@st.composite
def judgement_rows(draw, min_size=1):
    pair = st.permutations(SYSTEMS).map(lambda names: tuple(names[:2]))
    row = st.tuples(pair, st.sampled_from([1, 0, -1]), st.integers(0, 6), st.integers(0, 3))
    return [(a, b, s, r, i) for (a, b), s, r, i in draw(st.lists(row, min_size=min_size, max_size=40))]
