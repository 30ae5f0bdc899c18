"""What a reader meets in every file: functions that fit a screen, and names that say what they hold."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src" / "adjudge"
MOST_LINES = 60
"""Of a function, with its signature and its docstring."""
EMPTY_NAMES = {"found", "one", "there", "said"}
"""They say that something is there, not what."""


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path.relative_to(SOURCES).as_posix(), node


def names_given(node: ast.AST) -> Iterator[str]:
    """Names of variables and parameters, wherever they are bound."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name


def test_functions_fit_a_screen():
    # a migration creates all tables of its version, one after the other
    long = [
        f"{path}: {node.name} has {lines} lines"
        for path, node in functions()
        if (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_LINES
        and not (path.startswith("campaigns/store/migrations/") and node.name == "upgrade")
    ]
    assert long == []


def test_names_say_what_they_hold():
    empty = [
        f"{path}: {name} in {node.name}"
        for path, node in functions()
        for name in names_given(node)
        if name in EMPTY_NAMES
    ]
    assert empty == []


def test_names_are_seen_wherever_they_are_bound():
    code = """
def f(a, *b, c=lambda d: d, **e):
    g = [h for h in (i := a)]
    for j, (k, *l) in g: ...
    with a as m: ...
    try: import n as o
    except E as p: ...
"""
    assert sorted(names_given(ast.parse(code))) == list("abcdeghijklmop")
