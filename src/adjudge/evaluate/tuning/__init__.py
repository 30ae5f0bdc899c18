"""METEOR's parameters fitted to judgements, and whether that helps on judgements it has not seen."""

from adjudge.evaluate.tuning.items import LEVELS, MEASURES, UNITS, Items, gather
from adjudge.evaluate.tuning.tuning import HeldOut, Tuning, rows_of, tune, tune_items

__all__ = [
    "LEVELS",
    "MEASURES",
    "UNITS",
    "HeldOut",
    "Items",
    "Tuning",
    "gather",
    "rows_of",
    "tune",
    "tune_items",
]
