"""Trees that kernels take, made from parses; KeLP's own of 300 pairs are the oracle of their shape."""

import importlib.metadata
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.dependencies import ParsedSentence
from adjudge.data.trees import read_tree
from adjudge.errors import UsageError
from adjudge.text.trees import WordReading, compositional_tree, sequence, tree
from helpers.treebanks import kelp_columns, sentence_of

CAT = ParsedSentence(
    words=("The", "cats", "chased", "a", "dog"),
    heads=(2, 3, 0, 5, 3),
    relations=("det", "nsubj", "root", "det", "obj"),
    tags=("DT", "NNS", "VBD", "DT", "NN"),
    lemmas=("the", "cat", "chase", "", "dog"),
    classes=("DET", "NOUN", "VERB", "DET", "NOUN"),
)
NO = ParsedSentence(("No", ","), (0, 1), ("root", "punct"), ("UH", ","), ("no", ","))
LEMMA = WordReading("lemma")


def test_lexical_centred():
    assert str(tree((CAT,), WordReading())) == (
        "(LEX##chased::v(LEX##cats::n(LEX##the::d(POS##DT)(SYNT##det))(POS##NNS)(SYNT##nsubj))"
        "(LEX##dog::n(LEX##a::d(POS##DT)(SYNT##det))(POS##NN)(SYNT##obj))(POS##VBD)(SYNT##root))"
    )


def test_relation_centred_has_the_part_of_speech_where_the_word_stands():
    assert str(tree((CAT,), LEMMA, "grct")) == (
        "(SYNT##root(SYNT##nsubj(SYNT##det(POS##DT(LEX##the::d)))(POS##NNS(LEX##cat::n)))(POS##VBD(LEX##chase::v))"
        "(SYNT##obj(SYNT##det(POS##DT(LEX##a::d)))(POS##NN(LEX##dog::n))))"
    )


def test_part_of_speech_centred():
    assert str(tree((NO,), WordReading(), "pct")) == (
        "(POS##UH(POS##,(SYNT##punct)(LEX##,::,))(SYNT##root)(LEX##no::u))"
    )


def test_compositional():
    assert str(compositional_tree((NO,), LEMMA)) == (
        "(COMP##root<*::*,no::u>(COMP##punct<no::u,_comma_::_comma_>(POS##,)(SYNT##punct)(LEX##,::,))"
        "(POS##UH)(SYNT##root)(LEX##no::u))"
    )


def test_sentences_stand_beside_each_other():
    both = tree((CAT, NO), LEMMA)
    assert str(both) == str(tree((CAT,), LEMMA)) + str(tree((NO,), LEMMA))
    assert len(both.roots) == 2
    assert len(tree((), LEMMA)) == len(compositional_tree((), LEMMA)) == 0


def test_words_are_read_as_asked():
    assert sequence((CAT, NO), WordReading()) == ["the", "cats", "chased", "a", "dog", "no", ","]
    assert sequence((CAT,), WordReading(lowercase=False))[0] == "The"
    assert sequence((CAT,), LEMMA) == ["the", "cat", "chase", "a", "dog"]
    assert sequence((CAT,), WordReading("lemma", lemmatizer=lambda word: f"<{word}>"))[3] == "<a>"
    assert sequence((CAT,), WordReading("lemma", lowercase=False))[0] == "the"


@pytest.mark.parametrize(
    ("universal", "letter"),
    [("NOUN", "n"), ("PROPN", "n"), ("ADJ", "j"), ("ADV", "r"), ("", "_"), ("ZZ", "z")],
)
def test_universal_tags_have_the_letters_of_penns(universal, letter):
    word = ParsedSentence(("x",), (0,), ("root",), classes=(universal,))
    assert tree((word,), WordReading()).labels[0] == f"x::{letter}"


def test_constituents_are_taken_as_they_are_but_for_their_words():
    given_tree = read_tree("(S (NP The cats) (VP sat))")
    assert str(tree((given_tree,), WordReading(), "constituency")) == "(S(NP(the)(cats))(VP(sat)))"
    assert sequence((given_tree,), WordReading(lowercase=False)) == ["The", "cats", "sat"]
    upper = WordReading("lemma", lowercase=False, lemmatizer=str.upper)
    assert str(tree((given_tree,), upper, "constituency")) == "(S(NP(THE)(CATS))(VP(SAT)))"


def test_one_kind_of_tree_does_not_pass_for_the_other():
    constituents = read_tree("(S (NP the cat))")
    for make in (
        lambda: tree((constituents,), WordReading()),
        lambda: compositional_tree((constituents,), WordReading()),
    ):
        with pytest.raises(UsageError, match="of constituents, and this metric takes dependency trees"):
            make()
    with pytest.raises(UsageError, match="tree=constituency takes trees of constituents in brackets"):
        tree((CAT,), WordReading(), "constituency")


@given(st.integers(1, 40))
def test_every_shape_has_all_that_the_sentence_has(size):
    chain = ParsedSentence(tuple(map(str, range(size))), tuple(range(size)), ("root", *["dep"] * (size - 1)))
    for shape in ("lct", "grct", "pct"):
        made = tree((chain,), WordReading(), shape)
        assert len(made) == 3 * size
        assert sorted(made.labels) == sorted(tree((chain,), WordReading()).labels)


def golden_trees(shared, name):
    """System and reference of each pair in turn."""
    return [text for pair in zip(*kelp_columns(shared, name), strict=True) for text in pair]


def test_kelps_trees_come_out_of_the_sentences_in_them(shared):
    """Both of KeLP's trees of 600 sentences, from what the lexical-centred one says of the sentence."""
    lexical, compositional = (golden_trees(shared, f"{kind}300.trees.tsv") for kind in ("lct", "clct"))
    assert len(lexical) == len(compositional) == 600
    for first, other in zip(lexical, compositional, strict=True):
        sentence = sentence_of(read_tree(first))
        assert str(tree((sentence,), WordReading())) == first
        assert str(compositional_tree((sentence,), WordReading())) == other


@pytest.fixture(scope="session")
def english():
    """spaCy of the release that parsed for KeLP, or a skip before the golden values are asked for."""
    try:
        version = importlib.metadata.version("spacy")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("spaCy is not installed (pip install 'adjudge[trees]')")
    if version != "3.8.18":
        pytest.skip(f"KeLP's trees were parsed with spaCy 3.8.18; this is {version}")


@pytest.mark.oracle
def test_kelps_trees_are_those_of_the_parser(english, shared):
    """The same 600 trees, from the texts: lines of w1 parsed with the model that they were parsed with."""
    from adjudge.text.parsing import Parses

    numbers = [
        int(line.partition("\t")[0])
        for line in (shared.root / "golden/kelp/lct300.trees.tsv").read_text("utf-8").splitlines()[1:]
    ]
    columns = [
        (shared.root / "golden/data" / name).read_text("utf-8").split("\n")
        for name in ("w1.sys1.en", "w1.ref.en")
    ]
    texts = [column[number - 1] for number in numbers for column in columns]
    parses = Parses(None, str(shared.root / "models/en_ewt")).of(texts)
    assert [str(tree(parse, LEMMA)) for parse in parses] == golden_trees(shared, "lct300.trees.tsv")
    made = [str(compositional_tree(parse, LEMMA)) for parse in parses]
    assert made == golden_trees(shared, "clct300.trees.tsv")


def test_the_python_example_of_the_documentation_runs(examples):
    (code,) = re.findall(
        r"```python\n(.*?)```", (examples.parent / "docs/trees.md").read_text("utf-8"), re.DOTALL
    )
    exec(code, {})
