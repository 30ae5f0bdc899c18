"""Estimates of quality, shown: what a model learnt, what it says of engines, how well it does, what a filter keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.display import Cell, Column, Row, Section, Table, arrow, best_of
from adjudge.qe.conformal import Coverage, conformal_reach
from adjudge.qe.distribution import EstimateDistribution
from adjudge.qe.estimator import CONFIDENCE, Estimates, Estimator
from adjudge.qe.evaluation import ERRORS, EstimatorEvaluation, EstimatorPair
from adjudge.qe.measures import pearson
from adjudge.report.pages import qe_page
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import spelled, tsv_line
from adjudge.wording import MISSING, number, p_text, percent, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input

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


def training_forms(model: Estimator, path: str, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """What was learnt."""
    return Forms(
        lambda: [_training(model, path)],
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "model": path,
            **training_facts(model),
        },
    )


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


def _training(model: Estimator, path: str) -> Section:
    facts = training_facts(model)
    pair = "-".join(filter(None, model.resources.languages)) or "no language said"
    sentences = [
        f"Segments held out in turn: r = {_three(facts['held_out_pearson'])} with what people said.",
        f"90 % intervals reach from {_three(facts['interval_90'][0])} to {_three(facts['interval_90'][1])} about "
        "an estimate.",
    ]
    if model.glass_box is not None:
        sentences.append(
            f"With log-probabilities, {pluralise(facts['glass_box_segments'], 'segment')}: "
            f"r = {_three(facts['glass_box_held_out_pearson'])}."
        )
    if model.tagger is not None:
        sentences.append(f"Tags of words held out in turn: MCC {_three(facts['tags_held_out_mcc'])}.")
    return Section(
        f"{path}: an estimator of {model.kind} ({pair})",
        sentences=tuple(sentences),
        notes=(
            f"Learnt from {pluralise(int(facts['segments']), 'segment')}; {arrow(model.higher_is_better)} is better.",
        ),
    )


def score_forms(
    model: Estimator,
    estimates: Mapping[str, Estimates],
    spread: EstimateDistribution,
    *,
    version: str,
    inputs: Sequence[Input] = (),
) -> Forms:
    """Estimates of engines: shares above thresholds on screens, every segment in JSON and TSV."""
    sections = distribution_sections(spread, model.kind, _promise(estimates))
    return Forms(
        lambda: sections,
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "kind": model.kind,
            "higher_is_better": model.higher_is_better,
            "intervals": {own: _interval_facts(estimates[own]) for own in estimates},
            "engines": [
                {"engine": engine, "mean": float(own.scores.mean()), "segments": _segments(own)}
                for engine, own in estimates.items()
            ],
            "shares": [asdict(item) for item in spread.above],
        },
        tsv=lambda: _score_tsv(estimates),
        html=lambda: qe_page.score_page(sections, spread, model.kind, version=version, inputs=inputs),
    )


def _segments(own: Estimates) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"segment": place, "score": float(score), "low": _known(low), "high": _known(high)}
        for place, (score, low, high) in enumerate(zip(own.scores, own.low, own.high, strict=True), 1)
    ]
    if own.tags is not None:
        for row, tags in zip(rows, own.tags, strict=True):
            row["tags"] = list(tags)
    return rows


def _score_tsv(estimates: Mapping[str, Estimates]) -> str:
    tagged = any(own.tags is not None for own in estimates.values())
    lines = [tsv_line(["system", "segment", "score", "low", "high", *(["tags"] if tagged else [])])]
    for engine, own in estimates.items():
        for row in _segments(own):
            cells = [engine, *(spelled(row[key]) for key in ("segment", "score", "low", "high"))]
            lines.append(tsv_line([*cells, *([" ".join(row.get("tags", ()))] if tagged else [])]))
    return "".join(lines)


def _interval_facts(own: Estimates) -> dict[str, Any]:
    return {
        "confidence": own.confidence,
        "calibrated_on": own.calibrated_on,
        "calibration_spread": _known(own.spread),
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


def distribution_sections(spread: EstimateDistribution, kind: str, promise: str = "") -> list[Section]:
    """A row an engine: its mean, and the share of its segments that pass each threshold."""
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
        f"{pluralise(count, 'segment')} an engine; shares of those whose estimated {kind} passes. Estimates are drawn "
        "to the middle: shares are those of estimates, and not of what people would say.",
        *([promise] if promise else []),
    )
    return [Section("Shares of segments", (Table(tuple(columns), tuple(rows)),), notes=notes, key="shares")]


def evaluation_forms(result: EstimatorEvaluation, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Estimators held against people."""
    return Forms(
        lambda: evaluation_sections(result),
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "segments": result.segments,
            "units": result.units,
            "good": result.good,
            "higher_is_better": result.higher_is_better,
            "results": [_nulls(asdict(value)) for value in result.values],
            "pairs": [
                _nulls(asdict(pair)) | {"better": pair.better, "sentence": _said(pair)}
                for pair in result.pairs
            ],
            "coverage": {
                "confidence": result.confidence,
                **{name: own.share for name, own in result.coverages.items()},
            },
            "coverage_by_chance": {name: [own.low, own.high] for name, own in result.coverages.items()},
            "coverage_verdicts": {
                name: {"verdict": own.verdict, "sentence": _coverage(name, own, result.confidence)}
                for name, own in result.coverages.items()
            },
            "calibration": {
                name: [_nulls(asdict(item)) for item in bins] for name, bins in result.calibration.items()
            },
            "remarks": list(result.remarks),
            "draws": result.draws,
            "seed": result.seed,
        },
        tsv=lambda: "".join(
            [
                tsv_line(["measure", "estimator", "value", "low", "high"]),
                *(tsv_line([spelled(cell) for cell in asdict(value).values()]) for value in result.values),
            ]
        ),
        html=lambda: qe_page.evaluation_page(
            evaluation_sections(result), result, version=version, inputs=inputs
        ),
    )


def evaluation_sections(result: EstimatorEvaluation) -> list[Section]:
    """A row a measure, a column an estimator; who is better; how calibrated they are."""
    names = list(result.calibration)
    columns = [Column("Measure"), *(Column(name, True) for name in names)]
    rows = []
    for measure, title in TITLES.items():
        own = [value for value in result.values if value.measure == measure]
        better = measure not in ERRORS
        best = best_of([value.value for value in own], 3, higher_is_better=better)
        cells = [
            Cell(f"{number(v.value, 3)} ({number(v.low, 3)} to {number(v.high, 3)})", mark)
            for v, mark in zip(own, best, strict=True)
        ]
        rows.append(Row((Cell(f"{title} {arrow(better)}"), *cells)))
    notes = [
        f"{result.segments:,} segments; 95 % intervals from {result.draws:,} resamples{_of_units(result)}, AUC's by "
        f"its error (seed {result.seed}). Good for MCC and AUC: "
        f"{'at least' if result.higher_is_better else 'at most'} {result.good:g}."
    ]
    notes += result.remarks
    notes += [_coverage(name, own, result.confidence) for name, own in result.coverages.items()]
    parts = [
        Section(
            "Estimators and people", (Table(tuple(columns), tuple(rows)),), notes=tuple(notes), key="measures"
        )
    ]
    if result.pairs:
        parts.append(Section("Which is better", sentences=tuple(map(_said, result.pairs)), key="pairs"))
    return [*parts, *(_calibration(name, result) for name in names)]


def _of_units(result: EstimatorEvaluation) -> str:
    """What was drawn, where it was not segments."""
    if result.units == result.segments:
        return ""
    sources = "source" if result.units == 1 else "sources"
    return f" of {pluralise(result.units, 'document')} or {sources}, whose segments stay together"


def _coverage(name: str, own: Coverage, confidence: float) -> str:
    """What intervals hold, and whether chance explains it."""
    first = f"{name}: {percent(confidence)} intervals hold {100 * own.share:.1f} % of scores"
    by_chance = f"{100 * own.low:.1f} to {100 * own.high:.1f} %"
    if own.verdict == "unknown":
        return f"{first}; there are too few segments or documents to say whether that is what they promise."
    if own.verdict == "kept":
        return f"{first}, as they promise ({by_chance} by chance)."
    spreads = (
        ""
        if math.isnan(own.calibration_spread)
        else f" (standard deviation {number(own.spread, 3)}, theirs {number(own.calibration_spread, 3)})"
    )
    return (
        f"{first}, {own.verdict} than they promise ({by_chance} by chance): scores here are not like those that "
        f"calibrated them{spreads}, which no text shows; judge some of these segments and give them to train "
        "--calibration."
    )


def _said(pair: EstimatorPair) -> str:
    worse = pair.b if pair.better == pair.a else pair.a
    verdict = (
        f"{pair.better} is better than {worse}" if pair.better else f"{pair.a} and {pair.b}: nothing is shown"
    )
    return f"{TITLES[pair.measure]}: {verdict} (Δ {number(abs(pair.delta), 3)}, {p_text(pair.p_adjusted)})."


def _calibration(name: str, result: EstimatorEvaluation) -> Section:
    columns = (Column("segments", True), Column("estimated", True), Column("said by people", True))
    rows = tuple(
        Row(
            (
                Cell(f"{item.segments:,}"),
                Cell(number(item.predicted, 3)),
                Cell(f"{number(item.scores, 3)} ({number(item.low, 3)} to {number(item.high, 3)})"),
            )
        )
        for item in result.calibration[name]
    )
    title = "Calibration" if len(result.calibration) == 1 else f"Calibration of {name}"
    return Section(title, (Table(columns, rows),), key=f"calibration {name}")


def _held_out_r(scores: Any, predicted: Any) -> float:
    return float(pearson(np.asarray(scores), np.asarray(predicted)))


def _nulls(values: dict[str, Any]) -> dict[str, Any]:
    return {key: _known(value) if isinstance(value, float) else value for key, value in values.items()}


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _three(value: float | None) -> str:
    return MISSING if value is None else number(value, 3)
