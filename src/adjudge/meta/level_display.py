"""Which score goes with which judgement, shown: histograms by people's level, and sentences beside scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.charts import LevelBars
from adjudge.comparison import Scores
from adjudge.data.difference_tables import ANY
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Table, sparkline
from adjudge.meta.difference_display import languages_of
from adjudge.meta.level_file import document as file_document
from adjudge.meta.levels import LevelTables, MetricLevels
from adjudge.wording import MISSING, number, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input

TITLE = "What people gave outputs with such scores elsewhere"


@dataclass(frozen=True)
class LevelDisplay(Displayable):
    """Which score goes with which judgement."""

    tables: LevelTables
    version: str
    inputs: Sequence[Input] = ()

    @property
    def title(self) -> str:
        """Of its page."""
        return "Which score goes with which judgement"

    @property
    def about(self) -> str:
        """The test sets."""
        return ", ".join(f"{name} {language} ({count:,})" for name, language, count in self.tables.test_sets)

    def sections(self) -> list[Section]:
        """Of each metric the histograms by level, and people's scores by score."""
        known = self.tables.metrics
        whole = {entry.metric: entry.outputs for entry in known if entry.family == ANY}
        # Where all outputs are in one family of languages, its table is the one over all.
        shown = [entry for entry in known if entry.family == ANY or entry.outputs != whole.get(entry.metric)]
        return [section for entry in shown for section in (_histograms(entry), _bands(entry))]

    def document(self) -> Mapping[str, Any]:
        """As its file has it, and what made it."""
        inputs = [asdict(item) for item in self.inputs]
        return {**file_document(self.tables), "version": self.version, "inputs": inputs}

    def data(self) -> Data:
        """A row a band."""
        rows = []
        for metric in self.tables.metrics:
            for band in metric.bands:
                values = (band.score, band.people, band.low, band.high, band.outputs)
                rows.append([metric.metric, metric.family, *(f"{value:g}" for value in values)])
        return Data(["metric", "family", "score", "people", "low", "high", "outputs"], rows)


def _title(levels: MetricLevels) -> str:
    return levels.metric if levels.family == ANY else f"{levels.metric}, into {languages_of(levels.family)}"


def _places(levels: MetricLevels) -> int:
    """Decimals that a metric's scores want."""
    return 1 if levels.scores[1] - levels.scores[0] > 10 else 3


def _histograms(levels: MetricLevels) -> Section:
    columns = (
        Column("people", True),
        Column("outputs", True),
        Column(f"mean {levels.metric}", True),
        Column("middle half", True),
        Column(f"{levels.scores[0]:.3g} to {levels.scores[1]:.3g}", True),
    )
    rows = []
    places = _places(levels)
    for level in levels.levels:
        low, _, high = level.quartiles
        half = MISSING if math.isnan(low) else f"{low:.{places}f}–{high:.{places}f}"
        cells = (f"{level.low:g}–{level.high:g}", f"{level.outputs:,}", number(level.mean, places), half)
        rows.append(Row((*map(Cell, cells), Cell(sparkline(level.histogram)))))
    where = f"{pluralise(levels.outputs, 'output')} in {pluralise(levels.test_sets, 'test set')}"
    return Section(
        f"{_title(levels)}: scores by people's level",
        (Table(columns, tuple(rows)),),
        notes=(f"{where}; bars: outputs by {levels.metric}, from the lowest score to the highest.",),
        charts=(_chart(levels),),
    )


def _chart(levels: MetricLevels) -> LevelBars:
    rows = [(f"{level.low:g}–{level.high:g}", level.histogram) for level in levels.levels]
    return LevelBars(_title(levels), levels.metric, levels.scores[0], levels.scores[1], rows)


def _bands(levels: MetricLevels) -> Section:
    columns = (
        Column(levels.metric, True),
        Column("people", True),
        Column("95 %", True),
        Column("middle half", True),
    )
    rows = [
        Row(
            tuple(
                map(
                    Cell,
                    (
                        number(band.score, _places(levels)),
                        f"{band.people:.1f}",
                        f"{band.low:.1f}–{band.high:.1f}",
                        f"{band.quartiles[0]:.0f}–{band.quartiles[2]:.0f}",
                    ),
                )
            )
        )
        for band in levels.bands
    ]
    note = "Tenths of the outputs by score; intervals of people's mean take outputs of one segment for alike."
    return Section(
        f"{_title(levels)}: people's scores by score", (Table(columns, tuple(rows)),), notes=(note,)
    )


@dataclass(frozen=True)
class ScoreLevels:
    """What stands beside scores."""

    section: Section
    document: Mapping[str, Any]


def beside_scores(scores: Scores, tables: LevelTables, language: str) -> ScoreLevels:
    """What people gave outputs with such scores, where it is known; the scores must have those of segments."""
    entries = _entries(scores, tables, language)
    return ScoreLevels(_section(entries, tables), {"table": tables.name, "results": entries})


def _entries(scores: Scores, tables: LevelTables, language: str) -> list[dict[str, Any]]:
    entries = []
    for result in scores.results:
        values = [score for score in result.segments or () if not math.isnan(score)]
        own = tables.of(result.metric, language)
        mean = sum(values) / len(values) if values else math.nan
        band = own.at(mean) if own is not None and values else None
        entry: dict[str, Any] = {
            "system": result.title,
            "metric": result.metric,
            "label": result.label,
            "mean": mean,
        }
        if band is None or own is None:
            entries.append(
                {**entry, "people": None, "reason": "no data" if own is None else "beyond all data"}
            )
        else:
            known = {
                "people": band.people,
                "low": band.low,
                "high": band.high,
                "quartiles": list(band.quartiles),
            }
            entries.append({**entry, **known, "outputs": band.outputs, "family": own.family})
    return entries


def _section(entries: Sequence[dict[str, Any]], tables: LevelTables) -> Section:
    top = f"{tables.scale[1]:g}"
    sentences = []
    for entry in entries:
        label = entry["label"].partition("(")[0]
        begin = f"{entry['system']}, {label} {number(entry['mean'], 1)} a segment on average: "
        if entry["people"] is None:
            sentences.append(f"{begin}{entry['reason']} to say what people give such outputs.")
            continue
        into = "" if entry["family"] == ANY else f" into {languages_of(entry['family'])}"
        low, _, high = entry["quartiles"]
        sentences.append(
            f"{begin}in {tables.name} data{into} people gave such outputs {entry['people']:.0f} of {top} "
            f"({entry['low']:.0f}–{entry['high']:.0f}), the middle half of them {low:.0f} to {high:.0f}."
        )
    note = "The same score goes with other judgements on other kinds of texts: adjudge meta levels makes your table."
    return Section(TITLE, sentences=tuple(sentences), notes=(note,), key="levels")
