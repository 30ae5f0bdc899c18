"""Planted errors: does a metric prefer the good translation? Rows are (win, 1), so that shares are sums of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison import score
from adjudge.data import Outputs, TestSet
from adjudge.data.challenges import BASELINE, ChallengeSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.meta.challenge_result import ChallengePart, ChallengePreference, ChallengeResult
from adjudge.meta.computed import LENGTH, SOURCE
from adjudge.meta.results import MetricPair
from adjudge.metrics import metric as metric_of
from adjudge.stats import multiple
from adjudge.stats.intervals import share_of
from adjudge.stats.resampling import tolerance
from adjudge.stats.significance import significant
from adjudge.stats.tests.systems.base import SystemRows, TestOptions
from adjudge.stats.tests.systems.randomisation import Randomisation
from adjudge.stats.units import Units
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache
    from adjudge.metrics.base import Metric

Array = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
ALL = "all errors"
TRIALS = 10_000
FEW = 20
"""Items below which nothing is tested."""


def run_challenge(
    challenge: ChallengeSet,
    metrics: Sequence[Metric] = (),
    *,
    lower_metrics: Sequence[str] = (),
    sentinels: bool = True,
    alpha: float = 0.05,
    seed: int = 12345,
    cache: RowCache | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> ChallengeResult:
    """How often metrics of adjudge, and those whose scores come with the set, prefer the good translation.

    `lower_metrics` names those that come with the set and are better the smaller they are. Items whose translations
    are the same say nothing and are left out. Sentinels ride along: the shorter translation, and the one more like the
    source.
    """
    if not metrics and not challenge.scores:
        raise UsageError("no metric: name one with -m, or give scores in columns NAME-good and NAME-bad")
    for name in lower_metrics:
        if name not in challenge.scores:
            raise unknown_name("metric of which lower is better", name, challenge.scores)
    for metric in metrics:
        for what, column, own in (
            ("references", "reference", challenge.references),
            ("sources", "source", challenge.sources),
        ):
            if what in metric.needs and own is None:
                raise UsageError(
                    f"{metric.title} needs a column {column!r}, which a file has not; add it, or -m a metric without"
                )
    challenge, notes = _with_errors(challenge)
    leads = {
        name: (-1 if name in lower_metrics else 1) * _lead(values.good, values.bad)
        for name, values in challenge.scores.items()
    }
    for step, metric in enumerate(metrics):
        if progress:
            progress(metric.label, step, len(metrics))
        name = metric.spec if metric.spec not in leads else f"{metric.spec} (computed)"
        leads[name] = _compute_preferences(challenge, metric, cache, threads)
    sentinel_scores = _sentinels(challenge, cache, threads) if sentinels else {}
    result = _result(
        challenge, {**leads, **sentinel_scores}, tuple(sentinel_scores), notes, alpha, seed, threads
    )
    return replace(result, sentinels=tuple(sentinel_scores))


def _sentinels(challenge: ChallengeSet, cache: RowCache | None, threads: int) -> dict[str, Array]:
    """What is no metric: minus the number of characters, and likeness to the source where there is one."""
    lengths = [np.array([-float(len(text)) for text in column]) for column in (challenge.good, challenge.bad)]
    leads = {LENGTH: _lead(*lengths)}
    if challenge.sources is not None:
        copied = replace(challenge, references=challenge.sources)
        leads[SOURCE] = _compute_preferences(copied, metric_of("chrf"), cache, threads)
    return leads


def _with_errors(challenge: ChallengeSet) -> tuple[ChallengeSet, list[str]]:
    """The items whose translations differ, and what was left out."""
    rows = [i for i, (a, b) in enumerate(zip(challenge.good, challenge.bad, strict=True)) if a != b]
    if not rows:
        raise DataError(
            "in every item the good and the bad translation are the same: nothing can be preferred"
        )
    notes = []
    if len(rows) < len(challenge):
        notes.append(
            f"{pluralise(len(challenge) - len(rows), 'item')} of {len(challenge):,} left out: the same text twice, "
            "with no error in it"
        )
    kept = challenge.take(rows)
    if baselines := kept.severities.count(BASELINE):
        notes.append(
            f"{pluralise(baselines, 'item')} of severity {BASELINE!r}, no errors but a proof that a metric works, "
            f"do not count in {ALL!r}"
        )
    as_bad = sum(b == r for b, r in zip(kept.bad, kept.references or (), strict=False))
    if as_bad:
        notes.append(
            f"in {pluralise(as_bad, 'item')} the bad translation is the reference itself, which "
            "metrics that read it prefer"
        )
    return kept, notes


def _lead(good: Array, bad: Array) -> Array:
    """1 where the good one scores more, −1 where less, 0 where scores are the same but for rounding."""
    scale = np.maximum(np.abs(good), np.abs(bad))
    near = np.abs(good - bad) <= tolerance(1.0) * scale
    return np.where(near, 0.0, np.sign(good - bad))


def _compute_preferences(
    challenge: ChallengeSet, metric: Metric, cache: RowCache | None, threads: int
) -> Array:
    """Which text a metric of adjudge prefers, language by language; a text that stands there twice is scored once."""
    lead = np.empty(len(challenge))
    languages = challenge.languages or ("",) * len(challenge)
    for language in dict.fromkeys(languages):
        rows = [i for i, own in enumerate(languages) if own == language]
        lead[rows] = _of_language(challenge.take(rows), metric, language, cache, threads)
    return lead


def _of_language(
    challenge: ChallengeSet, metric: Metric, language: str, cache: RowCache | None, threads: int
) -> Array:
    n = len(challenge)
    sources, references = challenge.sources or ("",) * n, challenge.references or ("",) * n
    items = [*zip(sources, references, challenge.good, strict=True)]
    items += zip(sources, references, challenge.bad, strict=True)
    place = {item: at for at, item in enumerate(dict.fromkeys(items))}
    test_set = TestSet(
        references=() if challenge.references is None else (tuple(reference for _, reference, _ in place),),
        sources=None if challenge.sources is None else tuple(source for source, *_ in place),
        language=language,
    )
    outputs = Outputs("challenge", tuple(text for *_, text in place))
    (result,) = score(test_set, outputs, metric, segments=True, cache=cache, threads=threads).results
    if result.higher_is_better is None:
        raise UsageError(f"{metric.label} is not better either way: it cannot prefer a translation")
    assert result.segments is not None  # they were asked for
    scores = np.array(result.segments)[[place[item] for item in items]]
    if np.isnan(scores).any():
        at = int(np.argmax(np.isnan(scores))) % n
        raise DataError(f"{metric.label} has no score of {challenge.good[at][:60]!r} or its bad twin")
    return (1 if result.higher_is_better else -1) * _lead(scores[:n], scores[n:])


def _parts(challenge: ChallengeSet) -> list[tuple[ChallengePart, NDArray[np.intp]]]:
    """All errors, severities and phenomena, in the order of the files, with their items."""
    severities = np.array(challenge.severities or ("",) * len(challenge), object)
    phenomena = np.array(challenge.phenomena, object)
    parts = [("all", ALL, severities != BASELINE)]
    named = [name for name in dict.fromkeys(severities) if name]
    parts += [("severity", name, severities == name) for name in named if name != BASELINE]
    parts += [("phenomenon", name, phenomena == name) for name in dict.fromkeys(phenomena)]
    chosen = []
    for kind, name, mask in parts:
        rows = np.flatnonzero(mask)
        kinds = set(severities[rows])
        if len(rows):
            severity = kinds.pop() if kind == "phenomenon" and len(kinds) == 1 else ""
            chosen.append((ChallengePart(kind, name, len(rows), severity), rows))
    return chosen


def _result(
    challenge: ChallengeSet,
    leads: dict[str, Array],
    sentinels: tuple[str, ...],
    notes: list[str],
    alpha: float,
    seed: int,
    threads: int,
) -> ChallengeResult:
    parts = _parts(challenge)
    _, units = np.unique(np.array(challenge.units(), object), return_inverse=True)
    names = sorted(
        leads, key=lambda name: (name in sentinels, -float((leads[name][parts[0][1]] > 0).mean()), name)
    )
    preferences = []
    for part, rows in parts:
        for name in names:
            metric_leads = leads[name][rows]
            share = share_of(metric_leads > 0, units[rows], alpha=alpha)
            wins, ties, losses = (int((metric_leads == sign).sum()) for sign in (1, 0, -1))
            preferences.append(
                ChallengePreference(name, part, wins, ties, losses, share.value, share.low, share.high)
            )
    tested = [(part, rows) for part, rows in parts if len(set(units[rows])) >= FEW]
    untested = [part.name for part, rows in parts if len(set(units[rows])) < FEW]
    metrics = [name for name in names if name not in sentinels]
    if untested and len(metrics) > 1:
        notes.append(f"fewer than {FEW} sources, metrics not tested: {', '.join(untested)}")
    pairs = _tests(metrics, leads, tested, units, alpha, seed, threads)
    return ChallengeResult(
        challenge.name,
        tuple(names),
        tuple(part for part, _ in parts),
        tuple(preferences),
        tuple(pairs),
        tuple(notes),
        alpha,
    )


def win_share(sums: Array) -> Array:
    """The share of wins from sums of rows (win, 1)."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _tests(
    names: Sequence[str],
    leads: dict[str, Array],
    parts: Sequence[tuple[ChallengePart, NDArray[np.intp]]],
    units: NDArray[np.intp],
    alpha: float,
    seed: int,
    threads: int,
) -> list[tuple[ChallengePart, MetricPair]]:
    """All pairs of metrics on every part: whole sources are swapped, p-values corrected for each kind of part."""
    couples = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    tests: list[tuple[ChallengePart, MetricPair]] = []
    for kind in ("all", "severity", "phenomenon"):
        of_kind: list[tuple[ChallengePart, MetricPair]] = []
        number = len(couples) * sum(part.kind == kind for part, _ in parts)
        for part, rows in parts:
            if part.kind != kind or not couples:
                continue
            wins = [np.stack([leads[name][rows] > 0, np.ones(len(rows))], axis=1) for name in names]
            trials = max(TRIALS, multiple.enough_trials(number, alpha))
            sources = Units.of(len(rows), [str(unit) for unit in units[rows]])
            tested = Randomisation().run(
                SystemRows([(table.astype(np.float64),) for table in wins], win_share, couples, sources),
                TestOptions(trials, seed, threads=threads),
            )
            shares = [float(table[:, 0].mean()) for table in wins]
            for (a, b), p in zip(couples, tested.p_values, strict=True):
                of_kind.append(
                    (part, MetricPair(names[a], names[b], shares[a] - shares[b], p, math.nan, False))
                )
        adjusted = multiple.adjust_p_values([pair.p for _, pair in of_kind])
        tests += [
            (part, replace(pair, p_adjusted=float(value), significant=significant(float(value), alpha)))
            for (part, pair), value in zip(of_kind, adjusted, strict=True)
        ]
    return tests
