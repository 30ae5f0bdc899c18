"""A new output against a stored run: has anything become worse that chance does not explain?"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge import workspace
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.groups import labels_of
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured, Pair, TestFacts
from adjudge.comparison.scoring import Progress, Scores, TestSetFacts, score
from adjudge.comparison.verdict import Verdict, comparison_verdict
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.history.merge import NEW, Part, check_alike, part_of
from adjudge.history.stored import Stored, measured_of
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Direction, Rows
from adjudge.stats.design import Design
from adjudge.stats.looks import ONLY_LOOK, Look
from adjudge.stats.sums import total

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Outcome = Literal["better", "same", "worse", "tolerated", "neutral"]
"""`tolerated` is a significant drop below the tolerance, `neutral` a metric of which no direction is better."""


@dataclass(frozen=True)
class Finding:
    """One new system by one metric, beside the stored system it is held against."""

    system: str
    against: str
    metric: str
    label: str
    old: float
    new: float
    delta: float
    """new − old as scored; not turned round where lower is better."""
    low: float
    high: float
    """Interval of delta."""
    p: float
    """Of this look alone."""
    p_adjusted: float
    """For all metrics, systems and looks together: significant below the gate's alpha."""
    significant: bool
    detectable: float
    """The smallest change that this look catches with 80 % power; NaN where nothing varies."""
    verdict: Outcome
    higher_is_better: bool | None
    decimals: int
    signature: str


@dataclass(frozen=True)
class Gate:
    """What a gate found, and whether it lets the new output pass."""

    against: str
    """The file of the stored run."""
    test_set: TestSetFacts
    findings: tuple[Finding, ...]
    test: TestFacts
    tolerance: float
    scores: Scores
    """The new output's own scores, with rows: the next stored run."""
    warnings: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """Of each new system and the stored one: which is better."""
    look: Look = ONLY_LOOK
    """Which look at the stored run this is; its share of alpha is what the findings were tested at."""

    @property
    def design(self) -> Design | None:
        """What the tests rest on; every new system is held against the same test set."""
        return next((own.evidence.design for own in self.verdicts), None)

    @property
    def passed(self) -> bool:
        """Whether no metric shows a significant drop of the tolerance or more."""
        return all(finding.verdict != "worse" for finding in self.findings)


def gate(
    stored: Stored,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metrics: Sequence[str] | None = None,
    plan: Plan | None = None,
    *,
    system: str | None = None,
    tolerance: float = 0.0,
    look: Look | Callable[[], Look] | None = None,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Hold new outputs against a stored run by the metrics of the run, or some of them.

    Each new system is held against the stored one of its name, the only one, or `system`. The plan is that
    of `compare`. With several new systems the correction is for all of them: alpha is shared out evenly. Builds that
    hold one output after another against the same run say which `look` this is; it spends its own share of alpha. A
    function that counts looks is called once everything is scored.
    """
    plan, look = _checked(plan or Plan(), tolerance), look or ONLY_LOOK
    if isinstance(look, Look):
        look.check()
    specs = _chosen(stored, metrics)
    old = part_of(stored, specs)
    pairs = {name: _counterpart(stored, name, system) for name in dict.fromkeys(o.system for o in outputs)}
    with workspace.use(workspace.changed(named_by_file=True)):
        scores = score(test_set, outputs, specs, rows=True, threads=threads, cache=cache, progress=progress)
    new = Part(NEW, scores.test_set, measured_of(scores), labels_of(test_set))
    warnings = dict.fromkeys([*check_alike(old, new), *scores.warnings])
    look = look if isinstance(look, Look) else look()
    look.check()
    labels = {**old.labels, **new.labels}
    shares = len(pairs) if plan.correction != "none" else 1
    findings: list[Finding] = []
    verdicts: list[Verdict] = []
    test: TestFacts | None = None
    for name, counterpart in pairs.items():
        beside = _beside(old, new, name, counterpart, stored.path)
        tested = [measurement for measurement in beside if measurement.higher_is_better is not None]
        own = _shared_plan(plan, shares, look, len(tested), baseline=list(tested[0].rows)[1])
        comparison = compare_measured(tested, new.test_set, labels, own, threads=threads)
        verdicts.append(comparison_verdict(comparison))
        test = _shared_facts(comparison.test, plan, shares, counterpart)
        warnings |= dict.fromkeys(comparison.warnings)
        by_metric = {pair.metric: pair for pair in comparison.pairs}
        findings += [
            _finding(
                measurement, name, counterpart, by_metric.get(measurement.metric), tolerance, shares, look
            )
            for measurement in beside
        ]
    assert test is not None
    facts = (stored.path, new.test_set, tuple(findings), test, tolerance, scores)
    return Gate(*facts, tuple(warnings), tuple(verdicts), look)


def _shared_plan(plan: Plan, shares: int, look: Look, tests: int, *, baseline: str) -> Plan:
    """The plan of one new system: one decision is made of all metrics and systems, which are corrected together."""
    alpha, confidence = plan.alpha / shares, 1 - (1 - plan.confidence) / shares
    trials = trials_at(look, replace(plan, alpha=alpha), tests)
    return replace(
        plan, trials=trials, family="all", alpha=alpha * look.share, confidence=confidence, baseline=baseline
    )


def _shared_facts(test: TestFacts, plan: Plan, shares: int, baseline: str) -> TestFacts:
    """How all new systems were tested together."""
    together = test.comparisons * shares
    return replace(
        test, alpha=plan.alpha, confidence=plan.confidence, comparisons=together, baseline=baseline
    )


def trials_at(look: Look, plan: Plan, tests: int) -> int | None:
    """How many trials a look needs; None where the plan itself knows: for a bootstrap and for the only look."""
    if plan.trials or look.only or plan.method != "randomisation":
        return plan.trials
    return look.trials(plan.alpha, 1 if plan.correction == "none" else tests)


def rows_digest(rows: Mapping[Any, Rows]) -> str:
    """A digest of rows by which looks at the same baseline are known."""
    parts = (f"{key}{own.shape}".encode() + own.tobytes() for key, own in rows.items())
    return digest(sorted(parts))


def digest(parts: Iterable[bytes]) -> str:
    """The SHA-256 of several parts, each with its length before it."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def _checked(plan: Plan, tolerance: float) -> Plan:
    if plan.baseline is not None or plan.by:
        raise UsageError("a gate has the stored run for a baseline and looks at all segments at once")
    check_tolerance(tolerance)
    return plan


def _chosen(stored: Stored, metrics: Sequence[str] | None) -> list[str]:
    specs = list(stored.metrics)
    if metrics is not None:
        specs = list(dict.fromkeys(metric_of(text).spec for text in metrics))
        for spec in specs:
            if spec not in stored.metrics:
                raise unknown_name(f"metric in {stored.path}", spec, stored.metrics)
    if all(metric_of(spec).direction is Direction.NEITHER for spec in specs):
        raise UsageError(f"no direction of {', '.join(specs)} is better, so nothing can become worse")
    return specs


def _counterpart(stored: Stored, name: str, wanted: str | None) -> str:
    """The stored system that a new one is held against."""
    systems = stored.systems
    if wanted is not None:
        if wanted not in systems:
            raise unknown_name(f"system in {stored.path}", wanted, systems)
        return wanted
    if name in systems:
        return name
    if len(systems) == 1:
        return systems[0]
    raise UsageError(
        f"{stored.path} holds several systems, none called {name!r}: {', '.join(systems)}; "
        "say which one to hold the new output against: --system NAME"
    )


def _beside(old: Part, new: Part, name: str, counterpart: str, path: str) -> list[Measured]:
    """The two systems by every metric: the new one first, the old one under a name of its own."""
    own = f"{counterpart} ({path})"
    by_metric = {measurement.metric: measurement for measurement in old.measured}
    return [
        replace(
            measurement,
            rows={name: measurement.rows[name], own: by_metric[measurement.metric].rows[counterpart]},
            runs={name: measurement.runs[name], own: by_metric[measurement.metric].runs[counterpart]},
        )
        for measurement in new.measured
    ]


def _finding(
    measured: Measured,
    name: str,
    counterpart: str,
    pair: Pair | None,
    tolerance: float,
    shares: int,
    look: Look,
) -> Finding:
    new, old = (
        float(np.mean([measured.aggregate(total(run)) for run in runs])) for runs in measured.rows.values()
    )
    for value, whose in ((new, f"the new output of {name}"), (old, f"the stored output of {counterpart}")):
        if math.isnan(value):
            raise DataError(f"{whose} has no score by {measured.metric}; nothing can be compared")
    significant = pair is not None and pair.significant
    missing = math.nan
    return Finding(
        system=name,
        against=counterpart,
        metric=measured.metric,
        label=measured.label,
        old=old,
        new=new,
        delta=new - old,
        low=pair.low if pair else missing,
        high=pair.high if pair else missing,
        p=pair.p if pair else missing,
        p_adjusted=look.over_looks(pair.p_adjusted * shares) if pair else missing,
        significant=significant,
        detectable=pair.detectable if pair else missing,
        verdict=verdict_of(new - old, measured.higher_is_better, tolerance, significant=significant),
        higher_is_better=measured.higher_is_better,
        decimals=measured.decimals,
        signature=measured.signature,
    )


def verdict_of(
    delta: float, higher_is_better: bool | None, tolerance: float, *, significant: bool
) -> Outcome:
    """What new − old means for a gate."""
    if higher_is_better is None:
        return "neutral"
    if not significant:
        return "same"
    if (delta > 0) == higher_is_better:
        return "better"
    return "worse" if abs(delta) >= tolerance else "tolerated"


def check_tolerance(tolerance: float) -> None:
    """Refuse what is no size of a drop."""
    if not 0 <= tolerance < math.inf:
        raise UsageError(f"tolerance={tolerance}: must be a number from 0 up")
