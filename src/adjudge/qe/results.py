"""What comes of estimating quality: what a model learnt, what it says of engines, and how well it does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from adjudge.charts import ChartRow, Curve, Histograms, LineChart
from adjudge.display import Cell, Column, Data, Displayable, Records, Row, Section, Table, arrow, best_of
from adjudge.qe.conformal import Coverage, conformal_reach
from adjudge.qe.distribution import EstimateDistribution
from adjudge.qe.estimator import CONFIDENCE, Estimates, Estimator
from adjudge.qe.measures import pearson
from adjudge.wording import MISSING, number, p_text, percent, pluralise

ERRORS = frozenset({"mae", "rmse"})
TITLES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ",
    "mae": "MAE",
    "rmse": "RMSE",
    "mcc": "MCC",
    "auc": "AUC",
    "delta_avg": "DeltaAvg",
}


@dataclass(frozen=True)
class MeasureValue:
    """One estimator by one measure."""

    measure: str
    estimator: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class EstimatorPair:
    """Two estimators by one measure: the first less the second."""

    measure: str
    a: str
    b: str
    delta: float
    p: float
    p_adjusted: float
    significant: bool

    @property
    def better(self) -> str | None:
        """The estimator that the test shows to be better; None where it shows nothing."""
        if not self.significant:
            return None
        return self.a if (self.delta < 0) == (self.measure in ERRORS) else self.b

    def sentence(self) -> str:
        """Which of the two is better, if any."""
        worse = self.b if self.better == self.a else self.a
        verdict = (
            f"{self.better} is better than {worse}"
            if self.better
            else f"{self.a} and {self.b}: nothing is shown"
        )
        return (
            f"{TITLES[self.measure]}: {verdict} (Δ {number(abs(self.delta), 3)}, {p_text(self.p_adjusted)})."
        )


@dataclass(frozen=True)
class CalibrationBin:
    """Segments of about equal predictions: what was predicted of them, and what people said."""

    predicted: float
    scores: float
    low: float
    high: float
    segments: int


@dataclass(frozen=True, eq=False)
class EstimatorEvaluation(Displayable):
    """All of it."""

    segments: int
    good: float
    """The score from which on a segment is good."""
    higher_is_better: bool
    values: tuple[MeasureValue, ...]
    pairs: tuple[EstimatorPair, ...]
    calibration: Mapping[str, tuple[CalibrationBin, ...]]
    coverages: Mapping[str, Coverage]
    """Of intervals, where an estimator has them."""
    confidence: float
    draws: int
    seed: int
    units: int
    """Of what was resampled and swapped: documents or sources where these are known, else segments."""
    remarks: tuple[str, ...] = ()
    """Why some measures are not there."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"{pluralise(len(self.calibration), 'estimator')} held against people"

    @property
    def about(self) -> str:
        """How many segments there are."""
        return pluralise(self.segments, "segment")

    def sections(self) -> list[Section]:
        """A row for each measure, a column for each estimator; who is better; how calibrated they are."""
        columns = [Column("Measure"), *(Column(name, True) for name in self.calibration)]
        rows = []
        for measure, title in TITLES.items():
            own = [value for value in self.values if value.measure == measure]
            better = measure not in ERRORS
            best = best_of([value.value for value in own], 3, higher_is_better=better)
            cells = [
                Cell(_with_interval(v.value, v.low, v.high), mark) for v, mark in zip(own, best, strict=True)
            ]
            rows.append(Row((Cell(f"{title} {arrow(better)}"), *cells)))
        notes = [
            f"{self.segments:,} segments; 95 % intervals from {self.draws:,} resamples{self._of_units()}, AUC's by "
            f"its error (seed {self.seed}). Good for MCC and AUC: "
            f"{'at least' if self.higher_is_better else 'at most'} {self.good:g}.",
            *self.remarks,
            *(_coverage(name, coverage, self.confidence) for name, coverage in self.coverages.items()),
        ]
        table = Table(tuple(columns), tuple(rows))
        parts = [Section("Estimators and people", (table,), notes=tuple(notes))]
        if self.pairs:
            parts.append(Section("Which is better", sentences=tuple(pair.sentence() for pair in self.pairs)))
        return [*parts, *map(self._calibration_section, self.calibration)]

    def _calibration_section(self, name: str) -> Section:
        bins = self.calibration[name]
        columns = (
            Column.of("segments", "segments", 0),
            Column.of("predicted", "estimated", 3),
            Column("said by people", True, text=lambda own: _with_interval(own.scores, own.low, own.high)),
        )
        chart = LineChart(
            [
                Curve(
                    name,
                    [(bin_.predicted, bin_.scores, _known(bin_.low), _known(bin_.high)) for bin_ in bins],
                )
            ],
            f"What people said, by what {name} had estimated",
            "up: mean score, shaded: 95 % intervals; across: estimate; dashed: where both are equal",
            diagonal=True,
        )
        title = "Calibration" if len(self.calibration) == 1 else f"Calibration of {name}"
        return Section(title, (Records(columns, bins).table(),), charts=(chart,))

    def data(self) -> Data:
        """One row per measure and estimator."""
        names = ("measure", "estimator", "value", "low", "high")
        return Records(tuple(map(Column.of, names)), self.values).data()

    def document(self) -> dict[str, Any]:
        """All that is known, unrounded."""
        return {
            "segments": self.segments,
            "units": self.units,
            "good": self.good,
            "higher_is_better": self.higher_is_better,
            "results": [asdict(value) for value in self.values],
            "pairs": [
                asdict(pair) | {"better": pair.better, "sentence": pair.sentence()} for pair in self.pairs
            ],
            "coverage": {
                "confidence": self.confidence,
                **{name: coverage.share for name, coverage in self.coverages.items()},
            },
            "coverage_by_chance": {
                name: [coverage.low, coverage.high] for name, coverage in self.coverages.items()
            },
            "coverage_verdicts": {
                name: {"verdict": coverage.verdict, "sentence": _coverage(name, coverage, self.confidence)}
                for name, coverage in self.coverages.items()
            },
            "calibration": {name: [asdict(item) for item in bins] for name, bins in self.calibration.items()},
            "remarks": list(self.remarks),
            "draws": self.draws,
            "seed": self.seed,
        }

    def _of_units(self) -> str:
        """What was drawn, where it was not segments."""
        if self.units == self.segments:
            return ""
        sources = "source" if self.units == 1 else "sources"
        return f" of {pluralise(self.units, 'document')} or {sources}, whose segments stay together"


@dataclass(frozen=True)
class TrainedEstimator(Displayable):
    """An estimator that was learnt, and the file that it is in."""

    model: Estimator
    path: str

    @property
    def title(self) -> str:
        """What it estimates, for which languages."""
        pair = "-".join(filter(None, self.model.resources.languages)) or "no language said"
        return f"{self.path}: an estimator of {self.model.kind} ({pair})"

    def sections(self) -> list[Section]:
        """How well it did on segments that it had not seen."""
        facts = training_facts(self.model)
        sentences = [
            f"Segments held out in turn: r = {_three(facts['held_out_pearson'])} with what people said.",
            f"90 % intervals reach from {_three(facts['interval_90'][0])} to {_three(facts['interval_90'][1])} about "
            "an estimate.",
        ]
        if self.model.glass_box is not None:
            sentences.append(
                f"With log-probabilities, {pluralise(facts['glass_box_segments'], 'segment')}: "
                f"r = {_three(facts['glass_box_held_out_pearson'])}."
            )
        if self.model.tagger is not None:
            sentences.append(f"Tags of words held out in turn: MCC {_three(facts['tags_held_out_mcc'])}.")
        learnt = f"Learnt from {pluralise(int(facts['segments']), 'segment')}"
        note = f"{learnt}; {arrow(self.model.higher_is_better)} is better."
        return [Section(self.title, sentences=tuple(sentences), notes=(note,))]

    def document(self) -> dict[str, Any]:
        """How well it did, as numbers."""
        return {"model": self.path, **training_facts(self.model)}


def training_facts(model: Estimator) -> dict[str, Any]:
    """How well a model did on segments that it had not seen."""
    low, high = conformal_reach(model.held_out.scores - model.held_out.predicted, CONFIDENCE)
    box = model.glass_box
    return {
        "kind": model.kind,
        "higher_is_better": model.higher_is_better,
        "languages": list(model.resources.languages),
        "segments": model.recipe["segments"],
        "held_out_pearson": _known(_held_out_r(model.held_out.scores, model.held_out.predicted)),
        "interval_90": [_known(low), _known(high)],
        "glass_box_segments": 0 if box is None else len(box.held_out.scores),
        "glass_box_held_out_pearson": None
        if box is None
        else _known(_held_out_r(box.held_out.scores, box.held_out.predicted)),
        "tags_held_out_mcc": None if model.tagger is None else model.tagger.held_out_mcc,
        "recipe": dict(model.recipe),
    }


@dataclass(frozen=True, eq=False)
class EngineEstimates(Displayable):
    """Estimates of engines: shares above thresholds on screens, every segment in JSON and TSV."""

    model: Estimator
    estimates: Mapping[str, Estimates]
    spread: EstimateDistribution

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Estimated quality of {pluralise(len(self.spread.scores), 'engine')}"

    def sections(self) -> list[Section]:
        """A row for each engine: its mean, and the share of its segments that pass each threshold."""
        spread, kind = self.spread, self.model.kind
        sign = "≥" if spread.higher_is_better else "≤"
        columns = [Column("Engine"), Column("mean", True, arrow(spread.higher_is_better))]
        columns += [Column(f"{sign} {number(cut, 2)}", True) for cut in spread.thresholds]
        rows = []
        for engine, scores in spread.scores.items():
            own = [item for item in spread.above if item.engine == engine]
            cells = [engine, number(float(scores.mean()), 3), *(f"{100 * item.share:.0f} %" for item in own)]
            rows.append(Row(tuple(map(Cell, cells))))
        count = len(next(iter(spread.scores.values())))
        notes = (
            f"{pluralise(count, 'segment')} an engine; shares of those whose estimated {kind} passes. Estimates are "
            "drawn to the middle: shares are those of estimates, and not of what people would say.",
            _promise(self.estimates),
        )
        table = Table(tuple(columns), tuple(rows))
        return [Section("Shares of segments", (table,), notes=notes, charts=(self._charts(),))]

    def _charts(self) -> ChartRow:
        """The histograms of all engines, and a curve for each: the share of segments that pass, by threshold."""
        curves = [
            Curve(
                engine,
                [(i.threshold, i.share, i.low, i.high) for i in self.spread.above if i.engine == engine],
            )
            for engine in self.spread.scores
        ]
        kind = self.model.kind
        bars = Histograms(
            list(self.spread.scores.items()), "Estimates", f"across: estimated {kind}; up: share of segments"
        )
        below = f"across: threshold of estimated {kind}; shaded: 95 % intervals"
        return ChartRow((bars, LineChart(curves, "Share of segments that pass", below, whole=True)))

    def data(self) -> Data:
        """One row per engine and segment."""
        tagged = any(estimate.tags is not None for estimate in self.estimates.values())
        names = ("segment", "score", "low", "high")
        rows = [
            [engine, *(row[name] for name in names), *([" ".join(row.get("tags", ()))] if tagged else [])]
            for engine, estimate in self.estimates.items()
            for row in _segments(estimate)
        ]
        return Data(("system", *names, *(["tags"] if tagged else [])), rows)

    def document(self) -> dict[str, Any]:
        """Every segment, and the shares."""
        return {
            "kind": self.model.kind,
            "higher_is_better": self.model.higher_is_better,
            "intervals": {engine: _interval_facts(estimate) for engine, estimate in self.estimates.items()},
            "engines": [
                {"engine": engine, "mean": float(estimate.scores.mean()), "segments": _segments(estimate)}
                for engine, estimate in self.estimates.items()
            ],
            "shares": [asdict(item) for item in self.spread.above],
        }


def _segments(estimates: Estimates) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"segment": place, "score": float(score), "low": _known(low), "high": _known(high)}
        for place, (score, low, high) in enumerate(
            zip(estimates.scores, estimates.low, estimates.high, strict=True), 1
        )
    ]
    if estimates.tags is not None:
        for row, tags in zip(rows, estimates.tags, strict=True):
            row["tags"] = list(tags)
    return rows


def _interval_facts(estimates: Estimates) -> dict[str, Any]:
    return {
        "confidence": estimates.confidence,
        "calibrated_on": estimates.calibrated_on,
        "calibration_spread": _known(estimates.spread),
    }


def _promise(estimates: Mapping[str, Estimates]) -> str:
    """What intervals hold, and when; nothing in the texts to come says whether it does."""
    own = next(iter(estimates.values()))
    if not np.isfinite(own.low).all():
        held_out, confidence = f"{own.calibrated_on:,}", percent(own.confidence)
        return f"Too few judged segments were held out ({held_out}) for intervals at {confidence}."
    return (
        f"Intervals (-f tsv) hold {percent(own.confidence)} of scores if people judge these segments as the "
        f"{own.calibrated_on:,} that calibrated them (standard deviation {number(own.spread, 3)}). No text shows "
        "whether they do: judge some, and qe evaluate says it."
    )


def _coverage(name: str, coverage: Coverage, confidence: float) -> str:
    """What intervals hold, and whether chance explains it."""
    first = f"{name}: {percent(confidence)} intervals hold {100 * coverage.share:.1f} % of scores"
    by_chance = f"{100 * coverage.low:.1f} to {100 * coverage.high:.1f} %"
    if coverage.verdict == "unknown":
        return f"{first}; there are too few segments or documents to say whether that is what they promise."
    if coverage.verdict == "kept":
        return f"{first}, as they promise ({by_chance} by chance)."
    spreads = (
        ""
        if math.isnan(coverage.calibration_spread)
        else f" (standard deviation {number(coverage.spread, 3)}, theirs {number(coverage.calibration_spread, 3)})"
    )
    return (
        f"{first}, {coverage.verdict} than they promise ({by_chance} by chance): scores here are not like those that "
        f"calibrated them{spreads}, which no text shows; judge some of these segments and give them to train "
        "--calibration."
    )


def _held_out_r(scores: Any, predicted: Any) -> float:
    return float(pearson(np.asarray(scores), np.asarray(predicted)))


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{number(value, 3)} ({number(low, 3)} to {number(high, 3)})"


def _three(value: float | None) -> str:
    return MISSING if value is None else number(value, 3)
