"""Weights of features, shown: beside those of the start, and what both score, also on lists not fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from adjudge.display import FLUSH, Cell, Column, Row, Section, Signature, Table
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import tsv_line
from adjudge.stats.significance import significant
from adjudge.tuning.weights import WeightFit
from adjudge.wording import digits, number, p_text, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

ALPHA = 0.05
DECIMALS = 2
WEIGHT_DECIMALS = 4


def forms(fit: WeightFit, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A fit in every format; on a screen the verdict comes last, where people look, in print first."""
    answer = Section(lead=verdict(fit), style="heading", layout=FLUSH)
    tables = (weight_table(fit), score_table(fit))
    notes = (how(fit), Signature(fit.label, fit.signature))
    return Forms(
        lambda: [Section(tables=tables), replace(answer, notes=notes)],
        lambda: {"version": version, "inputs": [asdict(item) for item in inputs], **asdict(fit)},
        markdown=lambda: [answer, Section(tables=tables, notes=notes)],
        tsv=lambda: as_tsv(fit),
    )


def as_tsv(fit: WeightFit) -> str:
    """A line a feature, unrounded."""
    lines = [tsv_line(["feature", "weight", "start"])]
    lines += [
        tsv_line([name, repr(value), repr(fit.start_weights[name])]) for name, value in fit.weights.items()
    ]
    return "".join(lines)


def weight_table(fit: WeightFit) -> Table:
    """A row a feature; the start in the same scale, in which sizes add up to 1."""
    size = sum(abs(value) for value in fit.start_weights.values()) or 1.0
    rows = tuple(
        Row(
            (
                Cell(name),
                Cell(number(fit.start_weights[name] / size, WEIGHT_DECIMALS)),
                Cell(number(value, WEIGHT_DECIMALS)),
            )
        )
        for name, value in fit.weights.items()
    )
    return Table((Column("Feature"), Column("Start", True), Column("Tuned", True)), rows)


def score_table(fit: WeightFit) -> Table:
    """What both weights score where they were fitted, and elsewhere."""
    change = fit.score - fit.start
    places = digits([change], DECIMALS)
    cells = [number(fit.start, places), number(fit.score, places), signed(change, places), "–", "–"]
    rows = [Row((Cell(f"fitted to, {pluralise(fit.segments, 'segment')}"), *map(Cell, cells)))]
    if (other := fit.held_out) is not None:
        places = digits([other.delta], DECIMALS)
        cells = [number(other.start, places), number(other.tuned, places), signed(other.delta, places)]
        cells += [signed(other.low, places), signed(other.high, places)]
        rows.append(Row((Cell(f"held out, {pluralise(other.segments, 'segment')}"), *map(Cell, cells))))
    labels = ("Start", "Tuned", "Change", "Low", "High")
    return Table((Column(fit.label), *(Column(label, True) for label in labels)), tuple(rows))


def verdict(fit: WeightFit) -> str:
    """Whether the weights are worth having, in one sentence."""
    other = fit.held_out
    if other is None:
        return "Measured on the lists that they were fitted to only: what the new weights are worth is not known."
    change = f"{signed(other.delta, digits([other.delta], DECIMALS))} {fit.label}, {p_text(other.p, ALPHA)}"
    if significant(other.p, ALPHA):
        better = (other.delta > 0) == fit.higher_is_better
        word = "better" if better else "WORSE"
        return f"On lists they were not fitted to, the new weights are significantly {word} than the start ({change})."
    return f"On lists they were not fitted to, the new weights are not significantly better than the start ({change})."


def how(fit: WeightFit) -> str:
    """What was done, in one line."""
    options = fit.options
    drawn = (
        f", {pluralise(options.random_directions, 'drawn direction')} a step"
        if options.random_directions
        else ""
    )
    ways = {"steepest": "the best of all directions every time", "powell": "Powell's directions"}[
        options.search
    ]
    resampled = f"; paired bootstrap, {pluralise(options.resamples, 'resample')}" if fit.held_out else ""
    return (
        f"Exact line search for {fit.label} on {pluralise(fit.hypotheses, 'hypothesis')}, {ways}{drawn}; "
        f"{pluralise(options.restarts, 'drawn start')} beside the given one, {fit.reached} of {options.restarts + 1} "
        f"reached the best score{resampled}; seed {options.seed}"
    )


def file_remarks(fit: WeightFit, *, version: str, inputs: Sequence[Input] = ()) -> list[str]:
    """How the weights came to be, for the top of their file."""
    return [
        f"weights of features, fitted to {fit.label} by adjudge {version} (adjudge tune weights)",
        *(f"{item.role}: {item.path} (sha256 {item.sha256[:16]})" for item in inputs),
        verdict(fit),
        how(fit),
    ]
