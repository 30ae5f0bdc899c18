"""A study of several test sets as one page: who wins in the mean, the sets beside each other and each by itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from adjudge.dossiers.study_dossier import SetDossier, StudyDossier
from adjudge.report.pages.dossier import (
    MODULES,
    STYLES,
    DossierPage,
    Part,
    browser_beside,
    section_of,
    summary_part,
)
from adjudge.report.pages.dossier_links import Links
from adjudge.report.pages.dossier_parts import how_of_study
from adjudge.report.pages.dossier_sets import sets_part
from adjudge.report.pages.study_many import every_set
from adjudge.report.pages.study_words import study_summary
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.wording import counted, listed

LEAD = "Here each test set counts alike. No score is of texts in several languages or sets put together."


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
            for place, own in enumerate(self.dossier.sets, 1):
                parts += self._set(place, own)
        else:
            parts.append(Part("each", "Every test set", every_set(self.dossier, self.decimals)))
        parts.append(browsed.result())
        parts.append(Part("how", "How it was made", how_of_study(self.dossier.inputs, self.dossier.notes)))
        return [part for part in parts if part.html]

    def _set(self, place: int, own: SetDossier) -> list[Part]:
        """The parts of one set."""
        inside = DossierPage(own.dossier, self.version, self.charts, self.decimals, f"set-{place}-", own.name)
        parts = inside.parts_without_segments()
        return [Part(part.anchor, f"{own.title}: {part.title.lower()}", part.html) for part in parts]

    def html(self) -> Html:
        """The whole page."""
        parts = self.parts()
        body = [
            html("<header><h1>{}</h1>", prose(self.title)),
            html('<p class="soft">{}</p>', prose(self.about)),
            html(
                '<nav aria-label="Contents"><ul class="contents">{}</ul></nav></header>',
                self._contents(parts),
            ),
            html("<main>"),
            *map(section_of, parts),
            html("</main>"),
            html("<footer><p>adjudge {}</p></footer>", self.version),
        ]
        return page(self.title, body, styles=STYLES, modules=MODULES, workers=True, images=True)

    def _contents(self, parts: list[Part]) -> Html:
        """Parts over all sets, and of every set the first."""
        first = {
            next(part.anchor for part in parts if part.anchor.startswith(f"set-{place}-")): own.title
            for place, own in enumerate(self.dossier.sets if self.dossier.whole else (), 1)
        }
        shown = [(p.anchor, first.get(p.anchor, p.title)) for p in parts]
        shown = [entry for entry in shown if not entry[0].startswith("set-") or entry[0] in first]
        return NOTHING.join(html('<li><a href="#{}">{}</a></li>', anchor, title) for anchor, title in shown)

    @property
    def title(self) -> str:
        """What the page is about."""
        systems = self.dossier.study.systems
        who = listed(systems) if len(systems) < 4 else counted(len(systems), "system")
        return f"{who} on {counted(len(self.dossier.sets), 'test set')} ({self.dossier.name})"

    @property
    def about(self) -> str:
        """How much of what."""
        pairs = sorted({own.language for own in self.dossier.sets if own.language})
        languages = f" in {listed(pairs, 6)}" if pairs else ""
        return f"{counted(len(self.dossier.segments), 'segment')}{languages}"
