"""What may be claimed from a comparison, also within a margin, and what limits it, in plain words.

What limits it (how little was sampled, run or tested, and what was not asked) stands among the claims; sentences
without which nothing should be believed are warnings as well, for whoever reads no claims.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.comparison.pairwise_view import PairwiseView, swap_pair
from adjudge.comparison.relevance import size_words, unknown_size
from adjudge.data import languages
from adjudge.data.origins import REVERSE, directions
from adjudge.errors import UsageError
from adjudge.stats.design import Design, unit_noun, units_of
from adjudge.stats.equivalence import Equivalence
from adjudge.stats.multiple import enough_trials
from adjudge.stats.runs import ENOUGH_RUNS
from adjudge.stats.significance import significant
from adjudge.wording import (
    CORRECTIONS,
    are,
    digits,
    join_names,
    largest_p,
    p_text,
    percent,
    pluralise,
    with_sign,
)

if TYPE_CHECKING:
    from adjudge.comparison.results import Pair, Standing, TestFacts
    from adjudge.stats.design import Design

FEW_PAIRS = 6
"""Up to so many pairs (four systems) each gets its sentence; of more, clusters are told and then exceptions."""
EXAMPLES = 4
"""How many pairs are told of each kind where there are many."""
NAMES = 8
"""How many names stand in a sentence."""


def claims(view: PairwiseView, design: Design, *, caveats: bool = True) -> tuple[str, ...]:
    """What the tests allow to say, strongest first, then what limits all of it.

    Systems are grouped so that the number of sentences does not grow with the number of pairs.
    """
    results, pairs, test = view.results, view.pairs, view.test
    refusal = design.refusal
    limits = _limits(view, design) if caveats else []
    sentences = too_few_trials(test, pairs) if pairs and test.floor else []
    if pairs and not any(pair.significant for pair in pairs):
        sentences += too_few_units(test, design)
    if pairs and refusal:
        sentences.append(f"Nothing is claimed: {refusal}.")
    if len(view.order) == 1:
        sentences.append(f"{next(iter(view.order))} is the only system: there is nothing to compare it with.")
    if any(math.isnan(standing.score) for standing in results):
        sentences += _without_score(view)
    if view.same:
        sentences += _same_scores(view)
    if not refusal:
        sentences += _each_pair(view) if len(view.open_pairs) <= FEW_PAIRS else _overview(view)
        if test.system_test.share is not None:
            sentences += _upsets(view)
    if len(view.directed) < len(view.metrics):
        sentences += _neutral(view)
    sentences += _unknown_sizes(view) if caveats and not refusal else []
    return (*sentences, *limits)


def _without_score(view: PairwiseView) -> list[str]:
    sentences = []
    for metric, standing in view.metrics.items():
        missing = [s.system for s in view.results if s.metric == metric and math.isnan(s.score)]
        if missing:
            verb = "has" if len(missing) == 1 else "have"
            sentences.append(
                f"{join_names(missing, NAMES)} {verb} no {standing.label} on {view.scope}: "
                "nothing can be said by that metric."
            )
    return sentences


def _same_scores(view: PairwiseView) -> list[str]:
    sentences = [
        f"{a} and {b} score the same on every segment ({view.labels(view.by_pair[a, b])}, p = 1): "
        "their outputs are the same, or differ in nothing that is measured."
        for a, b in view.same[:EXAMPLES]
    ]
    return sentences + _more(
        len(view.same), "pair of systems that score the same", "pairs of systems that score the same"
    )


def _each_pair(view: PairwiseView) -> list[str]:
    """A sentence a pair: contradictions first, then what is shown, then what is not."""
    loud, shown, partly, unclear = [], [], [], []
    for names, by_metric in view.open_pairs.items():
        winners = {view.winner(p) for p in by_metric.values()}
        if len(winners - {None}) > 1:
            loud.append(_contradiction(view, names, by_metric))
        elif winners == {None}:
            unclear.append(_not_told_apart(view, names, by_metric))
        elif None in winners:
            partly.append(_partly(view, _winner_first(view, by_metric)))
        else:
            shown.append(_better(view, _winner_first(view, by_metric)))
    return loud + shown + partly + unclear


def _upsets(view: PairwiseView) -> list[str]:
    """Where ranks were tested and scores say something else."""
    pairs = [
        pair for by_metric in view.open_pairs.values() for pair in by_metric.values() if view.is_upset(pair)
    ]
    sentences = []
    for pair in pairs[:EXAMPLES]:
        winner = view.winner(pair)
        loser = pair.b if winner == pair.a else pair.a
        label, better = view.metrics[pair.metric].label, view.scores_better(pair)
        score = (
            "the same mean" if better is None else f"the worse mean ({label} {view.gap(_from(pair, winner))})"
        )
        sentences.append(
            f"{winner} has {score}, and yet is the better one by ranks, which were tested: its translations are mostly "
            f"scored better than those of {loser}, but some far worse weigh down its mean. Name both; --test "
            "randomisation tests the mean."
        )
    return sentences + _more(
        len(pairs), "pair in which ranks and means disagree", "pairs in which ranks and means disagree"
    )


def _from(pair: Pair, system: str | None) -> Pair:
    return pair if pair.a == system else swap_pair(pair)


def _overview(view: PairwiseView) -> list[str]:
    """Many pairs: who leads by which metrics, then a few pairs of each kind that needs a word."""
    if view.test.baseline is not None:
        sentences = _against_baseline(view, view.test.baseline)
    else:
        sentences = _leaders(view)
    loud, partly, unclear = [], [], []
    for names, by_metric in view.open_pairs.items():
        winners = {view.winner(p) for p in by_metric.values()}
        if len(winners - {None}) > 1:
            loud.append((names, by_metric))
        elif winners == {None}:
            unclear.append((names, by_metric))
        elif None in winners:
            partly.append((names, by_metric))
    told = [_contradiction(view, names, by_metric) for names, by_metric in loud[:EXAMPLES]]
    told += _more(
        len(loud),
        "pair on which metrics contradict each other",
        "pairs on which metrics contradict each other",
    )
    sentences = told + sentences
    sentences += [_not_told_apart(view, names, by_metric) for names, by_metric in unclear[:EXAMPLES]]
    sentences += _more(len(unclear), "pair that cannot be told apart", "pairs that cannot be told apart")
    sentences += [_partly(view, _winner_first(view, by_metric)) for _, by_metric in partly[:EXAMPLES]]
    sentences += _more(
        len(partly), "pair that only some metrics tell apart", "pairs that only some metrics tell apart"
    )
    sentences.append(_count(view, loud=len(loud), partly=len(partly), unclear=len(unclear)))
    return sentences


def _count(view: PairwiseView, *, loud: int, partly: int, unclear: int) -> str:
    """How many of all pairs are told apart, in one sentence."""
    everything = len(view.open_pairs)
    shown = everything - loud - partly - unclear
    verb = "is" if shown == 1 else "are"
    if len(view.directed) == 1:
        return f"Of {everything:,} pairs of systems, {shown:,} {verb} told apart by {view.labels(view.directed)}."
    parts = [f"{shown:,} {verb} told apart by every metric"]
    parts += [f"{partly:,} by some only"] if partly else []
    parts += [f"{unclear:,} by none"] if unclear else []
    parts += [f"on {loud:,} metrics contradict each other"] if loud else []
    return f"Of {everything:,} pairs of systems, {', '.join(parts)}."


@dataclass
class _Lead:
    """A first cluster on which some metrics agree."""

    first: list[str]
    below: list[str]
    unclear: list[str]
    beaten: list[str]
    metrics: list[str]
    gaps: list[tuple[str, str]]
    """Pairs across the line that are not told apart: WMT's rule counts wins, and lets a win inside the cluster stand
    for one that is missing below."""
    ps: list[float]
    """Of the other pairs across the line."""
    across: list[Pair]
    """These pairs."""
    inside: list[Pair]
    """The best system and those that it beats inside the cluster."""

    def same_as(self, other: _Lead) -> bool:
        """Whether the same can be said of both."""
        return (self.first, self.unclear, self.gaps, set(self.below)) == (
            other.first,
            other.unclear,
            other.gaps,
            set(other.below),
        )


def _leaders(view: PairwiseView) -> list[str]:
    """The first cluster and the best score, once for all metrics that agree on them."""
    leads: list[_Lead] = []
    for metric in view.directed:
        lead = _lead(view, metric)
        if lead is None:
            continue
        for known in leads:
            if known.same_as(lead):
                known.metrics.append(metric)
                known.ps += lead.ps
                known.across += lead.across
                known.inside += lead.inside
                break
        else:
            leads.append(lead)
    return [sentence for lead in leads for sentence in _lead_sentences(view, lead)]


def _lead(view: PairwiseView, metric: str) -> _Lead | None:
    cluster = {s.system: s.cluster for s in view.results if s.metric == metric}
    ranked = view.ranked(metric)
    first = [name for name in ranked if cluster[name] == 1]
    if not first:
        return None
    better = _better_of(view, metric, first[0])
    beaten = [name for name in first[1:] if better.get(name) == first[0]]
    across = [
        by_metric[metric]
        for names, by_metric in view.by_pair.items()
        if metric in by_metric and len(set(names) & set(first)) == 1 and set(names) <= set(ranked)
    ]
    return _Lead(
        first=first,
        below=[name for name in ranked if cluster[name] != 1],
        unclear=[name for name in ranked[1:] if better.get(name) != first[0]],
        beaten=beaten,
        metrics=[metric],
        gaps=[(pair.a, pair.b) for pair in across if view.winner(pair) not in first],
        ps=[pair.p_adjusted for pair in across if view.winner(pair) in first],
        across=[pair for pair in across if view.winner(pair) in first],
        inside=[
            by_metric[metric]
            for names, by_metric in view.by_pair.items()
            if metric in by_metric and first[0] in names and set(names) & set(beaten)
        ],
    )


def _lead_sentences(view: PairwiseView, lead: _Lead) -> list[str]:
    by, best, count = view.labels(lead.metrics), lead.first[0], len(lead.below)
    p = f" ({largest_p(lead.ps, view.test.alpha)}{view.corrected})" if lead.ps else ""
    if count and len(lead.first) == 1:
        notice = _notice(view, lead.across)
        return [
            f"By {by}, {best} is better than each of the {count} other systems on {view.texts}{p}{notice}."
        ]
    if count:
        others = f"each of the {count} systems below" if count > 1 else lead.below[0]
        start = (
            f"By {by}, {join_names(lead.first, NAMES)} form the first cluster: each of them is better than {others} "
            f"on {view.texts}{p}{_except(lead.gaps)}{_notice(view, lead.across)}."
        )
    else:
        start = (
            f"By {by}, all {len(lead.first)} systems form one cluster: no group of them is better than all the "
            f"rest on {view.texts}."
        )
    if not lead.unclear:
        return [start]
    among = (
        f" (it is better than {join_names(lead.beaten, NAMES)}{_notice(view, lead.inside)})"
        if lead.beaten
        else ""
    )
    rivals = join_names(lead.unclear, NAMES)
    apart = f"By {by}, {best} has the best score, but cannot be told apart from {rivals}{among}."
    return [start, apart]


def _except(gaps: Sequence[tuple[str, str]]) -> str:
    pairs = join_names([f"{a} cannot be told apart from {b}" for a, b in gaps], EXAMPLES)
    return f", except that {pairs}" if gaps else ""


def _better_of(view: PairwiseView, metric: str, system: str) -> dict[str, str | None]:
    """Who is better, for every system that one was tested against."""
    winners: dict[str, str | None] = {}
    for (a, b), by_metric in view.by_pair.items():
        if system in (a, b) and metric in by_metric:
            winners[b if a == system else a] = view.winner(by_metric[metric])
    return winners


def _against_baseline(view: PairwiseView, baseline: str) -> list[str]:
    sentences = []
    for metric in view.directed:
        label = view.metrics[metric].label
        tested = {
            names[0]: by_metric[metric] for names, by_metric in view.open_pairs.items() if metric in by_metric
        }
        better = [p for p in tested.values() if view.winner(p) == p.a]
        worse = [p for p in tested.values() if view.winner(p) == p.b]
        unclear = [p.a for p in tested.values() if view.winner(p) is None]
        for pairs, word in ((better, "better"), (worse, "worse")):
            if pairs:
                verb = "is" if len(pairs) == 1 else "are"
                sentences.append(
                    f"By {label}, {join_names([p.a for p in pairs], NAMES)} {verb} {word} than the "
                    f"baseline {baseline} on {view.texts} ({largest_p([p.p_adjusted for p in pairs], view.test.alpha)}"
                    f"{view.corrected}){_notice(view, pairs)}."
                )
        if unclear:
            verb = "is" if len(unclear) == 1 else "are"
            how = f"{verb} not shown to be better than" if view.one_sided else "cannot be told apart from"
            sentences.append(f"By {label}, {join_names(unclear, NAMES)} {how} the baseline {baseline}.")
    return sentences


def _better(view: PairwiseView, by_metric: Mapping[str, Pair]) -> str:
    pair = next(iter(by_metric.values()))
    word = "better" if view.winner(pair) == pair.a else "worse"
    other = f"the baseline {pair.b}" if view.test.baseline == pair.b else pair.b
    evidence, notice = view.evidence(by_metric.values()), _notice(view, by_metric.values())
    return f"{pair.a} is {word} than {other} on {view.texts} ({evidence}){notice}."


def _notice(view: PairwiseView, pairs: Iterable[Pair]) -> str:
    """Whether differences exceed a margin: the one that was given, or what people notice; of several, the smallest.

    To go on with a sentence; nothing where neither is known.
    """
    smallest: dict[str, Pair] = {}
    pairs = list(pairs)
    several = len({(pair.a, pair.b) for pair in pairs}) > 1
    for pair in pairs:
        if pair.metric not in smallest or abs(pair.delta) < abs(smallest[pair.metric].delta):
            smallest[pair.metric] = pair
    known: dict[str, list[str]] = {}
    for metric, pair in smallest.items():
        if words := _size(view, pair, several=several):
            known.setdefault(words, []).append(view.metrics[metric].label)
    if not known:
        return ""
    if len(known) == 1 and len(next(iter(known.values()))) == len(smallest):
        return f"; {next(iter(known))}"
    return "; " + join_names([f"{words} in {join_names(labels)}" for words, labels in known.items()])


def _size(view: PairwiseView, pair: Pair, *, several: bool) -> str:
    """What is to be said of the size of a difference, or of the smallest of several; '' where nothing is known."""
    if view.is_short:
        return ""
    margin = None if pair.margin is None else pair.margin.margin
    return size_words(pair.metric, pair.delta, margin=margin, language=view.language, several=several)


def _unknown_sizes(view: PairwiseView) -> list[str]:
    """Why some claims do not say whether their difference matters."""
    if view.is_short:
        return ["Whether a difference matters is not known: so few segments do not tell how large it is."]
    labels = {
        metric: view.metrics[metric].label
        for by_metric in view.open_pairs.values()
        for metric, pair in by_metric.items()
        if not _size(view, pair, several=False)
    }
    return [unknown_size(list(labels.values()))] if labels else []


def _winner_first(view: PairwiseView, by_metric: Mapping[str, Pair]) -> Mapping[str, Pair]:
    """The pair with the better system first, but a baseline always last."""
    winner = next(view.winner(p) for p in by_metric.values() if view.winner(p) is not None)
    a, b = next((p.a, p.b) for p in by_metric.values())
    return (
        by_metric
        if winner == a or view.test.baseline == b
        else {m: swap_pair(p) for m, p in by_metric.items()}
    )


def _partly(view: PairwiseView, by_metric: Mapping[str, Pair]) -> str:
    shown = {m: p for m, p in by_metric.items() if view.winner(p) is not None}
    silent = {m: p for m, p in by_metric.items() if m not in shown}
    verb = "does" if len(silent) == 1 else "do"
    return (
        f"{_better(view, shown).removesuffix('.')}; {view.labels(silent)} {verb} not show it "
        f"({view.evidence(silent.values())}{_would_show(view, silent)}), so claim it by {view.labels(shown)} only."
    )


def _would_show(view: PairwiseView, by_metric: Mapping[str, Pair]) -> str:
    """The differences that the test set would have shown, to go on with a sentence; nothing if none is known."""
    parts = []
    for metric, pair in by_metric.items():
        if math.isfinite(pair.detectable_share):
            what = _share_words(view, f"{100 * pair.detectable_share:.0f}")
            parts.append(f"{view.metrics[metric].label} in {what}")
        if math.isfinite(pair.detectable) and pair.detectable > 0:
            decimals = digits([pair.detectable], view.metrics[metric].decimals)
            parts.append(f"{view.metrics[metric].label} {pair.detectable:.{decimals}f}")
    if not parts:
        return ""
    return f"; at 80 % power a difference of {join_names(parts)} would show{_although(view, by_metric)}"


def _share_words(view: PairwiseView, percentage: str) -> str:
    """So large a share of what a test of ranks is about (`Pair.share`), in words."""
    words = view.test.system_test.share
    assert words is not None
    return words.claim.format(percentage)


def _although(view: PairwiseView, by_metric: Mapping[str, Pair]) -> str:
    """Why a difference was not shown that is as large as what would show; nothing where it is smaller."""
    larger = [
        pair
        for pair in by_metric.values()
        if pair.exceeds_detectable and not (view.one_sided and view.ahead(pair) != pair.a)
    ]
    if not larger:
        return ""
    by = f"by {view.labels(pair.metric for pair in larger)} " if len(by_metric) > 1 else ""
    which = f"{by}what is seen is larger"
    if all(significant(pair.p, view.test.alpha) for pair in larger):
        tests = pluralise(view.test.comparisons, "comparison")
        return f" ({which}, but no longer significant once corrected for {tests})"
    return f" ({which}, but at that power one in five such differences is missed)"


def _contradiction(view: PairwiseView, names: tuple[str, str], by_metric: Mapping[str, Pair]) -> str:
    a, b = names
    for_a = [p for p in by_metric.values() if view.winner(p) == a]
    for_b = [p for p in by_metric.values() if view.winner(p) == b]
    return (
        f"METRICS CONTRADICT EACH OTHER: {a} is better than {b} by {view.labels(p.metric for p in for_a)} "
        f"({view.evidence(for_a)}{_notice(view, for_a)}), yet {b} is better than {a} by "
        f"{view.labels(p.metric for p in for_b)} ({view.evidence(for_b)}{_notice(view, for_b)}). "
        "Neither may be called better without naming the metric; let people judge."
    )


def _not_told_apart(view: PairwiseView, names: tuple[str, str], by_metric: Mapping[str, Pair]) -> str:
    a, b = names
    other = f"the baseline {b}" if view.test.baseline == b else b
    start = f"{a} and {other} cannot be told apart ({view.evidence(by_metric.values())})"
    if view.one_sided:
        if names[::-1] in view.expected:
            by_metric, (a, other) = {m: swap_pair(p) for m, p in by_metric.items()}, (b, a)
        start = f"{a} is not shown to be better than {other} ({view.evidence(by_metric.values())})"
    would, notice = _would_show(view, by_metric), _notice(view, by_metric.values())
    if not would or len(by_metric) > 1:
        return f"{start}{would}{notice}."
    (pair,) = by_metric.values()
    if math.isfinite(pair.detectable_share):
        share = pair.share if view.one_sided else max(pair.share, 1 - pair.share)
        seen, wanted = f"{100 * share:.0f}", f"{100 * pair.detectable_share:.0f}"
        return (
            f"{start}: {view.scope} would show it at 80 % power where one is ahead in "
            f"{_share_words(view, wanted)}; here it is {seen}{_although(view, by_metric)}{notice}."
        )
    decimals = digits([pair.delta, pair.detectable], view.metrics[pair.metric].decimals)
    return (
        f"{start}: {view.scope} would show a difference of {pair.detectable:.{decimals}f} at 80 % power; "
        f"the one seen is {abs(pair.delta):.{decimals}f}{_although(view, by_metric)}{notice}."
    )


def _neutral(view: PairwiseView) -> list[str]:
    sentences = []
    for metric, standing in view.metrics.items():
        if standing.higher_is_better is not None:
            continue
        tested = [f[metric] for n, f in view.by_pair.items() if metric in f and n not in view.same]
        tested = [p for p in tested if not math.isnan(p.p_adjusted)]
        different = [p for p in tested if p.significant]
        if len(tested) == 1:
            pair = tested[0]
            verb = "differs" if different else "is not shown to differ"
            sentences.append(
                f"{standing.label} {verb} between {pair.a} and {pair.b} ({view.evidence([pair], named=False)}); "
                "neither direction is better."
            )
        elif tested:
            sentences.append(
                f"{standing.label} differs on {len(different)} of {pluralise(len(tested), 'pair')} of systems; "
                "neither direction is better."
            )
    return sentences


def _more(count: int, noun: str, nouns: str) -> list[str]:
    more = count - EXAMPLES
    return [f"… and {more} more {noun if more == 1 else nouns}; see the pairs."] if more > 0 else []


MOST = 6
"""Pairs that are named one by one."""
FIXED = "It counts only where the margin was fixed before the scores were seen."

ComparedPair = tuple[str, str, Equivalence]


def margin_claims(design: Design, *parts: tuple[Iterable[ComparedPair], str, int]) -> tuple[str, ...]:
    """Sentences, those first that show most: of pairs of systems, a − b positive where a is better, in what units.

    Each part is of one metric, with the name of its units and their decimals. Intervals allow for what the design
    ignores, and the last sentence says so.
    """
    sentences = [text for pairs, what, decimals in parts for text in _of_metric(list(pairs), what, decimals)]
    return (*sentences, FIXED, *_allowance(design)) if sentences else ()


def _allowance(design: Design) -> list[str]:
    """Whose opinion it is, and what intervals beside a margin allow for, where the test itself does not draw it."""
    names = [f"{grouping.name}s" for grouping in design.ignored]
    sentences = [f"All that is said beside the margin is so {design.opinion}."] if design.opinion else []
    if names:
        sentences.append(
            f"Intervals beside the margin allow for {join_names(names)}, which the test does not draw."
        )
    return sentences


def _of_metric(pairs: Sequence[ComparedPair], what: str, decimals: int) -> list[str]:
    if not pairs:
        return []
    margin = pairs[0][2].margin
    pairs = [_better_first(*pair) for pair in pairs]
    same = [_same(a, b, equivalence, what, decimals) for a, b, equivalence in pairs if equivalence.equivalent]
    rest = [pair for pair in pairs if not pair[2].equivalent]
    one_way = [text for a, b, equivalence in rest if (text := _not_worse(a, b, equivalence, what, decimals))]
    open_ = [
        f"It is not shown that {a} and {b} differ by less than {margin:g} {what} ({_interval(equivalence, decimals)})."
        for a, b, equivalence in rest
        if not equivalence.not_worse and not equivalence.turned.not_worse
    ]
    sentences = [*same, *one_way, *open_]
    if len(sentences) > MOST:
        count = f"Of {pluralise(len(pairs), 'pair')}, {len(same):,} are shown to differ by less than {margin:g} {what}."
        sentences = [
            count,
            *sentences[:MOST],
            f"… and {len(sentences) - MOST:,} more beside the margin: -f json.",
        ]
    return sentences


def _better_first(a: str, b: str, equivalence: Equivalence) -> ComparedPair:
    """The pair in the order in which tables show it, so that both differences have the same sign."""
    return (b, a, equivalence.turned) if equivalence.low + equivalence.high < 0 else (a, b, equivalence)


def _same(a: str, b: str, equivalence: Equivalence, what: str, decimals: int) -> str:
    p = p_text(equivalence.p, equivalence.alpha)
    return f"{a} and {b} differ by less than {equivalence.margin:g} {what} ({_interval(equivalence, decimals)}, {p})."


def _not_worse(a: str, b: str, equivalence: Equivalence, what: str, decimals: int) -> str:
    if equivalence.turned.not_worse:
        a, b, equivalence = b, a, equivalence.turned
    if not equivalence.not_worse or equivalence.low > 0:  # who is better is not only not worse
        return ""
    p = p_text(equivalence.p_not_worse, equivalence.alpha)
    margin = f"{equivalence.margin:g} {what}"
    return f"{a} is not worse than {b} by {margin} or more ({_interval(equivalence, decimals)}, {p})."


def _interval(equivalence: Equivalence, decimals: int) -> str:
    places = digits(_numbers(equivalence), decimals)
    confidence = (
        percent(equivalence.confidence)
        if equivalence.confidence * 100 % 1 < 1e-9
        else f"{100 * equivalence.confidence:.2f} %"
    )
    return (
        f"{confidence} interval {with_sign(equivalence.low, places)} to {with_sign(equivalence.high, places)}"
    )


def _numbers(equivalence: Equivalence) -> Sequence[float]:
    return [equivalence.low, equivalence.high]


FEW_UNITS = {"segment": 100}
FEW_GROUPS = 20
"""Below so many segments, or documents, resampling tells little about other texts of their kind."""


def warnings(results: Sequence[Standing], pairs: Sequence[Pair], test: TestFacts) -> list[str]:
    """What must be heard before anything is believed: too few trials, too few runs."""
    return [*(nothing_significant(test, pairs) if test.floor else []), *few_runs(results)]


def _limits(view: PairwiseView, design: Design) -> list[str]:
    """The limits of this comparison, the ones that could overturn it first."""
    results, pairs, test = view.results, view.pairs, view.test
    several_runs = any(standing.runs > 1 for standing in results)
    sentences = [*_runs(results), *few_runs(results)] if several_runs else []
    if design.units < FEW_UNITS.get(design.unit, FEW_GROUPS):
        sentences.append(_few_units(design, view.scope))
    if not pairs:
        return sentences
    sentences += [*filter(None, [design.reason]), *design.reservations()]
    if test.correction == "none" and test.comparisons > 1:
        sentences.append(
            f"The {test.comparisons:,} p-values are not corrected for their number: about {percent(test.alpha)} of "
            f"them would fall below {test.alpha:g} by chance even if no system differed from another."
        )
    if test.baseline is not None and len({s.system for s in results}) > 2:
        sentences.append(f"Systems were tested against {test.baseline} only: nothing here ranks the others.")
    return [*sentences, _scope(view)]


def too_few_trials(test: TestFacts, pairs: Sequence[Pair]) -> list[str]:
    """Say so where nothing could come out significant, or where p stops at what so many trials can give."""
    return nothing_significant(test, pairs) or [
        f"With {pluralise(test.trials, 'trial')} no p can be below "
        f"{test.floor:.2g}{_correction_phrase(test)}: such a p may be "
        f"far smaller in truth (--trials {_enough(test)} are enough to see it)."
    ]


def nothing_significant(test: TestFacts, pairs: Sequence[Pair]) -> list[str]:
    """Say so where so few trials give no significant p; Benjamini and Hochberg's correction may leave p as it is."""
    if not pairs or significant(test.floor, test.alpha) or test.correction == "bh":
        return []
    return [
        f"With {pluralise(test.trials, 'trial')} no difference can be "
        f"significant{_correction_phrase(test)}, however large it "
        f"is: --trials {_enough(test)} are enough."
    ]


def _correction_phrase(test: TestFacts) -> str:
    if test.correction == "none" or test.comparisons < 2:
        return ""
    return (
        f" after {CORRECTIONS[test.correction]}'s correction for {pluralise(test.comparisons, 'comparison')}"
    )


def _enough(test: TestFacts) -> int:
    return enough_trials(test.comparisons, test.alpha, test.correction)


def too_few_units(test: TestFacts, design: Design) -> list[str]:
    """Say so where there is too little text for any difference to come out significant, and none did."""
    # Holm multiplies the smallest p by the number of comparisons; Benjamini and Hochberg may leave it as it is.
    least = min(1.0, design.smallest_p * (test.comparisons if test.correction == "holm" else 1))
    if significant(least, test.alpha):
        return []
    corrected = " after Holm's correction" if test.correction == "holm" and test.comparisons > 1 else ""
    return [
        f"With {_units(design)} no difference can be significant, however large it is: the smallest p possible is "
        f"{least:.2g}{corrected}."
    ]


def few_runs(results: Sequence[Standing]) -> list[str]:
    """Say so where some systems have several training runs and others too few."""
    runs = {s.system: s.runs for s in results}
    few = [name for name, count in runs.items() if count < ENOUGH_RUNS]
    if not few or all(count < 2 for count in runs.values()):
        return []
    return [
        f"{join_names(few, NAMES)}: with fewer than three training runs, luck of training cannot be told from a better "
        "system."
    ]


def reverse_warning(origins: Sequence[str], language: str) -> str | None:
    """What to say loudly where some of a test set was translated from the target language; None where none was."""
    try:
        known = directions(origins, languages.pair(language))
    except UsageError as error:  # nobody said which language is the source
        several = len({origin for origin in origins if origin}) > 1
        return f"SOME SEGMENTS MAY HAVE BEEN CREATED IN REVERSE: {error}" if several else None
    reverse = sum(known.get(origin) == REVERSE for origin in origins)
    if not reverse:
        return None
    return (
        f"{pluralise(reverse, 'segment')} of {len(origins):,} WERE CREATED IN REVERSE: written in the target language, "
        "so that the source is itself a translation. That makes them easier and may change the order of systems; "
        "look at both halves (--by origin), and claim nothing from the reverse one"
    )


def _runs(results: Sequence[Standing]) -> list[str]:
    """How far the runs of each system lie apart, by the first metric that has a direction."""
    first = next((s.metric for s in results if s.higher_is_better is not None), results[0].metric)
    spread = [s for s in results if s.metric == first and s.runs > 1 and s.run_deviation is not None]
    sentences = []
    for s in spread[:NAMES]:
        between = s.run_deviation or 0.0
        places = digits([between, s.deviation], s.decimals + 1)
        sentences.append(
            f"{s.system} is the mean of {pluralise(s.runs, 'training run')}: {s.label} varies by s_opt = "
            f"{between:.{places}f} between runs, by s_sel = {s.deviation:.{places}f} with the choice of "
            "segments (standard deviations)."
        )
    return sentences


def _few_units(design: Design, scope: str) -> str:
    if design.units == 1:
        noun = unit_noun(design.unit)
        return f"There is only one {noun}: nothing varies, nothing can be tested, and intervals mean nothing."
    nouns = _units(design)
    return (
        f"{nouns[0].upper()}{nouns[1:]} {are(design.units)} few: p-values and intervals from so small a sample "
        f"are rough, and at most large differences can be shown on {scope}."
    )


def _units(design: Design) -> str:
    unit = design.rarer or design.unit
    return f"{design.units:,} {unit_noun(unit) if design.units == 1 else units_of(unit)}"


def _scope(view: PairwiseView) -> str:
    """What all claims are about, and what was not asked."""
    lower = [s.label for s in view.metrics.values() if s.higher_is_better is False]
    sentence = f"All this holds for {view.kind_of_text}, by {view.labels(view.metrics)}"
    if lower:
        which = f"lower {join_names(lower)}" if len(lower) < len(view.metrics) else "lower"
        sentence += f" ({which} is better)"
    whose = "other people's opinion" if view.test.by_people else "people's opinion"
    sentence += f": other kinds of text and {whose} were not tested."
    if any(not pair.significant for by_metric in view.open_pairs.values() for pair in by_metric.values()):
        sentence += " Systems that cannot be told apart are not shown to be equal."
    if all(s.runs < 2 for s in view.results):
        again = "whether training it again would change the picture was not tested"
        sentence += f" Each system is a single output: {again}."
    return sentence
