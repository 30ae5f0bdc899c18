"""Simulates ratings whose documents and annotators both hang together: the tables of docs/statistics.md.

Two systems that were judged by the same annotators, each document by some of them or by all: how often the t-test
clustered both ways (`human analyse --unit document,annotator`) finds a difference that is not there, for intraclass
correlations of documents and of annotators, and how often one that it is said to show. How often it does so by default
for real scores under the designs of bench/sentences.py, and which difference it then finds. And how often the mixed
model (`human analyse --mixed-model`) finds a difference between equal systems where annotators or documents favour
one of them. make calibration writes these tables.

python bench/calibration_crossed.py [CAMPAIGNS] [--write]     ten minutes, nearly all of them for the model
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from adjudge.stats.crossed import CAUTION, DIVIDED, SWAPS_DOUBT, joint_variance, swaps_p
from adjudge.stats.mixed import fit_mixed_model
from adjudge.stats.power import POWER

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
        return mean, np.sqrt(joint_variance(one, other, both)), units


def _variance(sums: Floats, weights: Floats) -> Floats:
    """By units, from what these add to a mean and their weights (CR2)."""
    variance: Floats = (sums**2 / (1 - weights)).sum(1)
    return variance


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
class RatingDesign:
    """Two equal systems, judged by annotators who are severe and may have tastes."""

    items: int = 200
    annotators: int = 8
    taste: float = 0.0
    """Standard deviation of what an annotator adds to a single system."""
    documents: tuple[int, ...] = ()
    """Sizes of documents, whose systems change places together and which one annotator judges; empty without any."""
    paired: bool = False
    """Whether one annotator judges both translations of an item."""
    minds: bool = False
    """Whether each annotator favours one of the systems by as much as all others do theirs."""

    def drawn(self, scores: Floats, count: int, rng: np.random.Generator) -> RatingCampaigns:
        """Campaigns with real scores of two systems, which change places by a coin."""
        sizes = self.documents or (1,) * self.items
        unit = np.repeat(np.arange(len(sizes)), sizes)
        quality = scores[:, rng.integers(scores.shape[1], size=(count, len(unit)))]
        quality = np.where((rng.random((count, len(sizes))) < 0.5)[:, unit], quality[::-1], quality)
        annotator = rng.integers(self.annotators, size=(2, count, len(unit)))
        if self.documents:
            annotator[:] = unit % self.annotators
        elif self.paired:
            annotator[1] = annotator[0]
        tastes = rng.normal(size=(count, self.annotators, 2))
        if self.minds:
            tastes[:, :, 0] = np.sign(tastes[:, :, 0])
            tastes[:, :, 1] = -tastes[:, :, 0]
        added = rng.normal(0, 6, (count, self.annotators, 1)) + self.taste * tastes
        added = np.stack([np.take_along_axis(added[:, :, s], annotator[s], 1) for s in (0, 1)])
        given = quality + rng.normal(0, 6, quality.shape) + added
        units = np.broadcast_to(unit, (count, len(unit)))
        return RatingCampaigns(
            np.concatenate(given, axis=1), np.hstack([units, units]), np.concatenate(annotator, axis=1)
        )


@dataclass(frozen=True, eq=False)
class RatingCampaigns:
    """What annotators gave: campaigns × judgements, the first half of these of one system."""

    given: Floats
    unit: NDArray[np.int64]
    annotator: NDArray[np.int64]

    @property
    def z(self) -> Floats:
        """Scores on annotators' own scales, which are tested by default."""
        number = _sums(self.annotator, np.ones_like(self.given))
        mean = _sums(self.annotator, self.given) / np.maximum(number, 1)
        off = self.given - np.take_along_axis(mean, self.annotator, 1)
        deviation = np.sqrt(_sums(self.annotator, off**2) / np.maximum(number - 1, 1))
        deviation = np.take_along_axis(deviation, self.annotator, 1)
        return np.divide(off, deviation, out=np.zeros_like(off), where=deviation > 0)

    def tested(self) -> Estimates:
        """Differences and their errors, as `stats.crossed` has them."""
        z, half = self.z, self.given.shape[1] // 2
        means = z[:, :half].mean(1), z[:, half:].mean(1)
        cells = self.unit * (int(self.annotator.max()) + 1) + self.annotator
        variances, units, parts = [], [], []
        for kind in (self.unit, self.annotator, cells):
            scaled, weights, unscaled = 0.0, 0.0, 0.0
            for place, sign in enumerate((1, -1)):
                own = (np.arange(2 * half) // half == place) / half
                weight = _sums(kind, np.broadcast_to(own, z.shape))
                added = _sums(kind, own * (z - means[place][:, None]))
                scaled = scaled + sign * added / np.sqrt(1 - weight)
                weights, unscaled = weights + weight / 2, unscaled + sign * added
            parts.append((unscaled, weights))
            variances.append((scaled**2).sum(1))
            units.append(1 / (weights**2).sum(1))
        rarer = int(parts[1][0].shape[1] < parts[0][0].shape[1])
        return Estimates(
            means[0] - means[1], np.array(variances), np.minimum(*units[:2]), *parts[rarer], variances[rarer]
        )


@dataclass(frozen=True, eq=False)
class Estimates:
    """Of every campaign: the difference, its variances by units, annotators and both, and how many units."""

    mean: Floats
    variances: Floats
    units: Floats
    added: Floats
    """Campaigns × units of the rarer kind: what each adds to the difference, less its mean."""
    weights: Floats
    rarer_variance: Floats
    """By the rarer kind."""

    @classmethod
    def joined(cls, several: Sequence[Estimates]) -> Estimates:
        """Those of all batches."""
        own = {field.name: [getattr(one, field.name) for one in several] for field in fields(cls)}
        return cls(
            **{
                name: np.concatenate(parts, axis=-1 if name == "variances" else 0)
                for name, parts in own.items()
            }
        )

    def found(self, more: float, *, caution: float = CAUTION, swaps: bool = True) -> float:
        """How often a difference is significant, were it larger by so much: by t, and by swaps of the rarer units."""
        error = np.sqrt(joint_variance(*self.variances, caution=caution))
        mean = self.mean + more
        significant = np.abs(mean) > stdtrit(self.units - 1, 1 - ALPHA / 2) * error
        if swaps:
            asked = significant & (self.rarer_variance > DIVIDED * self.variances[2])
            parts = self.added + self.weights * mean[:, None]
            significant[asked] = [swaps_p(own) <= SWAPS_DOUBT for own in parts[asked]]
        return float(significant.mean())


def _sums(codes: NDArray[np.int64], values: Floats) -> Floats:
    """Sums of every campaign's values by their codes."""
    number = int(codes.max()) + 1
    places = np.arange(len(codes))[:, None] * number + codes
    return np.bincount(places.ravel(), values.ravel(), len(codes) * number).reshape(-1, number)


UNEQUAL = (1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 30)
RATING_DESIGNS: Mapping[str, RatingDesign] = {
    "independent, 30 items": RatingDesign(items=30),
    "independent, 200 items": RatingDesign(),
    "independent, 200 items, 20 annotators": RatingDesign(annotators=20),
    "the same, both translations by one annotator": RatingDesign(annotators=20, paired=True),
    "8 annotators with tastes": RatingDesign(taste=6.0),
    "8 annotators with tastes, 30 items": RatingDesign(taste=6.0, items=30),
    "8 annotators with tastes, both translations": RatingDesign(taste=6.0, paired=True),
    "20 annotators with tastes": RatingDesign(taste=6.0, annotators=20),
    "20 documents": RatingDesign(documents=(10,) * 20, annotators=40),
    "20 documents of 1 to 30 items": RatingDesign(documents=UNEQUAL, annotators=40),
    "20 documents, 8 annotators with tastes": RatingDesign(documents=(10,) * 20, taste=6.0),
    "8 annotators with strong tastes": RatingDesign(taste=20.0),
    "6 annotators with strong tastes": RatingDesign(taste=20.0, annotators=6),
    "5 annotators with tastes": RatingDesign(taste=6.0, annotators=5),
    "5 annotators with strong tastes": RatingDesign(taste=20.0, annotators=5),
    "3 annotators with tastes": RatingDesign(taste=6.0, annotators=3),
    "3 annotators with strong tastes": RatingDesign(taste=20.0, annotators=3),
}
CAUTIONS = (CAUTION, 0.0, 1.0)
"""What is done, what has no bias, and what is never below the variance by one kind of units."""


def rating_shares(
    design: RatingDesign, scores: Floats, campaigns: int, seed: int = 1
) -> list[tuple[float, float]]:
    """By caution: how often a difference is found where there is none, and where one of 3 standard errors is."""
    rng = np.random.default_rng([seed, design.items, design.annotators, int(design.taste), design.paired])
    estimates = _estimates(design, scores, campaigns, rng)
    shifts = (0.0, 3 * float(estimates.mean.std()))
    return [
        (wrong, right)
        for caution in CAUTIONS
        for wrong, right in [[estimates.found(more, caution=caution) for more in shifts]]
    ]


def _estimates(design: RatingDesign, scores: Floats, campaigns: int, rng: np.random.Generator) -> Estimates:
    size = min(BATCH, campaigns)
    return Estimates.joined([design.drawn(scores, size, rng).tested() for _ in range(-(-campaigns // size))])


FEW_ANNOTATORS = (3, 4, 5, 6, 7, 8, 10, 12, 15, 20)
SEEDS = (1, 2, 3)
CERTAIN = 200.0
"""By how much annotators favour a system, so that hardly a translation is preferred to one of the other system."""
TWO_MINDS = {
    "each always favours one system": RatingDesign(items=120, taste=CERTAIN, minds=True, paired=True),
    "the same, translations judged apart": RatingDesign(items=120, taste=CERTAIN, minds=True),
    "each mostly favours one system": RatingDesign(items=120, taste=8.0, minds=True, paired=True),
    "normal tastes": RatingDesign(items=120, taste=6.0, paired=True),
    "normal tastes, translations judged apart": RatingDesign(items=120, taste=6.0),
    "no tastes": RatingDesign(items=120),
}


def minds_table(campaigns: int) -> list[str]:
    """Lines of the page: false alarms of few annotators by all seeds, and what swaps cost in power."""
    from sentences import material  # which lies beside this file

    scores = material().scores
    lines = [f"| | {' | '.join(f'{n}' for n in FEW_ANNOTATORS)} |", "|---|" + "--:|" * len(FEW_ANNOTATORS)]
    for name, design in TWO_MINDS.items():
        alone, swapped, powers = [], [], []
        for annotators in FEW_ANNOTATORS:
            own = replace(design, annotators=annotators)
            drawn = [
                _estimates(own, scores, campaigns, np.random.default_rng([seed, annotators, int(own.taste)]))
                for seed in SEEDS
            ]
            alone.append(np.mean([estimates.found(0.0, swaps=False) for estimates in drawn]))
            by_seed = [estimates.found(0.0) for estimates in drawn]
            print(name, annotators, "seeds", [f"{100 * share:.1f}" for share in by_seed], flush=True)
            swapped.append(np.mean(by_seed))
            powers.append(_power_of_swaps(drawn[0]) if own.taste < CERTAIN else math.nan)
        rows = {"by t alone": alone, "as tested": swapped}
        if design.taste < CERTAIN:  # who always favours one system would not see a difference
            rows["found where t finds 80 %"] = powers
        for what, cells in rows.items():
            lines.append(f"| {name}, {what} | {' | '.join(f'{100 * share:.1f} %' for share in cells)} |")
            print(lines[-1], flush=True)
    return lines


def _power_of_swaps(estimates: Estimates) -> float:
    """How often the test finds a difference that Student's t alone finds in 80 %; NaN where it finds none so often."""
    low, high = 0.0, 20 * float(estimates.mean.std())
    if estimates.found(high, swaps=False) < POWER:
        return math.nan
    while high - low > 1e-3 * float(estimates.mean.std()):
        middle = (low + high) / 2
        low, high = (low, middle) if estimates.found(middle, swaps=False) >= POWER else (middle, high)
    return estimates.found(high)


def rating_table(campaigns: int) -> list[str]:
    """Lines of the page."""
    from sentences import material  # which lies beside this file

    scores, lines = (
        material().scores,
        [
            "| design | false alarms | power | without caution | | never below one kind | |",
            "|---|" + "--:|" * 6,
        ],
    )
    for name, design in RATING_DESIGNS.items():
        shares = rating_shares(design, scores, campaigns)
        cells = " | ".join(f"{100 * wrong:.1f} % | {100 * right:.0f} %" for wrong, right in shares)
        lines.append(f"| {name} | {cells} |")
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
        model = fit_mixed_model(score, system, rater, item, document if self.labelled else None)
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
    made = {
        "crossed": table(asked.simulations),
        "rating-designs": rating_table(asked.simulations),
        "minds": minds_table(asked.simulations),
        "model": model_table(-(-asked.simulations // MODEL_SHARE)),
    }
    publish(made, asked, "statistics.md")
