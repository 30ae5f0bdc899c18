"""Forward and reverse over many test sets, by metrics and by people (Graham, Haddow and Koehn 2020).

Of every language pair how many systems score higher on the reverse half and by how much; of every test set how the two
halves agree about systems; of all pairs of systems how many change their order, and how many surely do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.origins import translationese
from adjudge.analysis.translationese import Halves, Lengths, PairOfHalves
from adjudge.charts import Boxes, Points, Scatter
from adjudge.comparison.comparing import measure
from adjudge.comparison.groups import label_column, labels_of
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import Progress
from adjudge.comparison.study_material import StudyMaterial
from adjudge.comparison.study_testing import seed_of
from adjudge.data import languages
from adjudge.data.origins import FORWARD, ORIGIN, OTHER, REVERSE, directions
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Table, visible
from adjudge.errors import DataError, UsageError
from adjudge.metrics import metric as metric_of
from adjudge.stats.design import AUTO, SEGMENT, choose_unit, units_of
from adjudge.stats.flips import (
    Bounded,
    Flips,
    HalfDraws,
    bounded_correlation,
    difference_p_values,
    flips,
)
from adjudge.stats.resampling import estimate
from adjudge.stats.runs import resample
from adjudge.stats.units import Units
from adjudge.wording import MISSING, are, join_names, number, percent, percent_of, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache
    from adjudge.io.studies import LoadedSet

Floats = NDArray[np.float64]
PRECISION = "precision"
"""Unigram precision, which is always looked at."""
NO_ORIGIN = "nothing says where segments were first written (labels with a column origin)"


MANY = 30
"""Test sets beyond which a screen has only those with the most pairs that change their order."""
MOST_NAMES = 6


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

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Forward and reverse: {pluralise(len(self.sets), 'test set')}"

    @property
    def about(self) -> str:
        """Below the title of its page."""
        return f"{sum(sum(test_set.segments.values()) for test_set in self.sets):,} segments"

    def sections(self) -> list[Section]:
        """Per measure by language pair and by test set, then lengths."""
        parts = []
        for origin_measure in self.measures:
            label = visible(origin_measure.measure)
            parts += [
                Section(
                    f"{label} forward and reverse",
                    (_languages(origin_measure),),
                    tuple(_sentences(origin_measure)),
                    key=f"languages {origin_measure.measure}",
                    charts=(_boxes(origin_measure),),
                ),
                Section(
                    f"{label}: do the halves agree?",
                    (_sets(origin_measure),),
                    _left_out(origin_measure),
                    key=f"pairs {origin_measure.measure}",
                    charts=_scatter(origin_measure),
                ),
            ]
        parts.append(Section("Segments by origin, and their lengths in words", (_lengths(self),)))
        return [*parts, Section(notes=tuple(_notes(self)))]

    def document(self) -> Mapping[str, Any]:
        """For JSON: all of it, unrounded."""
        return {
            "sets": [asdict(test_set) for test_set in self.sets],
            "measures": [
                asdict(measure)
                | {
                    "sets": [
                        asdict(entry)
                        | {
                            "sure_flips": entry.sure_flips,
                            "pairs": [
                                asdict(pair.pair)
                                | {
                                    "flips": pair.pair.flips,
                                    "p_forward": pair.p_forward,
                                    "p_reverse": pair.p_reverse,
                                    "sure_flip": pair.sure_flip,
                                }
                                for pair in entry.pairs
                            ],
                        }
                        for entry in measure.sets
                    ]
                }
                for measure in self.measures
            ],
            "options": asdict(self.options),
            "left_out": dict(self.left_out),
        }

    def data(self) -> Data:
        """One row per measure, test set and system."""
        head = ["measure", "test_set", "language", "system", "forward", "reverse", "both", "difference"]
        rows = [
            [
                measure.measure,
                entry.test_set,
                entry.language,
                system.system,
                system.forward,
                system.reverse,
                system.both,
                system.difference,
            ]
            for measure in self.measures
            for entry in measure.sets
            for system in entry.halves.systems
        ]
        return Data(head, rows)


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
            if (drawn := _draw_halves(own, seen, labels, options, threads)) is not None:
                gathered.setdefault(key, []).append(drawn)
    if not sets:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out.items())
        raise UsageError(f"no test set has a forward and a reverse half: {reasons}")
    measures = tuple(_over_sets(own, options) for own in gathered.values())
    return OriginStudy(tuple(sets), measures, options, left_out)


Part = tuple[str, Measured, Mapping[str, Sequence[str]]]
"""What a measure is gathered under, its rows, and the labels of their segments."""


def check_language(loaded_set: LoadedSet) -> None:
    """Refuse a test set whose language pair does not tell which half a segment is in."""
    origins = loaded_set.test_set.labels.get(ORIGIN, ())
    try:
        directions(origins, languages.pair(loaded_set.language))
    except UsageError:
        names = ", ".join(dict.fromkeys(origins))
        fault = (
            f"{loaded_set.language} is not the pair of these origins ({names})"
            if loaded_set.language
            else "missing"
        )
        example = 'language = "de-en" says that segments written in German are forward'
        raise DataError(f"{loaded_set.place}: language: {fault}; {example}") from None


def _measures(
    study_material: StudyMaterial, specs: Sequence[str], threads: int, cache: RowCache | None
) -> Iterator[Part]:
    """Metrics by the names they were asked for, as tokenizers follow the language; then all other scores."""
    if study_material.outputs:
        measured = measure(
            study_material.test_set, study_material.outputs, specs, threads=threads, cache=cache
        )
        for spec, seen in zip(specs, measured, strict=True):
            yield spec, seen, labels_of(study_material.test_set)
    for further in study_material.further:
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


def _draw_halves(
    study_material: StudyMaterial,
    measured: Measured,
    labels: Mapping[str, Sequence[str]],
    options: OriginOptions,
    threads: int,
) -> _Drawn | None:
    """Both halves by one measure; None where its segments have no origin, or only one."""
    try:
        (halves,) = translationese((measured,), labels, study_material.language).measures
    except (UsageError, KeyError):
        return None
    systems = [system.system for system in halves.systems]
    if not systems:
        return None
    known = directions(labels[ORIGIN], languages.pair(study_material.language))
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
        resampled = resample(
            runs,
            measured.aggregate,
            resamples=options.resamples,
            seed=seed_of(options.seed, f"{study_material.name} {way}"),
            units=units,
            threads=threads,
        )
        draws.append(HalfDraws(resampled.scores, resampled.resampled, units.count))
    return _Drawn(study_material.name, study_material.language, halves, draws[0], draws[1], unit)


def _over_sets(drawn: Sequence[_Drawn], options: OriginOptions) -> OriginMeasure:
    """One measure over all its test sets; which differences are sure is decided for all of them together."""
    p_forward = [difference_p_values(study.forward, study.pairs) for study in drawn]
    p_reverse = [difference_p_values(study.reverse, study.pairs) for study in drawn]
    pairs = [pair for study in drawn for pair in study.halves.pairs]
    forward = np.array([pair.forward for pair in pairs], dtype=float)
    reverse = np.array([pair.reverse for pair in pairs], dtype=float)
    changes = flips(
        forward, reverse, np.concatenate(p_forward), np.concatenate(p_reverse), alpha=options.alpha
    )
    owner = np.repeat(np.arange(len(drawn)), [len(study.halves.pairs) for study in drawn])
    names = list(dict.fromkeys(study.language for study in drawn))
    together = [("", list(range(len(drawn))))]
    if len(names) > 1:
        together += [(name, [i for i, study in enumerate(drawn) if study.language == name]) for name in names]
    first = drawn[0].halves
    return OriginMeasure(
        "unigram precision" if first.measure == PRECISION else first.measure,
        first.higher_is_better,
        first.decimals,
        tuple(
            _language(name, [drawn[i] for i in places], changes, np.isin(owner, places), options)
            for name, places in together
        ),
        tuple(_set(study, changes, owner == place, options) for place, study in enumerate(drawn)),
        {study.test_set: study.unit for study in drawn},
    )


def _language(
    name: str, drawn: Sequence[_Drawn], changes: Flips, which: NDArray[np.bool_], options: OriginOptions
) -> LanguageHalves:
    off = np.concatenate([study.off for study in drawn])
    resampled = np.concatenate([study.reverse.resampled - study.forward.resampled for study in drawn], axis=1)
    mean = estimate(float(off.mean()), resampled.mean(1), confidence=1 - options.alpha)
    return LanguageHalves(
        language=name,
        sets=tuple(study.test_set for study in drawn),
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


def _set(drawn: _Drawn, changes: Flips, which: NDArray[np.bool_], options: OriginOptions) -> SetHalves:
    share = changes.share(which)
    pearson, spearman, kendall = (
        bounded_correlation(name, drawn.forward.scores, drawn.reverse.scores, confidence=1 - options.alpha)
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
        for pair, place in zip(drawn.halves.pairs, places, strict=True)
    )
    return SetHalves(
        drawn.test_set,
        drawn.language,
        drawn.halves,
        pearson=pearson,
        spearman=spearman,
        kendall=kendall,
        flips=share,
        pairs=pairs,
    )


def _languages(origin_measure: OriginMeasure) -> Table:
    head = (
        Column("Language pair"),
        *(
            Column(name, True)
            for name in ("sets", "systems", "R > F", "F > R", "R−F", "interval", "sd", "order changes")
        ),
    )
    rows = [
        Row(
            (
                Cell(visible(entry.language) if entry.language else "all"),
                Cell(str(len(entry.sets))),
                Cell(str(entry.systems)),
                Cell(percent_of(entry.reverse_higher)),
                Cell(percent_of(entry.forward_higher)),
                Cell(with_sign(entry.mean.value, origin_measure.decimals)),
                Cell(_limits(entry.mean, origin_measure.decimals)),
                Cell(number(entry.deviation, origin_measure.decimals)),
                Cell(_share(entry)),
            )
        )
        for entry in origin_measure.languages
    ]
    return Table(head, tuple(rows))


def _limits(bounded: Bounded, decimals: int) -> str:
    if math.isnan(bounded.low):
        return MISSING
    return f"{with_sign(bounded.low, decimals)} … {with_sign(bounded.high, decimals)}"


def _share(entry: LanguageHalves | SetHalves) -> str:
    share = entry.flips
    if math.isnan(share.value):
        return MISSING
    return f"{percent_of(share.value)} ({100 * share.low:.0f}–{100 * share.high:.0f})"


def _sets(origin_measure: OriginMeasure) -> Table:
    head = (
        Column("Test set"),
        *(Column(name, True) for name in ("systems", "r", "ρ", "τ", "pairs", "order changes", "surely")),
    )
    rows = [
        Row(
            (
                Cell(visible(entry.test_set)),
                Cell(str(len(entry.halves.systems))),
                *(Cell(_correlation(value)) for value in (entry.pearson, entry.spearman, entry.kendall)),
                Cell(str(len(entry.pairs))),
                Cell(_share(entry)),
                Cell(str(entry.sure_flips)),
            )
        )
        for entry in _estimated_halves(origin_measure)
    ]
    return Table(head, tuple(rows))


def _estimated_halves(origin_measure: OriginMeasure) -> list[SetHalves]:
    if len(origin_measure.sets) <= MANY:
        return list(origin_measure.sets)
    most = sorted(origin_measure.sets, key=lambda entry: (-entry.sure_flips, -entry.flips.value))[:MANY]
    return [entry for entry in origin_measure.sets if entry in most]


def _left_out(origin_measure: OriginMeasure) -> tuple[str, ...]:
    more = len(origin_measure.sets) - MANY
    return (f"{pluralise(more, 'test set')} with fewer changes: -f tsv.",) if more > 0 else ()


def _correlation(value: Bounded) -> str:
    if math.isnan(value.value):
        return MISSING
    limits = "" if math.isnan(value.low) else f" ({number(value.low, 2)} … {number(value.high, 2)})"
    return f"{number(value.value, 2)}{limits}"


def _sentences(origin_measure: OriginMeasure) -> list[str]:
    every = origin_measure.languages[0]
    decimals = origin_measure.decimals + 1
    sentences = [
        f"{percent_of(every.reverse_higher)} of {pluralise(every.systems, 'system')} score higher on the reverse half, "
        f"{percent_of(every.forward_higher)} lower; R−F is {with_sign(every.mean.value, decimals)} on average "
        f"({_limits(every.mean, decimals)}), standard deviation {number(every.deviation, decimals)} over systems."
    ]
    if not every.pairs:
        return sentences
    share = every.flips
    sentences.append(
        f"{percent_of(share.value)} of {pluralise(every.pairs, 'pair')} of systems have another order on the other "
        f"half; {pluralise(every.sure_flips, 'pair')} surely, both differences being significant."
        + (
            f" The share lies between {percent_of(share.low)} and {percent_of(share.high)}: the rest is not told apart "
            "on one half or both."
            if share.low < share.high
            else ""
        )
    )
    sure = [
        f"{visible(pair.pair.a)} and {visible(pair.pair.b)} ({visible(entry.test_set)})"
        for entry in origin_measure.sets
        for pair in entry.pairs
        if pair.sure_flip
    ]
    if sure:
        sentences.append(f"Surely another order: {join_names(sure, MOST_NAMES)}.")
    return sentences


def _lengths(result: OriginStudy) -> Table:
    head = (
        Column("Test set"),
        Column("text"),
        *(Column(name, True) for name in ("forward", "mean", "sd", "reverse", "mean", "sd")),
    )
    rows = []
    for test_set in result.sets:
        texts = list(dict.fromkeys(entry.text for entry in test_set.lengths))
        for text in texts:
            by_way = {entry.direction: entry for entry in test_set.lengths if entry.text == text}
            cells = [Cell(visible(test_set.test_set)), Cell(text)]
            for way in (FORWARD, REVERSE):
                entry = by_way.get(way)
                cells += (
                    [Cell(MISSING)] * 3
                    if entry is None
                    else [
                        Cell(f"{entry.segments:,}"),
                        Cell(number(entry.mean, 1)),
                        Cell(number(entry.deviation, 1)),
                    ]
                )
            rows.append(Row(tuple(cells)))
    return Table(head, tuple(rows))


def _units_drawn(result: OriginStudy) -> str:
    """What was drawn: `documents`, or each unit that some measure has on some test set."""
    units = dict.fromkeys(unit for measure in result.measures for unit in measure.drawn.values())
    return join_names([visible(units_of(unit)) for unit in units], last="or")


def _notes(result: OriginStudy) -> list[str]:
    options = result.options
    others = sum(test_set.segments.get(OTHER, 0) for test_set in result.sets)
    notes = [
        "Forward: first written in the source language; reverse: in the target language"
        + (
            f" ({pluralise(others, 'segment')} from elsewhere {are(others)} in neither half)."
            if others
            else "."
        ),
        f"Intervals of R−F: {percent(1 - options.alpha)}, from {pluralise(options.resamples, 'resample')} of "
        f"{_units_drawn(result)} within each half, seed {options.seed}; of r, ρ and τ: for other systems of this "
        "kind (Fisher's z). A difference is significant by Student's t with the standard error of these resamples, "
        "corrected after Holm over all pairs of a measure and both halves. The interval of the share of pairs with "
        "another order is what these tests leave open: it holds the true share in "
        f"{percent(1 - options.alpha)} of all cases at least.",
        "R−F compares different sentences and is moved by their length as well; differences between systems on each "
        "half are the safer evidence.",
    ]
    notes += [
        f"{visible(name)} is left out: {why}{'' if why.endswith('?') else '.'}"
        for name, why in result.left_out.items()
    ]
    return notes


def _boxes(origin_measure: OriginMeasure) -> Boxes:
    """R−F by language pair."""
    rows = [(visible(entry.language) or "all", entry.quartiles) for entry in origin_measure.languages]
    return Boxes(rows, f"R−F by {visible(origin_measure.measure)}", origin_measure.decimals)


def _scatter(origin_measure: OriginMeasure) -> tuple[Scatter, ...]:
    """Every pair with the system first that is ahead on the forward half: below 0 is another order."""
    pairs = [(entry, pair.pair) for entry in origin_measure.sets for pair in entry.pairs]
    if not pairs:
        return ()
    sign = np.array([-1.0 if pair.forward < 0 else 1.0 for _, pair in pairs])
    points = Points(
        sign * np.array([pair.forward for _, pair in pairs]),
        sign * np.array([pair.reverse for _, pair in pairs]),
        tuple(f"{visible(pair.a)}, {visible(pair.b)}: {visible(entry.test_set)}" for entry, pair in pairs),
    )
    caption = f"Differences of two systems by {visible(origin_measure.measure)}"
    below = "forward across, reverse upwards: below 0 the order is another one"
    return (Scatter(points, caption, below, "reverse"),)
