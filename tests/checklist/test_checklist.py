"""Nine points: each passes, fails or is unknown for a reason, and a claim needs all of them."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from adjudge.checklist import Checklist, Provenance, checklist
from adjudge.data.judgements import Judgements, Names
from adjudge.errors import UsageError
from adjudge.human.quality import ChoiceQuality
from adjudge.people.ranking_results import RankingAnalysis
from adjudge.people.rankings import analyse_rankings
from adjudge.people.ratings import analyse_ratings
from adjudge.people.results import RatingAnalysis
from adjudge.planning.design import Design
from adjudge.planning.power import power_for
from helpers.judged import ratings
from helpers.judging import rankings

NAMES = (
    "creation direction",
    "judge reliability",
    "level and context",
    "language pairs",
    "domain",
    "sample size",
    "n and N",
    "statistic",
    "clusters",
)
NEWS = Provenance(origins=("de",) * 700, domains=("news",) * 700)


def campaign(items: int = 700, gap: float = 0.0, attentive: bool = True, systems: int = 2) -> Judgements:
    """A person and systems, `gap` points below, judged by two annotators with control items."""
    random = np.random.default_rng(3)
    rows, kinds = [], []
    for item in range(items):
        for who in "xy":
            for system in ("human", "mt", "mt2")[:systems]:
                value = 70.0 - gap * (system != "human")
                rows.append((who, system, str(item), value + random.normal(0, 10)))
                kinds.append("ordinary")
            if item % 20 == 0:
                rows.append((who, "mt", str(item), 70.0 + random.normal(0, 3) - (50 if attentive else -5)))
                kinds.append("bad reference")
    return ratings(rows, kinds)


def compared(
    items: int = 1000, people: str = "xy", preferred: float = 0.5, agree: float = 0.9, systems: str = "hm"
) -> Judgements:
    """Every two systems side by side; people see the same truth and say so with some chance."""
    random = np.random.default_rng(5)
    names = {"h": "human", "m": "mt", "n": "mt2"}
    rows = []
    for item in range(items):
        for a, b in [(a, b) for i, a in enumerate(systems) for b in systems[i + 1 :]]:
            truth = 1 if random.random() < preferred else -1
            for who in people:
                answer = truth if random.random() < agree else int(random.integers(-1, 2))
                rows.append((who, names[a], names[b], str(item), answer))
    return rankings(rows)


def analysed(judgements: Judgements, **options: object) -> RatingAnalysis:
    return analyse_ratings(judgements, resamples=50, **options)  # type: ignore[arg-type]


def ranked(judgements: Judgements, **options: object) -> RankingAnalysis:
    return analyse_rankings(judgements, resamples=50, **options)  # type: ignore[arg-type]


def filled(
    analysis: RatingAnalysis | RankingAnalysis, provenance: Provenance = NEWS, **options: object
) -> dict[str, tuple[str, str]]:
    """Verdict and evidence of every point, of an evaluation that is sound unless told otherwise."""
    given = {"language": "de-en", "declared": {"context": "document"}} | options
    points = checklist(analysis, provenance, **given)  # type: ignore[arg-type]
    assert tuple(point.name for point in points.points) == NAMES
    return {point.name: (point.verdict, point.evidence) for point in points.points}


def verdicts(result: Checklist) -> dict[str, str]:
    return {point.name: point.verdict for point in result.points}


@pytest.fixture(scope="module")
def rated() -> RatingAnalysis:
    return analysed(campaign(), margin=0.2)


@pytest.fixture(scope="module")
def chosen() -> RankingAnalysis:
    return ranked(compared(), margin=0.2)


class TestSharedPoints:
    @pytest.mark.parametrize(
        ("origins", "language", "declared", "verdict", "evidence"),
        [
            (("de", "de"), "de-en", "", "pass", "2 segments forward"),
            (("de", "en"), "de-en", "", "fail", "1 segment forward, 1 reverse"),
            (("de", "de", "fr"), "de-en", "", "fail", "2 segments forward, 1 from a third language"),
            (("de", ""), "de-en", "", "unknown", "1 segment forward, 1 of unknown origin"),
            (("de", ""), "de-en", "forward", "pass", "declared: forward"),
            (("de", "en"), "de-en", "forward", "fail", "1 reverse, although forward was declared"),
            (("de", "en"), "", "", "unknown", "Say the pair"),
            ((), "de-en", "", "unknown", "no label says"),
            ((), "de-en", "forward", "pass", "declared: forward"),
            ((), "de-en", "de", "pass", "declared: de"),
            ((), "de-en", "en", "fail", "declared: en"),
            ((), "de-en", "both", "fail", "declared: both"),
        ],
    )
    def test_direction(
        self,
        rated: RatingAnalysis,
        origins: Sequence[str],
        language: str,
        declared: str,
        verdict: str,
        evidence: str,
    ) -> None:
        declarations = {"origin": declared} if declared else {}
        points = filled(rated, Provenance(origins=tuple(origins)), language=language, declared=declarations)
        assert points["creation direction"][0] == verdict
        assert evidence in points["creation direction"][1]

    @pytest.mark.parametrize(
        ("contexts", "declared", "verdict", "evidence"),
        [
            ({}, "", "unknown", "do not say"),
            ({}, "document", "pass", "declared: document"),
            ({}, "segment", "fail", "declared: segment"),
            ({"document": 10}, "", "pass", "the files say document"),
            ({"segment": 10}, "", "fail", "all 10 judgements"),
            ({"segment": 4, "document": 6}, "", "fail", "4 of 10 judgements"),
            ({"segment": 4, "document": 6}, "document", "fail", "although document was declared"),
            ({"": 4, "document": 6}, "", "unknown", "of 4 judgements"),
            ({"paragraph": 6}, "", "unknown", "paragraph"),
            ({"paragraph": 6}, "document", "pass", "declared"),
        ],
    )
    def test_context(
        self, rated: RatingAnalysis, contexts: dict[str, int], declared: str, verdict: str, evidence: str
    ) -> None:
        declarations = {"context": declared} if declared else {}
        result = filled(rated, Provenance(contexts=contexts), declared=declarations)["level and context"]
        assert result[0] == verdict
        assert evidence in result[1]

    @pytest.mark.parametrize(
        ("pairs", "language", "declared", "verdict", "evidence"),
        [
            ((), "de-en", "", "pass", "de-en"),
            (("cs-en",), "", "", "pass", "cs-en"),
            ((), "en", "", "unknown", "--language"),
            ((), "", "German to English", "pass", "German to English"),
            (
                ("cs-en", "de-en"),
                "de-en",
                "",
                "fail",
                "2 pairs are taken together in one score: cs-en and de-en",
            ),
        ],
    )
    def test_languages(
        self,
        rated: RatingAnalysis,
        pairs: tuple[str, ...],
        language: str,
        declared: str,
        verdict: str,
        evidence: str,
    ) -> None:
        declarations = {"languages": declared} if declared else {}
        result = filled(rated, Provenance(languages=pairs), language=language, declared=declarations)[
            "language pairs"
        ]
        assert result[0] == verdict
        assert evidence in result[1]

    @pytest.mark.parametrize(
        ("domains", "declared", "verdict", "evidence"),
        [
            (("news", "speech"), "", "pass", "news and speech"),
            (("news", ""), "", "unknown", "1 of 2 segments have no domain"),
            ((), "", "unknown", "no label"),
            ((), "news", "pass", "declared: news"),
            (("news",), "News", "pass", "declared: News"),
            (("news",), "medicine", "fail", "the labels say news"),
        ],
    )
    def test_domain(
        self, rated: RatingAnalysis, domains: tuple[str, ...], declared: str, verdict: str, evidence: str
    ) -> None:
        declarations = {"domain": declared} if declared else {}
        domain = filled(rated, Provenance(domains=domains), declared=declarations)["domain"]
        assert domain[0] == verdict
        assert evidence in domain[1]

    def test_labels_of_what_counts(self) -> None:
        """Control items say nothing of the test set; words for contexts are understood, others are kept."""
        judgements = ratings(
            [("x", "a", "1", 1.0), ("x", "a", "2", 2.0), ("x", "b", "1", 3.0), ("x", "a", "9", 0.0)],
            ["ordinary", "ordinary", "ordinary", "bad reference"],
            labels={
                "origin": Names.of(["de", None, "de", "en"]),
                "domain": Names.of(["news", "talk", "news", "web"]),
                "languages": Names.of(["de-en", "de-en", "de-en", "cs-en"]),
                "type": Names.of(["sentence", "document", "sentence", "sentence"]),
            },
        )
        result = Provenance.of(judgements)
        assert result.origins == ("de", "")
        assert result.domains == ("news", "talk")
        assert result.languages == ("de-en",)
        assert result.contexts == {"segment": 2, "document": 1}
        changed = judgements.labelled("type", Names.of(["new", "old", "new", "new"]))
        assert Provenance.of(changed).contexts == {}
        marked = judgements.labelled("level", Names.of(["segment", "document", "segment", "segment"]))
        assert Provenance.of(marked).contexts == {"document": 3}
        assert Provenance.of(ratings([("x", "a", "1", 1.0)])) == Provenance()


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
        others = replace(campaign(), annotator=Names(("v", "w"), campaign().annotator.codes))
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
            "clusters": "pass",
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
        judgements = ratings(rows).labelled("document", Names.of(labels))
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
        needed = int(evidence.partition("80 % takes n = ")[2].partition(" ")[0].strip(",").replace(",", ""))
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
        two, three = (analysed(campaign(600, systems=k), method="rank-sum") for k in (2, 3))
        for analysis, design in (
            (two, Design()),
            (three, Design(systems=3)),
            (analysed(campaign(600, systems=3), custom="wmt21"), Design(correction="none", one_sided=True)),
            (analysed(campaign(600), method="signed-rank"), Design(test="signed-rank")),
            (
                analysed(campaign(600, systems=3), method="rank-sum", baseline="human"),
                Design(systems=3, comparisons=2),
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
        assert filled(rated)["n and N"] == ("pass", "n is 700, N 1,400 a system; n was tested")
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
            "1 cluster by randomisation tests (two-sided, p < 0.05, Holm)",
        )
        against = filled(analysed(campaign(100, systems=3), baseline="human"))["clusters"]
        assert against[0] == "fail"
        assert "against human only" in against[1]


class TestRankings:
    def test_all_points_can_pass(self, chosen: RankingAnalysis) -> None:
        points = filled(chosen)
        assert {verdict for verdict, _ in points.values()} == {"pass"}
        assert points["n and N"][1] == (
            "n is 1,000 items, N 2,000 comparisons a pair of systems; items were tested"
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
        design = Design(test="sign", ties=pair.ties / 300, systems=3)
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
        assert filled(ranked(compared(40, systems=systems), method=method))["statistic"][0] == verdict

    def test_systems_that_never_met_are_in_no_cluster(self) -> None:
        rows = [("x", a, b, str(i), (-1) ** i) for i in range(20) for a, b in (("a", "b"), ("c", "d"))]
        clusters = filled(ranked(rankings(rows)))["clusters"]
        assert clusters == ("fail", "the systems fall into 2 groups that were never compared with each other")
        tied = [*(row for row in rows if row[1] == "a"), ("x", "c", "a", "1", 0)]
        assert filled(ranked(rankings(tied)))["clusters"] == ("fail", "c has no score and no rank")


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
        for make in (lambda **o: analysed(campaign(), **o), lambda **o: ranked(compared(), **o)):
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
        for analysis in (analysed(campaign(gap=5)), ranked(compared(preferred=0.7), unit="item")):
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


def test_wrong_names_are_refused(rated: RatingAnalysis) -> None:
    with pytest.raises(UsageError, match="'context'"):
        checklist(rated, NEWS, declared={"contxt": "document"})
    with pytest.raises(UsageError, match="segment and document"):
        checklist(rated, NEWS, declared={"context": "none"})
    with pytest.raises(UsageError, match="forward, reverse, both"):
        checklist(rated, NEWS, declared={"origin": "fr"}, language="de-en")
    with pytest.raises(UsageError, match="human-parity"):
        checklist(rated, NEWS, claim="parity!")
    with pytest.raises(UsageError, match="did you mean 'mt'"):
        checklist(rated, NEWS, claim="human-parity", human="mtt")
