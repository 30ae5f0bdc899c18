"""What differences are worth, shown: how often people agree with a difference of some size, metric by metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.charts import CurveChart
from adjudge.data.difference_tables import ANY, DifferenceCurve, DifferenceTables
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Table
from adjudge.io.difference_tables import document as file_document
from adjudge.wording import number, percent, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input


@dataclass(frozen=True)
class DifferenceDisplay(Displayable):
    """How often people agree with differences."""

    tables: DifferenceTables
    version: str
    inputs: Sequence[Input] = ()

    @property
    def title(self) -> str:
        """Of its page."""
        return "What differences are worth"

    @property
    def about(self) -> str:
        """How many test sets it comes from."""
        return f"{self.tables.name}: {pluralise(len(self.tables.test_sets), 'test set')}"

    def sections(self) -> list[Section]:
        """A table a curve, and where all of it comes from."""
        return [*(_section(curve) for curve in self.tables.curves), _provenance(self.tables)]

    def document(self) -> Mapping[str, Any]:
        """As its file has it, and what made it."""
        inputs = [asdict(item) for item in self.inputs]
        return {**file_document(self.tables), "version": self.version, "inputs": inputs}

    def data(self) -> Data:
        """A row a point."""
        rows = []
        for curve in self.tables.curves:
            own = curve.points
            for values in zip(own.delta, own.agreement, own.low, own.high, own.pairs, strict=True):
                rows.append([curve.metric, curve.family, *(f"{value:g}" for value in values)])
        return Data(["metric", "family", "delta", "agreement", "low", "high", "pairs"], rows)


def title_of(curve: DifferenceCurve) -> str:
    """A curve's metric and languages."""
    return curve.metric if curve.family == ANY else f"{curve.metric}, into {languages_of(curve.family)}"


def languages_of(family: str) -> str:
    """A family of languages in words."""
    return "English" if family == "english" else f"{family.title()} languages"


def _section(curve: DifferenceCurve) -> Section:
    columns = ("difference", "people agree", "low", "high", "pairs")
    points = curve.points
    rows = []
    for delta, *shares, pairs in zip(
        points.delta, points.agreement, points.low, points.high, points.pairs, strict=True
    ):
        cells = [number(delta, 3, kind="g"), *(f"{100 * share:.0f} %" for share in shares), f"{pairs:,}"]
        rows.append(Row(tuple(map(Cell, cells))))
    where = f"{pluralise(curve.systems, 'system')} in {pluralise(curve.test_sets, 'test set')}"
    note = f"{pluralise(curve.pairs, 'pair')} of {where}; the curve is fitted."
    if curve.like:
        note += f" It is the curve of {curve.like}, in proportion."
    return Section(
        title_of(curve),
        (Table(tuple(Column(name, True) for name in columns), tuple(rows)),),
        notes=(note,),
        charts=(_chart(curve),),
    )


def _chart(curve: DifferenceCurve) -> CurveChart:
    own = curve.points
    points = [
        (float(delta), 100 * float(share), 100 * float(low), 100 * float(high))
        for delta, share, low, high in zip(own.delta, own.agreement, own.low, own.high, strict=True)
    ]
    return CurveChart(points, f"{title_of(curve)}: people agree, in %", "across: difference")


def _provenance(tables: DifferenceTables) -> Section:
    columns = (
        Column("Test set"),
        Column("Year", True),
        Column("Language"),
        Column("Protocol"),
        Column("Systems", True),
        Column("Pairs", True),
    )
    rows = []
    for test_set in tables.test_sets:
        year = "" if test_set.year is None else str(test_set.year)
        counts = (f"{test_set.systems:,}", f"{test_set.pairs:,}")
        rows.append(
            Row(tuple(map(Cell, (test_set.test_set, year, test_set.language, test_set.protocol, *counts))))
        )
    note = (
        "A hierarchical model over test sets and years; the curve is that of a new test set of the last year, and "
        f"{percent(tables.confidence)} of the curves of new test sets lie between low and high."
    )
    return Section("Where it comes from", (Table(columns, tuple(rows)),), notes=(note,), key="provenance")
