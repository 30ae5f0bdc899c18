"""Test suites without references in WMT's files: left out and told, everything else stays aligned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read


def wmt(documents):
    """A WMT XML file from [(name, test suite or None, segments, translators)]; a segment is its own key."""
    parts = []
    for name, suite, size, translators in documents:
        mark = "" if suite is None else f' testsuite="{suite}"'
        parts.append(f'<doc id="{name}" origlang="en"{mark}>')
        tags = ['src lang="en"', *(f'ref lang="de" translator="{t}"' for t in translators), 'hyp system="X"']
        for tag in tags:
            kind = tag.split()[0] + (tag[-2] if tag.startswith("ref") else "")
            texts = "".join(f'<seg id="{at}">{kind} {name}:{at}</seg>' for at in range(1, size + 1))
            parts.append(f"<{tag}><p>{texts}</p></{tag.split()[0]}>")
        parts.append("</doc>")
    return f'<dataset id="t">{"".join(parts)}</dataset>'


def keys(documents):
    return [f"{name}:{at}" for name, _, size, _ in documents for at in range(1, size + 1)]


DOCUMENTS = [
    ("s1", "verbs", 2, ""),
    ("news", None, 3, "AB"),
    ("s2", "verbs", 1, ""),
    ("chat", None, 1, "B"),
    ("s3", "names", 1, "A"),  # a test suite with a reference stays
    ("s4", "pronouns", 4, ""),
]
KEPT = ["news:1", "news:2", "news:3", "chat:1", "s3:1"]
NOTE = "t.xml: left out 3 documents (7 segments) of test suites without references: pronouns, verbs"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.xml").write_text(wmt(DOCUMENTS), encoding="utf-8")

    def write(name, texts):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")

    write("full.de", keys(DOCUMENTS))
    write("same.de", keys(DOCUMENTS))
    write("kept.de", KEPT)
    return write


def test_they_are_left_out_and_told(here):
    loaded = load(test_set="t.xml")
    assert loaded.notes == (NOTE,)
    assert loaded.test_set.sources == tuple(f"src {key}" for key in KEPT)
    assert loaded.test_set.references == (
        ("refA news:1", "refA news:2", "refA news:3", None, "refA s3:1"),
        ("refB news:1", "refB news:2", "refB news:3", "refB chat:1", None),
    )
    assert loaded.test_set.labels["document"] == ("news", "news", "news", "chat", "s3")
    assert loaded.test_set.labels["testsuite"] == ("", "", "", "", "names")
    assert loaded.outputs[0].segments == tuple(f"hyp {key}" for key in KEPT)
    assert len(read("t.xml")) == 12  # the file itself is read as a whole


def test_outputs_of_their_own_lose_the_same_lines(here):
    loaded = load(test_set="t.xml", systems=["full.de", "kept.de"])
    assert [output.segments for output in loaded.outputs] == [tuple(KEPT)] * 2
    assert loaded.notes == (NOTE + "; the same segments were left out of full.de",)
    names = [f"copy{at}.de" for at in range(5)]
    for name in names:
        here(name, keys(DOCUMENTS))
    loaded = load(test_set="t.xml", systems=names)
    assert loaded.notes[0].endswith("left out of copy0.de, copy1.de, copy2.de and 2 more")
    here("other.de", KEPT[:-1])
    message = r"^t\.xml has 12 segments \(5 without the test suites .*\), but other\.de has 4; "
    with pytest.raises(DataError, match=message):
        load(test_set="t.xml", systems=["kept.de", "other.de"])


def test_sources_references_and_labels_of_their_own(here):
    here("full.tsv", ["docid", *keys(DOCUMENTS)])
    here("kept.tsv", ["docid", *KEPT])
    for files in (
        {"references": ["t.xml"], "source": "full.de", "labels": "kept.tsv"},
        {"references": ["t.xml"], "source": "kept.de", "labels": "full.tsv"},
        {"test_set": "t.xml", "references": ["kept.de"], "source": "kept.de", "labels": "full.tsv"},
    ):
        loaded = load(**files, systems=["full.de"])
        assert loaded.test_set.sources == loaded.test_set.labels["document"] == tuple(KEPT)
        assert loaded.outputs[0].segments == tuple(KEPT)
        assert loaded.notes[0].startswith(NOTE)


def test_nothing_is_left_out_where_no_reference_is_missing_or_none_is_read(here):
    for files in ({"source": "t.xml"}, {"test_set": "t.xml", "references": ["same.de"]}):
        loaded = load(**files, systems=["full.de"])
        assert len(loaded.test_set) == len(loaded.outputs[0]) == 12
        assert not any(note.startswith(NOTE) for note in loaded.notes)


def test_the_references_taken_decide(here):
    # chat is no test suite: refA alone leaves it without a reference, and it is segment 7 of the file
    with pytest.raises(DataError, match=r"segment 7 \(document 'chat'\) has no reference at all"):
        load(references=["t.xml:refA"], systems=["t.xml:X"])
    loaded = load(references=["t.xml:refB"], systems=["t.xml:X"])
    assert loaded.outputs[0].segments == tuple(f"hyp {key}" for key in KEPT[:-1])
    assert "left out 4 documents (8 segments) of test suites without references: names, " in loaded.notes[0]
    with pytest.raises(UsageError, match=r"t\.xml:refB is taken for the reference and for a system's output"):
        load(references=["t.xml:refB"], systems=["t.xml:refB"])
    with pytest.raises(DataError, match="segment 7 of 'refA' is missing"):
        load(references=["t.xml:refB"], systems=["t.xml:refA"])


def test_a_test_suite_with_some_references_is_an_error(here, tmp_path):
    content = wmt(DOCUMENTS).replace('<seg id="1">refA s3:1</seg>', "", 1)
    (tmp_path / "t.xml").write_text(content.replace("refB chat", "refB  chat"), encoding="utf-8")
    assert len(load(test_set="t.xml").test_set) == 4  # s3 has lost its only reference
    documents = [("d", None, 1, "A"), ("s", "x", 2, "A")]
    content = wmt(documents).replace('<seg id="2">refA s:2</seg>', "")
    (tmp_path / "p.xml").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"segment 3 \(document 's', testsuite 'x'\) has no reference"):
        load(test_set="p.xml")


def test_other_files_of_the_shared_task_must_agree_on_what_is_kept(here, tmp_path):
    proper = [document for document in DOCUMENTS if document[0] in ("news", "chat", "s3")]
    (tmp_path / "proper.xml").write_text(wmt(proper), encoding="utf-8")
    loaded = load(references=["t.xml"], systems=["proper.xml"])
    assert loaded.outputs[0].segments == tuple(f"hyp {key}" for key in KEPT)
    (tmp_path / "mixed.xml").write_text(wmt(proper[::-1]), encoding="utf-8")
    with pytest.raises(DataError, match=r"segment 1 is news:1 in t\.xml, but s3:1 in mixed\.xml"):
        load(references=["t.xml"], systems=["mixed.xml"])


def test_a_submission_with_test_suites_beside_the_references_without(here, tmp_path):
    proper = [document for document in DOCUMENTS if document[1] is None]
    (tmp_path / "reference.xml").write_text(wmt(proper), encoding="utf-8")
    (tmp_path / "system.xml").write_text(
        wmt([(*document[:3], "") for document in DOCUMENTS]), encoding="utf-8"
    )
    loaded = load(references=["reference.xml"], systems=["system.xml", "full.de"])
    assert [output.segments for output in loaded.outputs] == [
        tuple(f"hyp {key}" for key in KEPT[:-1]),
        tuple(KEPT[:-1]),
    ]
    assert loaded.notes[0].startswith("system.xml: left out 4 documents (8 segments)")
    (tmp_path / "reference.xml").write_text(wmt(proper[:1]), encoding="utf-8")
    with pytest.raises(DataError, match=r"system\.xml has 12 segments .*, but reference\.xml has 3;"):
        load(references=["reference.xml"], systems=["system.xml"])
    # plain lines without a word on documents cannot tell what is missing from them
    with pytest.raises(DataError, match=r"kept\.de has 5 segments, but system\.xml has 12;"):
        load(references=["kept.de"], systems=["system.xml"])


@given(
    st.lists(st.tuples(st.sampled_from([None, "v", "w"]), st.integers(1, 3)), min_size=1, max_size=6),
)
def test_what_remains_is_what_sacrebleu_reads(tmp_path_factory, shapes):
    documents = [
        (f"d{at}", suite, size, "" if suite else "A") for at, (suite, size) in enumerate([(None, 1), *shapes])
    ]
    path = tmp_path_factory.mktemp("suites") / "t.xml"
    path.write_text(wmt(documents), encoding="utf-8")
    (path.parent / "full.de").write_text("".join(f"{key}\n" for key in keys(documents)), encoding="utf-8")
    expected = WMTXMLDataset._unwrap_wmt21_or_later(str(path))
    loaded = load(test_set=str(path), systems=[f"{path}:X", str(path.parent / "full.de")])
    assert list(loaded.test_set.sources) == expected["src"]
    assert [list(column) for column in loaded.test_set.references] == [expected["ref:A"]]
    assert list(loaded.outputs[0].segments) == expected["X"]
    assert [f"hyp {key}" for key in loaded.outputs[1].segments] == expected["X"]
    assert bool(loaded.notes) == any(suite for suite, _ in shapes)
