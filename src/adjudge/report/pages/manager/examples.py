"""Three sentences with what two engines made of them: a gain, a loss and an ordinary difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from adjudge.analysis.changes import Change, Changes
from adjudge.dossiers.dossier_segments import PEOPLE
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.report.render.markup import NOTHING, Html, html, prose

EXAMPLES = 3
LETTERS, MOST_LETTERS = 40, 200
"""Of an example that says something and leaves room for others, where there is one."""
NO_LEADS: Mapping[int, float] = {}
EMPTY = "(nothing)"
"""What an engine gave that gave nothing."""


def examples_part(sets: Sequence[tuple[str, Dossier]]) -> Html:
    """A gain, a loss and an ordinary difference, each of another test where there are as many."""
    shown = [
        (
            f"{name}: " if name else "",
            loaded_set.changes,
            three_examples(loaded_set.changes, people_leads(loaded_set)),
        )
        for name, loaded_set in sets[:EXAMPLES]
        if loaded_set.changes is not None
    ]
    blocks = []
    for place in range(EXAMPLES if shown else 0):
        name, result, examples = shown[place % len(shown)]
        for title, change in examples[place : place + 1]:
            blocks.append(example_block(f"{name}{title}", change, result))
    return NOTHING.join(blocks)


def people_leads(dossier: Dossier) -> dict[int, float]:
    """By segment (from 1), how far people put the new system of the changes above the old one; empty without people."""
    scores = next((score for score in dossier.segments.scores if score.key == PEOPLE), None)
    result = dossier.changes
    if scores is None or result is None or not {result.new, result.old} <= {*scores.values}:
        return {}
    leads = scores.values[result.new] - scores.values[result.old]
    sign = -1.0 if scores.higher_better is False else 1.0
    return {place + 1: sign * float(lead) for place, lead in enumerate(leads) if math.isfinite(lead)}


def three_examples(result: Changes, people: Mapping[int, float] = NO_LEADS) -> list[tuple[str, Change]]:
    """The largest gain and the largest loss of the first system, and as many ordinary differences as make three.

    People say which they are where they judged both; else all measures must agree, lest one punishes a paraphrase.
    """
    leads = {change.segment: _lead(change, result, people) for change in result.changes}
    known = _readable([change for change in result.changes if leads[change.segment]]) or result.changes
    order = sorted(known, key=lambda change: leads[change.segment] or change.size)
    shown: list[tuple[str, Change]] = []
    if order and (leads[order[-1].segment] or order[-1].size) > 0:
        shown.append((f"Where {result.new} is most ahead", order[-1]))
    if order and (leads[order[0].segment] or order[0].size) < 0:
        shown.append((f"Where {result.new} is most behind", order[0]))
    used = {change.segment for _, change in shown}
    left = [change for change in order if change.segment not in used]
    left = left or [change for change in result.changes if change.segment not in used]
    left.sort(key=lambda change: abs(leads[change.segment] or change.size))
    wanted = min(EXAMPLES - len(shown), len(left))
    for place in range(wanted):
        change = left[(place + 1) * len(left) // (wanted + 1)]
        lead = leads[change.segment] or change.size
        ahead = "ahead" if lead > 0 else "behind" if lead < 0 else "neither ahead nor behind"
        shown.append((f"An ordinary difference: {result.new} is {ahead}", change))
    return shown


def _lead(change: Change, result: Changes, people: Mapping[int, float]) -> float:
    """How far the new system is ahead on a segment: by people, or by several measures that agree; 0 where none says."""
    if people:
        return people.get(change.segment, 0.0)
    return change.size if change.verdict in ("better", "worse") and len(result.metrics) > 1 else 0.0


def _readable(changes: Sequence[Change]) -> Sequence[Change]:
    """Those of a sentence's length, if there are any: "Yes." tells a buyer nothing, and a page has little room."""
    lengths = [(change, max(len(change.reference or change.new), len(change.new))) for change in changes]
    short = [change for change, length in lengths if LETTERS <= length <= MOST_LETTERS]
    return short or [change for change, length in lengths if length >= LETTERS] or changes


def example_block(title: str, change: Change, result: Changes) -> Html:
    """One sentence with what both engines made of it."""
    known = [("Source", change.source), ("Reference", change.reference)]
    texts = [
        *((name, text) for name, text in known if text),
        (result.new, change.new),
        (result.old, change.old),
    ]
    rows = NOTHING.join(
        html('<dt>{}</dt><dd dir="auto">{}</dd>', name, text)
        if text
        else html("<dt>{}</dt><dd>{}</dd>", name, EMPTY)
        for name, text in texts
    )
    return html('<div class="example"><h3>{}</h3><dl>{}</dl></div>', prose(title), rows)
