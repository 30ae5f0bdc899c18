"""A learned metric shown: whether it does better than the best single one on what it has not seen, and what it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from adjudge.display import FLUSH, Cell, Column, Row, Section, Table
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import tsv_line
from adjudge.stats.significance import significant
from adjudge.tuning.learning import OBJECTIVES, LearnedMetric, UnseenResult
from adjudge.tuning.learning.agreement import MEASURES
from adjudge.wording import digits, join_names, number, p_number, p_text, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 3
ALPHA = 0.05
SHOWN = 10
"""Features with the largest weights that are shown."""


def forms(result: LearnedMetric, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A learned metric in every format; on a screen the verdict comes last, where people look, in print first."""
    answer = Section(lead=verdict(result), style="heading", layout=FLUSH)
    remarks = tuple(notes(result))
    unseen, features = unseen_table(result), feature_table(result)
    return Forms(
        lambda: [Section(tables=(features, unseen)), replace(answer, notes=remarks)],
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            **{name: value for name, value in asdict(result).items() if name != "model"},
            "features": [asdict(feature) for feature in result.model.features],
            "weights": list(result.model.weights),
        },
        markdown=lambda: [answer, Section(tables=(unseen, features), sentences=remarks)],
        latex=lambda: [replace(answer, tables=(unseen,), notes=remarks), Section(tables=(features,))],
        tsv=lambda: as_tsv(result),
    )


def as_tsv(result: LearnedMetric) -> str:
    """A line for each way of holding out and measure, unrounded."""
    lines = [tsv_line(["unit", "measure", "learned", "single", "p", "metric"])]
    for unseen in result.unseen:
        numbers = [repr(unseen.learned), repr(unseen.single), repr(unseen.p)]
        lines.append(tsv_line([unseen.unit, unseen.measure, *numbers, unseen.singles[0]]))
    return "".join(lines)


def unseen_table(result: LearnedMetric) -> Table:
    """A row for each way of holding out and measure."""
    rows = []
    for unseen in result.unseen:
        places = digits([unseen.delta], DECIMALS)
        numbers = [
            number(unseen.single, places),
            number(unseen.learned, places),
            signed(unseen.delta, places),
            p_number(unseen.p, ALPHA),
        ]
        held = f"{unseen.unit}, {pluralise(unseen.folds, 'fold')}"
        rows.append(Row((Cell(held), Cell(MEASURES[unseen.measure]), *map(Cell, numbers))))
    labels = ("Best single", "Learned", "Change", "p")
    return Table(
        (Column("Held out"), Column("Measure"), *(Column(label, True) for label in labels)), tuple(rows)
    )


def feature_table(result: LearnedMetric) -> Table:
    """The features that count most: by weight, or by how often trees ask for them."""
    model = result.model
    used = list(model.weights)
    if model.trees:
        asked = [place for tree in model.trees for place in tree.feature]
        used = [asked.count(place) / max(1, len(asked)) for place in range(len(model.features))]
    order = sorted(range(len(used)), key=lambda place: -abs(used[place]))[:SHOWN]
    rows = tuple(
        Row((Cell(model.features[place].spec), Cell(number(used[place], DECIMALS))))
        for place in order
        if used[place]
    )
    return Table((Column("Feature"), Column("Share of splits" if model.trees else "Weight", True)), rows)


def verdict(result: LearnedMetric) -> str:
    """Whether the metric is worth having, in a sentence or two."""
    if not result.unseen:
        return "Nothing could be held out: whether the learned metric is worth anything cannot be told."
    first = [unseen for unseen in result.unseen if unseen.measure == result.unseen[0].measure]
    parts = []
    for sentence, chosen in (
        (
            "agrees significantly better with people than the best single metric",
            [u for u in first if _wins(u)],
        ),
        ("agrees significantly WORSE", [u for u in first if significant(u.p, ALPHA) and u.delta < 0]),
        ("does no better that could not be chance", [u for u in first if not significant(u.p, ALPHA)]),
    ):
        if chosen:
            parts.append(f"{sentence} on unseen {join_names([_words(u) for u in chosen])}")
    return f"The learned metric {'; it '.join(parts)}."


def notes(result: LearnedMetric) -> list[str]:
    """What stands below the verdict."""
    used = sum(1 for weight in result.model.weights if weight)
    count = pluralise(len(result.model.features), "feature")
    features = f"{count}, {used} with a weight" if result.learner == "linear" else count
    singles = list(dict.fromkeys(name for unseen in result.unseen for name in unseen.singles))
    best = (
        f"The best single metric, chosen without what was held out, was {join_names(singles[:4])}."
        if singles
        else ""
    )
    measure = MEASURES[result.unseen[0].measure] if result.unseen else "agreement"
    fitted = number(result.fitted, DECIMALS)
    seen = f"{measure} with the judgements it was trained on: {fitted}; that is not the result."
    how = (
        f"{result.learner} model of {OBJECTIVES[result.objective]}, {features}; "
        f"{pluralise(result.translations, 'translation')} and {pluralise(result.pairs, 'ordered pair')} of "
        f"{pluralise(len(result.sets), 'test set')}; p two-sided by swapping the two metrics' scores of whole "
        f"segments, {pluralise(result.draws, 'draw')}; seed {result.seed}"
    )
    return [sentence for sentence in (best, seen, how) if sentence]


def _wins(unseen: UnseenResult) -> bool:
    return significant(unseen.p, ALPHA) and unseen.delta > 0


def _words(unseen: UnseenResult) -> str:
    places = digits([unseen.delta], DECIMALS)
    p = "" if math.isnan(unseen.p) else f", {p_text(unseen.p, ALPHA)}"
    return f"{unseen.unit}s ({signed(unseen.delta, places)}{p})"
