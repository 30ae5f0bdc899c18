"""Nine points: each passes, fails or is unknown for a reason, and a claim needs all of them."""

import numpy as np
import pytest

from adjudge.checklist import Checklist, checklist
from adjudge.data.judgements import Judgements, Names
from adjudge.errors import UsageError
from adjudge.evaluate.judging import Analysis, analyse
from judged import ratings


def campaign(items: int = 700, gap: float = 0.0, attentive: bool = True) -> Judgements:
    """A person and a system, `gap` points apart, judged by two annotators with control items."""
    random = np.random.default_rng(3)
    rows, kinds = [], []
    for item in range(items):
        for who in "xy":
            for system, value in (("human", 70.0), ("mt", 70.0 - gap)):
                rows.append((who, system, str(item), value + random.normal(0, 10)))
                kinds.append("ordinary")
            if item % 20 == 0:
                rows.append((who, "mt", str(item), 70.0 + random.normal(0, 3) - (50 if attentive else 0)))
                kinds.append("bad reference")
    return ratings(rows, kinds)


def analysed(judgements: Judgements, **options: object) -> Analysis:
    return analyse(judgements, resamples=50, **options)  # type: ignore[arg-type]


def verdicts(found: Checklist) -> dict[str, str]:
    return {point.name: point.verdict for point in found.points}


KNOWN = {
    "origins": ["de"] * 700,
    "domains": ["news"] * 700,
    "language": "de-en",
    "declared": {"context": "document"},
}


def test_a_sound_evaluation_may_claim_parity() -> None:
    found = checklist(analysed(campaign()), claim="human-parity", **KNOWN)  # type: ignore[arg-type]
    assert set(verdicts(found).values()) == {"pass"}
    assert len(found.points) == 9
    assert found.claim is not None
    assert found.claim.granted
    assert "mt: not shown to be worse than human" in found.claim.because[0]


def test_a_worse_system_may_not() -> None:
    found = checklist(analysed(campaign(gap=5)), claim="human-parity", **KNOWN)  # type: ignore[arg-type]
    assert set(verdicts(found).values()) == {"pass"}
    assert found.claim is not None
    assert not found.claim.granted
    assert found.claim.because == ("every system is worse than human",)


def test_what_is_not_known_is_unknown() -> None:
    bare = ratings([("x", s, str(i), 50.0 + i % 7 + (s == "a")) for i in range(20) for s in "ab"])
    found = verdicts(checklist(analysed(bare)))
    assert found == {
        "creation direction": "unknown",
        "judge reliability": "unknown",
        "level and context": "unknown",
        "language pairs": "unknown",
        "domain": "unknown",
        "sample size": "fail",
        "n and N": "pass",
        "statistic": "pass",
        "clusters": "pass",
    }


@pytest.mark.parametrize(
    ("change", "point", "verdict"),
    [
        ({"origins": ["de", "en"]}, "creation direction", "fail"),
        ({"origins": ["de", "fr"]}, "creation direction", "fail"),
        ({"origins": ["de", "en"], "language": ""}, "creation direction", "unknown"),
        ({"declared": {"origin": "forward"}, "origins": []}, "creation direction", "pass"),
        ({"declared": {"context": "segment"}}, "level and context", "fail"),
        ({"language": "en"}, "language pairs", "unknown"),
        ({"domains": []}, "domain", "unknown"),
        ({"domains": [], "declared": {"domain": "news"}}, "domain", "pass"),
        ({"effect": 0.49}, "sample size", "fail"),
    ],
)
def test_points_follow_what_is_known(change: dict[str, object], point: str, verdict: str) -> None:
    found = checklist(analysed(campaign()), **KNOWN | change)  # type: ignore[arg-type]
    assert verdicts(found)[point] == verdict


def test_bored_judges_fail_until_they_are_left_out() -> None:
    judgements = campaign(attentive=False)
    kept = checklist(analysed(judgements), **KNOWN)  # type: ignore[arg-type]
    assert verdicts(kept)["judge reliability"] == "fail"
    mixed = Judgements.joined([judgements, _renamed(campaign())])
    left = checklist(analysed(mixed, drop_failed=True), **KNOWN)  # type: ignore[arg-type]
    assert verdicts(left)["judge reliability"] == "pass"


def _renamed(judgements: Judgements) -> Judgements:
    from dataclasses import replace

    return replace(judgements, annotator=Names(("v", "w"), judgements.annotator.codes))


def test_judgements_as_units_and_raw_means_are_seen() -> None:
    by_judgement = verdicts(checklist(analysed(campaign(100), unit="judgement")))
    assert by_judgement["n and N"] == "fail"
    assert verdicts(checklist(analysed(campaign(100), score="raw")))["statistic"] == "unknown"


def test_wrong_names_are_refused() -> None:
    analysis = analysed(campaign(50))
    with pytest.raises(UsageError, match="'context'"):
        checklist(analysis, declared={"contxt": "document"})
    with pytest.raises(UsageError, match="segment and document"):
        checklist(analysis, declared={"context": "none"})
    with pytest.raises(UsageError, match="human-parity"):
        checklist(analysis, claim="parity!")
    with pytest.raises(UsageError, match="did you mean 'mt'"):
        checklist(analysis, claim="human-parity", human="mtt")
