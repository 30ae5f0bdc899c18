"""The test sets of a study that has many: each folded into one line, with its systems and what is open inside."""

from __future__ import annotations

from adjudge.comparison.verdict_words import verdict_sentence
from adjudge.dossiers.checklist import FAIL, UNKNOWN
from adjudge.dossiers.study_dossier import SetDossier, StudyDossier
from adjudge.report.pages.dossier_believe import findings_list, point_link
from adjudge.report.pages.dossier_links import Links, linked_systems
from adjudge.report.pages.dossier_parts import claims_list
from adjudge.report.pages.dossier_people import people_part
from adjudge.report.pages.exhibits import leading_list, table_block
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose
from adjudge.report.results.comparison_tables import View, system_table

WORDS = {FAIL: "does not pass", UNKNOWN: "not known"}
MORE = "All there is to see of this set: adjudge report STUDY.toml --set {}"


def every_set(dossier: StudyDossier, decimals: int | None) -> Html:
    """A line a set that opens: the best systems' order, what may be claimed, which points do not pass, and why."""
    return NEW_LINE.join(_set(place, own, decimals) for place, own in enumerate(dossier.sets, 1))


def _set(place: int, own: SetDossier, decimals: int | None) -> Html:
    dossier = own.dossier
    links = Links(dossier.segments, f"set-{place}-", own.name)
    view = View.of(dossier.comparison, dossier.comparison.test, decimals)
    parts = [
        html('<div id="{}">', links.of_part("systems")[1:]),
        table_block(linked_systems(system_table(view), view, links), f"systems-{own.name}", "Systems"),
        claims_list(dossier, links),
        html_list(dossier.comparison.warnings, "warnings") if dossier.comparison.warnings else NOTHING,
        html('</div><div id="{}">', links.of_part("believe")[1:]),
        leading_list(
            [
                (f"{point.name}: {WORDS[point.verdict]}; {point.evidence}", point_link(point, dossier, links))
                for point in dossier.soundness.points
                if point.verdict in WORDS
            ],
            "more",
        ),
        html('</div><div id="{}">{}</div>', links.of_part("lint")[1:], findings_list(dossier.lint, links)),
        html('<div id="{}">{}</div>', links.of_part("people")[1:], people_part(dossier, links))
        if dossier.people is not None
        else NOTHING,
        html('<p class="soft">{}</p>', prose(MORE.format(own.name))),
    ]
    return html(
        '<details class="set"><summary><b>{}</b> {}</summary>{}</details>',
        prose(own.title),
        prose(verdict_sentence(dossier.verdict)),
        NOTHING.join(parts),
    )
