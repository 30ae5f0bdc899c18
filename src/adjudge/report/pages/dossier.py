"""A dossier as one page: the summary first, then the comparison, may it be believed, where and why, every segment."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.segment_table import SegmentTable
from adjudge.report.pages import browser
from adjudge.report.pages.dossier_believe import believe_part
from adjudge.report.pages.dossier_links import Links
from adjudge.report.pages.dossier_parts import how_part, systems_part, where_part, why_part
from adjudge.report.pages.dossier_people import people_part
from adjudge.report.pages.dossier_words import Answer, Sentence, summary
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.report.results.comparison_tables import View
from adjudge.report.results.notes import facts
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
    prefix: str = ""
    """Before the anchors of parts, where it is one of several on a page."""
    test_set: str = ""
    """What it is of, in that case."""

    @cached_property
    def links(self) -> Links:
        """Where numbers lead."""
        return Links(self.dossier.segments, self.prefix, self.test_set)

    @cached_property
    def view(self) -> View:
        """The comparison as tables need it."""
        return View.of(self.dossier.comparison, self.dossier.comparison.test, self.decimals)

    def parts(self) -> list[Part]:
        """From the summary to how it was made, without those that have nothing to show."""
        browsed = browser_beside(self.dossier.segments)
        *first, how = self.parts_without_segments()
        return [*first, browsed.result(), how]

    def parts_without_segments(self) -> list[Part]:
        """The same, for a page that has the segments of several sets together."""
        dossier, links, charts = self.dossier, self.links, self.charts
        parts = [
            Part("summary", "Summary", summary_part(summary(dossier, links))),
            Part("systems", "Systems", systems_part(dossier, self.view, links, charts=charts)),
            Part("people", "What people said", people_part(dossier, links)),
            Part("believe", "May I believe it?", believe_part(dossier, links)),
            Part("where", "Where", where_part(dossier, links, charts=charts)),
            Part("why", "Why", why_part(dossier, links, charts=charts)),
            Part("how", "How it was made", how_part(dossier, self.view)),
        ]
        return [replace(part, anchor=f"{self.prefix}{part.anchor}") for part in parts if part.html]

    def html(self) -> Html:
        """The whole page."""
        parts = self.parts()
        contents = NOTHING.join(html('<li><a href="#{}">{}</a></li>', p.anchor, p.title) for p in parts)
        body = [
            html("<header><h1>{}</h1>", prose(self.title)),
            html('<p class="soft">{}</p>', prose(facts(self.dossier.comparison.test_set))),
            html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav></header>', contents),
            html("<main>"),
            *map(section_of, parts),
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


def browser_beside(segments: SegmentTable) -> Future[Part]:
    """The segments, packed while charts are waited for, which takes most of the time."""
    pool = ThreadPoolExecutor(1)
    packed = pool.submit(lambda: Part("segments", "Segments", browser.segment_browser(segments)))
    pool.shutdown(wait=False)
    return packed


def section_of(part: Part) -> Html:
    """A part as it stands on a page."""
    if part.anchor == "segments":  # it is a section of its own
        return part.html
    return html('<section id="{}"><h2>{}</h2>\n{}\n</section>', part.anchor, part.title, part.html)


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
