"""WMT's XML: what is written is read, as sacreBLEU reads it."""

import re
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read
from helpers.document_files import WMT, wmt, written, xml_text

tight = xml_text.map(lambda text: text.strip(" "))


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


def sgm(kind, documents, attributes=""):
    """An SGM file from documents {name: segments}."""
    target = "" if kind == "srcset" else 'trglang="en"'
    return "\n".join(
        [f'<{kind} setid="t" srclang="cs" {target} {attributes}>']
        + [
            f'<doc docid="{name}" genre="news" origlang="cs">\n<p>\n'
            + "".join(f'<seg id="{at}">{text}</seg>\n' for at, text in enumerate(texts, 1))
            + "</p>\n</doc>"
            for name, texts in documents.items()
        ]
        + [f"</{kind}>\n"]
    )


@given(st.lists(st.lists(tight, min_size=1), min_size=1))
def test_sgm_what_is_written_is_read(tmp_path_factory, documents):
    folder = tmp_path_factory.mktemp("sgm")
    escaped = {f"d{at}": list(map(escape, texts)) for at, texts in enumerate(documents)}
    table = read(written(folder, sgm("tstset", escaped, 'sysid="X"'), "x.sgm"))
    assert table.outputs == {"X": tuple(text for texts in documents for text in texts)}
    assert table.labels["document"] == tuple(f"d{at}" for at, texts in enumerate(documents) for _ in texts)
    assert set(table.labels["domain"]) == {"news"}
    assert set(table.labels["origin"]) == {"cs"}
    assert table.language == "cs-en"


def test_sgm_as_sloppy_as_it_comes(tmp_path):
    content = """<TSTSET setid=t SrcLang='any' TRGLANG="de">
<DOC SysID="Y &amp; Z" sysid="ref" DOCID="a b" GENRE=news>
<hl>
<SEG ID=7> R&D & "&quot;" &lt;b&gt; &#228;&#xE4; &amp;amp; &nbsp; &#0; 1 < 2 <b>x</b> </SEG>
</hl><p>
<seg id="8">
 two
   lines
</seg><seg id=9></seg>
</p>
</doc>
</tstset>"""
    table = read(written(tmp_path, content.replace("\n", "\r\n"), "x.sgm"))
    segments = ('R&D & """ <b> ää &amp; &nbsp; &#0; 1 < 2 <b>x</b>', "two lines", "")
    assert table.outputs == {"Y & Z": segments}
    assert table.language == "de"
    assert table.labels["document"] == ("a b",) * 3
    assert table.keys == ("a b:7", "a b:8", "a b:9")


def test_sgm_files_together(tmp_path):
    source = written(tmp_path, sgm("srcset", {"d": ["s1", "s2"], "e": ["s3"]}), "src.sgm")
    reference = written(tmp_path, sgm("refset", {"d": ["a", "b"], "e": ["c"]}, 'refid="A"'), "ref.sgm")
    system = written(tmp_path, sgm("tstset", {"d": ["x", "y"], "e": ["z"]}, 'sysid="S"'), "hyp.sgm")
    human = written(tmp_path, sgm("refset", {"d": ["a", "b"], "e": ["c"]}, 'refid="A"'), "human.sgm")
    loaded = load(references=[reference], source=source, systems=[system, f"R={human}"])
    assert loaded.test_set.references == (("a", "b", "c"),)
    assert loaded.test_set.sources == ("s1", "s2", "s3")
    assert [(o.system, o.segments) for o in loaded.outputs] == [
        ("S", ("x", "y", "z")),
        ("R", ("a", "b", "c")),
    ]
    assert loaded.test_set.language == "cs-en"
    assert loaded.test_set.labels["document"] == ("d", "d", "e")
    other = written(tmp_path, sgm("tstset", {"e": ["z"], "d": ["x", "y"]}, 'sysid="S"'), "other.sgm")
    with pytest.raises(DataError, match=r"segment 1 is d:1 in .*ref\.sgm, but e:1 in .*other\.sgm"):
        load(references=[reference], systems=[other])
    short = written(tmp_path, sgm("tstset", {"d": ["x", "y"]}), "short.sgm")
    with pytest.raises(DataError, match=r"ref\.sgm has 3 segments, but .*short\.sgm has 2"):
        load(references=[reference], systems=[short])
    assert list(read(short).outputs) == ["short"]  # no sysid: the file's own name


def test_sgm_several_sets_in_one_file(tmp_path):
    content = (
        sgm("srcset", {"d": ["s", "t"]})
        + sgm("refset", {"d": ["a", "b"]}, 'refid="ref1"')
        + sgm("refset", {"d": ["c"]}, 'refid="B"')
        + sgm("tstset", {"d": ["x", "y"]}, 'sysid="X"')
    )
    loaded = load(test_set=written(tmp_path, content, "all.sgm"))
    assert loaded.test_set.references == (("a", "b"), ("c", None))
    assert loaded.test_set.sources == ("s", "t")
    assert [(o.system, o.segments) for o in loaded.outputs] == [("X", ("x", "y"))]
    with pytest.raises(
        DataError, match=r"segment 2 of document 'd' is in source .2 segments., but not in output Z"
    ):
        read(written(tmp_path, content + sgm("tstset", {"d": ["x"]}, 'sysid="Z"'), "all.sgm"))
    with pytest.raises(
        DataError, match=r"segment 1 of document 'f' is in reference refC .*, but not in source"
    ):
        read(written(tmp_path, content + sgm("refset", {"f": ["x"]}, 'refid="C"'), "all.sgm"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "<refset>\n<doc>\n<seg>a\n<seg>b</seg></doc></refset>",
            r"line 3: this <seg> is not closed before <seg>",
        ),
        ("<refset><doc>\n<seg>a", r"line 2: this <seg> is never closed; is the file truncated"),
        ("<refset><doc><seg>a</seg>\n", r"end of the reference set is missing"),
        ("<doc><seg>a</seg></doc>", r"line 1: a <seg> outside of srcset"),
        ("<refset><doc>a</seg></doc></refset>", r"line 1: </seg> without <seg>"),
        ("<refset></refset>", r"is empty: no segment"),
        ("plain text\n", r"is empty: no segment"),
        ("", r"is empty"),
        (
            '<refset><doc docid="d"><seg id="1">a</seg><seg id="1">b</seg></doc></refset>',
            r"1 of document 'd' is .*twice",
        ),
        (b"<refset><doc><seg>\xff</seg></doc></refset>", r"x\.sgm, line 1, byte 19: not UTF-8"),
    ],
)
def test_sgm_faults(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, content, "x.sgm"))


def test_sgm_of_many_broken_tags_takes_no_time(tmp_path):
    read(written(tmp_path, sgm("refset", {"d": ["<seg " * 100_000 + " &" * 100_000]}), "x.sgm"))


def test_sgm_of_newstest2019(shared):
    folder = shared.data / "17_appraise_examples" / "DocLevelDA"
    (source,) = folder.glob("sources/*.sgm")
    (reference,) = folder.glob("references/*.sgm")
    loaded = load(references=[str(reference)], source=str(source), systems=[f"{folder}/system-outputs/*.sgm"])
    assert len(loaded.test_set) == len(re.findall("<seg ", source.read_text())) == 43
    assert {o.system for o in loaded.outputs} == {
        "Microsoft-document-level",
        "Microsoft-sentence-level",
        "ms-doc-sent-level",
    }
    assert set(read(str(source)).labels["origin"]) == {"en"}
    assert loaded.test_set.language == "de"
