"""Analyses of several language pairs, shown one after another: nothing is ranked over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.data.judgements import LANGUAGES
from adjudge.display import Section
from adjudge.dossiers.language_pairs import LanguagePairAnalyses
from adjudge.report.pages.human import analysis as pair_report
from adjudge.report.pages.human.groups import group_document
from adjudge.report.render.formats import Renderer
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html
from adjudge.report.render.section_page import claims_beside_systems, section_page
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.io import Input


def renderer(
    analyses: LanguagePairAnalyses,
    *,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
    with_checklist: bool = False,
    decimals: int | None = None,
    table: str = "systems",
) -> Renderer:
    """Every pair's analysis in every format; `table` is what TSV holds."""
    return Renderer(
        lambda: sections(analyses, with_checklist=with_checklist, decimals=decimals),
        lambda: document(analyses, version=version, inputs=inputs, warnings=warnings),
        tsv=lambda: as_tsv(analyses, table=table),
        html=lambda: page(
            analyses,
            version=version,
            inputs=inputs,
            warnings=warnings,
            with_checklist=with_checklist,
            decimals=decimals,
        ),
    )


def sections(
    analyses: LanguagePairAnalyses, *, with_checklist: bool = False, decimals: int | None = None
) -> list[Section]:
    """The sections of every pair, each with the pair before its title."""
    return [
        replace(
            section, title=f"{pair}: {section.title}" if section.title else "", key=_key(pair, section.key)
        )
        for pair, analysis in analyses.items()
        for section in claims_beside_systems(
            pair_report.sections(analysis, with_checklist=with_checklist, decimals=decimals)
        )
    ]


def _key(pair: str, key: str) -> str:
    return f"{pair} {key}" if key else ""


def drawings(analyses: LanguagePairAnalyses, *, decimals: int | None = None) -> dict[str, Drawing]:
    """What a page shows of every pair, by the keys of the sections."""
    drawn = {}
    for pair, analysis in analyses.items():
        for key, drawing in pair_report.drawings(analysis, decimals=decimals).items():
            title = f"{pair}: {drawing.title}" if drawing.title else ""
            drawn[_key(pair, key)] = replace(drawing, title=title)
    return drawn


def page(
    analyses: LanguagePairAnalyses,
    *,
    version: str,
    inputs: Sequence[Input],
    warnings: Sequence[str],
    with_checklist: bool = False,
    decimals: int | None = None,
) -> Html:
    """All of it for a browser."""
    return section_page(
        f"What people said in {pluralise(len(analyses), 'language pair')}",
        "Each language pair is analysed by itself.",
        sections(analyses, with_checklist=with_checklist, decimals=decimals),
        drawings(analyses, decimals=decimals),
        version=version,
        inputs=inputs,
        warnings=warnings,
    )


def document(
    analyses: LanguagePairAnalyses, *, version: str, inputs: Sequence[Input], warnings: Sequence[str]
) -> dict[str, Any]:
    """A document for every pair, and the groups of all of them, each with its pair in `by`."""
    documents = {
        pair: pair_report.document(analysis, version=version, inputs=(), warnings=analysis.warnings)
        for pair, analysis in analyses.items()
    }
    for own in documents.values():
        del own["version"], own["inputs"]
    groups = [
        group | {"by": {LANGUAGES: pair} | group["by"]}
        for pair, own in documents.items()
        for group in own["groups"]
    ]
    content = {"groups": groups, "language_pairs": documents, "warnings": list(warnings)}
    return group_document(content, version=version, inputs=inputs)


def as_tsv(analyses: LanguagePairAnalyses, *, table: str = "systems") -> str:
    """A table of all pairs, with the pair in its first column."""
    lines: list[str] = []
    for pair, analysis in analyses.items():
        head, *rows = pair_report.as_tsv(analysis, table=table).splitlines()
        lines += [f"{LANGUAGES}\t{head}"] if not lines else []
        lines += [f"{pair}\t{row}" for row in rows]
    return "".join(f"{line}\n" for line in lines)
