"""The choice from each list: by least Bayes risk, by the references, or by the model's own scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from adjudge.comparison import Progress, Scores, language_warnings, resolve_metrics, score
from adjudge.data import Outputs, TestSet
from adjudge.data.nbest import NBestLists
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.metrics.base import OVER_REFERENCES, Direction, Metric
from adjudge.reranking.approximation import (
    Approximation,
    ApproximationError,
    approximate_utilities,
    checked_segments,
    error_of,
)
from adjudge.reranking.result import HypothesisChoice, Reranking
from adjudge.reranking.utilities import TIE, Array, best, expected_utilities
from adjudge.wording import pluralise

RULES = ("mbr", "oracle", "model")
Value = TypeVar("Value")


def rerank(
    lists: NBestLists,
    utility: Metric | str = "chrf",
    *,
    rule: str = "mbr",
    weighted: bool = False,
    temperature: float = 1.0,
    approximation: Approximation | None = None,
    language: str = "",
    threads: int = 0,
    progress: Progress | None = None,
) -> Reranking:
    """Choose a hypothesis for every segment.

    `mbr` takes the one with the best expected utility, all hypotheses of its list being references: each as likely as
    any other, or (`weighted`) with the probability that the model's scores, divided by `temperature`, give it. `oracle`
    takes the best by the references, `model` the one with the best score. Of equals the first is taken.
    """
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES)
    metric, test_set = _metric_for(lists, utility, language)
    _check(lists, metric, rule, weighted, approximation)
    chooser = _Chooser(lists, metric, test_set, threads, progress)
    oracle = None if lists.without_reference() is not None else chooser.with_references()
    error = None
    if rule == "oracle":
        utilities = oracle or []
    elif rule == "model":
        utilities = chooser.split(lists.scores)
    else:
        probabilities = _probabilities(chooser.split(lists.scores), temperature) if weighted else None
        utilities = chooser.expected(probabilities, approximation)
        if approximation is not None and not approximation.is_exact:
            error = chooser.error(utilities, probabilities, approximation)
    higher = rule == "model" or metric.direction is Direction.HIGHER
    return Reranking(
        rule=rule,
        utility=metric.spec,
        label=metric.label,
        signature=metric.for_segments().signature(test_set),
        higher_is_better=higher,
        hypotheses=lists.begins[-1],
        distinct=sum(len(set(hypothesis)) for hypothesis in lists.hypotheses),
        choices=tuple(chooser.choices(utilities, higher=higher, tie=0.0 if rule == "model" else TIE)),
        first_utility=tuple(float(utility[0]) for utility in utilities),
        oracle=None
        if oracle is None
        else tuple(chooser.choices(oracle, higher=metric.direction is Direction.HIGHER)),
        approximation=None if approximation is None or approximation.is_exact else approximation,
        error=error,
        warnings=tuple(language_warnings([metric], test_set)),
    )


def _metric_for(lists: NBestLists, utility: Metric | str, language: str) -> tuple[Metric, TestSet]:
    """The metric as it is in the language of the lists; hypotheses stand in where there is no reference."""
    if lists.without_reference() is None:
        test_set = lists.test_set(language)
    else:
        first = tuple(hypothesis[0] for hypothesis in lists.hypotheses)
        test_set = TestSet(references=(first,), sources=lists.sources, language=language)
    (metric,), test_set = resolve_metrics(utility, test_set)
    return metric, test_set


def _check(
    lists: NBestLists, metric: Metric, rule: str, weighted: bool, approximation: Approximation | None
) -> None:
    """Refuse what cannot be answered, and say why."""
    if metric.direction is Direction.NEITHER:
        raise UsageError(f"{metric.spec} cannot be a utility: neither high nor low is better")
    if "trees" in metric.needs:
        raise UsageError(f"{metric.spec} cannot be a utility: it needs trees of every hypothesis")
    if metric.undivided.endswith(OVER_REFERENCES):
        raise UsageError(
            f"{metric.spec} cannot be a utility: {metric.undivided}, so what a hypothesis is worth would depend on all "
            "lists; chrf and bleu compare two texts by themselves"
        )
    if "sources" in metric.needs and lists.sources is None:
        raise UsageError(f"{metric.title} needs the source: 'source' in every line, or -s FILE")
    if rule == "mbr" and "references" not in metric.uses:
        raise UsageError(
            f"{metric.spec} reads no reference: there is no risk to weigh; a utility compares two texts, as chrf does"
        )
    if rule == "oracle" and (missing := lists.without_reference()) is not None:
        raise DataError(
            f"{lists.place(missing)} has no reference for the oracle: 'reference' in every line, or -r FILE"
        )
    if (rule == "model" or weighted) and lists.scores is None:
        raise UsageError(
            "the hypotheses have no scores of the model: 'scores' in every line, a score in Moses' format, or "
            "--weights FILE for their features"
        )
    if approximation is not None and not approximation.is_exact and metric.all_pairs(("a", "b")) is not None:
        raise UsageError(
            f"{metric.spec} is exact over all pairs at little cost: leave out --sample and --shortlist"
        )


def _probabilities(scores: list[Array], temperature: float) -> list[Array]:
    """Softmax of the model's scores, list by list."""
    if not temperature > 0:
        raise UsageError(f"a temperature of {temperature:g}: a number above 0 was expected")
    powers = [np.exp((values - values.max()) / temperature) for values in scores]
    return [power / power.sum() for power in powers]


@dataclass(frozen=True)
class _Chooser:
    """Utilities of all lists, and the choices that follow."""

    lists: NBestLists
    metric: Metric
    test_set: TestSet
    threads: int
    progress: Progress | None

    def split(self, numbers: Array | None) -> list[Array]:
        """Numbers of all hypotheses, list by list."""
        assert numbers is not None
        return np.split(numbers, self.lists.begins[1:-1])

    def with_references(self) -> list[Array]:
        """Segment scores of all hypotheses with the references of their segments."""
        spread = replace(self.lists.test_set(spread=True), language=self.test_set.language)
        rows = self.metric.stats(
            self.metric.prepare(spread), self.lists.all_hypotheses(), threads=self.threads
        )
        return self.split(self.metric.for_segments().aggregate(rows))

    def expected(self, probabilities: list[Array] | None, approximation: Approximation | None) -> list[Array]:
        """Expected utilities of every list."""
        if approximation is None or approximation.is_exact:
            return list(self._map_lists(lambda at: self._exact(at, probabilities)))
        return list(
            self._map_lists(
                lambda at: approximate_utilities(
                    self.metric,
                    self.lists.hypotheses[at],
                    None if probabilities is None else probabilities[at],
                    approximation,
                    segment=at,
                    source=self._source(at),
                    language=self.test_set.language,
                    threads=self.threads,
                )
            )
        )

    def error(
        self, utilities: list[Array], probabilities: list[Array] | None, approximation: Approximation
    ) -> ApproximationError | None:
        """What the approximation cost where the exact choice is made as well."""
        higher = self.metric.direction is Direction.HIGHER
        losses, same = [], []
        for at in checked_segments(len(self.lists), approximation).tolist():
            exact = self._exact(at, probabilities)
            chosen, wanted = best(utilities[at], higher=higher), best(exact, higher=higher)
            if chosen is None or wanted is None:
                continue
            texts = self.lists.hypotheses[at]
            losses.append(float(abs(exact[wanted] - exact[chosen])))
            same.append(texts[chosen] == texts[wanted])
        return error_of(losses, same)

    def choices(
        self, utilities: list[Array], *, higher: bool, tie: float = TIE
    ) -> Iterator[HypothesisChoice]:
        """The best hypothesis of each list; the first where the metric has nothing to say."""
        for texts, utility in zip(self.lists.hypotheses, utilities, strict=True):
            index = best(utility, higher=higher, tie=tie) or 0
            yield HypothesisChoice(index, texts[index], float(utility[index]))

    def _exact(self, at: int, probabilities: list[Array] | None) -> Array:
        return expected_utilities(
            self.metric,
            self.lists.hypotheses[at],
            None if probabilities is None else probabilities[at],
            source=self._source(at),
            language=self.test_set.language,
            threads=self.threads,
        )

    def _source(self, at: int) -> str | None:
        return None if self.lists.sources is None else self.lists.sources[at]

    def _map_lists(self, work: Callable[[int], Value]) -> Iterator[Value]:
        """Work on every list: side by side where the pairs are counted by the core, else its own threads are used."""
        count = len(self.lists)
        together = self.metric.all_pairs(("a", "b")) is not None
        workers = (self.threads or os.cpu_count() or 1) if together else 1
        with ThreadPoolExecutor(workers) as pool:
            results = pool.map(work, range(count)) if workers > 1 else map(work, range(count))
            for done, result in enumerate(results, 1):
                if self.progress:
                    self.progress(f"choosing from {pluralise(count, 'list')}", done, count)
                yield result


def rescore(
    lists: NBestLists,
    result: Reranking,
    metrics: Sequence[Metric | str] = (),
    *,
    language: str = "",
    threads: int = 0,
) -> Scores | None:
    """The scores of the first hypotheses, of those chosen and of the best by the references; None without any."""
    if result.oracle is None:
        return None
    columns = {"first": tuple(hypothesis[0] for hypothesis in lists.hypotheses)}
    columns[result.rule] = tuple(choice.hypothesis for choice in result.choices)
    columns["oracle"] = tuple(choice.hypothesis for choice in result.oracle)
    outputs = [Outputs(name, segments) for name, segments in columns.items()]
    return score(lists.test_set(language), outputs, metrics or [result.utility], threads=threads)
