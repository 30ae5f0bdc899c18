"""Draws test sets from real judgements and texts of WMT: four tables of docs/statistics.md.

Do intervals hold the truth, and does a test find what `compare` says that it would show?

Each population is what people or a metric said of every segment; test sets of so many segments, or of whole documents,
are drawn from it, so that the truth is known. make calibration writes the tables.

python bench/calibration_real.py [SIMULATIONS] [--write]     some minutes; needs the shared data (ADJUDGE_SHARED)
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison import Plan, TestSetFacts, compare_measured
from adjudge.comparison.results import Measured, Pair, measured_means
from adjudge.data import TestSet
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric
from adjudge.stats.crossed import difference_of, mean_of
from adjudge.stats.intervals import Interval, between
from adjudge.stats.resampling import quotient, randomisation
from adjudge.stats.units import Units

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))

SIMULATIONS = 24_000
EARLIER = 6
"""One batch of so many is also told as intervals were before, which takes longer."""
RESAMPLES = 500
SIZES = (30, 50, 100, 200)
BATCH = 50
"""Test sets that share their resamples."""
JUDGEMENTS = {
    "DA": "human/da-sqm.seg.score",
    "ESA": "esa_campaign/en-de.ESA-1.seg.score",
    "MQM": "human/mqm.seg.score",
}

Floats = NDArray[np.float64]


def folder() -> Path:
    """WMT23 en-de."""
    return SHARED / "data" / "03_wmt23_mqm_esa" / "en-de"


@dataclass(frozen=True, eq=False)
class Judged:
    """Two systems' sums of (weight × score, weight) over every unit there is."""

    a: Floats
    b: Floats

    @property
    def truth(self) -> dict[str, float]:
        """The mean and the difference over all units."""
        means = [float(sums[:, 0].sum() / sums[:, 1].sum()) for sums in (self.a, self.b)]
        return {"score": means[0], "difference": means[0] - means[1]}


def populations(protocol: str, unit: str) -> list[Judged]:
    """Each system beside the one after it, on the segments that both were judged on."""
    scores: dict[str, list[float]] = {}
    for line in (folder() / JUDGEMENTS[protocol]).read_text().splitlines():
        system, score = line.split()
        scores.setdefault(system, []).append(np.nan if score == "None" else float(score))
    scores.pop("refA")
    names = np.array((folder() / "docs.domain_docid.tsv").read_text().splitlines())
    found = []
    for a, b in pairwise([*scores.values(), next(iter(scores.values()))]):
        both = np.stack([a, b])
        judged = ~np.isnan(both).any(0)
        units = np.unique(names[judged], return_inverse=True)[1]
        units = units if unit == "document" else np.arange(judged.sum())
        sums = [np.column_stack([np.bincount(units, own), np.bincount(units)]) for own in both[:, judged]]
        found.append(Judged(*sums))
    return found


def intervals(a: Floats, b: Floats) -> dict[tuple[str, str], Interval]:
    """Intervals of a system's score and of a difference."""
    return {
        ("score", "now"): mean_of(a).limits(0.05),
        ("difference", "now"): difference_of(a, b).limits(0.05),
    }


def earlier_intervals(
    a: Floats, b: Floats, weights: Floats, coins: Floats
) -> dict[tuple[str, str], Interval]:
    """What they were before: percentiles of resamples, and the inverse of a randomisation."""
    here, halves = _mean(a.sum(0)) - _mean(b.sum(0)), _mean(coins @ a) - _mean(coins @ b)
    return {
        ("score", "before"): between(float(_mean(a.sum(0))), _mean(weights @ a), 0.05),
        ("difference", "before"): between(float(here), halves, 0.05),
    }


def _mean(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def covered(protocol: str, unit: str, segments: int, simulations: int) -> dict[tuple[str, str], float]:
    """How often each interval holds the truth, in per cent."""
    rng = np.random.default_rng([segments, len(unit)])
    held: dict[tuple[str, str], list[bool]] = {}
    judged = populations(protocol, unit)
    for batch in range(-(-simulations // BATCH)):
        population = judged[batch % len(judged)]
        count = round(segments * len(population.a) / population.a[:, 1].sum())
        weights = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES).astype(np.float64)
        coins = rng.integers(2, size=(RESAMPLES, count)).astype(np.float64)
        for drawn in rng.integers(len(population.a), size=(BATCH, count)):
            a, b = population.a[drawn], population.b[drawn]
            limits = intervals(a, b)
            if batch // len(judged) % EARLIER == 0:
                limits |= earlier_intervals(a, b, weights, coins)
            for (what, how), interval in limits.items():
                truth = population.truth[what]
                held.setdefault((what, how), []).append(interval.low <= truth <= interval.high)
    return {key: 100 * float(np.mean(found)) for key, found in held.items()}


def judgement_table(simulations: int) -> list[str]:
    """Lines of the page: coverage by protocol, unit and size, before and now."""
    lines = [
        "| judgements | drawn by | interval of | " + " | ".join(f"{n} segments" for n in SIZES) + " |",
        "|---|---|---|" + "--:|" * len(SIZES),
    ]
    for unit in ("segment", "document"):
        for protocol in JUDGEMENTS:
            found = [covered(protocol, unit, segments, simulations) for segments in SIZES]
            for what in ("score", "difference"):
                cells = [f"{one[what, 'before']:.1f} → {one[what, 'now']:.1f} %" for one in found]
                lines.append(_line(protocol, unit, what, *cells))
                print(lines[-1], flush=True)
    return lines


TEXTS = {
    "WMT17 de-en": ("04_wmt17_da_seg_toen/de-en", "ref.en"),
    "WMT17 zh-en": ("04_wmt17_da_seg_toen/zh-en", "ref.en"),
    "WMT18 de-en": ("05_wmt18_fwdrev/de-en", "ref.en"),
    "WMT21 cs-en": ("01_wmt21_da_toen/cs-en", "ref.A.en"),
    "WMT21 en-de": ("02_wmt21_mqm_ende/en-de", "ref.A.de"),
    "WMT21 is-en": ("01_wmt21_da_toen/is-en", "ref.A.en"),
    "WMT23 en-de": ("03_wmt23_mqm_esa/en-de", "ref.refA.de"),
}
TEXT_SIZES = (
    (6, 0.05),
    (7, 0.05),
    (10, 0.05),
    (13, 0.05),
    (13, 0.0011),
    (30, 0.05),
    (60, 0.05),
    (150, 0.05),
    (300, 0.05),
)
"""Segments of a test set, and alpha."""
TEXT_DOCUMENTS = {
    "WMT17 zh-en": ("docs.tsv", "docid"),
    "WMT21 is-en": ("docs.tsv", "docid"),
    "WMT23 en-de": ("docs.domain_docid.tsv", None),
}
"""Test sets whose documents are known: the file, and the column where it has a header."""
METRICS = ("bleu", "chrf", "ter")
DOCUMENT_SIZES = ((6, 0.05), (10, 0.05), (20, 0.05), (40, 0.05), (80, 0.05))
"""Documents of a test set, and alpha."""
JUDGED_SIZES = {
    "segment": ((10, 0.05), (30, 0.05), (60, 0.05), (150, 0.05), (300, 0.05)),
    "document": DOCUMENT_SIZES,
}
AGAIN = 3
"""Test sets on which each difference that would show is looked for."""
FEW = 13
"""With so few segments a p-value may lie close to alpha, and takes more trials to be told from it."""


@dataclass(frozen=True, eq=False)
class Population:
    """Rows of all systems by one metric, or by people, on all segments or documents that can be drawn."""

    metric: Metric | None
    """None: rows are people's scores and their weights."""
    systems: tuple[Floats, ...]
    unit: str = "segment"

    @classmethod
    def of_texts(cls, name: str, spec: str, *, by_document: bool = False) -> Population:
        """The systems of one test set of WMT, segment by segment or document by document."""
        folder, reference = TEXTS[name]
        place, metric = SHARED / "data" / folder, metric_of(spec)
        prepared = metric.prepare(TestSet(references=(_lines(place / reference),)))
        outputs = [path for path in sorted((place / "hyp").iterdir()) if "ref" not in path.name.lower()]
        rows = [metric.stats(prepared, _lines(path)) for path in outputs]
        units = Units.of(len(rows[0]), documents(name) if by_document else None)
        unit = "document" if by_document else "segment"
        return cls(metric, tuple(units.sums(own) for own in rows), unit)

    @classmethod
    def of_judgements(cls, protocol: str, unit: str) -> list[Population]:
        """Pairs of systems that people judged."""
        return [cls(None, (judged.a, judged.b), unit) for judged in populations(protocol, unit)]

    def aggregate(self, sums: Floats) -> Floats:
        """The scores of sums of rows."""
        return quotient(sums) if self.metric is None else self.metric.aggregate(sums)

    def shares_found(self, segments: int, alpha: float, times: int, rng: np.random.Generator) -> list[bool]:
        """Whether differences that drawn test sets would show are found on others, drawn from the same segments.

        The one system is made better on every segment alike, until both differ by just that over all segments.
        """
        found = []
        for _ in range(times):
            a, b = (self.systems[s] for s in rng.choice(len(self.systems), 2, replace=False))
            more, first = self._gain(a), rng.integers(len(a), size=segments)
            shown = self.pair(a[first], b[first], alpha).detectable
            if not np.isfinite(shown):  # the systems have the same outputs there
                continue
            planted = a + self._factor(a, b, more, shown) * more
            for drawn in rng.integers(len(a), size=(AGAIN, segments)):
                trials = 9999 if segments <= FEW else 999
                seed = int(rng.integers(2**31))
                tested = randomisation(
                    planted[drawn], b[drawn], self.aggregate, trials=trials, seed=seed, threads=1
                )
                found.append(tested.p < alpha and tested.delta > 0)
        return found

    def pair(self, a: Floats, b: Floats, alpha: float) -> Pair:
        """What `compare` says of two systems; few trials and resamples will do for what would show."""
        rows = {"a": (a,), "b": (b,)}
        if self.metric is None:
            measured = measured_means("people", rows)
        else:
            measured = Measured.by(self.metric, "", rows, {"a": ("",), "b": ("",)})
        plan = Plan(trials=50, resamples=20, alpha=alpha, unit=self.unit)
        labels = {"document": [str(i) for i in range(len(a))]} if self.unit == "document" else {}
        facts = TestSetFacts("", len(a), 1, "")
        return compare_measured([measured], facts, plan=plan, labels=labels, threads=1).pairs[0]

    def _gain(self, rows: Floats) -> Floats:
        """What each unit's row gains where a system gets better on all of them alike."""
        if self.metric is not None:
            return gain(self.metric, rows)
        return np.column_stack([rows[:, 1], np.zeros(len(rows))])

    def _factor(self, a: Floats, b: Floats, more: Floats, wanted: float) -> float:
        """How many times the gain makes the difference the wanted one."""
        factors = np.concatenate([np.linspace(-3, 3, 1200), np.geomspace(3.01, 100, 400)])
        sums = a.sum(0) + factors[:, None] * more.sum(0)
        if self.metric is None:
            return wanted - float(self.aggregate(a.sum(0)) - self.aggregate(b.sum(0)))
        differences = self.aggregate(np.maximum(sums, 0)) - self.aggregate(b.sum(0))
        return float(np.interp(wanted, differences, factors))


def gain(metric: Metric, rows: Floats) -> Floats:
    """What each segment's row gains where matches (of TER: edits) rise by as much for every word of the corpus."""
    total, more = rows.sum(0), np.zeros_like(rows)
    if metric.name == "bleu":
        more[:, 2:6] = rows[:, 6:10] * (total[2:6] / total[6:10])
    elif metric.name == "chrf":
        sizes = 0.2 * rows[:, 0::3] / total[0::3] + 0.8 * rows[:, 1::3] / total[1::3]
        more[:, 2::3] = total[2::3] * sizes
    else:
        more[:, 0] = rows[:, 1] * (total[0] / total[1])
    return more


def _lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_bytes().decode("utf-8").removesuffix("\n").split("\n"))


def documents(name: str) -> list[str]:
    """The document of every segment."""
    file, column = TEXT_DOCUMENTS[name]
    lines = [line.split("\t") for line in _lines(SHARED / "data" / TEXTS[name][0] / file)]
    return [row[lines[0].index(column)] for row in lines[1:]] if column else [row[1] for row in lines]


def power_table(times: int) -> list[str]:
    """Lines of the page: how often what would show with 80 % power is found, over all test sets and on each."""
    rows = {metric_of(spec).label: [Population.of_texts(name, spec) for name in TEXTS] for spec in METRICS}
    return _shown(rows, TEXT_SIZES, "segments", times)


def document_table(times: int) -> list[str]:
    """Lines of the page: whole documents of texts."""
    rows = {
        metric_of(spec).label: [Population.of_texts(name, spec, by_document=True) for name in TEXT_DOCUMENTS]
        for spec in METRICS
    }
    return _shown(rows, DOCUMENT_SIZES, "documents", times * len(TEXTS) // len(TEXT_DOCUMENTS))


def judged_table(times: int, unit: str) -> list[str]:
    """Lines of the page: judgements, by segments or by whole documents."""
    rows = {protocol: Population.of_judgements(protocol, unit) for protocol in JUDGEMENTS}
    return _shown(rows, JUDGED_SIZES[unit], f"{unit}s", max(times // 2, 1))


def _shown(
    rows: Mapping[str, Sequence[Population]], sizes: Sequence[tuple[int, float]], unit: str, times: int
) -> list[str]:
    head = [f"{n} {unit}" + (f", α = {alpha:g}" if alpha != 0.05 else "") for n, alpha in sizes]
    lines = ["| | " + " | ".join(head) + " |", "|---|" + "--:|" * len(head)]
    for label, every in rows.items():
        cells = []
        for number, (count, alpha) in enumerate(sizes):
            rng = np.random.default_rng([7, number])
            shares = [100 * np.mean(own.shares_found(count, alpha, times, rng)) for own in every]
            cells.append(f"{np.mean(shares):.1f} % ({min(shares):.0f}–{max(shares):.0f})")
            print(label, count, unit, alpha, cells[-1], flush=True)
        lines.append(_line(label, *cells))
    return lines


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS, arguments)
    times = max(asked.simulations // 300, 2)
    tables = {
        "judgements": judgement_table(asked.simulations),
        "shown": power_table(times),
        "shown-documents": document_table(times),
        "shown-judgements": judged_table(times, "segment"),
        "shown-judged-documents": judged_table(times, "document"),
    }
    publish(tables, asked, "statistics.md")


if __name__ == "__main__":
    main()
