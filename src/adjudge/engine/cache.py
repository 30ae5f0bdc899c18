"""Rows kept on disk by content, so that nothing is scored twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adjudge.data import TestSet
from adjudge.metrics.base import Metric, Rows


class RowCache:
    """Rows in a folder, under a hash of all they depend on: signature, test set, outputs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, metric: Metric, test_set: TestSet, segments: Sequence[str]) -> Rows | None:
        """The rows of these outputs, or None where they are not known."""
        raise NotImplementedError

    def put(self, metric: Metric, test_set: TestSet, segments: Sequence[str], rows: Rows) -> None:
        """Keep the rows; where nothing can be written, nothing happens."""
        raise NotImplementedError
