"""Simulates campaigns of rankings, and systems beside a margin: the tables of docs/rankings.md and docs/statistics.md.

python bench/calibration_rankings.py [CAMPAIGNS] [--write]     some minutes; a part of `make calibration`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.preferences import BOTH, preferences
from adjudge.human.ranking import rank_systems
from adjudge.stats.design import Design
from adjudge.stats.equivalence import resampled_error, within_margin
from adjudge.stats.ratios import sign_flip
from adjudge.stats.resampling import quotient, resampled_scores
from adjudge.stats.units import Units

ALPHA = 0.05
CAMPAIGNS = 2000
"""One and a half per cent is three standard errors of a share of 5 %."""
ITEMS, DOCUMENT, PANEL = 120, 6, 12
"""Items, how many of them a document has, and how many people there are."""
TIES = 0.3
LEAD = 0.25
RESAMPLES = 200

Shares = dict[str, float]

SOUND = Design("item", 0)
"""All that belongs together is drawn."""


@dataclass(frozen=True)
class Campaign:
    """Two systems side by side; how far what is said of one item, of one document or by one person resembles."""

    name: str
    judges: int
    item: float = 0.0
    document: float = 0.0
    person: float = 0.0
    panel: int = PANEL

    def preference(self, lead: float) -> float:
        """The share of wins less that of losses, in the long run."""
        spread = sqrt(1 + self.item**2 + self.document**2 + self.person**2)
        above, below = ((side * lead - TIES) / spread for side in (1, -1))
        return 0.5 * (erf(above / sqrt(2)) - erf(below / sqrt(2)))

    def drawn(self, rng: np.random.Generator, lead: float) -> Judgements:
        """What people said."""
        item = np.repeat(np.arange(ITEMS), self.judges)
        who = np.concatenate([rng.choice(self.panel, self.judges, replace=False) for _ in range(ITEMS)])
        seen = lead + rng.normal(size=len(item)) + self.item * rng.normal(size=ITEMS)[item]
        seen += self.document * rng.normal(size=ITEMS // DOCUMENT)[item // DOCUMENT]
        seen += self.person * rng.normal(size=self.panel)[who]
        return Judgements(
            "pairwise",
            NameColumn.same("a", len(item)),
            NameColumn.of(map(str, item)),
            NameColumn.of(map(str, who)),
            np.sign(np.where(np.abs(seen) < TIES, 0.0, seen)),
            other=NameColumn.same("b", len(item)),
            ranking=np.arange(len(item)),
            labels={"document": NameColumn.of(str(i // DOCUMENT) for i in item)},
        )


KINDS = (
    Campaign("one judge an item", 1),
    Campaign("three judges, who see items alike", 3, item=1.0),
    Campaign("the same, and items of a document resemble", 3, item=1.0, document=0.7),
    Campaign("the same as the second, and people lean", 3, item=1.0, person=0.5),
)
UNITS = ("pair", "item", "document", "annotator", "document,annotator")
"""The last one is the default where documents are labelled."""
TESTS = (*UNITS, "majority", "ranges, pair", "ranges, item", "ranges, document")


def found(kind: Campaign, lead: float, campaigns: int, seed: int) -> Shares:
    """How often each test tells the two systems apart."""
    rng = np.random.default_rng(seed)
    times = dict.fromkeys(TESTS, 0)
    for number in range(campaigns):
        judgements = kind.drawn(rng, lead)
        for unit in UNITS:
            (pair,) = preferences(judgements, unit=unit)
            times[unit] += pair.p < ALPHA
        sums = np.bincount(np.repeat(np.arange(ITEMS), kind.judges), judgements.score)
        times["majority"] += sign_flip(np.sign(sums)) < ALPHA
        for unit in ("pair", "item", "document"):
            ranking = rank_systems(judgements, unit=unit, resamples=RESAMPLES, seed=number, threads=1)
            times[f"ranges, {unit}"] += ranking.systems[0].cluster != ranking.systems[1].cluster
    return {name: 100 * count / campaigns for name, count in times.items()}


def alike(kind: Campaign, lead: float, margin: float, campaigns: int, seed: int) -> Shares:
    """How often the two are shown to differ by less than the margin."""
    rng = np.random.default_rng(seed)
    times = dict.fromkeys(UNITS[1:], 0)
    for _ in range(campaigns):
        judgements = kind.drawn(rng, lead)
        for unit in times:
            (pair,) = preferences(judgements, unit=unit)
            times[unit] += within_margin(pair.mean, pair.error, pair.units, margin, design=SOUND).equivalent
    return {name: 100 * count / campaigns for name, count in times.items()}


def scores_alike(difference: float, margin: float, documents: int, campaigns: int, seed: int) -> Shares:
    """The same of scores: documents of 3 to 8 segments, drawn whole or taken apart."""
    rng = np.random.default_rng(seed)
    times = {"segment": 0, "document": 0}
    for number in range(campaigns):
        label = np.repeat(np.arange(documents), rng.integers(3, 9, documents))
        gap = difference + rng.normal(0, 0.7, documents)[label] + rng.normal(0, 0.7, len(label))
        hard = rng.normal(0, 2, len(label))
        rows = [np.column_stack([hard + more, np.ones(len(label))]) for more in (gap, np.zeros(len(label)))]
        for unit, units in (
            ("segment", Units.of(len(label))),
            ("document", Units.of(len(label), [str(d) for d in label])),
        ):
            drawn = resampled_scores(rows, quotient, resamples=600, seed=number, units=units, threads=1)
            error = resampled_error(float((drawn[:, 0] - drawn[:, 1]).std(ddof=1)), units.count)
            times[unit] += within_margin(
                float(gap.mean()), error, units.count, margin, design=SOUND
            ).equivalent
    return {name: 100 * count / campaigns for name, count in times.items()}


PANELS = (3, 4, 5, 6, 8, 12, 20)
TASTES = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Standard deviations of what a person likes one system better by; one comparison varies by 1."""
SMALL_LEAD = 0.3


def by_annotators(panel: int, taste: float, lead: float, campaigns: int) -> float:
    """How often the default tells two systems apart on 120 items of two judges each, in per cent."""
    kind = Campaign("", 2, item=1.0, person=taste, panel=panel)
    rng = np.random.default_rng([panel, int(10 * taste), int(100 * lead)])
    drawn = (kind.drawn(rng, lead) for _ in range(campaigns))
    return 100 * float(np.mean([preferences(own, unit=BOTH[0])[0].p < ALPHA for own in drawn]))


def taste_table(campaigns: int) -> list[str]:
    """False alarms by how many people there are and by how far they lean; power where they do not."""
    heads = " | ".join(f"{taste:g}" for taste in TASTES)
    lines = [f"| annotators | {heads} | power |", "|--:|" + "--:|" * (len(TASTES) + 1)]
    for panel in PANELS:
        shares = [by_annotators(panel, taste, 0.0, campaigns) for taste in TASTES]
        shares.append(by_annotators(panel, 0.0, SMALL_LEAD, campaigns))
        lines.append(f"| {panel} | {' | '.join(f'{share:.1f} %' for share in shares)} |")
        print(lines[-1], flush=True)
    return lines


def tables(campaigns: int) -> dict[str, list[str]]:
    """By the mark of their place."""
    tests, margins = [], []
    for number, kind in enumerate(KINDS):
        for what, lead in (("false alarms", 0.0), ("power", LEAD)):
            shares = found(kind, lead, campaigns, number)
            tests.append(_line(kind.name, what, [shares[name] for name in TESTS]))
            print(tests[-1], flush=True)
        margin = kind.preference(LEAD)
        for what, lead in (("at the margin", LEAD), ("no difference", 0.0)):
            shares = alike(kind, lead, margin, campaigns, number)
            margins.append(_line(kind.name, what, [shares[unit] for unit in UNITS[1:]]))
            print(margins[-1], flush=True)
    scored = []
    for documents in (20, 60):
        for what, gap in (("at the margin", 0.5), ("no difference", 0.0)):
            shares = scores_alike(gap, 0.5, documents, campaigns, documents)
            scored.append(_line(f"{documents} documents", what, list(shares.values())))
            print(scored[-1], flush=True)
    units = "item | document | annotator | default"
    head = f"| campaign | | pair (sign test) | {units} | majority | ranges, pair | item | document |"
    return {
        "preferences": [head, "|---|---|" + "--:|" * 9, *tests],
        "tastes": taste_table(campaigns),
        "alike": [f"| campaign | | {units} |", "|---|---|" + "--:|" * 4, *margins],
        "scores-alike": ["| scores of | | segment | document |", "|---|---|" + "--:|" * 2, *scored],
    }


def _line(name: str, what: str, shares: Sequence[float]) -> str:
    return "| " + " | ".join([name, what, *(f"{share:.1f} %" for share in shares)]) + " |"


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(CAMPAIGNS)
    publish(tables(asked.simulations), asked, "rankings.md", "statistics.md")
