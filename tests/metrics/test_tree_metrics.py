"""Metrics on trees: KeLP's values through the metrics, TSKM by hand, and what is asked for where it is missing."""

import math

import numpy as np
import pytest

import adjudge
from adjudge import workspace
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.data.trees import read_tree
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.kernels import PTK
from adjudge.metrics import metric
from adjudge.text import vectors
from adjudge.text.trees import WordReading, tree
from helpers.tree_scores import CAT, DOG, TREES, scores
from helpers.treebanks import chain, kelp_sentences


@pytest.fixture(scope="session")
def kelp(shared):
    """KeLP's 300 pairs as a test set with trees, the outputs, and its values by setting."""
    systems, references = kelp_sentences(shared)
    trees = {f"s{at}": (system,) for at, system in enumerate(systems)}
    trees |= {f"r{at}": (reference,) for at, reference in enumerate(references)}
    test_set = TestSet(references=[[f"r{at}" for at in range(300)]], trees=Treebank(trees))
    values = {}
    lines = (shared.root / "golden/kelp/kernels300.values.tsv").read_text("utf-8").splitlines()[1:]
    for line in lines:
        cells = line.split("\t")
        values.setdefault(cells[1], []).append(float(cells[9]))
    return test_set, [f"s{at}" for at in range(300)], values, shared.root / "golden/kelp/glove50.lct300.vec"


@pytest.mark.parametrize(
    ("spec", "setting"),
    [
        ("ptk", "lct.ptk"),
        ("sstk", "lct.sstk"),
        ("sstk(leaves=false)", "lct.sstk.noleaves"),
        ("sptk(vectors={})", "lct.sptk"),
        ("sptk(vectors={},terminal=0.2)", "lct.sptk.tf0.2"),
        ("sptk(vectors={},same_class=false,equal_words_match=true)", "lct.sptk.anypos"),
        ("csptk(vectors={},kelp=true)", "clct.csptk.sum"),
        ("csptk(vectors={},kelp=true,composition=product)", "clct.csptk.product"),
        ("csptk(vectors={},kelp=true,composition=dilation)", "clct.csptk.dilation"),
        (
            "csptk(vectors={},kelp=true,same_class=false,same_relation=true)",
            "clct.csptk.sum.samerelation",
        ),
    ],
)
def test_scores_are_kelps(kelp, spec, setting):
    """The normalised kernel in percent, against the float64 recursion beside KeLP's own value."""
    test_set, outputs, values, file = kelp
    scorer = metric(spec.format(file))
    scores = scorer.segments(scorer.prepare(test_set), outputs, threads=1)
    np.testing.assert_allclose(scores, 100 * np.array(values[setting]), rtol=1e-7)  # vectors are float32


def test_the_best_reference_counts():
    trees = {"the cat sat": (CAT,), "a dog sat": (DOG,)}
    against_both = scores("ptk", [["a dog sat"], ["the cat sat"]], ["the cat sat"], trees)
    assert against_both == [100]
    alone = scores("ptk", [["a dog sat"]], ["the cat sat"], trees)
    assert 0 < alone[0] < 100


def test_empty_segments_and_several_sentences():
    trees = {"two": (CAT, DOG), "one": (CAT,), "turned": (DOG, CAT)}
    values = scores("ptk", [["two", "", "one", ""]], ["turned", "", "", "one"], trees)
    assert values.tolist() == pytest.approx([100, 0, 0, 0])
    kernel = PTK()
    both, first = (tree(parse, WordReading()) for parse in ((CAT, DOG), (CAT,)))
    expected = (kernel(first, first) + kernel(tree((DOG,), WordReading()), first)) / math.sqrt(
        kernel(both, both) * kernel(first, first)
    )
    assert scores("ptk", [["two"]], ["one"], trees) == pytest.approx([100 * expected])


def test_constituents_are_compared_as_given():
    trees = {
        "a": (read_tree("(S (NP the cat) (VP sat))"),),
        "b": (read_tree("(S (NP the cat) (VP slept))"),),
        "dep": (CAT,),
    }
    for name in ("ptk", "sstk"):
        (value,) = scores(f"{name}(tree=constituency)", [["a"]], ["b"], trees)
        assert 0 < value < 100
        with pytest.raises(UsageError, match="constituency takes trees of constituents in brackets"):
            scores(f"{name}(tree=constituency)", [["a"]], ["dep"], trees)
    with pytest.raises(UsageError, match="this metric takes dependency trees"):
        scores("ptk", [["a"]], ["b"], trees)


def test_lemmas_bring_forms_of_a_word_together():
    def sentence(words, lemmas):
        return chain(words, lemmas=tuple(lemmas.split()))

    trees = {"r": (sentence("cats sat", "cat sit"),), "c": (sentence("cat sits", "cat sit"),)}
    (exact,) = scores("ptk", [["r"]], ["c"], trees)
    (lemma,) = scores("ptk(words=lemma)", [["r"]], ["c"], trees)
    assert exact < lemma == 100


def test_lemmas_that_parses_lack_are_looked_up_in_the_language():
    pytest.importorskip("simplemma")
    trees = {"r": (chain("cats"),), "c": (chain("cat"),)}
    assert scores("ptk(words=lemma)", [["r"]], ["c"], trees, language="de-en") == [100]
    with pytest.raises(UsageError, match="the target language must be known: -l en-de"):
        scores("ptk(words=lemma)", [["r"]], ["c"], trees)
    test_set = TestSet(references=[["r"]], trees=Treebank(trees), language="en")
    assert "|lemmas:simplemma-" in metric("ptk(words=lemma)").signature(test_set)
    assert "lemmas" not in metric("ptk").signature(test_set)


def test_signatures_name_the_trees_of_references_and_the_vectors(tmp_path):
    def signature(spec, trees, **others):
        return metric(spec).signature(TestSet(references=[["r"]], trees=Treebank(trees), **others))

    plain = signature("ptk", {"r": (CAT,)})
    assert "|trees:" in plain
    assert signature("ptk", {"r": (CAT,), "output": (DOG,)}) == plain  # an output's tree is as its text
    assert signature("ptk", {"r": (DOG,)}) != plain
    file = tmp_path / "words.vec"
    file.write_text("cat 1 0\n")
    known = vectors.load(str(file), tmp_path).signature
    assert f"|vectors:{known}|" in signature(f"sptk(vectors={file})", {"r": (CAT,)})
    assert "|vectors:none|" in signature("csptk", {"r": (CAT,)})


def test_rows_are_kept_by_the_trees_of_outputs_too(tmp_path):
    from adjudge.engine.cache import RowCache

    cache = RowCache(tmp_path)
    scores = [
        adjudge.score(
            TestSet(references=[["the cat sat"]], trees=Treebank({"the cat sat": (CAT,), "x": (other,)})),
            Outputs("a", ["x"]),
            "ptk",
            cache=cache,
        )
        .results[0]
        .score
        for other in (CAT, DOG)
    ]
    assert scores[0] == 100
    assert scores[1] < 100


def test_words_without_vectors_are_told():
    trees = {"the cat sat": (CAT,)}
    with workspace.use(workspace.Workspace()) as here:
        assert scores("sptk", [["the cat sat"]], ["the cat sat"], trees) == [100]
    assert here.notes == [
        "SPTK: without word vectors, words are like themselves alone; give some: sptk(vectors=FILE)"
    ]
    with pytest.raises(DataError, match="no such file; word vectors were expected"):
        scores("sptk(vectors=missing.vec)", [["the cat sat"]], ["the cat sat"], trees)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ptk(decay=2)", "decay=2.*at most 1"),
        ("ptk(tree=other)", "must be one of lct, grct, pct, constituency"),
        ("sstk(words=stem)", "must be one of exact, lemma"),
        ("sptk(threshold=2)", "threshold=2"),
        ("csptk(tree=grct)", "its trees are lexical-centred"),
        ("csptk(composition=mean)", "must be one of sum, product, dilation"),
        ("tskm(pairs=rc+xx)", r"pairs=rc\+xx\): one or more of rc, cs, sc"),
        ("tskm(pairs=rc+rc)", "each may be named once"),
        ("tskm(kernels=)", "one or more of sk, ptk"),
        ("tskm(tree=constituency)", "must be one of lct, grct, pct"),
        ("tskm(n=0)", "n=.*must be a whole number from 1"),
    ],
)
def test_options_out_of_range_are_refused(spec, message):
    with pytest.raises(UsageError, match=message):
        metric(spec)


def test_without_trees_or_parser_both_ways_out_are_said():
    with pytest.raises(
        MissingResourceError, match=r"TSKM compares trees, and there are none: give them with --trees"
    ):
        adjudge.score(TestSet(references=[["a"]]), Outputs("a", ["a"]), "tskm")


def test_case_is_kept_where_it_is_asked_for():
    trees = {"The": (chain("The"),), "the": (chain("the"),)}
    assert scores("tskm(kernels=sk)", [["The"]], ["the"], trees) == [100]
    assert scores("tskm(kernels=sk,lowercase=false)", [["The"]], ["the"], trees) == [0]


def test_other_shapes_of_tree():
    by_shape = {
        shape: scores(f"tskm(kernels=ptk,tree={shape})", [["the cat sat"]], ["a cat sat"], TREES)[0]
        for shape in ("lct", "grct", "pct")
    }
    assert len({round(value, 6) for value in by_shape.values()}) == 3


def test_a_chain_of_five_thousand_words_is_scored():
    words = tuple(f"w{number % 50}" for number in range(5000))
    long = ParsedSentence(words, tuple(range(5000)), ("root", *["dep"] * 4999))
    assert scores("ptk", [["long"]], ["long"], {"long": (long,)}) == pytest.approx([100])
