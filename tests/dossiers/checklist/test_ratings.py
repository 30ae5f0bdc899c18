"""Points of ratings: each passes, fails or is unknown for a reason."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.dossiers.checklist import Provenance, checklist
from adjudge.errors import UsageError
from adjudge.human.results import RatingAnalysis
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.planning.power import power_for
from helpers.checklists import analysed, campaign, filled, verdicts
from helpers.judged import ratings


class TestRatings:
    def test_bored_judges_fail_until_they_are_left_out(self) -> None:
        judgements = campaign(attentive=False)
        kept = filled(analysed(judgements))["judge reliability"]
        assert kept[0] == "fail"
        assert "2 of 2 annotators do not tell" in kept[1]
        declarations = {"reliability": "professionals", "context": "document"}
        declared = filled(analysed(judgements), declared=declarations)["judge reliability"]
        assert declared[0] == "fail"
        assert "although professionals was declared" in declared[1]
        others = replace(campaign(), annotator=NameColumn(("v", "w"), campaign().annotator.codes))
        mixed = Judgements.joined([judgements, others])
        left = filled(analysed(mixed, drop_failed=True))["judge reliability"]
        assert left == (
            "pass",
            "2 of 2 annotators tell damaged translations from whole ones; 2 who failed were left out",
        )

    def test_who_was_not_controlled_is_not_known(self) -> None:
        random = np.random.default_rng(1)
        more = ratings([("z", s, str(i), random.normal(70, 10)) for i in range(50) for s in ("human", "mt")])
        verdict, evidence = filled(analysed(Judgements.joined([campaign(), more])))["judge reliability"]
        assert verdict == "unknown"
        assert "2 of 3 annotators tell damaged" in evidence
        assert "1 had too few of them to tell" in evidence

    @pytest.mark.parametrize(
        ("noise", "shared", "verdict"), [(1.0, 5.0, "pass"), (10.0, 4.0, "unknown"), (10.0, 0.0, "fail")]
    )
    def test_agreement_stands_in_for_control_items(self, noise: float, shared: float, verdict: str) -> None:
        random = np.random.default_rng(4)
        rows = []
        for item in range(300):
            for system in "ab":
                truth = random.normal(70, 10 if noise < 5 else shared)
                rows += [(who, system, str(item), truth + random.normal(0, noise)) for who in "xyz"]
        result = filled(analysed(ratings(rows)))["judge reliability"]
        assert result[0] == verdict
        assert "no damaged translations were judged; Krippendorff's alpha between annotators is" in result[1]

    def test_nothing_is_known_of_a_single_judge(self) -> None:
        bare = ratings([("x", s, str(i), 50.0 + i % 7 + (s == "a")) for i in range(20) for s in "ab"])
        assert verdicts(checklist(analysed(bare), Provenance())) == {
            "creation direction": "unknown",
            "judge reliability": "unknown",
            "level and context": "unknown",
            "language pairs": "unknown",
            "domain": "unknown",
            "sample size": "unknown",
            "n and N": "pass",
            "statistic": "unknown",
            "clusters": "unknown",
        }

    @pytest.mark.parametrize("unit", ["translation", "document", "annotator", "document,annotator"])
    def test_size_of_a_test_of_means_is_by_what_was_drawn(self, unit: str) -> None:
        """Power by scipy's noncentral t, with the standard error of the documents or annotators there are."""
        random = np.random.default_rng(4)
        lean = {"document": random.normal(0, 5, 30), "annotator": random.normal(0, 5, 10)}
        rows, labels = [], []
        for document in range(30):
            for segment in range(10):
                hard = random.normal(0, 10)
                for who in (document % 10, (document + 3) % 10):
                    for s in "ab":
                        tilt = (s == "a") * (lean["document"][document] + lean["annotator"][who])
                        score = 50 + hard + tilt + random.normal(0, 4)
                        rows.append((f"w{who}", s, f"{document}.{segment}", float(score)))
                        labels.append(f"d{document}")
        judgements = ratings(rows).labelled("document", NameColumn.of(labels))
        result = analysed(judgements, score="raw", unit=unit)
        verdict, evidence = filled(result)["sample size"]
        method = "clustered-t" if "," in unit else "randomisation"
        kinds = {"translation": ""}.get(unit, " of " + " and ".join(f"{name}s" for name in unit.split(",")))
        assert f"({method}{kinds}, two-sided)" in evidence
        count = {"translation": 300, "document": 30}.get(unit, 10)
        scores = np.array([s.mean for s in result.segments()]).reshape(2, -1)
        deviation = math.sqrt(scores.var(1).mean())
        # All documents, annotators and cells of both are of one size: the mean of means is the mean.
        ahead = np.array([a[3] - b[3] for a, b in zip(rows[::2], rows[1::2], strict=True)]).reshape(30, 10, 2)
        who = np.add.outer(np.arange(30), (0, 3)) % 10
        means = {
            "translation": ahead.mean(2).ravel(),
            "document": ahead.mean((1, 2)),
            "annotator": np.array([ahead.mean(1)[who == entry].mean() for entry in range(10)]),
        }
        squared = {name: of.var(ddof=1) / len(of) for name, of in means.items()}
        squared["document,annotator"] = (
            squared["document"] + squared["annotator"] - ahead.mean(1).var(ddof=1) / 60
        )
        error = math.sqrt(squared[unit])
        shift = math.sqrt(2) * stats.norm.ppf(0.55) * deviation / error
        power = stats.nct.sf(stats.t.ppf(0.975, count - 1), count - 1, shift)
        text = float(evidence.partition("gives a power of ")[2][:4])
        assert text == pytest.approx(power, abs=0.005)
        assert verdict == ("pass" if text >= 0.8 else "fail")
        worth = int(evidence.partition("worth ")[2].split()[0].replace(",", ""))
        assert worth == pytest.approx(2 * (deviation / error) ** 2, abs=0.51)
        assert (worth > 300) == (unit == "translation")
        assert (
            f"80 % takes n = {CampaignPlan().n(0.8, 0.45)} translations that have nothing in common (adjudge power)"
            in evidence
        )
        needed = int(evidence.partition("(adjudge power), or ")[2].partition(" ")[0].replace(",", ""))
        grown = count * needed / 300
        shift *= math.sqrt(needed / 300)
        assert stats.nct.sf(stats.t.ppf(0.975, grown - 1), grown - 1, shift) == pytest.approx(0.8, abs=0.003)

    def test_too_few_units_have_no_power(self) -> None:
        verdict, evidence = filled(analysed(campaign(600), unit="annotator"))["sample size"]
        assert verdict == "fail"
        assert "gives a power of 0.00 (randomisation of annotators" in evidence
        assert evidence.endswith(", with as many more annotators")

    def test_size_is_that_of_the_test_that_was_made(self) -> None:
        """The same power and n as `adjudge power` gives for two and for three systems, one-sided and uncorrected."""
        two, three = (analysed(campaign(600, systems=k), test="rank-sum") for k in (2, 3))
        for analysis, design in (
            (two, CampaignPlan()),
            (three, CampaignPlan(systems=3)),
            (
                analysed(campaign(600, systems=3), preset="wmt21"),
                CampaignPlan(correction="none", one_sided=True),
            ),
            (analysed(campaign(600), test="signed-rank"), CampaignPlan(test="signed-rank")),
            (
                analysed(campaign(600, systems=3), test="rank-sum", baseline="human"),
                CampaignPlan(systems=3, comparisons=2),
            ),
        ):
            verdict, evidence = filled(analysis)["sample size"]
            asked = power_for(design, n=600, effect=0.45)
            assert f"n = 600 translations of human gives a power of {asked.power:.2f} " in evidence
            assert f"80 % takes n = {design.n(0.8, 0.45):,}" in evidence
            assert verdict == ("pass" if asked.power >= 0.8 else "fail")
        assert filled(two)["sample size"][0] == "pass"
        assert filled(three)["sample size"][0] == "fail"
        assert filled(two, effect=0.49)["sample size"][0] == "fail"
        for wrong in (float("nan"), -1.0, 0.0, 0.5, 1.0, 5.0):
            with pytest.raises(UsageError, match="must lie between 0 and 1"):
                filled(two, effect=wrong)
        planned = {"planned": "600 by a pilot", "context": "document"}
        assert filled(two, declared=planned)["sample size"][1].endswith("; planned: 600 by a pilot")

    def test_one_system_has_nothing_to_be_told_from(self) -> None:
        points = filled(analysed(campaign(systems=1)))
        assert points["sample size"][0] == points["clusters"][0] == "unknown"

    def test_n_is_the_unit(self, rated: RatingAnalysis) -> None:
        assert filled(rated)["n and N"] == ("pass", "n is 1,000, N 2,000 a system; n was tested")
        judged = filled(analysed(campaign(100), unit="judgement"))["n and N"]
        assert judged[0] == "fail"
        assert "n is 100, N 200 a system, but every judgement was tested" in judged[1]
        means = ratings([("", s, str(i), 50.0 + i % 7 + (s == "a")) for i in range(20) for s in "ab"])
        assert filled(analysed(means))["n and N"][0] == "unknown"

    def test_raw_means_depend_on_who_judged_what(self, rated: RatingAnalysis) -> None:
        assert filled(rated)["statistic"][0] == "pass"
        assert filled(analysed(campaign(100), score="raw"))["statistic"][0] == "unknown"
        edits = replace(campaign(100), protocol="hter", higher_is_better=False)
        assert filled(analysed(edits))["statistic"] == (
            "pass",
            "mean over translations of HTER, whose unit is fixed",
        )

    def test_a_baseline_leaves_no_clusters(self, rated: RatingAnalysis) -> None:
        assert filled(rated)["clusters"] == (
            "pass",
            "1 cluster by clustered-t tests (two-sided, p ≤ 0.05, Holm)",
        )
        against = filled(analysed(campaign(100, systems=3), baseline="human"))["clusters"]
        assert against[0] == "fail"
        assert "against human only" in against[1]


def uneven(count: int, *, missing: int = 0) -> Judgements:
    """Two equal systems and annotators who favour one; the second system may lack items."""
    random = np.random.default_rng(4)
    taste = random.normal(0, 15, (count, 2))
    rows = [
        (f"p{who}", "AB"[s], str(item), float(60 + taste[who, s] + random.normal(0, 5)))
        for item in range(120)
        for who in [item % count]
        for s in (0, 1)
        if s == 0 or item >= missing
    ]
    return ratings(rows)


def test_clusters_fail_where_annotators_are_taken_as_independent() -> None:
    verdict, evidence = filled(analysed(uneven(8), score="raw", unit="translation"))["clusters"]
    assert verdict == "fail"
    assert "take judgements of one annotator as independent" in evidence
    assert filled(analysed(uneven(8), score="raw"))["clusters"][0] == "pass"


@pytest.mark.parametrize(
    ("people", "why"), [(2, "in these two annotators’ opinion"), (3, "equal systems apart in 25 %")]
)
def test_clusters_of_few_annotators_are_not_known_to_others(people, why) -> None:
    verdict, evidence = filled(analysed(uneven(people), score="raw"))["clusters"]
    assert (verdict, why in evidence) == ("unknown", True)


@pytest.mark.parametrize(
    ("missing", "verdict", "how"), [(30, "pass", "common"), (90, "unknown", "different")]
)
def test_unequal_sets_pass_only_on_common_items(missing, verdict, how) -> None:
    point = filled(analysed(uneven(8, missing=missing), score="raw"))["n and N"]
    assert point[0] == verdict
    assert f"B lacks {missing} items; pairs were compared on {how} items" in point[1]


@pytest.mark.parametrize("options", [{"preset": "wmt21"}, {"unit": "judgement"}])
def test_the_same_items_but_for_some_fail_where_each_system_has_its_own(options) -> None:
    assert filled(analysed(uneven(8, missing=30), score="raw", **options))["n and N"][0] == "fail"
    assert filled(analysed(uneven(8, missing=30), score="raw", **options))["clusters"][0] == "fail"


def test_clusters_of_unnamed_annotators_are_not_known() -> None:
    unnamed = replace(uneven(8), annotator=NameColumn.of([""] * len(uneven(8))))
    verdict, evidence = filled(analysed(unnamed, score="raw"))["clusters"]
    assert verdict == "unknown"
    assert "annotators are not named, so it is not known how often equal systems are told apart" in evidence
