"""May a comparison be believed: each point passes and fails where it should."""

from dataclasses import replace

from adjudge.checks.findings import Finding, LintReport
from adjudge.comparison.verdict import comparison_verdict, decide
from adjudge.dossiers.soundness import soundness
from adjudge.stats.design import Balance, Design, Grouping
from helpers.dossiers import example_dossier


def verdicts(comparison=None, lint=None, people=None, **more):
    own = example_dossier()
    comparison = comparison or own.comparison
    points = soundness(comparison, comparison_verdict(comparison), lint or own.lint, people, **more).points
    return {point.name: point.verdict for point in points}


def test_tests_that_promise_too_much_do_not_pass() -> None:
    own = example_dossier().comparison
    torn = Design("segment", 173, groupings=(Grouping("document", 16, 1.4),))
    assert verdicts(replace(own, design=torn))["tests"] == "fail"


def test_what_is_known_of_the_examples() -> None:
    assert verdicts() == {
        "tests": "pass",
        "metrics": "pass",
        "people": "unknown",
        "settings": "pass",
        "files": "pass",
        "training": "unknown",
        "creation direction": "unknown",
        "size": "pass",
    }


def test_size_never_names_what_would_show_beside_a_larger_difference_that_was_missed() -> None:
    own = example_dossier().comparison

    def size(detectable: float, *, significant: bool) -> str:
        pairs = tuple(
            replace(pair, detectable=detectable * abs(pair.delta), significant=significant)
            for pair in own.pairs
        )
        comparison = replace(own, pairs=pairs, pairwise=None)
        points = soundness(comparison, comparison_verdict(comparison), example_dossier().lint, None).points
        return next(point.evidence for point in points if point.name == "size")

    assert " power" not in size(0.5, significant=False)
    assert " power" in size(2.0, significant=False)
    assert " power" in size(0.5, significant=True)


def test_where_people_decide_the_size_is_that_of_their_test() -> None:
    """Metrics may show a difference that people do not: the test is then too short for what decides."""
    own = example_dossier(people=True)
    assert own.verdict.by_people

    def size(significant: bool):
        relations = {
            pair: replace(
                known,
                differences=tuple(replace(each, significant=significant) for each in known.differences),
            )
            for pair, known in own.verdict.evidence.relations.items()
        }
        verdict = decide(replace(own.verdict.evidence, relations=relations))
        points = soundness(own.comparison, verdict, own.lint, own.people).points
        return next(point for point in points if point.name == "size")

    assert size(True).verdict == "pass"
    assert size(False).verdict == "unknown"
    assert size(False).evidence.startswith("people judged ")
    assert size(False).evidence.endswith("people do not tell them apart")


def test_tests_that_are_not_corrected_and_settings_that_differ() -> None:
    comparison = example_dossier().comparison
    loose = replace(comparison, test=replace(comparison.test, correction="none"), pairwise=None)
    assert verdicts(loose)["tests"] == "fail"
    first, *rest = comparison.results
    mixed = replace(comparison, results=(replace(first, signature="other"), *rest), pairwise=None)
    assert verdicts(mixed)["settings"] == "fail"


def test_one_metric_is_not_enough() -> None:
    comparison = example_dossier().comparison
    bleu = replace(
        comparison,
        results=tuple(s for s in comparison.results if s.metric == "bleu"),
        pairs=tuple(p for p in comparison.pairs if p.metric == "bleu"),
        pairwise=None,
    )
    assert verdicts(bleu)["metrics"] == "fail"


def test_files_with_errors_and_tests_that_were_trained_on() -> None:
    broken = LintReport((Finding("error", "order", "x is shifted"),), looked_at="1 output")
    assert verdicts(lint=broken)["files"] == "fail"
    seen = LintReport((Finding("warning", "contamination", "half of it was seen"),), looked_at="1 output")
    assert verdicts(lint=seen)["training"] == "fail"
    parts = LintReport(
        (Finding("note", "contamination", "parts of it"),), looked_at="1 output", training=("train.en",)
    )
    assert verdicts(lint=parts)["training"] == "unknown"
    clean = LintReport((), looked_at="1 output", training=("data/train.en",))
    assert verdicts(lint=clean)["training"] == "pass"


def test_origins_and_people() -> None:
    assert verdicts(origins=["pt", "pt"], language="pt-en")["creation direction"] == "pass"
    assert verdicts(origins=["pt", "en"], language="pt-en")["creation direction"] == "fail"
    assert verdicts(people=example_dossier(people=True).people)["people"] == "pass"


def test_one_annotator_does_not_make_a_test_large_enough() -> None:
    """Under "in this annotator's opinion only" the page said that the test set is large enough."""
    own = example_dossier(people=True)
    alone = Design("item", 60, balance=Balance(1, 0.0, False))
    relations = {
        pair: replace(known, differences=tuple(replace(each, significant=True) for each in known.differences))
        for pair, known in own.verdict.evidence.relations.items()
    }
    verdict = decide(replace(own.verdict.evidence, relations=relations, design=alone))
    assert verdict.certainty == "opinion"
    size = soundness(own.comparison, verdict, own.lint, own.people).points[-1]
    assert (size.name, size.verdict) == ("size", "unknown")
    assert size.evidence.endswith("people tell them apart in this annotator’s opinion")
