"""IBM's model 1 and the HMM from their formulas, state by state."""

import math
from collections.abc import Sequence

Pair = tuple[Sequence[int], Sequence[int]]
FARTHEST, NULL_SHARE, UNSEEN = 7, 0.2, 1e-7


def even(pairs: Sequence[Pair], source_words: int, target_words: int) -> dict[tuple[int, int], float]:
    """Every pair of words that share a sentence; `source_words` stands for no word."""
    cells = {(s, t) for source, target in pairs for s in source for t in target}
    cells |= {(source_words, t) for t in range(target_words)}
    return dict.fromkeys(cells, 1 / target_words)


def maximised(counts: dict[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    totals: dict[int, float] = {}
    for (s, _), count in counts.items():
        totals[s] = totals.get(s, 0.0) + count
    return {(s, t): count / totals[s] if totals[s] else 0.0 for (s, t), count in counts.items()}


def model1_step(pairs, table, null):
    """The table after a step, and the log-likelihood before it."""
    counts, likelihood = dict.fromkeys(table, 0.0), 0.0
    for source, target in pairs:
        words = [*source, null]
        for t in target:
            values = [max(table.get((s, t), 0.0), UNSEEN) for s in words]
            likelihood += math.log(sum(values) / len(words))
            for s, value in zip(words, values, strict=True):
                if (s, t) in counts:
                    counts[s, t] += value / sum(values)
    return maximised(counts), likelihood


def kind(i: int, k: int) -> int:
    return max(-FARTHEST, min(FARTHEST, k - i)) + FARTHEST


def moves(words: int, jumps: Sequence[float]) -> list[list[float]]:
    """p(to | from): places beyond the farthest jump share its probability evenly."""
    rows = []
    for i in range(words):
        kinds = [kind(i, k) for k in range(words)]
        row = [jumps[own] / (kinds.count(own) if own in (0, 2 * FARTHEST) else 1) for own in kinds]
        rows.append([value / sum(row) for value in row])
    return rows


def hmm_paths(source, target, table, jumps, null):
    """Every path of states (place, has a word) with its probability; only for very short sentences."""
    words = len(source)
    move = moves(words, jumps)

    def emission(state, t):
        place, real = state
        return max(table.get((source[place] if real else null, t), 0.0), UNSEEN)

    paths = [((), 1.0)]
    for t in target:
        longer = []
        for path, probability in paths:
            for place in range(words):
                for real in (True, False):
                    if not path:
                        step = (1 - NULL_SHARE if real else NULL_SHARE) / words
                    elif real:
                        step = (1 - NULL_SHARE) * move[path[-1][0]][place]
                    else:
                        step = NULL_SHARE * (path[-1][0] == place)
                    if step:
                        state = (place, real)
                        longer.append(((*path, state), probability * step * emission(state, t)))
        paths = longer
    return paths


def hmm_step(pairs, table, jumps, null):
    counts, jumped, likelihood = dict.fromkeys(table, 0.0), [1.0] * len(jumps), 0.0
    for source, target in pairs:
        paths = hmm_paths(source, target, table, jumps, null)
        total = sum(probability for _, probability in paths)
        likelihood += math.log(total)
        for path, probability in paths:
            for j, (place, real) in enumerate(path):
                cell = (source[place] if real else null, target[j])
                if cell in counts:
                    counts[cell] += probability / total
                if j and real:
                    jumped[kind(path[j - 1][0], place)] += probability / total
    return maximised(counts), [value / sum(jumped) for value in jumped], likelihood
