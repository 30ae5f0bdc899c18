"""Simulates panels of annotators to see who is flagged: the tables of docs/agreement.md.

Panels of honest people, in which nobody differs by more than people do: in how many of them somebody is flagged. And
panels in which one person's scores change with every judgement: how often that one is said to change, and anybody else.

python bench/annotators.py [PANELS] [--write]     some minutes
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.diagnostics import diagnoses

SEVERITY = 5.0
"""Standard deviation of what people are more or less severe by."""
NOISE = 12.0
"""And of what one person says of one translation."""
PANELS = 400
"""Of honest people; of those in which somebody changes a quarter of it, and not of the largest."""


@dataclass(frozen=True)
class Panel:
    """So many people, of whom some judge each of the translations."""

    people: int
    items: int
    each: int

    @property
    def words(self) -> str:
        whom = "all judge" if self.each == self.people else f"{self.each} judge each of"
        return f"{self.people} people, {whom} {self.items} translations"

    def judged(self, rng: np.random.Generator, scale: str = "any score", change: float = 0.0) -> Judgements:
        """What they say, in the order of translations; the first one's scores change by so much in 100 judgements."""
        severity, truth = rng.normal(0, SEVERITY, self.people), rng.normal(60, 15, self.items)
        seated = rng.permuted(np.tile(np.arange(self.people), (self.items, 1)), axis=1)[:, : self.each]
        who, item = seated.ravel(), np.repeat(np.arange(self.items), self.each)
        score = truth[item] + severity[who] + rng.normal(0, NOISE, len(who))
        score[who == 0] += change / 100 * np.arange((who == 0).sum())
        score = SCALES[scale](score)
        one = NameColumn.of(["x"] * len(who))
        return Judgements(
            system=one,
            item=NameColumn.of([str(i) for i in item]),
            annotator=NameColumn.of([f"p{w}" for w in who]),
            score=score,
            protocol="mqm" if scale == PENALTIES else "da",
            higher_is_better=scale != PENALTIES,
            seconds=rng.lognormal(3, 0.8, len(who)),
        )


PENALTIES = "penalties"
SCALES = {
    "any score": lambda score: score,
    "five grades": lambda score: np.clip(np.round(score / 25) * 25, 0, 100),
    "scores with a ceiling": lambda score: np.clip(score + 25, 0, 100),
    "tens": lambda score: np.clip(np.round(score / 10) * 10, 0, 100),
    PENALTIES: lambda score: np.clip(np.round((70 - score) / 8), 0, 25),
}
"""As MQM has them, a third of the penalties are 0 and some are large."""
HONEST = (
    Panel(3, 60, 3),
    Panel(3, 300, 3),
    Panel(5, 20, 5),
    Panel(5, 100, 5),
    Panel(10, 100, 2),
    Panel(10, 500, 2),
    Panel(40, 400, 2),
    Panel(40, 2000, 2),
)
CHANGES = (0.0, 10.0, 20.0, 40.0, 80.0)
"""Points in 100 judgements."""


def flagged(panel: Panel, panels: int, scale: str = "any score", seed: int = 3) -> float:
    """In which share of honest panels somebody is flagged for anything."""
    rng = np.random.default_rng(seed)
    return float(
        np.mean([any(one.flags for one in diagnoses(panel.judged(rng, scale))) for _ in range(panels)])
    )


def changing(panel: Panel, panels: int, change: float, seed: int = 5) -> tuple[float, float]:
    """In which share of panels the one whose scores change is said to change, and in which somebody else is."""
    rng = np.random.default_rng(seed)
    right, wrong = 0, 0
    for _ in range(panels):
        said = {
            one.annotator
            for one in diagnoses(panel.judged(rng, change=change))
            if any(flag.startswith("changes by") for flag in one.flags)
        }
        right, wrong = right + ("p0" in said), wrong + bool(said - {"p0"})
    return right / panels, wrong / panels


def honest_table(panels: int) -> list[str]:
    """Lines of the page."""
    lines = [f"| panel | {' | '.join(SCALES)} |", "|---|" + "--:|" * len(SCALES)]
    for panel in HONEST:
        shares = [f"{100 * flagged(panel, panels, scale):.1f} %" for scale in SCALES]
        lines.append(f"| {panel.words} | {' | '.join(shares)} |")
        print(lines[-1], flush=True)
    return lines


def changing_table(panels: int) -> list[str]:
    """Lines of the page."""
    lines = [
        "| panel | judgements a person | " + " | ".join(f"{change:g}" for change in CHANGES) + " |",
        "|---|--:|" + "--:|" * len(CHANGES),
    ]
    for panel in HONEST[:-1]:
        found = [changing(panel, panels, change) for change in CHANGES]
        cells = [f"{100 * right:.0f} % ({100 * wrong:.1f} %)" for right, wrong in found]
        number = panel.items * panel.each // panel.people
        lines.append(f"| {panel.words} | {number} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(PANELS)
    made = {"honest": honest_table(asked.simulations), "changing": changing_table(-(-asked.simulations // 4))}
    publish(made, asked, "agreement.md")
