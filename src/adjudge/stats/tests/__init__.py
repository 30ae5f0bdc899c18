"""Statistical tests, one class a file; the folder says what is tested, and the file's name is the test's.

`systems`: whether systems differ by their scores. `preferences`: whether people prefer one of two systems. `metrics`:
whether one metric agrees with people better than another. A file in one of these folders is the whole registration:
it is imported when its name is asked for, and `tests/stats/tests` holds it to the laws of its folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import ClassVar, TypeVar, cast

from adjudge.errors import unknown_name


class Test:
    """What all tests have: a name that people ask for, and one that they read."""

    __test__ = False
    name: ClassVar[str]
    title: ClassVar[str]


Kind = TypeVar("Kind", bound=Test)


def find_test(kind: type[Kind], name: str) -> Kind:
    """The test of this name in the folder of its kind, importing no other file."""
    key = kind, name
    if key not in _FOUND:
        _FOUND[key] = _find(kind, name)
    return cast("Kind", _FOUND[key])


_FOUND: dict[tuple[type[Test], str], Test] = {}
"""Tests that were asked for already."""


def _find(kind: type[Test], name: str) -> Test:
    folder, module = kind.__module__.rpartition(".")[0], name.replace("-", "_")
    if module.isidentifier():
        try:
            tests = _tests_in(kind, f"{folder}.{module}")
        except ModuleNotFoundError as error:
            if error.name != f"{folder}.{module}":
                raise
        else:
            if name in tests:
                return tests[name]
    raise unknown_name("test", name, all_of(kind))


def all_of(kind: type[Kind]) -> dict[str, Kind]:
    """Every test of a kind by its name, importing all files of its folder."""
    folder = kind.__module__.rpartition(".")[0]
    paths = importlib.import_module(folder).__path__
    modules = sorted(module.name for module in pkgutil.iter_modules(paths))
    return {name: test for module in modules for name, test in _tests_in(kind, f"{folder}.{module}").items()}


def _tests_in(kind: type[Kind], module: str) -> dict[str, Kind]:
    """The tests that a file defines, by name."""
    return {
        value.name: value()
        for value in vars(importlib.import_module(module)).values()
        if isinstance(value, type)
        and issubclass(value, kind)
        and value.__module__ == module
        and "name" in vars(value)
    }
