"""Forward and reverse over many test sets: WMT18's values, halves by brute force, and sets that have none."""

from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.analysis.origin_study import OriginOptions, origin_study
from adjudge.comparison.comparing import measured_scores
from adjudge.comparison.study_material import SetMeasure, StudyMaterial
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import UsageError
from adjudge.report.render.formats import render, renderer_of
from conftest import read_lines

FEW = OriginOptions(resamples=40)
WORDS = np.array(["sun", "moon", "star", "sky", "sea", "land", "wind", "rain", "snow", "fire"])


def made(name, language, kept, seed=1, segments=60, origins=("de", "en")):
    """Systems that keep so many words of the reference on the forward half, and on the reverse one."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS, 8)) for _ in range(segments)]
    ways = [origins[i % 2] for i in range(segments)]
    outputs = tuple(
        Outputs(
            system,
            [
                " ".join(w if rng.random() < shares[i % 2] else "x" for w in line.split())
                for i, line in enumerate(references)
            ],
        )
        for system, shares in kept.items()
    )
    test_set = TestSet(references=[references], sources=references, labels={"origin": tuple(ways)})
    return StudyMaterial(name, test_set, outputs, language)


KEPT = {"a": (0.9, 0.2), "b": (0.2, 0.9), "c": (0.5, 0.6)}


def test_wmt18_has_the_published_halves(shared):
    """METHODS, section 5: from sacreBLEU."""
    folder = shared.data / "05_wmt18_fwdrev" / "de-en"
    rows = [line.split("\t") for line in read_lines(folder / "docs.tsv")[1:]]
    test_set = TestSet(
        references=(read_lines(folder / "ref.en"),),
        sources=read_lines(folder / "src.de"),
        labels={"origin": tuple(origin for _, origin in rows)},
    )
    names = {"RWTH.5636": (38.23, 56.38), "UCAM.5690": (36.76, 56.43), "online-B.0": (35.52, 50.88)}
    outputs = tuple(Outputs(name, read_lines(folder / "hyp" / f"{name}.en")) for name in names)
    result = origin_study(
        [StudyMaterial("2018", test_set, outputs, "de-en")], ["bleu"], OriginOptions(resamples=200)
    )
    bleu, precision = result.measures
    assert (bleu.measure, precision.measure) == ("BLEU", "unigram precision")
    (own,) = bleu.sets
    assert {s.system: (round(s.forward, 2), round(s.reverse, 2)) for s in own.halves.systems} == names
    (every,) = bleu.languages
    off = [reverse - forward for forward, reverse in names.values()]
    assert (every.systems, every.reverse_higher, every.forward_higher) == (3, 1.0, 0.0)
    assert every.mean.value == pytest.approx(np.mean(off), abs=0.01)
    assert every.deviation == pytest.approx(np.std(off, ddof=1), abs=0.01)
    assert every.mean.low < every.mean.value < every.mean.high
    # RWTH and UCAM change their order, by .05 BLEU on the reverse half: not surely
    assert (every.flips.value, every.sure_flips) == (pytest.approx(1 / 3), 0)
    assert result.sets[0].segments == {"forward": 1498, "reverse": 1500}


def test_language_pairs_are_taken_together_and_sure_flips_found():
    sets = [
        made("one", "de-en", KEPT, 1),
        made("two", "de-en", KEPT, 2),
        made("three", "fr-en", {"a": (0.3, 0.6), "b": (0.6, 0.9)}, 3, origins=("fr", "en")),
    ]
    result = origin_study(sets, ["chrf"], OriginOptions(resamples=200))
    chrf = result.measures[0]
    every, german, french = chrf.languages
    assert [(own.language, own.sets, own.systems) for own in chrf.languages] == [
        ("", ("one", "two", "three"), 8),
        ("de-en", ("one", "two"), 6),
        ("fr-en", ("three",), 2),
    ]
    halves = {}
    for own in sets:
        for way in (0, 1):
            part = own.test_set[way::2]
            for output in own.outputs:
                score = (
                    adjudge.score(part, [Outputs(output.system, output.segments[way::2])], "chrf")
                    .results[0]
                    .score
                )
                halves[own.name, output.system, way] = score
    off = [halves[n, s, 1] - halves[n, s, 0] for n, s, way in halves if not way and n != "three"]
    assert german.mean.value == pytest.approx(np.mean(off))
    assert german.reverse_higher == pytest.approx(np.mean(np.array(off) > 0))
    assert (german.quartiles[0], german.quartiles[4]) == pytest.approx((min(off), max(off)))
    assert (french.pairs, french.sure_flips, french.reverse_higher) == (1, 0, 1.0)
    flipping = {(p.pair.a, p.pair.b) for own in chrf.sets for p in own.pairs if p.sure_flip}
    assert ("a", "b") in flipping
    assert every.flips.low <= every.flips.value <= every.flips.high
    for form in ("text", "json", "tsv", "html", "markdown", "latex"):
        assert "de-en" in render(renderer_of(result, version="1"), form)


def test_people_and_files_are_measures_as_metrics_are():
    own = made("one", "de-en", KEPT)
    scores = np.array([[1.0 if i % 2 else 3.0 for i in range(60)], [2.0] * 60])
    measured = measured_scores(ScoreMatrix(("a", "b"), scores), "DA raw")
    own = replace(own, further=(SetMeasure(measured, own.test_set.labels),))
    result = origin_study([own], ["chrf"], FEW)
    people = result.measures[-1]
    assert people.measure == "DA raw"
    assert {s.system: (s.forward, s.reverse) for s in people.sets[0].halves.systems} == {
        "a": (3.0, 1.0),
        "b": (2.0, 2.0),
    }
    assert (people.languages[0].reverse_higher, people.languages[0].forward_higher) == (0.0, 0.5)


def test_sets_without_halves_are_left_out_with_a_word():
    whole = made("one", "de-en", KEPT)
    plain = replace(whole, name="plain", test_set=TestSet(references=whole.test_set.references))
    half = made("half", "de-en", KEPT, origins=("de", "de"))
    unsaid = replace(whole, name="unsaid", language="")
    result = origin_study([whole, plain, half, unsaid], ["chrf"], FEW)
    assert set(result.left_out) == {"plain", "half", "unsaid"}
    assert "labels with a column origin" in result.left_out["plain"]
    assert "no reverse half" in result.left_out["half"]
    assert "which of them is the source language" in result.left_out["unsaid"]
    assert "plain is left out" in render(renderer_of(result, version="1"), "text")
    with pytest.raises(UsageError, match="no test set has a forward and a reverse half: plain: "):
        origin_study([plain], ["chrf"], FEW)


def test_units_are_whole_documents_where_that_is_asked_for():
    own = made("one", "de-en", KEPT)
    documents = tuple(f"d{i % 10}" for i in range(60))
    own = replace(own, test_set=replace(own.test_set, labels={**own.test_set.labels, "document": documents}))
    by_document = origin_study([own], ["chrf"], replace(FEW, unit="document")).measures[0].languages[0]
    by_segment = origin_study([own], ["chrf"], replace(FEW, unit="segment")).measures[0].languages[0]
    assert by_document.mean.value == by_segment.mean.value
    assert by_document.mean != by_segment.mean
    with pytest.raises(UsageError, match="no label 'page'"):
        origin_study([own], ["chrf"], replace(FEW, unit="page"))
