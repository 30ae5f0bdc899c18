"""Rankings as WMT had them: a row a pair (WMT16), or a row a ranking (WMT13); and choices between two.

Only the order within a ranking is known of it, so ranks are written without gaps: 1, 3, 3 becomes 1, 2, 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from adjudge.data.judgements import KINDS, ORDINARY, Judgements
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, comma_separated
from adjudge.wording import counted

PAIRS = (
    *("srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id"),
    *("system2rank", "rankingID"),
)
_UNKNOWN = "-1"
"""What WMT writes where there is nothing to say."""
_SKIPPED = "-1"
_TIE = "tie"


def pairs(request: WriteRequest) -> JudgementFile:
    """A row a pair, with the ranks of both in their ranking."""
    judgements = _comparisons(request)
    names, others = judgements.system.values(), _others(judgements)
    context = _RowContext(request)
    table = [[*PAIRS, *context.more]]
    contradicted = 0
    for rows in _rankings(judgements):
        ranks = _ranks(judgements, rows, names, others)
        contradicted += ranks is None
        for turn, row in enumerate(rows, 1):
            first, second = names[row], others[row]
            own = ranks or _alone(judgements, row, first, second)
            number = f"{rows[0] + 1}" if ranks is not None else f"{rows[0] + 1}.{turn}"
            cells = [*context.head[row], first, str(own[first]), second, str(own[second]), number]
            table.append([*cells, *context.rest[row]])
    warning = f"{counted(contradicted, 'ranking')} in which pairs contradict each other: written pair by pair"
    return _csv(request, table, context.warning, warning if contradicted else "")


def wide(request: WriteRequest) -> JudgementFile:
    """A row a ranking, the systems beside each other; what a shorter ranking lacks has rank −1 and no name."""
    judgements = _comparisons(request)
    names, others = judgements.system.values(), _others(judgements)
    context = _RowContext(request)
    rankings = []
    for rows in _rankings(judgements):
        ranks = _ranks(judgements, rows, names, others)
        if ranks is None or len(rows) != len(ranks) * (len(ranks) - 1) // 2:
            raise DataError(
                f"{judgements.place(rows[0])}: these pairs are no whole ranking; write them pair by pair (rankings)"
            )
        rankings.append((rows[0], ranks))
    ways = max(len(ranks) for _, ranks in rankings)
    if ways == 2:
        raise DataError("no ranking has more than two systems; write them pair by pair (rankings)")
    places = range(1, ways + 1)
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    header += [name for place in places for name in (f"system{place}Number", f"system{place}Id")]
    table = [[*header, *(f"system{place}rank" for place in places), *context.more_but_document]]
    for row, ranks in rankings:
        source, target, index, segment, judge = context.head[row]
        systems = [*ranks, *[""] * (ways - len(ranks))]
        cells = [source, target, index, context.document[row] or _UNKNOWN, segment, judge]
        cells += [cell for system in systems for cell in (_UNKNOWN, system)]
        cells += [str(ranks[system]) if system else _SKIPPED for system in systems]
        table.append([*cells, *context.rest_but_document[row]])
    return _csv(request, table, context.warning)


def choices(request: WriteRequest) -> JudgementFile:
    """Two systems, and the one that was preferred."""
    judgements = _comparisons(request)
    names, others = judgements.system.values(), _others(judgements)
    if _TIE in {*names, *others}:
        raise DataError("a system is called 'tie', which means something else here; write rankings")
    context = _RowContext(request)
    table = [["segment", "annotator", "system1", "system2", "preferred", *context.more]]
    for row in range(len(judgements)):
        better = {1.0: names[row], -1.0: others[row]}.get(float(judgements.score[row]), _TIE)
        _, _, _, segment, judge = context.head[row]
        table.append([segment, judge, names[row], others[row], better, *context.rest[row]])
    ranked = judgements.ranking is not None and len(np.unique(judgements.ranking)) < len(judgements)
    losses = Losses("a file of choices")
    losses.add("what was ranked together", ranked)
    return _csv(request, table, context.warning, losses.warning())


def _csv(request: WriteRequest, table: Sequence[Sequence[str]], *warnings: str) -> JudgementFile:
    return comma_separated(table, guard=request.for_spreadsheet, bom=request.for_spreadsheet).warned(
        *warnings
    )


def _comparisons(request: WriteRequest) -> Judgements:
    judgements = request.judgements
    if judgements.other is None:
        raise DataError("these are ratings, not rankings")
    if not {*judgements.score.tolist()} <= {-1.0, 0.0, 1.0}:
        raise DataError("the scores of pairs are 1, 0 and −1: which one is better, or neither")
    return judgements


def _others(judgements: Judgements) -> list[str]:
    return judgements.other.values() if judgements.other is not None else []


def _rankings(judgements: Judgements) -> list[list[int]]:
    """The rows of each ranking, in the order of their first ones."""
    by_number: dict[int, list[int]] = {}
    numbers = judgements.ranking if judgements.ranking is not None else np.arange(len(judgements))
    for row, number in enumerate(numbers.tolist()):
        by_number.setdefault(number, []).append(row)
    return list(by_number.values())


def _ranks(
    judgements: Judgements, rows: Sequence[int], names: Sequence[str], others: Sequence[str]
) -> dict[str, int] | None:
    """The rank of each system by the order that the pairs tell; None where they tell of none."""
    better: Counter[str] = Counter()
    for row in rows:
        better[names[row]] += int(judgements.score[row] < 0)
        better[others[row]] += int(judgements.score[row] > 0)
    levels = sorted({*better.values()})
    ranks = {system: levels.index(count) + 1 for system, count in better.items()}
    told = all(np.sign(ranks[others[row]] - ranks[names[row]]) == judgements.score[row] for row in rows)
    return ranks if told else None


def _alone(judgements: Judgements, row: int, first: str, second: str) -> dict[str, int]:
    score = judgements.score[row]
    return {first: 1 + int(score < 0), second: 1 + int(score > 0)}


class _RowContext:
    """What stands beside the systems: languages, segment and judge in front; the rest behind, if there is any."""

    def __init__(self, request: WriteRequest) -> None:
        judgements = request.judgements
        count = len(judgements)
        pairs_of = judgements.labels.get("languages")
        languages = [
            pair.partition("-")[::2] if pair else request.languages
            for pair in (pairs_of.values() if pairs_of is not None else [""] * count)
        ]
        items, judges = judgements.item.values(), judgements.annotator.values()
        self.head = [
            (source or _UNKNOWN, target or _UNKNOWN, item, item, judge)
            for (source, target), item, judge in zip(languages, items, judges, strict=True)
        ]
        documents = judgements.labels.get("document")
        self.document = documents.values() if documents is not None else [""] * count
        behind: dict[str, list[str]] = {}
        if documents is not None:
            behind["documentId"] = self.document
        if (judgements.kind != ORDINARY).any():
            behind["kind"] = [KINDS[kind] for kind in judgements.kind]
        for name in ("start", "seconds"):
            column = getattr(judgements, name)
            if column is not None:
                behind[name] = ["" if np.isnan(value) else repr(float(value)) for value in column]
        self.more = list(behind)
        self.rest = [[column[row] for column in behind.values()] for row in range(count)]
        self.more_but_document = [name for name in behind if name != "documentId"]
        self.rest_but_document = [row[len(self.more) - len(self.more_but_document) :] for row in self.rest]
        losses = Losses("WMT's rankings")
        losses.labels(judgements, ("languages", "document"))
        losses.measures(judgements)
        self.warning = losses.warning()
