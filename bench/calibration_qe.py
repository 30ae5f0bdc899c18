"""Do intervals of `adjudge qe evaluate` hold what they say, and do its tests between equal estimators keep quiet?

    .venv/bin/python bench/calibration_qe.py [SIMULATIONS] [--real]

Made-up scores: normal, skewed, tied (most segments have no error), and in documents that people and estimators judge
alike. With --real, segments or whole documents are drawn from real judgements and what an estimator said of them when
they were held out: then all of these are the truth that intervals are to hold. Estimators that are compared differ by
errors that are spread alike, so that every significant difference is a false alarm; `segments` are swapped one by one,
or whole documents where these err together. Prints the tables of docs/qe.md.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from adjudge.qe.conformal import Intervals, conformal_reach, coverage_of
from adjudge.qe.evaluation import EvaluationOptions, evaluate

MEASURES = ("pearson", "spearman", "kendall", "mae", "rmse", "mcc", "auc", "delta_avg")
DRAWS = 300
GOOD = {"normal": 0.0, "skewed": -1.0, "tied": -0.5}
MEAN = {"normal": 0.0, "skewed": -1.3, "tied": -0.6}


@dataclass(frozen=True)
class Sample:
    """Scores, two estimators that are equally good, and documents."""

    scores: np.ndarray
    first: np.ndarray
    second: np.ndarray
    documents: np.ndarray


def made(rng, kind, documents, size) -> Sample:
    """`documents` of `size` segments each; of one segment they are independent."""
    count = documents * size
    unit = np.repeat(np.arange(documents), size)
    together = 0.6 if size > 1 else 0.0

    def shared() -> np.ndarray:
        return together * rng.normal(size=documents)[unit]

    quality = rng.normal(size=count) + shared()
    people = quality + rng.normal(size=count)
    if kind == "skewed":
        people = -np.exp(-0.5 * people)
    if kind == "tied":
        people = np.minimum(0.0, np.round(people))
    both = (0.3 * (quality + 1.5 * rng.normal(size=count) + shared()) + MEAN[kind] for _ in range(2))
    return Sample(people, *both, unit)


def drawn(rng, population, documents) -> Sample:
    """Whole documents of real data."""
    members = [
        np.flatnonzero(population.documents == name) for name in rng.integers(0, documents[1], documents[0])
    ]
    rows = np.concatenate(members)
    unit = np.repeat(np.arange(len(members)), [len(part) for part in members])
    noise = 0.5 * population.first.std()
    scatter = rng.normal(size=(2, len(members)))[:, unit] + rng.normal(size=(2, len(rows)))
    first, second = population.first[rows] + noise * scatter
    return Sample(population.scores[rows], first, second, unit)


def options(good, seed) -> EvaluationOptions:
    return EvaluationOptions(good=good, draws=DRAWS, seed=seed)


def truth(samples: Iterator[Sample], good) -> dict[str, float]:
    """Mean of every measure over many samples, where a value of all there is would be another (DeltaAvg)."""
    sums: dict[str, list[float]] = {}
    for sample in samples:
        few = EvaluationOptions(good=good, draws=20)
        for value in evaluate(sample.scores, {"a": sample.first}, few).values:
            sums.setdefault(value.measure, []).append(value.value)
    return {name: float(np.nanmean(values)) for name, values in sums.items()}


def simulate(
    kind, documents, size, times, seed=1
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Shares of intervals that hold, and of false alarms by units and by segments, for every measure."""
    good = GOOD[kind]
    # Correlations and errors of very many; DeltaAvg depends on how many there are.
    many = truth((made(np.random.default_rng(9), kind, 40_000 // size, size) for _ in range(1)), good)
    some = np.random.default_rng(10)
    many["delta_avg"] = truth((made(some, kind, documents, size) for _ in range(400)), good)["delta_avg"]
    rng = np.random.default_rng(seed)
    return run((made(rng, kind, documents, size) for _ in range(times)), many, good, times)


def run(samples, aim, good, times):
    held, alarms, by_segment = (dict.fromkeys(MEASURES, 0) for _ in range(3))
    for number, sample in enumerate(samples):
        units = [str(unit) for unit in sample.documents]
        both = {"a": sample.first, "b": sample.second}
        result = evaluate(sample.scores, both, options(good, number), units=units)
        for value in result.values:
            if value.estimator == "a":
                held[value.measure] += value.low <= aim[value.measure] <= value.high
        for pair in result.pairs:
            alarms[pair.measure] += pair.p <= 0.05
        if len(set(units)) < len(units):
            for pair in evaluate(sample.scores, both, options(good, number)).pairs:
                by_segment[pair.measure] += pair.p <= 0.05
    return tuple({name: count / times for name, count in part.items()} for part in (held, alarms, by_segment))


def believed(documents, size, times, seed=3) -> tuple[float, float]:
    """How often intervals that keep their promise are said not to: by whole documents, and by segments alone."""
    rng = np.random.default_rng(seed)
    doubts = np.zeros(2)
    for _ in range(times):
        known, new = (made(rng, "normal", documents, size) for _ in range(2))
        low, high = conformal_reach(known.scores, 0.9)
        own = Intervals(np.full(len(new.scores), low), np.full(len(new.scores), high), len(known.scores))
        for place, unit in enumerate((new.documents, None)):
            doubts[place] += not coverage_of(own, new.scores, 0.9, unit).promised
    return tuple(float(share) for share in doubts / times)


CASES = (
    ("normal", 100, 1),
    ("skewed", 30, 1),
    ("skewed", 100, 1),
    ("tied", 100, 1),
    ("normal", 500, 1),
    ("skewed", 500, 1),
    ("tied", 500, 1),
    ("normal", 12, 20),
    ("normal", 40, 10),
    ("skewed", 40, 10),
)


def line(name, shares) -> None:
    cells = " | ".join(f"{100 * shares[measure]:.1f}" for measure in MEASURES)
    print(f"| {name} | {cells} |", flush=True)


def head(title) -> None:
    print(f"\n{title}\n\n| | " + " | ".join(MEASURES) + " |\n|:--|" + "--:|" * len(MEASURES), flush=True)


def named(kind, documents, size) -> str:
    return f"{kind}, {documents} segments" if size == 1 else f"{kind}, {documents} documents of {size}"


def real_populations():
    """Held-out estimates of real judgements: of MLQE-PE's segments, and of WMT23's documents."""
    import qe_coverage

    for name, segments, documents in (
        ("MLQE-PE DA, 100 segments", qe_coverage.mlqe("train", "train"), 100),
        ("MLQE-PE DA, 1,000 segments", qe_coverage.mlqe("train", "train"), 1000),
        ("MLQE-PE HTER, 500 segments", qe_coverage.hter("train", "train"), 500),
        ("WMT23 MQM, 20 documents", qe_coverage.wmt23("mqm"), 20),
        ("WMT23 MQM, 60 documents", qe_coverage.wmt23("mqm"), 60),
    ):
        model = qe_coverage.trained(segments, "en-de").held_out
        units = np.arange(len(segments)) if "segments" in name else None
        if units is None:
            _, units = np.unique(segments.documents, return_inverse=True)
        yield name, Sample(model.scores, model.predicted, model.predicted, units), documents


def main() -> None:
    times = int(next((word for word in sys.argv[1:] if word.isdigit()), 500))
    rows = []
    if "--real" in sys.argv:
        for name, population, documents in real_populations():
            number = int(population.documents.max()) + 1
            good = float(np.median(population.scores))
            # What is drawn has errors added: their mean over many samples is the truth, at this size.
            aims = np.random.default_rng(10)
            aim = truth((drawn(aims, population, (documents, number)) for _ in range(1000)), good)
            rng = np.random.default_rng(1)
            samples = (drawn(rng, population, (documents, number)) for _ in range(times))
            rows.append((name, run(samples, aim, good, times), documents < len(population.scores)))
            line(name, rows[-1][1][0])
    else:
        for case in CASES:
            rows.append((named(*case), simulate(*case, times), case[2] > 1))
            line(rows[-1][0], rows[-1][1][0])
    head(f"95 % intervals that hold, % of {times:,}")
    for name, (held, _, _), _ in rows:
        line(name, held)
    head(f"False alarms at .05, % of {times:,}")
    for name, (_, alarms, by_segment), together in rows:
        line(name, alarms)
        if together and any(by_segment.values()):
            line(f"{name}, swapped by segments", by_segment)
    if "--real" not in sys.argv:
        for case in ((500, 1), (16, 60), (100, 10)):
            shares = believed(*case, 4 * times)
            print(
                f"\nconformal intervals, {named('normal', *case)}: doubted in {100 * shares[0]:.1f} %, "
                f"{100 * shares[1]:.1f} % as if segments were alone"
            )


if __name__ == "__main__":
    main()
