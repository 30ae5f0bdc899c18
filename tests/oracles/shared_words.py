"""Pairs of lines that share rare words, counted out line by line."""

from math import log

import regex

SPACELESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = regex.compile(rf"[^\s\x1c-\x1f\p{{P}}\p{{S}}{SPACELESS}]+")


def features(line):
    distinct = set()
    for run in WORD.findall(line.lower()):
        # Of ASCII only letters and digits are part of words: controls are not.
        for word in regex.findall(r"(?:[a-z0-9]|[^\x00-\x7f])+", run):
            distinct.add(("word", word))
            if len(word) > 5:
                distinct.add(("start", word[:5]))
    for a, b in zip(line.lower(), line.lower()[1:], strict=False):
        if regex.fullmatch(f"[{SPACELESS}]{{2}}", a + b):
            distinct.add(("pair", a + b))
    return distinct


def shared_words(ours, theirs, rare, most):
    """A dictionary from (row, column) to weight."""
    rows, columns = [features(line) for line in ours], [features(line) for line in theirs]
    here = {f: sum(f in row for row in rows) for row in rows for f in row}
    columns_with = {f: sum(f in column for column in columns) for column in columns for f in column}

    def usable():
        return {f for f in here if f in columns_with and here[f] <= rare and columns_with[f] <= rare}

    while rare > 1 and sum(here[f] * columns_with[f] for f in usable()) > most:
        rare //= 2
    weights = {f: -log(3 * max(here[f], columns_with[f]) / len(theirs)) for f in usable()}
    result = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            shared = [weights[f] for f in row & column if weights.get(f, 0) > 0]
            if shared:
                result[i, j] = sum(shared)
    return result
