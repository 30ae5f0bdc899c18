"""METEOR's parameters fitted to judgements, and whether that helps on judgements it has not seen."""

from adjudge.tuning.gathering import COLUMNS, UNITS, gather
from adjudge.tuning.held_out import HeldOut
from adjudge.tuning.items import LEVELS, MEASURES, Items
from adjudge.tuning.tuned_parameters import Tuning
from adjudge.tuning.tuning import (
    TuningOptions,
    rows_of,
    spec_with_file,
    tunable,
    tune,
    tune_items,
    tune_outputs,
)

__all__ = [
    "COLUMNS",
    "LEVELS",
    "MEASURES",
    "UNITS",
    "HeldOut",
    "Items",
    "Tuning",
    "TuningOptions",
    "gather",
    "rows_of",
    "spec_with_file",
    "tunable",
    "tune",
    "tune_items",
    "tune_outputs",
]
