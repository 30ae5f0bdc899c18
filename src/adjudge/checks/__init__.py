"""What is wrong with these files, before anyone trusts a score.

A check is a function with the decorator `check` in one of the files here, each a family of checks; it gets a
`Corpus` and yields findings. `lint` reads files, also those that io refuses; `examine` takes what is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.checks.findings import (
    SEVERITIES,
    Finding,
    LintReport,
    Severity,
    by_severity,
    severity_counts,
    summary_line,
    without_notes,
)
from adjudge.checks.registry import Check, checks, select_checks
from adjudge.wording import join_names, pluralise

if TYPE_CHECKING:
    from adjudge.checks.corpus import Corpus
    from adjudge.data import Outputs, TestSet
    from adjudge.io import Input

__all__ = [
    "SEVERITIES",
    "Check",
    "Finding",
    "LintReport",
    "Severity",
    "checks",
    "examine",
    "lint",
    "severity_counts",
    "summary_line",
    "without_notes",
]

# What these find in a shifted or shuffled file is only that it is shifted or shuffled.
LINE_BY_LINE = frozenset(("repeated", "lengths", "cut-off", "numbers", "addresses", "brackets"))


def lint(
    test_set: TestSet | str | None = None,
    outputs: Sequence[Outputs] = (),
    *,
    skip: Iterable[str] = (),
    training: Sequence[str] = (),
    command: str = "",
    **files: Any,
) -> LintReport:
    """All that is wrong with files, also such as `adjudge.load` refuses, or with a test set and outputs at hand.

    Files are given as to `adjudge.load` (`references`, `systems`, `source`, …); `skip` names checks to leave out;
    `training` files that a system was trained on, of any size.
    """
    from adjudge.checks.reading import Files, corpus_of, read_corpus

    wanted = select_checks(skip)
    inputs: tuple[Input, ...] = ()
    if test_set is not None and not isinstance(test_set, str):
        corpus = corpus_of(test_set, outputs, inputs)
    else:
        corpus, inputs = read_corpus(Files(test_set=test_set, **files))
    return _report(replace(corpus, training=tuple(training)), wanted, inputs, command)


def examine(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    inputs: Sequence[Input] = (),
    skip: Iterable[str] = (),
    training: Sequence[str] = (),
    languages: bool = False,
    command: str = "",
) -> LintReport:
    """What is wrong with data that are loaded; languages, which take longest, are identified on request.

    `inputs` are the files the data came from (`Loaded.inputs`), by which findings name them; `training` are files that
    a system was trained on.
    """
    from adjudge.checks.reading import corpus_of

    wanted = select_checks({*skip, *(() if languages else ("language",))})
    corpus = replace(corpus_of(test_set, outputs, inputs), training=tuple(training))
    return _report(corpus, wanted, tuple(inputs), command)


def _report(corpus: Corpus, wanted: Sequence[Check], inputs: tuple[Input, ...], command: str) -> LintReport:
    if not len(corpus):  # nothing stands beside anything
        corpus = replace(corpus, sources=None, references=(), outputs=(), labels={}, astray=corpus.everything)
    findings = [finding for check in wanted for finding in check.run(corpus)]
    findings = _without_consequences(findings)
    order = [check.name for check in wanted]
    looked_through = tuple(corpus.training) if "contamination" in order else ()
    return LintReport(by_severity(findings, order), inputs, _looked_at(corpus), command, looked_through)


def _without_consequences(findings: list[Finding]) -> list[Finding]:
    """What is left once lines that stand in the wrong place are not held against others line by line."""
    misplaced = [f for f in findings if f.check == "order" and f.severity == "error"]
    systems = {finding.system for finding in misplaced}
    everybody = "" in systems  # the reference or the source is at fault
    return [f for f in findings if f.check not in LINE_BY_LINE or not (everybody or f.system in systems)]


def _looked_at(corpus: Corpus) -> str:
    number = Counter(text.role for text in corpus.everything)
    parts = [
        pluralise(number["system"], "output") if number["system"] else "",
        pluralise(number["reference"], "reference") if number["reference"] else "",
        "the source" if number["source"] else "",
    ]
    present = [part for part in parts if part]
    named = join_names(present)
    segments = f" of {pluralise(len(corpus), 'segment')}" if len(corpus) else ""
    return f"{named}{segments}" if named else ""
