"""N-grams that tell two systems apart, shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.analysis.ngrams import NgramDifference, NgramDifferences
from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.report.render.analysis_forms import Lines, analysis_forms, facts
from adjudge.report.render.formats import Forms
from adjudge.wording import counted, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MEANING = {
    "match": "gets right more often",
    "over": "adds more often, though the reference has not so many of them",
    "under": "leaves out more often",
}


def forms(result: NgramDifferences, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """N-grams in every format."""
    return analysis_forms(
        f"N-grams of {visible(result.a)} and {visible(result.b)}",
        lambda: sections(result),
        lambda: document(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
    )


def sections(result: NgramDifferences) -> list[Section]:
    """What each of the two does more often."""
    parts = [
        Section(
            f"What {visible(name)} {MEANING[result.kind]}",
            (_table(result, chosen),) if chosen else (),
            () if chosen else ("Nothing.",),
        )
        for name, chosen in ((result.a, result.more), (result.b, result.less))
    ]
    notes = (
        f"{counted(result.distinct, 'different n-gram')} of {result.shortest} to {result.longest} words; sorted by "
        f"the log of ({visible(result.a)} + {result.smoothing:g})/({visible(result.b)} + {result.smoothing:g}).",
        "z: the same in its standard errors. Of so many n-grams some are beyond 2 by chance; hardly any beyond 4.",
    )
    return [*parts, Section(notes=notes)]


def _table(result: NgramDifferences, chosen: Sequence[NgramDifference]) -> Table:
    head = (
        Column("N-gram"),
        Column(visible(result.a), True),
        Column(visible(result.b), True),
        Column("log-odds", True),
        Column("z", True),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(" ".join(n.words))),
                Cell(f"{n.a:,}"),
                Cell(f"{n.b:,}"),
                Cell(signed(n.log_odds, 2)),
                Cell(signed(n.z, 1)),
            )
        )
        for n in chosen
    )
    return Table(head, rows)


def document(result: NgramDifferences) -> dict[str, Any]:
    """For JSON."""
    own: dict[str, Any] = facts(result)
    for side in ("more", "less"):
        own[side] = [facts(n) | {"share": n.share} for n in getattr(result, side)]
    return own


def lines(result: NgramDifferences) -> Lines:
    """A line an n-gram."""
    yield ["ngram", "kind", result.a, result.b, "log_odds", "z"]
    for n in (*result.more, *result.less):
        yield [" ".join(n.words), result.kind, n.a, n.b, n.log_odds, n.z]
