"""Scores of systems by metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge import workspace
from adjudge.data import Outputs, ScoreMatrix, TestSet, languages
from adjudge.data.texts import empty_segments
from adjudge.display import Displayable
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Direction, Metric, Rows
from adjudge.stats.units import total
from adjudge.wording import are, pluralise

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

DEFAULT_METRICS = ("bleu", "chrf", "ter")
LONG_WORD = 6.0
"""Characters between two spaces, on average, from which on what stands there is no word of Chinese or Thai."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done and how many there are."""


@dataclass(frozen=True)
class TestSetFacts:
    """What a result says about the test set it was computed on."""

    __test__ = False

    name: str
    segments: int
    references: int
    fingerprint: str
    language: str = ""
    """The target language, where a metric depends on it."""
    language_from: str = ""
    """How that was known: `-l`, the tags of a file, a suffix, identification; empty where somebody said it."""
    level: str = ""
    """What is counted as a segment, where it is more: `document`, `window:3`."""

    def as_document(self) -> dict[str, Any]:
        """As it stands in a result: language and level only where they count."""
        return {
            name: value
            for name, value in asdict(self).items()
            if value or not name.startswith(("language", "level"))
        }


@dataclass(frozen=True)
class Score:
    """One system's score by one metric."""

    system: str
    run: str
    metric: str
    label: str
    score: float
    signature: str
    higher_is_better: bool | None
    decimals: int
    segments: Sequence[float] | None = None
    rows: Rows | None = field(default=None, compare=False, repr=False)
    """What the score is made from, a row a segment, where it was asked for."""

    @property
    def title(self) -> str:
        """The system's name, with its run where it has one."""
        return f"{self.system} (run {self.run})" if self.run else self.system


@dataclass(frozen=True)
class RunMean:
    """The mean of one system's training runs by one metric, and how far they lie apart."""

    system: str
    metric: str
    score: float
    deviation: float
    """Standard deviation of the runs (n − 1 below the line)."""
    runs: int


@dataclass(frozen=True)
class Scores(Displayable):
    """All systems by all metrics, and what a reader should know before believing them."""

    test_set: TestSetFacts
    results: tuple[Score, ...]
    warnings: tuple[str, ...] = ()
    means: tuple[RunMean, ...] = ()
    """One for every metric and every system that has more than one run."""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False, compare=False)
    """Of the segments, `length` among them, where rows were asked for."""

    def display(self) -> Displayable:
        """Scores as they are shown."""
        from adjudge.comparison.score_display import ScoreDisplay  # late: scores may be shown nowhere

        return ScoreDisplay(self)

    def segment_matrix(self, metric: str) -> ScoreMatrix:
        """Segment scores by one metric, systems × segments; they must have been asked for (`segments=True`)."""
        chosen = [r for r in self.results if r.metric == metric]
        if not chosen:
            raise unknown_name("metric", metric, {r.metric for r in self.results})
        scores = [r.segments for r in chosen if r.segments is not None]
        if not scores:
            raise UsageError("there are no segment scores; ask for them: score(..., segments=True)")
        return ScoreMatrix(tuple(r.title for r in chosen), np.array(scores))

    def sorted_by(self, metric: str) -> Scores:
        """The scores with the best system first; several runs of a system count by their mean."""
        chosen = next((r for r in self.results if r.metric == metric), None)
        if chosen is None:
            raise unknown_name("metric to sort by", metric, {r.metric for r in self.results})
        value = {r.system: r.score for r in self.results if r.metric == chosen.metric}
        value |= {m.system: m.score for m in self.means if m.metric == chosen.metric}

        def place(result: Score) -> tuple[bool, float]:
            number = value[result.system]
            missing = math.isnan(number)
            return missing, 0.0 if missing else -number if chosen.higher_is_better else number

        return replace(self, results=tuple(sorted(self.results, key=place)))

    def without_segments(self) -> Scores:
        """The scores without those of single segments."""
        return replace(self, results=tuple(replace(result, segments=None) for result in self.results))


def score(
    test_set: TestSet,
    outputs: Iterable[Outputs] | Outputs,
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    *,
    segments: bool = False,
    rows: bool = False,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    engine: Any = None,
) -> Scores:
    """Score every output by every metric; with `segments`, every segment as well; with `rows`, keep the rows.

    A single output or metric need not stand in a list. An `engine` is the address of a Dask scheduler, a Dask client or
    cluster; scores are the same to the last bit.
    """
    outputs = (outputs,) if isinstance(outputs, Outputs) else tuple(outputs)
    chosen, test_set = resolve_metrics(metrics, test_set)
    check(test_set, outputs, chosen)
    with workspace.notes_of_block() as notes:
        compute = row_functions(chosen, test_set, outputs, threads, cache, progress, engine)
        results = _results(test_set, outputs, chosen, compute, segments, rows, progress)
    ordered = tuple(results[key] for key in sorted(results))
    warnings = (*language_warnings(chosen, test_set), *_warnings(test_set, outputs), *notes)
    labels: Mapping[str, Sequence[str]] = {}
    if rows:
        from adjudge.comparison.groups import LENGTH, labels_of  # late: groups load what tests need

        labels = labels_of(test_set, (LENGTH,))
    return Scores(facts_of(test_set, chosen), ordered, warnings, tuple(run_means(ordered)), labels)


def _results(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metrics: Sequence[Metric],
    functions: Sequence[Callable[[Outputs], Rows]],
    segments: bool,
    rows: bool,
    progress: Progress | None,
) -> dict[tuple[int, int], Score]:
    """Every output's score by every metric, by the places of both."""
    results: dict[tuple[int, int], Score] = {}
    steps = len(metrics) * len(outputs)
    for m, metric in enumerate(metrics):
        signature, compute = metric.signature(test_set), functions[m]
        for o, output in enumerate(outputs):
            if progress:
                progress(f"{metric.label} of {output.title}", m * len(outputs) + o, steps)
            own = compute(output)
            results[o, m] = Score(
                system=output.system,
                run=output.run,
                metric=metric.spec,
                label=metric.label,
                score=float(metric.aggregate(total(own))),
                signature=signature,
                higher_is_better=metric.direction.higher_is_better,
                decimals=metric.decimals,
                segments=tuple(map(float, metric.for_segments().aggregate(own))) if segments else None,
                rows=own if rows else None,
            )
    workspace.current().end_dry_run()
    if progress:
        progress("done", steps, steps)
    return results


def row_functions(
    metrics: Sequence[Metric],
    test_set: TestSet,
    outputs: Sequence[Outputs],
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    engine: Any = None,
) -> list[Callable[[Outputs], Rows]]:
    """A function from outputs to their rows for every metric: computed here when asked for, or by an engine now."""
    here = [rows_by(metric, test_set, threads, cache) for metric in metrics]
    if engine is None or engine == "local" or workspace.current().dry_run:
        return here
    from adjudge.engine.engines import engine_of, rows_by_engine

    with engine_of(engine, threads) as opened:
        known = rows_by_engine(opened, metrics, test_set, outputs, cache, progress)
    place = {id(output): o for o, output in enumerate(outputs)}

    def of(m: int, output: Outputs) -> Rows:
        rows = known.get((m, place.get(id(output), -1)))
        return here[m](output) if rows is None else rows

    return [partial(of, m) for m in range(len(metrics))]


def rows_by(
    metric: Metric, test_set: TestSet, threads: int = 0, cache: RowCache | None = None
) -> Callable[[Outputs], Rows]:
    """A function from outputs to their rows: from the cache, or computed and put there."""
    prepared: list[Any] = []  # by the first output that the cache does not know

    def compute(output: Outputs) -> Rows:
        known = None if cache is None else cache.get(metric, test_set, output.segments)
        if known is not None:
            return known
        if not prepared:
            prepared.append(metric.prepare(test_set))
        with workspace.use(workspace.with_settings(subject=output.title)):
            rows = metric.stats(prepared[0], output.segments, threads=threads)
        if cache is not None:
            cache.put(metric, test_set, output.segments, rows)
        return rows

    return compute


def sort_metric(name: str, metrics: Sequence[Metric]) -> Metric:
    """The metric a spec string means, to sort by; options may be left out where the name is clear."""
    wanted = metric_of(name)
    alike = [metric for metric in metrics if type(metric) is type(wanted)]
    if wanted not in alike and len(alike) == 1 and not wanted.options():
        wanted = alike[0]
    if wanted not in metrics:
        raise UsageError(f"{name!r} is not one of the metrics scored: {', '.join(m.spec for m in metrics)}")
    if wanted.direction is Direction.NEITHER:
        raise UsageError(f"cannot sort by {wanted.spec}: neither high nor low is better")
    return wanted


def resolve_metrics(
    metrics: Iterable[Metric | str] | Metric | str, test_set: TestSet
) -> tuple[list[Metric], TestSet]:
    """The metrics asked for, each once, as they are for the test set; and the test set with its language.

    A language that nobody has said is identified where a metric follows it.
    """
    asked = [metrics] if isinstance(metrics, Metric | str) else metrics
    chosen = [metric_of(m) if isinstance(m, str) else m for m in asked]
    if isinstance(test_set, TestSet):
        followers = [m for m in chosen if isinstance(m, Metric) and m.follows_language]
        if followers and not test_set.language:
            from adjudge.text.identification import with_language  # late: most languages are known

            test_set = with_language(test_set, model=any(m.needs_language for m in followers))
        chosen = [m.for_test_set(test_set) if isinstance(m, Metric) else m for m in chosen]
    return list(dict.fromkeys(chosen)), test_set


def facts_of(test_set: TestSet, metrics: Sequence[Metric] = ()) -> TestSetFacts:
    """What results say about this test set; its language where one of the metrics depends on it."""
    facts = TestSetFacts(
        test_set.name,
        len(test_set),
        len(test_set.references),
        test_set.fingerprint,
        level=test_set.level,
    )
    target = languages.target(test_set.language) if test_set.language and metrics else ""
    if not any(metric.depends_on(target) for metric in metrics):
        return facts
    return replace(facts, language=target, language_from=test_set.language_from)


def check(test_set: TestSet, outputs: Sequence[Outputs], metrics: Sequence[Metric]) -> None:
    """Refuse what cannot be scored, and say why."""
    if not isinstance(test_set, TestSet):
        raise UsageError(f"the first argument is {type(test_set).__name__}, not a TestSet")
    for output in outputs:
        if not isinstance(output, Outputs):
            raise UsageError(
                f"a system's output is {type(output).__name__}; write Outputs(name, list of segments)"
            )
    for metric in metrics:
        if not isinstance(metric, Metric):
            raise UsageError(f"{metric!r} is no metric; write its name, as in 'bleu', or make one")
    if not len(test_set):
        raise DataError("the test set has no segments; there is nothing to score")
    if not outputs:
        raise UsageError("no system output to score")
    if not metrics:
        raise UsageError("no metric to score with (adjudge score --list)")
    titles = [output.title for output in outputs]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(f"two outputs are called {title!r}; name them apart: NAME=FILE")
    for output in outputs:
        if len(output) != len(test_set):
            raise DataError(
                f"{output.title} has {pluralise(len(output), 'segment')}, but the test set has {len(test_set)}"
            )
    for metric in metrics:
        if "references" in metric.needs and not test_set.references:
            raise UsageError(f"{metric.title} needs a reference (-r)")
        if "sources" in metric.needs and test_set.sources is None:
            raise UsageError(f"{metric.title} needs the source (-s)")


def language_warnings(metrics: Sequence[Metric], test_set: TestSet) -> list[str]:
    """A language that was only identified, and metrics that find no words where there are no spaces."""
    warnings = identified_language(metrics, test_set)
    blind = [metric.label for metric in metrics if metric.splits_at_spaces]
    if not blind:
        return warnings
    from adjudge.text.identification import share_of_spaceless

    sample = "".join(segment or "" for column in test_set.references for segment in column[:100])
    if share_of_spaceless(sample) >= 0.3 and len(sample) >= LONG_WORD * len(sample.split()):
        warnings.append(
            f"{' and '.join(blind)}: words are what stands between spaces, and this text has few; cut it into words or "
            "characters: bleu(tokenize=char), ter(normalized=true,asian_support=true), wer(tokenize=zh)"
        )
    return warnings


def identified_language(metrics: Sequence[Metric], test_set: TestSet) -> list[str]:
    """A warning where scores rest on a language that nobody has said."""
    facts = facts_of(test_set, metrics)
    if not facts.language_from.startswith("identified"):
        return []
    labels = " and ".join(m.label for m in metrics if m.depends_on(facts.language))
    return [f"{labels}: the target language is {facts.language}, {facts.language_from}; -l makes sure"]


def run_means(results: Sequence[Score]) -> list[RunMean]:
    """The mean of the runs of every system that has several, by every metric."""
    runs: dict[tuple[str, str], list[float]] = {}
    for result in results:
        runs.setdefault((result.system, result.metric), []).append(result.score)
    return [
        RunMean(system, metric, *_mean_and_deviation(scores), len(scores))
        for (system, metric), scores in runs.items()
        if len(scores) > 1
    ]


def _mean_and_deviation(scores: Sequence[float]) -> tuple[float, float]:
    import statistics  # late: it takes long to load, and few systems have several runs

    # statistics.stdev refuses what is not finite.
    finite = all(map(math.isfinite, scores))
    return statistics.fmean(scores), statistics.stdev(scores) if finite else math.nan


def _warnings(test_set: TestSet, outputs: Sequence[Outputs]) -> list[str]:
    references = test_set.references
    pairs = {(i, j) for j in range(len(references)) for i in range(j) if references[i] == references[j]}
    return empty_warnings(
        [output.title for output in outputs],
        [empty_segments(output.segments) for output in outputs],
        [empty_segments(column) for column in references],
        len(test_set),
        pairs,
    )


def empty_warnings(
    titles: Sequence[str],
    empty_outputs: Sequence[int],
    empty_references: Sequence[int],
    segments: int,
    same: set[tuple[int, int]],
) -> list[str]:
    """Warnings of segments without text, and of reference sets (numbered from 0) that are the same."""
    empties = [(title, n, "; scored all the same") for title, n in zip(titles, empty_outputs, strict=True)]
    empties += [(f"reference {i}", n, "") for i, n in enumerate(empty_references, 1)]
    warnings = [
        f"{name}: {count} of {pluralise(segments, 'segment')} {are(count)} empty{remark}"
        for name, count, remark in empties
        if count
    ]
    first = {j: min(i for i, other in same if other == j) for _, j in sorted(same)}
    warnings += [f"references {i + 1} and {j + 1} are the same, yet count as two" for j, i in first.items()]
    return warnings
