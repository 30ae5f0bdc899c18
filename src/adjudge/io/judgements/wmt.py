"""WMT: rankings of systems, choices between two, direct assessment with its HITs.

An n-way ranking becomes n(n−1)/2 pairs in the order of the file; skipped systems (rank below 1) are in none. Systems
with identical outputs that were shown as one keep their joint name (`a+b`), because agreement counts them so;
`data/joint_systems.py` separates them. Written ranks have no gaps (1, 3, 3 becomes 1, 2, 2), because only the order
within a ranking is known. Direct assessment has column names separated by blanks above rows separated by tabs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.crossing import number_combinations
from adjudge.data.judgements import (
    BAD_REFERENCE,
    KINDS,
    ORDINARY,
    REFERENCE,
    REPEAT,
    TUTORIAL,
    Judgements,
    NameColumn,
)
from adjudge.errors import DataError, unknown_name
from adjudge.io import column_names
from adjudge.io.files import path_text
from adjudge.io.judgements.columns import UNKNOWN, JudgementColumns
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import (
    JudgementFile,
    Losses,
    WriteRequest,
    comma_separated,
    number,
    tab_separated,
)
from adjudge.io.judgements.tool import Reader, Tool, Writer
from adjudge.io.sheet import Floats, Sheet, short
from adjudge.wording import are, pluralise, some_of

PAIRS = (
    *("srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id"),
    *("system2rank", "rankingID"),
)
_SKIPPED = "-1"
_TIE = "tie"


def pairs(request: WriteRequest) -> JudgementFile:
    """One row per pair, with the ranks of both systems."""
    judgements = _comparisons(request)
    names, others = judgements.system.values(), _others(judgements)
    context = _RowContext(request)
    table = [[*PAIRS, *context.more]]
    contradicted = 0
    for rows in _rankings(judgements):
        ranks = _system_ranks(judgements, rows, names, others)
        contradicted += ranks is None
        for turn, row in enumerate(rows, 1):
            first, second = names[row], others[row]
            pair_ranks = ranks or _alone(judgements, row, first, second)
            number = f"{rows[0] + 1}" if ranks is not None else f"{rows[0] + 1}.{turn}"
            cells = [
                *context.head[row],
                first,
                str(pair_ranks[first]),
                second,
                str(pair_ranks[second]),
                number,
            ]
            table.append([*cells, *context.rest[row]])
    warning = (
        f"{pluralise(contradicted, 'ranking')} in which pairs contradict each other: written pair by pair"
    )
    return _csv(request, table, context.warning, warning if contradicted else "")


def write_wide(request: WriteRequest) -> JudgementFile:
    """One row per ranking, with the systems side by side; shorter rankings are padded with rank −1 and no name."""
    judgements = _comparisons(request)
    names, others = judgements.system.values(), _others(judgements)
    context = _RowContext(request)
    rankings = []
    for rows in _rankings(judgements):
        ranks = _system_ranks(judgements, rows, names, others)
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
        cells = [source, target, index, context.document[row] or UNKNOWN, segment, judge]
        cells += [cell for system in systems for cell in (UNKNOWN, system)]
        cells += [str(ranks[system]) if system else _SKIPPED for system in systems]
        table.append([*cells, *context.rest_but_document[row]])
    return _csv(request, table, context.warning)


def write_choices(request: WriteRequest) -> JudgementFile:
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
    for row, ranking in enumerate(numbers.tolist()):
        by_number.setdefault(ranking, []).append(row)
    return list(by_number.values())


def _system_ranks(
    judgements: Judgements, rows: Sequence[int], names: Sequence[str], others: Sequence[str]
) -> dict[str, int] | None:
    """The rank of each system by its pairs; None if the pairs give no consistent order."""
    better: Counter[str] = Counter()
    for row in rows:
        better[names[row]] += int(judgements.score[row] < 0)
        better[others[row]] += int(judgements.score[row] > 0)
    levels = sorted({*better.values()})
    ranks = {system: levels.index(count) + 1 for system, count in better.items()}
    consistent = all(np.sign(ranks[others[row]] - ranks[names[row]]) == judgements.score[row] for row in rows)
    return ranks if consistent else None


def _alone(judgements: Judgements, row: int, first: str, second: str) -> dict[str, int]:
    score = judgements.score[row]
    return {first: 1 + int(score < 0), second: 1 + int(score > 0)}


class _RowContext:
    """What stands beside the systems: languages, segment and judge in front; the rest behind, if there is any."""

    def __init__(self, request: WriteRequest) -> None:
        judgements = request.judgements
        count = len(judgements)
        languages = [
            pair.partition("-")[::2] if pair else request.languages
            for pair in judgements.label_values("languages")
        ]
        items, judges = judgements.item.values(), judgements.annotator.values()
        self.head = [
            (source or UNKNOWN, target or UNKNOWN, item, item, judge)
            for (source, target), item, judge in zip(languages, items, judges, strict=True)
        ]
        self.document = judgements.label_values("document")
        behind: dict[str, list[str]] = {}
        if "document" in judgements.labels:
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


_NUMBERED = re.compile(r"system(\d+)(id|rank|number)")
_FIRST = ("system1", "systema", "system1id", "systemaid", "first")
_SECOND = ("system2", "systemb", "system2id", "systembid", "second")
_SIDES = {"1": 1, "a": 1, "first": 1, "left": 1, "2": -1, "b": -1, "second": -1, "right": -1}


def is_ranking(file: InputFile) -> bool:
    """Whether rows are rankings: by their columns, or because the user says so."""
    return file.protocol == "rank" or (file.column is None and _has_ranks(file.sheet))


def _has_ranks(sheet: Sheet) -> bool:
    ranks = sheet.find(column_names.RANK) is not None and sheet.find(column_names.RATINGS) is None
    return ranks or is_wide(list(sheet.columns))


def read_rankings(file: InputFile) -> FileContent:
    """Rankings of either shape; what is taken for them may be choices between two."""
    if file.column is None and is_choice(file.sheet) and not _has_ranks(file.sheet):
        return replace(choices(file.sheet), format="choices")
    return read(file.sheet, file.column if isinstance(file.column, str) else None)


def is_choices(file: InputFile) -> bool:
    """Whether a row says which of two systems is better."""
    return file.column is None and is_choice(file.sheet)


def read_choices(file: InputFile) -> FileContent:
    """Choices between two systems."""
    return choices(file.sheet)


def is_wide(names: Sequence[str]) -> bool:
    """Whether systems stand beside each other in a row, with ranks."""
    plain = {column_names.plain(name) for name in names}
    return {"system1id", "system2id", "system1rank"} <= plain


def is_choice(sheet: Sheet) -> bool:
    """Whether a row says which of two systems is better."""
    if sheet.find(_FIRST) is not None and sheet.find(_SECOND) is not None:
        return True
    column = sheet.find(column_names.CHOICE)
    if column is None or sheet.find(column_names.SYSTEM) is not None:
        return False
    values = {cell.strip() for cell in {*sheet.columns[column]}}
    return len({value for value in values if value and value.lower() not in column_names.TIES}) <= 2


def read(sheet: Sheet, column: str | None = None) -> FileContent:
    """Rankings of either shape; `column` has the ranks where a row has one system."""
    if column is None and is_wide(list(sheet.columns)):
        return wide(sheet)
    if column is not None and column not in sheet.columns:
        raise DataError(f"{path_text(sheet.path)}: {unknown_name('column', column, sheet.columns)}")
    column = column or sheet.find(column_names.RANK)
    if column is None:
        other = "; or are these scores?" if sheet.find(column_names.RATINGS) else ""
        raise sheet.lacks(column_names.RANK, f"where are the ranks?{other}")
    return long(sheet, column)


def wide(sheet: Sheet) -> FileContent:
    """Two or more systems per row, each with its rank (1 is best)."""
    plain = {column_names.plain(name): name for name in sheet.columns}
    places = sorted({int(match[1]) for name in plain if (match := _NUMBERED.fullmatch(name))})
    for place in places:
        for what in ("id", "rank"):
            if f"system{place}{what}" not in plain:
                raise sheet.lacks((f"system{place}{what}",), "every ranked system has its name and its rank")
    columns = JudgementColumns(sheet, {name for word, name in plain.items() if _NUMBERED.fullmatch(word)})
    count, ways = len(sheet), len(places)
    each = [sheet.names(plain[f"system{place}id"]) for place in places]
    for place, column in zip(places, each, strict=True):
        sheet.check_names(plain[f"system{place}id"], column)
    named = NameColumn.joined(each)
    systems = named.codes.reshape(ways, count)
    ranks = np.stack([_ranks(sheet, plain[f"system{place}rank"]) for place in places])
    _check_names(sheet, systems, ranks)
    first, second = np.triu_indices(ways, 1)
    ranked = ((ranks[first] >= 1) & (ranks[second] >= 1)).T.ravel()  # row by row, in each (1,2), (1,3), …
    rows = np.repeat(np.arange(count), len(first))[ranked]
    system = NameColumn(named.names, systems[first].T.ravel()[ranked])[:]
    other = NameColumn(named.names, systems[second].T.ravel()[ranked])[:]
    _check_apart(sheet, rows, system, other)
    item, annotator = _item_and_annotator(columns)
    number = columns.name(column_names.RANKING)
    if ways > 2:
        ranking = np.arange(count)
    elif number is not None:
        ranking = number_combinations(sheet.names(number), annotator, item)
        _check_consistent(sheet, named.names, ranking, systems, ranks)
    else:
        ranking = _runs(annotator, item)
    return _pairs(
        columns,
        "rank",
        rows,
        system,
        other,
        np.sign(ranks[second] - ranks[first]).T.ravel()[ranked],
        ranking[rows],
        item,
        annotator,
    )


def long(sheet: Sheet, column: str) -> FileContent:
    """One system per row, with its rank among those that one person ranked together for a segment."""
    columns = JudgementColumns(sheet, {column})
    if columns.name(column_names.SYSTEM) is None:
        raise sheet.lacks(column_names.SYSTEM, "whose output was ranked?")
    system = columns.names(column_names.SYSTEM, needed="system")
    item, annotator = _item_and_annotator(columns)
    number, document = columns.names(column_names.RANKING), columns.names(column_names.DOCUMENT)
    columns.used -= {sheet.find(column_names.DOCUMENT)}  # it is a label all the same
    rank = _ranks(sheet, column)
    group = number_combinations(number, annotator, item, document)
    _check_once(sheet, system, group)
    order = np.argsort(group, kind="stable")
    order = order[rank[order] >= 1]
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(begins, append=len(order))
    firsts, seconds = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        members = order[begins[sizes == size][:, None] + np.arange(size)]
        left, right = np.triu_indices(int(size), 1)
        firsts.append(members[:, left].ravel())
        seconds.append(members[:, right].ravel())
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    turn = np.argsort(group[first], kind="stable")
    first, second = first[turn], second[turn]
    return _pairs(
        columns,
        "rank",
        first,
        system[first],
        system[second],
        np.sign(rank[second] - rank[first]),
        group[first],
        item,
        annotator,
    )


def choices(sheet: Sheet) -> FileContent:
    """Which of two is better: two systems and the better one, or a column that names it where there are but two."""
    columns = JudgementColumns(sheet)
    column = columns.name((*column_names.CHOICE, "score"))
    if column is None:
        raise sheet.lacks(column_names.CHOICE, "which of the two systems is better?")
    item, annotator = _item_and_annotator(columns)
    first_column, second_column = columns.name(_FIRST), columns.name(_SECOND)
    if first_column is not None and second_column is not None:
        first, second = columns.names(_FIRST, needed="system"), columns.names(_SECOND, needed="system")
        score = _sides(sheet, column, first, second)
    else:
        answers = sheet.names(column)
        systems = sorted(name for name in answers.names if name.lower() not in column_names.TIES)
        if len(systems) != 2:
            raise DataError(
                f"{path_text(sheet.path)}, column {column!r}: two systems were expected besides ties, but there "
                f"{are(len(systems))} {some_of(systems, 5) or 'none'}; name them in columns "
                "system1 and system2"
            )
        first, second = NameColumn.same(systems[0], len(sheet)), NameColumn.same(systems[1], len(sheet))
        if (answers.codes < 0).any():
            raise DataError(f"{sheet.place(int(np.argmax(answers.codes < 0)))}, column {column!r}: no answer")
        meant = [1.0 if name == systems[0] else -1.0 if name == systems[1] else 0.0 for name in answers.names]
        score = np.array(meant)[answers.codes]
    rows = np.arange(len(sheet))
    return _pairs(columns, "pairwise", rows, first, second, score, rows, item, annotator)


def _sides(sheet: Sheet, column: str, first: NameColumn, second: NameColumn) -> Floats:
    """1 where the first system is the better one: by its name, its place, or a number above 0."""
    signs = column_names.plain(column) == "score"
    scores = np.empty(len(sheet))
    names, others = first.values(), second.values()
    for row, cell in enumerate(sheet.columns[column]):
        text = cell.strip()
        if signs:
            continue
        if text in (names[row], others[row]):
            scores[row] = 1.0 if text == names[row] else -1.0
        elif text.lower() in column_names.TIES:
            scores[row] = 0.0
        elif text.lower() in _SIDES:
            scores[row] = _SIDES[text.lower()]
        else:
            answer = (
                f"{short(text)} is neither {names[row]} nor {others[row]} nor a tie" if text else "no answer"
            )
            raise DataError(f"{sheet.place(row)}, column {column!r}: {answer}")
    return np.sign(sheet.numbers(column)) if signs else scores


def _pairs(
    columns: JudgementColumns,
    protocol: str,
    rows: NDArray[np.int64],
    system: NameColumn,
    other: NameColumn,
    score: Floats,
    ranking: NDArray[np.int64],
    item: NameColumn,
    annotator: NameColumn,
) -> FileContent:
    """The pairs of some rows, with what else those rows say."""
    sheet = columns.sheet
    if not len(rows):
        raise DataError(f"{path_text(sheet.path)}: no two systems were ranked together")
    _check_apart(sheet, rows, system, other)
    start, seconds, time_warnings = columns.times()
    kind = columns.kinds()
    columns.used |= {name for name in (sheet.find(("srcindex",)),) if name}
    labels = {name: column.without(UNKNOWN) for name, column in columns.labels().items()}
    judgements = Judgements(
        protocol=protocol,
        system=system,
        item=item[rows],
        annotator=annotator[rows],
        score=score,
        kind=kind[rows],
        other=other,
        ranking=ranking,
        start=None if start is None else start[rows],
        seconds=None if seconds is None else seconds[rows],
        labels={name: column[rows] for name, column in labels.items() if column.names},
        file=NameColumn.same(sheet.path, len(rows)),
        line=sheet.lines[rows],
    )
    lost = len(sheet) - len(np.unique(rows)) if protocol == "rank" and is_wide(list(sheet.columns)) else 0
    warnings = (
        (
            f"{path_text(sheet.path)}: {pluralise(lost, 'row')} left out in which fewer than two systems were ranked",
        )
        if lost
        else ()
    )
    return FileContent(judgements, (*time_warnings, *warnings))


def _item_and_annotator(columns: JudgementColumns) -> tuple[NameColumn, NameColumn]:
    if columns.name(column_names.ITEM) is None:
        raise columns.sheet.lacks(column_names.ITEM, "which was judged?")
    return columns.names(column_names.ITEM, needed="segment"), columns.annotators()


def _ranks(sheet: Sheet, column: str) -> Floats:
    """1 is best, and what was skipped has a number below 0; what counts from 0 would lose the best."""
    ranks = sheet.numbers(column)
    wrong = (ranks >= 0) & (ranks < 1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{sheet.place(row)}, column {column!r}: rank {ranks[row]:g}, but 1 is best; leave out what was not ranked"
        )
    return ranks


def _runs(annotator: NameColumn, item: NameColumn) -> NDArray[np.int64]:
    """Consecutive rows of one person and segment form one ranking."""
    new = (np.diff(annotator.codes, prepend=-2) != 0) | (np.diff(item.codes, prepend=-2) != 0)
    return np.cumsum(new) - 1


def _check_names(sheet: Sheet, systems: NDArray[np.int32], ranks: Floats) -> None:
    nameless = ((systems < 0) & (ranks >= 1)).any(0)
    if nameless.any():
        raise DataError(f"{sheet.place(int(np.argmax(nameless)))}: no system, but a rank")


def _check_apart(sheet: Sheet, rows: NDArray[np.int64], system: NameColumn, other: NameColumn) -> None:
    names = np.array([*system.names, ""], object)[system.codes]
    same = np.flatnonzero(names == np.array([*other.names, ""], object)[other.codes])
    if len(same):
        raise DataError(f"{sheet.place(int(rows[same[0]]))}: {names[same[0]]} is set against itself")


def _check_consistent(
    sheet: Sheet, names: Sequence[str], ranking: NDArray[np.int64], systems: NDArray[np.int32], ranks: Floats
) -> None:
    """Refuse a system with two ranks in one ranking."""
    keys = (ranking * len(names) + systems).T.ravel()
    flat = ranks.T.ravel()
    _, begins, places = np.unique(keys, return_index=True, return_inverse=True)
    other = flat != flat[begins][places]
    if other.any():
        at = int(np.argmax(other))
        row, name = at // len(systems), names[systems.T.ravel()[at]]
        raise DataError(
            f"{sheet.place(row)}: {name} has rank {flat[at]:g}, but {flat[begins][places][at]:g} before in the same "
            "ranking"
        )


def _check_once(sheet: Sheet, system: NameColumn, group: NDArray[np.int64]) -> None:
    keys = group * (len(system.names) + 1) + system.codes
    _, begins, places = np.unique(keys, return_index=True, return_inverse=True)
    repeated = begins[places] != np.arange(len(keys))
    if repeated.any():
        at = int(np.argmax(repeated))
        raise DataError(
            f"{sheet.place(at)}: {system.values()[at]} is there twice in one ranking; a column 'ranking' with a number "
            "tells rankings of the same segment apart"
        )


COLUMNS = (
    *("HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "hit", "sys_id", "rid", "type", "sid"),
    *("score", "time"),
)
_TYPES = {ORDINARY: "SYSTEM", REPEAT: "REPEAT", BAD_REFERENCE: "BAD_REF", REFERENCE: "REF"}
_ASKED = {"fluency": "fl"}
_HIT_SECONDS = "hit_seconds"


def direct_assessment(request: WriteRequest) -> JudgementFile:
    """One row per judgement, with its HIT and kind of item; times are of HITs or of judgements."""
    judgements, warnings = request.judgements, []
    if judgements.is_ranking:
        raise DataError("these are rankings, not direct assessment (write rankings)")
    left = int((judgements.kind == TUTORIAL).sum())
    if left:
        judgements = judgements[judgements.kind != TUTORIAL]
        warnings.append(f"WMT's files have no tutorials: {pluralise(left, 'judgement')} left out here")
    if np.isnan(judgements.score).any():
        raise DataError(f"{judgements.place(int(np.argmax(np.isnan(judgements.score))))}: there is no score")
    losses = Losses("WMT's direct assessment")
    losses.labels(judgements, ("HITId", "hit", "languages", "Input.item", "rid"))
    timed = _HIT_SECONDS in judgements.measures
    losses.measures(judgements, (_HIT_SECONDS,))
    losses.add("when judgements were begun", judgements.start is not None)
    losses.add("seconds of judgements beside those of HITs", timed and judgements.seconds is not None)
    losses.add("errors", judgements.spans is not None)
    times = judgements.measures[_HIT_SECONDS] if timed else judgements.seconds

    hits = judgements.label_values("hit")
    languages = judgements.label_values("languages", "-".join(request.languages))
    pairs = [pair.partition("-") for pair in languages]
    items = judgements.item.values()
    columns = [
        judgements.label_values("HITId") if "HITId" in judgements.labels else hits,
        judgements.annotator.values(),
        [source for source, _, _ in pairs],
        [target for _, _, target in pairs],
        judgements.label_values("Input.item", _ASKED.get(judgements.protocol, "ad")),
        hits,
        judgements.system.values(),
        judgements.label_values("rid"),
        [_TYPES[int(kind)] for kind in judgements.kind],
        items,
        [number(score) for score in judgements.score],
        [""] * len(judgements)
        if times is None
        else ["" if np.isnan(time) else repr(float(time)) for time in times],
    ]
    rows = list(map(list, zip(*columns, strict=True)))
    body = tab_separated(rows, guard=request.for_spreadsheet, bom=False)
    head = ("\ufeff" if request.for_spreadsheet else "") + " ".join(COLUMNS) + "\n"
    return JudgementFile(head.encode() + body.data, body.warnings).warned(*warnings, losses.warning())


TOOL = Tool(
    readers={
        "rankings": Reader(
            "WMT's rankings: systems beside each other, or one a row with its rank",
            read_rankings,
            is_table=is_ranking,
        ),
        "choices": Reader("which of two systems is better", read_choices, is_table=is_choices),
    },
    writers={
        "wmt-da": Writer(
            "WMT's direct assessment, with HITs and kinds of items",
            direct_assessment,
            says_direction=False,
        ),
        "rankings": Writer("WMT's rankings, a row a pair (CSV)", pairs),
        "rankings-wide": Writer("WMT's rankings, a row a ranking (CSV)", write_wide),
        "choices": Writer("two systems, and the one that was preferred (CSV)", write_choices),
    },
)
