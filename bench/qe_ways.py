"""Other ways to make intervals, from one set to another: does any of them hold 90 % where people judge otherwise?

python bench/qe_ways.py

Ways are chosen by the rows above the line; the row below it, MLQE-PE's dev to test20 by direct assessment, is looked at
once (docs/qe.md).
"""

import numpy as np
from qe_coverage import hter, mlqe, trained
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from adjudge.qe.conformal import conformal_reach
from adjudge.qe.estimator import estimate
from adjudge.qe.features import black_box_features
from adjudge.qe.labelled import join_labelled

LEVEL, PARTS = 0.9, 4


class Judged:
    """Segments with estimates, scores and features."""

    def __init__(self, model, segments, estimates=None) -> None:
        self.estimates = estimate(model, segments.sources, segments.outputs).scores
        self.estimates = self.estimates if estimates is None else estimates
        self.scores = segments.scores
        self.features = black_box_features(model.resources, segments.sources, segments.outputs)

    @property
    def errors(self):
        return self.scores - self.estimates


def inside(errors, reach):
    return (errors >= reach[0]) & (errors <= reach[1])


def as_it_is(known, new):
    return inside(new.errors, conformal_reach(known.errors, LEVEL))


def by_quarters(known, new):
    """Quantiles by quarters of the estimate (Mondrian)."""
    cuts = np.quantile(known.estimates, np.arange(1, PARTS) / PARTS)
    old, own = (np.searchsorted(cuts, part.estimates) for part in (known, new))
    held = np.zeros(len(own), bool)
    for part in range(PARTS):
        held[own == part] = inside(new.errors[own == part], conformal_reach(known.errors[old == part], LEVEL))
    return held


def halves(known):
    rows = np.random.default_rng(0).permutation(len(known.scores))
    return rows[::2], rows[1::2]


def following_the_estimate(known, new):
    """Errors over their size as a line in the estimate, learnt on one half of the calibration."""
    first, second = halves(known)
    sizes = np.abs(known.errors[first])
    fit = np.polyfit(known.estimates[first], sizes, 1)

    def width(estimates):
        return np.maximum(np.polyval(fit, estimates), 0.2 * sizes.mean())

    reach = conformal_reach((known.errors / width(known.estimates))[second], LEVEL)
    return inside(new.errors / width(new.estimates), reach)


def fitted_again(known, new):
    """A line from estimates to scores, learnt on one half of the calibration."""
    first, second = halves(known)
    fit = np.polyfit(known.estimates[first], known.scores[first], 1)
    errors = [part.scores - np.polyval(fit, part.estimates) for part in (known, new)]
    return inside(errors[1], conformal_reach(errors[0][second], LEVEL))


def weighted(known, new):
    """Segments of the calibration count as much as they are like those to come (Tibshirani et al. 2019)."""
    scale = StandardScaler().fit(np.concatenate([known.features, new.features]))
    columns = scale.transform(np.concatenate([known.features, new.features]))
    side = np.repeat([0, 1], [len(known.scores), len(new.scores)])
    model = LogisticRegression(C=0.01, max_iter=1000).fit(columns, side)
    odds = np.exp(model.decision_function(columns[: len(known.scores)]))
    order = np.argsort(known.errors)
    share = np.cumsum(odds[order]) / odds.sum()
    ends = np.searchsorted(share, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return inside(new.errors, known.errors[order][np.minimum(ends, len(order) - 1)])


WAYS = (as_it_is, by_quarters, following_the_estimate, fitted_again, weighted)


def main() -> None:
    sets = {}
    for kind, read in (("DA", mlqe), ("HTER", hter)):
        segments = read("train", "train")
        model = trained(segments, "en-de")
        sets[kind, "train"] = Judged(model, segments, model.held_out.predicted)
        for split, name in (("dev", "dev"), ("test", "test20")):
            sets[kind, name] = Judged(model, read(split, name))
    print("| | " + " | ".join(way.__name__.replace("_", " ") for way in WAYS) + " |")
    print("|:--|" + "--:|" * len(WAYS))
    for kind, first, second in (
        ("DA", "train", "dev"),
        ("HTER", "train", "dev"),
        ("HTER", "train", "test20"),
        ("HTER", "dev", "test20"),
        ("HTER", "test20", "dev"),
        ("DA", "dev", "test20"),
    ):
        shares = [way(sets[kind, first], sets[kind, second]).mean() for way in WAYS]
        print(f"| {kind}, {first} to {second} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
    train, dev, test = mlqe("train", "train"), mlqe("dev", "dev"), mlqe("test", "test20")
    both = trained(join_labelled([train, dev]), "en-de")
    own = slice(len(train), None)
    reach = conformal_reach((both.held_out.scores - both.held_out.predicted)[own], LEVEL)
    errors = test.scores - estimate(both, test.sources, test.outputs).scores
    print(f"\ntrain and dev, dev held out in turn: {inside(errors, reach).mean():.1%}")
    known, new = sets["DA", "dev"], sets["DA", "test20"]
    for level in (0.9, 0.88, 0.86):
        share = inside(new.errors, conformal_reach(known.errors, level)).mean()
        print(f"intervals that hold {level:.0%} of dev hold {share:.1%} of test20")


if __name__ == "__main__":
    main()
