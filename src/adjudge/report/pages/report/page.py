"""A dossier as one page: the summary first, then the comparison, may it be believed, where and why, every segment.

Of a study of several test sets: who wins in the mean, the sets beside each other and each by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.comparison.score_display import facts_line
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.segment_table import SegmentTable
from adjudge.dossiers.study_dossier import SetDossier, StudyDossier
from adjudge.report.pages.report import browser
from adjudge.report.pages.report.believe import believe_part
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.parts import how_of_study, how_part, systems_part, where_part, why_part
from adjudge.report.pages.report.people import people_part
from adjudge.report.pages.report.sets import every_set, sets_part
from adjudge.report.pages.report.study_words import study_summary
from adjudge.report.pages.report.words import Answer, Sentence, summary
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.wording import join_names, pluralise

STYLES = ("analysis.css", "report.css", *browser.STYLES)
MODULES = ("exports.js", *browser.MODULES)
LEAD = "Here each test set counts alike. No score is of texts in several languages or sets put together."


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
    def view(self) -> ComparisonView:
        """The comparison as tables need it."""
        return ComparisonView.of(self.dossier.comparison, self.dossier.comparison.test, self.decimals)

    def parts(self) -> list[Part]:
        """From the summary to how it was made, without those that have nothing to show."""
        browsed = browser_beside(self.dossier.segments)
        *first, how = self.parts_without_segments()
        return [*first, browsed.result(), how]

    def parts_without_segments(self) -> list[Part]:
        """All parts but the segments, for a page that has those of several sets together."""
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
        contents = [(part.anchor, part.title) for part in parts]
        about = facts_line(self.dossier.comparison.test_set)
        return _whole_page(self.title, about, contents, parts, self.version)

    @property
    def title(self) -> str:
        """What the page is about."""
        name = self.dossier.segments.name
        return f"{_who(self.dossier.systems)} on {name}" if name else _who(self.dossier.systems)


@dataclass(frozen=True)
class StudyPage:
    """The page of a study, for researchers; it computes nothing."""

    dossier: StudyDossier
    version: str
    charts: bool = True
    decimals: int | None = None

    @cached_property
    def links(self) -> Links:
        """Where numbers over all sets lead."""
        return Links(self.dossier.segments)

    def parts(self) -> list[Part]:
        """Over all sets, every set, all segments, how it was made."""
        browsed = browser_beside(self.dossier.segments)
        parts = [
            Part("summary", "Summary", summary_part(study_summary(self.dossier, self.links))),
            Part("sets", "Test sets", html("<p>{}</p>", LEAD) + sets_part(self.dossier, self.links)),
        ]
        if self.dossier.whole:
            for place, set_dossier in enumerate(self.dossier.sets, 1):
                parts += self._set(place, set_dossier)
        else:
            parts.append(Part("each", "Every test set", every_set(self.dossier, self.decimals)))
        parts.append(browsed.result())
        parts.append(Part("how", "How it was made", how_of_study(self.dossier.inputs, self.dossier.notes)))
        return [part for part in parts if part.html]

    def _set(self, place: int, set_dossier: SetDossier) -> list[Part]:
        """The parts of one set."""
        inside = DossierPage(
            set_dossier.dossier, self.version, self.charts, self.decimals, f"set-{place}-", set_dossier.name
        )
        parts = inside.parts_without_segments()
        return [Part(part.anchor, f"{set_dossier.title}: {part.title.lower()}", part.html) for part in parts]

    def html(self) -> Html:
        """The whole page."""
        parts = self.parts()
        return _whole_page(self.title, self.about, self._contents(parts), parts, self.version)

    def _contents(self, parts: Sequence[Part]) -> list[tuple[str, str]]:
        """Parts over all sets, and of every set the first."""
        first = {
            next(part.anchor for part in parts if part.anchor.startswith(f"set-{place}-")): set_dossier.title
            for place, set_dossier in enumerate(self.dossier.sets if self.dossier.whole else (), 1)
        }
        shown = [(part.anchor, first.get(part.anchor, part.title)) for part in parts]
        return [entry for entry in shown if not entry[0].startswith("set-") or entry[0] in first]

    @property
    def title(self) -> str:
        """What the page is about."""
        sets = pluralise(len(self.dossier.sets), "test set")
        return f"{_who(self.dossier.study.systems)} on {sets} ({self.dossier.name})"

    @property
    def about(self) -> str:
        """How much of what."""
        pairs = sorted({set_dossier.language for set_dossier in self.dossier.sets if set_dossier.language})
        languages = f" in {join_names(pairs, 6)}" if pairs else ""
        return f"{pluralise(len(self.dossier.segments), 'segment')}{languages}"


def evaluation_page(
    dossier: StudyDossier,
    version: str,
    *,
    audience: str = "researcher",
    charts: bool = True,
    decimals: int | None = None,
) -> Html:
    """The page of an evaluation on one test set or several, for a researcher or a manager."""
    only = dossier.sets[0].dossier if len(dossier.sets) == 1 else None
    if audience == "manager":
        from adjudge.report.pages.manager.page import manager_page

        return manager_page(only or dossier, version)
    if only is None:
        return StudyPage(dossier, version, charts, decimals).html()
    return DossierPage(only, version, charts, decimals).html()


def _who(systems: Sequence[str]) -> str:
    return join_names(systems) if len(systems) < 4 else pluralise(len(systems), "system")


def _whole_page(
    title: str, about: str, contents: Sequence[tuple[str, str]], parts: Sequence[Part], version: str
) -> Html:
    """A header with the contents, the parts, and the version."""
    entries = NOTHING.join(html('<li><a href="#{}">{}</a></li>', *entry) for entry in contents)
    body = [
        html("<header><h1>{}</h1>", prose(title)),
        html('<p class="soft">{}</p>', prose(about)),
        html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav></header>', entries),
        html("<main>"),
        *map(section_of, parts),
        html("</main>"),
        html("<footer><p>adjudge {}</p></footer>", version),
    ]
    return page(title, body, styles=STYLES, modules=MODULES, workers=True, images=True)


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
