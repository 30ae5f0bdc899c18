"""sacreBLEU's paired tests: `PairedTest` with its `Result`s, and `estimate_ci`.

The definitions are sacreBLEU's, seed and draws included. Each system is compared with the first one, the baseline.
`adjudge compare` has tests of its own, of all pairs and with a two-sided bootstrap.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.compat.sacrebleu._resampling import (
    Rows,
    bootstrap_sums,
    seed_of_the_environment,
    swapped_sums,
)
from adjudge.compat.sacrebleu.metrics.base import Metric, Prepared, References, Signature
from adjudge.errors import UsageError
from adjudge.stats.draws import Generator, generator

sacrelogger = logging.getLogger("sacrebleu")

CLOSE = 1e-6
"""Differences nearer to each other than this are told apart by scores that are exact to the last bit."""


class Result:
    """A system's score with what a test found: the p-value (not for the baseline), resampled mean and margin."""

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value!s}" for name, value in vars(self).items())


def estimate_ci(scores: Sequence[float] | NDArray[Any]) -> tuple[Any, Any]:
    """Mean of resampled scores, and half the width of their central 95 %."""
    ordered = np.sort(scores)
    tail = len(ordered) // 40  # 2.5 % on each side
    half = ordered.dtype.type(0.5) * (ordered[len(ordered) - tail - 1] - ordered[tail])
    return ordered.mean(), half


class System(NamedTuple):
    """A system's rows and score by one metric."""

    rows: Rows
    score: float


Group = Sequence[Mapping[str, System]]
"""Systems that are tested with the same draws, by the names of metrics."""


class PairedTest:
    """A paired test of every system against the first: `ar`, approximate randomisation, or `bs`, the bootstrap.

    `n_samples` 0 means 10,000 trials or 1,000 resamples; `n_ar_confidence` asks for bootstrapped intervals beside the
    randomisation (0: 1,000 resamples, below: none). The seed is the environment's SACREBLEU_SEED. `n_jobs` changes
    nothing but a line of the log: all systems are resampled together.
    """

    _DEFAULT_SAMPLES: Mapping[str, int] = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: References | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise UsageError(f"test_type={test_type!r}: must be ar or bs")
        if n_jobs < 0:
            raise UsageError(f"n_jobs={n_jobs}: must be 0 or more")
        self.test_type = test_type
        self.named_systems = named_systems
        self.references = references
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_systems = len(named_systems) - 1
        self.n_jobs = n_jobs or max(min((os.cpu_count() or 1) // 2, self.n_systems), 1)
        self._seed = seed_of_the_environment().value
        self.metrics: dict[str, Metric[Any]] = {}
        self._prepared: dict[str, Prepared | None] = {}
        self._baseline: dict[str, System] = {}
        self._signatures: dict[str, Signature] = {}
        name, hypotheses = named_systems[0]
        for key, metric in metrics.items():
            sacrelogger.info(f"Pre-computing {key} statistics for {name!r}")
            prepared = metric._cache_references(references) if references else None
            system, title = _score(metric, hypotheses, prepared)
            self.metrics[title] = metric
            self._prepared[title] = prepared
            self._baseline[title] = system
            self._signatures[title] = self._signature(metric)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the test: signatures by metric, and columns of results under `System` and the metrics' names."""
        if self.n_jobs != 1:
            sacrelogger.info(f"Launching {self.n_jobs} parallel workers.")
        systems = [self._scores_of(*named) for named in self.named_systems[1:]]
        # sacreBLEU tests every system with the same draws, unless the seed is none (or 0: it takes that for none).
        groups = [systems] if self._seed or not systems else [[system] for system in systems]
        results = self._bootstrap(groups) if self.test_type == "bs" else self._randomise(groups)
        return self._signatures, {"System": [name for name, _ in self.named_systems], **results}

    def _signature(self, metric: Metric[Any]) -> Signature:
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def _scores_of(self, name: str, hypotheses: Sequence[str]) -> dict[str, System]:
        systems = {}
        for title, metric in self.metrics.items():
            sacrelogger.info(f"Computing {title} for {name!r} and extracting sufficient statistics")
            systems[title], _ = _score(metric, hypotheses, self._prepared[title])
            if self.test_type == "bs":
                work = f"paired bootstrap resampling test (# resamples: {self.n_samples})"
            else:
                work = f"approximate randomization test (# trials: {self.n_samples})"
            sacrelogger.info(f" > Performing {work}")
            if self.test_type == "ar" and self.n_ar_confidence > 0:
                work = f"bootstrap resampling for confidence interval (# resamples: {self.n_ar_confidence})"
                sacrelogger.info(f" > Performing {work}")
        return systems

    def _bootstrap(self, groups: Sequence[Group]) -> dict[str, list[Result]]:
        columns: dict[str, list[Result]] = {title: [] for title in self.metrics}
        for group in groups:
            rng = generator(self._seed or None)
            baseline, *others = self._resampled(rng, [self._baseline, *group], self.n_samples)
            for title, first in self._baseline.items():
                for system, scores in zip(group, others, strict=True):
                    second = system[title]
                    differences = np.abs(scores[title] - baseline[title])
                    centred = differences - differences.mean()
                    p = _p_value(centred > centred.dtype.type(abs(first.score - second.score)))
                    columns[title].append(Result(second.score, p, *estimate_ci(scores[title])))
        if not self._seed:
            baseline = self._resample_baseline(self.n_samples)
        for title, first in self._baseline.items():
            columns[title].insert(0, Result(first.score, None, *estimate_ci(baseline[title])))
        return columns

    def _randomise(self, groups: Sequence[Group]) -> dict[str, list[Result]]:
        columns = {title: [Result(first.score)] for title, first in self._baseline.items()}
        resampled = [self._resample_baseline(self.n_ar_confidence)] if self.n_ar_confidence > 0 else []
        for group in groups:
            rng = generator(self._seed or None)
            compared = [(title, system[title]) for title in self.metrics for system in group]
            pairs = [(self._baseline[title].rows, system.rows) for title, system in compared]
            sides = swapped_sums(rng, pairs, self.n_samples) if pairs else []
            for (title, second), (here, other_sums) in zip(compared, sides, strict=True):
                difference = abs(self._baseline[title].score - second.score)
                p = _p_value(_further_apart(self.metrics[title], here, other_sums, difference))
                columns[title].append(Result(second.score, p))
            if self.n_ar_confidence > 0 and group:
                resampled += self._resampled(rng, group, self.n_ar_confidence)
        for title in self.metrics if resampled else ():
            for result, scores in zip(columns[title], resampled, strict=True):
                result.mean, result.ci = estimate_ci(scores[title])
        return columns

    def _resample_baseline(self, resamples: int) -> dict[str, NDArray[Any]]:
        return self._resampled(generator(self._seed), [self._baseline], resamples)[0]

    def _resampled(self, rng: Generator, systems: Group, resamples: int) -> list[dict[str, NDArray[Any]]]:
        """Scores of every system by every metric on the same resamples."""
        titles = list(self.metrics)
        sums = iter(
            bootstrap_sums(rng, [system[title].rows for system in systems for title in titles], resamples)
        )
        return [{title: self.metrics[title]._resampled(next(sums)) for title in titles} for _ in systems]


def _score(metric: Metric[Any], hypotheses: Sequence[str], prepared: Prepared | None) -> tuple[System, str]:
    rows = metric._rows(hypotheses, prepared, threads=0)
    score = metric._compute_score_from_stats(metric._as_lists(rows.sum(0, keepdims=True))[0])
    return System(rows, score.score), score.name


def _further_apart(metric: Metric[Any], first: Rows, second: Rows, difference: float) -> NDArray[np.bool_]:
    """Which trials set the two sides further apart than the systems are."""
    apart = np.abs(metric._nearly(first) - metric._nearly(second))
    close = np.abs(apart - difference) < CLOSE
    if close.any():
        apart[close] = np.abs(metric._resampled(first[close]) - metric._resampled(second[close]))
    return apart > difference


def _p_value(exceeding: NDArray[np.bool_]) -> float:
    """Share of samples that exceed what was seen, which itself counts as one of them."""
    return (int(exceeding.sum()) + 1) / (len(exceeding) + 1)
