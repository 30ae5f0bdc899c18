"""What parameters are fitted to and how the fit is judged: every option of a tuning, held against the judgements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.tuning.items import LEVELS, MEASURES


@dataclass(frozen=True)
class TuningOptions:
    """The options of `tune`; an empty name is what the judgements ask for."""

    level: str = "segment"
    correlation: str = ""
    """A correlation of `MEASURES`; by itself Pearson's, or WMT's tau where segments were ranked."""
    fold_by: str = ""
    """What a fold is made of: segments (by itself), documents, or systems, the only choice at their own level."""
    min_gap: float = 0.0
    """Tau of scores takes pairs of one segment's translations whose scores differ by so much at least."""
    folds: int = 5
    seed: int = 12345
    resamples: int = 1000
    first_segment: int = 1
    """The number that judgements give the first segment."""
    skip_unknown_systems: bool = False
    """Whether judgements of systems without outputs are left out."""

    def for_judgements(self, judgements: Judgements) -> TuningOptions:
        """The same with the measure and the unit that fit these judgements; an error where they make no sense."""
        if self.level not in LEVELS:
            raise unknown_name("level", self.level, LEVELS)
        if not len(judgements):
            raise DataError("no judgements to fit to")
        measure = self._measure_of(judgements)
        if self.level == "system" and self.fold_by not in ("", "system"):
            raise UsageError("at the level of systems, systems are held out: --fold-by system")
        unit = self.fold_by or ("system" if self.level == "system" else "segment")
        return replace(self, correlation=measure, fold_by=unit)

    def _measure_of(self, judgements: Judgements) -> str:
        """The correlation that was asked for, or the one that fits."""
        ranked = judgements.is_ranking and self.level == "segment"
        measure = self.correlation or ("tau" if ranked else "pearson")
        if measure not in MEASURES:
            raise unknown_name("correlation", measure, MEASURES)
        if ranked and measure != "tau":
            raise UsageError(
                "ranks of segments can be fitted by tau only, for they order translations of one segment and no others"
            )
        if self.level == "system" and measure == "tau":
            raise UsageError("tau is for translations of one segment; of systems there is kendall")
        return measure
