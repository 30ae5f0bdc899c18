"""The metrics whose scores a learned one is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.data import TestSet
from adjudge.errors import MissingExtraError, MissingResourceError, UsageError, unknown_name
from adjudge.metrics import metric, names, split
from adjudge.metrics.base import Metric
from adjudge.metrics.command import Command
from adjudge.metrics.learned import Learned, feature_signature
from adjudge.metrics.llm import Llm
from adjudge.text.identification import with_language

PRECISION, RECALL = "0.01", "100"
"""Betas at which an F-score is as good as the one or the other."""

LEXICAL = (
    "bleu(effective_order=true)",
    "bleu(max_order=2,effective_order=true)",
    "bleu(lowercase=true,effective_order=true)",
    "chrf",
    "chrf++",
    "chrf(lowercase=true)",
    "chrf(whitespace=true)",
    *(f"chrf(char_order={order},beta={beta})" for order in (1, 2, 3, 4, 6) for beta in (PRECISION, RECALL)),
    "chrf(char_order=1,word_order=2,beta=1.0)",
    "chrf(char_order=1,word_order=4,beta=1.0)",
    "ter(normalized=true)",
    "terp",
    'wer(tokenize="")',
    'wer(tokenize="",lowercase=true)',
    'per(tokenize="")',
    'per(tokenize="",lowercase=true)',
    'cder(tokenize="")',
    'cder(tokenize="",lowercase=true)',
    "ribes",
    "gtm",
    "gtm-2",
    "gtm-2(lowercase=true)",
    "gtm-3",
    "precision",
    "recall",
    "f1",
    "precision(lowercase=true)",
    "recall(lowercase=true)",
    "nist",
    *(f"hjerson(errors={errors})" for errors in ("inflection", "reordering", "missing", "extra", "lexical")),
)
METEOR = (
    "meteor(matchers=exact)",
    "meteor(matchers=exact+stem)",
    "meteor(task=universal,matchers=exact+stem)",
    "meteor(matchers=exact+stem,alpha=0.01)",
    "meteor(matchers=exact+stem,alpha=0.99)",
    "meteor(matchers=exact+stem,gamma=0.0)",
    "meteor",
    "m-bleu(effective_order=true)",
    "m-ter",
)
KERNELS = ("sk", "sk(n=2)", "sk(lowercase=true)", "sk(n=8,decay=0.9)")
TREES = ("ptk", "sstk", "tskm")

FEATURES: Mapping[str, tuple[str, ...]] = {
    "lexical": LEXICAL,
    "meteor": METEOR,
    "kernels": KERNELS,
    "trees": TREES,
}
"""Sets of features by name; embeddings have none, for their models must be named: bertscore(model=FOLDER)."""
USUAL = ("lexical", "meteor", "kernels")


@dataclass(frozen=True)
class FeatureMetrics:
    """The features of a model, and those that were left out."""

    metrics: tuple[Metric, ...]
    signatures: Mapping[str, Mapping[str, str]]
    """By target language and spec."""
    notes: tuple[str, ...] = ()


def feature_metrics(specs: Sequence[str], test_sets: Sequence[TestSet]) -> FeatureMetrics:
    """The metrics that are meant by names of sets and specs, each once.

    Of a set, those for which something is not installed, or not to be had in a language, are left out and noted; what
    was asked for by itself is an error then.
    """
    asked = [part for text in specs for part in split(text)] or list(USUAL)
    unsaid = not specs
    metrics: dict[Metric, None] = {}
    signatures: dict[str, dict[str, str]] = {}
    notes: dict[str, list[str]] = {}
    for name in asked:
        for spec in FEATURES.get(name, (name,)):
            chosen = _check_metric(spec)
            try:
                own = {language: feature_signature(m) for language, m in _resolve(chosen, test_sets)}
            except (MissingExtraError, MissingResourceError) as error:
                if name not in FEATURES:
                    raise
                notes.setdefault(str(error), []).append(spec)
                continue
            metrics[chosen] = None
            for language, signature in own.items():
                signatures.setdefault(language, {})[chosen.spec] = signature
    if unsaid and all(test_set.trees is not None for test_set in test_sets):
        return feature_metrics([*USUAL, "trees"], test_sets)
    if not metrics:
        raise UsageError(f"no feature is left: {'; '.join(notes) or 'name one with -m'}")
    remarks = tuple(f"left out {', '.join(left)}: {reason}" for reason, left in notes.items())
    return FeatureMetrics(tuple(metrics), signatures, remarks)


def _check_metric(spec: str) -> Metric:
    if "(" not in spec and spec.lower() not in (*names(), *FEATURES):
        raise unknown_name("feature", spec, (*names(), *FEATURES), "adjudge score --list")
    chosen = metric(spec)
    if isinstance(chosen, Command | Llm | Learned):
        raise UsageError(f"{chosen.spec} cannot be a feature: a model's file must not name what is to be run")
    return chosen


def _resolve(chosen: Metric, test_sets: Sequence[TestSet]) -> list[tuple[str, Metric]]:
    """The metric as it is for each target language."""
    from adjudge.data import languages

    resolved = []
    for test_set in test_sets:
        known = with_language(test_set, model=chosen.needs_language) if chosen.follows_language else test_set
        language = languages.target(known.language) if known.language else ""
        resolved.append((language, chosen.for_test_set(known)))
    return resolved
