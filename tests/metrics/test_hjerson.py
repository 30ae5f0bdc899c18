"""Classes of errors against Hjerson's own labels, against its rules written down plainly, and their laws."""

import json

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
from oracles.error_classes import classes

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
    crossed = _native.texts
    segments = _native.word_classes(
        crossed(hypotheses), [crossed(references)], crossed(ours), [crossed(theirs)], 2
    )
    labels = [side for hypothesis, reference, *_ in segments for side in (reference, hypothesis)]
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
    [labels] = scorer.labels(prepared, [" ".join(hypothesis)])
    assert (labels.hypothesis, labels.reference) == classes(hypothesis, reference, ours, theirs)


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
    [labels] = scorer.labels(prepared, ["so houses the stand"])
    assert (labels.hypothesis, labels.reference) == ("lirx", "rlix")
    assert float(scorer.aggregate(rows.sum(0))) == 75.0


def test_a_text_against_itself_has_no_errors_and_nothing_is_all_missing() -> None:
    assert float(metric("hjerson").aggregate(rows_of("hjerson", ["a b c"], ["a b c"]).sum(0))) == 0
    assert float(metric("hjerson").aggregate(rows_of("hjerson", [""], ["a b"]).sum(0))) == 100
    assert float(metric("hjerson").aggregate(rows_of("hjerson", ["a b"], [""]).sum(0))) == 100


def test_of_several_references_the_nearest_a_word() -> None:
    scorer = metric("hjerson(tokenize=none)")
    prepared = scorer.prepare(TestSet(references=[["a b c d", None], ["a x", "y"]]))
    labels = scorer.labels(prepared, ["a b c e", "y"])
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
