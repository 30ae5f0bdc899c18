"""Results as JSON documents: the shape that others build on (fields may be added, never renamed)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from adjudge.io.names import shown_argument

if TYPE_CHECKING:
    from adjudge.comparison.results import Comparison, MeasureTable, Pair, Standing
    from adjudge.comparison.scoring import Score, Scores
    from adjudge.io import Input
    from adjudge.stats.design import Design


@dataclass(frozen=True)
class Arguments:
    """How files and metrics were named: enough to compute a result again."""

    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    source: str | None = None
    test_set: str | None = None
    labels: str | None = None
    language: str | None = None
    input_format: str | None = None
    metrics: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    """How a comparison was made: fields of a `Plan`."""
    runs: tuple[str, ...] = ()
    """Stored runs whose systems were compared as well."""
    scores: tuple[str, ...] = ()
    """Files of scores that were made elsewhere, instead of systems."""
    lower_is_better: bool = False
    """Of those: the smaller the better."""
    common: bool = False
    """Of those: segments that not all systems have were left out."""
    level: str | None = None
    """What was scored at once: `document`, `window:3`; None for segments."""
    realign: bool = False
    """Whether outputs were cut anew where their lines are not those of the reference."""
    pseudo_references: tuple[str, ...] = ()
    back_translations: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()
    translator: str | None = None
    """The program that translated the source into a pseudo-reference."""
    back_translator: str | None = None
    """The program that translated outputs back."""
    study: str = ""
    """The file of a study, which names all its other files."""

    def files(self) -> dict[str, Any]:
        """What `io.load` takes."""
        return {
            "systems": self.systems,
            "references": self.references,
            "source": self.source,
            "test_set": self.test_set,
            "labels": self.labels,
            "language": self.language,
            "input_format": self.input_format,
            "level": self.level,
            "realign": self.realign,
            "pseudo_references": self.pseudo_references,
            "back_translations": self.back_translations,
            "trees": self.trees,
        }

    def programs(self) -> dict[str, str | None]:
        """What `text.translators.with_translations` takes."""
        return {"translator": self.translator, "back_translator": self.back_translator}

    def as_document(self) -> dict[str, Any]:
        """As it stands in a result: what was given, and nothing else."""
        if self.study:
            return {"study": self.study, "metrics": list(self.metrics), "options": plain(self.options)}
        further = ("metrics", "options", "runs", "scores", "lower_is_better", "common")
        given = self.files() | self.programs() | {name: getattr(self, name) for name in further}
        paths = (*self.files(), "runs", "scores")
        return {
            name: plain(_without_secrets(value) if name in paths else value)
            for name, value in given.items()
            if value
        }


def _without_secrets(value: Any) -> Any:
    """A file or several as they were named, without what can be a secret."""
    if isinstance(value, tuple):
        return tuple(map(shown_argument, value))
    return shown_argument(value) if isinstance(value, str) else value


def score_document(
    scores: Scores, *, version: str, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> dict[str, Any]:
    """All that is known of scores and of how they were made."""
    return {**document_head(version, inputs, arguments), **score_content(scores)}


def document_head(
    version: str, inputs: Sequence[Input], arguments: Arguments | None, study: str | None = None
) -> dict[str, Any]:
    """What stands before a result: what made it, and from which files."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        **({} if study is None else {"study": study}),
        **({} if arguments is None else {"arguments": arguments.as_document()}),
    }


def score_content(scores: Scores) -> dict[str, Any]:
    """All that is known of scores, unrounded; what is not a finite number is None."""

    def result(score: Score) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "system": score.system,
            "run": score.run or None,
            "metric": score.metric,
            "score": finite(score.score),
            "signature": score.signature,
            "higher_is_better": score.higher_is_better,
        }
        if score.segments is not None:
            entry["segments"] = finites(score.segments)
        return entry

    return {
        "test_set": scores.test_set.as_document(),
        "results": [result(score) for score in scores.results],
        "means": [
            asdict(mean) | {"score": finite(mean.score), "deviation": finite(mean.deviation)}
            for mean in scores.means
        ],
        "warnings": list(scores.warnings),
    }


def plain(value: Any) -> Any:
    """What JSON can say: lists for tuples, mappings for dataclasses, null for what is not a finite number."""
    if isinstance(value, float):
        return finite(value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if is_dataclass(value):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def comparison_document(
    comparison: Comparison, *, version: str, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> dict[str, Any]:
    """All that is known of a comparison and of how it was made."""
    return {**document_head(version, inputs, arguments), **comparison_content(comparison)}


def comparison_content(comparison: Comparison) -> dict[str, Any]:
    """All that is known of a comparison, unrounded; what is not a finite number is None."""
    document = {
        "test_set": comparison.test_set.as_document(),
        "results": [_standing_document(s) for s in comparison.results],
        "pairs": [_pair(p) for p in comparison.pairs],
        "test": asdict(comparison.test) | {"smallest_p": comparison.test.smallest_p or None},
        "claims": list(comparison.claims),
        "design": design_document(comparison.design),
        "warnings": list(comparison.warnings),
    }
    if comparison.groups:
        document["groups"] = [
            {
                "by": dict(group.by),
                "segments": group.segments,
                "results": [_standing_document(s) for s in group.results],
                "pairs": [_pair(p) for p in group.pairs],
                "claims": list(group.claims),
                "design": design_document(group.design),
            }
            for group in comparison.groups
        ]
    return document


def study_document(
    comparison: Comparison,
    *,
    name: str,
    version: str,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
) -> dict[str, Any]:
    """All that is known of a study and of how it was made."""
    document: dict[str, Any] = plain(
        {**document_head(version, inputs, arguments, name), **study_content(comparison)}
    )
    return document


def study_content(comparison: Comparison) -> dict[str, Any]:
    """All that is known of a study, unrounded, except its rows; what is not a finite number is None."""
    from adjudge.comparison.verdict import comparison_verdict_document

    return {"verdict": comparison_verdict_document(comparison), **tables_document(comparison)}


def tables_document(comparison: Comparison) -> dict[str, Any]:
    """All that is known of a comparison over test sets, table by table, but for rows."""
    plan = asdict(comparison.plan)
    whole = next((table.design for table in comparison.tables if table.design is not None), None)
    return {
        "sets": list(comparison.sets),
        "segments": comparison.segments,
        "facts": {name: facts.as_document() for name, facts in comparison.facts.items()},
        "languages": dict(comparison.languages),
        "domains": dict(comparison.domains),
        "systems": list(comparison.systems),
        "tables": [_table(table) for table in comparison.tables],
        "designs": {name: design_document(design) for name, design in comparison.designs.items()},
        "rankings": None if comparison.rankings is None else asdict(comparison.rankings),
        "design": None if whole is None else design_document(whole),
        **{name: plan[name] for name in ("alpha", "resamples", "trials", "seed")},
        "plan": plan,
    }


def _table(table: MeasureTable) -> dict[str, Any]:
    groups = [
        {
            "by": group.by,
            "name": group.name,
            "sets": group.sets,
            "scores": [{name: getattr(result, name) for name in MEAN_FIELDS} for result in group.results],
            "pairs": [_mean_pair(pair) for pair in group.pairs],
        }
        for group in table.groups
    ]
    return {
        "metric": table.metric,
        "label": table.label,
        "is_metric": table.is_metric,
        "specs": dict(table.specs),
        "signatures": dict(table.signatures),
        "higher_is_better": table.higher_is_better,
        "decimals": table.decimals,
        "scores": [asdict(score) for score in table.scores],
        "groups": groups,
        "designs": {name: design_document(design) for name, design in table.designs.items()},
        "by_people": table.by_people,
        "design": None if table.design is None else design_document(table.design),
        "pairs": groups[0]["pairs"],
    }


MEAN_FIELDS = ("system", "score", "low", "high", "sets", "missing", "cluster")
"""Of a system's standing, what a mean over test sets has."""


def _mean_pair(pair: Pair) -> dict[str, Any]:
    names = ("a", "b", "delta", "low", "high", "p", "p_adjusted", "significant", "sets")
    return {
        **{name: getattr(pair, name) for name in names},
        "better_on": pair.sets_better,
        "worse_on": pair.sets_worse,
        "margin": None if pair.margin is None else asdict(pair.margin),
    }


def result_document(result: Any) -> Any:
    """A result as JSON shows it: all its fields but those that `repr` leaves out, and properties that it names.

    A class names them in `DOCUMENTED`.
    """
    from adjudge.stats.design import Design  # late: documents of scores need none

    if isinstance(result, Design):
        return design_document(result)
    if is_dataclass(result):
        names = [field.name for field in fields(result) if field.repr]
        return {
            name: result_document(getattr(result, name))
            for name in (*names, *getattr(result, "DOCUMENTED", ()))
        }
    if isinstance(result, Mapping):
        return {name: result_document(value) for name, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [result_document(value) for value in result]
    return result


def design_document(design: Design) -> dict[str, Any]:
    """What a result rests on, with what must be said beside its claims."""
    document: dict[str, Any] = plain(asdict(design))
    return document | {
        "sound": design.sound,
        "refusal": design.refusal or None,
        "opinion": design.opinion or None,
        "reservations": list(design.reservations()),
    }


def _standing_document(standing: Standing) -> dict[str, Any]:
    return {
        "system": standing.system,
        "metric": standing.metric,
        "score": finite(standing.score),
        "low": finite(standing.low),
        "high": finite(standing.high),
        "signature": standing.signature,
        "higher_is_better": standing.higher_is_better,
        "cluster": standing.cluster,
        "rank": standing.rank,
        "rank_interval": standing.rank_interval,
        "deviation": finite(standing.deviation),
        "runs": standing.runs,
        "run_deviation": None if standing.run_deviation is None else finite(standing.run_deviation),
        "run_scores": finites(standing.run_scores),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    document: dict[str, Any] = plain(pair) | {"probability": plain(pair.probability)}
    for name in ("sets", "sets_better", "sets_worse", *(("margin",) if pair.margin is None else ())):
        del document[name]
    return document


def finite(value: float) -> float | None:
    """A number that JSON can say."""
    return value if math.isfinite(value) else None


def finites(values: Iterable[float]) -> list[float | None]:
    """Numbers that JSON can say."""
    return [finite(value) for value in values]
