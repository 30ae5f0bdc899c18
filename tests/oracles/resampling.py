"""Draws and tests one number at a time: twins of the resampling kernel and of what stands on it."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
BLOCK = 2**14


def mixed(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Random:
    """The stream of one resample: 64 bits at a time, used as two halves or as 64 coins."""

    def __init__(self, seed: int, stream: int) -> None:
        self.state = mixed((mixed((seed + GOLDEN) & MASK) + stream * GOLDEN) & MASK)
        self.halves: list[int] = []
        self.coins: list[bool] = []

    def next(self) -> int:
        self.state = (self.state + GOLDEN) & MASK
        return mixed(self.state)

    def half(self) -> int:
        if not self.halves:
            word = self.next()
            self.halves = [word >> 32, word & 0xFFFFFFFF]
        return self.halves.pop(0)

    def below(self, bound: int) -> int:
        """Of the 2^32 values of a half, those that would favour some numbers are thrown away."""
        while True:
            product = self.half() * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def coin(self) -> bool:
        if not self.coins:
            word = self.next()
            self.coins = [bool(word >> bit & 1) for bit in range(64)]
        return self.coins.pop(0)

    def chosen(self, size: int, wanted: int) -> list[int]:
        """So many of so many, in their order."""
        results: list[int] = []
        for i in range(size):
            if len(results) < wanted and self.below(size - i) < wanted - len(results):
                results.append(i)
        return results


def counts(
    draw: str,
    units: int,
    seed: int,
    resample: int,
    strata: Sequence[Sequence[int]] | None = None,
    runs: tuple[int, int] = (1, 1),
) -> list[int]:
    """How often each row is drawn."""
    random = Random(seed, resample)
    if draw == "bootstrap" and units > BLOCK and not strata:
        return counts_by_block(random, units, seed, resample)
    if draw == "bootstrap":
        result = [0] * units
        for members in strata or [range(units)]:
            for _ in members:
                result[members[random.below(len(members))]] += 1
        return result
    if draw == "half":
        result = [0] * units
        for members in strata or [range(units)]:
            wanted = len(members) // 2
            if strata and len(members) % 2:
                wanted += random.coin()
            if units == 1:
                wanted = 1
            for i in random.chosen(len(members), wanted):
                result[members[i]] = 1
        return result
    if draw == "coins":
        return [int(random.coin()) for _ in range(units)]
    if draw == "runs":
        return list(itertools.chain(*(exchanged(random, *runs) for _ in range(units))))
    return list(itertools.chain(*(as_multeval(random, runs[0]) for _ in range(units))))


def counts_by_block(random: Random, units: int, seed: int, resample: int) -> list[int]:
    """First how many of the draws fall into each block, then where in it, from a stream of its own."""
    blocks = [range(begin, min(begin + BLOCK, units)) for begin in range(0, units, BLOCK)]
    shares = [0] * len(blocks)
    for _ in range(units):
        shares[random.below(units) // BLOCK] += 1
    result = [0] * units
    for number, (members, share) in enumerate(zip(blocks, shares, strict=True), 1):
        inner = Random(seed ^ number * 0xD1B54A32D192ED03 & MASK, resample)
        for _ in range(share):
            result[members[inner.below(len(members))]] += 1
    return result


def exchanged(random: Random, a: int, b: int) -> list[int]:
    """Which runs of both systems the first one has after the exchange."""
    marks = [0] * (a + b)
    if a == b:
        swapped = sum(random.coin() for _ in range(a))
        for i in random.chosen(a, a - swapped):
            marks[i] = 1
        for i in random.chosen(b, swapped):
            marks[a + i] = 1
    else:
        for i in random.chosen(a + b, a):
            marks[i] = 1
    return marks


def as_multeval(random: Random, runs: int) -> list[int]:
    """What the first system has, then what the second one has, each of the first one's runs and the second's."""
    permutation = list(range(runs))
    for left in range(runs, 1, -1):
        other = random.below(left)
        permutation[left - 1], permutation[other] = permutation[other], permutation[left - 1]
    swaps = [random.coin() for _ in range(runs)]
    first, second = [0] * (2 * runs), [0] * (2 * runs)
    for i in range(runs):
        first[permutation[i] + runs * swaps[i]] = 1
        second[permutation.index(i) + runs * (not swaps[i])] = 1
    return first + second


def sums(rows: np.ndarray, weights: Sequence[int], at_a_time: int = 1) -> list[float]:
    """The sums of blocks, added up in order."""
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, len(rows), BLOCK)]
    total = block_sums(rows[blocks[0]], weights[blocks[0]], at_a_time)
    for block in blocks[1:]:
        own = block_sums(rows[block], weights[block], at_a_time)
        total = [before + value for before, value in zip(total, own, strict=True)]
    return total


def block_sums(rows: np.ndarray, weights: Sequence[int], at_a_time: int = 1) -> list[float]:
    """Row after row, as a person would add them up; or some rows among themselves first, then their sum."""
    pairs = list(zip(rows.tolist(), weights, strict=True))
    total = [0.0] * rows.shape[1]
    for start in range(0, len(rows), at_a_time):
        some = [0.0] * rows.shape[1]
        for row, weight in pairs[start : start + at_a_time]:
            some = [before + weight * value for before, value in zip(some, row, strict=True)]
        total = [before + value for before, value in zip(total, some, strict=True)]
    return total


Score = Callable[[np.ndarray], np.ndarray]


def moses_bootstrap(
    a: np.ndarray, b: np.ndarray, score: Score, resamples: int, rng: np.random.Generator
) -> float:
    """Moses' bootstrap-hypothesis-difference-significance.pl: draw n of n, both systems alike; p is the share of
    resamples in which |difference| − its mean is at least the real |difference|."""
    sizes = []
    for _ in range(resamples):
        drawn = rng.integers(len(a), size=len(a))
        sizes.append(abs(score(a[drawn].sum(0)) - score(b[drawn].sum(0))))
    mean = sum(sizes) / resamples
    real = abs(score(a.sum(0)) - score(b.sum(0)))
    return sum(size - mean >= real for size in sizes) / resamples


def multeval_randomisation(
    a: np.ndarray, b: np.ndarray, score: Score, shuffles: int, rng: np.random.Generator
) -> float:
    """MultEval's StratifiedApproximateRandomizationTest on statistics (runs × segments × k) of two systems.

    Each row has a coin; runs of the same segment are permuted. The first pseudo-system reads row i at its permuted
    place from the system its coin says, the second one at the inversely permuted place from the other one.
    """
    runs, segments, _ = a.shape
    systems, column = np.stack([a, b]), np.arange(segments)
    real = abs(score(a.sum((0, 1))) - score(b.sum((0, 1))))
    further = 0
    for _ in range(shuffles):
        swap = rng.integers(2, size=(runs, segments))
        permuted = rng.permuted(np.tile(np.arange(runs)[:, None], segments), axis=0)
        inverse = np.argsort(permuted, axis=0)
        x = systems[swap, permuted, column].sum((0, 1))
        y = systems[1 - swap, inverse, column].sum((0, 1))
        further += bool(abs(score(x) - score(y)) > real)
    return (further + 1) / (shuffles + 1)


def all_randomisations(a: np.ndarray, b: np.ndarray, score: Score) -> float:
    """The exact two-sided p: every way to swap the rows of two systems."""
    delta = abs(score(a.sum(0)) - score(b.sum(0)))
    as_extreme, ways = 0, 0
    for swap in itertools.product([False, True], repeat=len(a)):
        mask = np.array(swap)[:, None]
        x, y = np.where(mask, b, a).sum(0), np.where(mask, a, b).sum(0)
        as_extreme += bool(abs(score(x) - score(y)) >= delta - 1e-9)
        ways += 1
    return as_extreme / ways


def wmt_clusters(scores: Sequence[float], beats: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Clusters from the best system down: cut below a system if everyone since the last cut has at least as many
    wins as there are systems left, and someone has no more."""
    order = sorted(range(len(scores)), key=lambda s: -scores[s])
    result, start = [], 0
    for end in range(1, len(order) + 1):
        left = len(order) - end
        if min(sum(beats[s]) for s in order[start:end]) == left:
            result.append(order[start:end])
            start = end
    return result


def closed_bonferroni(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p as the closure of Bonferroni: the largest corrected p of all sets that hold the test."""
    tests = range(len(p_values))
    sets = [s for size in range(1, len(p_values) + 1) for s in itertools.combinations(tests, size)]
    corrected = {s: min(1.0, len(s) * min(p_values[i] for i in s)) for s in sets}
    return [max(p for s, p in corrected.items() if test in s) for test in tests]
