"""What can be asked for: every metric with its options, presets and needs, as data."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass, fields
from typing import Any

from adjudge.metrics.base import Metric, spell
from adjudge.metrics.plugins import package_of


@dataclass(frozen=True)
class OptionFacts:
    """One option of a metric."""

    name: str
    type: str
    """`bool`, `int`, `float` or `str`."""
    default: Any
    choices: tuple[str, ...] = ()
    optional: bool = False
    """Whether `none` is a value too."""


@dataclass(frozen=True)
class MetricFacts:
    """One metric as people may ask for it."""

    name: str
    title: str
    summary: str
    higher_is_better: bool | None
    """None where neither direction is better."""
    scale: tuple[float, float]
    needs: tuple[str, ...]
    options: tuple[OptionFacts, ...]
    presets: dict[str, str]
    """Other names, each with the spec it stands for."""
    package: str = ""
    """The package that brings it, with its version; empty for adjudge itself."""


def describe(kind: type[Metric]) -> MetricFacts:
    """What there is to know about a metric before using it."""
    hints = typing.get_type_hints(kind)
    return MetricFacts(
        name=kind.name,
        title=kind.title,
        summary=kind.summary,
        higher_is_better=kind.direction.higher_is_better,
        scale=kind.scale,
        needs=tuple(sorted(kind.needs)),
        options=tuple(_option(field.name, hints[field.name], field.default) for field in fields(kind)),
        presets={name: _spell(kind.name, options) for name, options in kind.presets.items()},
        package=package_of(kind),
    )


def _spell(name: str, options: dict[str, Any]) -> str:
    spelled = ",".join(f"{key}={spell(value)}" for key, value in options.items())
    return f"{name}({spelled})" if spelled else name


def _option(name: str, hint: Any, default: Any) -> OptionFacts:
    optional = False
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        optional = type(None) in typing.get_args(hint)
        hint = next(kind for kind in typing.get_args(hint) if kind is not type(None))
    if typing.get_origin(hint) is typing.Literal:
        return OptionFacts(name, "str", default, tuple(map(str, typing.get_args(hint))), optional)
    return OptionFacts(name, hint.__name__, default, (), optional)
