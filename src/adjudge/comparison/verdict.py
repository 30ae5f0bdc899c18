"""One verdict: who is better, by how much, how sure, whether it matters, and what speaks against it.

Every page, format and command that names a system takes it from a `Verdict`. People decide between systems that they
were asked about; where they cannot tell these apart, metrics are reported and do not overrule them. Without people
metrics decide. The sentences of a verdict stand below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.comparison.pairwise_view import FEWEST, PairwiseView, too_few
from adjudge.comparison.relevance import NOTICE, Relevance, in_hundred, relevance
from adjudge.comparison.results import Comparison, Pair
from adjudge.stats.design import TEXT, Design
from adjudge.stats.significance import significant
from adjudge.wording import are, digits, join_names, noun_form, pluralise

if TYPE_CHECKING:
    from adjudge.comparison.results import Comparison, MeasureTable

Certainty = Literal[
    "clear",
    "partly",
    "open",
    "split",
    "identical",
    "short",
    "several",
    "untested",
    "opinion",
    "incomplete",
    "alone",
]
"""How sure a verdict is.

`clear`: one system is better than each other one by every measure. `partly`: by some measures, and no measure leans the
other way. `open`: no measure tells those that are named apart. `split`: measures tell some of them apart, but speak for
none against all others. `identical`: they score the same on every segment. `short`: there are too few segments to name
a winner. `several`: each is better than the baseline, and they were not tested against each other. `untested`: nothing
was tested, or the design allows no claim. `opinion`: one is better, or some are, in the opinion of one or two
annotators, which says nothing of other people. `incomplete`: no system has outputs for all test sets. `alone`: there is
one system.
"""


@dataclass(frozen=True)
class Difference:
    """Two systems by one measure."""

    metric: str
    label: str
    a: str
    b: str
    delta: float
    """a − b as scored."""
    low: float
    high: float
    p: float
    """Corrected."""
    ahead: str
    """The system for which what was tested speaks; '' for neither."""
    significant: bool
    higher_is_better: bool
    decimals: int
    better_on: float = math.nan
    """Share of segments on which a is better."""
    worse_on: float = math.nan
    units: int = 0
    """Distinct segments, or items that people judged, of both; 0 where it is not known."""
    margin: float | None = None
    """What was given as the smallest difference that matters."""

    @property
    def winner(self) -> str:
        """The system that is shown to be better; '' for neither."""
        return self.ahead if self.significant else ""

    def seen_from(self, system: str) -> Difference:
        """The difference with this system first."""
        if system == self.a:
            return self
        return replace(
            self,
            a=self.b,
            b=self.a,
            delta=0.0 - self.delta,
            low=0.0 - self.high,
            high=0.0 - self.low,
            better_on=self.worse_on,
            worse_on=self.better_on,
        )


@dataclass(frozen=True)
class Relation:
    """Two systems that were tested against each other, by every measure that decides between them."""

    differences: tuple[Difference, ...]
    by_people: bool = False
    same: bool = False
    """Whether no measure sees a difference on any segment."""
    alpha: float = 0.05

    @property
    def p(self) -> float:
        """The p of all measures together, after Simes (1986): valid where measures go along with each other."""
        values = sorted(difference.p for difference in self.differences)
        return min((len(values) * p / place for place, p in enumerate(values, 1)), default=1.0)

    @property
    def winners(self) -> frozenset[str]:
        """Who is shown to be better by some measure."""
        return frozenset(difference.winner for difference in self.differences) - {""}

    @property
    def is_short(self) -> bool:
        """Whether so few segments were tested that they decide nothing."""
        return any(too_few(difference.units) for difference in self.differences)

    def prefers(self, system: str) -> bool:
        """Whether measures show together that a system is better, and none leans to the other one.

        One measure of several is not enough where it would not be after a correction for their number.
        """
        leaning = {difference.ahead for difference in self.differences} - {""}
        known = self.winners == {system} and leaning == {system} and not self.is_short
        return known and (self.is_unanimous(system) or significant(self.p, self.alpha))

    def is_unanimous(self, system: str) -> bool:
        """Whether every measure shows that a system is better."""
        return all(difference.winner == system for difference in self.differences)


Relations = Mapping[frozenset[str], Relation]


@dataclass(frozen=True)
class Evidence:
    """What metrics say, or people: systems in order, and every two of them that were tested."""

    order: tuple[str, ...]
    """All systems, the best by the first measure first."""
    relations: Relations = field(repr=False)
    measures: tuple[str, ...]
    """Labels of the measures that have a direction."""
    alpha: float
    by_people: bool = False
    baseline: str | None = None
    language: str = ""
    """The language pair, where it is known: how much a difference is worth may depend on it."""
    complete: bool = True
    """Whether any system can be named: of several test sets, whether one has outputs for all."""
    design: Design | None = None
    """What the tests rest on; None where several test sets are taken together, each with a design of its own."""

    level: float = math.nan
    """How often the test itself tells equal systems apart, were units independent; NaN: as alpha says."""

    @property
    def refusal(self) -> str:
        """Why the design allows no claim, as a clause; '' where it allows claims."""
        return "" if self.design is None else self.design.refusal

    @property
    def opinion(self) -> str:
        """Whose opinion a claim is, where so few people judged that it says nothing of others; '' otherwise."""
        return "" if self.design is None else self.design.opinion

    @property
    def is_estimated(self) -> bool:
        """Whether the error rate is an estimate, for what the test ignores, and not an upper limit."""
        return self.design is not None and bool(self.design.ignored)

    @property
    def error_rate(self) -> float:
        """How often equal systems are told apart, as the design has it; NaN where that is not known."""
        level = self.alpha if math.isnan(self.level) else self.level
        return level if self.design is None else self.design.error_rate(level)


@dataclass(frozen=True)
class Verdict:
    """Who is better, how sure that is, and what it rests on."""

    systems: tuple[str, ...]
    """The winner, or all of which none is shown to be the best; empty where nothing can be said."""
    certainty: Certainty
    evidence: Evidence = field(repr=False)
    metrics: Verdict | None = None
    """What metrics say by themselves, where people decide."""

    @property
    def reservations(self) -> tuple[str, ...]:
        """What speaks against believing it, as sentences: what its design leaves out."""
        own = self.evidence.design
        return own.reservations() if own is not None and self.evidence.relations else ()

    @property
    def winner(self) -> str:
        """The one system that is shown to be the best; '' where none is."""
        return self.systems[0] if self.certainty in ("clear", "partly") else ""

    @property
    def by_people(self) -> bool:
        """Whether people decide."""
        return self.evidence.by_people

    @property
    def measures(self) -> tuple[str, ...]:
        """Labels of what decides."""
        return self.evidence.measures

    @property
    def order(self) -> tuple[str, ...]:
        """All systems, the best by the first measure that decides first."""
        return self.evidence.order

    @property
    def alpha(self) -> float:
        """How often equal systems are told apart, at most."""
        return self.evidence.alpha

    @property
    def others(self) -> tuple[str, ...]:
        """The systems that are not named."""
        return tuple(name for name in self.order if name not in self.systems)

    @property
    def tested(self) -> tuple[str, ...]:
        """Those that the first of the systems named was tested against."""
        return tuple(name for name in self.order if self.systems and self.relation(self.systems[0], name))

    @property
    def partly(self) -> tuple[str, ...]:
        """Those that some measures do not tell from the winner."""
        known = [(name, self.relation(self.winner, name)) for name in self.order if self.winner]
        return tuple(name for name, entry in known if entry and not entry.is_unanimous(self.winner))

    @property
    def contradicted(self) -> bool:
        """Whether one measure shows that a system is better, and another that it is worse, of two that are named."""
        return any(len(part.winners) > 1 for part in self.inner)

    @property
    def inner(self) -> tuple[Relation, ...]:
        """Of every two of the systems named that were tested against each other."""
        names = set(self.systems)
        return tuple(relation for pair, relation in self.evidence.relations.items() if pair <= names)

    def relation(self, a: str, b: str) -> Relation | None:
        """Two systems, if they were tested against each other."""
        return self.evidence.relations.get(frozenset((a, b))) if a != b else None

    @cached_property
    def leaders(self) -> Mapping[str, str]:
        """By measure, which of the systems named is ahead of every other one of them; '' where none is."""
        return {label: self._leader(label) for label in self.measures}

    def _leader(self, label: str) -> str:
        """The system that is ahead most often by a measure, if it is behind none."""
        ahead = dict.fromkeys(self.systems, 0)
        behind = set()
        for part in self.inner:
            for difference in part.differences:
                if difference.label == label and difference.ahead:
                    ahead[difference.ahead] += 1
                    behind |= {difference.a, difference.b} - {difference.ahead}
        first = [name for name in ahead if ahead[name] and name not in behind]
        return first[0] if len(first) == 1 else ""

    @cached_property
    def pair(self) -> tuple[str, str]:
        """The two systems that everything below is about: the winner and who comes closest, or two contenders.

        A baseline is always the second: it is what the other one is held against.
        """
        baseline = self.evidence.baseline
        leaders = [name for name in dict.fromkeys(self.leaders.values()) if name and not self.winner]
        order = list(dict.fromkeys([*leaders, *self.systems, *self.order])) if self.systems else []
        if baseline in order:
            first = next((name for name in order if self.relation(name, baseline)), "")
            return (first, baseline) if first else (order[0], "")
        rivals = [name for name in order[1:] if self.relation(order[0], name)] or order[1:]
        return (order[0], rivals[0] if rivals else "") if order else ("", "")

    @property
    def system(self) -> str:
        """The system that is looked through first: the winner, or one of those that are named."""
        return self.pair[0]

    @property
    def rival(self) -> str:
        """The system that it is held against; '' where there is none."""
        return self.pair[1]

    @property
    def difference(self) -> Difference | None:
        """By how much the two differ, seen from the first: by the first measure that shows the winner to be better.

        Without a winner, by the first measure that decides between them.
        """
        own = self.relation(*self.pair)
        if own is None or not own.differences:
            return None
        showing = (difference for difference in own.differences if self.winner == difference.winner != "")
        return next(showing, own.differences[0]).seen_from(self.system)

    @property
    def relevance(self) -> Relevance | None:
        """How often people agree with a metric's difference of this size.

        None where people decide, where no curve fits, or where so few segments do not tell how large it is.
        """
        own = self.difference
        if own is None or self.by_people or self.certainty == "short":
            return None
        return relevance(own.metric, own.delta, self.evidence.language)

    @property
    def exceeds_margin(self) -> bool | None:
        """Whether the difference is one that matters: by the margin that was given, or as people usually notice it."""
        own, known = self.difference, self.relevance
        if self.certainty == "short":
            return None
        if own is not None and own.margin is not None:
            return abs(own.delta) >= own.margin
        return None if known is None else known.noticeable

    @property
    def segments(self) -> int:
        """Of the two systems that it is about: segments, or items that people judged."""
        return self.difference.units if self.difference else 0

    def as_document(self) -> dict[str, Any]:
        """The verdict for other programs."""
        return {
            "systems": list(self.systems),
            "winner": self.winner or None,
            "certainty": self.certainty,
            "decided_by": "people" if self.by_people else "metrics",
            "measures": list(self.measures),
            "alpha": self.alpha,
            **_plain({"error_rate": self.evidence.error_rate}),
            "pair": [name for name in self.pair if name],
            "difference": None if self.difference is None else _document(self.difference),
            "exceeds_margin": self.exceeds_margin,
            "relevance": None if self.relevance is None else _relevance_document(self.relevance),
            "metrics": None if self.metrics is None else self.metrics.as_document(),
            "reservations": list(self.reservations),
        }


def _document(difference: Difference) -> dict[str, Any]:
    names = ("a", "b", "delta", "low", "high", "p", "significant", "better_on", "worse_on", "margin")
    document = {"measure": difference.label, **{name: getattr(difference, name) for name in names}}
    return _plain(document) | {"segments": difference.units or None}


def _relevance_document(known: Relevance) -> dict[str, Any]:
    return _plain(asdict(known)) | {"visibility": known.visibility, "noticeable": known.noticeable}


def _plain(document: dict[str, Any]) -> dict[str, Any]:
    """What JSON can say: null for what is not a finite number."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in document.items()
    }


def comparison_verdict(comparison: Comparison, language: str = "") -> Verdict:
    """What a comparison comes down to; a comparison of people's scores says so of itself.

    Over several test sets, people decide where they judged every set in the same way. Only a system with outputs for
    all sets has a mean; where none has one but the baseline, none is named.
    """
    metrics = evidence_of(comparison, language)
    if not comparison.tables and comparison.rankings is None:
        return decide(metrics)
    return joint_verdict(metrics, _people_evidence(comparison))


def joint_verdict(metrics: Evidence, people: Evidence | None) -> Verdict:
    """What people and metrics come down to: people decide between systems that they were asked about."""
    if people is None or not people.relations:
        return decide(metrics)
    judged = set(people.order)
    order = (*people.order, *(name for name in metrics.order if name not in judged))
    both = replace(
        people,
        order=tuple(name for name in order if name in metrics.order),
        relations=_among({**metrics.relations, **people.relations}, metrics.order),
        baseline=metrics.baseline,
        language=metrics.language,
        complete=True,
    )
    return replace(decide(both), metrics=decide(metrics))


def _among(relations: Relations, systems: Iterable[str]) -> Relations:
    wanted = set(systems)
    return {pair: relation for pair, relation in relations.items() if pair <= wanted}


def evidence_of(comparison: Comparison, language: str = "") -> Evidence:
    """A comparison as evidence: every two systems by the metrics that have a direction."""
    if comparison.tables:
        return _evidence_by([table for table in comparison.tables if table.is_metric], comparison)
    view = PairwiseView.of(comparison, comparison.test)
    return Evidence(
        order=tuple(view.order),
        relations=_relations(view, lambda pair: distinct_segments(comparison, pair)),
        measures=tuple(view.metrics[metric].label for metric in view.directed),
        alpha=comparison.test.alpha,
        by_people=comparison.test.by_people,
        baseline=comparison.test.baseline,
        language=language or comparison.language,
        design=comparison.design,
        level=comparison.test.level,
    )


def distinct_segments(comparison: Comparison, pair: Pair) -> int:
    """How many segments of a test set two systems were compared on, each counted once where segments repeat."""
    repeats = comparison.design is not None and comparison.design.unit == TEXT
    segments = comparison.design.units if repeats else comparison.test_set.segments
    return min(pair.common or segments, segments)


def _people_evidence(comparison: Comparison) -> Evidence | None:
    """What people's rankings or scores say in the mean; None where they did not judge every set in one way."""
    if comparison.rankings is not None:
        return comparison.rankings.evidence(comparison.plan)
    metrics = [table for table in comparison.tables if table.is_metric]
    tested = {score.test_set for table in metrics for score in table.scores if score.score == score.score}
    tables = [table for table in comparison.tables if table.by_people and tested <= set(table.sets)]
    return _evidence_by(tables, comparison, by_people=True) if tables else None


def _evidence_by(
    tables: Sequence[MeasureTable], comparison: Comparison, *, by_people: bool = False
) -> Evidence:
    """Means over test sets as evidence."""
    directed = {table.metric: table for table in tables if table.higher_is_better is not None}
    view = PairwiseView(
        tuple(standing for table in tables for standing in table.results),
        tuple(pair for table in tables for pair in table.pairs),
        replace(comparison.test, by_people=by_people),
        identical=_without_difference(directed.values()),
    )
    with_mean = set(view.ranked(view.directed[0])) if view.directed else set(comparison.systems)
    baseline = comparison.plan.baseline
    return Evidence(
        order=tuple(view.order) or comparison.systems,
        relations=_relations(view, lambda pair: segments_scored(directed[pair.metric], pair, comparison)),
        measures=tuple(table.label for table in directed.values()),
        alpha=comparison.plan.alpha,
        by_people=by_people,
        baseline=baseline,
        language=comparison.language,
        complete=len(comparison.systems) == 1 or bool(with_mean - {baseline}),
        design=next((table.design for table in directed.values() if table.design is not None), None),
    )


def _without_difference(tables: Iterable[MeasureTable]) -> frozenset[frozenset[str]]:
    """Pairs that score the same on every resample by each of these measures, and so on every segment that counts."""
    different: dict[frozenset[str], bool] = {}
    for table in tables:
        for pair in table.pairs:
            if pair.sets:
                names = frozenset((pair.a, pair.b))
                same = pair.delta == pair.low == pair.high == 0
                different[names] = different.get(names, False) or not same
    return frozenset(names for names, known in different.items() if not known)


def segments_scored(table: MeasureTable, pair: Pair, comparison: Comparison) -> int:
    """How many segments of all sets two systems have a score on; people need not have judged them all."""
    a, b = (
        {score.test_set for score in table.scores if score.system == system and score.score == score.score}
        for system in (pair.a, pair.b)
    )
    scored = 0
    for name in a & b:
        known = comparison.measured_sets.get(name, ())
        rows = next((entry.rows for entry in known if entry.metric == table.specs[name]), None)
        if table.is_metric or rows is None or not {pair.a, pair.b} <= {*rows}:
            scored += comparison.segments[name]
        else:
            scored += int(((rows[pair.a][0][:, 1] > 0) & (rows[pair.b][0][:, 1] > 0)).sum())
    return scored


def _relations(view: PairwiseView, units: Callable[[Pair], int]) -> Relations:
    """Every two systems that were tested against each other, by the measures that have a direction."""
    same = {frozenset(names) for names in view.same}
    relations = {}
    for names, by_metric in view.by_pair.items():
        known = [by_metric[metric] for metric in view.directed if metric in by_metric]
        tested = [pair for pair in known if not math.isnan(pair.p_adjusted)]
        if tested:
            differences = tuple(_difference(view, pair, units(pair)) for pair in tested)
            own = Relation(differences, view.test.by_people, frozenset(names) in same, view.test.alpha)
            relations[frozenset(names)] = own
    return relations


def _difference(view: PairwiseView, pair: Pair, units: int) -> Difference:
    standing = view.metrics[pair.metric]
    return Difference(
        metric=pair.metric,
        label=standing.label,
        a=pair.a,
        b=pair.b,
        delta=pair.delta,
        low=pair.low,
        high=pair.high,
        p=pair.p_adjusted,
        ahead=view.ahead(pair) or "",
        significant=pair.significant,
        higher_is_better=standing.higher_is_better is not False,
        decimals=standing.decimals,
        better_on=pair.better_on,
        worse_on=pair.worse_on,
        units=units,
        margin=pair.margin.margin if pair.margin else None,
    )


def decide(evidence: Evidence) -> Verdict:
    """The verdict that evidence allows."""
    order, baseline = evidence.order, evidence.baseline
    if not evidence.complete:
        return Verdict((), "incomplete", evidence)
    if len(order) < 2:
        return Verdict(order, "alone", evidence)
    if not evidence.relations or evidence.refusal:
        return Verdict(order, "untested", evidence)
    if baseline is not None:
        verdict = _against(baseline, evidence)
    else:
        named = contenders(order, evidence.relations)
        verdict = _name_winners(named, [name for name in order if name not in named], evidence)
    claims = verdict.winner or verdict.certainty == "several"
    return replace(verdict, certainty="opinion") if claims and evidence.opinion else verdict


def _against(baseline: str, evidence: Evidence) -> Verdict:
    """The systems that are better than a baseline; where none is, the baseline or all that may be as good as it."""
    relations = evidence.relations
    tested = [name for name in evidence.order if frozenset((name, baseline)) in relations]
    better = [name for name in tested if relations[frozenset((name, baseline))].prefers(name)]
    if better:
        return _name_winners(contenders(better, relations), [baseline], evidence)
    worse = [name for name in tested if relations[frozenset((name, baseline))].prefers(baseline)]
    if len(worse) == len(tested):
        return _name_winners((baseline,), worse, evidence)
    return _name_winners((*(name for name in tested if name not in worse), baseline), [], evidence)


def _name_winners(named: Sequence[str], beaten: Sequence[str], evidence: Evidence) -> Verdict:
    """The verdict that names these systems; a single one is better than those that it beats."""
    if len(named) == 1:
        own = [evidence.relations.get(frozenset((named[0], name))) for name in beaten]
        clear = all(relation.is_unanimous(named[0]) for relation in own if relation)
        return Verdict(tuple(named), "clear" if clear else "partly", evidence)
    inner = [own for pair, own in evidence.relations.items() if pair <= set(named)]
    return Verdict(tuple(named), _doubt(inner), evidence)


def _doubt(inner: Sequence[Relation]) -> Certainty:
    """Why no single one of several systems is named."""
    if not inner:
        return "several"
    if all(part.same for part in inner):
        return "identical"
    if any(part.is_short for part in inner):
        return "short"
    return "split" if any(part.winners for part in inner) else "open"


def contenders(order: Sequence[str], relations: Relations) -> tuple[str, ...]:
    """The systems that may be the best: those that none is better than, and those not told apart from one of these.

    Where systems beat each other in a circle, none of the circle is worse than the others. A single system is left only
    where it is better than each of the others.
    """
    size = len(order)
    beats, unclear = np.zeros((size, size), bool), np.zeros((size, size), bool)
    place = {name: number for number, name in enumerate(order)}
    for pair, relation in relations.items():
        if all(name in place for name in pair):
            a, b = pair
            beats[place[a], place[b]], beats[place[b], place[a]] = relation.prefers(a), relation.prefers(b)
            unclear[place[a], place[b]] = unclear[place[b], place[a]] = (
                not relation.winners or relation.is_short
            )
    reaches = beats.copy()
    for through in range(size):  # Warshall's transitive closure
        reaches |= np.outer(reaches[:, through], reaches[through])
    core = ~(reaches & ~reaches.T).any(axis=0)
    beside = ~beats[core].all(axis=0) if core.sum() == 1 else unclear[core].any(axis=0)
    return tuple(order[number] for number in np.flatnonzero(core | beside).tolist())


NAMES = 12
PEOPLE = "people’s judgements"


def verdict_sentence(verdict: Verdict) -> str:
    """Which system is better, as strongly as the tests allow; where none is, which ones may be."""
    names, by = join_names(verdict.systems, NAMES), measures_of(verdict)
    kinds = {
        "clear": lambda: f"{names} wins: {_better(verdict)}{_error_rate(verdict)}.",
        "partly": lambda: f"{names} is ahead: {_better_in_part(verdict)}{_error_rate(verdict)}.",
        "open": lambda: f"No single winner: {names} cannot be told apart by {by}{_rest(verdict)}.",
        "split": lambda: f"No single winner: {leads(verdict)}{_rest(verdict)}.",
        "identical": lambda: (
            f"No difference: {names} score the same on every segment by {by}{_rest(verdict)}."
        ),
        "short": lambda: f"No winner is named: {_too_short(verdict)}.",
        "several": lambda: (
            f"No single winner: {names} are better than the baseline {verdict.evidence.baseline} by "
            f"{by}, and were not tested against each other."
        ),
        "untested": lambda: (
            f"No winner: {verdict.evidence.refusal}."
            if verdict.evidence.refusal
            else f"No winner: none of {names} was tested against another."
        ),
        "opinion": lambda: f"No winner for other people: {opinion(verdict)}.",
        "incomplete": lambda: (
            f"No winner: {who_has('system', verdict)} outputs for all test sets, and so a mean over them."
        ),
        "alone": lambda: f"{names} is the only system: there is nothing to compare it with.",
    }
    return kinds[verdict.certainty]()


def _error_rate(verdict: Verdict) -> str:
    """How often such a test errs, to go on with a verdict, where that is more often than asked for."""
    rate = verdict.evidence.error_rate
    if not rate > verdict.alpha:
        return ""
    often = "about" if verdict.evidence.is_estimated else "up to"
    return f"; such tests tell {often} {100 * rate:.0f} % of equal systems apart"


def opinion(verdict: Verdict) -> str:
    """Which systems one or two annotators find better than which."""
    beaten = [verdict.evidence.baseline] if verdict.evidence.baseline in verdict.others else verdict.others
    verb = are(len(verdict.systems))
    whose = verdict.evidence.opinion
    losers = join_names(list(map(str, beaten)), NAMES)
    return f"{join_names(verdict.systems, NAMES)} {verb} better than {losers} {whose} only"


def comparison_sentence(comparison: Comparison, verdict: Verdict) -> str:
    """The verdict; of a study, over how many sets it is, and whom the system met on fewer of them."""
    answer = verdict_sentence(verdict)
    if not comparison.tables or verdict.certainty in ("incomplete", "alone"):
        return answer
    tables = [table for table in comparison.tables if table.label in verdict.measures]
    sets = len(tables[0].sets if tables else comparison.sets)
    fewer = compared_on_fewer(comparison, verdict)
    rest = f"; against {join_names(fewer, NAMES)} over the sets that both have" if fewer else ""
    return f"{answer.removesuffix('.')}, in the mean over {pluralise(sets, 'test set')}{rest}."


def comparison_verdict_document(comparison: Comparison) -> dict[str, Any]:
    """The verdict of a comparison for other programs, with its sentence."""
    verdict = comparison_verdict(comparison)
    return verdict_document(verdict) | {"sentence": comparison_sentence(comparison, verdict)}


def compared_on_fewer(comparison: Comparison, verdict: Verdict) -> tuple[str, ...]:
    """Those that the first system named was tested against on fewer sets than all, for lack of outputs."""
    pairs = [
        (table, name, table.pair(verdict.system, name))
        for table in comparison.tables
        if table.label in verdict.measures
        for name in verdict.order
    ]
    fewer = {name for table, name, pair in pairs if pair is not None and pair.sets < len(table.sets)}
    return tuple(name for name in verdict.order if name in fewer)


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """The verdict for other programs, with its sentence."""
    return {"sentence": verdict_sentence(verdict), **verdict.as_document()}


def matter_sentence(verdict: Verdict) -> str:
    """Whether the difference exceeds a margin: the one that was given, or what people usually notice; '' if unknown."""
    own, known = verdict.difference, verdict.relevance
    if own is None or verdict.exceeds_margin is None or verdict.certainty in ("identical", "short"):
        return ""
    what = f"{abs(own.delta):.{digits([own.delta], own.decimals)}f} {own.label}"
    if own.margin is not None:
        verb = "exceeds" if verdict.exceeds_margin else "does not exceed"
        return f"A difference of {what} {verb} the margin of {own.margin:g} that was given."
    assert known is not None
    agree = (
        f"by a curve fitted to {known.data} they agree with about {in_hundred(known.agreement)} % of such differences "
        f"({in_hundred(known.low)}–{in_hundred(known.high)} % on a new test set; chance is 50 %)"
    )
    rest = "" if known.noticeable else _noticed_from(known, own)
    return f"People {NOTICE[known.visibility]} a difference of {what}: {agree}{rest}."


def _noticed_from(known: Relevance, difference: Difference) -> str:
    """The difference with which people agree in three of four pairs, where the curve reaches it."""
    if not math.isfinite(known.margin):
        return ""
    return f"; from {known.margin:.{difference.decimals}f} on they agree with three in four"


def measures_of(verdict: Verdict) -> str:
    """What decides, by name."""
    return PEOPLE if verdict.by_people else join_names(verdict.measures)


def repeats(verdict: Verdict) -> bool:
    """Whether segments repeat each other, so that distinct ones are counted."""
    return verdict.evidence.design is not None and verdict.evidence.design.unit == TEXT


def who_has(what: str, verdict: Verdict) -> str:
    """Of a verdict that is incomplete: no system has, or none but the baseline."""
    baseline = verdict.evidence.baseline
    return f"no {what} but {baseline} has" if baseline in verdict.order[:1] else f"no {what} has"


def _better(verdict: Verdict) -> str:
    """Whom the winner beats, by what: people's judgements first, metrics where people were not asked."""
    winner = verdict.winner
    known = [(name, verdict.relation(winner, name)) for name in verdict.order]
    parts = []
    metrics = (verdict.metrics or verdict).measures
    for by_people, by in ((True, PEOPLE), (False, join_names(metrics))):
        names = [name for name, entry in known if entry and entry.by_people == by_people]
        if names:
            unasked = ", which people did not judge" if verdict.by_people and not by_people else ""
            parts.append(f"by {by} it is better than {_all_of(names, verdict)}{unasked}")
    return "; ".join(parts)


def _better_in_part(verdict: Verdict) -> str:
    """Whom the winner beats by every measure, and whom by some: which ones, where it is one system."""
    clear = [name for name in verdict.tested if name not in verdict.partly]
    rivals = join_names(verdict.partly, NAMES)
    if verdict.by_people:  # metrics decide where people did not judge
        return f"{_better(verdict)}, but not every measure shows it of {rivals}"
    if clear:
        return f"it is better than {_all_of(clear, verdict)} by every measure, and than {rivals} by some"
    if len(verdict.partly) > 1:
        return f"it is better than {rivals}, each by some of {join_names(verdict.measures)}"
    relation = verdict.relation(verdict.winner, rivals)
    assert relation is not None
    showing = [difference.label for difference in relation.differences if difference.winner]
    silent = [difference.label for difference in relation.differences if not difference.winner]
    verb = "does" if len(silent) == 1 else "do"
    return f"by {join_names(showing)} it is better than {rivals}, which {join_names(silent)} {verb} not show"


def _too_short(verdict: Verdict) -> str:
    """How short the test is, and that this outweighs a difference that it shows."""
    size = pluralise(verdict.segments, "distinct segment" if repeats(verdict) else "segment")
    names, verb = join_names(verdict.systems, NAMES), are(verdict.segments)
    if any(part.winners for part in verdict.inner):
        return f"{size} {verb} too few to rely on the difference that they show of {names} (the minimum is {FEWEST})"
    return f"{size} {verb} too short a test to tell {names} apart (the minimum is {FEWEST})"


def _all_of(names: Sequence[str], verdict: Verdict) -> str:
    """Systems by name, or all that there are besides."""
    if len(names) > 2 and len(names) == len(verdict.order) - 1:
        return f"each of the {len(names)} other systems"
    return join_names(names, NAMES)


def leads(verdict: Verdict) -> str:
    """Which system leads by which measures, and which others cannot be ruled out."""
    by_system: dict[str, list[str]] = {}
    for label, system in verdict.leaders.items():
        if system:
            by_system.setdefault(system, []).append(label)
    if not by_system:
        return f"of {join_names(verdict.systems, NAMES)}, none is shown to be better than each of the others"
    if len(by_system) == 1:
        [leader] = by_system
        return f"{leader} scores best by {measures_of(verdict)}, but is {not_shown(verdict, leader)}"
    words = [f"{name} leads by {join_names(labels)}" for name, labels in by_system.items()]
    words[1:] = [word.replace(" leads by ", " by ", 1) for word in words[1:]]
    left = [name for name in verdict.systems if name not in by_system]
    more = f"; {join_names(left, NAMES)} cannot be ruled out either" if left else ""
    return f"{join_names(words) if len(words) > 2 else ', '.join(words)}{more}"


def not_shown(verdict: Verdict, leader: str) -> str:
    """Of a system that leads: than which of the others it is not shown to be better, and than which it is."""
    others = [name for name in verdict.systems if name != leader]
    known = {name: verdict.relation(leader, name) for name in others}
    better = [name for name, entry in known.items() if entry and entry.prefers(leader)]
    rest = [name for name in others if name not in better]
    over = f" (it is better than {join_names(better, NAMES)})" if better else ""
    return f"not shown to be better than {join_names(rest, NAMES)}{over}"


def _rest(verdict: Verdict) -> str:
    """What is known of the systems that are not named."""
    if not verdict.others or verdict.evidence.baseline is not None:
        return ""
    beaten = _worse_than_all(verdict)
    rest = tuple(name for name in verdict.others if name not in beaten)
    both = "both" if len(verdict.systems) == 2 else "each of them"
    told = ""
    for names, whom in ((beaten, both), (rest, "at least one of them")):
        count = len(names)
        everybody = count > 2 and count == len(verdict.others)
        who = f"the other {count} {noun_form(count, 'system')}" if everybody else join_names(names, NAMES)
        told += f"; {who} {are(count)} worse than {whom}" if names else ""
    return told


def _worse_than_all(verdict: Verdict) -> tuple[str, ...]:
    """The systems that are not named, where each one named is better than they are."""
    return tuple(
        name
        for name in verdict.others
        if all((own := verdict.relation(better, name)) and own.prefers(better) for better in verdict.systems)
    )
