"""A campaign's links and how far it has come, for screens and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.campaigns.live_quality import CriterionQuality
from adjudge.campaigns.store.progress import CampaignProgress
from adjudge.comparison.documents import finite
from adjudge.display import Cell, Column, Line, Row, Section, StyledText, Table, visible
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line
from adjudge.wording import MISSING

Links = Sequence[tuple[str, str]]


def links_renderer(links: Links) -> Renderer:
    """Links in every format; a link is to be copied whole, so no width of a screen breaks it."""
    return Renderer(
        lambda: [Section(drawn=lambda *_: links_text(links))],
        lambda: {"links": [{"annotator": name, "link": link} for name, link in links]},
        tsv=lambda: links_tsv(links),
        ascii_only=False,
    )


def status_renderer(campaigns: Sequence[CampaignProgress]) -> Renderer:
    """How far campaigns have come, in every format."""
    return Renderer(
        lambda: status_sections(campaigns),
        lambda: {"campaigns": [status_document(campaign) for campaign in campaigns]},
        tsv=lambda: status_tsv(campaigns),
        ascii_only=False,
    )


def links_text(links: Links) -> list[Line]:
    """A line an annotator; links are never broken."""
    names = [visible(name) for name, _ in links]
    width = max(map(len, names), default=0)
    return [
        [StyledText(f"{name:<{width}}  "), StyledText(link, "best")]
        for name, (_, link) in zip(names, links, strict=True)
    ]


def links_tsv(links: Links) -> str:
    """Two columns, for a mail merge."""
    return "".join([tsv_line(["annotator", "link"]), *(tsv_line(pair) for pair in links)])


def status_sections(campaigns: Sequence[CampaignProgress]) -> list[Section]:
    """Annotators and systems of every campaign."""
    if not campaigns:
        return [Section(sentences=("There is no campaign yet; make one: adjudge human new FILE",))]
    sections = []
    for campaign in campaigns:
        share = f"{100 * campaign.answered / campaign.tasks:.0f} %" if campaign.tasks else "nothing to do"
        title = f"{visible(campaign.title)}: {campaign.status}, {campaign.answered:,} of {campaign.tasks:,} "
        title += f"answers ({share})"
        title += f"; nobody has taken {campaign.free:,} of them yet" if campaign.free else ""
        tables = (table for table in (_people(campaign), _systems(campaign)) if table.rows)
        sections.append(Section(title, tuple(tables)))
    return sections


def _people(campaign: CampaignProgress) -> Table:
    columns = (
        Column("Annotator"),
        Column("answered", numeric=True),
        Column("of", numeric=True),
        Column("done", numeric=True),
        Column("s an item", numeric=True),
    )
    rows = []
    for person in campaign.annotators:
        name = f"{person.annotator} (withdrawn)" if person.withdrawn else person.annotator
        done = f"{100 * person.answered / person.tasks:.0f} %" if person.tasks else MISSING
        pace = f"{person.seconds / person.answered:.1f}" if person.answered else MISSING
        cells = (name, f"{person.answered:,}", f"{person.tasks:,}", done, pace)
        rows.append(Row(tuple(Cell(visible(text)) for text in cells)))
    return Table(columns, tuple(rows))


def _systems(campaign: CampaignProgress) -> Table:
    columns = (Column("System"), Column("judgements", numeric=True), Column("of", numeric=True))
    rows = [
        Row((Cell(visible(s.system)), Cell(f"{s.given:,}"), Cell(f"{s.wanted:,}"))) for s in campaign.systems
    ]
    return Table(columns, tuple(rows))


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


def status_tsv(campaigns: Sequence[CampaignProgress]) -> str:
    """A line an annotator."""
    lines = [tsv_line(["campaign", "status", "annotator", "tasks", "answered", "seconds", "withdrawn"])]
    for campaign in campaigns:
        for p in campaign.annotators:
            cells = [
                campaign.name,
                campaign.status,
                p.annotator,
                p.tasks,
                p.answered,
                f"{p.seconds:.1f}",
                p.withdrawn,
            ]
            lines.append(tsv_line([str(cell) for cell in cells]))
    return "".join(lines)
