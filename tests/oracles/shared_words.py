"""Pairs of lines that share rare words, counted out line by line."""

from math import log

import regex

SPACELESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = regex.compile(rf"[^\s\x1c-\x1f\p{{P}}\p{{S}}{SPACELESS}]+")


def features(line):
    found = set()
    for run in WORD.findall(line.lower()):
        # Of ASCII only letters and digits are part of words: controls are not.
        for word in regex.findall(r"(?:[a-z0-9]|[^\x00-\x7f])+", run):
            found.add(("word", word))
            if len(word) > 5:
                found.add(("start", word[:5]))
    for a, b in zip(line.lower(), line.lower()[1:], strict=False):
        if regex.fullmatch(f"[{SPACELESS}]{{2}}", a + b):
            found.add(("pair", a + b))
    return found


def shared_words(ours, theirs, rare, most):
    """A dictionary from (row, column) to weight."""
    rows, columns = [features(line) for line in ours], [features(line) for line in theirs]
    here = {f: sum(f in row for row in rows) for row in rows for f in row}
    there = {f: sum(f in column for column in columns) for column in columns for f in column}

    def usable():
        return {f for f in here if f in there and here[f] <= rare and there[f] <= rare}

    while rare > 1 and sum(here[f] * there[f] for f in usable()) > most:
        rare //= 2
    weights = {f: -log(3 * max(here[f], there[f]) / len(theirs)) for f in usable()}
    found = {}
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            shared = [weights[f] for f in row & column if weights.get(f, 0) > 0]
            if shared:
                found[i, j] = sum(shared)
    return found
