"""The page of a dossier: one file under a strict policy, in the order in which people ask."""

import re

from adjudge.data import Outputs, TestSet
from adjudge.dossiers.evaluation_dossier import dossier
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.page import DossierPage
from adjudge.report.pages.report.words import plain_sentences, summary
from adjudge.report.render.page import digest
from helpers.dossiers import FEW, HARM, example_dossier, harmful_dossier


def test_parts_come_in_the_order_of_questions() -> None:
    page = DossierPage(example_dossier(people=True), "1", charts=False)
    assert [part.anchor for part in page.parts()] == [
        *("summary", "systems", "people", "believe", "where", "why", "segments", "how")
    ]
    assert page.title == "neural-fixed, neural and rulebased on reference"


def test_nothing_is_fetched_and_only_named_scripts_run() -> None:
    text = DossierPage(example_dossier(), "1", charts=False).html()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 2
    assert f"script-src {' '.join(map(digest, scripts))}" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert not re.search(r"""(?:src|href)=["'](?:https?:|//)""", text)
    assert "unsafe-eval" not in policy


def test_hostile_texts_are_escaped_everywhere() -> None:
    text = DossierPage(harmful_dossier(), "1", charts=False).html()
    shown = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
    assert "<img" not in shown
    assert "alert(1)" in shown  # it is shown as text
    assert HARM not in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069\0]", shown)


def test_without_charts_nothing_is_drawn() -> None:
    text = DossierPage(example_dossier(), "1", charts=False).html()
    assert "figure class" not in text


def test_a_small_difference_is_never_told_as_none() -> None:
    """12 spoiled words in 36,000 are 0.03 in 100, and two segments have no interval."""
    reference = [" ".join(f"w{line}x{place}" for place in range(90)) for line in range(400)]
    spoiled = [line.replace("x7 ", "x0 ", 1) if place < 12 else line for place, line in enumerate(reference)]
    outputs = [Outputs("good", reference), Outputs("spoiled", spoiled)]
    own = dossier(TestSet(references=[reference]), outputs, ("bleu",), trials=4000, resamples=50)
    text = " ".join(plain_sentences(summary(own, Links(own.segments))))
    assert "lexical (−0.03)" in text
    assert "(0.0" not in text
    two = [Outputs(output.system, output.segments[:2]) for output in outputs]
    short = dossier(TestSet(references=[reference[:2]]), two, ("bleu",), **FEW)
    assert "– to –" not in " ".join(plain_sentences(summary(short, Links(short.segments))))
