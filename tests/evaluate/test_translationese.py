"""Forward and reverse on real and made-up test sets."""

import numpy as np
import pytest

from adjudge import evaluate
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Names
from adjudge.errors import UsageError
from adjudge.evaluate.judging import analyse
from adjudge.evaluate.translationese import language_pair, of_judgements, reverse_warning, translationese
from conftest import read_lines
from judged import drawn


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
    assert language_pair(language) == pair


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
    measured = evaluate.measure(test_set, outputs, ["bleu", "chrf"])
    found = translationese(measured, test_set.labels, "de-en", test_set)
    bleu = found.measures[0]
    for system in bleu.systems:
        assert (round(system.forward, 2), round(system.reverse, 2)) == names[system.system]
    assert found.segments == {"forward": 1498, "reverse": 1500}
    assert [(p.a, p.b) for p in bleu.pairs if p.flips] == [("RWTH.5636", "UCAM.5690")]
    assert bleu.reverse_higher == 1
    assert {(one.text, one.direction) for one in found.lengths} == {
        (text, way) for text in ("source", "reference") for way in ("forward", "reverse")
    }


def test_halves_of_judgements_are_the_groups_by_origin():
    judgements = drawn(items=40)
    judgements = judgements.labelled(
        "origin", Names.of(["de" if int(i) < 10 else "en" for i in judgements.item.values()])
    )
    analysis = analyse(judgements, by=("origin",), resamples=50)
    (measure,) = of_judgements(analysis, "de-en").measures
    forward = {s.system: s.z for s in analysis.groups[1].systems}
    reverse = {s.system: s.z for s in analysis.groups[2].systems}
    assert {s.system: s.forward for s in measure.systems} == pytest.approx(forward)
    assert {s.system: s.reverse for s in measure.systems} == pytest.approx(reverse)
    assert np.isnan(measure.pairs[0].forward_relative)  # z has no zero


def test_without_one_half_nothing_is_compared():
    test_set = TestSet(references=(("a", "b"),), labels={"origin": ("de", "de")})
    measured = evaluate.measure(test_set, [Outputs("x", ("a", "b")), Outputs("y", ("a", "c"))], ["chrf"])
    with pytest.raises(UsageError, match=r"no reverse half.*de \(forward\)"):
        translationese(measured, test_set.labels, "de-en")


def test_reverse_segments_are_warned_of():
    assert reverse_warning(["de", "de"], "de-en") is None
    assert reverse_warning(["de", "en"], "") is None  # nobody knows which is which
    warning = reverse_warning(["de", "en", "en"], "de-en")
    assert warning is not None
    assert "2 segments of 3 WERE CREATED IN REVERSE" in warning
