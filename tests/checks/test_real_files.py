"""Real outputs of real systems: what is found there is there, and errors are not cried over sound files."""

import time

import pytest

from adjudge.checks import examine
from adjudge.data import Outputs, TestSet

W2 = (
    "Online-B",
    "Lan-Bridge",
    "HuaweiTSC",
    "AISP-SJTU",
    "DLUT",
    "NiuTrans",
    "LanguageX",
    "Online-A",
    "Online-G",
    "JDExploreAcademy",
)


def test_ten_systems_of_wmt22(shared):
    test_set = TestSet(
        references=[shared.lines("w2.zh-en.refA.en"), shared.lines("w2.zh-en.refB.en")],
        sources=shared.lines("w2.zh-en.src.zh"),
    )
    report = examine(test_set, [Outputs(name, shared.lines(f"w2.zh-en.{name}.en")) for name in W2])
    assert report.count("error") == 0
    # A system that wrote <unk> into five lines, and nothing else.
    assert [(f.check, f.system) for f in report.findings if f.severity == "warning"] == [
        ("special-tokens", "LanguageX")
    ]


@pytest.mark.parametrize(
    ("references", "output"),
    [
        (["en-de.refA.de", "en-de.refB.de"], "en-de.Online-B.de"),
        (["en-cs.refB.cs", "en-cs.refC.cs"], "en-cs.Online-B.cs"),
        (["en-ru.refA.ru"], "en-ru.Online-B.ru"),
        (["en-ja.refA.ja"], "en-ja.Online-B.ja"),
    ],
)
def test_online_b_into_five_languages(shared, references, output):
    report = examine(
        TestSet(references=[shared.lines(name) for name in references]), [Outputs("b", shared.lines(output))]
    )
    assert [f for f in report.findings if f.severity != "note"] == []


def test_two_lines_of_a_reference_are_swapped(shared):
    """A fault of the real file: both the other reference and the output say so."""
    test_set = TestSet(references=[shared.lines("en-zh.refA.zh"), shared.lines("en-zh.refB.zh")])
    report = examine(test_set, [Outputs("b", shared.lines("en-zh.Online-B.zh"))])
    (finding,) = (f for f in report.findings if f.check == "order")
    assert finding.message == "reference 1 has lines 1,662 and 1,663 swapped"
    assert [f.check for f in report.findings if f.severity != "note"] == ["order"]


def test_tokenised_files(shared):
    test_set = TestSet(references=[shared.lines("w1.ref.en")])
    report = examine(
        test_set, [Outputs("t", shared.lines("w1.tok.sys1.en")), Outputs("d", shared.lines("w1.sys1.en"))]
    )
    assert [f.system for f in report.findings if f.check == "tokenised"] == ["t"]


def test_ten_systems_take_no_time(shared):
    test_set = TestSet(references=[shared.lines("w2.zh-en.refA.en")], sources=shared.lines("w2.zh-en.src.zh"))
    outputs = [Outputs(name, shared.lines(f"w2.zh-en.{name}.en")) for name in W2]
    start = time.process_time()
    examine(test_set, outputs)
    assert time.process_time() - start < 3
