"""Where and why: of equal systems a report names a group or a class no more often than alpha says."""

import random

import numpy as np
import pytest

from adjudge.data import Outputs, TestSet
from adjudge.dossiers.evaluation_dossier import EvaluationContext, dossier
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.words import summary
from helpers.dossiers import example_dossier

WORDS = [
    f"{start}{end}" for start in ("ta", "le", "mi", "so", "ru") for end in ("ra", "nen", "sto", "k", "lo")
]
SEGMENTS = 60
DOCUMENTS = 20


def equal_systems(seed: int, *, documents: int = 0):
    """Two systems with errors of the same kinds at the same mean rates, on texts with numbers and two labels.

    With documents, each system has a rate of its own in each of them, so their segments are alike.
    """
    draw = random.Random(seed)
    segments = 6 * documents or SEGMENTS
    places = [str(i * documents // segments) for i in range(segments)]
    references = [
        [*(draw.choice(WORDS) for _ in range(draw.randint(3, 25))), str(draw.randint(1, 99))]
        for _ in range(segments)
    ]

    def translated(words, lost, wrong):
        kept = [word for word in words if draw.random() > lost]
        return " ".join(draw.choice(WORDS) if draw.random() < wrong else word for word in kept)

    def system(name):
        rates = {place: (draw.uniform(0, 0.2), draw.uniform(0, 0.5)) for place in sorted(set(places))}
        own = [rates[place] if documents else (0.1, 0.25) for place in places]
        return Outputs(name, [translated(words, *rate) for words, rate in zip(references, own, strict=True)])

    lines = [" ".join(words) for words in references]
    labels = {
        "domain": [draw.choice("abc") for _ in lines],
        "origin": [draw.choice(["de", "en", "fr"]) for _ in lines],
    }
    if documents:
        labels["document"] = places
    test_set = TestSet(references=[lines], sources=lines, labels=labels, language="de-en")
    return test_set, [system("aix"), system("bonn")]


def names_something(own) -> bool:
    """Whether a sentence about where and why names a group or a class."""
    answers = {answer.question: answer.sentences for answer in summary(own, Links(own.segments))}
    told = [sentence.text for sentence in answers.get("Where and why?", ())]
    return any("no single group" not in text for text in told)


@pytest.mark.parametrize("documents", [0, DOCUMENTS])
def test_of_equal_systems_a_group_or_class_is_named_in_at_most_one_report_of_twenty(documents) -> None:
    """15 % before all tests of a report were one family; 21 % while segments of documents were drawn one by one."""
    runs = 40
    named = 0
    for seed in range(runs):
        test_set, outputs = equal_systems(seed, documents=documents)
        own = dossier(test_set, outputs, ("chrf",), context=EvaluationContext(), trials=200, resamples=20)
        named += names_something(own)
    assert named <= runs * 0.05 + 2 * np.sqrt(runs * 0.05 * 0.95)


def test_all_tests_of_a_report_are_corrected_together() -> None:
    own = example_dossier()
    sizes = {result.family for result in (*own.buckets, own.errors, own.faults) if result is not None}
    assert len(sizes) == 1
    ps = [d.p for d in own.errors.differences]
    assert sizes.pop() > len(ps)
    assert all(d.p_adjusted >= d.p for d in own.errors.differences)
