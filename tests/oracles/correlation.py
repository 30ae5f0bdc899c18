"""Correlations as their definitions have them, pair by pair."""

import math
from itertools import combinations


def sign(x):
    return int(x > 0) - int(x < 0)


def tau_b(a, b):
    concordant = ordered_a = ordered_b = 0
    for i, j in combinations(range(len(a)), 2):
        x, y = sign(a[i] - a[j]), sign(b[i] - b[j])
        concordant += x * y
        ordered_a += abs(x)
        ordered_b += abs(y)
    return concordant / math.sqrt(ordered_a * ordered_b) if ordered_a and ordered_b else math.nan


def ranks(values):
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def pearson(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    x, y = [v - mean_a for v in a], [v - mean_b for v in b]
    below = math.sqrt(math.fsum(v * v for v in x) * math.fsum(v * v for v in y))
    return math.fsum(v * w for v, w in zip(x, y, strict=True)) / below if below else math.nan
