"""Faults that need no judge: numbers and placeholders lost, words left untranslated, text that turns in circles.

Each kind is counted in rows (faulty, all), so that it has an interval and can be tested like a score. The references go
through the same: what they "get wrong" is what the kind mistakes for a fault.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from adjudge.analysis.members import Members, no_members
from adjudge.checks.contents import addresses_of, digits_of, numbers_of
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.metrics.base import Rows, divide
from adjudge.stats import multiple
from adjudge.stats.ratios import RatioTest, ratio_test
from adjudge.stats.resampling import Estimate, estimate, resampled_scores

Found = tuple[list[str], int]
"""What is faulty in a segment, and how many things there could be."""
Find = Callable[[Sequence[str], Sequence[str]], list[Found]]
REFERENCE = "reference"
_MARKUP = re.compile(
    r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>"  # <b>, </b>, <br/>
    r"|\{\{?[\w.:-]*\}?\}"  # {0}, {name}, {{name}}
    r"|%(?:\(\w+\))?[#0 +-]*\d*(?:\.\d+)?[sdifgxu@](?![\w])"  # %s, %(name)d, %.2f
    r"|\$\{?[A-Za-z_]\w*\}?"  # $NAME, ${NAME}
    r"|&[a-z]+;|&#\d+;"  # &amp;
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SHORTEST_WORD = 4
"""Letters of a word that counts as untranslated; shorter ones are alike in many languages by chance."""
CIRCLE = 4
"""Words of a phrase that comes again and again."""
TURNS = 2
"""How many times more often than the source's most frequent phrase (Guerreiro et al. 2023: top n-gram, 4 and 2)."""
DETACHED = 4
"""Words of an output that stands for several different sources."""
EXAMPLES = 5


@dataclass(frozen=True)
class FaultKind:
    """One kind of fault: how many of what there can be, and how many there are."""

    name: str
    meaning: str
    of: str
    """What it is a share of."""
    find: Find
    """From sources and outputs to what is faulty in each segment."""


@dataclass(frozen=True)
class FaultExample:
    """One segment with a fault."""

    segment: int
    """From 1."""
    what: tuple[str, ...]


@dataclass(frozen=True)
class SystemFault:
    """One kind of fault in one text."""

    system: str
    faults: int
    of: int
    rate: float
    """In percent; NaN where there is nothing that could be faulty."""
    low: float
    high: float
    segments: int
    """Segments with at least one."""
    delta: float
    """Against the first system; NaN of that and of the reference."""
    p_value: float
    p_adjusted: float
    significant: bool
    examples: tuple[FaultExample, ...]
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments with at least one."""


@dataclass(frozen=True)
class Fault:
    """One kind of fault in all texts, the reference last."""

    name: str
    meaning: str
    of: str
    systems: tuple[SystemFault, ...]


@dataclass(frozen=True)
class Faults:
    """All kinds of faults."""

    systems: tuple[str, ...]
    kinds: tuple[Fault, ...]
    segments: int
    alpha: float


@dataclass(frozen=True, eq=False)
class FaultCounts:
    """What is faulty in every segment of every text, the reference's last."""

    systems: tuple[str, ...]
    texts: tuple[str, ...]
    """The systems, and the reference where there is one."""
    rows: Mapping[tuple[str, str], Rows]
    """By kind and text: faults and how many there could be, a row a segment."""
    places: Mapping[tuple[str, str], Sequence[FaultExample]]
    """By kind and text: the segments that have any."""


def fault_counts(test_set: TestSet, outputs: Sequence[Outputs]) -> FaultCounts:
    """The faults of every output and of the first reference that can be seen from the source, segment by segment."""
    if test_set.sources is None:
        raise UsageError("faults are seen beside the source: -s FILE")
    sources = list(test_set.sources)
    texts = {output.title: list(output.segments) for output in outputs}
    systems = tuple(texts)
    if test_set.references:
        texts[REFERENCE] = [text or "" for text in test_set.references[0]]
    rows: dict[tuple[str, str], Rows] = {}
    places: dict[tuple[str, str], list[FaultExample]] = {}
    for kind in KINDS:
        for name, segments in texts.items():
            segment_faults = kind.find(sources, segments)
            rows[kind.name, name] = np.array([[len(own), of] for own, of in segment_faults], float)
            places[kind.name, name] = [
                FaultExample(i + 1, tuple(own)) for i, (own, _) in enumerate(segment_faults) if own
            ]
    return FaultCounts(systems, tuple(texts), rows, places)


def faults(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    resamples: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
) -> Faults:
    """The faults of every output and of the first reference that can be seen from the source."""
    return faults_of(fault_counts(test_set, outputs), resamples=resamples, seed=seed, alpha=alpha)


def faults_of(
    counts: FaultCounts, *, resamples: int = 1000, seed: int = 12345, alpha: float = 0.05
) -> Faults:
    """The same of faults that are counted: rates with intervals, and tests against the first system."""
    systems, rows = counts.systems, counts.rows
    tests: dict[tuple[str, str], RatioTest] = {}
    for kind in KINDS:
        for name in systems[1:]:
            own, first = rows[kind.name, name], rows[kind.name, systems[0]]
            test = ratio_test((own[:, 0], own[:, 1], first[:, 0], first[:, 1]))
            if math.isfinite(test.p_value):
                tests[kind.name, name] = test
    p_values = multiple.adjusted([test.p_value for test in tests.values()])
    adjusted = dict(zip(tests, map(float, p_values), strict=True))
    keys = list(rows)
    drawn = resampled_scores([rows[key] for key in keys], share, resamples=resamples, seed=seed)
    kinds = []
    for kind in KINDS:
        shown = []
        for name in counts.texts:
            key = (kind.name, name)
            interval = estimate(float(share(rows[key].sum(0))), drawn[:, keys.index(key)], level=1 - alpha)
            shown.append(
                _system_fault(
                    name, rows[key], interval, counts.places[key], tests.get(key), adjusted.get(key), alpha
                )
            )
        kinds.append(Fault(kind.name, kind.meaning, kind.of, tuple(shown)))
    segments = len(next(iter(rows.values())))
    return Faults(systems, tuple(kinds), segments, alpha)


def share(sums: Rows) -> Rows:
    """Faults in percent of what could be faulty."""
    return 100.0 * divide(sums[..., 0], sums[..., 1], otherwise=np.nan)


def _system_fault(
    name: str,
    rows: Rows,
    interval: Estimate,
    examples: Sequence[FaultExample],
    test: RatioTest | None,
    adjusted: float | None,
    alpha: float,
) -> SystemFault:
    number, of = (int(value) for value in rows.sum(0))
    return SystemFault(
        system=name,
        faults=number,
        of=of,
        rate=float(share(rows.sum(0))) if of else math.nan,
        low=interval.low if of else math.nan,
        high=interval.high if of else math.nan,
        segments=len(examples),
        delta=100 * test.delta if test else math.nan,
        p_value=test.p_value if test else math.nan,
        p_adjusted=math.nan if adjusted is None else adjusted,
        significant=adjusted is not None and adjusted < alpha,
        examples=tuple(examples[:EXAMPLES]),
        members=np.flatnonzero(rows[:, 0]),
    )


def _lost_numbers(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        ([number for number in sorted(wanted) if number not in digits_of(output)], len(wanted))
        for output, wanted in zip(outputs, map(numbers_of, sources), strict=True)
    ]


def _new_numbers(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        ([number for number in sorted(own) if number not in digits_of(source)], len(own))
        for source, own in zip(sources, map(numbers_of, outputs), strict=True)
    ]


def _lost(
    items: Callable[[str], Counter[str]],
) -> Callable[[Sequence[str], Sequence[str]], list[Found]]:
    def find(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
        pairs = zip(map(items, sources), map(items, outputs), strict=True)
        return [(sorted((wanted - own).elements()), wanted.total()) for wanted, own in pairs]

    return find


def _untranslated(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """Words that begin with a small letter, which names do not, and stand in the source as they are."""
    segments = []
    for source, output in zip(sources, outputs, strict=True):
        known = set(_WORD.findall(source))
        words = [w for w in _WORD.findall(output) if len(w) >= SHORTEST_WORD and w[0].islower()]
        segments.append(([word for word in words if word in known], len(words)))
    return segments


def _circling(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    segments: list[Found] = []
    for source, output in zip(sources, outputs, strict=True):
        phrase, times = _top_phrase(output)
        segments.append(([phrase] if times - _top_phrase(source)[1] >= TURNS else [], 1))
    return segments


def _top_phrase(segment: str) -> tuple[str, int]:
    """The phrase that comes most often, and how often; characters are words where there are no spaces."""
    words = segment.split()
    if len(words) * 20 < len(segment):
        words = list(segment)
    phrases = Counter(" ".join(words[i : i + CIRCLE]) for i in range(len(words) - CIRCLE + 1))
    return phrases.most_common(1)[0] if phrases else ("", 0)


def _doubled(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """A word twice in a row, where the source has nothing twice in a row."""
    return [
        ([] if _twice(source) else _twice(output)[:1], 1)
        for source, output in zip(sources, outputs, strict=True)
    ]


def _twice(segment: str) -> list[str]:
    words = _WORD.findall(segment)
    return [b for a, b in pairwise(words) if a.lower() == b.lower() and len(b) > 1]


def _detached(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """The same text for several different sources."""
    sources_of: dict[str, set[str]] = {}
    for source, output in zip(sources, outputs, strict=True):
        sources_of.setdefault(output, set()).add(source)
    return [
        ([output] if len(sources_of[output]) > 1 and len(output.split()) >= DETACHED else [], 1)
        for output in outputs
    ]


def _empty(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        (["nothing"] if source.strip() and not output.strip() else [], 1)
        for source, output in zip(sources, outputs, strict=True)
    ]


KINDS = (
    FaultKind(
        "numbers lost",
        "numbers of the source, in whatever format, that are not there",
        "numbers",
        _lost_numbers,
    ),
    FaultKind("numbers invented", "numbers that the source has not", "numbers of the output", _new_numbers),
    FaultKind(
        "addresses lost",
        "web and e-mail addresses",
        "addresses",
        _lost(lambda segment: Counter(addresses_of(segment))),
    ),
    FaultKind(
        "markup lost",
        "tags, placeholders and variables",
        "tags and placeholders",
        _lost(lambda segment: Counter(_MARKUP.findall(segment))),
    ),
    FaultKind("untranslated", "words of the source as they are", "words of the output", _untranslated),
    FaultKind("in circles", "a phrase of four words again and again", "segments", _circling),
    FaultKind("word twice", "the same word twice in a row", "segments", _doubled),
    FaultKind("detached", "the same text for different sources", "segments", _detached),
    FaultKind("empty", "nothing at all", "segments", _empty),
)
