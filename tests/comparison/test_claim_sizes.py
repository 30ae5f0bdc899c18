"""Every claim says whether its difference exceeds a margin, or the same text says why it does not."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import adjudge
from adjudge.comparison.claims import claims, margin_claims
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.plan import Plan
from adjudge.comparison.study_display import measure_sections
from adjudge.history.gate import Gate, GateFinding
from adjudge.history.version_lines import HistoryLine, Step, Version
from adjudge.human.rankings import analyse_rankings
from adjudge.report.pages.report import sets as dossier_sets
from adjudge.stats.equivalence import Equivalence
from helpers.comparisons import FACTS, TEST, comparison, many
from helpers.dossiers import example_study, ranked_study
from helpers.rankings import compared

SOURCES = Path(adjudge.__file__).parent
CLAIM = re.compile(
    r"(?:is|are) (?:better|worse) than|(?:is|are) preferred to|(?:better|WORSE|worse) (?:\(|than)|"
    r"significantly worse"
)
"""What says that a system is better or worse than another."""
SIZE = re.compile(
    r"people (?:usually|probably|may not|hardly) notice|the (?:margin|tolerance) of|must be to matter is not known"
)
DENIES = re.compile(r"no group of them is better|Name both")
"""What claims nothing, or explains a claim that stands above it."""
ONCE = re.compile(r"How large a difference in .+ must be to matter is not known")
"""The reason, said once for all claims of a text."""
MARGIN = Equivalence(0.5, 0.1, 2.0, 0.9, 0.6, 0.01, 0.9, 0.05)


def of_scores(scores, **options) -> Sequence[str]:
    return comparison(scores, **options).claims


def with_margin(scores) -> Sequence[str]:
    own = comparison(scores)
    view = PairwiseView(own.results, tuple(replace(p, margin=MARGIN) for p in own.pairs), own.test)
    return claims(view, own.design)


def by_an_unknown_metric() -> Sequence[str]:
    own = comparison({"bleu": {"A": 53.6, "B": 50.0}})
    results = tuple(replace(s, metric="ours", label="Ours") for s in own.results)
    pairs = tuple(replace(p, metric="ours") for p in own.pairs)
    return claims(PairwiseView(results, pairs, own.test), own.design)


def by_ranks() -> Sequence[str]:
    """Ranks prefer the system whose mean is the worse one."""
    own = comparison({"bleu": {"A": 53.6, "B": 52.0}}, method="signed-rank")
    pairs = tuple(replace(p, share=0.2) for p in own.pairs)
    return claims(PairwiseView(own.results, pairs, own.test), own.design)


def of_rankings(**options) -> Sequence[str]:
    judged = compared(("x", "y", 20, 5, 2), ("y", "z", 9, 0, 11), ("x", "z", 30, 1, 1))
    return analyse_rankings(judged, resamples=50, **options).groups[0].claims


def finding(**changes) -> GateFinding:
    numbers = dict.fromkeys(("low", "high", "p", "p_adjusted"), 0.01)
    own = GateFinding(
        "new", "old", "bleu", "BLEU", 30.0, 29.0, -1.0, **numbers, significant=True, detectable=0.5,
        verdict="worse", higher_is_better=True, decimals=1,
    )  # fmt: skip
    return replace(own, **changes)


def of_gate(margin: float = 0.0, **changes) -> Sequence[str]:
    own = Gate("old.json", {FACTS.name: FACTS}, (finding(**changes),), TEST, margin)
    return own.sentences()


def of_study_gate(metric: str) -> Sequence[str]:
    own = finding(metric=metric, label=metric, sets=2)
    facts = {"a": FACTS, "b": FACTS}
    return [Gate("old.json", facts, (own,), TEST, 0.0, study="s").decision()]


def of_history(metric: str) -> Sequence[str]:
    first, second = (
        Version(SimpleNamespace(id=n), f"v{n}", 0.0, 30.0, 29.0, 31.0, 1, 0)
        for n in (1, 2)  # type: ignore[arg-type]
    )
    second = replace(second, step=Step(1, -1.0, 0.01, 0.01, "worse"))
    line = HistoryLine("news", "mt", metric, metric.upper(), True, 1, 100, (first, second))
    return line.sentences(SimpleNamespace(plan=Plan(), tolerance=0.0))  # type: ignore[arg-type]


def of_study(metric: str) -> Sequence[str]:
    result = example_study().study
    tables = tuple(replace(table, metric=metric) for table in result.tables)
    sections = measure_sections(replace(result, tables=tables))
    return [sentence for section in sections for sentence in section.sentences]


def of_ranked_study() -> Sequence[str]:
    sections = dossier_sets.rankings_sections(ranked_study("b", "b"))
    return [sentence for section in sections for sentence in section.sentences]


CASES: dict[str, Callable[[], Sequence[str]]] = {
    "a pair": lambda: of_scores({"bleu": {"A": 53.6, "B": 52.4}}),
    "by some metrics": lambda: of_scores({"bleu": {"A": 53.6, "B": 51.4}, "chrf": {"A": 60.0, "B": 60.1}}),
    "a contradiction": lambda: of_scores({"bleu": {"A": 53.6, "B": 51.0}, "chrf": {"A": 60.0, "B": 63.0}}),
    "many systems": lambda: many(12).claims,
    "a single best of many": lambda: of_scores(
        {"bleu": {"A": 60.0, "B": 50.0, "C": 49.9, "D": 49.8, "E": 49.7}}
    ),
    "one cluster": lambda: of_scores({"bleu": {"A": 51.0, "B": 50.9, "C": 50.8, "D": 50.7, "E": 49.3}}),
    "contradictions of many": lambda: of_scores(
        {"bleu": dict(zip("ABCDE", range(5), strict=True)), "ter": dict(zip("ABCDE", range(5), strict=True))}
    ),
    "a baseline": lambda: of_scores({"bleu": {"A": 53.6, "B": 50.0}}, baseline="B"),
    "many and a baseline": lambda: of_scores(
        {"bleu": dict(zip("ABCDEFGH", range(50, 58), strict=True))}, baseline="D"
    ),
    "a margin": lambda: with_margin({"bleu": {"A": 53.6, "B": 50.0}}),
    "many and a margin": lambda: with_margin({"bleu": dict(zip("ABCDE", range(5), strict=True))}),
    "an unknown metric": by_an_unknown_metric,
    "ranks": by_ranks,
    "margins alone": lambda: margin_claims(([("A", "B", MARGIN)], "BLEU", 1)),
    "rankings": of_rankings,
    "rankings and a margin": lambda: of_rankings(margin=0.1),
    "a gate": of_gate,
    "a gate and a margin": lambda: of_gate(0.5),
    "a drop that is tolerated": lambda: of_gate(2.0, verdict="tolerated"),
    "a gate by an unknown metric": lambda: of_gate(metric="ours"),
    "a gate of a study": lambda: of_study_gate("bleu"),
    "a gate of a study by an unknown metric": lambda: of_study_gate("ours"),
    "a history": lambda: of_history("bleu"),
    "a history by an unknown metric": lambda: of_history("ours"),
    "a study": lambda: of_study("chrf"),
    "a study by an unknown metric": lambda: of_study("ours"),
    "a study of rankings": of_ranked_study,
}
NO_CLAIM = {
    "_upsets@claims": "explains a claim about two systems that stands above it",
    "verdict_sentence@verdict": "the verdict, which `matter_sentence` or the claims follow",
    "_better@verdict": "part of the verdict",
    "_better_in_part@verdict": "part of the verdict",
    "leads@verdict": "part of the verdict",
    "opinion@verdict": "part of the verdict",
    "not_shown@verdict": "part of the verdict",
    "_rest@verdict": "part of the verdict",
    "_winner_headline@words": "the manager's verdict; “Does it matter?” follows",
    "verdict_headline@words": "the manager's verdict; “Does it matter?” follows",
    "_better_than_the_rest@words": "the manager's verdict; “Does it matter?” follows",
    "_beaten@words": "the manager's “How sure?”; “Does it matter?” stands before it",
    "sure_sentence@words": "the manager's “How sure?”; “Does it matter?” stands before it",
    "_lead_by_set@study_words": "counts sets; the page of each set has the claim",
    "decision@gate_result": "the exit code in words; a sentence per metric stands above it",
    **dict.fromkeys(
        ("_open@parity", "_evidence_line@parity", "_worse@parity"), "names the margin, or that none was given"
    ),
    "_side@comparison_words": "how it was tested",
    "legend@comparison_words": "how it was tested",
}
"""Functions with words of a claim in them that make none themselves, and why."""


SENTENCE = re.compile(r"\b(?:better|worse|WORSE) than\b|preferred to|significantly worse")
HINT = re.compile("better|worse|WORSE|preferred")


def makers() -> set[str]:
    """Functions that put systems' names and words of a claim together, by function and module."""
    names = set()
    for folder in ("comparison", "human", "dossiers", "history", "report"):
        for path in sorted((SOURCES / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not HINT.search(text):  # parsing takes long
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and any(map(_claims, ast.walk(node))):
                    names.add(f"{node.name}@{path.stem}")
    return names


def _claims(node: ast.AST) -> bool:
    """Whether a template of a sentence is a claim: names stand in it, and words of a claim."""
    if not isinstance(node, ast.JoinedStr):
        return False
    text = "".join(
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "A"
        for part in node.values
    )
    return bool(SENTENCE.search(text))


OTHER_SUBJECTS = {"shared_task", "catalogue"}
"""Modules whose claims are about metrics, judges, weights and estimates, not about systems' differences."""


@pytest.mark.parametrize("case", CASES)
def test_a_claim_says_whether_its_difference_matters(case: str) -> None:
    sentences = CASES[case]()
    claimed = [s for s in sentences if CLAIM.search(s) and not ONCE.search(s) and not DENIES.search(s)]
    reason = any(ONCE.search(s) for s in sentences)
    assert claimed or case == "margins alone"
    for sentence in claimed:
        assert SIZE.search(sentence) or reason, sentence


def test_both_halves_of_a_contradiction_say_it() -> None:
    loud = CASES["a contradiction"]()[0]
    assert loud.startswith("METRICS CONTRADICT EACH OTHER")
    assert len(SIZE.findall(loud)) == 2


def test_no_function_that_makes_claims_is_forgotten() -> None:
    """Each is called by a case above, or it is listed with the reason why its words need no clause."""
    called = set()

    def note(frame, event, _argument) -> None:
        if event == "call":
            called.add(f"{frame.f_code.co_name}@{Path(frame.f_code.co_filename).stem}")

    sys.setprofile(note)
    try:
        for case in CASES.values():
            case()
    finally:
        sys.setprofile(None)
    of_systems = {name for name in makers() if name.split("@")[1] not in OTHER_SUBJECTS}
    assert of_systems - called <= set(NO_CLAIM)
    assert set(NO_CLAIM) <= of_systems
