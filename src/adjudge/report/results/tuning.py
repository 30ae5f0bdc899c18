"""A fit of METEOR's parameters shown: the parameters, and whether they do better on judgements they have not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from shlex import quote
from typing import TYPE_CHECKING

from adjudge.display import FLUSH, Cell, Column, Row, Section, Table
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import tsv_line
from adjudge.stats.significance import significant
from adjudge.tuning import Tuning
from adjudge.wording import digits, join_names, number, p_number, p_text, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "tau": "WMT's tau",
}
PROTOCOLS = {"da": "scores", "rank": "ranks", "hter": "HTER"}
DECIMALS = 3
ALPHA = 0.05


def forms(tuning: Tuning, *, version: str, metric: str, inputs: Sequence[Input] = ()) -> Forms:
    """A fit in every format; on a screen the verdict comes last, where people look, in print first."""
    answer = Section(lead=verdict(tuning), style="heading", layout=FLUSH)
    remarks = tuple(notes(tuning))
    parameters, correlations = parameter_table(tuning), correlation_table(tuning)
    return Forms(
        lambda: [Section(tables=(parameters, correlations)), replace(answer, notes=remarks)],
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "metric": metric,
            **asdict(tuning),
        },
        markdown=lambda: [answer, Section(tables=(correlations, parameters), sentences=remarks)],
        latex=lambda: [
            replace(answer, tables=(correlations,), notes=remarks),
            Section(tables=(parameters,)),
        ],
        tsv=lambda: as_tsv(tuning),
    )


def as_tsv(tuning: Tuning) -> str:
    """A line a number, unrounded: parameters and held-out correlations, tuned beside default."""
    lines = [tsv_line(["name", "tuned", "default", "p"])]
    default = asdict(tuning.default)
    lines += [
        tsv_line([name, repr(float(value)), repr(float(default[name])), ""])
        for name, value in asdict(tuning.parameters).items()
    ]
    for held_out in tuning.held_out:
        p = "" if math.isnan(held_out.p) else repr(held_out.p)
        lines.append(
            tsv_line([f"held-out {held_out.measure}", repr(held_out.tuned), repr(held_out.default), p])
        )
    return "".join(lines)


def parameter_table(tuning: Tuning) -> Table:
    """A row a parameter that was fitted: its default, what it is now, and how much that varied over the folds."""
    rows = []
    for name in ("alpha", "beta", "gamma", "delta", "stem", "synonym", "paraphrase"):
        if name in tuning.free:
            of_folds = [getattr(parameters, name) for parameters in tuning.fold_parameters]
            values = [getattr(tuning.default, name), getattr(tuning.parameters, name)]
            cells = [number(value, DECIMALS) for value in values]
            cells.append(" to ".join(number(value, DECIMALS) for value in (min(of_folds), max(of_folds))))
            rows.append(Row((Cell(name), *map(Cell, cells))))
    labels = ("Default", "Tuned", f"In {tuning.folds} folds")
    return Table((Column("Parameter"), *(Column(label, True) for label in labels)), tuple(rows))


def correlation_table(tuning: Tuning) -> Table:
    """A row a correlation on held-out judgements; interval and p of the one that was fitted, and of tau."""
    rows = []
    for held_out in tuning.held_out:
        places = digits([held_out.delta], DECIMALS)
        numbers = [
            number(held_out.default, places),
            number(held_out.tuned, places),
            signed(held_out.delta, places),
        ]
        numbers += [
            signed(held_out.low, places),
            signed(held_out.high, places),
            p_number(held_out.p, ALPHA),
        ]
        pairs = f", {pluralise(held_out.pairs, 'pair')}" if held_out.pairs else ""
        rows.append(Row((Cell(NAMES[held_out.measure] + pairs), *map(Cell, numbers))))
    labels = ("Default", "Tuned", "Change", "Low", "High", "p")
    return Table((Column("Held out"), *(Column(label, True) for label in labels)), tuple(rows))


def notes(tuning: Tuning) -> list[str]:
    """What stands below the verdict."""
    return [sentence for sentence in (caution(tuning), seen(tuning), how(tuning)) if sentence]


def verdict(tuning: Tuning) -> str:
    """Whether the fit is worth having, in one sentence."""
    first = tuning.held_out[0]
    if math.isnan(first.delta):
        return "Held-out scores have no correlation: too little to tell."
    p = p_text(first.p, ALPHA)
    places = digits([first.delta], DECIMALS)
    if significant(first.p, ALPHA):
        better = "better" if first.delta > 0 else "WORSE"
        return (
            f"On judgements they were not fitted to, the new parameters correlate significantly {better} than the "
            f"defaults ({signed(first.delta, places)}, {p})."
        )
    return (
        "On judgements they were not fitted to, the new parameters do not correlate significantly better than the "
        f"defaults ({signed(first.delta, places)}, {p}): there is no reason to leave the defaults."
    )


def caution(tuning: Tuning) -> str:
    """What a better correlation over all translations may hide: a worse order within segments."""
    first, *others = tuning.held_out
    within = [
        held_out
        for held_out in others
        if held_out.measure == "tau" and held_out.delta < 0 and significant(held_out.p, ALPHA)
    ]
    if not within or not first.delta > 0:
        return ""
    places = digits([within[0].delta], DECIMALS)
    return (
        f"Yet within segments they order translations worse (WMT's tau {signed(within[0].delta, places)}, "
        f"{p_text(within[0].p, ALPHA)}): what was won lies between segments, and may have to do with their "
        "length rather than with quality; fit to the order within them: --correlation tau."
    )


def seen(tuning: Tuning) -> str:
    """The correlation on the very judgements that were fitted, lest anyone takes it for the result."""
    return (
        f"Fitted to all judgements and measured on the same: {number(tuning.fitted, DECIMALS)} "
        f"(default {number(tuning.fitted_default, DECIMALS)}); that is not the result."
    )


def how(tuning: Tuning) -> str:
    """What was done, in one line."""
    first = tuning.held_out[0]
    of = pluralise(tuning.items, _item(tuning))
    items = f"{pluralise(tuning.pairs, 'ordered pair')} of {of}" if tuning.pairs else of
    fixed = [n for n in ("delta", "stem", "synonym", "paraphrase") if n not in tuning.free]
    kept = f"; {join_names(fixed)} kept, for there was nothing to fit" if fixed else ""
    williams = "" if math.isnan(first.p_williams) else f", Williams' test {p_text(first.p_williams, ALPHA)}"
    whose = f" of {pluralise(tuning.systems, 'system')}" if tuning.level == "segment" else ""
    return (
        f"{NAMES[tuning.measure]} with {PROTOCOLS.get(tuning.protocol, tuning.protocol)} of {items} "
        f"({pluralise(tuning.judgements, 'judgement')}{whose}); "
        f"grid of {pluralise(tuning.grid, 'point')}, then refined{kept}; {tuning.folds} folds by {tuning.unit}; "
        f"paired bootstrap over {pluralise(tuning.units, tuning.unit)}, "
        f"{pluralise(tuning.resamples, 'resample')}{williams}; seed {tuning.seed}"
    )


def file_remarks(
    tuning: Tuning, *, version: str, metric: str, use: str, inputs: Sequence[Input]
) -> list[str]:
    """How the parameters came to be, for the top of their file; `use` is the metric that takes it."""
    files = [
        f"{item.role}: {item.path} (sha256 {item.sha256[:16]})" for item in inputs if item.role != "source"
    ]
    return [
        f"METEOR's parameters, fitted by adjudge {version} (adjudge tune)",
        f"use: adjudge score -m {quote(use)}",
        f"fitted: {metric}",
        *files,
        verdict(tuning),
        *notes(tuning),
    ]


def _item(tuning: Tuning) -> str:
    return "system" if tuning.level == "system" else "translation"
