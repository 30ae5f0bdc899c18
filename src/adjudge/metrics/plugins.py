"""Metrics of other packages, which name them as entry points; of a package that is broken the metrics are left out."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from dataclasses import MISSING, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from adjudge.errors import PluginWarning
from adjudge.metrics.base import SPEC, Metric

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "adjudge.metrics"
"""`name = "module:Class"`, the name being that of the metric."""


def load(taken: Iterable[str]) -> dict[str, type[Metric]]:
    """The metrics of other packages by name; of each that cannot be had, a warning says why."""
    names = set(taken)
    classes: dict[str, type[Metric]] = {}
    for entry in _entries():
        try:
            kind = entry.load()
            problem = _problem(kind, entry.name, names)
        except (Exception, SystemExit) as error:  # whatever a package does when it is imported
            problem = f"{type(error).__name__}: {error}"
        if problem:
            left_out = f"the metric {entry.name} of {_package(entry)} is left out: {entry.value}: {problem}"
            warnings.warn(PluginWarning(" ".join(left_out.split())), stacklevel=2)
            continue
        classes[kind.name] = kind
        names |= {kind.name, *kind.presets}
    return classes


@cache
def package_of(kind: type[Metric]) -> str:
    """The package that brings a metric, with its version; empty for those of adjudge itself and of no package."""
    if kind.__module__.partition(".")[0] == "adjudge":
        return ""
    place = f"{kind.__module__}:{kind.__qualname__}"
    return next((_package(entry) for entry in _entries() if entry.value == place), "")


def _entries() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # late: signatures of our own metrics need none of it

    return sorted(entry_points(group=GROUP), key=lambda entry: (_package(entry), entry.name))


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name}-{entry.dist.version}" if entry.dist is not None else "an unknown package"


def _problem(kind: Any, name: str, taken: set[str]) -> str:
    """Why a class cannot be a metric here; empty where it can."""
    if not (isinstance(kind, type) and issubclass(kind, Metric)):
        return "is no class that derives from adjudge.metrics.base.Metric"
    if inspect.isabstract(kind):
        return f"does not define {', '.join(sorted(kind.__abstractmethods__))}"
    if "__dataclass_params__" not in vars(kind):
        return "is no frozen dataclass: write @dataclass(frozen=True) above it"
    if lacking := [field.name for field in fields(kind) if field.default is MISSING]:
        return f"the option {lacking[0]} has no default"
    if kind.name != name:
        return f"calls itself {kind.name!r}; the entry point must have the same name"
    if same := sorted({kind.name, *kind.presets} & taken):
        return f"there is a metric called {same[0]!r} already"
    for own in (kind.name, *kind.presets):
        if own != own.lower() or "," in own or not SPEC.fullmatch(own):
            return f"{own!r} is no name to ask for: small letters without spaces, commas and brackets"
    return ""
