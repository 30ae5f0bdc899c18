"""Segments as subset2evaluate chooses them: its utilities beside ours, and its other methods against random samples.

    pip install --no-deps subset2evaluate==1.0.27    # its other packages are for methods that load models
    .venv/bin/python bench/selection_peer.py [--shared ../shared] [--pools 200]

The data and the measure are those of bench/selection.py.
"""

import argparse
from pathlib import Path

import numpy as np
import selection
from subset2evaluate import methods

from adjudge.campaigns.selection import unlikeness
from adjudge.io.metric_folders import read_meta_set
from adjudge.stats import selection as choice

OTHERS = (
    ("metric_cons", "chrF"),
    ("metric_cons", "COMET"),
    ("diversity_unigram", ""),
    ("diversity_bleu", ""),
)


def utilities(method, metric, data):
    """What the peer says of every segment."""
    return np.array(
        getattr(methods, method.replace("metric_cons", "metric_consistency"))(data, metric=metric)
    )


def same(ours, theirs):
    """The correlation with ours, and whether the same 60 segments are chosen."""
    chosen = [choice.highest(own, 60).tolist() for own in (ours, theirs)]
    shared = "yes" if chosen[0] == chosen[1] else "no"
    return f"r = {np.corrcoef(ours, theirs)[0, 1]:.12f}, the same 60 segments: {shared}"


def gains(gold, data, documents, pools, seed):
    """Of every other method the accuracies less those of random samples, pools × budgets."""
    rng, names = np.random.default_rng(seed), np.unique(documents)
    fixed = {own: utilities(*own, data) for own in OTHERS if own[0].startswith("diversity")}
    results = {own: np.zeros((pools, len(selection.BUDGETS))) for own in ("random", *OTHERS)}
    for pool in range(pools):
        half = rng.permutation(names)[: len(names) // 2]
        inside = np.flatnonzero(np.isin(documents, half))
        part = gold[:, inside]
        of = {
            own: fixed[own][inside] if own in fixed else utilities(*own, [data[i] for i in inside])
            for own in OTHERS
        }
        for place, count in enumerate(selection.BUDGETS):
            drawn = [rng.permutation(len(inside))[:count] for _ in range(selection.RANDOM)]
            results["random"][pool, place] = np.mean([selection.accuracy(part, own) for own in drawn])
            for own, utility in of.items():
                results[own][pool, place] = selection.accuracy(part, choice.highest(utility, count))
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--pools", type=int, default=200)
    options = parser.parse_args()
    meta_set = read_meta_set(str(options.shared / "data" / "03_wmt23_mqm_esa")).meta_set
    for name in ("mqm", "da-sqm"):
        table = meta_set.gold[name].segments
        systems = [
            s
            for s, own in enumerate(meta_set.systems)
            if own not in meta_set.references and (~np.isnan(table[s])).any()
        ]
        judged = np.flatnonzero(~np.isnan(table[systems]).any(0))
        known = {
            m: meta_set.metrics[f"{m}-refA"].segments[np.ix_(systems, judged)] for m in ("chrF", "COMET")
        }
        material = selection.material_of(options.shared, [meta_set.systems[s] for s in systems])
        data = [
            {
                "scores": {s: {m: float(own[s, k]) for m, own in known.items()} for s in range(len(systems))},
                "tgt": {s: own.segments[i] for s, own in enumerate(material.outputs)},
            }
            for k, i in enumerate(judged)
        ]
        print(f"\n{name}")
        for metric, own in known.items():
            print(
                "metric_var", metric, same(choice.variance(own[None]), utilities("metric_var", metric, data))
            )
            print(
                "metric_avg",
                metric,
                same(choice.difficulty(own[None]), utilities("metric_avg", metric, data)),
            )
        print("diversity_chrf", same(unlikeness(material)[judged], utilities("diversity_chrf", "", data)))
        documents = np.array(meta_set.labels["document"], object)[judged].astype(str)
        results = gains(table[np.ix_(systems, judged)], data, documents, options.pools, 1)
        for own in OTHERS:
            cells = " | ".join(f"{100 * mean:.1f}" for mean in results[own].mean(0))
            gain = 100 * (results[own] - results["random"]).mean(1)
            low, high = np.quantile(gain, [0.025, 0.975])
            reached = selection.reached(results[own].mean(0))
            print(
                f"| {' '.join(own)} | {cells} | {gain.mean():+.1f} ({low:+.1f} to {high:+.1f}) | {reached} |"
            )


if __name__ == "__main__":
    main()
