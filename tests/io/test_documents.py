"""Files of the shared tasks: SGM, mteval XML, WMT XML, mt-metrics-eval folders."""

import re
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read

# what XML can hold, without the white space that these formats take for layout
xml_characters = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
xml_text = st.text(xml_characters)
tight = xml_text.map(lambda text: text.strip(" "))


def written(tmp_path, content, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


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


def wmt(documents, before='<?xml version="1.0" encoding="utf-8"?>\n', collection=None):
    """A WMT XML file from [(attributes of doc, [(tag with attributes, segments)])]."""
    parts = []
    for attributes, columns in documents:
        parts.append(f"<doc {attributes}>")
        for tag, texts in columns:
            segments = "".join(f'<seg id="{at}">{escape(text)}</seg>' for at, text in enumerate(texts, 1))
            parts.append(f"<{tag}><p>{segments}</p></{tag.split()[0]}>")
        parts.append("</doc>")
    body = "\n".join(parts)
    if collection:
        body = f'<collection id="{collection}">{body}</collection>'
    return f'{before}<dataset id="t">{body}</dataset>'


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


WMT = [
    (
        'id="d" origlang="en" domain="news"',
        [
            ('src lang="en"', ["s1", "s2"]),
            ('ref lang="de" translator="A"', ["a1", "a2"]),
            ('ref lang="de" translator="B"', ["b1", "b2"]),
            ('hyp lang="de" system="X"', ["x1", "x2"]),
            ('hyp lang="de" system="Y"', ["y1", "y2"]),
            ('supplemental type="summary"', ["left aside"]),
        ],
    ),
    (
        'id="e" origlang="fr" testsuite="names"',
        [
            ('src lang="en"', ["s3"]),
            ('ref lang="de" translator="B"', ["b3"]),
            ('hyp lang="de" system="X"', ["x3"]),
            ('hyp lang="de" system="Y"', ["y3"]),
        ],
    ),
]


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


BOMB = '<!DOCTYPE dataset [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (wmt(WMT, BOMB), "declares the entity 'a'; entities of one's own are not read"),
        (wmt(WMT, '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), "declares the entity 'x'"),
        (
            wmt(WMT, '<!DOCTYPE d [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]>'),
            "declares the entity 'x'",
        ),
        (wmt(WMT).replace("s1", "&nbsp;"), "not well-formed XML: undefined entity.*: line 3, column"),
        (wmt(WMT, '<!DOCTYPE dataset SYSTEM "x.dtd">').replace("s1", "&nbsp;"), "undefined entity"),
        (wmt(WMT).replace("s1", "a & b"), "not well-formed XML: .*line 3"),
        (wmt(WMT)[:200], "not well-formed XML"),
        (wmt(WMT, '<?xml version="1.0" encoding="klingon"?>'), "encoding 'klingon', which nobody knows"),
        (wmt(WMT, '<?xml version="1.0" encoding="base64"?>'), "is not base64, which it declares"),
        (wmt(WMT).replace('id="e"', 'id="d"'), "two documents are called 'd'"),
        (wmt([]), "is empty: no segment"),
        ("<html/>", "begins with <html>; expected was one of <dataset>"),
        ("no tag", "begins with <>"),
        ("", "is empty"),
        (
            wmt(WMT).replace('system="Y"', 'system="X"', 1),
            "segment 1 of document 'd' is there twice in output X",
        ),
        (
            wmt([WMT[0], ('id="e"', WMT[1][1][:-1])]),
            "segment 1 of document 'e' is in source .*, but not in output Y",
        ),
        (
            wmt([WMT[0], ('id="e"', WMT[1][1][1:])]),
            "segment 1 of document 'e' is in reference refB .*but not in source",
        ),
        (wmt(WMT).encode() + b"\xff", r"line 15, byte 17: not UTF-8 \(0xff\)"),
    ],
)
def test_wmt_xml_faults(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, content, "t.xml"))


def test_wmt_xml_of_another_root(tmp_path):
    with pytest.raises(DataError, match="begins with <html>, but <dataset> was expected"):
        read(written(tmp_path, "<html/>", "t.xml"), format="xml")


def test_wmt_xml_nested_deeply(tmp_path):
    depth = 50_000
    content = wmt(WMT).replace("s1", "<b>" * depth + "s1" + "</b>" * depth)
    assert read(written(tmp_path, content, "t.xml")).source[0] == "s1"


def mtme(tmp_path, pair="en-de", texts=("a", "b")):
    lines = "".join(f"{text}\n" for text in texts)
    for name in (f"sources/{pair}.txt", f"references/{pair}.refA.txt", f"references/{pair}.refB.txt"):
        written(tmp_path, lines, name)
    for name in ("Online-A", "refA", "GPT-4.0"):
        written(tmp_path, lines.upper(), f"system-outputs/{pair}/{name}.txt")
    written(tmp_path, "".join(f"news\tdoc {at // 2}\n" for at in range(len(texts))), f"documents/{pair}.docs")
    return str(tmp_path)


def test_mtme_folders(tmp_path):
    loaded = load(test_set=mtme(tmp_path / "wmt23"))
    assert loaded.test_set.sources == ("a", "b")
    assert loaded.test_set.references == (("a", "b"),) * 2
    assert dict(loaded.test_set.labels) == {"document": ("doc 0",) * 2, "domain": ("news",) * 2}
    assert [o.system for o in loaded.outputs] == ["GPT-4.0", "Online-A", "refA"]
    assert (loaded.test_set.name, loaded.test_set.language) == ("wmt23", "en-de")
    assert [i.role for i in loaded.inputs] == ["source", "reference", "reference", *["system"] * 3, "labels"]
    assert loaded.inputs[0].path == f"{tmp_path}/wmt23/sources/en-de.txt"


def test_mtme_with_several_pairs(tmp_path):
    path = mtme(tmp_path, "en-de")
    mtme(tmp_path, "zh-en", ("c", "d", "e"))
    with pytest.raises(UsageError, match="several language pairs, say which one: en-de, zh-en"):
        load(test_set=path)
    assert len(load(test_set=path, language="zh-en").test_set) == 3
    assert len(load(test_set=f"{path}:zh-en").test_set) == 3
    assert load(references=[f"{path}:refA"], language="en-de").test_set.references == (("a", "b"),)
    with pytest.raises(UsageError, match="unknown language pair 'zh-de'"):
        load(test_set=path, language="zh-de")


def test_mtme_faults(tmp_path):
    path = mtme(tmp_path)
    written(tmp_path, "a\n", "system-outputs/en-de/short.txt")
    with pytest.raises(DataError, match=r"sources/en-de\.txt has 2 segments, but .*/short\.txt has 1"):
        read(path)
    written(tmp_path, "x\ny\n", "system-outputs/en-de/short.txt")
    written(tmp_path, "news\nnews d\n", "documents/en-de.docs")
    with pytest.raises(DataError, match=r"en-de\.docs, line 1: domain and document were expected"):
        read(path)
    written(tmp_path, "x\n", "system-outputs/en-de/notes.md")
    with pytest.raises(DataError, match=r"notes\.md: expected was SYSTEM\.txt"):
        read(path)
    (tmp_path / "empty" / "sources").mkdir(parents=True)
    with pytest.raises(DataError, match="is no mt-metrics-eval folder"):
        read(str(tmp_path / "empty"))
    with pytest.raises(DataError, match="is a file; an mt-metrics-eval folder was expected"):
        read(f"{path}/sources/en-de.txt", format="mtme")
    with pytest.raises(DataError, match="is a directory"):
        read(path, format="text")


def test_mteval_xml_holds_the_plain_text_it_was_made_of(shared):
    moses = shared.golden / "moses"
    loaded = load(
        references=[f"{moses}/w1.ref.xml"], source=f"{moses}/w1.src.xml", systems=[f"{moses}/w1.tst.xml"]
    )

    def trimmed(name):
        return tuple(text.strip(" \t") for text in shared.lines(name))

    assert loaded.test_set.references == (trimmed("w1.ref.en"),)
    assert loaded.test_set.sources == trimmed("w1.src.sk")
    assert loaded.outputs[0].segments == trimmed("w1.sys1.en")
    assert loaded.outputs[0].system == "sys1"
    two = load(references=[f"{moses}/zhen.ref.xml"], systems=[f"{moses}/zhen.tst.xml"])
    assert two.test_set.references == (trimmed("w2.zh-en.refA.en"), trimmed("w2.zh-en.refB.en"))
    assert two.outputs[0].segments == trimmed("w2.zh-en.Online-B.en")


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


def test_mtme_layout_of_wmt23(shared, tmp_path):
    folder = shared.data / "03_wmt23_mqm_esa" / "en-de"
    for part in ("sources", "references", "system-outputs/en-de", "documents"):
        (tmp_path / part).mkdir(parents=True)
    (tmp_path / "sources" / "en-de.txt").symlink_to(folder / "src.en")
    (tmp_path / "references" / "en-de.refA.txt").symlink_to(folder / "ref.refA.de")
    (tmp_path / "documents" / "en-de.docs").symlink_to(folder / "docs.domain_docid.tsv")
    outputs = sorted((folder / "hyp").iterdir())
    for output in outputs:
        (tmp_path / "system-outputs" / "en-de" / f"{output.stem}.txt").symlink_to(output)
    loaded = load(test_set=str(tmp_path))
    assert [o.system for o in loaded.outputs] == [output.stem for output in outputs]
    for output in loaded.outputs:
        plain = load(references=[f"{folder}/ref.refA.de"], systems=[f"{folder}/hyp/{output.system}.de"])
        assert plain.outputs[0].segments == output.segments
        assert plain.test_set.references == loaded.test_set.references
    assert len(set(loaded.test_set.labels["document"])) > len(set(loaded.test_set.labels["domain"])) == 4
