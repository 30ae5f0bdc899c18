"""What localisation teams own: TMX and XLIFF, through translate-toolkit."""

import sys
from xml.sax.saxutils import escape

import pytest
from hypothesis import given

from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.io import load, read
from helpers.localised import THREE, pairs, tmx, written, xliff1, xliff2


def test_files_with_other_namespaces(tmp_path):
    content = tmx(THREE).replace("<tmx ", '<tmx xmlns="http://www.lisa.org/tmx14" ')
    assert read(written(tmp_path, content, "memory.tmx"), language="fr").source == ("a1", "a2")
    for content in (
        xliff1([("a", "b")]).replace(' xmlns="urn:oasis:names:tc:xliff:document:1.2"', ""),
        xliff1([("a", "b")]).replace("1.2", "1.1"),
        xliff2([("a", "b")]).replace('version="2.0"', 'version="2.1"'),
        xliff2([("a", "b")]).replace(' version="2.0"', ""),
    ):
        assert read(written(tmp_path, content, "help.xlf")).references == {"target": ("b",)}


def test_inline_codes_are_no_text(tmp_path):
    segment = (
        'Press <bpt i="1">&lt;b&gt;</bpt>Save<ept i="1">&lt;/b&gt;</ept> <ph x="1">{0}</ph>&amp; '
        "<hi>leave<!-- not me --></hi><it pos='begin'>\\par <sub>tip</sub></it>.<![CDATA[ <b> ]]>"
    )
    path = written(tmp_path, tmx([{"en": segment, "de": "x"}], "en"), "memory.tmx")
    assert read(path).source == ("Press Save & leave. <b> ",)
    segment = (
        'Press <g id="1">Save<x id="2"/></g> <ph id="3">{0}</ph>&amp; <mrk mtype="seg">leave</mrk>'
        '<bx id="4"/><bpt id="5">&lt;i&gt;</bpt>.<ept id="5">&lt;/i&gt;</ept>'
    )
    path = written(tmp_path, xliff1([(segment, segment)]), "help.xliff")
    assert load(test_set=path).test_set.references == (("Press Save & leave.",),)
    segment = (
        'Press <pc id="1">Save</pc> <ph id="2"/>&amp; '
        '<mrk id="m" type="term">leave</mrk><sc id="3"/><cp hex="0007"/>.'
    )
    path = written(tmp_path, xliff2([(segment, segment)]), "help.xlf")
    assert load(test_set=path).test_set.references == (("Press Save & leave\x07.",),)


XLIFF = xliff1([("a", "b")])


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "x.tmx", "is empty"),
        ("", "x.xlf", "is empty"),
        (tmx([]), "x.tmx", "is empty: no segment"),
        (xliff1([]), "x.xlf", "is empty: no segment"),
        ("no tag", "x.tmx", "not well-formed XML"),
        ("<xliff/>", "x.tmx", "begins with <xliff>, but <tmx> was expected"),
        ("<tmx/>", "x.tmx", "is empty: no segment"),
        ("<xliff/>", "x.xlf", "cannot be read as XLIFF: not laid out"),
        ('<xliff version="2.0"/>', "x.xlf", "cannot be read as XLIFF: not laid out"),
        (tmx(THREE)[:300], "x.tmx", "cannot be read as TMX: .*line 5"),
        (XLIFF[:300], "x.xlf", "cannot be read as XLIFF: .*line"),
        (
            tmx([{"en-US": "&nbsp;", "de": "x"}]),
            "x.tmx",
            "line 4: the entity &nbsp; is not declared",
        ),
        (
            tmx([{"en-US": "a", "de": "x"}, {"de": "x"}]),
            "x.tmx",
            "unit 2 has no 'en-US', the source; it has de",
        ),
        (
            tmx([{"en-US": "a", "de": "x", "fr": "b"}]).replace('"fr"', '"en-US"'),
            "x.tmx",
            "unit 1 has two variants in 'en-US'; only references may be several",
        ),
        (
            tmx([{"en-US": "a", "de": "x"}]).replace(' xml:lang="de"', ""),
            "x.tmx",
            "unit 1 has a <tuv> without",
        ),
        (tmx(THREE, before='<!DOCTYPE tmx [<!ENTITY a "b">]>'), "x.tmx", "declares the entity 'a'"),
        (
            '<!DOCTYPE xliff [<!ENTITY x SYSTEM "/etc/passwd">]>' + XLIFF[39:],
            "x.xlf",
            "declares the entity 'x'",
        ),
        (xliff1([("a", "b")]).replace("<source>a</source>", ""), "x.xlf", "line 3: unit '0' has no source"),
        (xliff2([("a", '<cp hex="0000"/>')]), "x.xlf", "a NUL character"),
        (xliff2([("a", '<cp hex="D800"/>')]), "x.xlf", "no character"),
        (xliff2([("a", '<cp hex="zz"/>')]), "x.xlf", "no character"),
        (tmx([{"en-US": "<hi>" * 5000 + "</hi>" * 5000, "de": "x"}]), "x.tmx", "cannot be read as TMX"),
        (b"\xff" + XLIFF.encode(), "x.xlf", r"line 1, byte 1: not UTF-8 \(0xff\)"),
    ],
)
def test_faults(tmp_path, content, name, message):
    with pytest.raises(DataError, match=message):
        load(test_set=written(tmp_path, content, name))


@pytest.mark.parametrize(("content", "name"), [(tmx(THREE), "x.tmx"), (XLIFF, "x.xlf")])
def test_the_toolkit_is_an_extra(tmp_path, monkeypatch, content, name):
    for module in ("tmx", "xliff"):
        monkeypatch.setitem(sys.modules, f"translate.storage.{module}", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'adjudge\[localisation\]'"):
        read(written(tmp_path, content, name))


@given(pairs)
def test_tmx_what_is_written_is_read(tmp_path_factory, rows):
    content = tmx([{"en-US": escape(a), "de-DE": escape(b)} for a, b in rows])
    path = written(tmp_path_factory.mktemp("tmx"), content, "memory.tmx")
    loaded = load(test_set=path)
    assert loaded.test_set.sources == tuple(a for a, _ in rows)
    assert loaded.test_set.references == (tuple(b for _, b in rows),)
    assert loaded.test_set.language == "en-US-de-DE"
    assert loaded.outputs == ()


@pytest.mark.parametrize(
    ("options", "source", "reference", "language"),
    [
        ({"language": "en-de"}, "a", "b", "en-US-de-DE"),
        ({"language": "de-fr"}, "b", "c", "de-DE-fr"),
        ({"language": "de-DE-en-US"}, "b", "a", "de-DE-en-US"),
        ({"language": "FR"}, "a", "c", "en-US-fr"),
    ],
)
def test_tmx_languages_by_pair(tmp_path, options, source, reference, language):
    path = written(tmp_path, tmx(THREE), "memory.tmx")
    table = read(path, **options)
    assert table.source == (f"{source}1", f"{source}2")
    assert list(table.references.values()) == [(f"{reference}1", f"{reference}2")]
    assert table.language == language
    behind = load(test_set=f"{path}:{options['language']}")
    assert behind.test_set.sources == table.source


def test_tmx_languages_by_column(tmp_path):
    path = written(tmp_path, tmx(THREE, "*all*"), "memory.tmx")
    loaded = load(source=f"{path}:en", references=[f"{path}:de-DE"], systems=[f"MT={path}:fr"])
    assert loaded.test_set.sources == ("a1", "a2")
    assert loaded.test_set.references == (("b1", "b2"),)
    assert [(o.system, o.segments) for o in loaded.outputs] == [("MT", ("c1", "c2"))]
    assert load(test_set=f"{path}:fr").test_set.references == (("c1", "c2"),)
    with pytest.raises(UsageError, match=r"holds no reference, but de, en, fr, en-US, de-DE; say which one"):
        load(references=[path])
    with pytest.raises(UsageError, match=r"holds no reference or source, but .*say which one"):
        load(test_set=path)
    with pytest.raises(UsageError, match=r"has no 'en-cs'; it has en-US, de-DE, fr"):
        load(test_set=path, language="en-cs")
    path = written(tmp_path, tmx([{"pt-BR": "a", "pt-PT": "b", "en": "c"}]), "memory.tmx")
    with pytest.raises(UsageError, match="unknown column 'pt'"):
        load(references=[f"{path}:pt"])


def test_tmx_units_without_the_target_lack_a_reference(tmp_path):
    path = written(tmp_path, tmx([{"en-US": "a", "de": "x"}, {"en-US": "b"}]), "memory.tmx")
    other = written(tmp_path, "y\nz\n", "other.de")
    assert load(test_set=path, references=[path, other]).test_set.references == (("x", None), ("y", "z"))
    with pytest.raises(DataError, match=r"memory\.tmx: segment 2 has no reference at all"):
        load(test_set=path)
    with pytest.raises(DataError, match=r"segment 2 of 'de' is missing"):
        load(references=[other], systems=[f"{path}:de"])


def test_tmx_variants_of_one_language_are_references(tmp_path):
    variants = [["x"], ["y", "z"], ["v", "", "w"]]
    rows = [
        {"en-US": "a", **dict(zip(["de-DE", "dup1", "dup2"], texts, strict=False)), "fr": "f"}
        for texts in variants
    ]
    content = tmx(rows).replace('"dup1"', '"de-DE"').replace('"dup2"', '"de-DE"')
    path = written(tmp_path, content, "memory.tmx")
    expected = (("x", "y", "v"), (None, "z", ""), (None, None, "w"))
    assert read(path, language="en-de").references == dict(
        zip(["de-DE", "de-DE.2", "de-DE.3"], expected, strict=True)
    )
    for files in (
        {"test_set": path, "language": "en-de"},
        {"test_set": f"{path}:de"},
        {"references": [path], "language": "de"},
        {"references": [f"{path}:de"]},
        {"references": [f"{path}:de-DE"]},
    ):
        loaded = load(**files)
        assert loaded.test_set.references == expected
        assert loaded.test_set.reference_count() is None
    refused = r"memory\.tmx: unit 2 has two variants in 'de(-DE)?'; only references may be several"
    for files in (
        {"source": f"{path}:de"},
        {"references": [f"{path}:fr"], "systems": [f"{path}:de"]},
        {"references": [f"{path}:fr"], "systems": [f"NAME={path}:de-DE"]},
        {"test_set": f"{path}:de-fr"},
    ):
        with pytest.raises(DataError, match=refused):
            load(**files)
    with pytest.raises(UsageError, match=r"holds no system, but .*de-DE, de-DE\.2, de-DE\.3; say which one"):
        load(references=[f"{path}:fr"], systems=[path], language="en-de")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_tmx_in_other_encodings(tmp_path, encoding):
    before = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n'
    content = tmx([{"en": "a", "de": "ä"}], "en", before).encode(encoding)
    assert read(written(tmp_path, content, "memory.tmx")).references == {"de": ("ä",)}
    assert read(written(tmp_path, content, "memory.xml")).references == {"de": ("ä",)}


@pytest.mark.parametrize("build", [xliff1, xliff2])
@given(rows=pairs)
def test_xliff_what_is_written_is_read(tmp_path_factory, build, rows):
    content = build([(escape(a), escape(b)) for a, b in rows])
    path = written(tmp_path_factory.mktemp("xliff"), content, "help.xlf")
    loaded = load(test_set=path)
    assert loaded.test_set.sources == tuple(a for a, _ in rows)
    assert loaded.test_set.references == (tuple(b for _, b in rows),)
    assert loaded.test_set.language == "en-de"
    assert set(loaded.test_set.labels["document"]) == {"help.html" if build is xliff1 else "f1"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_xliff_in_other_encodings(tmp_path, encoding):
    content = xliff1([("a", "ä")]).replace("UTF-8", encoding.removesuffix("-sig")).encode(encoding)
    assert read(written(tmp_path, content, "help.xlf")).references == {"target": ("ä",)}


@pytest.mark.parametrize("build", [xliff1, xliff2])
def test_xliff_in_every_role(tmp_path, build):
    path = written(tmp_path, build([("a", "b"), ("c", "d")]), "help.xlf")
    system = written(tmp_path, build([("a", "x"), ("c", "")]), "engine.xlf")
    loaded = load(test_set=path, systems=[system, f"copy={path}:en"])
    assert [(o.system, o.segments) for o in loaded.outputs] == [("engine", ("x", "")), ("copy", ("a", "c"))]
    assert load(references=[path]).test_set.references == (("b", "d"),)
    assert load(source=path).test_set.sources == ("a", "c")
    assert load(references=[f"{path}:de"]).test_set.references == (("b", "d"),)
    untranslated = written(tmp_path, build([("a", "x"), ("c", None)]), "untranslated.xlf")
    with pytest.raises(DataError, match=r"untranslated\.xlf: segment 2 of 'untranslated' is missing"):
        load(test_set=path, systems=[untranslated])
    with pytest.raises(DataError, match=r"untranslated\.xlf: segment 2 .* has no reference at all"):
        load(test_set=untranslated)
    assert load(test_set=untranslated, references=[path, untranslated]).test_set.references[1] == ("x", None)
    only_source = written(tmp_path, build([("a", None)]), "source.xlf")
    assert load(test_set=only_source).test_set.references == ()
