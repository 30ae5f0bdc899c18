"""Forward and reverse shown: a screen stays short, a page has boxes and a point for every pair."""

import numpy as np
import pytest

from adjudge.analysis.origin_study import OriginOptions, origin_study
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data import Outputs, TestSet
from adjudge.report.render.formats import render, renderer_of
from adjudge.report.render.text import plain, text_of


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(1)
    material = []
    for number in range(40):
        references = [" ".join(rng.choice(list("abcdefgh"), 6)) for _ in range(20)]
        outputs = tuple(
            Outputs(
                f"<s{s}>", [" ".join(w if rng.random() < 0.7 else "x" for w in r.split()) for r in references]
            )
            for s in range(3)
        )
        source = ("de", "fr", "cs", "ru")[number % 4]
        labels = {"origin": tuple(source if i % 2 else "en" for i in range(20))}
        test_set = TestSet(references=[references], labels=labels)
        material.append(StudyMaterial(f"set{number}", test_set, outputs, f"{source}-en"))
    return origin_study(material, ["chrf"], OriginOptions(resamples=30))


def test_a_screen_has_language_pairs_and_the_sets_that_change_most(many):
    text = plain(text_of(many.sections(), width=80))
    for name in ("all", "de-en", "fr-en", "cs-en", "ru-en"):
        assert f"\n{name} " in text
    assert "10 test sets with fewer changes: -f tsv." in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_page_has_a_box_for_every_language_pair_and_no_markup_from_names(many):
    page = render(renderer_of(many, version="1"), "html")
    assert page.count('<rect class="box"') == 10  # all and four pairs, by two measures
    assert page.count('<figure class="scatter">') == 2
    assert "<s0>" not in page


def test_lines_have_every_system_of_every_set(many):
    lines = render(renderer_of(many, version="1"), "tsv").splitlines()
    assert len(lines) == 1 + 2 * 40 * 3
    head, first = (line.split("\t") for line in lines[:2])
    row = dict(zip(head, first, strict=True))
    assert float(row["difference"]) == pytest.approx(float(row["reverse"]) - float(row["forward"]))
