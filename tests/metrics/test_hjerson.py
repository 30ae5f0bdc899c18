"""Classes of errors against Hjerson's own labels, against its rules written down plainly, and their laws."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.hjerson import COLUMNS, COUNTS, rate
from conftest import Shared
from oracles.error_classes import classes, numbers_of

LETTERS = {"x": "x", "infl": "i", "reord": "r", "miss": "m", "ext": "e", "lex": "l"}
NAMES = {"inflection": "INF", "reordering": "R", "missing": "MIS", "extra": "EXT", "lexical": "LEX"}
words = st.lists(st.sampled_from(["go", "goes", "house", "houses", "a", "the", "tree"]), max_size=9)


def lines(path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:1000]


def texts(shared: Shared) -> tuple[list[str], list[str]]:
    return lines(shared.golden / "data/w1.tok.sys1.en"), lines(shared.golden / "data/w1.tok.ref.en")


def hjersons_labels(path) -> list[str]:
    """The letters of every side of every segment, in the file's order."""
    sides = [line.split(": ", 1)[1] for line in lines_of_labels(path)]
    return ["".join(LETTERS[word.rsplit("~~", 1)[1]] for word in side.split()) for side in sides]


def lines_of_labels(path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if "-err-cats: " in line]


def rows_of(spec: str, hypotheses: list[str], *references: list[str | None], threads: int = 1) -> np.ndarray:
    scorer = metric(spec)
    return scorer.stats(scorer.prepare(TestSet(references=references)), hypotheses, threads=threads)


@pytest.mark.parametrize(("file", "bases"), [("lemma", "given"), ("four", "four")])
def test_every_word_has_hjersons_label(shared: Shared, file: str, bases: str) -> None:
    hypotheses, references = texts(shared)
    folder = shared.golden / "hjerson"
    if bases == "given":
        ours, theirs = (lines(folder / f"w1.1000.{side}.base.en") for side in ("hyp", "ref"))
    else:
        ours, theirs = (
            [" ".join(word[:4] for word in line.split()) for line in side]
            for side in (hypotheses, references)
        )
    numbered, based = (
        _native.numbered_words([_native.texts(side) for side in sides], "none")
        for sides in ((hypotheses, references), (ours, theirs))
    )
    (own, begins), (wanted, wanted_begins) = numbered[1]
    (own_bases, _), (wanted_bases, _) = based[1]
    _, hypothesis, reference, *_ = _native.word_classes(
        (own, own_bases, begins),
        [(wanted, wanted_bases, wanted_begins, np.ones(len(references), bool))],
        len(numbered[0]),
        len(based[0]),
        2,
    )
    sides = [
        [letters[a:b].tobytes().decode() for a, b in pairwise(places.tolist())]
        for letters, places in ((reference, wanted_begins), (hypothesis, begins))
    ]
    labels = [side for segment in zip(*sides, strict=True) for side in segment]
    assert labels == hjersons_labels(folder / f"{file}.cats.txt")


@pytest.mark.parametrize(("run", "spec"), [("four", "four"), ("lemma", "lemma,language=en")])
def test_totals_and_rates_are_hjersons(shared: Shared, run: str, spec: str) -> None:
    golden = json.loads((shared.golden / "hjerson/hjerson.json").read_text(encoding="utf-8"))
    totals = golden["runs"][run]["totals"]
    hypotheses, references = texts(shared)
    sums = rows_of(f"hjerson(tokenize=none,bases={spec})", hypotheses, references).sum(0)
    by_name = dict(zip(COLUMNS, sums, strict=True))
    assert by_name["edits"] == totals["Wer"]["count"]
    assert by_name["reference unknown"] == totals["Rper"]["count"]
    assert by_name["hypothesis unknown"] == totals["Hper"]["count"]
    for column, count in zip(COLUMNS[5:], COUNTS, strict=True):
        side = {"reference": "ref", "hypothesis": "hyp"}[count.side] if count.errors[0] in "irl" else ""
        golden_name = f"{'b' if count.blocks else ''}{side}{NAMES[count.errors]}er"
        assert by_name[column] == totals[golden_name]["count"], golden_name
        assert round(float(rate(sums, count)), 2) == totals[golden_name]["rate"], golden_name
    for blocks, name in ((False, "SUMerr"), (True, "bSUMerr")):
        scorer = metric(f"hjerson(tokenize=none,blocks={str(blocks).lower()})")
        assert float(scorer.aggregate(sums)) == pytest.approx(totals[name]["rate"], abs=0.006)


@given(words, words)
def test_the_core_keeps_to_the_rules(hypothesis, reference) -> None:
    scorer = metric("hjerson(tokenize=none)")
    ours, theirs = ([word[:4] for word in side] for side in (hypothesis, reference))
    prepared = scorer.prepare(TestSet(references=[[" ".join(reference)]]))
    [labels] = scorer.classes(prepared, [" ".join(hypothesis)]).labels()
    assert (labels.hypothesis, labels.reference) == classes(hypothesis, reference, ours, theirs)
    rows = scorer.stats(prepared, [" ".join(hypothesis)])
    assert rows[0, :2].tolist() == [len(reference), len(hypothesis)]
    sides = {"hypothesis": labels.hypothesis, "reference": labels.reference}
    assert rows[0, 5:].tolist() == numbers_of(sides, COLUMNS[5:])


@given(st.lists(st.tuples(words, words, st.none() | words), min_size=1, max_size=5), st.integers(1, 3))
def test_a_segment_is_labelled_the_same_in_any_company(segments, threads) -> None:
    scorer = metric("hjerson(tokenize=none)")
    columns = [
        [None if own is None else " ".join(own) for own in side] for side in zip(*segments, strict=True)
    ]
    hypotheses, *references = columns
    together = scorer.classes(scorer.prepare(TestSet(references=references)), hypotheses, threads=threads)
    for place, (labels, row) in enumerate(zip(together.labels(), together.rows, strict=True)):
        alone = TestSet(references=[[column[place]] for column in references])
        own = scorer.classes(scorer.prepare(alone), [hypotheses[place]])
        assert own.labels() == [labels]
        assert own.rows[0].tolist() == row.tolist()


@pytest.mark.parametrize(
    ("references", "words", "message"),
    [
        ([], 2, "segment 1 has no reference"),
        ([([0], [0], [0, 1], [False])], 2, "segment 1 has no reference"),
        ([([0, 1], [0, 1], [0, 1, 2], [True, True])], 2, "as many references as hypotheses"),
        ([([0], [0, 1], [0, 1], [True])], 2, "do not fit their words"),
        ([([1], [0], [0, 1], [True])], 1, "a word without a number"),
    ],
)
def test_the_core_refuses_numbers_that_do_not_fit(references, words, message) -> None:
    def column(numbers):
        return np.array(numbers, np.int64)

    theirs = [(column(w), column(b), column(begins), np.array(there)) for w, b, begins, there in references]
    with pytest.raises(ValueError, match=message):
        _native.word_classes((column([0]), column([0]), column([0, 1])), theirs, words, 2, 1)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=4))
def test_classes_add_up_to_the_whole(pairs) -> None:
    hypotheses, references = ([" ".join(side) for side in column] for column in zip(*pairs, strict=True))
    sums = rows_of("hjerson(tokenize=none)", list(hypotheses), list(references)).sum(0)
    parts = ["inflection", "reordering", "missing", "extra", "lexical"]
    shares = [float(metric(f"hjerson(tokenize=none,errors={part})").aggregate(sums)) for part in parts]
    assert float(metric("hjerson(tokenize=none)").aggregate(sums)) == pytest.approx(sum(shares))
    assert all(share >= 0 for share in shares)


def test_by_hand() -> None:
    # "the" is off the path on both sides, "house" has another form, "big" is not there, "so" is too many.
    rows = rows_of("hjerson(tokenize=none)", ["so houses the stand"], ["the big house stand"])
    scorer = metric("hjerson(tokenize=none)")
    prepared = scorer.prepare(TestSet(references=[["the big house stand"]]))
    [labels] = scorer.classes(prepared, ["so houses the stand"]).labels()
    assert (labels.hypothesis, labels.reference) == ("lirx", "rlix")
    assert float(scorer.aggregate(rows.sum(0))) == 75.0


def test_a_text_against_itself_has_no_errors_and_nothing_is_all_missing() -> None:
    assert float(metric("hjerson").aggregate(rows_of("hjerson", ["a b c"], ["a b c"]).sum(0))) == 0
    assert float(metric("hjerson").aggregate(rows_of("hjerson", [""], ["a b"]).sum(0))) == 100
    assert float(metric("hjerson").aggregate(rows_of("hjerson", ["a b"], [""]).sum(0))) == 100


def test_of_several_references_the_nearest_a_word() -> None:
    scorer = metric("hjerson(tokenize=none)")
    prepared = scorer.prepare(TestSet(references=[["a b c d", None], ["a x", "y"]]))
    labels = scorer.classes(prepared, ["a b c e", "y"]).labels()
    assert [segment.reference_set for segment in labels] == [0, 1]


def test_a_longer_text_than_the_table_of_steps_takes() -> None:
    rows = rows_of("hjerson(tokenize=none)", ["a " * 17000], ["a " * 16500])
    by_name = dict(zip(COLUMNS, rows[0], strict=True))
    assert by_name["edits"] == by_name["hypothesis extra"] == 500


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hjerson(errors=typo)", "must be one of all, inflection"),
        ("hjerson(bases=root)", "must be one of four, stem, lemma"),
        ("hjerson(language=de)", "the language is for bases=stem"),
        ("hjerson(bases=stem,language=zh)", "stems are known in"),
    ],
)
def test_options_that_make_no_sense(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric(spec)


def test_base_forms_of_a_language() -> None:
    german = rows_of("hjerson(bases=stem,language=de,tokenize=none)", ["Häuser"], ["Hauses"])
    assert dict(zip(COLUMNS, german[0], strict=True))["hypothesis inflection"] == 1
    english = rows_of("hjerson(bases=lemma,language=en,tokenize=none)", ["went"], ["goes"])
    assert dict(zip(COLUMNS, english[0], strict=True))["hypothesis inflection"] == 1
