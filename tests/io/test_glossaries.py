"""Glossaries from tables and TBX, and what is said of those that are broken."""

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io.glossaries import Term, read_glossary

OLD_TBX = """<?xml version="1.0" encoding="UTF-8"?>
<martif type="TBX"><text><body>
<termEntry id="1"><langSet xml:lang="pt-BR"><tig><term>ponte</term></tig></langSet>
<langSet xml:lang="en"><tig><term>bridge</term></tig><tig><term>overpass</term></tig></langSet>
<langSet xml:lang="de"><tig><term>Brücke</term></tig></langSet></termEntry>
</body></text></martif>"""
NEW_TBX = """<tbx xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry><langSec xml:lang="pt"><termSec><term>ponte</term></termSec></langSec>
<langSec xml:lang="en-GB"><termSec><term>bridge</term></termSec></langSec></conceptEntry>
</body></text></tbx>"""


def made(tmp_path, content: str) -> str:
    path = tmp_path / "terms"
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "content",
    [
        "ponte\tbridge | overpass\nrio\triver\n",
        "source\ttarget\nponte\tbridge\nrio\triver\n\nponte\toverpass\n",
        "pt\ten\nponte\tbridge|overpass\nrio\triver\n",
        "ponte;bridge|overpass\nrio;river\n",
        "ponte,bridge|overpass\nrio,river\n",
    ],
)
def test_tables(tmp_path, content) -> None:
    terms = read_glossary(made(tmp_path, content), "")
    assert terms == [Term("ponte", ("bridge", "overpass")), Term("rio", ("river",))]


def test_tbx(tmp_path) -> None:
    assert read_glossary(made(tmp_path, OLD_TBX), "pt-en") == [Term("ponte", ("bridge", "overpass"))]
    assert read_glossary(made(tmp_path, OLD_TBX), "en-de") == [
        Term("bridge", ("Brücke",)),
        Term("overpass", ("Brücke",)),
    ]
    assert read_glossary(made(tmp_path, NEW_TBX), "pt-en") == [Term("ponte", ("bridge",))]


@pytest.mark.parametrize(
    ("content", "language", "error", "message"),
    [
        ("ponte\tbridge\nrio\n", "", DataError, "line 2: a term and its translation"),
        ("ponte\t\n", "", DataError, "no term with a translation"),
        (OLD_TBX, "", UsageError, "say the pair"),
        (OLD_TBX, "en", UsageError, "both languages"),
        (OLD_TBX, "fr-en", DataError, "no entries in French"),
        ("<martif>", "pt-en", DataError, "XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "pt-en", DataError, "entity"),
    ],
)
def test_what_is_broken(tmp_path, content, language, error, message) -> None:
    with pytest.raises(error, match=message):
        read_glossary(made(tmp_path, content), language)
