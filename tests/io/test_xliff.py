"""XLIFF: what is written is read, in every role and encoding."""

from xml.sax.saxutils import escape

import pytest
from hypothesis import given

from adjudge.errors import DataError
from adjudge.io import load, read
from helpers.localised import pairs, written, xliff1, xliff2


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
