"""The catalogue of test sets of the sacreBLEU that is installed (`adjudge[testsets]`), empty where none is."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.errors import MissingExtraError
from adjudge.io import named_sets


class _Catalogue(Mapping[str, Any]):
    """A table of sacreBLEU's package, which is loaded when somebody looks into it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _table(self) -> Mapping[str, Any]:
        try:
            known = named_sets.catalogue()
        except MissingExtraError:
            return {}
        return known if self._name == "DATASETS" else importlib.import_module("sacrebleu.dataset").SUBSETS

    def __getitem__(self, name: str) -> Any:
        return self._table()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


DATASETS: Mapping[str, Any] = _Catalogue("DATASETS")
SUBSETS: Mapping[str, Mapping[str, str]] = _Catalogue("SUBSETS")
"""Of some test sets: country and domain of documents."""
