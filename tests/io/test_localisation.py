"""What localisation teams own: TMX and XLIFF, through translate-toolkit."""

import sys

import pytest

from adjudge.errors import DataError, MissingExtraError
from adjudge.io import load, read
from helpers.localised import THREE, tmx, written, xliff1, xliff2


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
