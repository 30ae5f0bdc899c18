"""M-BLEU and M-TER (Agarwal and Lavie 2008): BLEU and TER that forgive what METEOR matches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from adjudge.data import Alignment, TestSet
from adjudge.metrics.base import Direction, Metric, Rows
from adjudge.metrics.bleu import Bleu, Smoothing
from adjudge.metrics.meteor import Meteor, MeteorReferences
from adjudge.metrics.ter import Ter
from adjudge.text.stems import Edition


class PreparedReferences(NamedTuple):
    """What METEOR and the metric on top of it made of the references."""

    meteor: MeteorReferences
    plain: Any


@dataclass(frozen=True)
class Flexible(Metric):
    """A metric on words after the output's words that METEOR matches are replaced by the reference's."""

    language: str = ""
    matchers: str = ""
    normalize: bool = True
    punctuation: bool = True
    lowercase: bool = True
    stems: Edition = "meteor"
    synonyms: str = ""
    paraphrases: str = ""
    resources: str = ""

    def __post_init__(self) -> None:
        meteor = self.meteor  # which checks the options
        object.__setattr__(self, "language", meteor.language)
        object.__setattr__(self, "matchers", meteor.matchers)

    @cached_property
    def meteor(self) -> Meteor:
        """What finds the matches."""
        return Meteor(
            language=self.language,
            matchers=self.matchers,
            normalize=self.normalize,
            punctuation=self.punctuation,
            lowercase=self.lowercase,
            stems=self.stems,
            synonyms=self.synonyms,
            paraphrases=self.paraphrases,
            resources=self.resources,
        )

    @property
    @abstractmethod
    def plain(self) -> Metric:
        """What is computed on the replaced words."""

    def for_test_set(self, test_set: TestSet) -> Flexible:
        """The metric for the language of a test set, if none was asked for."""
        return replace(self, language=self.meteor.for_test_set(test_set).language)

    @property
    def follows_language(self) -> bool:
        """As METEOR."""
        return self.meteor.follows_language

    @property
    def needs_language(self) -> bool:
        """As METEOR."""
        return self.meteor.needs_language

    def depends_on(self, language: str) -> bool:
        """As METEOR."""
        return self.meteor.depends_on(language)

    @property
    def splits_at_spaces(self) -> bool:
        """As METEOR."""
        return self.meteor.splits_at_spaces

    def prepare(self, test_set: TestSet) -> PreparedReferences:
        """References in METEOR's words, for METEOR and for the metric on top."""
        prepared = self.meteor.prepare(test_set)
        lines = TestSet(references=tuple(tuple(column.strings()) for column in prepared.texts))
        return PreparedReferences(prepared, self.plain.prepare(lines))

    def stats(self, prepared: PreparedReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The rows of BLEU or TER."""
        alignments = self.meteor.alignments(prepared.meteor, outputs, threads=threads)
        return self.plain.stats(prepared.plain, [replace_matched(a) for a in alignments], threads=threads)

    def aggregate(self, sums: Rows) -> Rows:
        """BLEU or TER."""
        return self.plain.aggregate(sums)

    def signature_fields(self) -> dict[str, str]:
        """How METEOR matched and what was computed then."""
        shown = self.meteor.signature_fields()
        ours = {key: value for key, value in shown.items() if key not in ("task", "par", "w")}
        theirs = self.plain.signature_fields()
        return ours | {
            key: value for key, value in theirs.items() if key not in ("case", "tok", "norm", "punct")
        }


@dataclass(frozen=True)
class MBleu(Flexible):
    """BLEU in which a stem, a synonym or a paraphrase counts like the reference's own words."""

    name = "m-bleu"
    title = "M-BLEU"
    summary = (
        "BLEU after METEOR's matches (stems, synonyms, paraphrases) are replaced by the reference's words"
    )

    max_order: int = 4
    smooth: Smoothing = "exp"
    effective_order: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.plain  # noqa: B018 (checks its options)

    @property
    def plain(self) -> Bleu:
        """BLEU on words as METEOR cut them."""
        return Bleu(
            tokenize="none",
            max_order=self.max_order,
            smooth=self.smooth,
            effective_order=self.effective_order,
        )

    def for_segments(self) -> MBleu:
        """As BLEU does it for single segments."""
        return replace(self, effective_order=self.plain.for_segments().effective_order)


@dataclass(frozen=True)
class MTer(Flexible):
    """TER in which putting a stem, a synonym or a paraphrase right is no edit."""

    name = "m-ter"
    title = "M-TER"
    summary = (
        "TER after METEOR's matches (stems, synonyms, paraphrases) are replaced by the reference's words"
    )
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)

    @property
    def plain(self) -> Ter:
        """TER on words as METEOR cut them, in the case METEOR left them."""
        return Ter(case_sensitive=True)


def replace_matched(alignment: Alignment) -> str:
    """The output with the reference's words in place of those that were matched to them."""
    words: list[str] = []
    at = 0
    for link in sorted(alignment.links, key=lambda link: link.hypothesis):
        begin, end = link.hypothesis
        words += alignment.hypothesis[at:begin]
        words += alignment.reference[link.reference[0] : link.reference[1]]
        at = end
    return " ".join((*words, *alignment.hypothesis[at:]))
