"""May a comparison be believed? Its points, those of judgements and what is wrong with the files, in a report."""

from __future__ import annotations

from adjudge.checks import Finding, LintReport
from adjudge.display import link_cells
from adjudge.dossiers.checklist import Checklist, Point
from adjudge.dossiers.checklist import display as checklist
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.marks import JUDGED, SEVERAL_TIMES
from adjudge.report.pages.exhibits import table_block
from adjudge.report.pages.report.browser import View, of_present_label
from adjudge.report.pages.report.links import Links, finding_link
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose

ORIGIN = "origin"


def believe_part(dossier: Dossier, links: Links) -> Html:
    """The points of a comparison by metrics, those of an evaluation by people, and what is wrong with the files."""
    parts = _checklist("Of this comparison", dossier.soundness, dossier, links)
    if dossier.people is not None:
        parts += _checklist("Of the judgements", dossier.people.checklist, dossier, links)
    parts.append(html('<h3 id="{}">{}</h3>', links.of_part("lint")[1:], "The files"))
    parts.append(findings_list(dossier.lint, links))
    return NEW_LINE.join(parts)


def findings_list(report: LintReport, links: Links) -> Html:
    """What is wrong with the files, each finding with its segments."""
    if not report.findings:
        return html("<p>{}</p>", prose(f"{report.conclusion().capitalize()}."))
    items = [_finding(place, finding, links) for place, finding in enumerate(report.findings, 1)]
    return html(
        '<p class="soft">{}</p>\n<ul class="findings">{}</ul>',
        prose(report.conclusion()),
        NOTHING.join(items),
    )


def _checklist(title: str, own: Checklist, dossier: Dossier, links: Links) -> list[Html]:
    """Points as a table, the evidence of each leading to what it is about."""
    first, *rest = checklist.sections(own)
    assert first.printed is not None  # a checklist is a table in print
    last = len(first.printed.columns) - 1
    addresses = [point_link(point, dossier, links) for point in own.points]
    table = link_cells(first.printed, lambda row, column: addresses[row] if column == last else "")
    parts = [
        html("<h3>{}</h3>", prose(f"{title}: {first.title.removeprefix('Checklist: ')}")),
        table_block(table, f"checklist-{title}", first.title),
    ]
    for section in rest:
        parts += [html("<h3>{}</h3>", prose(section.title)), html_list(section.sentences)]
    return parts


def point_link(point: Point, dossier: Dossier, links: Links) -> str:
    """What the evidence of a point is about: segments where it counts some, else the part of the page that shows it."""
    chosen, origins = dossier.verdict, dossier.segments.labels.get(ORIGIN, ())
    lead = next((scores.key for scores in dossier.segments.scores), "")
    known = {
        "tests": links.of_part("systems"),
        "metrics": links.of_part("systems"),
        "people": links.of_mark(JUDGED),
        "settings": links.of_part("how"),
        "files": links.of_part("lint"),
        "training": links.of_part("lint"),
        "creation direction": links.of_view(View(where=of_present_label(ORIGIN), sort=ORIGIN))
        if any(origins)
        else "",
        "size": links.by_difference(chosen.system, chosen.rival, lead) if chosen.rival else "",
        "judge reliability": links.of_mark(SEVERAL_TIMES) or links.of_part("people"),
        "sample size": links.of_mark(JUDGED) or links.of_part("people"),
        "n and N": links.of_mark(JUDGED) or links.of_part("people"),
        "statistic": links.of_part("people"),
        "clusters": links.of_part("people"),
    }
    return known.get(point.name, "")


def _finding(place: int, finding: Finding, links: Links) -> Html:
    link = finding_link(place, finding.check, finding.system, links)
    show = html(' <a class="show" href="{}">segments</a>', link) if link else ""
    below = [text for text in (finding.example, finding.advice and f"→ {finding.advice}") if text]
    return html(
        '<li><span class="severity {}">{}</span> {}{}{}</li>',
        finding.severity,
        finding.severity,
        prose(finding.message),
        show,
        NOTHING.join(html('<span class="soft">{}</span>', prose(text)) for text in below),
    )
