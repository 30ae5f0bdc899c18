"""Terms of a glossary: which are kept, counted with their denominators, the longest first, in any script."""

import math

import pytest

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.terms import terms
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.io.glossaries import Term
from adjudge.report.render.formats import render, renderer_of

SOURCES = ["A ponte velha.", "A prefeitura e a ponte.", "Nada aqui.", "A ponte."]
REFERENCES = ["The old bridge.", "City hall and the crossing.", "Nothing here.", "The bridge."]
GLOSSARY = [Term("ponte", ("bridge", "overpass")), Term("prefeitura", ("city hall",)), Term("gato", ("cat",))]


def result_of(*outputs: list[str], **options):
    test_set = TestSet(sources=SOURCES, references=[REFERENCES], language="pt-en")
    named = [Outputs(name, lines) for name, lines in zip("ab", outputs, strict=False)]
    return terms(test_set, named, options.pop("glossary", GLOSSARY), resamples=20, **options)


def test_counts_by_hand() -> None:
    result = result_of(
        ["The old bridge.", "The city hall, the bridge.", "Nothing.", "An overpass."],
        ["The pond.", "The town.", "Bridge!", "The BRIDGE."],
    )
    a, b, reference = result.systems
    assert (result.terms, result.seen) == (3, 2)
    assert (a.kept, a.of, b.kept, b.of) == (4, 4, 1, 4)
    assert reference.system == REFERENCE
    assert (reference.kept, reference.of) == (3, 4)
    assert (b.confirmed_kept, b.confirmed_of) == (1, 3)
    assert (a.consistent, a.consistent_of) == (2, 3)
    assert b.delta == pytest.approx(-75)
    assert math.isnan(a.delta)
    assert math.isnan(reference.delta)
    assert [(m.term, m.missed, m.of, m.segments) for m in b.missed] == [
        ("ponte", 2, 3, (1, 2)),
        ("prefeitura", 1, 1, (2,)),
    ]
    for form in ("text", "json", "tsv", "html", "markdown", "latex"):
        assert "prefeitura" in render(renderer_of(result, version="1"), form)


def test_the_longest_term_is_meant() -> None:
    glossary = [Term("ponte", ("bridge",)), Term("ponte velha", ("Old Bridge Inn",))]
    result = result_of(["old bridge inn", "bridge", "", "bridge"], glossary=glossary)
    assert (result.systems[0].kept, result.systems[0].of) == (3, 3)


def test_a_term_is_a_word_and_no_part_of_one() -> None:
    result = result_of(["bridges", "bridge", "", "footbridge"])
    assert result.systems[0].kept == 1
    stems = result_of(["bridges", "bridge", "", "footbridge"], match="stem")
    assert stems.systems[0].kept == 2


def test_scripts_without_spaces() -> None:
    test_set = TestSet(
        sources=["我们去北京大学。", "他在北京。"], references=[["東京大学へ", "東京に"]], language="zh-ja"
    )
    glossary = [Term("北京", ("東京",)), Term("北京大学", ("東京大学",))]
    result = terms(test_set, [Outputs("x", ["東京へ", "東京に"])], glossary, resamples=5)
    assert (result.systems[0].kept, result.systems[0].of) == (1, 2)


def test_questions_that_make_no_sense() -> None:
    with pytest.raises(DataError, match="none of the 1 terms"):
        result_of(["x"] * 4, glossary=[Term("gato", ("cat",))])
    with pytest.raises(UsageError, match="must be one of exact, stem"):
        result_of(["x"] * 4, match="fuzzy")
    with pytest.raises(UsageError, match="-s FILE"):
        terms(TestSet(references=[["a"]]), [Outputs("x", ["a"])], GLOSSARY)
    with pytest.raises(UsageError, match="a language that nobody said"):
        terms(TestSet(sources=["a"], references=[["a"]]), [Outputs("x", ["a"])], GLOSSARY, match="stem")
