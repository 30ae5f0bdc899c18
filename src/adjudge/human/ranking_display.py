"""What rankings say, shown: systems with ranges of ranks and clusters, who is preferred to whom, agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from adjudge.charts import IntervalChart, Matrix, Meeting, matrix_table
from adjudge.comparison.comparison_words import CLAIMS
from adjudge.comparison.documents import design_document, plain
from adjudge.display import (
    Cell,
    Column,
    Data,
    Row,
    Section,
    Table,
    around,
    brief,
    group_name,
    rank_range,
    visible,
)
from adjudge.human.annotator_display import (
    agreement_section,
    annotator_data,
    annotator_sections,
    page_annotators,
)
from adjudge.human.group_display import bar, drawn_group, pair_data, system_data
from adjudge.human.quality import ChoiceQuality
from adjudge.human.ranking_results import RankedPair, RankingAnalysis, RankingFacts, RankingGroup
from adjudge.stats.design import units_of
from adjudge.stats.tests.preferences.base import preference_test
from adjudge.wording import CORRECTIONS, MISSING, p_number, percent, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.human.ranking import Ranking

TITLES = {
    "at-least-as-good": "≥ others",
    "better": "> others",
    "expected-wins": "expected wins",
    "bradley-terry": "Bradley–Terry",
    "trueskill": "TrueSkill",
}
PROTOCOLS = {"rank": "Rankings", "pairwise": "Comparisons side by side"}
PREFERRED = "Who is preferred to whom"
MANY_PAIRS = 15
FEW_PAIRS = 3
"""Shown for each group as well."""


def sections(
    analysis: RankingAnalysis, *, decimals: int | None = None, on_page: bool = False
) -> list[Section]:
    """All of it for people to read; on a page with intervals, and who was preferred to whom."""
    shown = [Section(what(analysis.facts), key="what")]
    for place, group in enumerate(analysis.groups):
        own = _group_part(group, place, analysis, decimals)
        shown += _drawn(own, group, analysis, decimals) if on_page else own
    if parts := len(analysis.groups) - 1:
        note = f"p is corrected within each group, not for looking at {pluralise(parts, 'group')}."
        shown.append(Section(notes=(note,)))
    shown.append(agreement_section(analysis.agreement))
    annotators = page_annotators if on_page else annotator_sections
    return [*shown, *_controls(analysis.controls), *annotators(analysis.annotators)]


def _group_part(
    group: RankingGroup, place: int, analysis: RankingAnalysis, decimals: int | None
) -> list[Section]:
    """All that is said of the whole, and the systems of a group."""
    if not place:
        return _group(group, analysis, decimals)
    title = f"{brief(group_name(group.by))}: {pluralise(group.ranking.comparisons, 'comparison')}"
    pairs = (_pairs(group.pairs, analysis.facts.alpha),) if 0 < len(group.pairs) <= FEW_PAIRS else ()
    sentences = (*group.ranking.remarks, *group.claims)
    return [Section(title, (_systems(group, decimals), *pairs), sentences, key=f"group {place}")]


def _drawn(
    shown: Sequence[Section], group: RankingGroup, analysis: RankingAnalysis, decimals: int | None
) -> list[Section]:
    """A group on a page."""
    matrix = _matrix(group, analysis)
    bars = [bar(s, s.score, _places(decimals)) for s in group.systems]
    level = f"{percent(group.ranking.confidence)} intervals"
    chart = IntervalChart(bars, TITLES[group.ranking.method], "↑", level)
    return [
        replace(section, title=PREFERRED, charts=(matrix,)) if section.key == "pairs" else section
        for section in drawn_group(shown, chart, matrix, PREFERRED)
    ]


def _controls(controls: Sequence[ChoiceQuality]) -> list[Section]:
    """Who preferred a damaged output, or found it as good."""
    if not controls:
        return []
    whole, ties, damaged = (
        sum(getattr(control, name) for control in controls) for name in ("whole", "ties", "damaged")
    )
    total = whole + ties + damaged
    sentences = [
        f"Of {pluralise(total, 'comparison')} in which one output had been damaged, the whole one was preferred in "
        f"{whole:,}, neither in {ties:,}, the damaged one in {damaged:,}."
    ]
    sentences += [
        f"{visible(control.annotator)}: missed {control.ties + control.damaged} of "
        f"{control.whole + control.ties + control.damaged}."
        for control in controls
        if control.ties or control.damaged
    ]
    return [Section("Control items", sentences=tuple(sentences))]


def what(facts: RankingFacts) -> str:
    """What was judged, in a line."""
    answers = f" from {pluralise(facts.rankings, 'ranking')}" if facts.rankings < facts.judgements else ""
    return (
        f"{PROTOCOLS.get(facts.protocol, facts.protocol)}: {pluralise(facts.judgements, 'comparison')}{answers} of "
        f"{pluralise(facts.systems, 'system')} on {pluralise(facts.items, 'item')} by "
        f"{pluralise(facts.annotators, 'annotator')}"
    )


def _group(group: RankingGroup, analysis: RankingAnalysis, decimals: int | None) -> list[Section]:
    ranking = group.ranking
    parts = [Section("", (_systems(group, decimals),), key="systems")]
    matrix = _matrix(group, analysis)
    few = len(group.pairs) <= MANY_PAIRS
    correction = CORRECTIONS.get(analysis.facts.correction, analysis.facts.correction)
    corrected = f"; {correction} over {pluralise(len(group.pairs), 'pair')}" if len(group.pairs) > 1 else ""
    test = preference_test(analysis.facts.unit)
    clusters = "ranks and clusters: who is shown to be preferred to whom by these tests."
    if not analysis.facts.by_tests:
        clusters = (
            "ranks: the same share of resamples. A line parts clusters: ranges of ranks with none in common."
        )
    notes = (
        "n: distinct items on which the system was compared; N: comparisons.",
        f"preference: the share of wins less that of losses, {OF_COMPARISONS if test.every_comparison else OF_ITEMS}.",
        f"p: two-sided {test.describe(analysis.facts.unit)}{corrected}; "
        + (
            f"* is p ≤ {analysis.facts.alpha:g}."
            if not analysis.facts.too_small
            else "too small, so that none has a star."
        ),
        f"±: {percent(ranking.confidence)} of {pluralise(ranking.resamples, 'resample')} of "
        f"{_what_is_drawn(ranking)}, seed {ranking.seed}.",
        *((analysis.facts.design,) if analysis.facts.design else ()),
        clusters,
        *(() if few else (matrix.note,)),
    )
    table = _pairs(group.pairs, analysis.facts.alpha) if few else matrix_table(matrix)
    parts.append(Section("", (table,), notes=notes, key="pairs" if few else "matrix"))
    return [*parts, Section(CLAIMS, sentences=group.claims, key="claims")] if group.claims else parts


def _what_is_drawn(ranking: Ranking) -> str:
    if "," in ranking.unit:
        return f"{units_of(ranking.unit)} at once"
    return pluralise(ranking.units, UNITS.get(ranking.unit, ranking.unit))


def _matrix(group: RankingGroup, analysis: RankingAnalysis) -> Matrix:
    return Matrix.of(
        tuple(s.system for s in group.systems),
        {
            (p.a, p.b): Meeting(p.p_adjusted, p.significant, p.effect, p.lost, p.n_translations)
            for p in group.pairs
        },
        alpha=analysis.facts.alpha,
        corrected=analysis.facts.correction != "none" and len(group.pairs) > 1,
        corner="P(row preferred)",
        share="the share of comparisons in which the row was preferred to the column (ties are neither's)",
    )


def _places(decimals: int | None) -> int:
    return 3 if decimals is None else decimals


UNITS = {"pair": "comparison", "none": "comparison"}
OF_ITEMS = "averaged over items, each of which counts once"
OF_COMPARISONS = "of all comparisons"


def _systems(group: RankingGroup, decimals: int | None) -> Table:
    places = _places(decimals)
    head = (
        Column("System"),
        Column(TITLES[group.ranking.method], True, "↑"),
        Column("cluster", True),
        Column("ranks", True, joined=True),
        Column("wins", True),
        Column("ties", True),
        Column("losses", True),
        Column("n", True),
        Column("N", True),
    )
    rows = []
    above: int | None = None
    for index, s in enumerate(group.systems):
        rows.append(
            Row(
                (
                    Cell(visible(s.system), s.cluster == 1),
                    Cell(around(s.score, s.low, s.high, places), s.cluster == 1),
                    Cell(MISSING if s.cluster is None else str(s.cluster)),
                    Cell(rank_range(s.rank)),
                    Cell(f"{s.wins:,}"),
                    Cell(f"{s.ties:,}"),
                    Cell(f"{s.losses:,}"),
                    Cell(f"{s.n_translations:,}"),
                    Cell(f"{s.n_judgements:,}"),
                ),
                rule=index > 0 and s.cluster != above,
            )
        )
        above = s.cluster
    return Table(head, tuple(rows))


def _pairs(pairs: Sequence[RankedPair], alpha: float) -> Table:
    head = (
        Column("System"),
        Column("against"),
        Column("wins", True),
        Column("ties", True),
        Column("losses", True),
        Column("preference", True),
        Column("p", True),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(p.a)),
                Cell(visible(p.b)),
                Cell(f"{p.wins:,}"),
                Cell(f"{p.ties:,}"),
                Cell(f"{p.losses:,}"),
                Cell(with_sign(p.delta, 3)),
                Cell(
                    p_number(p.p_adjusted, alpha) + (" *" if p.significant else "  "),
                    style=("win" if p.delta > 0 else "loss") if p.significant else "",
                ),
            )
        )
        for p in pairs
    )
    return Table(head, rows)


def document(analysis: RankingAnalysis) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "judgements": asdict(analysis.facts),
        "groups": [_document(group, analysis) for group in analysis.groups],
        "agreement": plain(asdict(analysis.agreement)),
        "annotators": [plain(asdict(diagnosis)) for diagnosis in analysis.annotators],
        "controls": [asdict(control) for control in analysis.controls],
        "errors": [],
        "warnings": list(analysis.warnings),
    }


def _document(group: RankingGroup, analysis: RankingAnalysis) -> dict[str, Any]:
    ranking = group.ranking
    return {
        "by": dict(group.by),
        "method": ranking.method,
        "systems": [plain(asdict(s)) for s in ranking.systems],
        "pairs": [_pair_document(pair) for pair in group.pairs],
        "test": {
            "method": preference_test(group.design.unit).method,
            "unit": group.design.unit,
            "drawn": ranking.unit,
            "clusters": "tests" if analysis.facts.by_tests else "ranges",
            "resamples": ranking.resamples,
            "seed": ranking.seed,
            "confidence": ranking.confidence,
            "alpha": analysis.facts.alpha,
            "correction": analysis.facts.correction,
            "comparisons": len(group.pairs),
        },
        "claims": list(group.claims),
        "design": design_document(group.design),
        "remarks": list(ranking.remarks),
    }


def _pair_document(pair: RankedPair) -> dict[str, Any]:
    document = {
        **plain(asdict(pair)),
        "effect": pair.effect,
        "effect_reversed": pair.lost,
        "common": pair.n_translations,
    }
    if pair.margin is None:
        del document["margin"]
    return document


SYSTEM_COLUMNS = ("system", "score", "low", "high", "cluster", "wins", "ties", "losses")
PAIR_COLUMNS = ("a", "b", "wins", "ties", "losses", "delta", "effect", "p", "p_adjusted", "significant")
NUMBERS = ("n_translations", "n_judgements")


def data(analysis: RankingAnalysis, table: str = "systems") -> Data:
    """A row a system, a pair or an annotator; unrounded."""
    if table == "annotators":
        return annotator_data(analysis.annotators)
    if table == "pairs":
        pairs = ((g.by, [_pair_document(p) for p in g.pairs]) for g in analysis.groups)
        return pair_data(pairs, (*PAIR_COLUMNS, *NUMBERS))
    return system_data(((g.by, g.systems) for g in analysis.groups), (*SYSTEM_COLUMNS, *NUMBERS))
