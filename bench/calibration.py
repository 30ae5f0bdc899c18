"""Simulates test sets to see whether tests and intervals keep what they promise: the tables of docs/statistics.md.

make calibration     some minutes; real rows where the shared data are (ADJUDGE_SHARED), synthetic ones anyway
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.metrics import metric as metric_of
from adjudge.stats import resampling
from adjudge.stats.runs import stratified_randomisation
from adjudge.stats.units import Units

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))

ALPHA = 0.05
SIMULATIONS = 10_000
"""One per cent is more than four standard errors of a share of 5 %; intervals are allowed two, and take half."""
SEGMENTS = 300
DOCUMENTS = 100
FEW = (10, 20, 30, 60, 100)
RESAMPLES = 600
WORKERS = 2
SAMPLING = ("bootstrap",)

Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Population:
    """All the segments there are, of which test sets are drawn, with the rows of two systems or more."""

    name: str
    aggregate: Callable[[Rows], Rows]
    systems: Sequence[Rows]
    documents: Sequence[NDArray[np.intp]] = ()
    """The segments of each document, where whole documents are drawn."""
    size: int = DOCUMENTS
    """How many documents a test set has."""

    def score(self, system: int) -> float:
        return float(self.aggregate(self.systems[system].sum(0)))


@dataclass
class Share:
    """How often something happened in simulations."""

    name: str
    times: int = 0
    simulations: int = 0

    def add(self, happened: bool) -> None:
        self.times += happened
        self.simulations += 1

    @property
    def percent(self) -> float:
        return 100 * self.times / self.simulations

    @property
    def error(self) -> float:
        """The Monte-Carlo standard error, in per cent."""
        share = self.times / self.simulations
        return float(100 * np.sqrt(share * (1 - share) / self.simulations))


@dataclass
class Shares:
    """Shares by name, in the order of their first appearance."""

    found: dict[str, Share] = field(default_factory=dict)

    def add(self, outcomes: dict[str, bool]) -> None:
        for name, happened in outcomes.items():
            self.found.setdefault(name, Share(name)).add(happened)

    def __getitem__(self, name: str) -> Share:
        return self.found[name]

    def __iter__(self) -> Iterator[Share]:
        return iter(self.found.values())


def simulated(one: Callable[[int], dict[str, bool]], simulations: int) -> Shares:
    """The shares over so many simulations, each with a seed of its own."""
    shares = Shares()
    with ThreadPoolExecutor(WORKERS) as pool:
        for outcomes in pool.map(one, range(simulations)):
            shares.add(outcomes)
    return shares


# Tests where there is no difference ---------------------------------------------------------------------------


def rejections(population: Population, simulations: int, segments: int = SEGMENTS) -> Shares:
    """How often each test finds a difference at 0.05 between systems that were swapped by a coin everywhere."""
    return simulated(partial(_rejected, population, segments), simulations)


def _rejected(population: Population, segments: int, seed: int) -> dict[str, bool]:
    rng = np.random.default_rng([seed, 1])
    drawn = rng.integers(len(population.systems[0]), size=segments)
    swap = rng.integers(2, size=segments).astype(bool)[:, None]
    a, b = (population.systems[s][drawn] for s in (0, 1))
    return _tests(np.where(swap, b, a), np.where(swap, a, b), population.aggregate, seed)


def _tests(
    a: Rows,
    b: Rows,
    aggregate: Callable[[Rows], Rows],
    seed: int,
    units: Units | None = None,
    samplings: Sequence[str] = resampling.SAMPLINGS,
) -> dict[str, bool]:
    options = {"seed": seed, "threads": 1, "units": units}
    randomised = resampling.randomisation(a, b, aggregate, trials=RESAMPLES, **options)
    found = {"randomisation": randomised.p}
    delta = randomised.delta
    for sampling in samplings:
        scores = resampling.resampled_scores(
            [a, b], aggregate, resamples=RESAMPLES, sampling=sampling, **options
        )
        differences = scores[:, 0] - scores[:, 1]
        found[sampling] = resampling.bootstrap_p(delta, differences, units=units.count if units else len(a))
        if sampling == "bootstrap":
            found["moses"] = resampling.bootstrap_p(delta, differences, definition="moses")
    return {name: p < ALPHA for name, p in found.items()}


# Intervals ----------------------------------------------------------------------------------------------------


def coverage(population: Population, simulations: int, segments: int = SEGMENTS) -> Shares:
    """How often 95 % intervals hold the score, and the difference of scores, of the whole population."""
    return simulated(partial(_covered, population, segments), simulations)


def _covered(population: Population, segments: int, seed: int) -> dict[str, bool]:
    rng = np.random.default_rng([seed, 2])
    drawn = rng.integers(len(population.systems[0]), size=segments)
    return _intervals(population, [rows[drawn] for rows in population.systems[:2]], seed)


def _intervals(
    population: Population,
    systems: Sequence[Rows],
    seed: int,
    units: Units | None = None,
    samplings: Sequence[str] = resampling.SAMPLINGS,
) -> dict[str, bool]:
    found = {}
    truth = {"score": population.score(0), "difference": population.score(0) - population.score(1)}
    here = [float(population.aggregate(rows.sum(0))) for rows in systems]
    for sampling in samplings:
        scores = resampling.resampled_scores(
            systems,
            population.aggregate,
            resamples=RESAMPLES,
            seed=seed,
            sampling=sampling,
            threads=1,
            units=units,
        )
        measured = {
            "score": (here[0], scores[:, 0]),
            "difference": (here[0] - here[1], scores[:, 0] - scores[:, 1]),
        }
        for what, (score, values) in measured.items():
            for interval in resampling.INTERVALS:
                estimate = resampling.estimate(score, values, interval=interval)
                found[f"{what} {sampling} {interval}"] = bool(estimate.low <= truth[what] <= estimate.high)
    return found


# Documents ----------------------------------------------------------------------------------------------------


def by_documents(population: Population, simulations: int) -> dict[str, Shares]:
    """The same where documents are what is drawn: once with whole documents resampled, once with segments."""
    both = simulated(partial(_in_documents, population), simulations)
    split = {"document": Shares(), "segment": Shares()}
    for share in both:
        unit, _, name = share.name.partition(" ")
        split[unit].found[name] = Share(name, share.times, share.simulations)
    return split


def _in_documents(population: Population, seed: int) -> dict[str, bool]:
    rng, documents = np.random.default_rng([seed, 3]), population.size
    chosen = [population.documents[d] for d in rng.integers(len(population.documents), size=documents)]
    segments = np.concatenate(chosen)
    label = np.repeat(np.arange(documents), [len(members) for members in chosen])
    swap = rng.integers(2, size=documents).astype(bool)[label][:, None]
    a, b = (rows[segments] for rows in population.systems[:2])
    found = {}
    for unit, units in (("document", Units.of(len(label), [str(d) for d in label])), ("segment", None)):
        tests = _tests(
            np.where(swap, b, a), np.where(swap, a, b), population.aggregate, seed, units, SAMPLING
        )
        found |= {f"{unit} {name}": value for name, value in tests.items()}
        intervals = _intervals(population, [a, b], seed, units, SAMPLING)
        found |= {f"{unit} {name}": value for name, value in intervals.items()}
    return found


# Runs ---------------------------------------------------------------------------------------------------------


def over_runs(
    population: Population, simulations: int, segments: int = SEGMENTS // 3, runs: int = 3
) -> Shares:
    """How often a difference is found between systems of several runs that were dealt out anew for every segment;
    and where the runs of a system are copies of each other, which no test of single outputs is made for."""
    return simulated(partial(_over_runs, population, segments, runs), simulations)


def _over_runs(population: Population, segments: int, runs: int, seed: int) -> dict[str, bool]:
    rng = np.random.default_rng([seed, 4])
    drawn = rng.integers(len(population.systems[0]), size=segments)
    rows = np.stack([population.systems[s % len(population.systems)][drawn] for s in range(2 * runs)])
    dealt = rng.permuted(np.tile(np.arange(2 * runs)[:, None], segments), axis=0)
    rows = rows[dealt, np.arange(segments)]
    found = {}
    for definition in ("exchange", "multeval"):
        p = stratified_randomisation(
            list(rows[:runs]),
            list(rows[runs:]),
            population.aggregate,
            trials=RESAMPLES,
            seed=seed,
            definition=definition,
            threads=1,
        )
        found[definition] = p < ALPHA
    copies = [rows[0]] * runs, [rows[1]] * runs
    p = stratified_randomisation(*copies, population.aggregate, trials=RESAMPLES, seed=seed, threads=1)
    return found | {"copies": p < ALPHA}


# Populations --------------------------------------------------------------------------------------------------


def synthetic(kind: str, segments: int = 20_000, systems: int = 6) -> Population:
    """Rows such as a metric has, of made-up segments: some hard for all systems, some for one."""
    rng = np.random.default_rng(7)
    if kind == "mean":
        hard = rng.normal(60, 20, segments)
        rows = [
            np.stack([np.clip(hard + rng.gamma(2, 6, segments), 0, 100), np.ones(segments)], axis=1)
            for _ in range(systems)
        ]
        return Population("mean of segment scores, synthetic", metric_of("ribes").aggregate, rows)
    hard, reference = rng.beta(4, 3, segments), rng.integers(5, 45, segments)
    rows = []
    for _ in range(systems):
        length = np.maximum(1, reference + rng.integers(-3, 4, segments))
        totals = np.maximum(length[:, None] - np.arange(4), 0)
        chance = np.clip(hard + rng.normal(0, 0.1, segments), 0.02, 0.98)[:, None] ** [0.6, 1.2, 1.8, 2.4]
        matches = rng.binomial(totals, chance)
        rows.append(np.column_stack([length, reference, matches, totals]).astype(np.float64))
    return Population("BLEU, synthetic", metric_of("bleu").aggregate, rows)


def synthetic_documents(documents: int = 4000, correlation: float = 0.2, size: int = DOCUMENTS) -> Population:
    """A mean over documents of 5 to 15 segments, in which differences between the systems resemble each other."""
    rng = np.random.default_rng(8)
    sizes = rng.integers(5, 16, documents)
    of = np.repeat(np.arange(documents), sizes)
    shared, own = np.sqrt(correlation), np.sqrt(1 - correlation)
    rows = []
    for _ in range(2):
        scores = 50 + 10 * (shared * rng.normal(size=documents)[of] + own * rng.normal(size=len(of)))
        rows.append(np.stack([scores, np.ones(len(of))], axis=1))
    members = np.split(np.arange(len(of)), np.cumsum(sizes)[:-1])
    return Population("mean of segment scores, synthetic", metric_of("ribes").aggregate, rows, members, size)


REAL = ("NiuTrans", "Online-A", "Lan-Bridge", "Online-B", "AISP-SJTU", "Online-G")


def real(spec: str) -> Population:
    """WMT22 zh-en: 1,875 segments, six systems."""

    def lines(name: str) -> tuple[str, ...]:
        text = (SHARED / "golden" / "data" / f"w2.zh-en.{name}.en").read_bytes().decode("utf-8")
        return tuple(text.removesuffix("\n").split("\n"))

    metric = metric_of(spec)
    prepared = metric.prepare(TestSet(references=(lines("refA"),)))
    rows = [metric.stats(prepared, lines(system)) for system in REAL]
    return Population(f"{metric.label}, WMT22 zh-en", metric.aggregate, rows)


def real_documents(spec: str) -> Population:
    """WMT23 en-de with its documents, as many a test set as it has."""
    folder = SHARED / "data" / "03_wmt23_mqm_esa" / "en-de"

    def lines(name: str) -> tuple[str, ...]:
        return tuple((folder / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n"))

    metric = metric_of(spec)
    prepared = metric.prepare(TestSet(references=(lines("ref.refA.de"),)))
    rows = [metric.stats(prepared, lines(f"hyp/{system}.de")) for system in ("ONLINE-W", "NLLB_MBR_BLEU")]
    members: dict[str, list[int]] = {}
    for index, line in enumerate(lines("docs.domain_docid.tsv")):
        members.setdefault(line, []).append(index)
    documents = [np.array(found) for found in members.values()]
    return Population(f"{metric.label}, WMT23 en-de", metric.aggregate, rows, documents, len(documents))


def has_shared() -> bool:
    return (SHARED / "golden").is_dir()


TABLES = ("rejections", "coverage", "documents", "few", "runs")

# The page -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """What was simulated, a population a line."""

    rejections: dict[str, Shares]
    coverage: dict[str, Shares]
    documents: dict[str, dict[str, Shares]]
    few: dict[int, tuple[Shares, Shares]]
    """By the number of units: rejections and coverage."""
    runs: dict[str, Shares]


def populations() -> list[Population]:
    return [synthetic("mean"), synthetic("bleu"), *map(real, ("bleu", "chrf", "ter") if has_shared() else ())]


def populations_of_documents() -> list[Population]:
    return [synthetic_documents(), *map(real_documents, ("bleu",) if has_shared() else ())]


def measure(simulations: int) -> Results:
    results = Results({}, {}, {}, {}, {})

    def say(what: str, name: str, shares: Shares) -> None:
        print(f"{what}: {name}:", ", ".join(f"{s.name} {s.percent:.2f}" for s in shares), flush=True)

    for population in populations():
        name = population.name
        say("rejected", name, results.rejections.setdefault(name, rejections(population, simulations)))
        say("covered", name, results.coverage.setdefault(name, coverage(population, simulations // 2)))
    for population in populations_of_documents():
        found = results.documents.setdefault(population.name, by_documents(population, simulations))
        for unit, shares in found.items():
            say(unit, population.name, shares)
    for units in FEW:
        both = (
            rejections(synthetic("mean"), simulations, units),
            coverage(synthetic("mean"), simulations // 2, units),
        )
        results.few[units] = both
        for shares in both:
            say("few", str(units), shares)
    for population in (synthetic("mean"), *map(real, ("bleu",) if has_shared() else ())):
        shares = results.runs.setdefault(population.name, over_runs(population, simulations))
        say("runs", population.name, shares)
    return results


def tables(results: Results) -> dict[str, list[str]]:
    """The tables of the page, by the name of their place."""
    samplings = [f"{s} {i}" for s in resampling.SAMPLINGS for i in resampling.INTERVALS]
    tests = ("randomisation", "bootstrap", "half", "moses")

    def line(*cells: object) -> str:
        return "| " + " | ".join(map(str, cells)) + " |"

    def cells(shares: Shares, names: Sequence[str]) -> list[str]:
        return [f"{shares[name].percent:.1f} %" for name in names]

    def table(head: str, columns: int, lines: list[str]) -> list[str]:
        return [head, "|---|" + "---|" * (head.count("|") - 2 - columns) + "--:|" * columns, *lines]

    return {
        "rejections": table(
            "| rows | randomisation | paired bootstrap | paired half samples | Moses’ bootstrap |",
            4,
            [line(name, *cells(shares, tests)) for name, shares in results.rejections.items()],
        ),
        "coverage": table(
            "| rows | interval of | percentile | basic | half, percentile | half, basic |",
            4,
            [
                line(name, what, *cells(shares, [f"{what} {s}" for s in samplings]))
                for name, shares in results.coverage.items()
                for what in ("score", "difference")
            ],
        ),
        "documents": table(
            "| rows | drawn by | randomisation rejects | bootstrap rejects | score covered | difference covered |",
            4,
            [
                line(
                    name,
                    unit,
                    *cells(shares, ("randomisation", "bootstrap")),
                    *cells(shares, [f"{what} bootstrap percentile" for what in ("score", "difference")]),
                )
                for name, by_unit in results.documents.items()
                for unit, shares in by_unit.items()
            ],
        ),
        "few": table(
            "| units | randomisation rejects | bootstrap rejects | score covered | difference covered |",
            4,
            [
                line(
                    units,
                    *cells(rejected, ("randomisation", "bootstrap")),
                    *cells(covered, [f"{what} bootstrap percentile" for what in ("score", "difference")]),
                )
                for units, (rejected, covered) in results.few.items()
            ],
        ),
        "runs": table(
            "| rows | runs exchanged | as MultEval draws | runs that are copies |",
            3,
            [
                line(name, *cells(shares, ("exchange", "multeval", "copies")))
                for name, shares in results.runs.items()
            ],
        ),
    }


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS)
    publish(tables(measure(asked.simulations)), asked, "statistics.md")
