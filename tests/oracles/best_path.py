"""The best way through a table of gains, row by row in numpy."""

import numpy as np


def best_path(gains, start, end, change):
    score, before = start, []
    for row in gains:
        best = score.argmax()
        stays = score >= score[best] - change
        before.append(np.where(stays, np.arange(len(score)), best))
        score = np.where(stays, score, score[best] - change) + row
    state = int((score + end).argmax())
    path = []
    for states in reversed(before):
        path.append(state)
        state = int(states[state])
    return path[::-1]
