"""Forward and reverse on real and made-up test sets."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge import comparison
from adjudge.analysis.origins import of_judgements, of_rankings, translationese
from adjudge.comparison.claims import reverse_warning
from adjudge.data import Outputs, TestSet, languages
from adjudge.data.judgements import NameColumn
from adjudge.errors import DataError, UsageError
from adjudge.human.ranking import rank_systems
from adjudge.human.ratings import analyse_ratings
from conftest import read_lines
from helpers.judged import drawn
from helpers.rankings import toral


@pytest.mark.parametrize(
    ("language", "pair"),
    [
        ("de-en", ("de", "en")),
        ("en", ("", "en")),
        ("pt-BR", ("", "pt-BR")),
        ("", ("", "")),
        ("zh_en", ("zh", "en")),
    ],
)
def test_language_pairs(language, pair):
    assert languages.pair(language) == pair


def test_wmt18_forward_and_reverse(shared):
    """The three systems of METHODS, section 5, which come from sacreBLEU."""
    folder = shared.data / "05_wmt18_fwdrev" / "de-en"
    rows = [line.split("\t") for line in read_lines(folder / "docs.tsv")[1:]]
    test_set = TestSet(
        references=(read_lines(folder / "ref.en"),),
        sources=read_lines(folder / "src.de"),
        labels={"origin": tuple(origin for _, origin in rows)},
    )
    names = {"RWTH.5636": (38.23, 56.38), "UCAM.5690": (36.76, 56.43), "online-B.0": (35.52, 50.88)}
    outputs = [Outputs(name, read_lines(folder / "hyp" / f"{name}.en")) for name in names]
    measured = comparison.measure(test_set, outputs, ["bleu", "chrf"])
    result = translationese(measured, test_set.labels, "de-en", test_set)
    bleu = result.measures[0]
    for system in bleu.systems:
        assert (round(system.forward, 2), round(system.reverse, 2)) == names[system.system]
    assert result.segments == {"forward": 1498, "reverse": 1500}
    assert [(p.a, p.b) for p in bleu.pairs if p.flips] == [("RWTH.5636", "UCAM.5690")]
    assert bleu.reverse_higher == 1
    assert {(length.text, length.direction) for length in result.lengths} == {
        (text, way) for text in ("source", "reference") for way in ("forward", "reverse")
    }


def test_halves_of_judgements_are_the_groups_by_origin():
    judgements = drawn(items=40)
    judgements = judgements.labelled(
        "origin", NameColumn.of(["de" if int(i) < 10 else "en" for i in judgements.item.values()])
    )
    analysis = analyse_ratings(judgements, by=("origin",), resamples=50)
    measure, raw = of_judgements(analysis, "de-en").measures
    assert (measure.measure, raw.measure) == ("DA z", "DA raw")
    forward = {s.system: s.z for s in analysis.groups[1].systems}
    reverse = {s.system: s.z for s in analysis.groups[2].systems}
    assert {s.system: s.forward for s in measure.systems} == pytest.approx(forward)
    assert {s.system: s.reverse for s in measure.systems} == pytest.approx(reverse)
    assert np.isnan(measure.pairs[0].forward_relative)  # z has no zero
    assert {s.system: s.both for s in raw.systems} == pytest.approx(
        {s.system: s.mean for s in analysis.groups[0].systems}
    )
    pair, ahead = raw.pairs[0], {s.system: s.forward for s in raw.systems}
    expected = (ahead[pair.a] - ahead[pair.b]) / ((ahead[pair.a] + ahead[pair.b]) / 2)
    assert pair.forward_relative == pytest.approx(expected)


def test_what_comes_from_elsewhere_is_in_neither_half():
    judgements = drawn(items=30)
    origin = ["de" if int(i) < 10 else "en" if int(i) < 20 else "fr" for i in judgements.item.values()]
    analysis = analyse_ratings(
        judgements.labelled("origin", NameColumn.of(origin)), by=("origin",), resamples=50
    )
    result = of_judgements(analysis, "de-en")
    assert result.segments == {"forward": 10, "reverse": 10, "other": 10}
    for s in result.measures[0].systems:  # every translation was judged as often
        assert s.both == pytest.approx((s.forward + s.reverse) / 2)
    with pytest.raises(DataError, match="'0' is none of the 12 lines"):
        of_judgements(analysis, "de-en", ["a"] * 12)
    numbered = judgements.item.renamed({"0": "30"})
    lined = analyse_ratings(
        replace(judgements, item=numbered).labelled("origin", NameColumn.of(origin)), resamples=50
    )
    sources = ["a " * n for n in range(1, 31)]
    (forward, *_) = of_judgements(lined, "de-en", sources).lengths
    assert (forward.text, forward.direction) == ("source", "forward")
    assert forward.mean == np.mean([*range(1, 10), 30])


def test_halves_of_rankings(shared):
    """Toral et al. 2018: with Chinese originals the person is best, with English ones the machine."""
    judgements = toral(shared, "all")
    rows = [
        line.split("\t") for line in read_lines(shared.data / "08_rankings_toral18_zhen" / "segments.tsv")[1:]
    ]
    origin = {f"{doc}_{segment}": language for doc, _, language, segment, *_ in rows}
    judgements = judgements.labelled("origin", NameColumn.of([origin[i] for i in judgements.item.values()]))
    result = of_rankings(judgements, "zh-en", method="expected-wins", resamples=100, seed=1)
    (measure,) = result.measures
    for part, way in (("zh", "forward"), ("en", "reverse")):
        alone = rank_systems(toral(shared, part), method="expected-wins", resamples=1, seed=1)
        assert {s.system: getattr(s, way) for s in measure.systems} == pytest.approx(
            {s.system: s.score for s in alone.systems}
        )
    assert [(p.a, p.b) for p in measure.pairs if p.flips] == [("ht", "c6")]
    assert result.segments == {"forward": 299, "reverse": 204}
    with pytest.raises(UsageError, match="column origin"):
        of_rankings(toral(shared, "all"), "zh-en", method="expected-wins", seed=1)


def test_without_one_half_nothing_is_compared():
    test_set = TestSet(references=(("a", "b"),), labels={"origin": ("de", "de")})
    measured = comparison.measure(test_set, [Outputs("x", ("a", "b")), Outputs("y", ("a", "c"))], ["chrf"])
    with pytest.raises(UsageError, match=r"no reverse half.*de \(forward\)"):
        translationese(measured, test_set.labels, "de-en")


def test_reverse_segments_are_warned_of():
    assert reverse_warning(["de", "de"], "de-en") is None
    unknown = reverse_warning(["de", "en"], "")  # nobody knows which is which
    assert unknown is not None
    assert "MAY HAVE BEEN CREATED IN REVERSE" in unknown
    assert "--language de-en" in unknown
    assert reverse_warning(["de", "de", ""], "") is None
    warning = reverse_warning(["de", "en", "en"], "de-en")
    assert warning is not None
    assert "2 segments of 3 WERE CREATED IN REVERSE" in warning
