"""Evaluations that the tests of the checklist start from."""

import pytest

from adjudge.human.ranking_results import RankingAnalysis
from adjudge.human.results import RatingAnalysis
from helpers.checklists import PANEL, analysed, campaign, compared, ranked


@pytest.fixture(scope="module")
def rated() -> RatingAnalysis:
    return analysed(campaign(1000, people=PANEL), margin=0.2)


@pytest.fixture(scope="module")
def chosen() -> RankingAnalysis:
    return ranked(compared(people=PANEL), margin=0.2)
