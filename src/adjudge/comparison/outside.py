"""Scores of segments that were made elsewhere (COMET's, people's), measured as a metric's are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.comparison.comparing import measured_scores
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import TestSetFacts
from adjudge.errors import DataError
from adjudge.io import Input
from adjudge.io.segment_scores import load_scores


@dataclass(frozen=True, eq=False)
class OutsideScores:
    """Rows to compare that no metric of ours made."""

    test_set: TestSetFacts
    """Its fingerprint is that of the names of its segments, in their order."""
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]
    inputs: tuple[Input, ...]
    notes: tuple[str, ...]


def outside_scores(
    paths: Sequence[str], labels: str | None = None, *, lower_is_better: bool = False, common: bool = False
) -> OutsideScores:
    """The scores in these files, each a measure of its own that is named after the file."""
    files = load_scores(paths, common=common, labels=labels)
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        raise DataError(f"two files of scores are called {names[0]!r}; rename one, its name is the measure's")
    segments = files[0].segments
    fingerprint = hashlib.sha256("\n".join(segments).encode()).hexdigest()
    return OutsideScores(
        TestSetFacts("", len(segments), 0, fingerprint),
        tuple(
            measured_scores(file.matrix, file.name, higher_is_better=not lower_is_better, decimals=None)
            for file in files
        ),
        {name: column for file in reversed(files) for name, column in file.labels.items()},
        tuple(dict.fromkeys(item for file in files for item in file.inputs)),
        tuple(note for file in files for note in file.notes),
    )
