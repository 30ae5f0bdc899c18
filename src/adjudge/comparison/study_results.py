"""What a study holds: systems on every test set, their means over sets, and who is better in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from adjudge.comparison.documents import design_document
from adjudge.comparison.plan import Plan
from adjudge.comparison.ranked_sets import RankedSets
from adjudge.comparison.results import Measured, Rows
from adjudge.comparison.scoring import TestSetFacts
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.showing import Shown
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import Design
from adjudge.stats.equivalence import Equivalence


@dataclass(frozen=True, eq=False)
class JudgedParts:
    """What every annotator said of every item, in rows whose weighted mean is the mean over translations."""

    crossed: Crossed
    rows: Mapping[str, Rows]
    """By system."""
    design: Design
    """Of documents or items and annotators, drawn together."""


@dataclass(frozen=True, eq=False)
class FurtherScores:
    """Scores of one test set that no metric made: people's, or a file's."""

    measured: Measured
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of its segments, which need not be all of the test set's."""
    design: Design | None = None
    """Who gave these scores, for where annotators are not drawn."""
    by_people: bool = False
    parts: JudgedParts | None = None
    """The judgements behind them, where annotators can be drawn."""


@dataclass(frozen=True, eq=False)
class StudyMaterial:
    """One test set of a study, and the outputs there are for it."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    domain: str = ""
    further: tuple[FurtherScores, ...] = ()
    rankings: Judgements | None = None
    """Rankings of its outputs, where people ranked them."""


@dataclass(frozen=True)
class SetScore:
    """One system on one test set; NaN where it has no output there."""

    test_set: str
    system: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class MacroScore:
    """One system over all test sets of a group; NaN where it lacks one of them."""

    system: str
    score: float
    low: float
    high: float
    sets: int
    missing: tuple[str, ...]
    """Test sets that it has no output for."""
    cluster: int | None = None
    """1 is the best; None where not all pairs were tested on the same sets, or no direction is better."""


@dataclass(frozen=True)
class MacroPair:
    """Two systems over all test sets of a group that both have."""

    a: str
    b: str
    delta: float
    low: float
    high: float
    """Interval of delta, corrected as p is, and saying what the test says."""
    p: float
    p_adjusted: float
    significant: bool
    sets: int
    better_on: int
    """Sets on which a is ahead."""
    worse_on: int
    """Sets on which b is; on the others both have the same score."""
    margin: Equivalence | None = None
    """Whether the two are the same within a margin, where one was given."""


@dataclass(frozen=True)
class StudyGroup:
    """The mean over some of the test sets: all of them, those of a language pair, those of a domain."""

    by: str
    """all, language or domain."""
    name: str
    sets: tuple[str, ...]
    scores: tuple[MacroScore, ...]
    pairs: tuple[MacroPair, ...] = ()


@dataclass(frozen=True)
class StudyTable:
    """One measure over all test sets that have it."""

    metric: str
    label: str
    is_metric: bool
    """Whether it can be computed from texts; people's scores and those of files cannot."""
    specs: Mapping[str, str]
    """By test set what makes the measure again, for tokenizers follow the language; signatures as well."""
    signatures: Mapping[str, str]
    higher_is_better: bool | None
    decimals: int
    scores: tuple[SetScore, ...]
    groups: tuple[StudyGroup, ...]
    """All sets first."""
    designs: Mapping[str, Design] = field(default_factory=dict)
    """By test set, what was drawn and what else belongs together."""
    by_people: bool = False
    """Whether people gave the scores."""
    design: Design | None = None
    """Of the mean over all sets, language pairs included; None in studies that were kept without designs."""

    @property
    def pairs(self) -> tuple[MacroPair, ...]:
        """Those in the mean over all sets."""
        return self.groups[0].pairs

    @property
    def sets(self) -> tuple[str, ...]:
        """The test sets that have it."""
        return self.groups[0].sets

    def as_document(self) -> dict[str, Any]:
        """All of it for JSON."""
        designs = {name: design_document(design) for name, design in self.designs.items()}
        whole = None if self.design is None else design_document(self.design)
        pairs = [asdict(pair) for pair in self.pairs]
        return asdict(self) | {"pairs": pairs, "designs": designs, "design": whole}


@dataclass(frozen=True)
class StudyResult(Shown):
    """Several measures over all test sets."""

    sets: tuple[str, ...]
    facts: Mapping[str, TestSetFacts]
    languages: Mapping[str, str]
    """By test set, where it is known; so are domains."""
    domains: Mapping[str, str]
    systems: tuple[str, ...]
    tables: tuple[StudyTable, ...]
    plan: Plan
    """With the numbers of trials and resamples that were drawn."""
    measured: Mapping[str, tuple[Measured, ...]] = field(default_factory=dict, compare=False, repr=False)
    """By test set, for all that is made of rows: those of metrics first, in the order of the tables."""
    rankings: RankedSets | None = None
    """Whom people prefer in the mean, where they ranked the systems of every set."""

    @property
    def segments(self) -> dict[str, int]:
        """Of every test set."""
        return {name: facts.segments for name, facts in self.facts.items()}

    @property
    def designs(self) -> dict[str, Design]:
        """By test set, that of its first measure; every table has its own."""
        known = {name: design for table in reversed(self.tables) for name, design in table.designs.items()}
        return {name: known[name] for name in self.sets if name in known}

    @property
    def design(self) -> Design | None:
        """Of the mean over all sets by the first measure."""
        return next((table.design for table in self.tables if table.design is not None), None)

    def as_document(self) -> dict[str, Any]:
        """All of it for JSON, but for rows."""
        plan = asdict(self.plan)
        return {
            "sets": list(self.sets),
            "segments": self.segments,
            "facts": {name: facts.as_document() for name, facts in self.facts.items()},
            "languages": dict(self.languages),
            "domains": dict(self.domains),
            "systems": list(self.systems),
            "tables": [table.as_document() for table in self.tables],
            "designs": {name: design_document(design) for name, design in self.designs.items()},
            "rankings": None if self.rankings is None else asdict(self.rankings),
            "design": None if self.design is None else design_document(self.design),
            **{name: plan[name] for name in ("alpha", "resamples", "trials", "seed")},
            "plan": plan,
        }
