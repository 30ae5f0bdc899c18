"""Simulates ratings whose documents and annotators both hang together: the table of docs/statistics.md.

Two systems that were judged by the same annotators, each document by some of them or by all: how often the t-test
clustered both ways (`human analyse --unit document,annotator`) finds a difference that is not there, for intraclass
correlations of documents and of annotators, and how often one that it is said to show. And how often the mixed model
(`human analyse --model`) finds a difference between equal systems where annotators or documents favour one of them.
make calibration writes both tables.

python bench/calibration_crossed.py [CAMPAIGNS] [--write]     ten minutes, nearly all of them for the model
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from adjudge.stats.mixed import rater_model

ALPHA = 0.05
CAMPAIGNS = 8000
MODEL_SHARE = 20
"""A model takes its time: of as many campaigns, one in 20."""
BATCH = 250
SEGMENT = 0.2
"""Of what is neither the document's nor the annotator's, the share that all annotators see in a segment."""
CORRELATIONS = ((0.0, 0.0), (0.1, 0.1), (0.3, 0.0), (0.0, 0.3), (0.3, 0.1), (0.1, 0.3), (0.3, 0.3))
"""Of documents, and of annotators, in the difference of the two systems."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """So many documents of 3 to 8 segments and annotators; each document is judged by some of these, or by all."""

    documents: int
    annotators: int
    each: int

    @property
    def name(self) -> str:
        who = "all" if self.each == self.annotators else f"{self.each}"
        return f"{self.documents} | {self.annotators} | {who}"


PANELS = [
    Panel(documents, annotators, each)
    for documents, annotators in (
        (6, 6),
        (10, 6),
        (10, 10),
        (10, 30),
        (20, 10),
        (20, 30),
        (60, 6),
        (60, 10),
        (60, 30),
    )
    for each in (2, annotators)
]


@dataclass(frozen=True, eq=False)
class Campaigns:
    """Differences of the two systems, and their weights: campaigns × documents × annotators."""

    values: Floats
    weights: Floats

    @classmethod
    def drawn(cls, panel: Panel, of: tuple[float, float], count: int, rng: np.random.Generator) -> Campaigns:
        """Under no difference."""
        shape = count, panel.documents, panel.annotators
        coins = rng.random(shape)
        judged = (coins <= np.sort(coins, axis=2)[:, :, panel.each - 1 : panel.each]).astype(np.float64)
        segments = rng.integers(3, 9, shape[:2]).astype(np.float64)[:, :, None]
        rest = (1 - sum(of)) / segments
        values = np.sqrt(of[0]) * rng.normal(size=(*shape[:2], 1)) + np.sqrt(of[1]) * rng.normal(
            size=(count, 1, shape[2])
        )
        values = values + np.sqrt(SEGMENT * rest) * rng.normal(size=(*shape[:2], 1))
        values = values + np.sqrt((1 - SEGMENT) * rest) * rng.normal(size=shape)
        return cls(values, judged * segments / panel.each)

    def tested(self) -> tuple[Floats, Floats, Floats]:
        """Mean, standard error and units of every campaign: what `stats.crossed` does, for many at once."""
        shares = self.weights / self.weights.sum((1, 2), keepdims=True)
        mean = (shares * self.values).sum((1, 2))
        off = shares * (self.values - mean[:, None, None])
        one, other = (_variance(off.sum(axis), shares.sum(axis)) for axis in (2, 1))
        both = _variance(off.reshape(len(off), -1), shares.reshape(len(off), -1))
        units = np.minimum(*(1 / (shares.sum(axis) ** 2).sum(1) for axis in (2, 1)))
        return mean, np.sqrt(np.maximum(one + other - both, np.maximum(one, other))), units


def _variance(sums: Floats, weights: Floats) -> Floats:
    there = (weights > 0).sum(1)
    found: Floats = (sums**2).sum(1) * there / (there - 1)
    return found


def found(panel: Panel, of: tuple[float, float], campaigns: int, seed: int = 1) -> tuple[float, float]:
    """Shares of campaigns in which a difference is found: where there is none, and where what would show is there."""
    rng = np.random.default_rng(
        [seed, panel.documents, panel.annotators, panel.each, *(int(100 * c) for c in of)]
    )
    size = min(BATCH, campaigns)
    drawn = [Campaigns.drawn(panel, of, size, rng).tested() for _ in range(-(-campaigns // size))]
    mean, error, units = (np.concatenate(part) for part in zip(*drawn, strict=True))
    freedom = units - 1
    # What is said to show, of the error that there is in truth.
    shift = (stdtrit(freedom, 1 - ALPHA / 2) + stdtrit(freedom, 0.8)) * mean.std()
    wrong = 2 * stdtr(freedom, -np.abs(mean) / error) < ALPHA
    right = 2 * stdtr(freedom, -np.abs(mean + shift) / error) < ALPHA
    return float(wrong.mean()), float(right.mean())


def table(campaigns: int) -> list[str]:
    """Lines of the page."""
    heads = [f"{documents:g}, {annotators:g}" for documents, annotators in CORRELATIONS]
    lines = [
        "| documents | annotators | a document by | "
        + " | ".join(heads)
        + " | finds what it is said to show |",
        "|--:|--:|--:|" + "--:|" * (len(heads) + 1),
    ]
    for panel in PANELS:
        shares = [found(panel, of, campaigns) for of in CORRELATIONS]
        power = [right for _, right in shares]
        between = f"{100 * min(power):.0f}–{100 * max(power):.0f} %"
        cells = " | ".join(f"{100 * wrong:.1f} %" for wrong, _ in shares)
        lines.append(f"| {panel.name} | {cells} | {between} |")
        print(lines[-1], flush=True)
    return lines


@dataclass(frozen=True)
class ModelCampaign:
    """Two equal systems, judged by the same annotators; some of these judge each segment of documents of 5."""

    annotators: int
    documents: int
    each: int
    labelled: bool = False
    """Whether documents are known to the model, and favour systems as annotators do."""

    @property
    def name(self) -> str:
        documents = f"{self.documents} documents" if self.labelled else f"{5 * self.documents} segments"
        who = "all" if self.each == self.annotators else f"{self.each}"
        return f"{self.annotators} | {documents} | {who}"

    def false_alarms(self, taste: float, campaigns: int, seed: int = 1) -> float:
        """The share of campaigns in which the model tells the systems apart; errors have a deviation of 12."""
        rng = np.random.default_rng([seed, self.annotators, self.documents, self.each, int(10 * taste)])
        return float(np.mean([self._p_value(rng, taste) < ALPHA for _ in range(campaigns)]))

    def _p_value(self, rng: np.random.Generator, taste: float) -> float:
        segments = 5 * self.documents
        people = np.tile(np.arange(self.annotators), (segments, 1))
        seated = rng.permuted(people, axis=1)[:, : self.each]
        item, rater = np.repeat(np.arange(segments), 2 * self.each), np.repeat(seated.ravel(), 2)
        system, document = np.tile([0, 1], segments * self.each), item // 5
        score = rng.normal(0, 10, self.annotators)[rater] + rng.normal(0, 10, segments)[item]
        score += rng.normal(0, taste, (self.annotators, 2))[rater, system] + rng.normal(0, 12, len(item))
        score += rng.normal(0, 8, (segments, 2))[item, system]
        if self.labelled:
            score += rng.normal(0, taste, (self.documents, 2))[document, system]
        model = rater_model(score, system, rater, item, document if self.labelled else None)
        return float(model.differences().p[0, 1])


TASTES = (0.0, 2.5, 5.0)
"""Standard deviations of what annotators, or documents, add to single systems."""
MODELS = [
    *(ModelCampaign(annotators, 40, each) for annotators in (8, 20) for each in (1, 2)),
    ModelCampaign(8, 10, 8),
    *(ModelCampaign(annotators, 20, each, labelled=True) for annotators in (12, 20) for each in (1, 2)),
]


def model_table(campaigns: int) -> list[str]:
    """Lines of the page."""
    heads = " | ".join(f"{taste:g}" for taste in TASTES)
    lines = [f"| annotators | judged | a segment by | {heads} |", "|--:|--:|--:|" + "--:|" * len(TASTES)]
    for campaign in MODELS:
        shares = [campaign.false_alarms(taste, campaigns) for taste in TASTES]
        lines.append(f"| {campaign.name} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(CAMPAIGNS)
    made = {"crossed": table(asked.simulations), "model": model_table(-(-asked.simulations // MODEL_SHARE))}
    publish(made, asked, "statistics.md")
