"""A check accuses a system only against its source or a majority; good systems of shared tasks are left in peace."""

import pytest

from adjudge.checks import examine
from adjudge.checks.contents import is_balanced
from adjudge.data import Outputs, TestSet

OPEN = [f"第{n}句话没有句号" for n in range(60)]  # a source without a full stop at its end
WRITTEN = [f"Sentence number {n} has a full stop." for n in range(60)]
PLAIN = [f"Sentence number {n} has none" for n in range(60)]


def warned(check, outputs, **test_set):
    report = examine(TestSet(**test_set), [Outputs(name, lines) for name, lines in outputs.items()])
    return [f.system for f in report.findings if f.check == check and f.severity != "note"]


def test_a_reference_alone_does_not_prove_that_an_output_was_cut_off():
    assert warned("cut-off", {"a": PLAIN}, references=[WRITTEN]) == []
    assert warned("cut-off", {"a": PLAIN}, references=[WRITTEN], sources=OPEN) == []
    ended = [f"{line}。" for line in OPEN]
    assert warned("cut-off", {"a": PLAIN}, references=[WRITTEN], sources=ended) == ["a"]
    assert warned("cut-off", {"a": PLAIN}, sources=ended) == ["a"]


def test_most_outputs_do():
    assert warned("cut-off", {"a": PLAIN, "b": WRITTEN, "c": WRITTEN}, references=[WRITTEN]) == ["a"]
    assert warned("cut-off", {"a": PLAIN, "b": PLAIN, "c": WRITTEN}, references=[WRITTEN]) == []


def advice(check, outputs, **test_set):
    report = examine(TestSet(**test_set), [Outputs(name, lines) for name, lines in outputs.items()])
    return [f.advice for f in report.findings if f.check == check]


def test_a_whole_sentence_without_a_full_stop_is_not_said_to_be_cut_off(clean):
    """Real text: headlines lack the stop and nothing else; what breaks off is shorter than the rest."""
    whole = [line.rstrip(".") if n % 8 == 0 else line for n, line in enumerate(clean.reference)]
    short = [
        line[: int(0.8 * len(line))].rstrip(" .") if n % 8 == 0 else line
        for n, line in enumerate(clean.reference)
    ]
    test_set = {"references": [clean.reference], "sources": clean.source}
    (said,) = advice("cut-off", {"mine": whole}, **test_set)
    assert "max_length" not in said
    (said,) = advice("cut-off", {"mine": short}, **test_set)
    assert "max_length" in said


@pytest.mark.parametrize("end", ["ครับ", "。", "｡", "।", "۔", "։", "።", "။", "។", "།"])
def test_other_scripts_end_their_sentences_too(end):
    ended = [f"Sentence number {n} ends here{end}" for n in range(60)]
    assert advice("cut-off", {"mine": ended}, sources=WRITTEN) == []


@pytest.mark.parametrize(
    ("digits", "segment"),
    [
        ("13", "Thirteen of them were injured."),
        ("21", "Twenty-one in all"),
        ("13", "Ein dreizehnjähriger Junge"),
        ("25", "Fünfundzwanzig Jahre danach"),
        ("17", "Les dix-sept ans de règne"),
        ("75", "Soixante-quinze personnes"),
        ("91", "quatre-vingt-onze"),
        ("16", "Tiene dieciséis años."),
        ("42", "Cuarenta y dos casos"),
    ],
)
def test_a_number_in_words_is_there(digits, segment):
    test_set = {"references": [[f"It was {digits}."] * 20], "sources": [f"Es war {digits}."] * 20}
    assert advice("numbers", {"mine": [segment] * 20}, **test_set) == []
    other = str(int(digits) + 1)
    test_set = {"references": [[f"It was {other}."] * 20], "sources": [f"Es war {other}."] * 20}
    assert warned("numbers", {"mine": [segment] * 20}, **test_set) == ["mine"]


def test_german_quotes_close_and_come_in_pairs():
    english = [f"He said: “Number {n} is fine.”" for n in range(60)]
    german = [f"Er sagte: „Nummer {n} ist gut.“" for n in range(60)]
    assert warned("cut-off", {"a": german}, sources=english) == []
    assert warned("brackets", {"a": german}, sources=english) == []
    assert is_balanced("„a“ und ”b” und »c«", ["«»"])
    assert not is_balanced("„a und b", [])
    halved = [line.replace("„", "") for line in german]
    assert warned("brackets", {"a": halved}, sources=english) == ["a"]


def test_what_the_reference_is_written_like_is_no_fault():
    escaped = [f"A &quot; quote &quot; {n}" if n % 3 else f"None {n}" for n in range(60)]
    other = [f"A &quot; quote &quot; {n}" if n % 4 else f"None {n}" for n in range(60)]
    plain = [line.replace("&quot;", '"') for line in escaped]
    assert "a" not in warned("entities", {"a": escaped}, references=[other])
    assert warned("entities", {"a": escaped}, references=[plain]) == ["a"]


def test_the_source_bears_an_output_out(clean):
    """One output and one reference disagree about the order: the source says which of them is out of place."""
    reference = [*clean.reference[:60], *clean.reference[61:121], clean.reference[60], *clean.reference[121:]]
    findings = [f for f in clean.report(clean.output, references=[reference]).findings if f.check == "order"]
    assert [f.system for f in findings] == [""]
    assert findings[0].message.startswith("reference 1 is shifted by 1 line")
    shifted = [*clean.output[:60], *clean.output[61:121], clean.output[60], *clean.output[121:]]
    (finding,) = clean.found("order", shifted)
    assert finding.system == "mine"


@pytest.mark.parametrize("way", ["references", "sources"])
def test_systems_of_wmt22_with_one_side_alone(shared, way):
    """Ten systems into English, whose source has fewer full stops than its reference."""
    sides = {
        "references": [shared.lines("w2.zh-en.refA.en")],
        "sources": shared.lines("w2.zh-en.src.zh"),
    }
    for name in ("Online-B", "HuaweiTSC", "LanguageX"):
        output = Outputs(name, shared.lines(f"w2.zh-en.{name}.en"))
        report = examine(TestSet(**{way: sides[way]}), [output])
        checks = [f.check for f in report.findings if f.severity != "note"]
        assert checks == (["special-tokens"] if name == "LanguageX" else [])


def test_systems_of_wmt21_with_the_source_alone(shared):
    """Into German, with German quotes."""
    folder = shared.data / "02_wmt21_mqm_ende" / "en-de"
    sources = (folder / "src.en").read_text(encoding="utf-8").splitlines()
    for name in ("Manifold", "VolcTrans-GLAT", "UEdin"):
        output = Outputs(name, (folder / "hyp" / f"{name}.de").read_text(encoding="utf-8").splitlines())
        report = examine(TestSet(sources=sources), [output])
        assert [f.check for f in report.findings if f.severity != "note"] == []


def test_the_reference_of_wmt17_is_out_of_place_not_the_systems(shared):
    folder = shared.data / "04_wmt17_da_seg_toen" / "zh-en"
    lines = {
        name: (folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        for name in ("src.zh", "ref.en", "hyp/online-B.0.en")
    }
    test_set = TestSet(references=[lines["ref.en"]], sources=lines["src.zh"])
    report = examine(test_set, [Outputs("b", lines["hyp/online-B.0.en"])])
    (finding,) = (f for f in report.findings if f.check == "order")
    assert finding.system == ""
    assert "reference 1 is shifted by 1 line from line 953 to line 977" in finding.message
