"""Lists of hypotheses that a system has for each segment, with their features and the model's scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.errors import DataError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NBestLists:
    """A list of hypotheses for every segment; features and scores have a line for each hypothesis of each list."""

    hypotheses: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...] = ()
    """References of each segment, some of which may have none; empty if no segment has any."""
    sources: tuple[str, ...] | None = None
    feature_names: tuple[str, ...] = ()
    features: Array | None = None
    scores: Array | None = None
    """The model's own, more is better."""
    places: tuple[str, ...] = ()
    """Where each segment stands, for messages: `nbest.jsonl, line 3`."""

    def __post_init__(self) -> None:
        if not self.hypotheses:
            raise DataError("no list of hypotheses: there is nothing to choose from")
        for at, hypotheses in enumerate(self.hypotheses):
            if not hypotheses:
                raise DataError(f"{self.place(at)} has no hypothesis at all; at least one was expected")
        for what, column in (("references", self.references), ("sources", self.sources)):
            if column and len(column) != len(self.hypotheses):
                raise DataError(
                    f"{len(self.hypotheses)} lists of hypotheses, but {what} of {len(column)} segments"
                )
        for what, numbers in (("features", self.features), ("scores", self.scores)):
            if numbers is None:
                continue
            if len(numbers) != self.begins[-1]:
                raise DataError(f"{self.begins[-1]} hypotheses, but {what} of {len(numbers)}")
            if not np.isfinite(numbers).all():
                raise DataError(f"{what} that are no finite numbers")

    def __len__(self) -> int:
        return len(self.hypotheses)

    def place(self, segment: int) -> str:
        """How messages name a segment."""
        return self.places[segment] if self.places else f"segment {segment + 1}"

    @cached_property
    def begins(self) -> tuple[int, ...]:
        """Where each list begins among all hypotheses, and where the last one ends."""
        return (0, *np.cumsum([len(hypotheses) for hypotheses in self.hypotheses]).tolist())

    def without_reference(self) -> int | None:
        """The first segment that has no reference, None where all have one."""
        if not self.references:
            return 0
        return next((at for at, texts in enumerate(self.references) if not texts), None)

    def test_set(self, language: str = "", *, spread: bool = False) -> TestSet:
        """The segments with their references; with `spread`, each once for every hypothesis of its list."""
        times = [len(texts) if spread else 1 for texts in self.hypotheses]

        def repeated(column: Sequence[str | None]) -> tuple[str | None, ...]:
            return tuple(text for text, count in zip(column, times, strict=True) for _ in range(count))

        width = max((len(texts) for texts in self.references), default=0)
        references = tuple(
            repeated([texts[at] if at < len(texts) else None for texts in self.references])
            for at in range(width)
        )
        sources = None if self.sources is None else tuple(map(str, repeated(self.sources)))
        return TestSet(references=references, sources=sources, language=language)

    def all_hypotheses(self) -> tuple[str, ...]:
        """The hypotheses of all lists, one after the other."""
        return tuple(text for texts in self.hypotheses for text in texts)

    def scored_by(self, weights: Array) -> Array:
        """The model's scores with these weights, added feature by feature, as the search for weights does it."""
        if self.features is None:
            raise DataError("the hypotheses have no features, so weights say nothing of them")
        return np.asarray(np.cumsum(self.features * weights, axis=-1)[:, -1])
