"""Choices from lists of hypotheses: what they are worth beside the first ones, and which they are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Signature, Table
from adjudge.reranking.approximation import Approximation, ApproximationError
from adjudge.wording import digits, number, percent_of, pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Scores

SHOWN = 8
"""Choices on a screen."""
HEAD = ("segment", "index", "utility", "hypothesis")
LONGEST = 60
"""Characters of a hypothesis there."""
NAMES = {"first": "first of each list", "mbr": "least risk", "oracle": "oracle", "model": "model"}
DECIMALS = 2
BIAS = (
    "A choice made for one metric looks best by that metric: believe another one, or people. The oracle knows the "
    "references; no choice can be better than it, segment by segment."
)


@dataclass(frozen=True)
class HypothesisChoice:
    """One hypothesis of a list."""

    index: int
    """Its place in the list, from 0."""
    hypothesis: str
    utility: float
    """What it was chosen for: expected utility, score with the references, or the model's score."""


@dataclass(frozen=True)
class Reranking(Displayable):
    """The choices of all segments by one rule, and by the references where there are any."""

    rule: str
    utility: str
    label: str
    signature: str
    higher_is_better: bool
    hypotheses: int
    distinct: int
    """Hypotheses that differ, list by list."""
    choices: tuple[HypothesisChoice, ...]
    first_utility: tuple[float, ...]
    """What the first hypothesis of each list is worth by the same rule."""
    oracle: tuple[HypothesisChoice, ...] | None
    """The best by the references; None where a segment has none."""
    approximation: Approximation | None = None
    error: ApproximationError | None = None
    warnings: tuple[str, ...] = ()
    scores: Scores | None = None
    """Of the first hypotheses, of those chosen and of the best by the references, where there are any."""

    @property
    def changed(self) -> int:
        """Segments for which another text than the first was chosen, which stands first no more."""
        return sum(choice.index != 0 for choice in self.choices)

    def mean_utility(self) -> tuple[float, float]:
        """Of the first hypotheses, and of those chosen; NaN where one of them has none."""
        return float(np.mean(self.first_utility)), float(np.mean([c.utility for c in self.choices]))

    @property
    def title(self) -> str:
        """What was chosen."""
        return self._lead()

    def sections(self) -> list[Section]:
        """What the choices are worth beside the first ones, and which they are."""
        parts = [
            Section(
                lead=self._lead(),
                sentences=tuple(self._sentences()),
                notes=(Signature(self.label, self.signature),),
            )
        ]
        if self.scores is not None:
            parts.append(Section("With the references", (_score_table(self.scores),), notes=(BIAS,)))
        return [*parts, Section("Choices", (self._choice_table(),), notes=self._rest())]

    def data(self) -> Data:
        """One row per segment."""
        rows = [
            [at, choice.index, choice.utility, choice.hypothesis] for at, choice in enumerate(self.choices, 1)
        ]
        if not self.oracle:
            return Data(HEAD, rows)
        best = [[own.index, own.utility, own.hypothesis] for own in self.oracle]
        both = [[*row, *is_best] for row, is_best in zip(rows, best, strict=True)]
        return Data((*HEAD, "oracle_index", "oracle_utility", "oracle"), both)

    def document(self) -> dict[str, Any]:
        """All choices, and what they are worth."""
        first, chosen = self.mean_utility()
        return {
            "rule": self.rule,
            "utility": self.utility,
            "signature": self.signature,
            "segments": len(self.choices),
            "hypotheses": self.hypotheses,
            "distinct": self.distinct,
            "changed": self.changed,
            "mean_utility": {"first": first, "chosen": chosen},
            "approximation": None if self.approximation is None else asdict(self.approximation),
            "approximation_error": None if self.error is None else asdict(self.error),
            "scores": []
            if self.scores is None
            else [
                {
                    "choice": result.system,
                    "metric": result.metric,
                    "score": result.score,
                    "signature": result.signature,
                }
                for result in self.scores.results
            ],
            "choices": [self._choice(at, choice) for at, choice in enumerate(self.choices)],
            "warnings": list(self.warnings),
        }

    def _choice(self, at: int, choice: HypothesisChoice) -> dict[str, Any]:
        facts = {"segment": at + 1, **asdict(choice), "first_utility": self.first_utility[at]}
        return facts if self.oracle is None else {**facts, "oracle": asdict(self.oracle[at])}

    def _lead(self) -> str:
        lists = f"{pluralise(len(self.choices), 'segment')}, {pluralise(self.hypotheses, 'hypothesis')}"
        differing = "" if self.distinct == self.hypotheses else f" ({self.distinct:,} different)"
        return (
            f"{lists}{differing}: another than the first was chosen for {self.changed:,} "
            f"({percent_of(self.changed / len(self.choices))})."
        )

    def _sentences(self) -> list[str]:
        first, chosen = self.mean_utility()
        places = digits([chosen - first], DECIMALS)
        what = {"mbr": "Expected", "oracle": "With the references,"}.get(self.rule)
        gain = (
            f"{what} {self.label}, mean over segments: {number(first, places)} of the first hypotheses, "
            f"{number(chosen, places)} of those chosen."
        )
        sentences = [gain if what else "Chosen by the model's own scores."]
        if self.approximation is not None:
            sentences += [_approximation(self.approximation), _error(self.error, self.label)]
        return sentences

    def _choice_table(self) -> Table:
        rows = tuple(
            Row(
                (
                    Cell(_short(choice.hypothesis)),
                    Cell(str(at)),
                    Cell(str(choice.index)),
                    Cell(number(choice.utility, DECIMALS)),
                )
            )
            for at, choice in enumerate(self.choices[:SHOWN], 1)
        )
        return Table(
            (
                Column("Hypothesis", wide=0.6),
                Column("Segment", True),
                Column("Index", True),
                Column("Score" if self.rule == "model" else self.label, True),
            ),
            rows,
        )

    def _rest(self) -> tuple[str, ...]:
        more = len(self.choices) - SHOWN
        index = "The index counts from 0."
        return (f"{index} {pluralise(more, 'more segment')}: -f tsv or -f json.",) if more > 0 else (index,)


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
    labels = {result.metric: result for result in scores.results}
    columns = [Column("Choice"), *(Column(label.label, True) for label in labels.values())]
    rows = []
    for system in dict.fromkeys(result.system for result in scores.results):
        values = [result for result in scores.results if result.system == system]
        cells = [Cell(number(value.score, max(value.decimals, DECIMALS))) for value in values]
        rows.append(Row((Cell(NAMES[system]), *cells)))
    return Table(tuple(columns), tuple(rows))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
