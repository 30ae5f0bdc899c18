"""How far annotators agree, and who needs a look: shared by ratings and rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from adjudge.charts import Remarks
from adjudge.comparison.documents import plain
from adjudge.display import Cell, Column, Data, Row, Section, Table, visible
from adjudge.human.agreement import ChoiceAgreement, PairAgreement, RatingAgreement, RatingPart
from adjudge.human.diagnostics import Diagnosis
from adjudge.human.quality import Quality
from adjudge.stats.agreement import Coefficient
from adjudge.wording import MISSING, number, p_number, pluralise

MOST = 12
"""How many annotators are shown on a screen; -f tsv --table annotators has all."""
MOST_ON_PAGE = 500
AGREEMENT = "agreement"
"""The key of its section."""
LOOK = (
    "Something to look at, no more: who judges other texts, or knows them better, stands out as well. Each kind of "
    "finding is corrected for {}."
)


def agreement_section(agreement: ChoiceAgreement | RatingAgreement, score: str = "") -> Section:
    """Between annotators, and of annotators with themselves; of ratings, whether on raw or on z-scores."""
    on = {"z": "z-scores", "adjusted": "z-scores", "raw": "raw scores"}.get(score, "")
    title = f"Agreement on {on}" if on else "Agreement"
    parts = (("between annotators", agreement.inter), ("with themselves", agreement.intra))
    if isinstance(agreement, ChoiceAgreement):
        sentences = [_choices(name, part) for name, part in parts if _is_choice(part)]
        return Section(title, sentences=tuple(sentences), key=AGREEMENT)
    sentences = [
        _ratings(name, part, agreement.margin) for name, part in parts if isinstance(part, RatingPart)
    ]
    return Section(title, sentences=tuple(sentences), key=AGREEMENT)


def _is_choice(part: PairAgreement | RatingPart) -> bool:
    return isinstance(part, PairAgreement)


def _choices(name: str, part: PairAgreement | RatingPart) -> str:
    assert isinstance(part, PairAgreement)
    kappa = part.empirical
    if kappa.value is None:
        return f"{name.capitalize()}: unknown, because {kappa.reason}."
    others = [
        f"{what} {coefficient.value:.3f}"
        for what, coefficient in (
            ("against guessing", part.fixed),
            ("Cohen's", part.cohen),
            ("Fleiss'", part.fleiss),
            ("Krippendorff's alpha", part.alpha),
        )
        if coefficient.value is not None
    ]
    more = f"; {', '.join(others)}" if others else ""
    same = f"{part.agreeing:,} of {pluralise(part.comparable, 'pair')} of judgements are the same"
    if part.comparable == 1:
        same = f"the only two judgements to compare {'are the same' if part.agreeing else 'differ'}"
    return (
        f"{name.capitalize()}: kappa {kappa.value:.3f} ({kappa.words}{_interval(kappa)}); {same}; by chance "
        f"a share of {kappa.expected:.3f} would agree{more}."
    )


def _ratings(name: str, part: RatingPart, margin: float) -> str:
    alpha = part.alpha
    if alpha.value is None:
        return f"{name.capitalize()}: unknown, because {alpha.reason}."
    figures = [f"Krippendorff's alpha {alpha.value:.3f} ({alpha.words}{_interval(alpha)})"]
    if part.weighted.value is not None:
        figures.append(f"weighted kappa {part.weighted.value:.3f}")
    if part.icc.value is not None:
        figures.append(f"intraclass correlation {part.icc.value:.3f}")
    if part.pearson is not None:
        figures.append(f"Pearson {part.pearson:.3f}")
    if part.difference is not None:
        figures.append(f"two ratings differ by {part.difference:.2f} on average")
    return f"{name.capitalize()}: {', '.join(figures)} ({pluralise(part.pairs, 'pair')})."


def _interval(coefficient: Coefficient) -> str:
    return (
        ""
        if coefficient.low is None or coefficient.high is None
        else f"; {coefficient.low:.3f} to {coefficient.high:.3f}"
    )


def annotator_sections(diagnoses: Sequence[Diagnosis], quality: Sequence[Quality] = ()) -> list[Section]:
    """Who was controlled, and who needs a look and why."""
    if not diagnoses:
        return []
    controls = {result.annotator: result for result in quality}
    sentences = _controlled(quality)
    wanted = [
        diagnosis for diagnosis in diagnoses if diagnosis.flags or _flags(controls.get(diagnosis.annotator))
    ]
    if not wanted:
        sentences.append("No annotator stands out.")
        return [Section("Annotators", sentences=tuple(sentences), key="annotators")]
    wanted.sort(
        key=lambda diagnosis: (*_standing(diagnosis, controls.get(diagnosis.annotator)), diagnosis.annotator)
    )
    table = _table(wanted[:MOST], controls)
    sentences += [
        f"{visible(diagnosis.annotator)}: {'; '.join((*_flags(controls.get(diagnosis.annotator)), *diagnosis.flags))}."
        for diagnosis in wanted[:MOST]
    ]
    if len(wanted) > MOST:
        sentences.append(f"… and {len(wanted) - MOST} more to look at: -f tsv --table annotators.")
    if any(diagnosis.flags for diagnosis in wanted):
        sentences.append(LOOK.format(pluralise(len(diagnoses), "annotator")))
    return [Section("Annotators to look at", (table,), tuple(sentences), key="annotators")]


def page_annotators(diagnoses: Sequence[Diagnosis], quality: Sequence[Quality] = ()) -> list[Section]:
    """For a page: everyone, those to look at first, with what is unusual."""
    if not diagnoses:
        return []
    controls = {result.annotator: result for result in quality}
    order = sorted(
        diagnoses,
        key=lambda diagnosis: (*_standing(diagnosis, controls.get(diagnosis.annotator)), diagnosis.annotator),
    )
    table = _table(order[:MOST_ON_PAGE], controls, flags=True)
    left = len(order) - MOST_ON_PAGE
    more = (Remarks([f"… and {left:,} more: -f tsv --table annotators."], listed=False),) if left > 0 else ()
    controlled = _controlled(quality)
    told = (Remarks(controlled),) if controlled else ()
    return [Section("Annotators", (table,), key="annotators", charts=told, below=more)]


def _controlled(quality: Sequence[Quality]) -> list[str]:
    tested = [result for result in quality if result.passed is not None]
    if tested:
        passed = sum(bool(result.passed) for result in tested)
        people = pluralise(len(tested), "annotator")
        return [f"{passed} of {people} tell damaged translations from whole ones (p ≤ 0.05)."]
    return ["No damaged translations were judged: nothing shows who paid attention."] if quality else []


def _flags(quality: Quality | None) -> tuple[str, ...]:
    if quality is None:
        return ()
    failed = ("does not tell damaged translations from whole ones",) if quality.passed is False else ()
    return (*failed, *quality.flags)


def _standing(diagnosis: Diagnosis, quality: Quality | None) -> tuple[bool, float]:
    """Who is to be looked at comes first: the more flags, and the further from telling damage, the earlier."""
    p = 0.0 if quality is None or quality.p is None or quality.passed else quality.p
    return not (diagnosis.flags or _flags(quality)), -(len(diagnosis.flags) + 2 * p)


def _table(diagnoses: Sequence[Diagnosis], controls: dict[str, Quality], *, flags: bool = False) -> Table:
    """Only columns in which something stands; with `flags`, what is unusual stands in one more."""
    columns: list[tuple[Column, list[str]]] = [
        (Column("Annotator"), [visible(diagnosis.annotator) for diagnosis in diagnoses]),
        (Column("N", True), [f"{diagnosis.judgements:,}" for diagnosis in diagnoses]),
    ]
    for label, name, decimals in (
        ("mean", "mean", 1),
        ("sd", "deviation", 1),
        ("severity", "severity", 1),
        ("spread", "spread", 2),
        ("agreement", "agreement", 2),
        ("ties", "ties", 2),
        ("seconds", "seconds", 1),
    ):
        columns.append(
            (Column(label, True), [_number(getattr(diagnosis, name), decimals) for diagnosis in diagnoses])
        )
    known = [controls.get(diagnosis.annotator) for diagnosis in diagnoses]
    columns += [
        (Column("damaged", True), [_number(result.damaged_mean if result else None, 1) for result in known]),
        (Column("whole", True), [_number(result.whole_mean if result else None, 1) for result in known]),
        (
            Column("p", True),
            [MISSING if result is None or result.p is None else p_number(result.p) for result in known],
        ),
        (
            Column("repeats off by", True),
            [_number(result.repeat_difference if result else None, 1) for result in known],
        ),
    ]
    shown = [(head, cells) for head, cells in columns if set(cells) != {MISSING}]
    if flags:
        unusual = [
            "; ".join((*_flags(controls.get(diagnosis.annotator)), *diagnosis.flags))
            for diagnosis in diagnoses
        ]
        shown += [(Column("what is unusual", wide=0.4), unusual)] if any(unusual) else []
    rows = zip(*(cells for _, cells in shown), strict=True)
    return Table(tuple(head for head, _ in shown), tuple(Row(tuple(map(Cell, row))) for row in rows))


def _number(value: float | None, decimals: int) -> str:
    return MISSING if value is None or math.isnan(value) else number(value, decimals)


def annotator_data(diagnoses: Sequence[Diagnosis], quality: Sequence[Quality] = ()) -> Data:
    """A row an annotator, with all that is known."""
    controls = {result.annotator: result for result in quality}
    own = [field.name for field in fields(Diagnosis) if field.name != "flags"]
    more = [field.name for field in fields(Quality) if field.name not in (*own, "flags")] if quality else []
    rows = []
    for diagnosis in diagnoses:
        control = controls.get(diagnosis.annotator)
        values = [getattr(diagnosis, name) for name in own]
        values += [getattr(control, name) if control else None for name in more]
        rows.append([*values, "; ".join((*_flags(control), *diagnosis.flags))])
    return Data([*own, *more, "flags"], rows)


def annotator_documents(
    diagnoses: Sequence[Diagnosis], quality: Sequence[Quality] = ()
) -> list[dict[str, Any]]:
    """For JSON: what the control items and the ordinary ones say of everyone."""
    controls = {result.annotator: result for result in quality}
    documents = []
    for diagnosis in diagnoses:
        control = controls.get(diagnosis.annotator)
        document = plain(asdict(diagnosis))
        if control is not None:
            document |= plain(
                {name: value for name, value in asdict(control).items() if name not in document}
            )
        document["flags"] = [*_flags(control), *diagnosis.flags]
        documents.append(document)
    return documents
