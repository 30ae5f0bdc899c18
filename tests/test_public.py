"""What Python programs may rely on: the names on docs/python.md, all of them and no others."""

import contextlib
import io
import re

import pytest

import adjudge
from conftest import PROJECT

PAGE = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
INDEX = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
PAGES = sorted((PROJECT / "docs").glob("*.md"))
COMPATIBLE = ("adjudge.compat.sacrebleu", "adjudge.compat.evaluate", "adjudge.compat.torchmetrics")
"""sacreBLEU's own names, which examples for users may import besides."""


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_page_names_what_is_public_and_nothing_else():
    rows = [row.split("|")[1] for row in PAGE.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {name for name in dir(adjudge) if not name.startswith("__")}
    assert sorted(adjudge._PUBLIC) == adjudge.__all__


@pytest.mark.parametrize("name", sorted(dir(adjudge)))
def test_every_public_name_is_there_and_says_what_it_is(name):
    thing = getattr(adjudge, name)
    assert name == "__version__" or thing.__doc__


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'scoring'"):
        adjudge.scoring  # noqa: B018


def test_the_page_runs(monkeypatch):
    monkeypatch.chdir(PROJECT)
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for block in python_blocks(PAGE):
            exec(compile(block, "python.md", "exec"), names)
    text = printed.getvalue()
    assert "neural rulebased +32.3 True" in text
    assert "did you mean 'bleu'" in text


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in PAGES)])
def test_examples_for_users_need_only_what_is_public(page):
    """CONTRIBUTING.md alone shows the inside of the house."""
    public = set(dir(adjudge))
    for block in python_blocks((PROJECT / page).read_text(encoding="utf-8")):
        for module in re.findall(r"^ *(?:import|from) (adjudge[\w.]*)", block, re.MULTILINE):
            assert module == "adjudge" or module.startswith(COMPATIBLE), module
        for names in re.findall(r"^ *from adjudge import (.*)", block, re.MULTILINE):
            assert set(re.findall(r"\w+", names)) <= public, names
        assert set(re.findall(r"\badjudge\.(\w+)", block)) <= public | {"compat"}


def test_the_index_leads_to_every_page():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", INDEX))
    assert linked == {page.name for page in (PROJECT / "docs").glob("*.md")} - {"index.md"}


@pytest.mark.parametrize("page", ["rankings", "xray", "llm", "rerank", "weights"])
def test_examples_of_other_pages_run(page, monkeypatch, capsys):
    monkeypatch.chdir(PROJECT)
    for block in python_blocks((PROJECT / "docs" / f"{page}.md").read_text(encoding="utf-8")):
        exec(compile(block, f"{page}.md", "exec"), {})
    assert capsys.readouterr().out.strip()
