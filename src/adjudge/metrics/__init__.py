"""Metrics by name. Each lives in a file of its own in this folder; being there is the whole registration."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.base import QUOTED, SPEC, Metric, options_of


@cache
def registry() -> dict[str, type[Metric]]:
    """Every metric class by its name."""
    classes: dict[str, type[Metric]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        for value in vars(importlib.import_module(f"{__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Metric) and value.name:
                classes[value.name] = value
    return classes


@cache
def presets() -> dict[str, Metric]:
    """Names that stand for a metric with some of its options set."""
    return {name: kind(**options) for kind in registry().values() for name, options in kind.presets.items()}


def names() -> list[str]:
    """All that `metric` understands without options."""
    return sorted([*registry(), *presets()])


def aligning() -> list[str]:
    """The metrics that can say which words they matched."""
    return sorted(name for name, kind in registry().items() if kind.alignments is not Metric.alignments)


def marking() -> list[str]:
    """The metrics that can say which characters of an output are wrong."""
    return sorted(name for name, kind in registry().items() if kind.spans is not Metric.spans)


def metric(spec: str) -> Metric:
    """The metric a spec string describes: `bleu`, `chrf++`, `bleu(tokenize=intl,lowercase=true)`."""
    match = SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"cannot read {spec!r}: write NAME or NAME(option=value), as in bleu(tokenize=intl)")
    name = match["name"].lower()
    options = options_of(match["options"] or "", spec)
    if name in presets():
        preset = presets()[name]
        return type(preset).from_options({k: str(v) for k, v in preset.options().items()} | options)
    if name not in registry():
        if name.replace("_", "-") in ELSEWHERE or name.startswith(FAMILIES):
            raise UsageError(
                f"{name} is not here: adjudge computes no metrics that need neural models{SCORES_OF_OTHERS} "
                "(adjudge score --list shows those it has)"
            )
        raise unknown_name("metric", name, names(), "adjudge score --list")
    return registry()[name].from_options(options)


def split(specs: str) -> list[str]:
    """Spec strings from a list of them; a comma parts metrics, but inside brackets it parts options."""
    parts, depth = [""], 0
    for piece in PIECE.findall(specs):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


PIECE = re.compile(rf"{QUOTED}|.", re.DOTALL)

# Metrics that people ask for by name, and that need a neural model.
FAMILIES = (
    "comet",
    "xcomet",
    "wmt20-comet",
    "wmt21-comet",
    "wmt22-c",
    "bleurt",
    "bertscore",
    "bert-score",
    "metricx",
)
ELSEWHERE = frozenset(
    {
        "bartscore",
        "bart-score",
        "cometkiwi",
        "comet-kiwi",
        "esim",
        "gemba",
        "kiwi",
        "laser",
        "matese",
        "moverscore",
    }
    | {
        "prism",
        "sentsim",
        "unite",
        "yisi",
        "yisi-1",
        "yisi-2",
        "gemba-mqm",
        "gemba-da",
        "openkiwi",
        "sescore",
    }
)
SCORES_OF_OTHERS = "; compute it elsewhere and compare systems by its scores: adjudge compare --scores FILE"
