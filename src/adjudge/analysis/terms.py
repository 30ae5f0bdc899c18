"""Terms of a glossary: how often they are kept, and always alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from adjudge import _native
from adjudge.analysis.base import (
    REFERENCE,
    UNTESTED,
    AnalysisInputs,
    Members,
    compare_shares,
    contrasts,
    design_notes,
    first_reference,
    interval_chart,
    no_members,
    percentage,
    texts_with_reference,
)
from adjudge.comparison.groups import units_to_draw
from adjudge.data import Outputs, TestSet, languages
from adjudge.display import UP, Cell, Column, Data, Displayable, Row, Section, Table, around, visible
from adjudge.errors import DataError, UsageError
from adjudge.io.glossaries import Term, read_glossary
from adjudge.metrics.base import Rows
from adjudge.stats.design import AUTO, Design, units_of
from adjudge.stats.resampling import bootstrap
from adjudge.text.identification import share_of_spaceless
from adjudge.wording import MISSING, join_names, number, p_number, pluralise, with_sign

MATCHES = ("exact", "stem")
MISSED = 10


SHOWN = 5


@dataclass(frozen=True)
class MissedTerm:
    """A term that was not translated as the glossary wants it."""

    term: str
    wanted: tuple[str, ...]
    missed: int
    of: int
    segments: tuple[int, ...]
    """The first of them, from 1."""
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """All of them."""


@dataclass(frozen=True)
class SystemTerms:
    """One system's terms."""

    system: str
    kept: int
    of: int
    """Terms of the source, each counted once a segment."""
    rate: float
    low: float
    high: float
    confirmed_kept: int
    """Terms kept where the reference uses the glossary, too: what must be right."""
    confirmed_of: int
    confirmed_rate: float
    consistent: int
    """Of the terms with several translations that came more than once: how often the usual one was taken."""
    consistent_of: int
    delta: float
    """Rate less the first system's; NaN of that and of the reference."""
    p: float
    p_adjusted: float
    significant: bool
    missed: tuple[MissedTerm, ...]
    """Those that are missed most often first."""
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments in which a term was missed."""


@dataclass(frozen=True)
class TermResult(Displayable):
    """Terms of several systems."""

    terms: int
    """Of the glossary."""
    seen: int
    """Of these, how many stand in the source."""
    match: str
    systems: tuple[SystemTerms, ...]
    alpha: float
    design: Design
    """What intervals and tests draw."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Terms of {pluralise(len(self.systems), 'text')}"

    @property
    def about(self) -> str:
        """Below the title of its page."""
        return f"{pluralise(self.terms, 'term')}, {self.seen:,} of them in the source"

    def sections(self) -> list[Section]:
        """Rates with what they are of, and the terms that are missed."""
        notes = (
            f"{pluralise(self.terms, 'term')} in the glossary, {self.seen:,} of them in the source; a term counts "
            "once a segment. What the reference does not keep, a good translation need not keep either. always alike: "
            "of the terms that came more than once, how often with their usual translation.",
            f"Differences to {visible(self.systems[0].system)}: tested by turning signs of "
            f"{units_of(self.design.unit)}, p corrected after Holm.",
            *design_notes(self.design),
        )
        rates = [(system.system, system.rate, system.low, system.high) for system in self.systems]
        chart = interval_chart(rates, "Terms kept", UP, 1 - self.alpha)
        parts = [Section("Terms kept, in percent", (_rates(self),), key="terms", charts=(chart,))]
        missed = _missed_table(self)
        parts += [Section("Terms missed most often", (missed,))] if missed.rows else []
        return [*parts, Section(notes=notes)]

    def data(self) -> Data:
        """One row per system and term that it missed."""
        rows = [
            [system.system, t.term, "|".join(t.wanted), t.missed, t.of, " ".join(map(str, t.segments))]
            for system in self.systems
            for t in system.missed
        ]
        return Data(["system", "term", "wanted", "missed", "of", "segments"], rows)


def terms(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    glossary: Sequence[Term],
    *,
    match: str = "exact",
    resamples: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
    unit: str = AUTO,
) -> TermResult:
    """How often terms of the source come out as the glossary wants it, in every output and in the reference.

    Case does not count; with `stem`, neither do endings, in languages whose stems are known. `unit` is what is drawn:
    a label, `segment`, or `auto`: whole documents where they are labelled.
    """
    source, target = _foldings(test_set, match)
    wanted = _source_terms(test_set, glossary, source)
    texts = texts_with_reference(test_set, outputs)
    systems = list(dict.fromkeys(output.title for output in outputs))
    used = {name: _count_uses(segments, glossary, wanted, target) for name, segments in texts.items()}
    rows = {name: _rows(uses) for name, uses in used.items()}
    confirmed = used.get(REFERENCE)
    units, design = units_to_draw(test_set, unit)
    tests = {name: compare_shares(rows[name], rows[systems[0]], units) for name in systems[1:]}
    tested = contrasts(tests, alpha)
    shown = []
    for name, use in used.items():
        estimate = bootstrap(
            rows[name], percentage, resamples=resamples, seed=seed, units=units, confidence=1 - alpha
        )
        kept, of = (int(value) for value in rows[name].sum(0))
        both = _confirmed_by_reference(use, confirmed)
        usual, times = _consistency(use)
        contrast = tested.get(name, UNTESTED)
        shown.append(
            SystemTerms(
                system=name,
                kept=kept,
                of=of,
                rate=estimate.score,
                low=estimate.low,
                high=estimate.high,
                confirmed_kept=both[0],
                confirmed_of=both[1],
                confirmed_rate=100 * both[0] / both[1] if both[1] else math.nan,
                consistent=usual,
                consistent_of=times,
                delta=100 * contrast.delta,
                p=contrast.p,
                p_adjusted=contrast.p_adjusted,
                significant=contrast.significant,
                missed=_missed_terms(use, glossary),
                members=np.flatnonzero(rows[name][:, 0] < rows[name][:, 1]),
            )
        )
    return TermResult(len(glossary), len({*chain(*wanted)}), match, tuple(shown), alpha, design)


Use = dict[int, str | None]
"""By the place of a term in the glossary: the translation that a segment has, None where it has none."""


@dataclass(frozen=True)
class Folding:
    """Texts as terms are looked for in them: without case, in words and by their stems, or in characters."""

    stems: str
    """The language; empty: words as they stand."""
    spaceless: bool

    def folded(self, text: str) -> tuple[str, ...]:
        """The words, or characters, that count."""
        text = text.casefold()
        if self.spaceless:
            return tuple(text)
        words = _native.tokenize(_native.texts([text]), "intl")[0]
        return tuple(_native.stem(self.stems, word) for word in words) if self.stems else tuple(words)


def _stands_in(term: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[i : i + len(term)] == term for i in range(len(text) - len(term) + 1))


def _foldings(test_set: TestSet, match: str) -> tuple[Folding, Folding]:
    """How terms are looked for in the source language and in the target language."""
    if test_set.sources is None:
        raise UsageError("terms are looked for in the source: -s FILE")
    if match not in MATCHES:
        raise UsageError(f"match {match}: must be one of {', '.join(MATCHES)}")
    codes = languages.pair(test_set.language) if test_set.language else ("", "")
    target = first_reference(test_set) if test_set.references else []
    sides = []
    for code, texts in zip(codes, (test_set.sources, target), strict=True):
        if match == "stem" and code not in _native.stemmer_languages():
            raise UsageError(
                f"no stems are known of {languages.name(code).title() if code else 'a language that nobody said'}: "
                "say the pair (-l de-en), or take terms as they stand (--match exact)"
            )
        spaceless = share_of_spaceless("".join(texts)) > 0.5
        sides.append(Folding(code if match == "stem" else "", spaceless))
    return sides[0], sides[1]


def _source_terms(test_set: TestSet, glossary: Sequence[Term], folding: Folding) -> list[list[int]]:
    """The terms that each segment of the source has; a term within a longer one is not meant by itself."""
    places: dict[tuple[str, ...], list[int]] = {}
    for place, term in enumerate(glossary):
        places.setdefault(folding.folded(term.source), []).append(place)
    longest = max(map(len, places))
    wanted = []
    for source in test_set.sources or ():
        text = folding.folded(source)
        seen: set[int] = set()
        end = 0
        for begin in range(len(text)):
            for size in range(min(longest, len(text) - begin), 0, -1):
                terms_here = places.get(text[begin : begin + size])
                if terms_here and begin + size > end:
                    end = begin + size
                    seen.update(terms_here)
                    break
        wanted.append(sorted(seen))
    if not any(wanted):
        raise DataError(f"none of the {len(glossary):,} terms of the glossary stands in the source")
    return wanted


def _count_uses(
    segments: Sequence[str], glossary: Sequence[Term], wanted: Sequence[Sequence[int]], folding: Folding
) -> list[Use]:
    folded: dict[str, tuple[str, ...]] = {}
    used = []
    for segment, terms in zip(segments, wanted, strict=True):
        text = folding.folded(segment) if terms else ()
        use: Use = {}
        for place in terms:
            for target in glossary[place].targets:
                if target not in folded:
                    folded[target] = folding.folded(target)
            use[place] = next((t for t in glossary[place].targets if _stands_in(folded[t], text)), None)
        used.append(use)
    return used


def _rows(used: Sequence[Use]) -> Rows:
    return np.array([[sum(t is not None for t in uses.values()), len(uses)] for uses in used], float)


def _confirmed_by_reference(used: Sequence[Use], reference: Sequence[Use] | None) -> tuple[int, int]:
    """Terms kept, and all, where the reference keeps them."""
    if reference is None:
        return 0, 0
    kept = [
        uses[place] is not None
        for uses, theirs in zip(used, reference, strict=True)
        for place, translation in theirs.items()
        if translation is not None
    ]
    return sum(kept), len(kept)


def _consistency(used: Sequence[Use]) -> tuple[int, int]:
    """How often the usual translation was taken, of terms that came more than once."""
    by_term: dict[int, Counter[str]] = {}
    for uses in used:
        for place, translation in uses.items():
            if translation is not None:
                by_term.setdefault(place, Counter())[translation] += 1
    several = [counts for counts in by_term.values() if counts.total() > 1]
    return sum(max(counts.values()) for counts in several), sum(counts.total() for counts in several)


def _missed_terms(used: Sequence[Use], glossary: Sequence[Term]) -> tuple[MissedTerm, ...]:
    segments: dict[int, list[int]] = {}
    total: Counter[int] = Counter()
    for segment, uses in enumerate(used, 1):
        total.update(uses.keys())
        for place, translation in uses.items():
            if translation is None:
                segments.setdefault(place, []).append(segment)
    order = sorted(segments, key=lambda place: -len(segments[place]))
    return tuple(
        MissedTerm(
            glossary[place].source,
            glossary[place].targets,
            len(segments[place]),
            total[place],
            tuple(segments[place][:MISSED]),
            np.array(segments[place], np.intp) - 1,
        )
        for place in order
    )


def analyse(
    inputs: AnalysisInputs,
    *,
    glossary: str | None = None,
    match: str = "exact",
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
) -> TermResult:
    """Show how often terms of the source are translated as a glossary wants it.

    \b
    adjudge analyse terms --glossary terms.tsv -s source.pt -r reference.en rulebased.en neural.en
    adjudge analyse terms --glossary terms.tbx --match stem -l pt-en -s source.pt -r reference.en neural.en
    """
    if glossary is None:
        raise UsageError("no glossary: --glossary FILE")
    loaded = inputs.load()
    return terms(
        loaded.test_set,
        loaded.outputs,
        read_glossary(glossary, loaded.test_set.language),
        match=match,
        resamples=resamples,
        seed=seed,
        unit=unit,
    )


def _rates(result: TermResult) -> Table:
    head = (
        Column("System"),
        Column("kept", True, UP),
        Column("of", True),
        Column("Δ", True),
        Column("p", True, joined=True),
        Column("kept where the reference does", True, UP),
        Column("always alike", True, UP),
    )
    rows = []
    for system in result.systems:
        style = ("win" if system.delta > 0 else "loss") if system.significant else ""
        confirmed = f"{number(system.confirmed_rate, 1)} ({system.confirmed_kept:,}/{system.confirmed_of:,})"
        alike = (
            f"{100 * system.consistent / system.consistent_of:.1f} ({system.consistent:,}/{system.consistent_of:,})"
            if system.consistent_of
            else MISSING
        )
        cells = [
            Cell(visible(system.system)),
            Cell(around(system.rate, system.low, system.high, 1)),
            Cell(f"{system.kept:,}/{system.of:,}"),
            Cell(with_sign(system.delta, 1), style=style),
            Cell(p_number(system.p_adjusted, result.alpha)),
            Cell(confirmed if system.confirmed_of else MISSING),
            Cell(alike),
        ]
        rows.append(Row(tuple(cells), rule=system.system == REFERENCE))
    return Table(head, tuple(rows))


def _missed_table(result: TermResult) -> Table:
    rows = []
    for system in result.systems:
        if system.system == REFERENCE:
            continue
        for term in system.missed[:SHOWN]:
            places = join_names([str(place) for place in term.segments], SHOWN)
            texts = (system.system, term.term, " | ".join(term.wanted), f"{term.missed}/{term.of}", places)
            rows.append(Row(tuple(Cell(visible(text)) for text in texts)))
    head = ("System", "Term", "wanted", "missed", "in segments")
    return Table(tuple(map(Column, head)), tuple(rows))
