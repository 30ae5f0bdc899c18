"""How many segments a claim speaks of, where rows of judgements are parts of items."""

import numpy as np
import pytest

from adjudge.human.ratings import analyse_ratings
from helpers.judged import QUICK, ratings


def by_others(items: int, seed: int = 2):
    """Two systems, one better, of which other annotators judge each item: hardly any annotator judged both outputs."""
    random = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        easy = random.normal(70, 8)
        for system, ahead in (("good", 20), ("poor", 0)):
            who = random.integers(12)
            rows.append((f"a{who}", system, str(item), float(easy + ahead + random.normal(0, 4))))
    return ratings(rows)


@pytest.mark.parametrize("unit", [None, "annotator", "item,annotator"])
@pytest.mark.parametrize(("items", "few"), [(80, False), (20, True)])
def test_segments_are_items_and_not_parts_of_items(items, few, unit) -> None:
    """Of 80 items the claims said "these 7 segments, too few to speak for other texts": parts that systems share."""
    options = {} if unit is None else {"unit": unit}
    group = analyse_ratings(by_others(items), score="raw", **options, **QUICK).groups[0]
    said = [claim for claim in group.claims if claim.startswith("good is better than poor")]
    assert len(said) == 1
    assert ("on texts like these" in said[0]) != few
    assert (f"on these {items} segments, too few" in said[0]) == few
    assert group.pairs[0].common == items
