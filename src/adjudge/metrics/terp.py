"""TERp (Snover et al. 2009): TER in which stems, synonyms and phrases match and every edit has a cost of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from adjudge import _native
from adjudge.data import Alignment, Link, Shift, TestSet, languages
from adjudge.errors import DataError
from adjudge.metrics.base import Direction, Metric, Rows, divide, require, shortest, target_language, yes_no
from adjudge.metrics.ter import moved_words
from adjudge.metrics.terp_parameters import COSTS, PARAMETERS, PHRASE_COSTS, TerpParameters
from adjudge.text.terp_words import TerpKnowledge, terp_phrases

ShiftRule = Literal["", "none", "exact", "relax_nophrase", "relax"]
KINDS = ("exact", "insertion", "deletion", "substitution", "stem", "synonym", "paraphrase")


@dataclass(frozen=True)
class TerpReferences:
    """References, and the phrases of the table that are in them."""

    references: list[_native.Texts]
    phrases: _native.TerpPhrases | None
    language: str


@dataclass(frozen=True)
class Terp(Metric):
    """Cost of edits and shifts per reference word.

    Rows: cost against the first reference that costs least, mean length of the references, then how many insertions,
    deletions, substitutions, stems, synonyms, phrases, shifts and shifted words that is.
    """

    name = "terp"
    title = "TERp"
    summary = "edits with tuned costs; stems, synonyms and phrases match (terp-h: for HTER; terp-ter: TERp's own TER)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)
    presets = {"terp-h": {"parameters": "terp-h"}, "terp-ter": {"parameters": "ter"}}  # noqa: RUF012

    parameters: Literal["terp-a", "terp-h", "ter"] = "terp-a"
    language: str = ""
    """That of the test set, where none is asked for."""
    normalize: bool = True
    case_sensitive: bool = False
    no_punct: bool = False
    stems: bool | None = None
    synonyms: str = ""
    """Empty: as the parameters have it; none; a folder of WordNet's; a file of the Open Multilingual Wordnet."""
    stop_words: str = ""
    """Words not shifted alone. Empty: as the parameters have it; none; a file of them."""
    phrases: str = ""
    """A file of TERp's phrase table or METEOR's paraphrases."""
    match: float | None = None
    insertion: float | None = None
    deletion: float | None = None
    substitution: float | None = None
    stem: float | None = None
    synonym: float | None = None
    shift: float | None = None
    phrase: float | None = None
    phrase_log: float | None = None
    phrase_probability: float | None = None
    phrase_edits: float | None = None
    shifts: ShiftRule = ""
    beam: int | None = None
    longest_shift: int | None = None
    farthest_shift: int | None = None
    cap: bool | None = None

    def __post_init__(self) -> None:
        require(
            self.parameters in PARAMETERS,
            f"terp(parameters={self.parameters}): must be one of {', '.join(PARAMETERS)}",
        )
        require(
            self.shifts in ("", "none", "exact", "relax_nophrase", "relax"),
            f"terp(shifts={self.shifts}): must be one of none, exact, relax_nophrase, relax",
        )
        for name in COSTS:
            value = getattr(self, name)
            # Free shifts would go on for ever: one that gains nothing is made, too.
            least = "more than 0" if name == "shift" else "0 or more"
            fits = value is None or (0 <= value < 1e6 and (value > 0 or name != "shift"))
            require(fits, f"terp({name}={value}): must be {least} and below a million")
        for name in PHRASE_COSTS:
            value = getattr(self, name)
            require(value is None or abs(value) < 1e6, f"terp({name}={value}): must be within a million")
        for name, most in (("beam", 10_000), ("longest_shift", 100), ("farthest_shift", 10_000)):
            value = getattr(self, name)
            require(value is None or 0 <= value <= most, f"terp({name}={value}): must be from 0 to {most}")
        if self.language:
            languages.code(self.language)

    @cached_property
    def settings(self) -> TerpParameters:
        """The parameter set with the options of this metric in it."""
        changed = {
            field.name: value
            for field in dataclasses.fields(TerpParameters)
            if field.name not in ("synonyms", "stop_words")
            and (value := getattr(self, field.name)) not in (None, "")
        }
        return replace(PARAMETERS[self.parameters], **changed)

    def prepare(self, test_set: TestSet) -> TerpReferences:
        """References in the core, and the phrases that are in them."""
        references = [_native.texts(c, lowercase=not self.case_sensitive) for c in test_set.references]
        language = self._language(test_set)
        self._knowledge(language).check()
        phrases = None
        if self.phrases:
            phrases = terp_phrases(
                self.phrases, references, normalized=self.normalize, no_punct=self.no_punct
            )
        return TerpReferences(references, phrases, language)

    def stats(self, prepared: TerpReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Cost, reference words and counts of each kind of edit."""
        texts, arguments = self._arguments(prepared, outputs)
        try:
            return _native.terp_rows(texts, *arguments, threads)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None

    def alignments(self, prepared: TerpReferences, outputs: Sequence[str]) -> list[Alignment]:
        """The edits themselves, against the first reference that costs least."""
        texts, arguments = self._arguments(prepared, outputs)
        try:
            traces = _native.terp_traces(texts, *arguments, 0)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None
        return [_alignment(*trace) for trace in traces]

    def aggregate(self, sums: Rows) -> Rows:
        """Cost per word in percent, at most 100 where that is asked for."""
        sums = np.asarray(sums, np.float64)
        cost, length = sums[..., 0], sums[..., 1]
        scores = np.where(length > 0, divide(cost, length, otherwise=0.0), cost > 0)
        return 100.0 * (np.minimum(scores, 1.0) if self.settings.cap else scores)

    def signature(self, test_set: TestSet) -> str:
        """All that changes the score, with the language the test set has."""
        return super(Terp, replace(self, language=self._language(test_set))).signature(test_set)

    def signature_fields(self) -> dict[str, str]:
        """Parameters, what was changed of them, text, and where stems, synonyms and phrases come from."""
        usual, settings = PARAMETERS[self.parameters], self.settings
        fields = {
            "lang": languages.code(self.language or "en"),
            "params": self.parameters,
            "case": "mixed" if self.case_sensitive else "lc",
            "norm": yes_no(self.normalize),
            "punct": yes_no(not self.no_punct),
        }
        fields |= self._knowledge(fields["lang"]).sources(self.phrases)
        for field in dataclasses.fields(TerpParameters):
            value = getattr(settings, field.name)
            if value != getattr(usual, field.name) and field.name != "stems":
                fields[field.name] = (
                    shortest(value, ".6g") if isinstance(value, float) else str(value).lower()
                )
        return fields

    def for_test_set(self, test_set: TestSet) -> Terp:
        """The metric for the language of a test set, if none was asked for."""
        if self.language or (not test_set.language and not self.needs_language):
            return self
        language = target_language(self, test_set)
        return self if language == "en" else replace(self, language=language)

    @property
    def follows_language(self) -> bool:
        """Whether no language was asked for."""
        return not self.language

    @property
    def needs_language(self) -> bool:
        """Whether anything is known of words: TERp's own TER knows nothing."""
        knowledge = self._knowledge("en")
        return not self.language and (
            knowledge.stems or knowledge.synonyms != "none" or knowledge.stop_words != "none"
        )

    def depends_on(self, language: str) -> bool:
        """Where anything is known of words."""
        return replace(self, language="").needs_language

    @property
    def splits_at_spaces(self) -> bool:
        """As TER."""
        return True

    def _language(self, test_set: TestSet) -> str:
        if not self.language and not test_set.language:
            return "en"  # `for_test_set` has asked for it where it makes a difference
        return target_language(self, test_set)

    def _knowledge(self, language: str) -> TerpKnowledge:
        settings = self.settings
        return TerpKnowledge(
            language,
            stems=settings.stems,
            insist_on_stems=bool(self.stems),
            synonyms=self.synonyms or ("" if settings.synonyms else "none"),
            stop_words=self.stop_words or ("" if settings.stop_words else "none"),
        )

    def _arguments(
        self, prepared: TerpReferences, outputs: Sequence[str]
    ) -> tuple[
        _native.TerpTexts,
        tuple[
            _native.TerpWords,
            _native.TerpPhrases | None,
            list[float],
            float,
            int,
            int,
            str,
            list[float],
        ],
    ]:
        hypotheses = _native.texts(outputs, lowercase=not self.case_sensitive)
        texts = _native.TerpTexts(hypotheses, prepared.references, self.normalize, self.no_punct)
        s = self.settings
        return texts, (
            self._knowledge(prepared.language).of(texts.words),
            prepared.phrases,
            s.numbers(COSTS),
            float(s.beam),
            s.longest_shift,
            s.farthest_shift,
            s.shifts,
            s.numbers(PHRASE_COSTS),
        )


def _alignment(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    links: Sequence[tuple[int, int, int, int, int]],
    shifts: Sequence[tuple[int, int, int]],
) -> Alignment:
    moves = tuple(
        Shift((start, end), _target(start, end, behind, len(hypothesis))) for start, end, behind in shifts
    )
    moved = moved_words(len(hypothesis), moves)

    def kind(number: int, word: int) -> str:
        return "shift" if KINDS[number] == "exact" and word in moved else KINDS[number]

    linked = tuple(Link((h, h_end), (r, r_end), kind(k, h)) for h, h_end, r, r_end, k in sorted(links))
    return Alignment(tuple(hypothesis), tuple(reference), linked, moves)


def _target(start: int, end: int, behind: int, size: int) -> int:
    """The word a span goes before; behind one of its own words it goes as far to the right as that lies inside."""
    return min(size, end + behind - start) if start <= behind < end else behind + 1
