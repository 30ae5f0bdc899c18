"""What the tests of tuning share: rows as METEOR would have them, and its formula done by hand."""

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.tuning.items import Items
from oracles import correlation as oracle

DEFAULT = Parameters(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)


PLANTED = Parameters(0.5, 1.0, 0.4, 0.6, 1.0, 0.5, 1.0, 0.0)


SMALL = {
    "delta": (0.5, 0.6, 0.8),
    "stem": (0.0, 0.5, 1.0),
    "synonym": (0.5, 1.0),
    "paraphrase": (0.0, 0.5),
    "alpha": (0.1, 0.5, 0.9),
    "beta": (0.2, 1.0, 2.0),
    "gamma": (0.0, 0.4, 0.8),
}
"""A grid that takes no time."""


def said(*rows, protocol="da", documents=None):
    """Judgements: system, item and score each."""
    systems, items, scores = zip(*rows, strict=True)
    return Judgements(
        protocol=protocol,
        system=NameColumn.of(systems),
        item=NameColumn.of(map(str, items)),
        annotator=NameColumn.same("", len(rows)),
        score=np.array(scores, dtype=float),
        labels={} if documents is None else {"document": NameColumn.of(documents)},
        higher_is_better=protocol != "hter",
    )


def ranked_together(*rankings):
    """Pairs of rankings: a segment, and the rank of each system."""
    pairs = [
        (number, str(segment), a, b, float(np.sign(ranks[b] - ranks[a])))
        for number, (segment, ranks) in enumerate(rankings)
        for a, b in itertools.combinations(ranks, 2)
    ]
    numbers, items, first, second, scores = zip(*pairs, strict=True)
    return Judgements(
        protocol="rank",
        system=NameColumn.of(first),
        item=NameColumn.of(items),
        annotator=NameColumn.same("", len(pairs)),
        score=np.array(scores),
        other=NameColumn.of(second),
        ranking=np.array(numbers),
    )


def made_rows(n, seed=0, matchers=4, references=1):
    """Rows of translations that are better or worse by chance: translations × references × columns."""
    return np.stack([_rows(n, seed + 1000 * r, matchers) for r in range(references)], 1)


def _rows(n, seed, matchers):
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, 23))
    words = np.stack([rng.integers(5, 30, n), rng.integers(5, 30, n)], 1)
    function = rng.binomial(words, 0.45)
    rows[:, 0:2], rows[:, 2:4] = words, function
    left = [(words - function).min(1), function.min(1)]
    quality = rng.beta(4, 3, n)
    for matcher in range(matchers):
        for kind in (0, 1):
            result = rng.binomial(left[kind], quality * (0.6 if matcher == 0 else 0.3))
            left[kind] = left[kind] - result
            rows[:, 7 + 4 * matcher + kind] = rows[:, 9 + 4 * matcher + kind] = result
    matched = rows[:, [7, 8, 11, 12, 15, 16, 19, 20]].sum(1).astype(int)
    rows[:, 4] = rows[:, 5] = matched
    rows[:, 6] = np.where(matched > 0, 1 + rng.binomial(np.maximum(matched - 1, 0), rng.beta(2, 3, n)), 0)
    return rows


def plain_score(row, p):
    """The formula, for one row, as the paper has it."""
    sides = []
    for side in (0, 1):
        matched = sum(
            w * (p.delta * row[7 + 4 * m + 2 * side] + (1 - p.delta) * row[8 + 4 * m + 2 * side])
            for m, w in enumerate(p.weights)
        )
        total = p.delta * (row[side] - row[2 + side]) + (1 - p.delta) * row[2 + side]
        sides.append(matched / total if total else 0.0)
    precision, recall = sides
    if precision == 0 or recall == 0:
        return 0.0
    mean = precision * recall / (p.alpha * precision + (1 - p.alpha) * recall)
    return mean * (1 - p.gamma * (row[6] / ((row[4] + row[5]) / 2)) ** p.beta)


def plain_scores(items, p):
    """Of all items: the best reference of each translation; systems add up the rows of theirs."""
    best = [max(references, key=lambda row: plain_score(row, p)) for references in items.rows]
    if items.begins is not None:
        best = [np.sum(best[a:b], 0) for a, b in itertools.pairwise(items.begins)]
    return [plain_score(row, p) for row in best]


def planted(n, noise=0.0, seed=0, matchers=4, references=1):
    """Items whose judgements are METEOR's own by PLANTED, with some noise; four translations a segment."""
    rows = made_rows(n, seed, matchers, references)
    unit = np.arange(n) // 4
    human = Items(rows, np.zeros(n), unit).scores(PLANTED)
    # Times a power of 2, which rounds nothing: what is equal stays so.
    human = 64 * (human + noise * human.std() * np.random.default_rng(seed + 1).normal(size=n))
    return Items(rows, human, unit)


def ranked(n, seed=0, references=1):
    """The same, but people only said which of two translations is better."""
    items = planted(n, noise=0.5, seed=seed, references=references)
    order = [
        p for u in range(items.units) for p in itertools.permutations(np.flatnonzero(items.unit == u), 2)
    ]
    pairs = np.array([(a, b) for a, b in order if items.human[a] > items.human[b]])
    return replace(items, human=np.zeros(n), pairs=pairs)


def systems(count, segments, references, seed=0):
    """Items that are whole systems, of which each reference of each segment is known."""
    rows = made_rows(count * segments, seed, references=references)
    begins = np.arange(count + 1) * segments
    human = np.random.default_rng(seed).normal(size=count)
    return Items(rows, human, np.arange(count), begins=begins)


share = st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0])


points = st.lists(
    st.builds(
        Parameters, share, st.sampled_from([0.05, 0.2, 1.0, 3.0]), share, share, share, share, share, share
    ),
    min_size=1,
    max_size=6,
)


def numbers(chosen):
    return np.array([point.numbers for point in chosen])


def slow(measure, scores, items):
    if measure == "tau":
        return sum(1 if scores[a] > scores[b] else -1 for a, b in items.pairs) / len(items.pairs)
    if measure == "kendall":
        return oracle.tau_b(scores, items.human)
    human = list(items.human)
    return (
        oracle.pearson(scores, human)
        if measure == "pearson"
        else oracle.pearson(oracle.ranks(scores), oracle.ranks(human))
    )


TEST_SET = TestSet(references=(("a",) * 4,), labels={"document": ("d1", "d1", "d2", "d2")})


ROWS = {"A": made_rows(4, 1), "B": made_rows(4, 2)}
