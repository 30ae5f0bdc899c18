"""Files as they lie on the disk: faults that readers drop, repair or refuse are told, and never with a traceback."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import io
from adjudge.checks import examine, lint, summary_line
from adjudge.data import Outputs, TestSet
from adjudge.errors import AdjudgeError, UsageError


@pytest.fixture
def check(clean, write):
    """The findings of one check for an output with these bytes."""

    def findings(name, content):
        report = lint(
            references=[write("ref.en", clean.reference)],
            systems=[write("mine.en", content)],
            skip=["language"],
        )
        return [finding for finding in report.findings if finding.check == name]

    return findings


def joined(lines, end="\n"):
    return "".join(line + end for line in lines).encode()


FAULTS = {
    "encoding": lambda b: b.replace(b"\n", b" caf\xe9\n", 1),
    "nul": lambda b: b.replace(b"a", b"\0", 1),
    "bom": lambda b: b"\xef\xbb\xbf" + b,
    "line-ends": lambda b: b.replace(b"\n", b"\r\n"),
    "final-newline": lambda b: b[:-1],
    "line-breaks": lambda b: b.replace(b"a", b"\x0c", 1),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_bytes(check, clean, name):
    sound = joined(clean.output)
    assert check(name, sound) == []
    (finding,) = check(name, FAULTS[name](sound))
    assert finding.file.endswith("mine.en")
    assert finding.system == "mine"
    assert finding.advice


def test_where_the_bytes_are_wrong(check, clean):
    data = joined(clean.output).split(b"\n")
    data[4] = b"caf\xe9 " + data[4]
    (finding,) = check("encoding", b"\n".join(data))
    assert "first 0xe9 at byte 4 of line 5" in finding.message
    assert finding.lines == (5,)
    assert "caf\\xe9" in finding.example


def test_mixed_line_ends_and_old_ones(check, clean):
    sound = joined(clean.output)
    (mixed,) = check("line-ends", sound.replace(b"\n", b"\r\n", 7))
    assert "7 of 173 lines end in CRLF" in mixed.message
    (mac,) = check("line-ends", sound.replace(b"\n", b"\r"))
    assert mac.severity == "error"


def test_utf16_is_named_and_its_content_examined(check, clean):
    data = "".join(f"{line}\n" for line in clean.output).encode("utf-16")
    (finding,) = check("encoding", data)
    assert "UTF-16" in finding.message
    assert check("line-count", data) == []
    assert check("order", data) == []


def test_latin_1_is_read_on(check, clean):
    lines = list(clean.output)
    data = "".join(f"é {line}\n" for line in lines).encode("latin-1", "replace")
    (finding,) = check("encoding", data)
    assert finding.severity == "error"
    assert "iconv" in finding.advice
    assert check("order", data) == []


def test_all_line_breaks_of_other_tools(check, clean):
    lines = list(clean.output)
    for n, sign in enumerate("\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r"):
        lines[n] = lines[n][:5] + sign + lines[n][5:]
    (finding,) = check("line-breaks", joined(lines))
    assert finding.count == 9


def test_a_missing_file_is_a_finding(clean, write):
    report = lint(references=[write("ref.en", clean.reference)], systems=["nowhere.en"], skip=["language"])
    (finding,) = (f for f in report.findings if f.check == "refused")
    assert "nowhere.en does not exist" in finding.message
    assert finding.severity == "error"


def test_a_damaged_archive_is_a_finding(clean, write):
    broken = gzip.compress(joined(clean.output))[:-20]
    report = lint(
        references=[write("ref.en", clean.reference)],
        systems=[write("mine.en.gz", broken)],
        skip=["language"],
    )
    assert "is cut short" in report.findings[0].message


def test_other_formats_are_read_by_io_and_its_refusal_told(clean, write):
    rows = [
        json.dumps({"src": s, "ref": r, "mt.mine": o})
        for s, r, o in zip(clean.source, clean.reference, clean.output, strict=True)
    ]
    sound = lint(test_set=write("all.jsonl", rows), skip=["language"])
    assert sound.looked_at == "1 output, 1 reference and the source of 173 segments"
    assert sound.count("error") == 0
    broken = lint(test_set=write("broken.jsonl", [*rows[:9], "{"]), skip=["language"])
    assert [f.check for f in broken.findings if f.severity == "error"] == ["refused"]
    assert "line 10" in broken.findings[0].message


def test_labels_of_another_length(clean, write):
    labels = write("labels.tsv", ["document", *["a"] * 100])
    report = lint(
        references=[write("r.en", clean.reference)],
        systems=[write("o.en", clean.output)],
        labels=labels,
        skip=["language"],
    )
    assert "label 'document' has 100 lines" in report.findings[0].message


def test_an_output_alone_can_be_looked_at(write, clean):
    report = lint(systems=[write("o.en", [*clean.output, "CafÃ© &quot;x&quot;"])], skip=["language"])
    assert {"mojibake", "entities"} <= {finding.check for finding in report.findings}


def test_examine_finds_the_same(clean, examples):
    files = {
        "systems": [str(path) for path in sorted((examples / "systems").iterdir())],
        "references": [str(examples / "reference.en")],
        "source": str(examples / "source.pt"),
    }
    loaded = io.load(**files)
    examined = examine(loaded.test_set, loaded.outputs, inputs=loaded.inputs)
    assert examined.findings == lint(**files, skip=["language"]).findings
    assert examined.findings


def test_summary_line(clean):
    shifted = clean.report([*clean.output[:80], *clean.output[81:], "The end of it."])
    line = summary_line(shifted)
    assert line.startswith("lint: 1 error: mine is shifted by 1 line from line 81 on")
    sound = examine(TestSet(references=[clean.second]), [Outputs("a", clean.reference)], skip=["numbers"])
    assert summary_line(sound) == ""
    # Notes alone are no reason to speak up.
    noted = clean.report([*clean.reference[:9], "Caf\u200be it is.", *clean.second[10:]], source=None)
    assert noted.count("note") > 0
    assert all(f.severity == "note" for f in noted.findings) == (summary_line(noted) == "")


def test_unknown_checks_are_refused():
    with pytest.raises(UsageError, match="did you mean 'order'"):
        lint(systems=["x"], skip=["odrer"])


lines_of_bytes = st.lists(
    st.binary(max_size=12)
    | st.sampled_from([b"", b"a b c", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\r", b"caf\xc3\xa9", b"12"]),
    max_size=8,
).map(b"\n".join)


@settings(max_examples=100)
@given(st.lists(lines_of_bytes, min_size=1, max_size=3), lines_of_bytes, st.booleans())
def test_any_bytes_at_all(tmp_path_factory, systems, other, as_source):
    folder = tmp_path_factory.mktemp("fuzz", numbered=True)
    paths = []
    for n, data in enumerate([other, *systems]):
        (folder / f"{n}.en").write_bytes(data)
        paths.append(str(folder / f"{n}.en"))
    given_files = {"source": paths[0]} if as_source else {"references": [paths[0]]}
    report = lint(systems=paths[1:], skip=["language"], **given_files)
    for finding in report.findings:
        assert finding.severity in ("error", "warning", "note")
        assert finding.message
        assert finding.advice
    # Whatever io refuses is an error here.
    try:
        io.load(systems=paths[1:], **given_files)
    except AdjudgeError:
        assert report.count("error") > 0


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=8
    )
)
def test_any_text_at_all(rows):
    sources, references, outputs = zip(*rows, strict=True)
    examine(
        TestSet(references=[references], sources=sources), [Outputs("a", outputs), Outputs("b", references)]
    )
