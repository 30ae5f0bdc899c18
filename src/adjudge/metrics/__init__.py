"""Metrics by name. Each lives in a file of its own in this folder; being there is the whole registration.

`table.py` says which file has which name, so that one metric is found without importing all of them.
Other packages bring more (`plugins.py`); they are looked at only where a name is none of ours, or all are asked for.
"""

from __future__ import annotations

import importlib
import re
from functools import cache

from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.base import QUOTED, SPEC, Metric, options_of
from adjudge.metrics.table import MODULES, PRESETS


@cache
def builtin() -> dict[str, type[Metric]]:
    """The metric classes of adjudge itself by name, found by importing every file of this folder."""
    import pkgutil

    modules = [module.name for module in pkgutil.iter_modules(__path__) if module.name != "table"]
    classes = {name: kind for module in modules for name, kind in _metrics_in(module).items()}
    return {name: classes[name] for name in sorted(classes)}


def is_builtin(metric: Metric) -> bool:
    """Whether a metric is one of adjudge itself."""
    kind = type(metric)
    return _builtin_class(metric.name) is kind or builtin().get(metric.name) is kind


@cache
def _builtin_class(name: str) -> type[Metric] | None:
    """The class that the table has for a name, importing its file alone."""
    module = MODULES.get(PRESETS.get(name, name))
    return None if module is None else _metrics_in(module).get(PRESETS.get(name, name))


def _metrics_in(module: str) -> dict[str, type[Metric]]:
    """The metric classes that a file defines, by name."""
    full = f"{__name__}.{module}"
    return {
        value.name: value
        for value in vars(importlib.import_module(full)).values()
        if isinstance(value, type) and issubclass(value, Metric) and value.name and value.__module__ == full
    }


@cache
def registry() -> dict[str, type[Metric]]:
    """Every metric class by its name, those of other packages included."""
    from adjudge.metrics.plugins import load

    taken = {*builtin(), *(name for kind in builtin().values() for name in kind.presets)}
    return {**builtin(), **load(taken)}


def presets() -> dict[str, Metric]:
    """Names that stand for a metric with some of its options set."""
    return {name: kind(**options) for kind in registry().values() for name, options in kind.presets.items()}


def names() -> list[str]:
    """All that `metric` understands without options."""
    return sorted([*registry(), *presets()])


def aligning_metrics() -> list[str]:
    """The metrics that can say which words they matched."""
    return sorted(name for name, kind in registry().items() if kind.alignments is not Metric.alignments)


def marking_metrics() -> list[str]:
    """The metrics that can say which characters of an output are wrong."""
    return sorted(name for name, kind in registry().items() if kind.spans is not Metric.spans)


def metric(spec: str) -> Metric:
    """The metric a spec string describes: `bleu`, `chrf++`, `bleu(tokenize=intl,lowercase=true)`."""
    match = SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"cannot read {spec!r}: write NAME or NAME(option=value), as in bleu(tokenize=intl)")
    name = match["name"].lower()
    options = options_of(match["options"] or "", spec)
    # Packages of others are imported only for names that are not ours: they may be slow, or broken.
    kind = _builtin_class(name) or _class_of(name, builtin()) or _class_of(name, registry())
    if kind is None:
        if hint := elsewhere(name):
            raise UsageError(f"{name} is not the name of a metric here: {hint} (adjudge score --list)")
        raise unknown_name("metric", name, names(), "adjudge score --list")
    if name in kind.presets:
        preset = kind(**kind.presets[name])
        return kind.from_options({k: str(v) for k, v in preset.options().items()} | options)
    return kind.from_options(options)


def _class_of(name: str, classes: dict[str, type[Metric]]) -> type[Metric] | None:
    """The class that a name or a preset stands for."""
    return classes.get(name) or next((kind for kind in classes.values() if name in kind.presets), None)


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


def elsewhere(name: str) -> str:
    """What to ask for instead of the name of a neural model or metric; empty where the name is none."""
    plain = name.replace("_", "-")
    for prefixes, hint in MODELS.items():
        if plain.startswith(prefixes):
            return hint
    return OTHERS if plain in UNKNOWN else ""


MODELS = {
    (
        "cometkiwi",
        "comet-kiwi",
        "kiwi",
        "wmt22-cometkiwi",
        "wmt23-cometkiwi",
    ): "it is a model of COMET without references, comet(model=Unbabel/wmt22-cometkiwi-da,qe=true)",
    (
        "comet",
        "xcomet",
        "unite",
        "wmt20-comet",
        "wmt21-comet",
        "wmt22-comet",
        "wmt22-unite",
    ): "name the model of COMET by its folder or its id, as in comet(model=Unbabel/wmt22-comet-da)",
    (
        "bleurt",
    ): "name the model of BLEURT by its folder or its id, as in bleurt(model=lucadiliello/BLEURT-20)",
    ("bertscore", "bert-score"): "name the encoder of BERTScore by its folder or its id, as in "
    "bertscore(model=roberta-large)",
    ("metricx",): "name the model of MetricX by its folder or its id, as in "
    "metricx(model=google/metricx-24-hybrid-large-v2p6,tokenizer=google/mt5-xl)",
    ("yisi",): "meant computes what it is after, as in meant(model=FOLDER_OR_ID)",
    ("gemba",): "language models are asked by llm, as in llm(model=NAME,url=ADDRESS)",
}
"""Names that people give to models, or that metrics have elsewhere, and what to ask for here."""
UNKNOWN = frozenset(
    {
        "bartscore",
        "bart-score",
        "esim",
        "laser",
        "matese",
        "moverscore",
        "openkiwi",
        "prism",
        "sentsim",
        "sescore",
    }
)
OTHERS = (
    "let a program compute it, command(run=PROGRAM), or compare systems by scores it gave before, adjudge compare "
    "--scores FILE"
)
