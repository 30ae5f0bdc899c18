"""What a reader meets in every file: functions that fit a screen, and names that say what they hold."""

import ast
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src" / "adjudge"
MOST_LINES = 60
"""Of a function, with its signature and its docstring."""
EMPTY_NAMES = {"found", "one", "there", "said"}
"""They say that something is there, not what."""


def names_given(node: ast.AST) -> list[str]:
    """The name or names that a piece of code binds: of a variable, a parameter, a module, an error."""
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [node.asname] if node.asname else []
    return [node.name] if isinstance(node, ast.ExceptHandler) and node.name else []


@cache
def complaints() -> tuple[list[str], list[str]]:
    """Functions that are too long, and names that say nothing; all files are read once for both."""
    long, empty = [], []
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                # a migration creates all tables of its version, one after the other
                migrates = place.startswith("campaigns/store/migrations/") and node.name == "upgrade"
                if lines > MOST_LINES and not migrates:
                    long.append(f"{place}: {node.name} has {lines} lines")
            empty += [f"{place}:{node.lineno}: {name}" for name in names_given(node) if name in EMPTY_NAMES]
    return long, empty


def test_functions_fit_a_screen():
    assert complaints()[0] == []


def test_names_say_what_they_hold():
    assert complaints()[1] == []


def test_names_are_seen_wherever_they_are_bound():
    code = """
def f(a, *b, c=lambda d: d, **e):
    g = [h for h in (i := a)]
    for j, (k, *l) in g: ...
    with a as m: ...
    try: import n as o
    except E as p: ...
"""
    names = [name for node in ast.walk(ast.parse(code)) for name in names_given(node)]
    assert sorted(names) == list("abcdeghijklmop")
