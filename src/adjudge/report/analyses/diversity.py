"""How rich the words of texts are, shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.diversity import REFERENCE, Diversity
from adjudge.display import DOWN, UP, Cell, Column, Row, Section, Table, visible
from adjudge.report.render.analysis_forms import Lines, analysis_forms, facts
from adjudge.report.render.formats import Forms
from adjudge.wording import counted, number, percent

if TYPE_CHECKING:
    from adjudge.io import Input


def forms(result: Diversity, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Diversity in every format."""
    return analysis_forms(
        f"Words of {counted(len(result.texts), 'text')}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
    )


def sections(result: Diversity) -> list[Section]:
    """A row a text."""
    head = (
        Column("Text"),
        Column("words", True),
        Column("different", True),
        Column("TTR", True, UP),
        Column(f"MATTR {result.window}", True, UP),
        Column("MTLD", True, UP),
        Column("Yule's K", True, DOWN),
        Column("once only", True, UP),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(text.text)),
                Cell(f"{text.words:,}"),
                Cell(f"{text.types:,}"),
                Cell(number(text.ttr, 3)),
                Cell(number(text.mattr, 3)),
                Cell(number(text.mtld, 1)),
                Cell(number(text.yule_k, 1)),
                Cell(number(text.hapaxes, 3)),
            ),
            rule=text.text == REFERENCE,
        )
        for text in result.texts
    )
    notes = (
        "Arrows point to richer words, which is not better: what counts is how far a system is from the reference. "
        "TTR falls with the length of a text; MATTR (share of different words in windows) and MTLD (length of "
        f"stretches with more than {percent(result.threshold)} different words) do not. once only: share of different "
        "words that come once.",
    )
    return [Section("How rich the words are", (Table(head, rows),), notes=notes)]


def lines(result: Diversity) -> Lines:
    """A line a text."""
    yield ["text", "words", "types", "ttr", "mattr", "mtld", "yule_k", "hapaxes"]
    for t in result.texts:
        yield [t.text, t.words, t.types, t.ttr, t.mattr, t.mtld, t.yule_k, t.hapaxes]
