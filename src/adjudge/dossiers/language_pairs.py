"""Judgements of several language pairs: a system is good or bad in a pair, so each pair has an analysis of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adjudge.data.judgements import LANGUAGES, NONE, Judgements
from adjudge.display import Displayable
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.dossiers.analysis import Analysis
    from adjudge.human.ranking_results import RankingGroup
    from adjudge.human.results import RatingGroup


@dataclass(frozen=True)
class LanguagePairAnalyses(Displayable, Mapping[str, "Analysis"]):
    """An analysis of every language pair, by its name: systems are never ranked over several pairs."""

    pairs: Mapping[str, Analysis]
    warnings: tuple[str, ...]

    def __getitem__(self, pair: str) -> Analysis:
        return self.pairs[pair]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def display(self) -> Displayable:
        """All that is shown of it."""
        from adjudge.dossiers.analysis_display import AnalysisDisplay  # late: it may be shown nowhere

        return AnalysisDisplay(self, self.warnings)

    @property
    def groups(self) -> tuple[RatingGroup | RankingGroup, ...]:
        """Systems, pairs and claims of every language pair, which stands in `by`."""
        return tuple(
            replace(group, by={LANGUAGES: pair, **group.by})
            for pair, analysis in self.pairs.items()
            for group in analysis.groups
        )

    @property
    def claim_refused(self) -> bool:
        """Whether a claim was asked for that the evaluation cannot carry in some pair."""
        return any(analysis.claim_refused for analysis in self.pairs.values())


def without_pair(judgements: Judgements) -> list[str]:
    """What to say of judgements that name no language pair where others do."""
    number = int((judgements.labels[LANGUAGES].codes == NONE).sum())
    if not number:
        return []
    return [f"{pluralise(number, 'judgement')} without a language pair left out: others name theirs"]
