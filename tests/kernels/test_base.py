"""What every kernel has: parameters that are checked, items prepared once, values that no thread changes."""

import numpy as np
import pytest

from adjudge import kernels
from adjudge.data.trees import ROOT, Tree
from adjudge.errors import DataError, UsageError
from adjudge.kernels import CSPTK, PTK, SK, SPTK
from helpers.kernel_trees import ALL_KERNELS, VECTORS, close


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
        others = kernel.prepare(some[::-1], others=prepared)
        assert (kernel.pairs(prepared, others, threads=1) == kernel.pairs(prepared, others, threads=4)).all()
        part, few = prepared, kernel.prepare(some[:20], others=prepared)
        assert (kernel.matrix(few, part, threads=1) == kernel.matrix(few, part, threads=3)).all()
    words = [list(tree.labels) for tree in some]
    assert (SK().pairs(words, words[::-1], threads=1) == SK().pairs(words, words[::-1], threads=4)).all()


def test_items_are_prepared_once_for_others_that_come_later():
    kernel = SPTK(vectors=VECTORS)
    references = kernel.prepare(["(LEX##cat::n)", "(LEX##dog::n(POS##NN))"])
    outputs = kernel.prepare(["(LEX##wolf::n)", "(LEX##cat::n(POS##NN))"], others=references)
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
