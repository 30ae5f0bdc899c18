"""Every check of contents finds what it is for in a spoiled output, and nothing in the sound one."""

import html
import random
import unicodedata
from pathlib import Path

import pytest

from adjudge.checks import checks, examine
from adjudge.checks.contents import addresses_of, digits_of, is_balanced, numbers_of
from adjudge.checks.language import known_language, languages_of
from adjudge.checks.registry import CheckList
from adjudge.checks.segments import is_loop
from adjudge.data import Outputs, TestSet
from adjudge.report.render.formats import render, renderer_of


def every(step, change):
    return lambda lines: [change(line) if n % step == 0 else line for n, line in enumerate(lines)]


def mojibake(line):
    return ("naïve café – “" + line).encode().decode("cp1252", "replace")


def tokenise(line):
    return "".join(f" {c}" if c in ",.!?:;" else c for c in line)


SPOILED = {
    "empty": every(20, lambda line: ""),
    "repeated": every(10, lambda line: "I do not know what to say to that."),
    "looping": every(60, lambda line: line + " and so on" * 9),
    "tokenised": every(1, tokenise),
    "case": every(1, str.lower),
    "normal-form": every(9, lambda line: unicodedata.normalize("NFD", "Café São " + line)),
    "spaces": every(5, lambda line: f" {line}  "),
    "control": every(40, lambda line: f"{line[:9]}\x07{line[9:]}"),
    "invisible": every(40, lambda line: f"{line[:9]}\u200b{line[9:]}"),
    "mojibake": every(30, mojibake),
    "entities": every(40, lambda line: html.escape(f'"{line}" & more')),
    "subwords": every(30, lambda line: f"{line[:4]}@@ {line[4:]}"),
    "special-tokens": every(50, lambda line: f"{line} <unk>"),
    "markup": every(50, lambda line: f"<b>{line}</b>"),
    "chatter": every(50, lambda line: f"Sure! Here is the translation: {line}"),
    "lengths": every(20, lambda line: line[:12]),
    "cut-off": every(8, lambda line: line[: int(len(line) * 0.9)].rstrip(" .!?,")),
    "numbers": every(1, lambda line: "".join(c for c in line if not c.isdigit())),
    "addresses": every(1, lambda line: line.replace("@", " at ").replace("www.", "")),
    "brackets": every(1, lambda line: line.replace('"', "", 1).replace(")", "", 1)),
    "line-breaks": every(70, lambda line: f"{line[:5]}\u2028{line[5:]}"),
}


@pytest.mark.parametrize("check", SPOILED)
def test_finds_it_and_cries_no_wolf(clean, check):
    # A sound output: what a person wrote.
    assert clean.found(check, clean.output if check == "numbers" else clean.second) == []
    findings = clean.found(check, SPOILED[check](list(clean.reference)))
    assert findings, check
    finding = findings[0]
    assert finding.system == "mine"
    assert finding.message.startswith("mine ")
    assert finding.advice
    assert finding.count is None or finding.count > 0
    assert finding.share is None or 0 < finding.share <= 1
    assert len(finding.lines) <= 10
    if finding.lines and check != "empty":
        assert finding.example.startswith(f"line {finding.lines[0]}")


def test_copies_of_the_source(clean):
    assert clean.found("untranslated", clean.output) == []
    some = every(20, lambda line: line)
    mixed = [
        source if n % 10 == 0 else line
        for n, (source, line) in enumerate(zip(clean.source, clean.output, strict=True))
    ]
    (finding,) = clean.found("untranslated", some(mixed))
    assert finding.count == 18
    assert finding.severity == "warning"
    (whole,) = clean.found("untranslated", clean.source)
    assert whole.severity == "error"
    # Where the reference keeps the source, the output may.
    assert clean.found("untranslated", clean.source, references=[clean.source])[0].system == ""


def test_leaks_and_same_references(clean):
    assert clean.found("leak", clean.output) == []
    (leak,) = clean.found("leak", clean.reference)
    assert leak.severity == "error"
    assert "is reference 1 itself" in leak.message
    half = clean.reference[:120] + clean.output[120:]
    assert clean.found("leak", half)[0].severity == "warning"
    assert clean.found("same-references", clean.output, references=[clean.reference, clean.second]) == []
    (same,) = clean.found("same-references", clean.output, references=[clean.reference, clean.reference])
    assert "are the same in all segments" in same.message


def test_identical_systems(clean):
    def pairs(*outputs):
        report = examine(TestSet(references=[clean.reference]), outputs)
        return [f for f in report.findings if f.check == "identical-systems"]

    first, other = Outputs("a", clean.output), Outputs("b", clean.second)
    assert pairs(first, other) == []
    assert pairs(first, Outputs("b", clean.output))[0].message == "a and b are the same in all segments"
    assert pairs(first, Outputs("b", clean.output))[0].severity == "warning"
    assert (
        "of the longer segments"
        in pairs(first, Outputs("b", clean.output[:160] + clean.second[160:]))[0].message
    )
    runs = [Outputs("a", clean.output, "1"), Outputs("a", (*clean.output[:-1], "x"), "2")]
    assert pairs(*runs) == []


def test_case_and_tokens_the_other_way_round(clean):
    lowered = [line.lower() for line in clean.reference]
    assert "capital letters" in clean.found("case", clean.output, references=[lowered])[0].message
    assert "in capital letters" in clean.found("case", [line.upper() for line in clean.output])[0].message
    small = [line[:1].lower() + line[1:] for line in clean.output]
    assert "small letter" in clean.found("case", small)[0].message
    tokens = [tokenise(line) for line in clean.reference]
    findings = clean.found("tokenised", clean.output, references=[tokens])
    assert [f.message for f in findings if f.system] == ["mine is not tokenised, but the reference is"]
    both = clean.found("tokenised", [tokenise(line) for line in clean.output], references=[tokens])
    assert {f.severity for f in both} == {"note"}


def test_normal_forms_of_file_against_file(clean):
    def nfd(lines):
        return [unicodedata.normalize("NFD", "à " + line) for line in lines]

    composed = [unicodedata.normalize("NFC", "à " + line) for line in clean.reference]
    (finding,) = clean.found("normal-form", nfd(clean.output), references=[composed], source=None)
    assert finding.severity == "warning"
    assert "in NFD" in finding.message
    # Both alike: nothing is lost.
    alike = clean.found("normal-form", nfd(clean.output), references=[nfd(clean.reference)], source=None)
    assert [finding.severity for finding in alike if finding.system] == []


def test_a_limit_of_length(clean):
    lines = [" ".join(line.split()[:20]) for line in clean.reference]
    findings = clean.found("cut-off", lines)
    assert any("of 20 words and none longer" in finding.message for finding in findings)


def test_labels(clean):
    together = ["a"] * 80 + ["b"] * 93
    assert clean.found("labels", clean.output, labels={"document": together}) == []
    apart = ["a"] * 80 + ["b"] * 50 + ["a"] * 43
    (finding,) = clean.found("labels", clean.output, labels={"document": apart})
    assert finding.lines == (131,)
    assert "'a' comes back in line 131" in finding.message
    assert clean.found("labels", clean.output, labels={"domain": apart}) == []
    assert clean.found("labels", clean.output, labels={"domain": ["", *apart[1:]]})[0].severity == "note"


def test_repeated_sources(clean):
    assert clean.found("repeated-sources", clean.output) == []
    again = clean.source[:100] + clean.source[:73]
    assert clean.found("repeated-sources", clean.output, source=again)[0].count == 73


def test_repeated_outputs_of_repeated_sources_are_right(clean):
    source = [*clean.source[:100], *clean.source[:73]]
    output = [*clean.output[:100], *clean.output[:73]]
    assert clean.found("repeated", output, source=source) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,000 and 1.000 and 1'000", set()),
        ("1,250 and 1.250 and 1 250 and 1'250", {"125"}),
        ("1 250 €", {"125"}),
        ("12,345.67", {"1234567"}),
        ("in 2019, 45 people", {"2019", "45"}),
        ("five or 5 or 12", set()),
        ("٢٠٢٤ and २०२४", {"2024"}),
        ("３５０ people", {"35"}),
        ("35万人", set()),
    ],
)
def test_numbers_in_whatever_format(text, numbers):
    assert set(numbers_of(text)) == numbers


@pytest.mark.parametrize("written", ["1,250", "1 250", "3.50", "１２５０", "٢٠٢٤"])
def test_a_lost_number_is_named_as_it_is_written(clean, written):
    """A note said that 125 is missing, of 1,250: digits without zeros are for comparing, not for reading."""
    texts = {"source": [f"Em {written} casos."] * 30, "references": [[f"In {written} cases."] * 30]}
    (finding,) = clean.found("numbers", ["In some cases."] * 30, **texts)
    assert f", as {written} in line 1" in finding.message


def test_other_digits_and_formats_are_the_same_number(clean):
    source = ["Em 1.250 casos e 3,75 de 2024."] * 30
    reference = ["In 1,250 cases and 3.75 of 2024."] * 30
    assert clean.found("numbers", ["١٢٥٠ ، ٣٫٧٥ ، ٢٠٢٤"] * 30, source=source, references=[reference]) == []
    (finding,) = clean.found(
        "numbers", ["In 1 250 cases of 2024."] * 30, source=source, references=[reference]
    )
    assert finding.count == 30


def test_small_tools():
    assert digits_of("a1 ٢-3") == "123"
    assert addresses_of("See https://a.org/x, or me@b.org.") == {"https://a.org/x", "me@b.org"}
    assert is_balanced("a (b) “c”", ["()", "“”"])
    assert not is_balanced('a "b', [])
    assert is_loop("we go we go we go we go we go", False)
    assert is_loop("the cat the dog " * 5, False)
    assert not is_loop("the cat saw the dog and the man saw the bird near the house by the lake", False)
    assert is_loop("我们走吧" * 6, True)
    assert known_language("pt_BR") == "pt"
    assert known_language("deu") == "de"
    assert known_language("txt") == ""
    assert languages_of("zh-en") == ("zh", "en")
    assert languages_of("de") == ("", "de")
    assert languages_of("pt_BR") == ("", "pt")


def test_joiners_and_marks_where_they_belong(clean):
    persian = ["می\u200cخواهم به خانه بروم"] * 173
    assert clean.found("invisible", persian, source=None, references=[["من به خانه می روم"] * 173]) == []
    hebrew = ["שלום\u200f עולם"] * 173
    assert clean.found("invisible", hebrew, source=None, references=[["שלום"] * 173]) == []


@pytest.mark.parametrize(
    "line", ["AMANHÃ” disse", "“À bientôt »", "CAFÉ”", "Ça va “Ö”", "São Paulo – Brasil", "10 °C £5 ñandú"]
)
def test_sound_letters_are_no_mojibake(clean, line):
    lines = [f"{line} {n}" for n in range(173)]
    assert clean.found("mojibake", lines) == []


@pytest.mark.parametrize(
    "damage", ["CafÃ©", "itâ€™s", "Â£5", "naÃ¯ve", "ÃƒÂ©", "lost \ufffd", "РџСЂРёРІРµС‚", "ÐŸÑ€Ð¸Ð²ÐµÑ‚"]
)
def test_kinds_of_mojibake(clean, damage):
    lines = list(clean.output)
    lines[5] += f" {damage}"
    (finding,) = clean.found("mojibake", lines)
    assert finding.lines == (6,)


def test_the_documentation_lists_every_check():
    page = (Path(__file__).resolve().parents[2] / "docs" / "lint.md").read_text(encoding="utf-8")
    assert render(renderer_of(CheckList(list(checks().values())), version=""), "markdown") in page, (
        "run adjudge lint --list -f markdown"
    )


def test_random_order_of_checks_is_no_matter(clean):
    names = [finding.check for finding in clean.report(random.Random(1).sample(clean.output, 173)).findings]
    assert names[0] == "order"
