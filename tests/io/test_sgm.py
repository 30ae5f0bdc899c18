"""SGM files: as sloppy as they come, alone and together, and what is wrong with some."""

import re
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import load, read
from helpers.document_files import written, xml_text

tight = xml_text.map(lambda text: text.strip(" "))


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
