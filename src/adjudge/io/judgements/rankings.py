"""Rankings and choices between two: a row a pair, the order of the file kept.

An n-way ranking becomes n(n−1)/2 pairs; systems that were skipped (rank below 1) are in none. Systems whose outputs
were the same and that were shown as one keep their joint name (`a+b`), for agreement counts them so; `expanded` takes
them apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements, Names
from adjudge.errors import DataError, unknown_name
from adjudge.io.files import shown
from adjudge.io.judgements import words
from adjudge.io.judgements.part import Part
from adjudge.io.judgements.sheet import Floats, Sheet, short
from adjudge.io.judgements.tables import Columns, known
from adjudge.wording import counted, some_of

_NUMBERED = re.compile(r"system(\d+)(id|rank|number)")
_FIRST = ("system1", "systema", "system1id", "systemaid", "first")
_SECOND = ("system2", "systemb", "system2id", "systembid", "second")
_SIDES = {"1": 1, "a": 1, "first": 1, "left": 1, "2": -1, "b": -1, "second": -1, "right": -1}


def is_wide(names: Sequence[str]) -> bool:
    """Whether systems stand beside each other in a row, with ranks."""
    plain = {words.plain(name) for name in names}
    return {"system1id", "system2id", "system1rank"} <= plain


def is_choice(sheet: Sheet) -> bool:
    """Whether a row says which of two systems is better."""
    if sheet.find(_FIRST) is not None and sheet.find(_SECOND) is not None:
        return True
    column = sheet.find(words.CHOICE)
    if column is None or sheet.find(words.SYSTEM) is not None:
        return False
    values = {cell.strip() for cell in {*sheet.columns[column]}}
    return len({value for value in values if value and value.lower() not in words.TIES}) <= 2


def read(sheet: Sheet, column: str | None = None) -> Part:
    """Rankings of either shape; `column` has the ranks where a row has one system."""
    if column is None and is_wide(list(sheet.columns)):
        return wide(sheet)
    if column is not None and column not in sheet.columns:
        raise DataError(f"{shown(sheet.path)}: {unknown_name('column', column, sheet.columns)}")
    column = column or sheet.find(words.RANK)
    if column is None:
        other = "; or are these scores?" if sheet.find(words.RATINGS) else ""
        raise sheet.lacks(words.RANK, f"where are the ranks?{other}")
    return long(sheet, column)


def wide(sheet: Sheet) -> Part:
    """Two or more systems a row, each with its rank (1 is best)."""
    plain = {words.plain(name): name for name in sheet.columns}
    places = sorted({int(match[1]) for name in plain if (match := _NUMBERED.fullmatch(name))})
    for place in places:
        for what in ("id", "rank"):
            if f"system{place}{what}" not in plain:
                raise sheet.lacks((f"system{place}{what}",), "every ranked system has its name and its rank")
    columns = Columns(sheet, {name for word, name in plain.items() if _NUMBERED.fullmatch(word)})
    count, ways = len(sheet), len(places)
    each = [sheet.names(plain[f"system{place}id"]) for place in places]
    for place, column in zip(places, each, strict=True):
        sheet.check_names(plain[f"system{place}id"], column)
    named = Names.joined(each)
    systems = named.codes.reshape(ways, count)
    ranks = np.stack([_ranks(sheet, plain[f"system{place}rank"]) for place in places])
    _check_named(sheet, systems, ranks)
    one, two = np.triu_indices(ways, 1)
    there = ((ranks[one] >= 1) & (ranks[two] >= 1)).T.ravel()  # row by row, in each (1,2), (1,3), …
    rows = np.repeat(np.arange(count), len(one))[there]
    system = Names(named.names, systems[one].T.ravel()[there])[np.arange(len(rows))]
    other = Names(named.names, systems[two].T.ravel()[there])[np.arange(len(rows))]
    _check_apart(sheet, rows, system, other)
    item, annotator = _item_and_annotator(columns)
    number = columns.name(words.RANKING)
    if ways > 2:
        ranking = np.arange(count)
    elif number is not None:
        ranking = numbered(sheet.names(number), annotator, item)
        _check_consistent(sheet, named.names, ranking, systems, ranks)
    else:
        ranking = _runs(annotator, item)
    return _pairs(
        columns,
        "rank",
        rows,
        system,
        other,
        np.sign(ranks[two] - ranks[one]).T.ravel()[there],
        ranking[rows],
        item,
        annotator,
    )


def long(sheet: Sheet, column: str) -> Part:
    """A system a row, with its rank among those that were ranked together: by one person, of one segment."""
    columns = Columns(sheet, {column})
    if columns.name(words.SYSTEM) is None:
        raise sheet.lacks(words.SYSTEM, "whose output was ranked?")
    system = columns.names(words.SYSTEM, needed="system")
    item, annotator = _item_and_annotator(columns)
    number, document = columns.names(words.RANKING), columns.names(words.DOCUMENT)
    columns.used -= {sheet.find(words.DOCUMENT)}  # it is a label all the same
    rank = _ranks(sheet, column)
    group = numbered(number, annotator, item, document)
    _check_once(sheet, system, group)
    order = np.argsort(group, kind="stable")
    order = order[rank[order] >= 1]
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(begins, append=len(order))
    firsts, seconds = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        members = order[begins[sizes == size][:, None] + np.arange(size)]
        one, two = np.triu_indices(int(size), 1)
        firsts.append(members[:, one].ravel())
        seconds.append(members[:, two].ravel())
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


def choices(sheet: Sheet) -> Part:
    """Which of two is better: two systems and the better one, or a column that names it where there are but two."""
    columns = Columns(sheet)
    column = columns.name((*words.CHOICE, "score"))
    if column is None:
        raise sheet.lacks(words.CHOICE, "which of the two systems is better?")
    item, annotator = _item_and_annotator(columns)
    one, two = columns.name(_FIRST), columns.name(_SECOND)
    if one is not None and two is not None:
        first, second = columns.names(_FIRST, needed="system"), columns.names(_SECOND, needed="system")
        score = _sides(sheet, column, first, second)
    else:
        said = sheet.names(column)
        systems = sorted(name for name in said.names if name.lower() not in words.TIES)
        if len(systems) != 2:
            raise DataError(
                f"{shown(sheet.path)}, column {column!r}: two systems were expected besides ties, but there "
                f"{'is' if len(systems) == 1 else 'are'} {some_of(systems, 5) or 'none'}; name them in columns "
                "system1 and system2"
            )
        first, second = Names.same(systems[0], len(sheet)), Names.same(systems[1], len(sheet))
        if (said.codes < 0).any():
            raise DataError(f"{sheet.place(int(np.argmax(said.codes < 0)))}, column {column!r}: no answer")
        meant = [1.0 if name == systems[0] else -1.0 if name == systems[1] else 0.0 for name in said.names]
        score = np.array(meant)[said.codes]
    rows = np.arange(len(sheet))
    return _pairs(columns, "pairwise", rows, first, second, score, rows, item, annotator)


def _sides(sheet: Sheet, column: str, first: Names, second: Names) -> Floats:
    """1 where the first system is the better one: by its name, its place, or a number above 0."""
    signs = words.plain(column) == "score"
    found = np.empty(len(sheet))
    names, others = first.values(), second.values()
    for row, cell in enumerate(sheet.columns[column]):
        text = cell.strip()
        if signs:
            continue
        if text in (names[row], others[row]):
            found[row] = 1.0 if text == names[row] else -1.0
        elif text.lower() in words.TIES:
            found[row] = 0.0
        elif text.lower() in _SIDES:
            found[row] = _SIDES[text.lower()]
        else:
            answer = (
                f"{short(text)} is neither {names[row]} nor {others[row]} nor a tie" if text else "no answer"
            )
            raise DataError(f"{sheet.place(row)}, column {column!r}: {answer}")
    return np.sign(sheet.numbers(column)) if signs else found


def expanded(judgements: Judgements) -> Judgements:
    """Pairs in which systems of a joint name (`a+b`) stand one by one; among themselves they are tied.

    Names are taken apart where each part also occurs on its own.
    """
    if judgements.other is None:
        raise DataError("these are ratings, not rankings")
    names = Names.joined([judgements.system, judgements.other])
    alone = {name for name in names.names if "+" not in name}
    parts = [parts if set(parts := name.split("+")) <= alone else [name] for name in names.names]
    if all(len(part) == 1 for part in parts):
        return judgements
    count = len(judgements)
    width = np.array([len(part) for part in parts])
    left, right = names.codes[:count], names.codes[count:]
    begins = np.cumsum([0, *width])[:-1]
    listed = Names.of([part for one in parts for part in one])
    times = width[left] * width[right]
    rows = np.repeat(np.arange(count), times)
    turn = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    first = listed.codes[begins[left[rows]] + turn // width[right[rows]]]
    second = listed.codes[begins[right[rows]] + turn % width[right[rows]]]
    # Within a ranking, the systems of one joint name are tied with each other, once.
    ranking = judgements.ranking if judgements.ranking is not None else np.arange(count)
    keys = np.concatenate([ranking, ranking]) * len(names.names) + names.codes
    _, seen = np.unique(keys, return_index=True)
    seen = seen[width[names.codes[seen]] > 1]
    ties = [
        (row % count, listed.codes[begins[code] + a], listed.codes[begins[code] + b])
        for row in seen
        for code in [names.codes[row]]
        for a, b in zip(*np.triu_indices(int(width[code]), 1), strict=True)
    ]
    added = np.array(ties, np.int64).reshape(-1, 3)
    every = np.concatenate([rows, added[:, 0]])
    order = np.argsort(every, kind="stable")
    score = np.concatenate([judgements.score[rows], np.zeros(len(added))])
    return replace(
        judgements[every[order]],
        system=Names(listed.names, np.concatenate([first, added[:, 1]]).astype(np.int32)[order]),
        other=Names(listed.names, np.concatenate([second, added[:, 2]]).astype(np.int32)[order]),
        score=score[order],
    )


def _pairs(
    columns: Columns,
    protocol: str,
    rows: NDArray[np.int64],
    system: Names,
    other: Names,
    score: Floats,
    ranking: NDArray[np.int64],
    item: Names,
    annotator: Names,
) -> Part:
    """The pairs of some rows, with what else those rows say."""
    sheet = columns.sheet
    if not len(rows):
        raise DataError(f"{shown(sheet.path)}: no two systems were ranked together")
    _check_apart(sheet, rows, system, other)
    start, seconds, late = columns.times()
    kind = columns.kinds()
    columns.used |= {name for name in (sheet.find(("srcindex",)),) if name}
    labels = {name: known(column) for name, column in columns.labels().items()}
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
        file=Names.same(sheet.path, len(rows)),
        line=sheet.lines[rows],
    )
    lost = len(sheet) - len(np.unique(rows)) if protocol == "rank" and is_wide(list(sheet.columns)) else 0
    warnings = (
        (f"{shown(sheet.path)}: {counted(lost, 'row')} left out in which fewer than two systems were ranked",)
        if lost
        else ()
    )
    return Part(judgements, (*late, *warnings))


def _item_and_annotator(columns: Columns) -> tuple[Names, Names]:
    if columns.name(words.ITEM) is None:
        raise columns.sheet.lacks(words.ITEM, "which was judged?")
    return columns.names(words.ITEM, needed="segment"), columns.names(words.ANNOTATOR)


def numbered(*columns: Names) -> NDArray[np.int64]:
    """A number for each combination of names, in the order of appearance."""
    keys = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, keys = np.unique(keys * (len(column.names) + 1) + column.codes + 1, return_inverse=True)
    _, begins, places = np.unique(keys, return_index=True, return_inverse=True)
    turn = np.empty(len(begins), np.int64)
    turn[np.argsort(begins)] = np.arange(len(begins))
    return turn[places]


def _ranks(sheet: Sheet, column: str) -> Floats:
    """1 is best, and what was skipped has a number below 0; what counts from 0 would lose the best."""
    found = sheet.numbers(column)
    wrong = (found >= 0) & (found < 1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{sheet.place(row)}, column {column!r}: rank {found[row]:g}, but 1 is best; leave out what was not ranked"
        )
    return found


def _runs(annotator: Names, item: Names) -> NDArray[np.int64]:
    """Rows that follow each other, of one person and one segment, are one ranking."""
    new = (np.diff(annotator.codes, prepend=-2) != 0) | (np.diff(item.codes, prepend=-2) != 0)
    return np.cumsum(new) - 1


def _check_named(sheet: Sheet, systems: NDArray[np.int32], ranks: Floats) -> None:
    nameless = ((systems < 0) & (ranks >= 1)).any(0)
    if nameless.any():
        raise DataError(f"{sheet.place(int(np.argmax(nameless)))}: no system, but a rank")


def _check_apart(sheet: Sheet, rows: NDArray[np.int64], system: Names, other: Names) -> None:
    names = np.array([*system.names, ""], object)[system.codes]
    same = np.flatnonzero(names == np.array([*other.names, ""], object)[other.codes])
    if len(same):
        raise DataError(f"{sheet.place(int(rows[same[0]]))}: {names[same[0]]} is set against itself")


def _check_consistent(
    sheet: Sheet, names: Sequence[str], ranking: NDArray[np.int64], systems: NDArray[np.int32], ranks: Floats
) -> None:
    """A system has one rank in a ranking, however many pairs it is in."""
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


def _check_once(sheet: Sheet, system: Names, group: NDArray[np.int64]) -> None:
    keys = group * (len(system.names) + 1) + system.codes
    _, begins, places = np.unique(keys, return_index=True, return_inverse=True)
    again = begins[places] != np.arange(len(keys))
    if again.any():
        at = int(np.argmax(again))
        raise DataError(
            f"{sheet.place(at)}: {system.values()[at]} is there twice in one ranking; a column 'ranking' with a number "
            "tells rankings of the same segment apart"
        )
