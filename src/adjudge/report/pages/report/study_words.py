"""The summary of a study in words: who wins in the mean over test sets, where, and may it be believed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adjudge.comparison.results import MeasureTable
from adjudge.comparison.study_display import better_sentence
from adjudge.comparison.verdict import comparison_sentence, verdict_sentence
from adjudge.dossiers.checklist import FAIL, PASS, UNKNOWN
from adjudge.dossiers.soundness import judged_systems
from adjudge.dossiers.study_dossier import SetDossier, StudyDossier
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.words import NAMES, Answer, Sentence, chance_sentence, lead_pair
from adjudge.stats.design import reservation_sentences
from adjudge.wording import digits, join_names, number, p_text, pluralise, with_sign

MOST = 8
"""Test sets that get a sentence of their own."""
FEW = 4
"""Of more, names that stand for the others."""


def study_summary(dossier: StudyDossier, links: Links) -> list[Answer]:
    """Four answers, as of one test set."""
    answers = [
        Answer("Who wins?", tuple(_who(dossier, links))),
        Answer("May I believe it?", tuple(_believe(dossier))),
        Answer("Where?", tuple(_where(dossier))),
        Answer("Show me", tuple(_show(dossier))),
    ]
    return [answer for answer in answers if answer.sentences]


def _who(dossier: StudyDossier, links: Links) -> list[Sentence]:
    table = lead_table(dossier)
    lead = (
        _no_winner(dossier, table)
        if dossier.verdict.certainty == "incomplete"
        else _winner(dossier, table, links)
    )
    return [*lead, *_people(dossier), *_missing(dossier)]


def _people(dossier: StudyDossier) -> list[Sentence]:
    """Whom people put first on each set, whether they decide, and what metrics say beside them."""
    if not dossier.put_first:
        return []
    sentences = [Sentence(people_sentence(dossier, "test set"))]
    metrics = dossier.verdict.metrics
    if metrics is None:
        text = "They did not judge every set in the same way, so that no mean of theirs can decide over all sets."
        return [*sentences, Sentence(text)]
    text = comparison_sentence(dossier.study, metrics)
    return [
        *sentences,
        Sentence(f"Metrics do not overrule people; by themselves they say: {text}", "#sets", "the sets"),
    ]


def people_sentence(dossier: StudyDossier, what: str) -> str:
    """Whom people put first on how many tests."""
    first = dossier.put_first
    names = join_names([f"{name} first on {count}" for name, count in first.most_common()], NAMES)
    return f"People put {names} of the {pluralise(first.total(), what)} that they judged."


def _winner(dossier: StudyDossier, table: MeasureTable | None, links: Links) -> list[Sentence]:
    """The verdict, and by how much its two systems differ."""
    text = comparison_sentence(dossier.study, dossier.verdict)
    sentences = [Sentence(text, "#sets", "the sets")]
    chosen, rival = dossier.verdict.pair
    pair = None if table is None else table.pair(chosen, rival)
    if table is None or pair is None or math.isnan(pair.delta):
        return sentences
    sign = 1.0 if pair.a == chosen else -1.0
    ahead = pair.sets_better if pair.a == chosen else pair.sets_worse
    places = digits([pair.delta], table.decimals)
    mean = next((result.score for result in table.results if result.system == chosen), math.nan)
    score = "" if math.isnan(mean) else f"Mean {table.label} {number(mean, places)}: "
    text = (
        f"{score}{with_sign(sign * pair.delta, places)} against {rival} "
        f"({p_text(pair.p_adjusted, dossier.study.plan.alpha)}), ahead on {ahead} of {pluralise(pair.sets, 'set')}."
    )
    return [*sentences, Sentence(text, links.by_difference(chosen, rival, table.metric))]


def _no_winner(dossier: StudyDossier, table: MeasureTable | None) -> list[Sentence]:
    """That there is no winner, and which two are told apart on the sets that both have."""
    apart = [pair for pair in table.pairs if pair.significant] if table else []
    told = [better_sentence(dossier.study, table, pair) for pair in apart[:MOST] if table]
    return [Sentence(text, "#sets", "the sets") for text in (verdict_sentence(dossier.verdict), *told)]


def _missing(dossier: StudyDossier) -> list[Sentence]:
    """Who lacks which sets, together where it is the same ones."""
    sentences = []
    for sets, systems in list(dossier.lacking.items())[:MOST]:
        left = len(dossier.sets) - len(sets)
        others = "the other set" if left == 1 else f"the other {left} sets"
        has, it_has, it_is = ("has", "it has", "is") if len(systems) == 1 else ("have", "they have", "are")
        compared = f"compared on {others}" if left else "compared with none"
        absent = join_names(sets, NAMES)
        text = f"{join_names(systems, NAMES)} {has} no output for {absent}: {it_has} no mean, and {it_is} "
        sentences.append(Sentence(f"{text}{compared}."))
    return sentences


def lead_table(dossier: StudyDossier) -> MeasureTable | None:
    """The first metric that has a direction."""
    tables = dossier.study.tables
    return next((table for table in tables if table.is_metric and table.higher_is_better is not None), None)


def _believe(dossier: StudyDossier) -> list[Sentence]:
    plan = dossier.study.plan
    tests = max((len(table.pairs) for table in dossier.study.tables), default=0)
    what = "test sets like these"
    text = chance_sentence(dossier.verdict, plan.correction, tests, plan.alpha, what)
    sentences = [Sentence(text)] if text else []
    sentences.append(Sentence("It holds for other texts of these kinds and languages, not for other kinds."))
    for table in dossier.study.tables:
        reservations = reservation_sentences(table.designs) if table.pairs else []
        sentences += [Sentence(f"{table.label}, {reservation}") for reservation in reservations]
    return sentences + (_points(dossier) if len(dossier.sets) <= MOST else _points_of_many(dossier))


def _points(dossier: StudyDossier) -> list[Sentence]:
    """Of every set, which points pass."""
    sentences = []
    for place, set_dossier in enumerate(dossier.sets, 1):
        points = set_dossier.dossier.soundness.points
        failed = [point.name for point in points if point.verdict == FAIL]
        unknown = [point.name for point in points if point.verdict == UNKNOWN]
        parts = [
            f"{set_dossier.title}: {sum(p.verdict == PASS for p in points)} of {len(points)} points pass"
        ]
        parts += [f"not: {join_names(failed)}"] if failed else []
        parts += [f"not known: {join_names(unknown)}"] if unknown else []
        sentences.append(Sentence("; ".join(parts) + ".", f"#set-{place}-believe", "the points"))
    return sentences


def _points_of_many(dossier: StudyDossier) -> list[Sentence]:
    """Of every point, on which sets it does not pass, or is not known; what passes on all sets last."""
    sentences = []
    verdicts = [
        {p.name: p.verdict for p in set_dossier.dossier.soundness.points} for set_dossier in dossier.sets
    ]
    names = dict.fromkeys(name for own in verdicts for name in own)
    unknown = [name for name in names if all(own.get(name) == UNKNOWN for own in verdicts)]
    passed = [name for name in names if all(own.get(name) == PASS for own in verdicts)]
    for name in names:
        for verdict, words in ((FAIL, "does not pass"), (UNKNOWN, "not known")):
            places = [place for place, own in enumerate(verdicts, 1) if own.get(name) == verdict]
            if places and name not in unknown:
                text = f"{name}: {words} on {_some(dossier, [dossier.sets[place - 1] for place in places])}."
                sentences.append(Sentence(text, f"#set-{places[0]}-believe", "the first"))
    if unknown:
        sentences.append(
            Sentence(f"Not known on any set: {join_names(unknown)}.", "#set-1-believe", "the first")
        )
    if passed:
        sentences.append(Sentence(f"Pass on all {len(dossier.sets)} sets: {join_names(passed)}."))
    return sentences


def _where(dossier: StudyDossier) -> list[Sentence]:
    """Who leads on which sets, and what people say set by set."""
    sentences = (
        _set_by_set(dossier) if not dossier.verdict.system else _lead_by_set(dossier) + _elsewhere(dossier)
    )
    if sets_tested(dossier) > 1:
        text = "Sets are tested one by one, and not corrected for their number: were systems equal, about one set in "
        sentences.append(
            Sentence(f"{text}{round(1 / dossier.study.plan.alpha)} would still tell two of them apart.")
        )
    for place, set_dossier in list(enumerate(dossier.sets, 1))[:MOST]:
        people = set_dossier.dossier.people
        if people is not None and judged_systems(people):
            count = pluralise(people.facts.judgements, "judgement")
            text = f"People put {judged_systems(people)[0]} first on {set_dossier.title} ({count})."
            sentences.append(Sentence(text, f"#set-{place}-people", "what they said"))
    return sentences


def sets_tested(dossier: StudyDossier) -> int:
    """On how many sets two systems were tested against each other."""
    return sum(bool(set_dossier.dossier.verdict.evidence.relations) for set_dossier in dossier.sets)


def _set_by_set(dossier: StudyDossier) -> list[Sentence]:
    """Who wins on each set, where nobody is chosen over all of them."""
    return [
        Sentence(
            f"{set_dossier.title}: {verdict_sentence(set_dossier.dossier.verdict)}",
            f"#set-{place}-systems",
            "its systems",
        )
        for place, set_dossier in list(enumerate(dossier.sets, 1))[:MOST]
    ]


def _some(dossier: StudyDossier, sets: Sequence[SetDossier]) -> str:
    """Some of the sets: of few by all their names, of many how many they are, and the first names."""
    if len(dossier.sets) <= MOST:
        return join_names([set_dossier.title for set_dossier in sets], NAMES)
    names = (
        ""
        if len(sets) == len(dossier.sets)
        else f" ({join_names([set_dossier.name for set_dossier in sets], FEW)})"
    )
    return f"{len(sets)} of {pluralise(len(dossier.sets), 'set')}{names}"


def _lead_by_set(dossier: StudyDossier) -> list[Sentence]:
    """On which sets the lead shows, and on which it is turned round."""
    chosen, rival = dossier.verdict.pair
    ahead: list[SetDossier] = []
    behind: list[SetDossier] = []
    unclear: list[SetDossier] = []
    for set_dossier in dossier.sets:
        verdict = _verdict(set_dossier, chosen, rival)
        if verdict is not None:
            (ahead if verdict > 0 else behind if verdict < 0 else unclear).append(set_dossier)
    label = getattr(lead_table(dossier), "label", "")
    return [
        Sentence(f"{words} {_some(dossier, sets)}.", "#sets", "the sets")
        for sets, words in (
            (ahead, f"{chosen} is better than {rival} by {label} on"),
            (behind, f"{rival} is better than {chosen} by {label} on"),
            (unclear, f"{label} does not tell {chosen} and {rival} apart on"),
        )
        if sets
    ]


def _elsewhere(dossier: StudyDossier) -> list[Sentence]:
    """The sets whose own verdict does not name what is named over all of them."""
    if len(dossier.sets) > MOST:
        return _elsewhere_of_many(dossier)
    return [
        Sentence(
            f"{set_dossier.title}: {verdict_sentence(set_dossier.dossier.verdict)}",
            f"#set-{place}-systems",
            "its systems",
        )
        for place, set_dossier in enumerate(dossier.sets, 1)
        if set_dossier.dossier.verdict.evidence.relations
        and set_dossier.dossier.verdict.systems != dossier.verdict.systems
    ]


def _elsewhere_of_many(dossier: StudyDossier) -> list[Sentence]:
    """Of many sets, by winner: on which of them another system wins than over all."""
    first: dict[str, list[SetDossier]] = {}
    for set_dossier in dossier.sets:
        winner = set_dossier.dossier.verdict.winner
        if winner and (winner,) != dossier.verdict.systems:
            first.setdefault(winner, []).append(set_dossier)
    return [
        Sentence(f"{system} wins on {_some(dossier, sets)}.", "#sets", "the sets")
        for system, sets in sorted(first.items(), key=lambda entry: -len(entry[1]))[:MOST]
    ]


def _verdict(set_dossier: SetDossier, chosen: str, rival: str) -> float | None:
    """Whether one of two systems is significantly better on a set by the first metric; None where it lacks one."""
    pair = lead_pair(set_dossier.dossier, chosen, rival)
    if pair is None:
        return None
    if not pair.significant:
        return 0.0
    lower = (
        next(s.higher_is_better for s in set_dossier.dossier.comparison.results if s.metric == pair.metric)
        is False
    )
    return -pair.delta if lower else pair.delta


def _show(dossier: StudyDossier) -> list[Sentence]:
    if len(dossier.sets) > MOST:
        text = f"All {pluralise(len(dossier.segments), 'segment')}, with the test set of each to filter by."
        return [Sentence(text, "#segments")]
    return [
        Sentence(
            f"{set_dossier.title}: {pluralise(len(set_dossier.dossier.segments), 'segment')}.",
            Links(set_dossier.dossier.segments, f"set-{place}-", set_dossier.name).by_score(
                set_dossier.dossier.verdict.system, set_dossier.dossier.segments.scores[0].key
            ),
        )
        for place, set_dossier in enumerate(dossier.sets, 1)
    ]
