"""The verdict of a study: which system is better in the mean over its test sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.comparison.study_results import MacroPair, StudyResult, StudyTable
from adjudge.comparison.verdict import Difference, Evidence, Relation, Verdict, joint_verdict
from adjudge.comparison.verdict_words import verdict_document, verdict_sentence
from adjudge.wording import counted, listed

NAMES = 12


def study_verdict(study: StudyResult) -> Verdict:
    """Which system is better in the mean; people decide where they judged every set in the same way.

    Only a system with outputs for all sets has a mean. Where none has one but the baseline, none is named.
    """
    metrics = _evidence_by([table for table in study.tables if table.is_metric], study)
    return joint_verdict(metrics, _people_evidence(study))


def study_verdict_sentence(study: StudyResult, verdict: Verdict) -> str:
    """The verdict, over how many sets it is, and whom the system met on fewer of them."""
    answer = verdict_sentence(verdict)
    if verdict.certainty in ("incomplete", "alone"):
        return answer
    tables = [table for table in study.tables if table.label in verdict.measures]
    sets = len(tables[0].sets if tables else study.sets)
    fewer = compared_on_fewer(study, verdict)
    rest = f"; against {listed(fewer, NAMES)} over the sets that both have" if fewer else ""
    return f"{answer.removesuffix('.')}, in the mean over {counted(sets, 'test set')}{rest}."


def study_language(study: StudyResult) -> str:
    """The language pair of all test sets; '' where they have several or it is not known."""
    languages = {study.languages.get(name, "") for name in study.sets}
    return languages.pop() if len(languages) == 1 else ""


def study_verdict_document(study: StudyResult) -> dict[str, Any]:
    """The verdict for other programs, with its sentence."""
    verdict = study_verdict(study)
    return verdict_document(verdict) | {"sentence": study_verdict_sentence(study, verdict)}


def _people_evidence(study: StudyResult) -> Evidence | None:
    """What people's rankings or scores say in the mean; None where they did not judge every set in one way."""
    if study.rankings is not None:
        return study.rankings.evidence(study.plan)
    metrics = [table for table in study.tables if table.is_metric]
    tested = {own.test_set for table in metrics for own in table.scores if own.score == own.score}
    tables = [table for table in study.tables if table.by_people and tested <= set(table.sets)]
    return _evidence_by(tables, study, by_people=True) if tables else None


def _evidence_by(tables: Sequence[StudyTable], study: StudyResult, *, by_people: bool = False) -> Evidence:
    directed = [table for table in tables if table.higher_is_better is not None]
    baseline = study.plan.baseline
    ranked = _ranked(directed[0], study.systems) if directed else list(study.systems)
    differences: dict[frozenset[str], list[Difference]] = {}
    for table in directed:
        for pair in table.pairs:
            if pair.sets:
                differences.setdefault(frozenset((pair.a, pair.b)), []).append(
                    _difference(table, pair, study)
                )
    return Evidence(
        order=(*ranked, *(name for name in study.systems if name not in ranked)),
        relations={
            names: Relation(tuple(own), by_people, all(map(_is_nothing, own)), study.plan.alpha)
            for names, own in differences.items()
        },
        measures=tuple(table.label for table in directed),
        alpha=study.plan.alpha,
        by_people=by_people,
        baseline=baseline,
        language=study_language(study),
        complete=len(study.systems) == 1 or any(name != baseline for name in ranked),
        design=next((table.design for table in directed if table.design is not None), None),
    )


def _difference(table: StudyTable, pair: MacroPair, study: StudyResult) -> Difference:
    higher = table.higher_is_better is not False
    both = {a.test_set for a in table.scores if a.system == pair.a and a.score == a.score} & {
        b.test_set for b in table.scores if b.system == pair.b and b.score == b.score
    }
    return Difference(
        metric=table.metric,
        label=table.label,
        a=pair.a,
        b=pair.b,
        delta=pair.delta,
        low=pair.low,
        high=pair.high,
        p=pair.p_adjusted,
        ahead="" if pair.delta == 0 else pair.a if (pair.delta > 0) == higher else pair.b,
        significant=pair.significant,
        higher_is_better=higher,
        decimals=table.decimals,
        units=sum(_scored(table, name, pair, study) for name in both),
        margin=pair.margin.margin if pair.margin else None,
    )


def _scored(table: StudyTable, name: str, pair: MacroPair, study: StudyResult) -> int:
    """How many segments of a test set both systems have a score on; people need not have judged them all."""
    rows = next((own.rows for own in study.measured.get(name, ()) if own.metric == table.specs[name]), None)
    if table.is_metric or rows is None or not {pair.a, pair.b} <= {*rows}:
        return study.segments[name]
    return int(((rows[pair.a][0][:, 1] > 0) & (rows[pair.b][0][:, 1] > 0)).sum())


def _is_nothing(own: Difference) -> bool:
    """Whether two systems score the same on every resample, and so on every segment that counts."""
    return own.delta == own.low == own.high == 0


def _ranked(table: StudyTable, systems: Sequence[str]) -> list[str]:
    """Systems with a mean, the best first; who lacks a set has none."""
    sign = -1.0 if table.higher_is_better is False else 1.0
    means: Mapping[str, float] = {own.system: own.score for own in table.groups[0].scores}
    known = [name for name in systems if means.get(name, float("nan")) == means.get(name)]
    return sorted(known, key=lambda name: -sign * means[name])


def compared_on_fewer(study: StudyResult, verdict: Verdict) -> tuple[str, ...]:
    """Those that the first system named was tested against on fewer sets than all, for lack of outputs."""
    pairs = [
        (table, name, pair_of(table, verdict.system, name))
        for table in study.tables
        if table.label in verdict.measures
        for name in verdict.order
    ]
    fewer = {name for table, name, pair in pairs if pair is not None and pair.sets < len(table.sets)}
    return tuple(name for name in verdict.order if name in fewer)


def pair_of(table: StudyTable, a: str, b: str) -> MacroPair | None:
    """Two systems in the mean, seen from either."""
    return next((pair for pair in table.pairs if {pair.a, pair.b} == {a, b} and pair.sets), None)
