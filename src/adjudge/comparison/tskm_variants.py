"""All variants of TSKM at once: kernels × pairs of texts × words or lemmas, as Duma & Menzel (2017) tabulate them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from adjudge.data import Outputs, TestSet
from adjudge.metrics.tskm import KERNELS, PAIRS, Tskm
from adjudge.text.trees import Words


@dataclass(frozen=True)
class TskmVariant:
    """The scores of systems by one variant."""

    pairs: str
    kernels: str
    words: Words
    scores: tuple[float, ...]
    """Of the systems, in the order in which they were given."""

    @property
    def spec(self) -> str:
        """The metric that gives these scores."""
        return Tskm(pairs=self.pairs, kernels=self.kernels, words=self.words).spec


def tskm_variants(
    test_set: TestSet, outputs: Sequence[Outputs], metric: Tskm | None = None, *, threads: int = 0
) -> list[TskmVariant]:
    """The scores of systems by every variant that the test set allows; `metric` has the parsers and parameters.

    Each kernel of each pair of texts is computed once and serves all means it is part of.
    """
    metric = metric or Tskm()
    pairs = [pair for pair in PAIRS if _is_available(pair, test_set)]
    variants = []
    for words in ("exact", "lemma"):
        whole = replace(metric, pairs="+".join(pairs), kernels="+".join(KERNELS), words=words)
        prepared = whole.prepare(test_set)
        values = [whole.values(prepared, output.segments, threads=threads) for output in outputs]
        for chosen in _some_of(pairs):
            for kernels in _some_of(KERNELS):
                variant = replace(whole, pairs="+".join(chosen), kernels="+".join(kernels))
                scores = tuple(float(np.nanmean(variant.combined(known))) for known in values)
                variants.append(TskmVariant(variant.pairs, variant.kernels, variant.words, scores))
    return variants


def _is_available(pair: str, test_set: TestSet) -> bool:
    """Whether a test set has what outputs are held against in a pair."""
    if pair == "rc":
        return bool(test_set.human_references)
    if pair == "cs":
        return bool(test_set.pseudo_references)
    return test_set.sources is not None and bool(test_set.back_translations)


def _some_of(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Every choice of names but none at all, single ones first."""
    return [chosen for size in range(1, len(names) + 1) for chosen in combinations(names, size)]
