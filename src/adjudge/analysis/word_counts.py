"""How often words stand in a text of any size."""

from __future__ import annotations

from collections import Counter

from adjudge.analysis.cutting import Cutting
from adjudge.data import TestSet
from adjudge.io.files import line_blocks


def counts_of_file(path: str, cutting: Cutting, test_set: TestSet) -> Counter[str]:
    """How often each word stands in a file, cut as the texts of the test set are."""
    counts: Counter[str] = Counter()
    for lines in line_blocks(path):
        for words in cutting.words(lines, test_set):
            counts.update(words)
    return counts
