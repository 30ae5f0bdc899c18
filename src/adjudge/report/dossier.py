"""A dossier as one page: the summary first, then the comparison, may it be believed, where and why, every segment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

from adjudge.findings.dossier import Dossier
from adjudge.report import browser
from adjudge.report.comparison_tables import View
from adjudge.report.dossier_believe import believe_part
from adjudge.report.dossier_links import Links
from adjudge.report.dossier_parts import (
    how_part,
    systems_part,
    where_part,
    why_part,
)
from adjudge.report.dossier_people import people_part
from adjudge.report.dossier_sets import sets_part
from adjudge.report.dossier_words import Answer, Sentence, summary
from adjudge.report.markup import NOTHING, Html, html, prose
from adjudge.report.notes import facts
from adjudge.report.page import page
from adjudge.wording import counted, listed

STYLES = ("analysis.css", "report.css", *browser.STYLES)
MODULES = ("exports.js", *browser.MODULES)


@dataclass(frozen=True)
class Part:
    """A part of the page that the contents name."""

    anchor: str
    title: str
    html: Html


@dataclass(frozen=True)
class DossierPage:
    """The page of a dossier, for researchers; it computes nothing."""

    dossier: Dossier
    version: str
    charts: bool = True
    decimals: int | None = None

    @cached_property
    def links(self) -> Links:
        """Where numbers lead."""
        return Links(self.dossier.segments)

    @cached_property
    def view(self) -> View:
        """The comparison as tables need it."""
        return View.of(self.dossier.comparison, self.dossier.comparison.test, self.decimals)

    def parts(self) -> list[Part]:
        """From the summary to how it was made, without those that have nothing to show."""
        dossier, links, charts = self.dossier, self.links, self.charts
        pool = ThreadPoolExecutor(1)  # most of the time charts are waited for
        segments = pool.submit(browser.segment_browser, dossier.segments)
        pool.shutdown(wait=False)
        parts = [
            Part("summary", "Summary", summary_part(summary(dossier, links))),
            Part("systems", "Systems", systems_part(dossier, self.view, links, charts=charts)),
            Part("sets", "Test sets", _sets(dossier, links)),
            Part("people", "What people said", people_part(dossier, links)),
            Part("believe", "May I believe it?", believe_part(dossier, links)),
            Part("where", "Where", where_part(dossier, links, charts=charts)),
            Part("why", "Why", why_part(dossier, links, charts=charts)),
            Part("segments", "Segments", segments.result()),
            Part("how", "How it was made", how_part(dossier, self.view)),
        ]
        return [part for part in parts if part.html]

    def html(self) -> Html:
        """The whole page."""
        parts = self.parts()
        contents = NOTHING.join(html('<li><a href="#{}">{}</a></li>', p.anchor, p.title) for p in parts)
        body = [
            html("<header><h1>{}</h1>", prose(self.title)),
            html('<p class="soft">{}</p>', prose(facts(self.dossier.comparison.test_set))),
            html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav></header>', contents),
            html("<main>"),
            *(self._section(part) for part in parts),
            html("</main>"),
            html("<footer><p>adjudge {}</p></footer>", self.version),
        ]
        return page(self.title, body, styles=STYLES, modules=MODULES, workers=True, images=True)

    @property
    def title(self) -> str:
        """What the page is about."""
        systems = self.dossier.systems
        name = self.dossier.segments.name
        who = listed(systems) if len(systems) < 4 else counted(len(systems), "system")
        return f"{who} on {name}" if name else who

    @staticmethod
    def _section(part: Part) -> Html:
        if part.anchor == "segments":  # it is a section of its own
            return part.html
        return html('<section id="{}"><h2>{}</h2>\n{}\n</section>', part.anchor, part.title, part.html)


def _sets(dossier: Dossier, links: Links) -> Html:
    if dossier.study is None:
        return NOTHING
    lead = html("<p>{}</p>", "Here each test set counts alike; in all else on this page, each segment does.")
    return lead + sets_part(dossier.study, links)


def summary_part(answers: list[Answer]) -> Html:
    """Questions and answers, each with the way to what shows it."""
    return html(
        '<div class="answers">{}</div>',
        NOTHING.join(
            html(
                '<div class="answer"><h3>{}</h3><ul>{}</ul></div>',
                answer.question,
                NOTHING.join(html("<li>{}</li>", told(sentence)) for sentence in answer.sentences),
            )
            for answer in answers
        ),
    )


def told(sentence: Sentence) -> Html:
    """A sentence, and the link behind it."""
    link = html(' <a class="show" href="{}">{}</a>', sentence.link, sentence.shows) if sentence.link else ""
    return prose(sentence.text) + link
