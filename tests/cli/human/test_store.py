"""Databases that commands cannot open: not supported, none at all, or without the extra."""

import sys

import pytest


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense://"])
def test_databases_that_are_not_supported(run, url):
    result = run("human", "status", "--database", url)
    assert result.code == 2
    assert "SQLite or PostgreSQL" in result.err or "no address of a database" in result.err


def test_a_file_that_is_no_database(run, tmp_path):
    path = tmp_path / "text.db"
    path.write_text("this is no database at all, but a text of some length\n" * 100)
    result = run("human", "status", "--database", str(path))
    assert result.code == 1
    assert "no database" in result.err


def test_without_the_extra(run, monkeypatch, own_database):
    for module in [name for name in sys.modules if name.startswith("adjudge.campaigns.store")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    result = run("human", "status", "--database", own_database)
    assert result.code == 2
    assert "pip install 'adjudge[campaign]'" in result.err
