"""Points that ratings and rankings share: direction, context, languages, domain."""

from collections.abc import Sequence

import pytest

from adjudge.dossiers.checklist import Provenance, checklist
from adjudge.errors import UsageError
from adjudge.human.results import RatingAnalysis
from helpers.checklists import NEWS, filled


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
    rated: RatingAnalysis, contexts: dict[str, int], declared: str, verdict: str, evidence: str
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
    rated: RatingAnalysis, domains: tuple[str, ...], declared: str, verdict: str, evidence: str
) -> None:
    declarations = {"domain": declared} if declared else {}
    domain = filled(rated, Provenance(domains=domains), declared=declarations)["domain"]
    assert domain[0] == verdict
    assert evidence in domain[1]


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
