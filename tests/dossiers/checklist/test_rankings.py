"""Points of rankings: each passes, fails or is unknown for a reason."""

from dataclasses import replace

import pytest

from adjudge.human.quality import ChoiceQuality
from adjudge.human.ranking_results import RankingAnalysis
from adjudge.planning.campaign_plan import CampaignPlan
from helpers.checklists import compared, filled, ranked
from helpers.judging import rankings


class TestRankings:
    def test_all_points_can_pass(self, chosen: RankingAnalysis) -> None:
        points = filled(chosen)
        assert {verdict for verdict, _ in points.values()} == {"pass"}
        assert points["n and N"][1] == (
            "n is 1,000 items, N 2,000 comparisons a pair of systems; items and annotators were tested"
        )
        assert points["statistic"][1] == "of two systems, the chance to be preferred to one of the others"

    @pytest.mark.parametrize(("agree", "verdict"), [(0.9, "pass"), (0.35, "unknown"), (0.0, "fail")])
    def test_reliability_is_agreement(self, agree: float, verdict: str) -> None:
        analysis = ranked(compared(600, agree=agree))
        kappa = analysis.agreement.inter.empirical
        result = filled(analysis)["judge reliability"]
        assert result[0] == verdict
        assert f"kappa between annotators is {kappa.value:.3f} ({kappa.words}, " in result[1]
        declared = filled(analysis, declared={"reliability": "professionals"})["judge reliability"]
        assert declared[0] == ("fail" if verdict == "fail" else "pass")

    def test_who_prefers_damage_is_not_reliable(self) -> None:
        ranking = ranked(compared(200))
        missed = replace(ranking, controls=(ChoiceQuality("x", 1, 1, 1), ChoiceQuality("y", 9, 1, 0)))
        verdict, evidence = filled(missed)["judge reliability"]
        assert verdict == "fail"
        assert evidence.startswith(
            "x did not prefer whole outputs to damaged ones in most cases and still counts"
        )

    def test_one_judge_agrees_with_nobody(self) -> None:
        points = filled(ranked(compared(people="x")))
        assert points["judge reliability"][0] == "unknown"
        assert points["n and N"][0] == "pass"

    def test_size_is_that_of_the_sign_test(self) -> None:
        analysis = ranked(compared(300, people="x", agree=0.6, systems="hmn"))
        pair = min(analysis.groups[0].pairs, key=lambda p: p.n_translations)
        design = CampaignPlan(test="sign", tie_share=pair.ties / 300, systems=3)
        verdict, evidence = filled(analysis)["sample size"]
        assert verdict == "fail"
        assert f"gives a power of {design.power(300, 0.45):.2f} (sign test, two-sided, " in evidence
        assert f"80 % takes n = {design.n(0.8, 0.45):,}" in evidence

    def test_nothing_but_ties_has_no_size(self) -> None:
        ties = rankings([("x", "human", "mt", str(i), 0) for i in range(20)])
        points = filled(ranked(ties))
        assert points["sample size"][0] == "unknown"
        assert points["clusters"][0] == "unknown"

    def test_judgements_of_the_same_items_are_no_items(self) -> None:
        verdict, evidence = filled(ranked(compared(100), unit="pair"))["n and N"]
        assert verdict == "fail"
        assert "n is 100 items, N 200 comparisons a pair of systems" in evidence
        assert "leave --unit out" in evidence
        assert filled(ranked(compared(100)))["n and N"][0] == "pass"

    @pytest.mark.parametrize(
        ("systems", "method", "verdict"),
        [
            ("hm", "expected-wins", "pass"),
            ("hm", "trueskill", "fail"),
            ("hmn", "expected-wins", "fail"),
            ("hmn", "better", "fail"),
            ("hmn", "at-least-as-good", "fail"),
            ("hmn", "bradley-terry", "pass"),
        ],
    )
    def test_scores_that_depend_on_who_took_part(self, systems: str, method: str, verdict: str) -> None:
        assert filled(ranked(compared(40, systems=systems), ranking=method))["statistic"][0] == verdict

    def test_systems_that_never_met_are_in_no_cluster(self) -> None:
        rows = [("x", a, b, str(i), (-1) ** i) for i in range(20) for a, b in (("a", "b"), ("c", "d"))]
        clusters = filled(ranked(rankings(rows)))["clusters"]
        assert clusters == ("fail", "the systems fall into 2 groups that were never compared with each other")
        tied = [*(row for row in rows if row[1] == "a"), ("x", "c", "a", "1", 0)]
        assert filled(ranked(rankings(tied)))["clusters"] == ("fail", "c has no score and no rank")
