"""Markup that is broken, of another kind, or nested without end."""

import pytest

from adjudge.errors import DataError
from adjudge.io import read
from helpers.document_files import WMT, wmt, written

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
