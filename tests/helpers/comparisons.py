"""Comparisons made by hand for tests of what is said and shown about them: scores in, a whole result out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import NormalDist

from hypothesis import strategies as st

from adjudge.comparison import Comparison, Pair, SegmentGroup, Standing, TestFacts, TestSetFacts
from adjudge.comparison.claims import claims
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.stats.design import Design, Grouping

FACTS = TestSetFacts("news", 173, 1, "0123456789abcdef" * 4)
LABELS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER", "length-ratio": "length ratio"}
HIGHER = {"ter": False, "length-ratio": None}
NUMBERS = st.floats() | st.sampled_from([0.0, 1.0, math.nan, math.inf, -math.inf])
WHOLE = st.integers(0, 1000)
TEST = TestFacts(
    method="randomisation",
    trials=10_000,
    resamples=1000,
    sampling="bootstrap",
    interval="test",
    confidence=0.95,
    seed=12345,
    unit="segment",
    strata=None,
    correction="holm",
    comparisons=1,
    alpha=0.05,
    baseline=None,
)


def comparison(
    scores: Mapping[str, Mapping[str, float]],
    *,
    error: float = 0.4,
    runs: Mapping[str, int] | None = None,
    by: Mapping[str, Sequence[str]] | None = None,
    caveats: bool = True,
    **test: object,
) -> Comparison:
    """Metric → system → score; every difference has the standard error `error`, and p comes from a normal."""
    facts = replace(TEST, **test)  # type: ignore[arg-type]
    pairs = _pairs(scores, error, facts)
    facts = replace(facts, comparisons=max(1, len(pairs)))
    results = tuple(
        _standing(metric, system, score, error, pairs, value, facts, (runs or {}).get(system, 1))
        for metric, value in scores.items()
        for system, score in value.items()
    )
    design = Design(facts.unit, FACTS.segments)
    sentences = claims(PairwiseView(tuple(results), tuple(pairs), facts), design, caveats=caveats)
    groups = [
        SegmentGroup(
            {label: value}, 40, results, pairs, ("A claim of this group.",), replace(design, units=40)
        )
        for label, values in (by or {}).items()
        for value in values
    ]
    everything = (SegmentGroup({}, FACTS.segments, results, pairs, sentences, design),) if groups else ()
    return Comparison({FACTS.name: FACTS}, results, pairs, facts, sentences, design, (*everything, *groups))


def many(systems: int, metrics: Sequence[str] = ("bleu", "chrf", "ter")) -> Comparison:
    """Any number of systems, some close together and some apart."""
    names = [f"system-{chr(65 + i)}" if i < 26 else f"system-{i}" for i in range(systems)]

    def score(metric: str, place: int) -> float:
        base = 50 - 0.5 * place - (0.8 * place if metric != "chrf" else 0.3 * place * (place % 3))
        if metric == "length-ratio":
            return 1 + 0.01 * place
        return 100 - base if metric == "ter" else base

    return comparison({m: {n: score(m, i) for i, n in enumerate(names)} for m in metrics})


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    """Any comparison there could be, and many that there could not: nothing may fail over one."""
    names = draw(st.lists(st.text(max_size=8), min_size=1, max_size=5, unique=True))
    metrics = draw(st.lists(st.sampled_from(sorted(LABELS)), min_size=1, max_size=3, unique=True))
    baseline = draw(st.none() | st.sampled_from(names))
    results = [draw(_standings(name, metric)) for metric in metrics for name in names]
    pairs = [
        draw(_any_pair(metric, a, b))
        for metric in metrics
        for a, b in combinations(names, 2)
        if baseline is None or baseline in (a, b)
    ]
    pairs = pairs[: draw(st.integers(0, len(pairs)))]
    correction = draw(st.sampled_from(["holm", "bh", "none"]))
    facts = replace(TEST, baseline=baseline, correction=correction, comparisons=len(pairs))
    grouping = st.builds(Grouping, st.sampled_from(["document", "annotator"]), WHOLE, NUMBERS)
    design = Design("segment", draw(WHOLE), groupings=tuple(draw(st.lists(grouping, max_size=2))))
    sentences = claims(PairwiseView(tuple(results), tuple(pairs), facts), design)
    values = [{}, {draw(st.text(max_size=4)): draw(st.text(max_size=4))}] if draw(st.booleans()) else []
    groups = tuple(SegmentGroup(by, 3, tuple(results), tuple(pairs), sentences, design) for by in values)
    return Comparison(
        {FACTS.name: FACTS}, tuple(results), tuple(pairs), facts, sentences, design, groups, ("a warning",)
    )


def _standings(name: str, metric: str) -> st.SearchStrategy[Standing]:
    places = st.none() | st.tuples(WHOLE, WHOLE)
    return st.builds(
        Standing,
        system=st.just(name),
        metric=st.just(metric),
        label=st.just(LABELS[metric]),
        score=NUMBERS,
        low=NUMBERS,
        high=NUMBERS,
        deviation=NUMBERS,
        signature=st.text(max_size=5),
        higher_is_better=st.just(HIGHER.get(metric, True)),
        decimals=st.integers(0, 4),
        cluster=st.none() | st.integers(1, 5),
        rank=places,
        rank_interval=places,
        runs=st.integers(1, 4),
        run_deviation=st.none() | NUMBERS,
        run_scores=st.just(()),
    )


def _any_pair(metric: str, a: str, b: str) -> st.SearchStrategy[Pair]:
    p = st.sampled_from([math.nan, 1e-4, 0.03, 0.7, 1.0])
    same = {"metric": st.just(metric), "a": st.just(a), "b": st.just(b)}
    numbers = dict.fromkeys(
        ("delta", "low", "high", "effect", "better_on", "worse_on", "detectable"), NUMBERS
    )
    counts = dict.fromkeys(("wins", "ties", "losses"), WHOLE)
    return st.builds(Pair, p=p, p_adjusted=p, significant=st.booleans(), **same, **numbers, **counts)


def _pairs(scores: Mapping[str, Mapping[str, float]], error: float, facts: TestFacts) -> tuple[Pair, ...]:
    raw = []
    for metric, score in scores.items():
        for a, b in combinations(score, 2):
            if facts.baseline is None or facts.baseline in (a, b):
                first, second = (b, a) if facts.baseline == a else (a, b)
                raw.append((metric, first, second, score[first] - score[second]))
    ps = [1.0 if d == 0 else math.nan if math.isnan(d) else _p(d / error) for *_, d in raw]
    adjusted = _holm(ps) if facts.correction == "holm" else ps
    return tuple(
        _pair(metric, a, b, delta, p, q, error, facts)
        for (metric, a, b, delta), p, q in zip(raw, ps, adjusted, strict=True)
    )


def _pair(
    metric: str, a: str, b: str, delta: float, p: float, q: float, error: float, facts: TestFacts
) -> Pair:
    good = HIGHER.get(metric, True) is not False
    share = 0.5 if math.isnan(delta) else NormalDist().cdf((delta if good else -delta) / error)
    ties = facts.resamples if delta == 0 else 0
    wins = 0 if ties else round(share * facts.resamples)
    return Pair(
        metric=metric,
        a=a,
        b=b,
        delta=delta,
        low=delta - 1.96 * error,
        high=delta + 1.96 * error,
        p=p,
        p_adjusted=q,
        wins=wins,
        ties=ties,
        losses=facts.resamples - wins - ties,
        significant=q <= facts.alpha,
        effect=delta if good else -delta,
        better_on=0.0 if delta == 0 else 0.3,
        worse_on=0.0 if delta == 0 else 0.2,
        detectable=2.8 * error,
    )


def _p(z: float) -> float:
    return max(2 * (1 - NormalDist().cdf(abs(z))), 1 / 10_001)


def _holm(ps: list[float]) -> list[float]:
    order = sorted((p, i) for i, p in enumerate(ps) if not math.isnan(p))
    adjusted, running = list(ps), 0.0
    for place, (p, i) in enumerate(order):
        running = max(running, min(1.0, p * (len(order) - place)))
        adjusted[i] = running
    return adjusted


def _standing(
    metric: str,
    system: str,
    score: float,
    error: float,
    pairs: tuple[Pair, ...],
    result: Mapping[str, float],
    facts: TestFacts,
    runs: int,
) -> Standing:
    higher = HIGHER.get(metric, True)
    ranked = facts.baseline is None and higher is not None and not math.isnan(score)
    return Standing(
        system=system,
        metric=metric,
        label=LABELS[metric],
        score=score,
        low=score - 4 * error,
        high=score + 4 * error,
        deviation=2 * error,
        signature=f"nrefs:1|case:{'lc' if metric == 'ter' else 'mixed'}|version:x",
        higher_is_better=higher,
        decimals=3 if metric == "length-ratio" else 1,
        cluster=_clusters(metric, result, pairs)[system] if ranked else None,
        rank=_rank(metric, system, result, pairs) if ranked else None,
        rank_interval=_rank(metric, system, result, pairs) if ranked else None,
        runs=runs,
        run_deviation=0.37 if runs > 1 else None,
        run_scores=tuple(score + i - (runs - 1) / 2 for i in range(runs)) if runs > 1 else (),
    )


def _wins(metric: str, pairs: tuple[Pair, ...]) -> list[tuple[str, str]]:
    higher = HIGHER.get(metric, True)
    significant = [p for p in pairs if p.metric == metric and p.significant]
    return [(p.a, p.b) if (p.delta > 0) == higher else (p.b, p.a) for p in significant]


def _rank(metric: str, system: str, result: Mapping[str, float], pairs: tuple[Pair, ...]) -> tuple[int, int]:
    wins = _wins(metric, pairs)
    return 1 + sum(b == system for _, b in wins), len(result) - sum(a == system for a, _ in wins)


def _clusters(metric: str, result: Mapping[str, float], pairs: tuple[Pair, ...]) -> dict[str, int]:
    wins = _wins(metric, pairs)
    ranked = sorted((n for n in result if not math.isnan(result[n])), key=result.__getitem__)
    if HIGHER.get(metric, True):
        ranked.reverse()
    clusters, number = {}, 1
    for place, name in enumerate(ranked):
        clusters[name] = number
        above, below = ranked[: place + 1], ranked[place + 1 :]
        number += all((a, b) in wins for a in above for b in below) and bool(below)
    return clusters
