"""Every way to cut an output, one by one: the slow twin of the re-alignment of lines."""

from itertools import combinations_with_replacement, pairwise

from .edits import levenshtein


def cost_of(ours, references, cuts, breaks, allowed, new_cut, lost_break):
    """Edits between each part and its nearest reference, cuts that are no line break, line breaks that are no cut.

    A reference is a list of segments, each a list of words, or None where it has none.
    """
    parts = [ours[a:b] for a, b in pairwise([0, *cuts, len(ours)])]
    edits = sum(
        min(levenshtein(part, segment) for segment in segments if segment is not None)
        for part, *segments in zip(parts, *references, strict=True)
    )
    ordinary = [cut for cut in cuts if cut not in (0, len(ours))]
    if any(cut not in allowed for cut in ordinary):
        return float("inf")
    new = sum(cut not in breaks for cut in ordinary)
    lost = sum(place not in cuts for place in breaks if place not in (0, len(ours)))
    return edits + new_cut * new + lost_break * lost


def least_cost(ours, references, *terms):
    """The least cost of all ways to cut."""
    return min(
        cost_of(ours, references, cuts, *terms)
        for cuts in combinations_with_replacement(range(len(ours) + 1), len(references[0]) - 1)
    )
