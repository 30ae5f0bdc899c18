"""An analysis of judgements as a page for a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.display import Section
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html
from adjudge.report.render.section_page import claims_beside_systems, section_page
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.io import Input


def analysis_page(
    sections: Sequence[Section],
    drawings: Mapping[str, Drawing],
    *,
    systems: int,
    annotators: int,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
) -> Html:
    """The sections in their order, claims next to the systems, each with its drawing."""
    who = pluralise(annotators, "annotator") if annotators else "people"
    title = f"What {who} said of {pluralise(systems, 'system')}"
    about = next((section.title for section in sections if section.key == "what"), "")
    shown = claims_beside_systems([section for section in sections if section.key != "what"])
    return section_page(title, about, shown, drawings, version=version, inputs=inputs, warnings=warnings)
