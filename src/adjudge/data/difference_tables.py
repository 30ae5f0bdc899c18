"""Curves that say how often people agree with a difference between two systems, and what they were fitted to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from adjudge.data import languages
from adjudge.stats.agreement_curve import AgreementCurve

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
NEUTRAL = ("tokenize", "lowercase", "language", "precision", "python", "tokenizer")
"""Options of metrics that change scores, but hardly the meaning of a difference."""
OTHER_UNITS = ("char", "flores101", "flores200", "spm")
"""Tokenizers whose tokens are not words: a difference of such a BLEU means something else."""


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
    years: tuple[int, int] | None = None
    """The first and the last; the curve is that of a new test set of the last."""
    like: str = ""
    """The metric whose curve is scaled, where this metric was seen on too few test sets."""


@dataclass(frozen=True)
class UsedTestSet:
    """Where a curve comes from."""

    test_set: str
    language: str
    protocol: str
    systems: int
    pairs: int
    year: int | None = None


@dataclass(frozen=True, eq=False)
class DifferenceTables:
    """Curves of several metrics, and what they were fitted to."""

    name: str
    """Of the data, as sentences call it: WMT."""
    confidence: float
    test_sets: tuple[UsedTestSet, ...]
    curves: tuple[DifferenceCurve, ...]
    missing: tuple[str, ...] = ()
    """Metrics without a curve, and why."""
    made_by: str = ""

    def curve(self, metric: str, language: str = "") -> DifferenceCurve | None:
        """The curve for a metric and a target language: of its family where there is one, else of any."""
        name = metric_name(metric, {curve.metric for curve in self.curves})
        curves = [curve for curve in self.curves if curve.metric == name]
        by_family = {curve.family: curve for curve in curves}
        return by_family.get(family_of(language)) or by_family.get(ANY)

    def label(self, curve: DifferenceCurve) -> str:
        """What sentences call the test sets behind a curve: the data's name and years."""
        if curve.years is None:
            return f"{self.name} data"
        first, last = curve.years
        return f"{self.name} {first}" if first == last else f"{self.name} {first}–{last}"


def metric_name(metric: str, known: Collection[str]) -> str:
    """The name of a metric in a table, without options that hardly matter."""
    if metric in known:
        return metric
    name, _, options = metric.partition("(")
    parts = [part for part in options.removesuffix(")").split(",") if part and not _neutral(part)]
    return f"{name}({','.join(parts)})" if parts else name


def _neutral(option: str) -> bool:
    name, _, value = option.partition("=")
    return name in NEUTRAL and not (name == "tokenize" and value.startswith(OTHER_UNITS))


def family_of(language: str) -> str:
    """The family of a language pair's target; '' where it is not known."""
    if not language:
        return ""
    code = languages.target(language)
    return next((family for family, codes in FAMILIES.items() if code in codes), "")
