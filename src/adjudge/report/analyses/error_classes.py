"""Classes of errors shown: a table of rates, what differs, and the words that go wrong most often."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.analysis.error_classes import CLASSES, ClassDifference, ErrorClasses, classes_of
from adjudge.analysis.error_typology import BRANCHES, ROOF, ErrorTypology
from adjudge.display import DOWN, Bar, Cell, Column, Row, Section, Signature, Table, around, best_of, visible
from adjudge.report.analyses.error_branches import tag_sections, typology_sections
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING
from adjudge.stats.design import unit_noun, units_of
from adjudge.wording import counted, family, largest_p, listed, number, p_number, p_text, percent, signed

if TYPE_CHECKING:
    from adjudge.io import Input

SHOWN = 6
MEANING = {
    "all": "all of them",
    "inflection": "another form of the right word",
    "reordering": "the right word at another place",
    "missing": "words of the reference that are not there",
    "extra": "words that the reference has not",
    "lexical": "another word in place of the right one",
}


def forms(
    result: ErrorClasses,
    *,
    typology: ErrorTypology | None = None,
    version: str,
    inputs: Sequence[Input] = (),
) -> Forms:
    """Classes of errors in every format, with what people marked where there is some of it."""
    return analysis_forms(
        f"Classes of errors of {counted(len(result.systems), 'system')}",
        lambda: sections(result, typology),
        lambda: document(result, typology),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
        about=counted(result.segments, "segment"),
    )


def sections(result: ErrorClasses, typology: ErrorTypology | None = None) -> list[Section]:
    """Rates, differences, words; by part of speech, and beside what people marked."""
    parts = [
        Section("Words with errors, in percent", (_rates(result),), key="rates"),
        Section(
            "Against " + visible(result.systems[0].system),
            (_differences(result),) if result.differences else (),
            tuple(_sentences(result)),
            key="differences",
        ),
        Section("The words that it happens to most often", (_words(result),), key="words"),
        *tag_sections(result),
        *(typology_sections(typology) if typology is not None else ()),
    ]
    notes: tuple[str | Signature, ...] = (
        "Shares are of the output's words, and of the reference's for missing ones; ± is half of the "
        f"{percent(result.confidence)} interval over {units_of(result.design.unit)}. "
        "In brackets: runs of such words, in percent.",
        *design_notes(result.design),
        "Programs of this kind see words, not meaning: a good synonym is a lexical error to them.",
        Signature("hjerson", result.signature),
    )
    return [part for part in parts if part.tables or part.sentences] + [Section(notes=notes, key="notes")]


def _rates(result: ErrorClasses) -> Table:
    head = [Column("Errors"), Column("which are")]
    head += [Column(visible(s.system), True, DOWN) for s in result.systems]
    rows = []
    for errors in (*CLASSES, "all"):
        own = classes_of(result.systems, errors)
        best = best_of([c.rate for c in own], 1, higher_is_better=False)
        cells = [
            Cell(f"{around(c.rate, c.low, c.high, 1)} ({number(c.block_rate, 1)})", mark)
            for c, mark in zip(own, best, strict=True)
        ]
        rows.append(Row((Cell(errors), Cell(MEANING[errors]), *cells), rule=errors == "all"))
    return Table(tuple(head), tuple(rows))


def _differences(result: ErrorClasses) -> Table:
    systems = [s.system for s in result.systems[1:]]
    head = [Column("Errors")]
    for name in systems:
        head += [Column(f"Δ {visible(name)}", True, DOWN), Column("p", True, joined=True)]
    by_place = {(d.system, d.errors): d for d in result.differences}
    rows = []
    for errors in (*CLASSES, "all"):
        cells = []
        for name in systems:
            own = by_place[name, errors]
            style = ("win" if own.delta < 0 else "loss") if own.significant else ""
            cells += [Cell(signed(own.delta, 1), style=style), Cell(p_number(own.p_adjusted, result.alpha))]
        rows.append(Row((Cell(errors), *cells), rule=errors == "all"))
    return Table(tuple(head), tuple(rows))


def _sentences(result: ErrorClasses) -> list[str]:
    if not result.differences:
        return []
    baseline = visible(result.systems[0].system)
    sentences = []
    for system in result.systems[1:]:
        own = [d for d in result.differences if d.system == system.system and d.significant]
        name = visible(system.system)
        parts = [d for d in own if d.errors != "all"]
        fewer = [d for d in parts if d.delta < 0]
        more = [d for d in parts if d.delta > 0]
        if not parts:
            sentences.append(_together(name, baseline, own, result.alpha))
            continue
        told = []
        for word, chosen in (("fewer", fewer), ("more", more)):
            if chosen:
                names = listed([f"{d.errors} ({signed(d.delta, 1)})" for d in chosen])
                p = largest_p([d.p_adjusted for d in chosen], result.alpha)
                told.append(f"{word} errors than {baseline} of: {names}, {p}")
        sentences.append(f"{name} has {'; '.join(told)}.")
    drawn = counted(result.design.units, unit_noun(result.design.unit))
    sentences.append(
        f"Tested by turning signs of {drawn}, p corrected after Holm over "
        f"{family(result.family, counted(len(result.differences), 'test'))}."
    )
    return sentences


def _together(name: str, baseline: str, significant: Sequence[ClassDifference], alpha: float) -> str:
    """What is to be said of two systems that no single class tells apart."""
    if not significant:
        return f"{name} and {baseline} cannot be told apart by any class of errors."
    [own] = significant
    fewer = "fewer" if own.delta < 0 else "more"
    return (
        f"{name} has {fewer} errors than {baseline} of all classes together ({signed(own.delta, 1)}, "
        f"{p_text(own.p_adjusted, alpha)}); no single class tells them apart."
    )


def _words(result: ErrorClasses) -> Table:
    head = (Column("Errors"), *(Column(visible(s.system)) for s in result.systems))
    rows = []
    for errors in CLASSES:
        cells = []
        for own in classes_of(result.systems, errors):
            words = [f"{visible(word)} {times}" for word, times in own.frequent[:SHOWN]]
            cells.append(Cell(", ".join(words) or "–"))
        rows.append(Row((Cell(errors), *cells)))
    return Table(head, tuple(rows))


def drawings(result: ErrorClasses) -> Mapping[str, Drawing]:
    """The rates of every class."""
    names = [visible(s.system) for s in result.systems]
    figures = []
    for errors in (*CLASSES, "all"):
        bars = [
            Bar(name, c.rate, c.low, c.high, None, number(c.rate, 1))
            for name, c in zip(names, classes_of(result.systems, errors), strict=True)
        ]
        figures.append(
            intervals(bars, label=errors, better=DOWN, interval=f"{percent(result.confidence)} interval")
        )
    return {"rates": Drawing(NOTHING.join(figures))}


def lines(result: ErrorClasses) -> Lines:
    """A line a system and class."""
    yield ["system", "errors", "words", "blocks", "rate", "low", "high", "block_rate"]
    for system in result.systems:
        for c in system.classes:
            yield [system.system, c.errors, c.words, c.blocks, c.rate, c.low, c.high, c.block_rate]


def document(result: ErrorClasses, typology: ErrorTypology | None = None) -> dict[str, Any]:
    """For JSON: all of it, unrounded."""
    systems = []
    for system in result.systems:
        own = facts(system)
        own["wer"] = 100 * system.edits / system.reference_words if system.reference_words else math.nan
        for c in own["classes"]:
            c["typology"] = BRANCHES.get(ROOF.get(c["errors"], ""), "")
            c["frequent"] = [{"word": word, "times": times} for word, times in c["frequent"]]
        systems.append(own)
    return {
        "signature": result.signature,
        "segments": result.segments,
        "alpha": result.alpha,
        "design": facts(result.design),
        "systems": systems,
        "differences": [facts(d) for d in result.differences],
        **({} if typology is None else {"typology": facts(typology)}),
    }
