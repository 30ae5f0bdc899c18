"""What the tests of mixed models share: the design as slow matrices."""

from adjudge.stats.agreement import renumber


def factors(s, r, i, translations, d=None):
    whole = {"rater": r, "item": i} | ({} if d is None else {"document": d})
    divided = {"rater_system": r} | ({} if d is None else {"document_system": d})
    divided |= {"translation": i} if translations else {}
    return whole | {name: renumber(column * (s.max() + 1) + s) for name, column in divided.items()}
