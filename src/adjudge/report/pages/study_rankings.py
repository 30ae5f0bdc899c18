"""Whom people prefer in the mean over the test sets of a study, where they ranked systems on every one."""

from __future__ import annotations

from adjudge.comparison.ranked_sets import TestedPreference
from adjudge.comparison.relevance import unknown_size
from adjudge.dossiers.study_dossier import StudyDossier
from adjudge.report.render.sections import Section
from adjudge.report.render.table import Cell, Column, Row, Table, visible
from adjudge.wording import CORRECTIONS, counted, listed, p_number, p_text, signed

RANKED = "ranked"
"""The key of the section."""
MOST = 8
"""Pairs that get a sentence."""


def rankings_sections(dossier: StudyDossier) -> list[Section]:
    """Every two systems that were compared, and who is preferred; nothing where people ranked nothing."""
    own = dossier.study.rankings
    if own is None:
        return []
    alpha = dossier.study.plan.alpha
    head = ("System", "against"), ("preference", "p", "sets", "ahead on")
    rows = tuple(Row(_cells(pair, alpha)) for pair in own.pairs)
    table = Table((*map(Column, head[0]), *(Column(name, True) for name in head[1])), rows)
    apart = sorted((pair for pair in own.pairs if pair.winner), key=lambda pair: -abs(pair.preference.mean))
    sentences = [_sentence(pair, alpha) for pair in apart[:MOST]] or [
        "Nobody is shown to be preferred in the mean."
    ]
    correction = dossier.study.plan.correction
    corrected = "" if correction == "none" else f", corrected ({CORRECTIONS[correction]})"
    sentences += [unknown_size(["preference"], option="")] if apart else []
    note = (
        "Preference: the share of items on which people put the first before the second less the share on which they "
        "put it behind, from \u22121 to 1; each test set counts alike. p: exact sign-flip test, documents (else items) "
        f"turning within each set{corrected}. By expected wins in the mean: {listed([visible(s) for s in own.scores])}."
    )
    return [
        Section("People’s rankings: mean over test sets", (table,), tuple(sentences), (note,), key=RANKED)
    ]


def _cells(pair: TestedPreference, alpha: float) -> tuple[Cell, ...]:
    own = pair.preference
    style = "" if not pair.winner else "win" if pair.winner == own.a else "loss"
    star = " *" if pair.significant else ""
    return (
        Cell(visible(own.a)),
        Cell(visible(own.b)),
        Cell(signed(own.mean, 3), style=style),
        Cell(p_number(pair.p_adjusted, alpha) + star),
        Cell(str(own.sets)),
        Cell(str(own.ahead_on)),
    )


def _sentence(pair: TestedPreference, alpha: float) -> str:
    own = pair.preference
    a, b, on = (own.a, own.b, own.ahead_on) if own.mean > 0 else (own.b, own.a, own.behind_on)
    return (
        f"{visible(a)} is preferred to {visible(b)} in the mean of {counted(own.sets, 'test set')} "
        f"({signed(abs(own.mean), 3)}, {p_text(pair.p_adjusted, alpha)}), ahead on {on}."
    )
