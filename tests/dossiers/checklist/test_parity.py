"""To claim that a system is as good as a person takes all nine points, and equality that was shown."""

from adjudge.dossiers.checklist import Provenance, checklist
from adjudge.human.ranking_results import RankingAnalysis
from adjudge.human.results import RatingAnalysis
from helpers.checklists import NEWS, PANEL, analysed, campaign, compared, ranked, verdicts
from helpers.judged import ratings


class TestHumanParity:
    def test_a_sound_evaluation_may_claim_it(self, rated: RatingAnalysis, chosen: RankingAnalysis) -> None:
        for analysis in (rated, chosen):
            points = checklist(
                analysis, NEWS, language="de-en", declared={"context": "document"}, claim="human-parity"
            )
            assert set(verdicts(points).values()) == {"pass"}
            assert points.claim is not None
            assert points.claim.granted
            assert points.claim.open_points == ()
            assert points.claim.because[0].startswith(
                "mt: shown not to be worse than human by 0.2 or more (p "
            )
            assert "its lead is " in points.claim.because[0]

    def test_no_difference_found_is_not_parity(self) -> None:
        """Without a margin, or with one that the data cannot reach, nothing shows that two are the same."""
        for make in (
            lambda **o: analysed(campaign(1000, people=PANEL), **o),
            lambda **o: ranked(compared(people=PANEL), **o),
        ):
            for options, message in (
                ({}, "mt is not shown to be worse than human, which does not show that it is as good"),
                ({"margin": 0.001}, "mt is not shown to be within 0.001 of human"),
            ):
                points = checklist(
                    make(**options),
                    NEWS,
                    language="de-en",
                    declared={"context": "document"},
                    claim="human-parity",
                )
                assert set(verdicts(points).values()) == {"pass"}
                assert points.claim is not None
                assert not points.claim.granted
                assert points.claim.because[0].startswith(message)

    def test_a_worse_system_may_not(self) -> None:
        for analysis in (
            analysed(campaign(1000, gap=5, people=PANEL)),
            ranked(compared(preferred=0.7, people=PANEL)),
        ):
            points = checklist(
                analysis, NEWS, language="de-en", declared={"context": "document"}, claim="human-parity"
            )
            assert set(verdicts(points).values()) == {"pass"}
            assert points.claim is not None
            assert not points.claim.granted
            assert points.claim.because == ("mt is worse than human (p < 0.001)",)

    def test_open_points_are_named(self, rated: RatingAnalysis, chosen: RankingAnalysis) -> None:
        for analysis in (rated, chosen):
            points = checklist(analysis, Provenance(), language="de-en", claim="human-parity")
            assert points.claim is not None
            assert not points.claim.granted
            assert points.claim.open_points == ("creation direction", "level and context", "domain")
            assert points.claim.because == ()

    def test_who_is_the_person(self) -> None:
        for analysis in (
            analysed(campaign(60, systems=3)),
            ranked(compared(60, systems="hmn")),
        ):
            named = checklist(analysis, NEWS, claim="human-parity", human="mt2").claim
            assert named is not None
            assert all("mt2" in reason for reason in named.because)
        for names, message in (
            (("a", "b"), "No system is known"),
            (("refA", "ref-B"), "refA and ref-B could"),
        ):
            rows = [("x", s, str(i), 50.0 + i % 7 + (s == names[0])) for i in range(20) for s in names]
            claim = checklist(analysed(ratings(rows)), NEWS, claim="human-parity").claim
            assert claim is not None
            assert claim.because[-1].startswith(message)
            assert claim.because[-1].endswith("(--human NAME)")

    def test_a_system_that_was_not_compared_is_not_equal(self) -> None:
        against = checklist(
            analysed(campaign(60, gap=9, systems=3), baseline="mt"), NEWS, claim="human-parity"
        ).claim
        assert against is not None
        assert "mt2 was not compared with human" in against.because
        alone = checklist(analysed(campaign(60, systems=1)), NEWS, claim="human-parity").claim
        assert alone is not None
        assert alone.because == ("human is the only system",)
