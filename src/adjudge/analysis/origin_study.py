"""Forward and reverse over many test sets, by metrics and by people (Graham, Haddow and Koehn 2020).

Of every language pair how many systems score higher on the reverse half and by how much; of every test set how the two
halves agree about systems; of all pairs of systems how many change their order, and how many surely do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.origins import translationese
from adjudge.analysis.translationese import Halves, Lengths, PairOfHalves
from adjudge.comparison.groups import label_column, labels_of
from adjudge.comparison.material import StudyMaterial
from adjudge.comparison.mean_tests import seed_of
from adjudge.comparison.measuring import measure
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import Progress
from adjudge.data import languages
from adjudge.data.origins import FORWARD, ORIGIN, OTHER, REVERSE, directions
from adjudge.display import Displayable
from adjudge.errors import UsageError
from adjudge.metrics import metric as metric_of
from adjudge.stats.design import AUTO, SEGMENT, choose_unit
from adjudge.stats.flips import (
    Bounded,
    Flips,
    HalfDraws,
    bounded_correlation,
    difference_p_values,
    flips,
)
from adjudge.stats.pairwise import resample
from adjudge.stats.resampling import estimate
from adjudge.stats.units import Units

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
PRECISION = "precision"
"""Unigram precision, which is always looked at."""
NO_ORIGIN = "nothing says where segments were first written (labels with a column origin)"


@dataclass(frozen=True)
class OriginOptions:
    """How intervals are drawn, and what is sure."""

    resamples: int = 1000
    seed: int = 12345
    alpha: float = 0.05
    unit: str = AUTO
    """What is drawn: a label, `segment`, or `auto`: documents where each lies in one half."""


@dataclass(frozen=True)
class SurePair:
    """Two systems on both halves, with p corrected over all pairs of a measure and both halves."""

    pair: PairOfHalves
    p_forward: float
    p_reverse: float
    sure_flip: bool
    """Both differences are significant, and they point in opposite ways."""


@dataclass(frozen=True)
class SetHalves:
    """All systems on both halves of one test set, by one measure."""

    test_set: str
    language: str
    halves: Halves
    pearson: Bounded
    spearman: Bounded
    kendall: Bounded
    """Between the systems' scores on the halves; intervals are for other systems of their kind."""
    flips: Bounded
    """Share of pairs that change their order, between what is sure and what cannot be ruled out."""
    pairs: tuple[SurePair, ...]

    @property
    def sure_flips(self) -> int:
        """How many pairs surely change their order."""
        return sum(pair.sure_flip for pair in self.pairs)


@dataclass(frozen=True)
class LanguageHalves:
    """The systems of all test sets of a language pair: how they score on the reverse half against the forward one."""

    language: str
    """Empty for all of them."""
    sets: tuple[str, ...]
    systems: int
    """A system counts once on every test set."""
    reverse_higher: float
    """Share of systems with R > F; ties are neither."""
    forward_higher: float
    mean: Bounded
    """Of R − F, over the choice of segments."""
    deviation: float
    """Of R − F over systems (n − 1 below the line)."""
    quartiles: tuple[float, float, float, float, float]
    """Least, quartiles and largest of R − F."""
    flips: Bounded
    pairs: int
    sure_flips: int


@dataclass(frozen=True)
class OriginMeasure:
    """One measure over all test sets that have it."""

    measure: str
    higher_is_better: bool | None
    decimals: int
    languages: tuple[LanguageHalves, ...]
    """All together first."""
    sets: tuple[SetHalves, ...]
    drawn: Mapping[str, str] = field(default_factory=dict)
    """By test set, what was drawn within each half: `segment`, `document` or another label."""


@dataclass(frozen=True)
class SetOrigins:
    """One test set's halves."""

    test_set: str
    language: str
    segments: Mapping[str, int]
    lengths: tuple[Lengths, ...]


@dataclass(frozen=True)
class OriginStudy(Displayable):
    """Forward and reverse over many test sets."""

    sets: tuple[SetOrigins, ...]
    measures: tuple[OriginMeasure, ...]
    options: OriginOptions
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Test sets that have no two halves, and why."""


def origin_study(
    material: Sequence[StudyMaterial],
    metrics: Sequence[str],
    options: OriginOptions | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> OriginStudy:
    """Both halves of all test sets by these metrics, by unigram precision, and by people's and other scores."""
    options = options or OriginOptions()
    specs = list(dict.fromkeys(metric_of(spec).spec for spec in [*metrics, PRECISION]))
    gathered: dict[str, list[_Drawn]] = {}
    sets: list[SetOrigins] = []
    left_out: dict[str, str] = {}
    for place, own in enumerate(material):
        if progress:
            progress(f"test set {own.name}", place, len(material))
        try:
            both = translationese((), labels_of(own.test_set), own.language, own.test_set)
        except (UsageError, KeyError) as error:
            left_out[own.name] = NO_ORIGIN if isinstance(error, KeyError) else str(error)
            continue
        sets.append(SetOrigins(own.name, own.language, dict(both.segments), both.lengths))
        for key, seen, labels in _measures(own, specs, threads, cache):
            if (drawn := _drawn(own, seen, labels, options, threads)) is not None:
                gathered.setdefault(key, []).append(drawn)
    if not sets:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out.items())
        raise UsageError(f"no test set has a forward and a reverse half: {reasons}")
    measures = tuple(_over_sets(own, options) for own in gathered.values())
    return OriginStudy(tuple(sets), measures, options, left_out)


Part = tuple[str, Measured, Mapping[str, Sequence[str]]]
"""What a measure is gathered under, its rows, and the labels of their segments."""


def _measures(
    own: StudyMaterial, specs: Sequence[str], threads: int, cache: RowCache | None
) -> Iterator[Part]:
    """Metrics by the names they were asked for, as tokenizers follow the language; then all other scores."""
    if own.outputs:
        measured = measure(own.test_set, own.outputs, specs, threads=threads, cache=cache)
        for spec, seen in zip(specs, measured, strict=True):
            yield spec, seen, labels_of(own.test_set)
    for further in own.further:
        yield further.measured.metric, further.measured, further.labels


@dataclass(frozen=True, eq=False)
class _Drawn:
    """One measure on one test set, with its halves on resamples."""

    test_set: str
    language: str
    halves: Halves
    forward: HalfDraws
    reverse: HalfDraws
    unit: str
    """What was drawn."""

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """By their places among the systems, in the order of the halves' pairs."""
        return list(combinations(range(len(self.halves.systems)), 2))

    @property
    def off(self) -> Floats:
        """R − F of every system."""
        return self.reverse.scores - self.forward.scores


def _drawn(
    own: StudyMaterial,
    measured: Measured,
    labels: Mapping[str, Sequence[str]],
    options: OriginOptions,
    threads: int,
) -> _Drawn | None:
    """Both halves by one measure; None where its segments have no origin, or only one."""
    try:
        (halves,) = translationese((measured,), labels, own.language).measures
    except (UsageError, KeyError):
        return None
    systems = [system.system for system in halves.systems]
    if not systems:
        return None
    known = directions(labels[ORIGIN], languages.pair(own.language))
    ways = np.array([known.get(origin, OTHER) for origin in labels[ORIGIN]])
    unit = options.unit
    if unit == AUTO:
        unit, _ = choose_unit(labels, len(ways), ways.tolist())
    draws = []
    for way in (FORWARD, REVERSE):
        which = ways == way
        runs = [tuple(run[which] for run in measured.rows[system]) for system in systems]
        groups = None
        if unit != SEGMENT:
            column = label_column(labels, unit, "draw by")
            groups = [label for label, chosen in zip(column, which, strict=True) if chosen]
        units = Units.of(int(which.sum()), groups)
        again = resample(
            runs,
            measured.aggregate,
            resamples=options.resamples,
            seed=seed_of(options.seed, f"{own.name} {way}"),
            units=units,
            threads=threads,
        )
        draws.append(HalfDraws(again.scores, again.resampled, units.count))
    return _Drawn(own.name, own.language, halves, draws[0], draws[1], unit)


def _over_sets(drawn: Sequence[_Drawn], options: OriginOptions) -> OriginMeasure:
    """One measure over all its test sets; which differences are sure is decided for all of them together."""
    p_forward = [difference_p_values(own.forward, own.pairs) for own in drawn]
    p_reverse = [difference_p_values(own.reverse, own.pairs) for own in drawn]
    pairs = [pair for own in drawn for pair in own.halves.pairs]
    forward = np.array([pair.forward for pair in pairs], dtype=float)
    reverse = np.array([pair.reverse for pair in pairs], dtype=float)
    changes = flips(
        forward, reverse, np.concatenate(p_forward), np.concatenate(p_reverse), alpha=options.alpha
    )
    owner = np.repeat(np.arange(len(drawn)), [len(own.halves.pairs) for own in drawn])
    names = list(dict.fromkeys(own.language for own in drawn))
    together = [("", list(range(len(drawn))))]
    if len(names) > 1:
        together += [(name, [i for i, own in enumerate(drawn) if own.language == name]) for name in names]
    first = drawn[0].halves
    return OriginMeasure(
        "unigram precision" if first.measure == PRECISION else first.measure,
        first.higher_is_better,
        first.decimals,
        tuple(
            _language(name, [drawn[i] for i in places], changes, np.isin(owner, places), options)
            for name, places in together
        ),
        tuple(_set(own, changes, owner == place, options) for place, own in enumerate(drawn)),
        {own.test_set: own.unit for own in drawn},
    )


def _language(
    name: str, drawn: Sequence[_Drawn], changes: Flips, which: NDArray[np.bool_], options: OriginOptions
) -> LanguageHalves:
    off = np.concatenate([own.off for own in drawn])
    resampled = np.concatenate([own.reverse.resampled - own.forward.resampled for own in drawn], axis=1)
    mean = estimate(float(off.mean()), resampled.mean(1), confidence=1 - options.alpha)
    return LanguageHalves(
        language=name,
        sets=tuple(own.test_set for own in drawn),
        systems=len(off),
        reverse_higher=float((off > 0).mean()),
        forward_higher=float((off < 0).mean()),
        mean=Bounded(mean.score, mean.low, mean.high),
        deviation=float(off.std(ddof=1)) if len(off) > 1 else math.nan,
        quartiles=tuple(np.quantile(off, [0, 0.25, 0.5, 0.75, 1]).tolist()),
        flips=changes.share(which),
        pairs=int(which.sum()),
        sure_flips=int(changes.sure_flips[which].sum()),
    )


def _set(own: _Drawn, changes: Flips, which: NDArray[np.bool_], options: OriginOptions) -> SetHalves:
    share = changes.share(which)
    pearson, spearman, kendall = (
        bounded_correlation(name, own.forward.scores, own.reverse.scores, confidence=1 - options.alpha)
        for name in ("pearson", "spearman", "kendall")
    )
    places = np.flatnonzero(which)
    pairs = tuple(
        SurePair(
            pair,
            float(changes.p_forward[place]),
            float(changes.p_reverse[place]),
            bool(changes.sure_flips[place]),
        )
        for pair, place in zip(own.halves.pairs, places, strict=True)
    )
    return SetHalves(
        own.test_set,
        own.language,
        own.halves,
        pearson=pearson,
        spearman=spearman,
        kendall=kendall,
        flips=share,
        pairs=pairs,
    )
