"""How far a campaign has come: by annotator, and by system."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from adjudge.human.store import answers, campaigns
from adjudge.human.store.answers import Progress
from adjudge.human.store.campaigns import Kept
from adjudge.human.store.connection import Store


@dataclass(frozen=True)
class SystemProgress:
    """How many judgements of one system are wanted, and how many there are; controls are not counted."""

    system: str
    wanted: int
    given: int


@dataclass(frozen=True)
class Standing:
    """How far a campaign has come."""

    name: str
    title: str
    protocol: str
    status: str
    created: float
    annotators: tuple[Progress, ...]
    """Those who came to try it are not among them."""
    systems: tuple[SystemProgress, ...]

    @property
    def tasks(self) -> int:
        """How many answers are wanted in all."""
        return sum(one.tasks for one in self.annotators)

    @property
    def answered(self) -> int:
        """How many there are."""
        return sum(one.answered for one in self.annotators)


def standing(store: Store, kept: Kept) -> Standing:
    """How far a campaign has come by now."""
    people = tuple(one for one in answers.progress(store, kept) if one.kind != "demo")
    gone = {one.annotator for one in people if one.withdrawn}
    wanted: Counter[str] = Counter()
    for hit in campaigns.hits(store, kept):
        if hit.annotator in gone or hit.annotator.startswith(f"{campaigns.DEMO}-"):
            continue
        wanted.update(s for item in hit.items if item.kind == "ordinary" for s in item.systems)
    given: Counter[str] = Counter()
    for answer in answers.counting(store, kept):
        if answer.item.kind == "ordinary":
            given.update(answer.item.systems)
    systems = tuple(SystemProgress(name, wanted[name], given[name]) for name in sorted(wanted | given))
    title, protocol = kept.campaign.title or kept.name, kept.campaign.protocol.name
    return Standing(kept.name, title, protocol, kept.status, kept.created, people, systems)
