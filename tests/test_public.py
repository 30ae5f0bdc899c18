"""What Python programs may rely on: the names on docs/python.md, all of them and no others."""

import ast
import contextlib
import dataclasses
import importlib
import inspect
import io
import re
import sys
from functools import cache

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


@cache
def imports_of(module) -> dict[str, tuple[str, str]]:
    """Names that a module imports from others, also for types alone, with where they come from."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def types_in(owner, annotation) -> set[type]:
    """Our classes that an annotation names, looked up where the owner is defined."""
    module = sys.modules[owner.__module__]
    imported = imports_of(module)
    found = set()
    for name in re.findall(r"[A-Za-z_]\w*", annotation if isinstance(annotation, str) else repr(annotation)):
        thing = getattr(module, name, None)
        if thing is None and name in imported:
            room, inner = imported[name]
            thing = getattr(importlib.import_module(room), inner, None)
        if inspect.isclass(thing) and thing.__module__.startswith("adjudge."):
            found.add(thing)
    return found


def field_types(thing) -> set[type]:
    if not dataclasses.is_dataclass(thing):
        return set()
    return {
        kind
        for field in dataclasses.fields(thing)
        if not field.name.startswith("_")
        for owner in thing.__mro__
        if field.name in vars(owner).get("__annotations__", {})
        for kind in types_in(owner, field.type)
    }


def functions_of(thing) -> list:
    """Public functions of a module, and public methods and properties of a class."""
    found = []
    for name in getattr(thing, "__all__", None) or vars(thing):
        value = inspect.getattr_static(thing, name) if inspect.isclass(thing) else getattr(thing, name)
        value = getattr(value, "fget", None) or getattr(value, "__func__", value)
        own = inspect.isfunction(value) and (
            inspect.isclass(thing) or value.__module__.startswith("adjudge.")
        )
        if own and not name.startswith("_"):
            found.append(value)
    return found


def classes_of(module) -> set[type]:
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    return {kind for name in names if inspect.isclass(kind := getattr(module, name))}


def test_every_type_of_a_signature_is_public():
    """What `adjudge`'s functions take and return is in `adjudge`; what that holds and offers in `adjudge.results`."""
    public = [getattr(adjudge, name) for name in adjudge.__all__ if name != "results"]
    classes = {thing for thing in public if inspect.isclass(thing)}
    modules = [thing for thing in public if inspect.ismodule(thing)]
    functions = [thing for thing in public if inspect.isfunction(thing)]
    named = {kind for f in functions for note in f.__annotations__.values() for kind in types_in(f, note)}
    assert {kind.__name__ for kind in named - classes} == set()
    inner = [f for thing in (*modules, *classes) for f in functions_of(thing)]
    waiting = [
        *classes,
        *(kind for f in inner for note in f.__annotations__.values() for kind in types_in(f, note)),
    ]
    seen: set[type] = set()
    while waiting:
        thing = waiting.pop()
        if thing not in seen:
            seen.add(thing)
            waiting += field_types(thing)
    held = seen - classes - {kind for module in modules for kind in classes_of(module)}
    assert sorted(kind.__name__ for kind in held) == adjudge.results.__all__
    assert held == {getattr(adjudge.results, name) for name in adjudge.results.__all__}
    assert len({kind.__name__ for kind in held | classes}) == len(held | classes)  # one name, one thing


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
