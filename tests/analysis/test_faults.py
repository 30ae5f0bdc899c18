"""Faults that need no judge: each kind by an example, none in what is right, and tests that mean what they say."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.fault_kinds import KINDS, named_entities
from adjudge.analysis.faults import fault_counts, faults
from adjudge.analysis.seen_text import SeenText
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.report.render.formats import render, renderer_of
from oracles.faults import faults_of

KIND = {kind.name: kind for kind in KINDS}
PLAIN = [name for name in KIND if name not in ("dates lost", "placeholders lost")]


def found(kind, sources, outputs):
    """What is faulty in each segment, and how many things there could be."""
    result = kind.find(SeenText(sources), SeenText(outputs))
    return [(result.what.get(place, []), of) for place, of in enumerate(result.of.tolist())]


@pytest.mark.parametrize(
    ("kind", "source", "output", "what"),
    [
        ("numbers lost", "em 1.500 e 45", "in 1,500", ["45"]),
        ("numbers lost", "em 1.500", "in 1 500", []),
        ("numbers lost", "tem 3", "has three", []),
        ("numbers invented", "em 1990", "in 1990 and 1991", ["1991"]),
        ("addresses lost", "veja www.a.pt.", "see it", ["www.a.pt"]),
        ("placeholders lost", "<b>{name}</b> %s ${X}", "<b>{nome}</b> %s", ["${X}", "{name}"]),
        ("placeholders lost", "100% sim", "100% yes", []),
        ("tags lost", "<b>x</b>", "<b>x</b>", []),
        ("tags lost", "<b>x</b> &amp; y", "<b>x & y", ["&amp;", "</b>"]),
        ("dates lost", "em 17 de novembro de 2026", "on 11/17/2026", []),
        ("dates lost", "em 17 de novembro, 17.11.2026", "on 17 November", ["11/17"]),
        ("dates lost", "em 17 de novembro", "on 18 November", ["11/17"]),
        ("units lost", "5 km e 3 quilos", "5 kilometres and 3 kg", []),
        ("units lost", "5 km, 10 %", "3 miles, 10 percent", ["km"]),
        ("untranslated", "a casa amarela", "the casa yellow", ["casa"]),
        ("untranslated", "em Lisboa no bar", "in Lisboa in the bar", []),
        ("in circles", "uma vez", "it is so good " * 4, ["it is so good"]),
        ("in circles", "é tão bom " * 5, "it is so good " * 4, []),
        ("in circles", "好", "很好很好很好很好很好很好很好很好很好很好很好很好很好", ["很 好 很 好"]),
        ("word twice", "uma casa", "a house house", ["house"]),
        ("word twice", "muito muito bom", "very very good", []),
        ("empty", "sim", " ", ["nothing"]),
        ("empty", " ", "", []),
    ],
)
def test_each_kind(kind, source, output, what):
    [(found_here, _)] = found(KIND[kind], [source], [output])
    assert sorted(found_here) == sorted(what)


WORDS = [
    "a",
    "casa",
    "Casa",
    "d'água",
    "d'",
    "die",
    "die",
    "ΣΑΣ",
    "σας",
    "好",
    "好 好",
    "²",
    "in the",
    "-",
    "_",
]
OTHERS = [
    "１２３",
    "13",
    "1,000",
    "5 km",
    "<b>",
    "&amp;",
    "www.a.pt",
    "WWW.B.pt",
    "x@y.org",
    "{0}",
    "\u00a0",
    "\x85",
]
pieces = st.sampled_from([*WORDS, *OTHERS])
texts = st.lists(pieces, max_size=14).map(" ".join) | st.text(max_size=30)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_kinds_find_what_they_say_in_any_text(pairs):
    sources, outputs = map(list, zip(*pairs, strict=True))
    for name in PLAIN:
        assert found(KIND[name], sources, outputs) == faults_of(name, sources, outputs)


def test_the_same_text_for_different_sources():
    sources = ["um", "dois", "dois", "três"]
    outputs = ["this is a text", "this is a text", "this is a text", "this is another"]
    assert [bool(what) for what, _ in found(KIND["detached"], sources, outputs)] == [True, True, True, False]
    assert not any(what for what, _ in found(KIND["detached"], ["um", "um"], ["this is a text"] * 2))
    assert not any(what for what, _ in found(KIND["detached"], ["sim", "claro"], ["yes", "yes"]))


def made():
    sources = [f"em {1960 + i} a casa" for i in range(30)]
    right = [f"in {1960 + i} the house" for i in range(30)]
    worse = [line.replace("196", "") if i % 2 else line for i, line in enumerate(right)]
    return TestSet(sources=sources, references=[right]), [Outputs("right", right), Outputs("worse", worse)]


def test_rates_tests_and_the_reference_beside_them():
    result = faults(*made(), resamples=50)
    by_kind = {kind.name: {own.system: own for own in kind.systems} for kind in result.kinds}
    lost = by_kind["numbers lost"]
    assert list(lost) == ["right", "worse", REFERENCE]
    assert (lost["worse"].faults, lost["worse"].of) == (5, 30)
    assert lost["worse"].rate == pytest.approx(100 * 5 / 30)
    assert lost["worse"].low <= lost["worse"].rate <= lost["worse"].high
    assert lost["worse"].delta == pytest.approx(100 * 5 / 30)
    assert lost["worse"].p == pytest.approx(2 * 0.5**5)
    assert lost["worse"].examples[0].segment == 2
    assert lost[REFERENCE].faults == 0
    assert math.isnan(by_kind["tags lost"]["worse"].rate)


def test_segments_with_faults_add_up_to_those_of_texts():
    counts = fault_counts(*made())
    for kind in faults(*made(), resamples=5).kinds:
        for own in kind.systems:
            key = (kind.name, own.system)
            assert counts.rows[key].sum(0).tolist() == [own.faults, own.of]
            segments = counts.rows[key][:, 0].nonzero()[0].tolist()
            assert [place.segment - 1 for place in counts.places[key]] == segments[:5]
            assert len(segments) == own.segments


def test_nothing_is_claimed_of_one_system_and_a_page_can_be_made_of_it():
    test_set, outputs = made()
    result = faults(test_set, outputs[:1], resamples=5)
    assert not any(own.significant for kind in result.kinds for own in kind.systems)
    for form in ("text", "html", "json", "tsv", "markdown", "latex"):
        assert "numbers lost" in render(renderer_of(result, version="1"), form)


def test_without_a_source():
    test_set, outputs = made()
    with pytest.raises(UsageError, match="beside the source: -s FILE"):
        faults(TestSet(references=test_set.references), outputs)


def test_lengths_are_held_beside_what_is_usual_for_the_text():
    sources = ["x" * 40] * 5 + ["x" * 10]
    outputs = ["y" * 30] * 3 + ["y" * 61, "y" * 14] + ["y" * 90]
    assert [bool(own) for own, _ in found(KIND["too long"], sources, outputs)] == [False] * 3 + [
        True,
        False,
        False,
    ]
    assert [bool(own) for own, _ in found(KIND["too short"], sources, outputs)] == [False] * 3 + [
        False,
        True,
        False,
    ]
    assert [own for own, _ in found(KIND["too short"], ["x" * 40], [""])] == [[]]  # that is empty


def test_names_of_the_reference_must_be_there_whole():
    kind = named_entities([["Ann Lee", "Rome"], ["北京"], []], "reference")
    outputs = ["ann  LEE left Romeo.", "他在北京工作", "no"]
    assert found(kind, ["", "", ""], outputs) == [(["Rome"], 2), ([], 1), ([], 0)]
