"""TMX: languages by pair and by column, variants, and units that lack one."""

from xml.sax.saxutils import escape

import pytest
from hypothesis import given

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read
from helpers.localised import THREE, pairs, tmx, written


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
