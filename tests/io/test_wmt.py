"""WMT's XML: what is written is read, as sacreBLEU reads it."""

from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read
from helpers.document_files import WMT, wmt, written, xml_text


@given(
    st.lists(
        st.integers(1, 4).flatmap(
            lambda n: st.lists(st.lists(xml_text, min_size=n, max_size=n), min_size=4, max_size=4)
        ),
        min_size=1,
        max_size=4,
    ),
    xml_text.filter(lambda name: name and not name.lower().startswith("ref")),
)
def test_wmt_xml_what_is_written_is_read(tmp_path_factory, documents, system):
    tags = [
        'src lang="en"',
        'ref lang="de" translator="A"',
        'ref lang="de"',
        f"hyp lang='de' system={quoteattr(system)}",
    ]
    content = wmt(
        [(f'id="d{at}"', list(zip(tags, texts, strict=True))) for at, texts in enumerate(documents)]
    )
    table = read(written(tmp_path_factory.mktemp("xml"), content, "t.xml"))
    source, first, second, output = (tuple(t for texts in documents for t in texts[at]) for at in range(4))
    assert table.source == source
    assert table.references == {"refA": first, "ref": second}
    assert table.outputs == {system: output}
    assert table.language == "en-de"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_wmt_xml_as_a_test_set(tmp_path, encoding):
    declared = encoding.removesuffix("-sig")
    content = (
        wmt(WMT, f'<?xml version="1.0" encoding="{declared}"?>\n', "general")
        .replace("s1", "ä1")
        .encode(encoding)
    )
    loaded = load(test_set=written(tmp_path, content, "t.xml"))
    test_set = loaded.test_set
    assert test_set.sources == ("ä1", "s2", "s3")
    assert test_set.references == (("a1", "a2", None), ("b1", "b2", "b3"))
    assert dict(test_set.labels) == {
        "document": ("d", "d", "e"),
        "domain": ("news", "news", ""),
        "origin": ("en", "en", "fr"),
        "testsuite": ("", "", "names"),
        "collection": ("general",) * 3,
    }
    assert [(o.system, o.segments) for o in loaded.outputs] == [
        ("X", ("x1", "x2", "x3")),
        ("Y", ("y1", "y2", "y3")),
    ]
    assert (test_set.language, test_set.name) == ("en-de", "t")


def test_wmt_xml_columns(tmp_path):
    path = written(tmp_path, wmt(WMT), "t.xml")
    loaded = load(test_set=path, references=[f"{path}:refB"], systems=[f"{path}:X"])
    assert loaded.test_set.references == (("b1", "b2", "b3"),)
    assert [o.system for o in loaded.outputs] == ["X"]
    assert len(loaded.inputs) == 3  # the same file as test set, reference and system
    with pytest.raises(
        DataError, match="segment 3 of 'refA' is missing; an empty text was expected at least"
    ):
        load(test_set=path, references=[f"{path}:refB"], systems=[f"{path}:refA"])
    with pytest.raises(UsageError, match=r"t\.xml:refA is taken for the reference and for a system's output"):
        load(test_set=path, systems=[f"{path}:refA"])
    place = r"segment 3 \(document 'e'\) has no reference at all"
    unmarked = written(tmp_path, wmt(WMT).replace(' testsuite="names"', ""), "u.xml")
    with pytest.raises(DataError, match=place):
        load(test_set=unmarked, references=[f"{unmarked}:refA"])
    with pytest.raises(UsageError, match="unknown column 'refC'"):
        load(references=[f"{path}:refC"])


def test_wmt_xml_is_read_as_sacrebleu_reads_it(tmp_path):
    texts = [f"{at} <&> ä" for at in range(40)]
    columns = [
        'src lang="en"',
        'ref lang="de" translator="A"',
        'ref lang="de" translator="B"',
        'hyp system="X"',
    ]
    documents = [
        (
            f'id="d{at}" origlang="o{at}" domain="n{at % 2}"',
            [(tag, [f"{tag} {text}" for text in texts[at * 10 : at * 10 + 10]]) for tag in columns],
        )
        for at in range(4)
    ]
    path = written(tmp_path, wmt(documents), "t.xml")
    expected = WMTXMLDataset._unwrap_wmt21_or_later(path)
    loaded = load(test_set=path)
    assert list(loaded.test_set.sources) == expected["src"]
    assert [list(column) for column in loaded.test_set.references] == [expected["ref:A"], expected["ref:B"]]
    assert [list(output.segments) for output in loaded.outputs] == [expected["X"]]
    for ours, theirs in (("document", "docid"), ("origin", "origlang"), ("domain", "domain")):
        assert list(loaded.test_set.labels[ours]) == expected[theirs]
