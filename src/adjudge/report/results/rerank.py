"""Choices from lists of hypotheses, shown: what they are worth beside the first ones, and which they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.display import Cell, Column, Row, Section, Signature, Table
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import tsv_line
from adjudge.reranking import Approximation, ApproximationError, HypothesisChoice, Reranking
from adjudge.wording import digits, number, percent_of, pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Scores
    from adjudge.io import Input

SHOWN = 8
"""Choices on a screen."""
LONGEST = 60
"""Characters of a hypothesis there."""
NAMES = {"first": "first of each list", "mbr": "least risk", "oracle": "oracle", "model": "model"}
DECIMALS = 2


def forms(result: Reranking, scores: Scores | None, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """The choices in every format; JSON and TSV have all of them."""
    return Forms(
        lambda: _sections(result, scores),
        lambda: document(result, scores, version=version, inputs=inputs),
        tsv=lambda: as_tsv(result),
    )


def document(
    result: Reranking, scores: Scores | None, *, version: str, inputs: Sequence[Input] = ()
) -> dict[str, Any]:
    """The choices as JSON has them."""
    first, chosen = result.mean_utility()
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "rule": result.rule,
        "utility": result.utility,
        "signature": result.signature,
        "segments": len(result.choices),
        "hypotheses": result.hypotheses,
        "distinct": result.distinct,
        "changed": result.changed,
        "mean_utility": {"first": first, "chosen": chosen},
        "approximation": None if result.approximation is None else asdict(result.approximation),
        "approximation_error": None if result.error is None else asdict(result.error),
        "scores": []
        if scores is None
        else [
            {"choice": own.system, "metric": own.metric, "score": own.score, "signature": own.signature}
            for own in scores.results
        ],
        "choices": [_choice(result, at, choice) for at, choice in enumerate(result.choices)],
        "warnings": list(result.warnings),
    }


def _choice(result: Reranking, at: int, choice: HypothesisChoice) -> dict[str, Any]:
    facts = {"segment": at + 1, **asdict(choice), "first_utility": result.first_utility[at]}
    return facts if result.oracle is None else {**facts, "oracle": asdict(result.oracle[at])}


def as_tsv(result: Reranking) -> str:
    """A line a segment."""
    oracle = result.oracle or ()
    heads = ["segment", "index", "utility", "hypothesis"]
    lines = [tsv_line([*heads, *(["oracle_index", "oracle_utility", "oracle"] if oracle else [])])]
    for at, choice in enumerate(result.choices):
        cells = [str(at + 1), *_cells(choice)]
        lines.append(tsv_line([*cells, *(_cells(oracle[at]) if oracle else [])]))
    return "".join(lines)


def _cells(choice: HypothesisChoice) -> list[str]:
    return [str(choice.index), repr(choice.utility), choice.hypothesis]


def _sections(result: Reranking, scores: Scores | None) -> list[Section]:
    sections = [
        Section(
            lead=_lead(result),
            sentences=tuple(_sentences(result)),
            notes=(Signature(result.label, result.signature),),
        )
    ]
    if scores is not None:
        sections.append(Section("With the references", (_score_table(scores),), notes=(BIAS,)))
    sections.append(Section("Choices", (_choice_table(result),), notes=_rest(result)))
    return sections


BIAS = (
    "A choice made for one metric looks best by that metric: believe another one, or people. The oracle knows the "
    "references; no choice can be better than it, segment by segment."
)


def _lead(result: Reranking) -> str:
    lists = f"{pluralise(len(result.choices), 'segment')}, {pluralise(result.hypotheses, 'hypothesis')}"
    differing = "" if result.distinct == result.hypotheses else f" ({result.distinct:,} different)"
    return (
        f"{lists}{differing}: another than the first was chosen for {result.changed:,} "
        f"({percent_of(result.changed / len(result.choices))})."
    )


def _sentences(result: Reranking) -> list[str]:
    first, chosen = result.mean_utility()
    places = digits([chosen - first], DECIMALS)
    what = {"mbr": "Expected", "oracle": "With the references,"}.get(result.rule)
    gain = (
        f"{what} {result.label}, mean over segments: {number(first, places)} of the first hypotheses, "
        f"{number(chosen, places)} of those chosen."
    )
    sentences = [gain if what else "Chosen by the model's own scores."]
    if result.approximation is not None:
        sentences += [_approximation(result.approximation), _error(result.error, result.label)]
    return sentences


def _approximation(options: Approximation) -> str:
    parts = [f"{pluralise(options.sample, 'reference')} drawn from each list"] if options.sample else []
    if options.shortlist:
        parts.append(f"only the {options.shortlist} best by expected chrF as candidates")
    return f"APPROXIMATE CHOICES: {', '.join(parts)}, seed {options.seed}."


def _error(error: ApproximationError | None, label: str) -> str:
    if error is None:
        return "How far they are from exact choices was not looked at (--check)."
    return (
        f"On {pluralise(error.segments, 'segment')} the exact choice was made as well: the same in {error.same}, "
        f"{number(error.mean_loss, digits([error.mean_loss], DECIMALS))} {label} lost on average, "
        f"{number(error.worst_loss, digits([error.worst_loss], DECIMALS))} at worst."
    )


def _score_table(scores: Scores) -> Table:
    labels = {own.metric: own for own in scores.results}
    columns = [Column("Choice"), *(Column(own.label, True) for own in labels.values())]
    rows = []
    for system in dict.fromkeys(own.system for own in scores.results):
        values = [own for own in scores.results if own.system == system]
        cells = [Cell(number(own.score, max(own.decimals, DECIMALS))) for own in values]
        rows.append(Row((Cell(NAMES[system]), *cells)))
    return Table(tuple(columns), tuple(rows))


def _choice_table(result: Reranking) -> Table:
    rows = tuple(
        Row(
            (
                Cell(_short(choice.hypothesis)),
                Cell(str(at)),
                Cell(str(choice.index)),
                Cell(number(choice.utility, DECIMALS)),
            )
        )
        for at, choice in enumerate(result.choices[:SHOWN], 1)
    )
    return Table(
        (
            Column("Hypothesis", wide=0.6),
            Column("Segment", True),
            Column("Index", True),
            Column("Score" if result.rule == "model" else result.label, True),
        ),
        rows,
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _rest(result: Reranking) -> tuple[str, ...]:
    more = len(result.choices) - SHOWN
    index = "The index counts from 0."
    return (f"{index} {pluralise(more, 'more segment')}: -f tsv or -f json.",) if more > 0 else (index,)
