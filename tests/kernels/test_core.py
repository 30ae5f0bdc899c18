"""What the core refuses at its border, whoever calls it: numbers that do not fit each other reach no kernel."""

import numpy as np
import pytest

from adjudge import _native


def numbers(*values):
    return np.array(values, np.int32)


def sizes(*values):
    return np.array(values, np.int64)


def trees(groups=(0, 1), similar=(-1, -1), parents=(-1, 0), of=(2,)):
    return _native.KernelTrees(numbers(*groups), numbers(*similar), numbers(*parents), sizes(*of))


@pytest.mark.parametrize(
    ("symbols", "of", "message"),
    [
        ((0, -1), (2,), "a symbol below 0"),
        ((0, 1), (3,), "sizes of sequences do not fit their symbols"),
        ((0, 1), (1,), "sizes of sequences do not fit their symbols"),
        ((0, 1), (3, -1), "sizes of sequences do not fit their symbols"),
        ((0, 1), (-1, 3), "sizes of sequences do not fit their symbols"),
    ],
)
def test_sequences_that_do_not_fit_are_refused(symbols, of, message):
    with pytest.raises(ValueError, match=message):
        _native.KernelSequences(numbers(*symbols), sizes(*of))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"groups": (0, -1)}, "a group below 0"),
        ({"groups": (0,)}, "lists of nodes of different lengths"),
        ({"similar": (-1,)}, "lists of nodes of different lengths"),
        ({"parents": (-1,)}, "lists of nodes of different lengths"),
        ({"parents": (-1, 2)}, "a parent outside of its tree"),
        ({"parents": (-2, 0)}, "a parent outside of its tree"),
        ({"parents": (1, 0)}, "parents that go round in a circle"),
        ({"parents": (-1, 1)}, "parents that go round in a circle"),
        ({"of": (1,)}, "sizes of trees do not fit their nodes"),
        ({"of": (3,)}, "sizes of trees do not fit their nodes"),
        ({"of": (3, -1)}, "sizes of trees do not fit their nodes"),
    ],
)
def test_trees_that_do_not_fit_are_refused(changed, message):
    assert len(trees()) == 1
    with pytest.raises(ValueError, match=message):
        trees(**changed)


def test_vectors_that_are_not_there_are_refused():
    vectors = np.ones((2, 3))
    known = _native.Similarities(numbers(0, 1), numbers(0, 0), numbers(-1, 1), vectors)
    assert len(known) == 2
    for row in (-2, 2):
        with pytest.raises(ValueError, match="a vector that is not there"):
            _native.Similarities(numbers(0, 1), numbers(0, 0), numbers(0, row), vectors)
    with pytest.raises(ValueError, match="lists of words of different lengths"):
        _native.Similarities(numbers(0, 1), numbers(0), numbers(0, 1), vectors)


def test_nodes_that_nothing_is_known_of_are_refused():
    known = _native.Similarities(numbers(0, 1), numbers(0, 0), numbers(-1, 1), np.ones((2, 3)))
    kernel = _native.TreeKernel.partial(0.4, 0.4, 1.0, 0, known, 0.01)
    inside, outside = trees(similar=(-1, 1)), trees(similar=(-1, 2))
    assert _native.tree_kernel_pairs(inside, inside, kernel, 1).shape == (1, 1)
    for a, b in ((inside, outside), (outside, inside)):
        with pytest.raises(ValueError, match="nodes that nothing is known of"):
            _native.tree_kernel_pairs(a, b, kernel, 1)
        with pytest.raises(ValueError, match="nodes that nothing is known of"):
            _native.tree_kernel_matrix(a, b, kernel, 1)


def test_a_word_as_near_as_the_threshold_matches():
    """Both are of the words' own likeness: 1 for the same one, whatever else."""
    known = _native.Similarities(numbers(0), numbers(0), numbers(-1), np.zeros((0, 1)))
    leaf = trees(similar=(-1, 0))
    values = [
        _native.tree_kernel_pairs(leaf, leaf, _native.TreeKernel.partial(0.4, 0.4, 1.0, 0, known, at), 1)[
            0, 0
        ]
        for at in (0.0, 1.0)
    ]
    assert values[0] == values[1] > 0
