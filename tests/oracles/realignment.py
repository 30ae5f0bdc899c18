"""Every way to cut an output, one by one: the slow twin of the re-alignment of lines."""

from itertools import combinations_with_replacement

from .edits import levenshtein


def cost_of(ours, theirs, ends, cuts, breaks, allowed, new_cut, lost_break):
    """Edits between the parts, cuts that are no line break, and line breaks that are no cut."""
    begins = [0, *ends]
    edges = [0, *cuts, len(ours)]
    finishes = [*ends, len(theirs)]
    edits = sum(
        levenshtein(ours[a:b], theirs[c:d])
        for a, b, c, d in zip(edges, edges[1:], begins, finishes, strict=False)
    )
    ordinary = [cut for cut in cuts if cut not in (0, len(ours))]
    if any(cut not in allowed for cut in ordinary):
        return float("inf")
    new = sum(cut not in breaks for cut in ordinary)
    lost = sum(place not in cuts for place in breaks if place not in (0, len(ours)))
    return edits + new_cut * new + lost_break * lost


def least_cost(ours, theirs, ends, breaks, allowed, new_cut, lost_break):
    """The least cost of all ways to cut."""
    return min(
        cost_of(ours, theirs, ends, cuts, breaks, allowed, new_cut, lost_break)
        for cuts in combinations_with_replacement(range(len(ours) + 1), len(ends))
    )
