"""Several training sets as one, with all that cross-validation may hold out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NameColumn
from adjudge.tuning.learning.material import TrainingSet

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TrainingBatch:
    """Judged translations of all sets, one below the other."""

    scores: Array
    gold: Array
    """NaN where people only put translations in an order."""
    pairs: Indices
    set: Indices
    segment: Indices
    """Numbered over all sets."""
    groups: Mapping[str, Indices]
    """By what may be held out: the number of each translation's group."""

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def of(cls, sets: Sequence[TrainingSet]) -> TrainingBatch:
        """The sets together; systems of one name are one system, wherever they stand."""
        starts = np.cumsum([0, *(len(training_set) for training_set in sets)])
        number = np.repeat(np.arange(len(sets)), np.diff(starts))
        segment = _numbers(
            [(s, int(place)) for s, training_set in enumerate(sets) for place in training_set.segment]
        )
        parts = {
            "system": [name for training_set in sets for name in training_set.system],
            "language pair": [training_set.pair for training_set in sets for _ in range(len(training_set))],
            "test set": [training_set.name for training_set in sets for _ in range(len(training_set))],
        }
        if all(training_set.document is not None for training_set in sets):
            documents = [
                f"{training_set.name}\0{name}"
                for training_set in sets
                for name in training_set.document or ()
            ]
            groups = {"document": NameColumn.of(documents).codes.astype(np.intp)}
        else:
            groups = {"segment": segment}
        groups |= {unit: NameColumn.of(names).codes.astype(np.intp) for unit, names in parts.items()}
        return cls(
            np.concatenate([training_set.scores for training_set in sets]),
            np.concatenate(
                [
                    np.full(len(training_set), np.nan) if training_set.gold is None else training_set.gold
                    for training_set in sets
                ]
            ),
            np.concatenate(
                [training_set.pairs + start for training_set, start in zip(sets, starts, strict=False)]
            ),
            number,
            segment,
            {unit: codes for unit, codes in groups.items() if codes.max(initial=0) > 0},
        )

    def take(self, keep: NDArray[np.bool_]) -> TrainingBatch:
        """The translations for which `keep` is true, with the pairs that lie among them."""
        place = np.cumsum(keep) - 1
        return replace(
            self,
            scores=self.scores[keep],
            gold=self.gold[keep],
            pairs=place[self.pairs[keep[self.pairs].all(1)]],
            set=self.set[keep],
            segment=self.segment[keep],
            groups={unit: codes[keep] for unit, codes in self.groups.items()},
        )


def centre_values(values: Array, group: Indices) -> Array:
    """Values (a row each) less the mean of their group."""
    _, group = np.unique(group, return_inverse=True)
    counts = np.bincount(group)
    table = values.reshape(len(values), -1)
    means = np.stack([np.bincount(group, column) / counts for column in table.T], axis=-1)
    return np.asarray((table - means[group]).reshape(values.shape))


def standardise_values(values: Array, group: Indices) -> Array:
    """Values less the mean of their group, over its standard deviation; 0 where a group's values are all equal."""
    about = centre_values(values, group)
    _, group = np.unique(group, return_inverse=True)
    counts = np.bincount(group)
    table = about.reshape(len(values), -1)
    spread = np.sqrt(np.stack([np.bincount(group, column**2) / counts for column in table.T], axis=-1))
    size = np.sqrt(np.stack([np.bincount(group, c**2) / counts for c in values.reshape(table.shape).T], -1))
    real = spread > 1e-12 * np.maximum(size, 1e-300)  # what rounding leaves of a constant is no spread
    return np.asarray(
        np.where(real[group], table / np.where(real, spread, 1.0)[group], 0.0).reshape(values.shape)
    )


def _numbers(keys: Sequence[tuple[int, int]]) -> Indices:
    known: dict[tuple[int, int], int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], np.intp)
