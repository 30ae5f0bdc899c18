"""Trees and their bracketed text: what is written is read, KeLP's own files are read, damage has a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.trees import (
    ROOT,
    NodeKind,
    Tree,
    compositional_label,
    compositional_parts,
    lexical_label,
    lexical_parts,
    read_tree,
    renumber_tree,
    write_tree,
)
from adjudge.errors import DataError
from helpers.trees import trees

any_label = st.tuples(st.sampled_from(NodeKind), st.text("abL()\\ :#<,>\n", max_size=6))


@given(trees(any_label, 12))
def test_what_is_written_is_read(tree):
    assert read_tree(write_tree(tree)) == renumber_tree(tree)


@given(trees(any_label, 12))
def test_children_stand_in_the_order_of_their_numbers_after_their_parent(tree):
    place = {node: i for i, node in enumerate(tree.preorder)}
    assert sorted(tree.preorder) == list(range(len(tree)))
    for node, children in enumerate(tree.children):
        assert list(children) == sorted(children)
        assert all(tree.parents[child] == node and place[child] > place[node] for child in children)
    assert len(tree.roots) + sum(map(len, tree.children)) == len(tree)


def test_the_forms_of_treebanks_and_of_kelp_are_the_same_tree():
    kelp = read_tree("(S(NP(DT(the))(NN(cat)))(VP(VBD(sat))))")
    assert kelp == read_tree("(S (NP (DT the) (NN cat))\n   (VP (VBD sat)))")
    assert kelp == read_tree("( (S (NP (DT the) (NN cat)) (VP (VBD sat))) )")  # Penn's outermost bracket
    assert kelp.labels == ("S", "NP", "DT", "the", "NN", "cat", "VP", "VBD", "sat")
    assert kelp.parents == (ROOT, 0, 1, 2, 1, 4, 0, 6, 7)
    assert set(kelp.kinds) == {NodeKind.PLAIN}


def test_kinds_of_node_are_kelps():
    tree = read_tree(
        "(LEX##cat::n(POS##NN)(SYNT##nsubj)(COMP##det<cat::n,the::d>)(x)(the::d)(POS###)(FOO##x))"
    )
    assert [kind.value for kind in tree.kinds] == ["LEX", "POS", "SYNT", "COMP", "", "LEX", "POS", ""]
    assert tree.labels == ("cat::n", "NN", "nsubj", "det<cat::n,the::d>", "x", "the::d", "#", "FOO##x")
    assert write_tree(Tree(("LEX##x", "a::b"), (ROOT, 0))) == "(##LEX##x(##a::b))"


def test_several_roots_none_and_a_single_node():
    assert read_tree("(the)(cat)").roots == (0, 1)
    assert len(read_tree(" \n")) == 0
    assert read_tree("(A)") == Tree(("A",), (ROOT,))
    assert str(Tree((), ())) == ""


@pytest.mark.parametrize("depth", [5000, 20_000])
def test_a_chain_is_no_deeper_than_memory(depth):
    text = "(a" * depth + ")" * depth
    tree = read_tree(text)
    assert tree.parents == tuple(range(-1, depth - 1))
    assert write_tree(tree) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(A(B)", "character 6 of a bracketed tree: the text ends inside of 1 bracket"),
        ("(A))", "character 4 of a bracketed tree: a bracket is closed that was not opened"),
        ("(A(()))", "character 3 of a bracketed tree: a bracket has no label"),
        ("cat", "character 1 of a bracketed tree: 'cat' stands outside of all brackets"),
        ("(A\n  (B\n))\n)", "line 4, character 1 of a bracketed tree: a bracket is closed"),
    ],
)
def test_damage_has_a_place(text, message):
    with pytest.raises(DataError, match=r"^trees.txt, line 7, ") as error:
        read_tree(text, "trees.txt, line 7")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("labels", "parents", "kinds", "message"),
    [
        (("a", "b"), (1, 0), (), "node 0 of a tree hangs on no root"),
        (("a", "b", "c"), (ROOT, 1, 0), (), "node 1 of a tree hangs on no root"),
        (("a",), (1,), (), "node 0 of a tree has parent 1, but nodes are 0 to 0"),
        (("a",), (-2,), (), "has parent -2"),
        (("a", "b"), (ROOT,), (), "a tree of 2 labels has 1 parents and 2 kinds"),
        (("a", "b"), (ROOT, 0), (NodeKind.LEXICAL,), "a tree of 2 labels has 2 parents and 1 kinds"),
    ],
)
def test_what_is_no_tree_is_refused(labels, parents, kinds, message):
    with pytest.raises(DataError, match=message):
        Tree(labels, parents, kinds)


def test_labels_come_apart_as_they_were_put_together():
    assert lexical_parts(lexical_label("cat", "n")) == ("cat", "n")
    assert lexical_parts("cat") == ("cat", "")
    assert lexical_parts("::n") == ("::n", "")
    assert lexical_parts("a::b::c") == ("a::b", "c")
    assert lexical_parts(lexical_label("-", ":")) == ("-", ":")
    assert lexical_parts(lexical_label(":", ":")) == (":", ":")
    label = compositional_label("punct", "run::v", ",::,")
    assert label == "punct<run::v,_comma_::_comma_>"
    assert compositional_parts(label) == ("punct", "run::v", "_comma_::_comma_")
    with pytest.raises(DataError, match="'x' is no compositional label"):
        compositional_parts("x")


@pytest.mark.parametrize("name", ["lct300", "clct300", "tiny", "trec10.grct"])
def test_kelps_own_files_are_read_and_written_alike(shared, name):
    lines = (shared.golden / "kelp" / f"{name}.trees.tsv").read_text(encoding="utf-8").splitlines()[1:]
    texts = [cell for line in lines for cell in line.split("\t") if cell.startswith("(")]
    assert len(texts) >= 94
    for text in texts:
        if "##" in text:
            assert write_tree(read_tree(text)) == text
