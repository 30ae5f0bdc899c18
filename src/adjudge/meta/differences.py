"""What a difference between two systems is worth: how often people agree with one of its size."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import metrics
from adjudge.data import languages
from adjudge.data.system_scores import SystemScores
from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.stats.agreement_curve import AgreementCurve, SystemPairs, agreement_curve
from adjudge.wording import counted

ANY = "any"
FAMILIES = {
    "english": ("en",),
    "germanic": ("de", "nl", "sv", "da", "no", "nb", "nn", "is", "af", "lb", "fy", "yi"),
    "romance": ("fr", "es", "it", "pt", "ro", "ca", "gl"),
    "slavic": ("cs", "ru", "uk", "pl", "sk", "sl", "hr", "sr", "bg", "mk", "be", "bs"),
    "baltic": ("lt", "lv"),
    "uralic": ("fi", "et", "hu"),
    "indo-aryan": ("hi", "gu", "bn", "mr", "ne", "pa", "ur"),
    "turkic": ("tr", "kk", "az", "uz", "ky"),
    "east asian": ("zh", "ja", "ko"),
}
"""Target languages that are taken together; English, into which most is translated, is by itself."""
FEWEST_SETS, FEWEST_PAIRS = 4, 100
"""Test sets and pairs of systems below which there is no curve: intervals would go from 50 to 100 %."""
NEUTRAL = ("tokenize", "lowercase", "language")
"""Options of metrics that change scores but hardly how much a difference means."""


@dataclass(frozen=True, eq=False)
class DifferenceCurve:
    """The curve of one metric, in one family of target languages or in any."""

    metric: str
    family: str
    higher_is_better: bool
    test_sets: int
    systems: int
    pairs: int
    points: AgreementCurve


@dataclass(frozen=True)
class UsedTestSet:
    """Where a curve comes from."""

    test_set: str
    language: str
    protocol: str
    systems: int
    pairs: int


@dataclass(frozen=True, eq=False)
class DifferenceTables:
    """Curves of several metrics, and what they were fitted to."""

    name: str
    """Of the data, as sentences call it: WMT."""
    level: float
    resamples: int
    seed: int
    test_sets: tuple[UsedTestSet, ...]
    curves: tuple[DifferenceCurve, ...]
    missing: tuple[str, ...] = ()
    """Families and metrics without a curve, and why."""
    made_by: str = ""

    def curve(self, metric: str, language: str = "") -> DifferenceCurve | None:
        """The curve for a metric and a target language: of its family where there is one, else of any."""
        name = metric_name(metric, {curve.metric for curve in self.curves})
        own = [curve for curve in self.curves if curve.metric == name]
        by_family = {curve.family: curve for curve in own}
        return by_family.get(family_of(language)) or by_family.get(ANY)


def metric_name(metric: str, known: Collection[str]) -> str:
    """The name under which a metric stands in a table: without options that hardly matter."""
    if metric in known:
        return metric
    name, _, options = metric.partition("(")
    changed = [part.partition("=")[0] for part in options.removesuffix(")").split(",") if part]
    return name if set(changed) <= set(NEUTRAL) else metric


def family_of(language: str) -> str:
    """The family of a language pair's target; '' where it is not known."""
    if not language:
        return ""
    code = languages.target(language)
    return next((family for family, codes in FAMILIES.items() if code in codes), "")


def fit_differences(
    test_sets: Sequence[SystemScores],
    *,
    name: str,
    lower: Sequence[str] = (),
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 12345,
    made_by: str = "",
) -> DifferenceTables:
    """A curve for every metric, over all test sets and for each family of target languages that has enough of them.

    Metrics of adjudge know which way is better; of others `lower` names those whose low scores are.
    """
    measured = list(dict.fromkeys(metric for own in test_sets for metric in own.metrics))
    for metric in lower:
        if metric not in measured:
            raise unknown_name("metric of which lower is better", metric, measured)
    curves, missing = [], []
    families = [ANY, *dict.fromkeys(family_of(own.language) for own in test_sets)]
    for metric in measured:
        for family in filter(None, families):
            chosen = [own for own in test_sets if family in (ANY, family_of(own.language))]
            better = _higher_is_better(metric, lower)
            pairs, used = _pairs(chosen, metric, better)
            if used < FEWEST_SETS or len(pairs) < FEWEST_PAIRS:
                data = f"{counted(len(pairs), 'pair')} of systems in {counted(used, 'test set')}"
                missing.append(f"{metric}, {family}: {data} are too few")
                continue
            points = agreement_curve(pairs, level=level, resamples=resamples, seed=seed)
            systems = sum(pairs.systems)
            curves.append(DifferenceCurve(metric, family, better, used, systems, len(pairs), points))
    if not curves:
        raise DataError(
            f"too few data to say anything: {missing[0]}; at least {FEWEST_SETS} test sets and {FEWEST_PAIRS} pairs of "
            "systems are needed"
        )
    used_sets = tuple(
        UsedTestSet(o.test_set, o.language, o.protocol, len(o.systems), math.comb(len(o.systems), 2))
        for o in test_sets
    )
    return DifferenceTables(name, level, resamples, seed, used_sets, tuple(curves), tuple(missing), made_by)


def _higher_is_better(metric: str, lower: Sequence[str]) -> bool:
    if metric in lower:
        return False
    try:
        return metrics.metric(metric).direction.higher_is_better is not False
    except AdjudgeError:  # another tool's
        return True


def _pairs(test_sets: Sequence[SystemScores], metric: str, higher_is_better: bool) -> tuple[SystemPairs, int]:
    """All pairs of the systems that have both scores, and in how many test sets."""
    people, scores = [], []
    for own in test_sets:
        values = own.metrics.get(metric, np.full(len(own.systems), np.nan))
        known = ~np.isnan(values) & ~np.isnan(own.people)
        if known.sum() > 1:
            people.append(own.people[known])
            scores.append(values[known] if higher_is_better else -values[known])
    if not people:
        people, scores = [np.zeros(0)], [np.zeros(0)]
    pairs = SystemPairs.of(people, scores)
    return pairs, len(np.unique(pairs.test_set))
