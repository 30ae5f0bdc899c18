"""How many judgements reach the ranking that all of them give? Segments chosen by metrics against random ones.

    .venv/bin/python bench/selection.py [--shared ../shared] [--pools 200] [--picture docs/images/selection.svg]

WMT23 English-German, judged by MQM and by DA+SQM: twelve systems on all segments that people judged for each of them.
A pool is a random half of the documents; of its segments some are chosen, and systems are ranked by people's scores of
those alone. Counted is the share of pairs of systems in the order that all segments of the pool give. Halves vary
about the whole as samples of the whole's size do, so that the middle 95 % of the differences over pools is an
interval (half-sampling, Kish & Frankel 1974). Prints a table for docs/selection.md.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.campaigns.items import CampaignMaterial
from adjudge.campaigns.selection import unlikeness
from adjudge.data import Outputs, TestSet
from adjudge.io.metric_folders import read_meta_set
from adjudge.stats import selection as choice

Array = NDArray[np.float64]
BUDGETS = (10, 20, 40, 60, 80, 120)
RANDOM = 40
"""Random samples of a pool."""
REACHED = 0.95
COLOURS = {
    "random": "#777777",
    "variance COMET": "#009e73",
    "consistency chrF": "#d55e00",
    "consistency COMET": "#0072b2",
}
"""Of the curves that are drawn."""


def accuracy(gold: Array, segments: NDArray[np.intp]) -> float:
    """The share of pairs of systems in the order of the whole pool."""
    a, b = np.triu_indices(len(gold), 1)
    part, whole = gold[:, segments].mean(1), gold.mean(1)
    return float((np.sign(part[a] - part[b]) == np.sign(whole[a] - whole[b])).mean())


def chosen(method: str, scores: Array, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Some segments of a pool."""
    if method == "random":
        return rng.permutation(scores.shape[2])[:count]
    if method == "stratified":
        return choice.systematic(choice.difficulty(scores), count, rng)
    if method == "diversity":  # the table is the utility itself
        return choice.highest(scores[0, 0], count)
    return choice.highest(getattr(choice, method)(scores), count)


def curves(
    gold: Array, scores: dict[str, Array], documents: Array, pools: int, seed: int
) -> dict[str, Array]:
    """Of every method the accuracies, pools × budgets."""
    rng = np.random.default_rng(seed)
    names = np.unique(documents)
    results = {name: np.zeros((pools, len(BUDGETS))) for name in scores}
    for pool in range(pools):
        half = rng.permutation(names)[: len(names) // 2]
        inside = np.flatnonzero(np.isin(documents, half))
        own = gold[:, inside]
        for name, table in scores.items():
            part = table[:, :, inside]
            method = name.partition(" ")[0]
            times = RANDOM if method in ("random", "stratified") else 1
            for place, count in enumerate(BUDGETS):
                drawn = [accuracy(own, chosen(method, part, count, rng)) for _ in range(times)]
                results[name][pool, place] = np.mean(drawn)
    return results


def material_of(shared: Path, systems: list[str]) -> CampaignMaterial:
    """What the systems made of the test set."""
    folder = shared / "data" / "03_wmt23_mqm_esa" / "en-de"

    def lines(path: Path) -> tuple[str, ...]:
        return tuple(path.read_text(encoding="utf-8").rstrip("\n").split("\n"))

    outputs = tuple(Outputs(name, lines(folder / "hyp" / f"{name}.de")) for name in systems)
    return CampaignMaterial(TestSet(sources=lines(folder / "src.en"), language="en-de"), outputs)


def reached(line: Array) -> str:
    """How many segments it takes until the mean curve is at 95 %, between budgets by straight lines."""
    if line[-1] < REACHED:
        return f">{BUDGETS[-1]}"
    return f"{np.interp(REACHED, np.maximum.accumulate(line), BUDGETS):.0f}"


def drawn(results: dict[str, dict[str, Array]]) -> str:
    """Curves of some methods, a panel for each way people judged; the bands hold 95 % of the pools' gains on random."""
    parts = []
    for panel, (gold, curves_of) in enumerate(results.items()):
        left, wide, high = 50 + 400 * panel, 310, 220

        def at(count: float, share: float, left: int = left, wide: int = wide, high: int = high) -> str:
            x = left + wide * (count - BUDGETS[0]) / (BUDGETS[-1] - BUDGETS[0])
            return f"{x:.1f},{30 + high * (1 - (share - 0.7) / 0.3):.1f}"

        parts.append(f'<text x="{left}" y="18" font-weight="bold">{gold}</text>')
        for tick in (0.7, 0.8, 0.9, 1.0):
            x, y = at(BUDGETS[0], tick).split(",")
            parts.append(
                f'<line x1="{x}" x2="{left + wide}" y1="{y}" y2="{y}" stroke="#8886" stroke-width="1"/>'
            )
            parts.append(f'<text x="{left - 6}" y="{float(y) + 4}" text-anchor="end">{tick:.0%}</text>')
        for count in BUDGETS:
            x = at(count, 0.7).split(",")[0]
            parts.append(f'<text x="{x}" y="{30 + high + 16}" text-anchor="middle">{count}</text>')
        parts.append(
            f'<text x="{left + wide / 2}" y="{30 + high + 34}" text-anchor="middle">segments judged</text>'
        )
        random = curves_of["random"].mean(0)
        for method, colour in COLOURS.items():
            values, mean = curves_of[method], curves_of[method].mean(0)
            if method != "random":
                ends = random + np.quantile(values - curves_of["random"], [0.025, 0.975], axis=0)
                clipped = np.clip(ends, 0.7, 1.0)
                upper = [at(c, s) for c, s in zip(BUDGETS, clipped[1], strict=True)]
                lower = [at(c, s) for c, s in zip(BUDGETS, clipped[0], strict=True)]
                parts.append(
                    f'<polygon points="{" ".join([*upper, *lower[::-1]])}" fill="{colour}" opacity=".13"/>'
                )
            line = " ".join(at(c, s) for c, s in zip(BUDGETS, mean, strict=True))
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
            place = list(COLOURS).index(method)
            x, y = left + wide - 130, 30 + high - 14 - 18 * place
            parts.append(
                f'<line x1="{x - 26}" x2="{x - 6}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
            )
            parts.append(f'<text x="{x}" y="{y}">{method}</text>')
    style = "font:12px sans-serif;fill:#777"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 300" role="img">'
        "<title>Share of pairs of systems in the order that all segments give, by segments judged</title>"
        f'<g style="{style}">{"".join(parts)}</g></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--pools", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="Draw the curves into an SVG file.")
    options = parser.parse_args()
    meta_set = read_meta_set(str(options.shared / "data" / "03_wmt23_mqm_esa")).meta_set
    everything: dict[str, dict[str, Array]] = {}
    for name in ("mqm", "da-sqm"):
        table = meta_set.gold[name].segments
        systems = [
            s
            for s, own in enumerate(meta_set.systems)
            if own not in meta_set.references and (~np.isnan(table[s])).any()
        ]
        judged = np.flatnonzero(~np.isnan(table[systems]).any(0))
        gold = table[np.ix_(systems, judged)]
        documents = np.array(meta_set.labels["document"], object)[judged].astype(str)

        def of(*metrics: str, systems: list[int] = systems, judged: NDArray[np.intp] = judged) -> Array:
            return np.stack([meta_set.metrics[m].segments[np.ix_(systems, judged)] for m in metrics])

        scores = {"random": of("chrF-refA"), "stratified chrF": of("chrF-refA")}
        for metric in ("chrF-refA", "COMET-refA"):
            scores |= {
                f"{method} {metric.partition('-')[0]}": of(metric)
                for method in ("variance", "difficulty", "consistency")
            }
        scores["disagreement BLEU, chrF"] = of("BLEU-refA", "chrF-refA")
        scores["disagreement chrF, COMET"] = of("chrF-refA", "COMET-refA")
        material = material_of(options.shared, [meta_set.systems[s] for s in systems])
        scores["diversity"] = unlikeness(material)[judged][None, None]
        results = everything[name] = curves(gold, scores, documents, options.pools, options.seed)
        print(
            f"\n{name}: {len(systems)} systems, {len(judged)} segments, {len(np.unique(documents))} documents\n"
        )
        print(
            "| method |",
            " | ".join(f"{count}" for count in BUDGETS),
            f"| mean gain | segments to {REACHED:.0%} |",
        )
        print("|---|" + "--:|" * (len(BUDGETS) + 2))
        for method, values in results.items():
            cells = [f"{100 * mean:.1f}" for mean in values.mean(0)]
            gain = 100 * (values - results["random"]).mean(1)
            low, high = np.quantile(gain, [0.025, 0.975])
            told = "" if method == "random" else f"{gain.mean():+.1f} ({low:+.1f} to {high:+.1f})"
            print(f"| {method} |", " | ".join(cells), f"| {told} | {reached(values.mean(0))} |")
    if options.picture:
        options.picture.write_text(drawn(everything), encoding="utf-8")


if __name__ == "__main__":
    main()
