"""METEOR's parameters fitted to judgements, and whether that helps on judgements it has not seen."""

from adjudge.evaluate.tuning.gathering import COLUMNS, UNITS, gather
from adjudge.evaluate.tuning.held_out import HeldOut
from adjudge.evaluate.tuning.items import LEVELS, MEASURES, Items
from adjudge.evaluate.tuning.tuning import Tuning, rows_of, spec_with_file, tune, tune_items

__all__ = [
    "COLUMNS",
    "LEVELS",
    "MEASURES",
    "UNITS",
    "HeldOut",
    "Items",
    "Tuning",
    "gather",
    "rows_of",
    "spec_with_file",
    "tune",
    "tune_items",
]
