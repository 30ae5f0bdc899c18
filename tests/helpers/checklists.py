"""What the tests of the checklist share: evaluations that are sound but for one thing."""

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.dossiers.checklist import Checklist, Provenance, checklist
from adjudge.human.ranking_results import RankingAnalysis
from adjudge.human.rankings import analyse_rankings
from adjudge.human.ratings import analyse_ratings
from adjudge.human.results import RatingAnalysis
from helpers.judged import ratings
from helpers.judging import rankings

NAMES = (
    "creation direction",
    "judge reliability",
    "level and context",
    "language pairs",
    "domain",
    "sample size",
    "n and N",
    "statistic",
    "clusters",
)


PANEL = "stuvwxyz"
"""Eight annotators: enough to say something of others."""
NEWS = Provenance(origins=("de",) * 700, domains=("news",) * 700)


def _two_of(people: str, item: int) -> list[str]:
    """Two annotators, the next ones for every item; one where there is only one."""
    return list(dict.fromkeys((people[item % len(people)], people[(item + 1) % len(people)])))


def campaign(
    items: int = 700, gap: float = 0.0, attentive: bool = True, systems: int = 2, people: str = "xy"
) -> Judgements:
    """A person and systems, `gap` points below, each item judged by two annotators with control items."""
    random = np.random.default_rng(3)
    rows, kinds = [], []
    for item in range(items):
        for who in _two_of(people, item):
            for system in ("human", "mt", "mt2")[:systems]:
                value = 70.0 - gap * (system != "human")
                rows.append((who, system, str(item), value + random.normal(0, 10)))
                kinds.append("ordinary")
            if item % 20 < len(people) // 2:
                rows.append((who, "mt", str(item), 70.0 + random.normal(0, 3) - (50 if attentive else -5)))
                kinds.append("bad reference")
    return ratings(rows, kinds)


def compared(
    items: int = 1000, people: str = "xy", preferred: float = 0.5, agree: float = 0.9, systems: str = "hm"
) -> Judgements:
    """Every two systems side by side; people see the same truth and say so with some chance."""
    random = np.random.default_rng(5)
    names = {"h": "human", "m": "mt", "n": "mt2"}
    rows = []
    for item in range(items):
        for a, b in [(a, b) for i, a in enumerate(systems) for b in systems[i + 1 :]]:
            truth = 1 if random.random() < preferred else -1
            for who in _two_of(people, item):
                answer = truth if random.random() < agree else int(random.integers(-1, 2))
                rows.append((who, names[a], names[b], str(item), answer))
    return rankings(rows)


def analysed(judgements: Judgements, **options: object) -> RatingAnalysis:
    return analyse_ratings(judgements, resamples=50, **options)  # type: ignore[arg-type]


def ranked(judgements: Judgements, **options: object) -> RankingAnalysis:
    return analyse_rankings(judgements, resamples=50, **options)  # type: ignore[arg-type]


def filled(
    analysis: RatingAnalysis | RankingAnalysis, provenance: Provenance = NEWS, **options: object
) -> dict[str, tuple[str, str]]:
    """Verdict and evidence of every point, of an evaluation that is sound unless told otherwise."""
    given = {"language": "de-en", "declared": {"context": "document"}} | options
    points = checklist(analysis, provenance, **given)  # type: ignore[arg-type]
    assert tuple(point.name for point in points.points) == NAMES
    return {point.name: (point.verdict, point.evidence) for point in points.points}


def verdicts(result: Checklist) -> dict[str, str]:
    return {point.name: point.verdict for point in result.points}
