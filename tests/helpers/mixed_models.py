"""What the tests of mixed models share: the design as slow matrices."""

from adjudge.stats.agreement import numbered


def factors(s, r, i, translations):
    result = {"rater": r, "item": i}
    return result | {"translation": numbered(i * (s.max() + 1) + s)} if translations else result
