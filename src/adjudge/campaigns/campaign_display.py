"""A campaign's links and how far it has come, for screens and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from adjudge.campaigns.live_quality import CriterionQuality
from adjudge.campaigns.store.answers import AnnotatorProgress
from adjudge.campaigns.store.progress import CampaignProgress
from adjudge.comparison.documents import finite
from adjudge.display import (
    Column,
    Data,
    Displayable,
    Line,
    Records,
    Section,
    StyledText,
    visible,
)
from adjudge.wording import MISSING


@dataclass(frozen=True)
class LinksDisplay(Displayable):
    """Annotators' links; a link is to be copied whole, so no width of a screen breaks it."""

    links: Sequence[tuple[str, str]]

    def sections(self) -> list[Section]:
        """A line an annotator."""
        return [Section(drawn=lambda *_: self._lines())]

    def _lines(self) -> list[Line]:
        names = [visible(name) for name, _ in self.links]
        width = max(map(len, names), default=0)
        return [
            [StyledText(f"{name:<{width}}  "), StyledText(link, "best")]
            for name, (_, link) in zip(names, self.links, strict=True)
        ]

    def document(self) -> dict[str, Any]:
        """For programs."""
        return {"links": [{"annotator": name, "link": link} for name, link in self.links]}

    def data(self) -> Data:
        """Two columns, for a mail merge."""
        return Data(["annotator", "link"], self.links)


PEOPLE = (
    Column.of("annotator", "Annotator", value=lambda own: _title(own)),
    Column.of("answered", "answered", 0),
    Column.of("tasks", "of", 0),
    Column.of("done", "done", 0, text=lambda own: _done(own)),
    Column.of("pace", "s an item", 1, text=lambda own: _pace(own)),
)
SYSTEMS = (
    Column.of("system", "System"),
    Column.of("given", "judgements", 0),
    Column.of("wanted", "of", 0),
)


def _title(own: AnnotatorProgress) -> str:
    return f"{own.annotator} (withdrawn)" if own.withdrawn else own.annotator


def _done(own: AnnotatorProgress) -> str:
    return f"{100 * own.answered / own.tasks:.0f} %" if own.tasks else MISSING


def _pace(own: AnnotatorProgress) -> str:
    return f"{own.seconds / own.answered:.1f}" if own.answered else MISSING


@dataclass(frozen=True)
class StatusDisplay(Displayable):
    """How far campaigns have come."""

    campaigns: Sequence[CampaignProgress]

    def sections(self) -> list[Section]:
        """Annotators and systems of every campaign."""
        if not self.campaigns:
            return [Section(sentences=("There is no campaign yet; make one: adjudge human new FILE",))]
        sections = []
        for campaign in self.campaigns:
            share = f"{100 * campaign.answered / campaign.tasks:.0f} %" if campaign.tasks else "nothing to do"
            title = (
                f"{visible(campaign.title)}: {campaign.status}, {campaign.answered:,} of {campaign.tasks:,} "
                f"answers ({share})"
            )
            title += f"; nobody has taken {campaign.free:,} of them yet" if campaign.free else ""
            tables = (
                Records(PEOPLE, campaign.annotators).table(),
                Records(SYSTEMS, campaign.systems).table(),
            )
            sections.append(Section(title, tuple(table for table in tables if table.rows)))
        return sections

    def document(self) -> dict[str, Any]:
        """For programs."""
        return {"campaigns": [status_document(campaign) for campaign in self.campaigns]}

    def data(self) -> Data:
        """A row an annotator."""
        rows = [
            [
                campaign.name,
                campaign.status,
                p.annotator,
                p.tasks,
                p.answered,
                f"{p.seconds:.1f}",
                str(p.withdrawn),
            ]
            for campaign in self.campaigns
            for p in campaign.annotators
        ]
        return Data(["campaign", "status", "annotator", "tasks", "answered", "seconds", "withdrawn"], rows)


def status_document(campaign: CampaignProgress) -> dict[str, Any]:
    """One campaign for programs."""
    return {
        "name": campaign.name,
        "title": campaign.title,
        "protocol": campaign.protocol,
        "status": campaign.status,
        "created": campaign.created,
        "tasks": campaign.tasks,
        "answered": campaign.answered,
        "free": campaign.free,
        "annotators": [
            {
                "name": person.annotator,
                "kind": person.kind,
                "tasks": person.tasks,
                "answered": person.answered,
                "seconds": person.seconds,
                "last": person.last,
                "withdrawn": person.withdrawn,
            }
            for person in campaign.annotators
        ],
        "systems": [{"system": s.system, "wanted": s.wanted, "given": s.given} for s in campaign.systems],
    }


def watched_document(quality: CriterionQuality) -> dict[str, Any]:
    """What is told of annotators while a campaign runs."""
    return {
        "criterion": quality.criterion,
        "judgements": quality.judgements,
        "between": asdict(quality.between),
        "within": asdict(quality.within),
        "annotators": [
            {
                "name": q.annotator,
                "damaged": q.damaged,
                "damaged_mean": finite(q.damaged_mean),
                "whole_mean": finite(q.whole_mean),
                "p": q.p,
                "passed": q.passed,
                "repeats": q.repeats,
                "repeat_difference": finite(q.repeat_difference),
                "reference_mean": finite(q.reference_mean),
                "flags": list(q.flags),
            }
            for q in quality.quality
        ],
    }
