"""Studies shown: short on a screen however many sets and systems there are, whole on a page and as data."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from adjudge.comparison.comparing import compare_sets
from adjudge.comparison.plan import Plan
from adjudge.comparison.study_display import StudyDisplay, measure_sections
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data import Outputs, TestSet
from adjudge.report.render.formats import render, renderer_of
from adjudge.report.render.text import plain, text_of

FEW = Plan(resamples=100, trials=200)


def made(sets, systems, segments=6, **options):
    rng = np.random.default_rng(1)
    material = []
    for number in range(sets):
        references = [" ".join(rng.choice(list("abcdefgh"), 6)) for _ in range(segments)]
        outputs = [
            Outputs(
                f"s{s}",
                [" ".join(w if rng.random() < 0.9 - 0.1 * s else "x" for w in r.split()) for r in references],
            )
            for s in range(systems)
        ]
        language = f"{'abc'[number % 3]}{'abcdefgh'[number % 8]}-en"
        test_set = TestSet(references=[references])
        material.append(StudyMaterial(f"set{number}", test_set, tuple(outputs), language, f"d{number % 2}"))
    return compare_sets(material, ["chrf"], replace(FEW, **options))


def shown(result, width=80):
    return plain(text_of(measure_sections(result), width=width))


def test_two_hundred_sets_of_five_systems_fit_a_narrow_screen():
    result = made(200, 5)
    text = shown(result)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 130
    assert "The 10 best and the 10 worst of 200 test sets" in " ".join(text.split())
    page = render(renderer_of(StudyDisplay(result, "made"), version="1"), "html")
    assert page.count("background:rgb") == 1000  # a shade for every set and system
    assert page.count('<table class="shades">') == 4
    tsv = render(renderer_of(StudyDisplay(result, "made"), version="1"), "tsv")
    assert sum(line.split("\t")[1].startswith("set") for line in tsv.splitlines()) == 1000


def test_many_pairs_are_counted_and_not_listed():
    text = shown(made(2, 7))
    assert "21 pairs; -f json has each." in text
    assert "better than  worse than  not told apart" in text
    assert "pairs of systems are told apart." in text
    assert "s0  s1" not in text


def test_language_pairs_and_domains_with_several_sets_have_their_means():
    result = made(12, 2)
    text = shown(result)
    assert "chrF by domain" in text
    groups = {(group.by, group.name): group for group in result.tables[0].groups}
    own = groups["domain", "d0"]
    assert len(own.sets) == 6
    scores = {(s.test_set, s.system): s.score for s in result.tables[0].scores}
    assert own.results[0].score == pytest.approx(np.mean([scores[name, "s0"] for name in own.sets]))
    assert own.pairs[0].sets == 6


def test_clusters_margins_and_who_is_not_told_apart():
    result = made(3, 2, margin=90.0)
    assert [own.cluster for own in result.tables[0].results] == [1, 2]
    assert "The same within a margin of 90 in the mean: s0 and s1." in " ".join(shown(result).split())
    narrow = made(1, 2, segments=3, margin=0.001)
    text = " ".join(shown(narrow).split())
    assert "No two systems are shown to be the same within the margin." in text
    assert "No two systems are told apart in the mean." in text


def test_a_single_segment_has_no_interval():
    result = made(1, 2, segments=1)
    own = result.tables[0].scores[0]
    assert math.isfinite(own.score)
    assert math.isnan(own.low)
    table = shown(result).split("Each test set")[0].split("chrF: test sets")[1]
    assert "±" in table
    assert not re.search(r"± \d", table)


def test_texts_that_are_markup_stay_text():
    test_set = TestSet(references=[["a b", "c d"]])
    outputs = (Outputs("<script>alert(1)</script>", ["a", "c"]),)
    result = compare_sets([StudyMaterial("</table><b>", test_set, outputs)], ["chrf"], FEW)
    page = render(renderer_of(StudyDisplay(result, "<i>"), version="1"), "html")
    assert "<script>alert" not in page
    assert "</table><b>" not in page
