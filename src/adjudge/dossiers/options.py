"""What is asked of judgements: every option of an analysis, and which go with ratings, rankings and whole systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.human import rankings, ratings
from adjudge.human.postediting import PostEditingRates
from adjudge.human.whole_systems import is_of_whole_systems

OF_RATINGS = frozenset(
    {"score", "repeats", "drop_failed", "quality_test", "test", "one_sided", "baseline", "trials", "expected"}
    | {"scales_of", "error_weights", "most_errors", "mixed_model", "rates", "pool_languages"}
)
"""Options that do nothing to rankings."""
OF_RANKINGS = frozenset({"ranking", "regularisation"})
OF_SEGMENTS = frozenset(
    {"expected", "test", "preset", "baseline", "one_sided", "trials", "repeats", "drop_failed", "mixed_model"}
    | {"unit", "curves", "margin", "most_errors", "rates", "pool_languages"}
)
"""Options that do nothing to scores of whole systems."""


@dataclass(frozen=True)
class AnalysisOptions:
    """What is asked; None is what the judgements themselves ask for, or the usual value."""

    by: Sequence[str] = ()
    """Labels whose values are analysed each by itself."""
    unit: str | None = None
    """What is drawn and tested: translation, document, annotator, …; of rankings document, item or annotator."""
    preset: str | None = None
    """As an evaluation of the past did it: wmt21; of rankings wmt09, wmt13 or wmt16."""
    language: str | None = None
    """The language pair (de-en); None: as the judgements say."""
    pool_languages: bool = False
    """Whether systems are ranked by the mean over language pairs, each pair counting alike."""
    sources: Sequence[str] = ()
    """The lines that items are numbers of: lengths of segments, by origin alone."""

    correction: str | None = None
    alpha: float | None = None
    resamples: int | None = None
    confidence: float | None = None
    seed: int | None = None
    margin: float | None = None
    """The difference that would not matter."""

    score: str | None = None
    """Of ratings: z or raw."""
    repeats: bool = False
    """Whether repeated items count for a system's score."""
    drop_failed: bool = False
    """Whether annotators who fail the control items are left out."""
    quality_test: str = "paired-t"
    scales_of: Judgements | None = field(default=None, repr=False, compare=False)
    """All that annotators judged, where some of it is analysed: z is by their scale over all of it."""
    error_weights: ErrorWeights | None = None
    """What errors weigh that were marked by MQM; None: as the files or Google have it."""
    most_errors: int | None = None
    test: str | None = None
    """randomisation, bootstrap, signed-rank or rank-sum; None: as the design asks."""
    one_sided: bool = False
    expected: Sequence[str] = ()
    """All systems in the order that was expected beforehand, for one-sided tests."""
    baseline: str | None = None
    trials: int | None = None
    mixed_model: bool = False
    """Whether a mixed model of annotators and items is fitted too."""
    rates: PostEditingRates | None = None
    """What post-editors are paid."""

    ranking: str | None = None
    """How rankings are scored: expected-wins, trueskill, bradley-terry, at-least-as-good or better."""
    regularisation: float | None = None

    curves: bool = False
    """Whether agreement is followed as judgements and judges are dropped."""
    effect: float | None = None
    """The difference that n must be able to show, in the checklist."""
    claim: str | None = None
    """What is to be claimed: human-parity."""
    human: str | None = None
    """The system that is a person's translation."""
    declare: Mapping[str, str] = field(default_factory=dict)
    """Facts that files do not tell, for the checklist."""

    @classmethod
    def named(cls, options: Mapping[str, Any]) -> AnalysisOptions:
        """From keywords; an error that names the nearest for one that is none."""
        known = [option.name for option in fields(cls)]
        for name in options:
            if name not in known:
                raise unknown_name("option of an analysis", name, known)
        return cls(**options)

    def given(self) -> dict[str, str]:
        """The options that are not what they are by themselves, each with its name."""
        changed = {}
        for option in fields(self):
            usual = option.default_factory() if option.default_factory is not MISSING else option.default
            value = getattr(self, option.name)
            if value != usual and not (isinstance(value, Sequence | Mapping) and not value):
                changed[option.name] = option.name
        return changed

    def chosen(self, *names: str) -> dict[str, Any]:
        """Those of the names that were chosen, as keywords."""
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def refuse_options(
    judgements: Judgements, given: Mapping[str, str], preset: str | None = None, as_option: str = "preset"
) -> None:
    """An error for the first option that these judgements have no use for; `given` says how each one is spelled."""
    if judgements.is_ranking:
        if "pool_languages" in given:
            raise UsageError(
                f"{given['pool_languages']} is for ratings: these are rankings, and wins over the other systems of one "
                "language pair cannot be averaged with those of another; leave it out: each pair has its own ranking"
            )
        _refuse(given, OF_RATINGS, "ratings; these are rankings")
        _refuse_preset(preset, ratings.PRESETS, as_option, "ratings; these are rankings")
        return
    _refuse(given, OF_RANKINGS, "rankings; these are ratings")
    _refuse_preset(preset, rankings.PRESETS, as_option, "rankings; these are ratings")
    if is_of_whole_systems(judgements):
        _refuse(given, OF_SEGMENTS, "judgements of segments; these are scores of whole systems")


def _refuse(given: Mapping[str, str], names: Collection[str], whose: str) -> None:
    for name, spelling in given.items():
        if name in names:
            raise UsageError(f"{spelling} is for {whose}")


def _refuse_preset(preset: str | None, others: Collection[str], as_option: str, whose: str) -> None:
    if preset in others:
        raise UsageError(f"{as_option} {preset} is for {whose}")
