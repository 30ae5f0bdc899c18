"""What of a test set stands in a training text, as a label to group by."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.checks.contamination import KINDS, SeenSegments, seen_segments
from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.text.identification import share_of_spaceless


def seen_texts(test_set: TestSet, training: Sequence[str], *, threads: int = 0) -> dict[str, SeenSegments]:
    """What files of a training text have of the source and of every reference."""
    texts = {} if test_set.sources is None else {"source": list(test_set.sources)}
    for place, column in enumerate(test_set.references, 1):
        texts["reference" if place == 1 else f"reference {place}"] = [text or "" for text in column]
    if not texts:
        raise UsageError("no test set to look for: -r FILE, -s FILE or -t FILE")
    return {
        name: seen_segments(
            segments, training, spaceless=share_of_spaceless("".join(segments)) > 0.5, threads=threads
        )
        for name, segments in texts.items()
    }


def worst_kinds(seen: dict[str, SeenSegments]) -> tuple[str, ...]:
    """A word for each segment, that of the text which is seen most: exact, alike, overlap or unseen."""
    columns = zip(*(own.kinds for own in seen.values()), strict=True)
    return tuple(min(kinds, key=KINDS.index) for kinds in columns)


def contamination_labels(test_set: TestSet, training: Sequence[str], *, threads: int = 0) -> tuple[str, ...]:
    """The same of a test set and files of a training text."""
    return worst_kinds(seen_texts(test_set, training, threads=threads))
