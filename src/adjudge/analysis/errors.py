"""Classes of errors: inflection, word order, missing, extra and wrong words.

Automatic classes after Popović and Ney (2011) and Hjerson; `error_typology` puts them under one roof with what people
mark.

Where trees tell parts of speech, the classes are counted by part of speech too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.base import (
    AnalysisInputs,
    Members,
    contrasts,
    design_notes,
    interval_chart,
    no_members,
)
from adjudge.analysis.parts_of_speech import Tagged, texts_of_trees
from adjudge.charts import IntervalChart
from adjudge.comparison.documents import result_document
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.scoring import check, resolve_metrics
from adjudge.data import Outputs, TestSet
from adjudge.display import (
    DOWN,
    Cell,
    Column,
    Data,
    Displayable,
    Row,
    Section,
    Signature,
    Table,
    around,
    best_of,
    visible,
)
from adjudge.errors import UsageError
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Rows
from adjudge.metrics.hjerson import (
    COLUMNS,
    COUNTS,
    LETTERS,
    SIDES,
    Count,
    Errors,
    Hjerson,
    Labels,
    WordClasses,
)
from adjudge.stats.design import AUTO, Design, unit_noun, units_of
from adjudge.stats.ratios import RatioTest, ratio_test
from adjudge.stats.resampling import estimate, resampled_scores
from adjudge.stats.units import Units
from adjudge.wording import (
    family,
    join_names,
    largest_p,
    number,
    p_number,
    p_text,
    percent,
    pluralise,
    with_sign,
)

if TYPE_CHECKING:
    from adjudge.analysis.error_typology import ErrorTypology

SHOWN = 6
MEANING = {
    "all": "all of them",
    "inflection": "another form of the right word",
    "reordering": "the right word at another place",
    "missing": "words of the reference that are not there",
    "extra": "words that the reference has not",
    "lexical": "another word in place of the right one",
}


@dataclass(frozen=True)
class TagErrors:
    """The errors of one system in words of one part of speech."""

    pos: str
    hypothesis_words: int
    reference_words: int
    words: dict[str, int]
    """By class; words of the output, or of the reference for what is missing."""
    rates: dict[str, float]
    """By class, in percent of the words of that part of speech; NaN where there are none."""


CLASSES: tuple[Errors, ...] = ("inflection", "reordering", "missing", "extra", "lexical")
EVERY: tuple[Errors, ...] = ("all", *CLASSES)
WORDS_SHOWN = 10
Frequent = tuple[tuple[str, int], ...]
"""Words and how often they have a class of errors, most often first."""


@dataclass(frozen=True)
class ClassRate:
    """One class of errors of one system."""

    errors: str
    """Its name, or `all`."""
    words: int
    blocks: int
    rate: float
    """Words in percent of the output's, or of the reference's for what is missing."""
    low: float
    high: float
    block_rate: float
    frequent: Frequent = ()
    """The words that have it most often: the output's, or the reference's for what is missing or of another choice."""
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments with at least one such word."""


@dataclass(frozen=True)
class SystemErrors:
    """All classes of one system."""

    system: str
    hypothesis_words: int
    reference_words: int
    edits: int
    reference_unknown: int
    hypothesis_unknown: int
    classes: tuple[ClassRate, ...]
    """All of them together first."""
    parts_of_speech: tuple[TagErrors, ...] = ()
    """Where trees were asked."""
    words: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False, compare=False)
    """Of the output, by segment."""
    by_segment: Mapping[str, NDArray[np.int64]] = field(default_factory=dict, repr=False, compare=False)
    """Words of each class, by segment."""


@dataclass(frozen=True)
class ClassDifference:
    """One class of errors of a system against the same of the first one."""

    system: str
    baseline: str
    errors: str
    delta: float
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True)
class ErrorClasses(Displayable):
    """Several systems by classes of errors."""

    signature: str
    segments: int
    systems: tuple[SystemErrors, ...]
    differences: tuple[ClassDifference, ...]
    alpha: float
    confidence: float
    design: Design
    """What intervals and tests draw."""
    family: int = field(default=0, repr=False)
    """How many tests p was corrected over, with those of other analyses; 0: its own alone."""

    typology: ErrorTypology | None = field(default=None, repr=False, compare=False)
    """What people marked, beside what the program found."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Classes of errors of {pluralise(len(self.systems), 'system')}"

    @property
    def about(self) -> str:
        """Below the title of its page."""
        return pluralise(self.segments, "segment")

    def sections(self) -> list[Section]:
        """Rates, differences, words; by part of speech, and beside what people marked."""
        parts = [
            Section(
                "Words with errors, in percent", (_rates_table(self),), key="rates", charts=_charts(self)
            ),
            Section(
                "Against " + visible(self.systems[0].system),
                (_difference_table(self),) if self.differences else (),
                tuple(_sentences(self)),
                key="differences",
            ),
            Section("The words that it happens to most often", (_word_table(self),), key="words"),
            *_tag_sections(self),
            *(self.typology.sections() if self.typology is not None else ()),
        ]
        notes: tuple[str | Signature, ...] = (
            "Shares are of the output's words, and of the reference's for missing ones; ± is half of the "
            f"{percent(self.confidence)} interval over {units_of(self.design.unit)}. "
            "In brackets: runs of such words, in percent.",
            *design_notes(self.design),
            "Programs of this kind see words, not meaning: a good synonym is a lexical error to them.",
            Signature("hjerson", self.signature),
        )
        return [part for part in parts if part.tables or part.sentences] + [Section(notes=notes, key="notes")]

    def data(self) -> Data:
        """One row per system and class."""
        names = ("errors", "words", "blocks", "rate", "low", "high", "block_rate")
        rows = [
            [system.system, *(getattr(class_, name) for name in names)]
            for system in self.systems
            for class_ in system.classes
        ]
        return Data(["system", *names], rows)

    def document(self) -> Mapping[str, Any]:
        """For JSON: with word error rates, the branch of each class, and what people marked."""
        from adjudge.analysis.error_typology import BRANCHES, ROOF

        systems = []
        for system in self.systems:
            own = result_document(system)
            own["wer"] = 100 * system.edits / system.reference_words if system.reference_words else math.nan
            for c in own["classes"]:
                c["typology"] = BRANCHES.get(ROOF.get(c["errors"], ""), "")
                c["frequent"] = [{"word": word, "times": times} for word, times in c["frequent"]]
            systems.append(own)
        return {
            "signature": self.signature,
            "segments": self.segments,
            "alpha": self.alpha,
            "design": result_document(self.design),
            "systems": systems,
            "differences": [result_document(difference) for difference in self.differences],
            **({} if self.typology is None else {"typology": result_document(self.typology)}),
        }


def error_classes(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metric: Hjerson | str = "hjerson",
    *,
    trees: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
    threads: int = 0,
    unit: str = AUTO,
    progress: Callable[[str, int, int], None] | None = None,
) -> ErrorClasses:
    """The classes of errors of every output, with intervals, and tests of each class against the first output's.

    With `trees`, words are those of the trees that the test set has of all texts, and classes are also counted by part
    of speech. `unit` is what is drawn: a label, `segment`, or `auto`: whole documents where they are labelled.
    """
    outputs = tuple(outputs)
    units, design = units_to_draw(test_set, unit)
    asked = _hjerson(metric, trees)
    tagged = tagged_texts(test_set, outputs) if trees else None
    if tagged is not None:
        test_set, outputs = tagged.test_set, tagged.outputs
    [chosen], test_set = resolve_metrics([asked], test_set)
    check(test_set, outputs, [chosen])
    assert isinstance(chosen, Hjerson)
    prepared = chosen.prepare(test_set)
    rows, frequent, tags, steps = {}, [], [], len(outputs) + 1
    for place, output in enumerate(outputs):
        if progress:
            progress(f"errors of {output.title}", place, steps)
        classes = chosen.classes(prepared, output.segments, threads=threads)
        rows[output.title] = classes.rows
        frequent.append(_frequent(classes))
        if tagged is not None:
            tags.append(tag_errors(classes.labels(), tagged.hypotheses[place], tagged.references))
    drawn = _resample_rows(list(rows.values()), units, resamples, seed, threads)
    systems = [
        _system(chosen, name, rows[name], drawn[place], frequent[place], 1 - alpha)
        for place, name in enumerate(rows)
    ]
    if tags:
        systems = [replace(system, parts_of_speech=of) for system, of in zip(systems, tags, strict=True)]
    if progress:
        progress("testing classes of errors", len(outputs), steps)
    return ErrorClasses(
        signature=chosen.signature(test_set),
        segments=len(test_set),
        systems=tuple(systems),
        differences=_differences(rows, units, alpha),
        alpha=alpha,
        confidence=1 - alpha,
        design=design,
    )


def _differences(rows: Mapping[str, Rows], units: Units, alpha: float) -> tuple[ClassDifference, ...]:
    """Every class of every system but the first against the first system's, corrected together."""
    first, *others = rows
    tests = {
        (name, errors): _test(errors, rows[name], rows[first], units) for name in others for errors in EVERY
    }
    return tuple(
        ClassDifference(
            name, first, errors, 100 * contrast.delta, contrast.p, contrast.p_adjusted, contrast.significant
        )
        for (name, errors), contrast in contrasts(tests, alpha).items()
    )


def _hjerson(metric: Hjerson | str, trees: bool) -> Hjerson:
    """The metric for all classes; words of trees are cut already."""
    asked = metric_of(metric) if isinstance(metric, str) else metric
    if not isinstance(asked, Hjerson):
        raise UsageError(f"{asked.spec} knows no classes of errors; hjerson does")
    if trees and asked.tokenize not in ("", "none"):
        raise UsageError(f"{asked.spec}: words are those of the trees, leave tokenize= out")
    return replace(asked, errors="all", blocks=False, tokenize="none" if trees else asked.tokenize)


def _resample_rows(
    systems: Sequence[Rows], units: Units, resamples: int, seed: int, threads: int
) -> list[Rows]:
    """What the rows of every system add up to in resamples of the units, the same ones for all."""
    if not units.vary:
        return [np.full((1, len(COLUMNS)), np.nan) for _ in systems]
    columns = [np.ascontiguousarray(rows[:, [place]]) for rows in systems for place in range(rows.shape[1])]
    drawn = resampled_scores(
        columns, lambda column: column[..., 0], resamples=resamples, seed=seed, units=units, threads=threads
    )
    return [drawn[:, place : place + len(COLUMNS)] for place in range(0, len(columns), len(COLUMNS))]


def _system(
    chosen: Hjerson, name: str, rows: Rows, drawn: Rows, words: dict[str, Frequent], confidence: float
) -> SystemErrors:
    sums = rows.sum(0)
    by_column = {column: int(value) for column, value in zip(COLUMNS, sums, strict=True)}
    classes = []
    for errors in EVERY:
        metric = replace(chosen, errors=errors)
        interval = estimate(float(metric.aggregate(sums)), metric.aggregate(drawn), confidence=confidence)
        counted = CLASSES if errors == "all" else (errors,)
        classes.append(
            ClassRate(
                errors=errors,
                words=sum(int(sums[_place(part, blocks=False)]) for part in counted),
                blocks=sum(int(sums[_place(part, blocks=True)]) for part in counted),
                rate=interval.score,
                low=interval.low,
                high=interval.high,
                block_rate=float(replace(metric, blocks=True).aggregate(sums)),
                frequent=words.get(errors, ()),
                members=np.flatnonzero(sum(rows[:, _place(part, blocks=False)] for part in counted)),
            )
        )
    return SystemErrors(
        system=name,
        hypothesis_words=by_column["hypothesis words"],
        reference_words=by_column["reference words"],
        edits=by_column["edits"],
        reference_unknown=by_column["reference unknown"],
        hypothesis_unknown=by_column["hypothesis unknown"],
        classes=tuple(classes),
        words=rows[:, COLUMNS.index("hypothesis words")].astype(np.int64),
        by_segment={errors: rows[:, _place(errors, blocks=False)].astype(np.int64) for errors in CLASSES},
    )


def _test(errors: str, a: Rows, b: Rows, units: Units) -> RatioTest:
    """Whether one system has a class of errors more often than another, or any of them."""
    counted = CLASSES if errors == "all" else (errors,)
    return ratio_test(*(_share(part, a, b) for part in counted), units=units)


def _share(errors: str, a: Rows, b: Rows) -> tuple[Rows, Rows, Rows, Rows]:
    """A class of errors and the words it is a share of, in two systems."""
    count = Count(errors, SIDES.get(errors, "hypothesis"), False)
    column = 5 + COUNTS.index(count)
    return a[:, column], a[:, count.words], b[:, column], b[:, count.words]


def _place(errors: str, *, blocks: bool) -> int:
    """The column that a class is counted in: the output's words, but for what is missing from it."""
    count = Count(errors, SIDES.get(errors, "hypothesis"), blocks)
    return 5 + COUNTS.index(count)


def _frequent(classes: WordClasses) -> dict[str, Frequent]:
    """The words that have each class of errors most often: of equals, those that have it first."""
    return {errors: _most(classes, errors) for errors in CLASSES}


def _most(classes: WordClasses, errors: str) -> Frequent:
    side = classes.reference if errors in ("missing", "lexical") else classes.hypothesis
    words, first, counts = np.unique(side.with_error(errors), return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:WORDS_SHOWN]
    return tuple((classes.vocabulary[words[i]], int(counts[i])) for i in order.tolist())


def shares(system: SystemErrors) -> list[float]:
    """What part of all errors of a system each class is; nothing where there are none."""
    rates = np.array([c.rate for c in system.classes[1:]])
    total = rates.sum()
    return [float(rate / total) if total else 0.0 for rate in rates]


def classes_of(systems: Sequence[SystemErrors], errors: str) -> list[ClassRate]:
    """One class of all systems."""
    return [next(c for c in system.classes if c.errors == errors) for system in systems]


@dataclass(frozen=True, eq=False)
class TaggedTexts:
    """A test set and outputs whose words are those of their trees, and the parts of speech of these."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    references: list[list[Tagged]]
    hypotheses: list[list[Tagged]]


def tagged_texts(test_set: TestSet, outputs: Sequence[Outputs]) -> TaggedTexts:
    """The texts as their trees have them, a space between words."""
    references, hypotheses = texts_of_trees(test_set, outputs)
    columns = [
        [None if text is None else _join(words) for text, words in zip(column, tagged, strict=True)]
        for column, tagged in zip(test_set.references, references, strict=True)
    ]
    return TaggedTexts(
        replace(test_set, references=tuple(map(tuple, columns)), trees=None),
        tuple(
            replace(output, segments=tuple(map(_join, tagged)))
            for output, tagged in zip(outputs, hypotheses, strict=True)
        ),
        references,
        hypotheses,
    )


def tag_errors(
    labels: Sequence[Labels], hypothesis: Sequence[Tagged], references: Sequence[Sequence[Tagged]]
) -> tuple[TagErrors, ...]:
    """The classes of every part of speech, those with the most words of the reference first.

    A word that is missing has the part of speech that the reference says, all others that of the output.
    """
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    classes = {letter: name for name, letter in LETTERS.items()}
    for place, segment in enumerate(labels):
        wanted = references[segment.reference_set][place]
        ours.update(tag for _, tag in hypothesis[place])
        theirs.update(tag for _, tag in wanted)
        for letters, words, missing in (
            (segment.hypothesis, hypothesis[place], False),
            (segment.reference, wanted, True),
        ):
            for letter, (_, tag) in zip(letters, words, strict=True):
                name = classes.get(letter, "")
                if name and (name == "missing") == missing:
                    errors[tag, name] += 1
    tags = sorted({*ours, *theirs}, key=lambda tag: (-theirs[tag], tag))
    return tuple(_tag_errors(tag, ours[tag], theirs[tag], errors) for tag in tags)


def _tag_errors(tag: str, ours: int, theirs: int, errors: Counter[tuple[str, str]]) -> TagErrors:
    words = {name: errors[tag, name] for name in LETTERS}
    below = {name: theirs if name == "missing" else ours for name in LETTERS}
    rates = {
        name: 100 * number / below[name] if below[name] else float("nan") for name, number in words.items()
    }
    return TagErrors(tag, ours, theirs, words, rates)


def _join(words: Tagged) -> str:
    return " ".join(word for word, _ in words)


def analyse(
    inputs: AnalysisInputs,
    *,
    metric: Annotated[str, "It tells errors apart, as in 'hjerson(bases=stem)'."] = "hjerson",
    judgements: tuple[str, ...] = (),
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 0,
    trees: tuple[str, ...] = (),
) -> ErrorClasses:
    """Tell the errors of outputs apart: inflection, word order, missing, extra and wrong words.

    Found by words and their base forms as Hjerson does; every class with an interval, and tested against the first
    system's. Trees of all texts tell them by part of speech; errors that people marked stand beside them.

    \b
    adjudge analyse errors -r reference.en rulebased.en neural.en
    adjudge analyse errors -r reference.en -m 'hjerson(bases=stem)' -l de-en neural.en
    adjudge analyse errors -r reference.en --trees trees.conllu rulebased.en neural.en
    adjudge analyse errors -r reference.en --judgements mqm.tsv rulebased.en neural.en
    """
    from adjudge.analysis.error_typology import error_typology

    marked = inputs.read_judgements(judgements)
    loaded = inputs.load()
    classes = error_classes(
        loaded.test_set,
        loaded.outputs,
        metric,
        trees=bool(trees),
        resamples=resamples,
        seed=seed,
        threads=threads,
        unit=unit,
        progress=inputs.progress,
    )
    if marked is None:
        return classes
    return replace(
        classes, typology=error_typology(classes, loaded.test_set, loaded.outputs, marked.judgements)
    )


def _rates_table(result: ErrorClasses) -> Table:
    head = [Column("Errors"), Column("which are")]
    head += [Column(visible(s.system), True, DOWN) for s in result.systems]
    rows = []
    for errors in (*CLASSES, "all"):
        rates = classes_of(result.systems, errors)
        best = best_of([c.rate for c in rates], 1, higher_is_better=False)
        cells = [
            Cell(f"{around(c.rate, c.low, c.high, 1)} ({number(c.block_rate, 1)})", mark)
            for c, mark in zip(rates, best, strict=True)
        ]
        rows.append(Row((Cell(errors), Cell(MEANING[errors]), *cells), rule=errors == "all"))
    return Table(tuple(head), tuple(rows))


def _difference_table(result: ErrorClasses) -> Table:
    systems = [s.system for s in result.systems[1:]]
    head = [Column("Errors")]
    for name in systems:
        head += [Column(f"Δ {visible(name)}", True, DOWN), Column("p", True, joined=True)]
    by_place = {(d.system, d.errors): d for d in result.differences}
    rows = []
    for errors in (*CLASSES, "all"):
        cells = []
        for name in systems:
            difference = by_place[name, errors]
            style = ("win" if difference.delta < 0 else "loss") if difference.significant else ""
            cells += [
                Cell(with_sign(difference.delta, 1), style=style),
                Cell(p_number(difference.p_adjusted, result.alpha)),
            ]
        rows.append(Row((Cell(errors), *cells), rule=errors == "all"))
    return Table(tuple(head), tuple(rows))


def _sentences(result: ErrorClasses) -> list[str]:
    if not result.differences:
        return []
    baseline = visible(result.systems[0].system)
    sentences = []
    for system in result.systems[1:]:
        differences = [d for d in result.differences if d.system == system.system and d.significant]
        name = visible(system.system)
        parts = [d for d in differences if d.errors != "all"]
        fewer = [d for d in parts if d.delta < 0]
        more = [d for d in parts if d.delta > 0]
        if not parts:
            sentences.append(_together(name, baseline, differences, result.alpha))
            continue
        phrases = []
        for word, chosen in (("fewer", fewer), ("more", more)):
            if chosen:
                names = join_names([f"{d.errors} ({with_sign(d.delta, 1)})" for d in chosen])
                p = largest_p([d.p_adjusted for d in chosen], result.alpha)
                phrases.append(f"{word} errors than {baseline} of: {names}, {p}")
        sentences.append(f"{name} has {'; '.join(phrases)}.")
    drawn = pluralise(result.design.units, unit_noun(result.design.unit))
    sentences.append(
        f"Tested by turning signs of {drawn}, p corrected after Holm over "
        f"{family(result.family, pluralise(len(result.differences), 'test'))}."
    )
    return sentences


def _together(name: str, baseline: str, significant: Sequence[ClassDifference], alpha: float) -> str:
    """What is to be said of two systems that no single class tells apart."""
    if not significant:
        return f"{name} and {baseline} cannot be told apart by any class of errors."
    [difference] = significant
    fewer = "fewer" if difference.delta < 0 else "more"
    return (
        f"{name} has {fewer} errors than {baseline} of all classes together ({with_sign(difference.delta, 1)}, "
        f"{p_text(difference.p_adjusted, alpha)}); no single class tells them apart."
    )


def _word_table(result: ErrorClasses) -> Table:
    head = (Column("Errors"), *(Column(visible(s.system)) for s in result.systems))
    rows = []
    for errors in CLASSES:
        cells = []
        for rate in classes_of(result.systems, errors):
            words = [f"{visible(word)} {times}" for word, times in rate.frequent[:SHOWN]]
            cells.append(Cell(", ".join(words) or "–"))
        rows.append(Row((Cell(errors), *cells)))
    return Table(head, tuple(rows))


def _tag_sections(result: ErrorClasses) -> list[Section]:
    """One table per system: parts of speech down, classes across, in percent of the words of each part of speech."""
    sections = []
    for system in result.systems:
        if not system.parts_of_speech:
            continue
        head = [Column("Part of speech"), Column("words", True), Column("of the reference", True)]
        head += [Column(errors, True, DOWN) for errors in CLASSES]
        rows = [
            Row(
                (
                    Cell(visible(tag.pos)),
                    Cell(f"{tag.hypothesis_words:,}"),
                    Cell(f"{tag.reference_words:,}"),
                    *(Cell(number(tag.rates[errors], 1)) for errors in CLASSES),
                )
            )
            for tag in system.parts_of_speech
        ]
        title = f"{visible(system.system)} by part of speech, in percent"
        notes = ("Words are those of the trees; what is missing has the part of speech in the reference.",)
        key = f"pos {system.system}"
        sections.append(Section(title, (Table(tuple(head), tuple(rows)),), notes=notes, key=key))
    return sections


def _charts(result: ErrorClasses) -> tuple[IntervalChart, ...]:
    """A chart a class."""
    charts = []
    for errors in (*CLASSES, "all"):
        rates = zip(result.systems, classes_of(result.systems, errors), strict=True)
        systems = [(system.system, rate.rate, rate.low, rate.high) for system, rate in rates]
        charts.append(interval_chart(systems, errors, DOWN, result.confidence))
    return tuple(charts)
