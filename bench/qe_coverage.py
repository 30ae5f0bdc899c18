"""Do 90 % intervals of estimators hold 90 % of scores that nobody has seen, and what if those are of another kind?

python bench/qe_coverage.py [PART]...   # mlqe, wmt, few, others, panels; all of them

Tables of docs/qe.md. Documents of one set, at random into two halves: an estimator learns from one, its intervals are
held against the other; forty times for the set with the fewest documents (few). One set for training, another for the
test. Test20 of MLQE-PE after some of its own segments were judged for --calibration. And why intervals from dev hold
more of test20 than they promise: by the two panels of three people who judged both (panels).
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adjudge.qe.conformal import conformal_reach, coverage
from adjudge.qe.estimator import Estimator, estimate, recalibrate
from adjudge.qe.fitting import TrainingOptions, train
from adjudge.qe.labelled import LabelledSegments
from adjudge.qe.measures import pearson
from qe import SHARED, assessed, edited

HALVES, DRAWS, LEVEL = 4, 2000, 0.9
BLOCK = 10
"""Lines that count as a document where nobody says which they are."""
MOST = 2000
"""Segments of a WMT set, in whole documents."""
DATA = SHARED / "data"


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def mlqe(split, name):
    """Direct assessments of a split, with its documents, without log-probabilities."""
    documents = lines(DATA / "10_mlqe_pe" / "en-de" / "da" / split / f"{name}.doc_ids")[1:]
    return replace(assessed(split, name), documents=tuple(documents), log_probabilities=None)


def hter(split, name):
    """HTER of a split, with its documents."""
    return replace(edited(split, name), documents=mlqe(split, name).documents, tags=None)


def wmt(folder, source, target, rows, documents=None) -> LabelledSegments:
    """Systems' outputs as (system, line, score), whose texts stand in a folder."""
    sources = lines(folder / f"src.{source}")
    documents = documents or [str(line // BLOCK) for line in range(len(sources))]
    outputs = {path.stem: lines(path) for path in (folder / "hyp").glob(f"*.{target}")}
    rows = [row for row in rows if row[0] in outputs and row[2] not in ("None", "NaN")]
    names = np.random.default_rng(1).permutation(sorted({documents[line] for _, line, _ in rows}))
    sizes = np.cumsum([sum(documents[line] == name for _, line, _ in rows) for name in names])
    used = set(names[: np.searchsorted(sizes, MOST) + 1])
    rows = [row for row in rows if documents[row[1]] in used]
    return LabelledSegments(
        tuple(sources[line] for _, line, _ in rows),
        tuple(outputs[system][line] for system, line, _ in rows),
        np.array([float(score) for *_, score in rows]),
        documents=tuple(documents[line] for _, line, _ in rows),
    )


def wmt21_mqm() -> LabelledSegments:
    folder = DATA / "02_wmt21_mqm_ende" / "en-de"
    cells = [row.split() for row in lines(folder / "human" / "mqm_avg_seg_scores.tsv")[1:]]
    names = {"Nemo": "NVIDIA-NeMo"}
    return wmt(folder, "en", "de", [(names.get(s, s), int(line) - 1, score) for s, score, line in cells])


def wmt23(kind) -> LabelledSegments:
    folder = DATA / "03_wmt23_mqm_esa" / "en-de"
    counts: dict[str, int] = {}
    rows = []
    for system, score in (row.split() for row in lines(folder / "human" / f"{kind}.seg.score")):
        counts[system] = counts.get(system, -1) + 1
        if system not in ("refA", "synthetic_ref"):
            rows.append((system, counts[system], score))
    documents = [row.split("\t")[1] for row in lines(folder / "docs.domain_docid.tsv")]
    return wmt(folder, "en", "de", rows, documents)


def wmt21_da(source) -> LabelledSegments:
    folder = DATA / "01_wmt21_da_toen" / f"{source}-en"
    cells = [row.split() for row in lines(folder / "human" / "seg-scores.csv")[1:]]
    rows = [(system.rsplit(".", 1)[0], int(line) - 1, z) for system, line, _, z, _ in cells]
    return wmt(folder, source, "en", rows)


def taken(segments, rows) -> LabelledSegments:
    """Some of the segments."""

    def of(column):
        return None if column is None else tuple(column[row] for row in rows)

    return LabelledSegments(
        of(segments.sources),
        of(segments.outputs),
        segments.scores[rows],
        of(segments.post_edits),
        of(segments.documents),
        score_name=segments.score_name,
    )


def halves(segments, count) -> Iterator[tuple[LabelledSegments, LabelledSegments]]:
    """Whole documents, half of them on each side."""
    _, own = np.unique(segments.documents, return_inverse=True)
    for seed in range(count):
        left = (np.random.default_rng(seed).permutation(own.max() + 1) < (own.max() + 1) / 2)[own]
        yield taken(segments, np.flatnonzero(left)), taken(segments, np.flatnonzero(~left))


def trained(segments, pair) -> Estimator:
    return train(segments, options=TrainingOptions(languages=tuple(pair.split("-"))))


def held(model, test) -> tuple[float, float]:
    """Pearson's r, and the share of scores in their intervals."""
    own = estimate(model, test.sources, test.outputs)
    return float(pearson(test.scores, own.scores)), coverage(own.low, own.high, test.scores)


def mlqe_sets():
    return {
        "MLQE-PE train, en-de": ("DA", "en-de", mlqe("train", "train")),
        "MLQE-PE train, en-de, post-edited": ("HTER", "en-de", hter("train", "train")),
    }


def wmt_sets():
    return {
        "WMT21 en-de": ("MQM", "en-de", wmt21_mqm()),
        "WMT23 en-de": ("MQM", "en-de", wmt23("mqm")),
        "WMT23 en-de, same texts": ("DA+SQM", "en-de", wmt23("da-sqm")),
        "WMT21 is-en": ("DA", "is-en", wmt21_da("is")),
        "WMT21 cs-en": ("DA", "cs-en", wmt21_da("cs")),
    }


def unseen_documents(sets) -> None:
    print("| unseen documents of | scores | segments | r | 90 % intervals hold |\n|:--|:--|--:|--:|--:|")
    for name, (kind, pair, segments) in sets.items():
        figures = np.array([held(trained(a, pair), b) for a, b in halves(segments, HALVES)])
        r, share = figures.mean(0)
        print(f"| {name} | {kind} | {len(segments):,} | {r:.2f} | {100 * share:.1f} % |", flush=True)


def other_sets() -> None:
    print("\n| learnt from | tested on | r | 90 % intervals hold |\n|:--|:--|--:|--:|")
    test, dev = mlqe("test", "test20"), mlqe("dev", "dev")
    model = trained(mlqe("train", "train"), "en-de")
    edits = trained(hter("train", "train"), "en-de")
    news = trained(wmt21_mqm(), "en-de")
    for learnt, tested, own, segments in (
        ("MLQE-PE train, DA", "test20", model, test),
        ("MLQE-PE train, DA, calibrated on dev", "test20", recalibrate(model, dev), test),
        ("MLQE-PE train, DA, calibrated on test20", "dev", recalibrate(model, test), dev),
        ("MLQE-PE train, HTER", "dev", edits, hter("dev", "dev")),
        ("MLQE-PE train, HTER", "test20", edits, hter("test", "test20")),
        ("WMT21 en-de, MQM", "WMT23 en-de, MQM", news, wmt23("mqm")),
    ):
        r, share = held(own, segments)
        print(f"| {learnt} | {tested} | {r:.2f} | {100 * share:.1f} % |", flush=True)
    errors = [own.scores - estimate(model, own.sources, own.outputs).scores for own in (dev, test)]
    chance(errors)
    some_judged(errors[1])


def few_documents() -> None:
    """How far from 90 % halves of few documents come to lie."""
    segments = wmt21_mqm()
    shares = [held(trained(a, "en-de"), b)[1] for a, b in halves(segments, 10 * HALVES)]
    low, high = np.quantile(shares, [0.025, 0.975])
    print(
        f"\nWMT21 en-de, {len(set(segments.documents))} stretches: {np.mean(shares):.1%} of {len(shares)} halves, "
        f"95 % of them between {low:.1%} and {high:.1%}; the first {HALVES} {np.mean(shares[:HALVES]):.1%}"
    )


def panels() -> None:
    """Intervals from dev held against test20, by who judged, and by HTER of the same segments."""
    model = trained(mlqe("train", "train"), "en-de")
    edits = trained(hter("train", "train"), "en-de")
    golds = {"all six": range(6), "the first three": range(3), "the other three": range(3, 6)}
    print("\n| scores of | deviation on dev | on test20 | 90 % intervals hold |\n|:--|--:|--:|--:|")
    for name, columns in golds.items():
        own = [_judged_by(model, *names, columns) for names in (("dev", "dev"), ("test", "test20"))]
        _panel(name, *own)
    own = []
    for names in (("dev", "dev"), ("test", "test20")):
        segments = hter(*names)
        own.append(
            (segments.scores, segments.scores - estimate(edits, segments.sources, segments.outputs).scores)
        )
    _panel("post-editors (HTER)", *own)


def _judged_by(model, split, name, columns) -> tuple[np.ndarray, np.ndarray]:
    """Mean z of some of the people, and how far it lies from estimates."""
    segments = mlqe(split, name)
    path = DATA / "10_mlqe_pe" / "en-de" / "da" / split / f"{name}.ende.df.short.tsv"
    cells = [json.loads(line.split("\t")[5]) for line in lines(path)[1:]]
    scores = np.array([[row[column] for column in columns] for row in cells]).mean(1)
    return scores, scores - estimate(model, segments.sources, segments.outputs).scores


def _panel(name, dev, test) -> None:
    share = _covered(dev[1], test[1])
    print(f"| {name} | {dev[0].std():.2f} | {test[0].std():.2f} | {share:.1%} |", flush=True)
    chance([dev[1], test[1]])


def chance(errors) -> None:
    """How far from 90 % a thousand segments may be by chance, if dev and test20 were one set."""
    rng, pool = np.random.default_rng(1), np.concatenate(errors)
    shares = []
    for _ in range(DRAWS):
        drawn = rng.permutation(pool)
        shares.append(_covered(drawn[: len(errors[0])], drawn[len(errors[0]) :]))
    low, high = np.quantile(shares, [0.025, 0.975])
    actual = _covered(*errors)
    print(f"\ndev and test20 shuffled: mean {np.mean(shares):.3f}, 95 % between {low:.3f} and {high:.3f}; ")
    print(f"as far off as {actual:.3f} in {np.mean(np.array(shares) >= actual):.1%} of {DRAWS:,} shuffles")


def some_judged(errors) -> None:
    """Some segments of the test set are judged, and calibrate intervals for the rest."""
    rng = np.random.default_rng(2)
    print("\n| segments judged | 90 % intervals hold of the rest | 95 % of draws |\n|--:|--:|--:|")
    for count in (50, 100, 200, 500):
        shares = []
        for _ in range(DRAWS):
            drawn = rng.permutation(errors)
            shares.append(_covered(drawn[:count], drawn[count:]))
        low, high = np.quantile(shares, [0.025, 0.975])
        print(f"| {count} | {100 * np.mean(shares):.1f} % | {100 * low:.1f} to {100 * high:.1f} % |")


def _covered(known, new) -> float:
    low, high = conformal_reach(known, LEVEL)
    return coverage(np.full(len(new), low), np.full(len(new), high), new)


if __name__ == "__main__":
    parts = sys.argv[1:] or ["mlqe", "wmt", "few", "others", "panels"]
    if "mlqe" in parts:
        unseen_documents(mlqe_sets())
    if "wmt" in parts:
        unseen_documents(wmt_sets())
    if "few" in parts:
        few_documents()
    if "others" in parts:
        other_sets()
    if "panels" in parts:
        panels()
