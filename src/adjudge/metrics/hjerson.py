"""Classes of errors found by words and their base forms (Popović and Ney 2011; the program Hjerson)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self, get_args

import numpy as np

from adjudge import _native
from adjudge.data import TestSet, languages
from adjudge.metrics.base import Direction, Rows, divide, require, target_language
from adjudge.metrics.words import WordMetric
from adjudge.text import lemmas

Errors = Literal["all", "inflection", "reordering", "missing", "extra", "lexical"]
Bases = Literal["four", "stem", "lemma"]
LETTERS = {"inflection": "i", "reordering": "r", "missing": "m", "extra": "e", "lexical": "l"}
"""Classes of errors, and how the core writes them, a letter a word; a word that is right is an x."""
SIDES = {"missing": "reference", "extra": "hypothesis"}
"""Where a class is counted that only one side can have."""


class Count(NamedTuple):
    """A column: words of one side that have one class of errors, or blocks of such words."""

    errors: str
    side: str
    blocks: bool

    @property
    def words(self) -> int:
        """The column of the words that it is a share of."""
        return COLUMNS.index(f"{self.side} words")


COUNTS = tuple(
    Count(errors, side, blocks)
    for blocks in (False, True)
    for errors in LETTERS
    for side in ("reference", "hypothesis")
    if SIDES.get(errors, side) == side
)
COLUMNS = (
    "reference words",
    "hypothesis words",
    "edits",
    "reference unknown",
    "hypothesis unknown",
    *(f"{c.side} {c.errors}{' blocks' if c.blocks else ''}" for c in COUNTS),
)
"""What a row has: words, Levenshtein's edits, words that the other side lacks (RPER, HPER), and errors by class."""


class Prepared(NamedTuple):
    """References as words and as base forms, in the core."""

    words: list[_native.Texts]
    bases: list[_native.Texts]


class Labels(NamedTuple):
    """One segment: a letter for every word of the output and of the reference that is nearest."""

    hypothesis: str
    reference: str
    reference_set: int


@dataclass(frozen=True)
class Hjerson(WordMetric):
    """Words with an error in percent of the words: all classes together, or one of them.

    A word is *inflected* if the other side lacks it, yet has a word of the same base form that is not used otherwise;
    *reordered* if both sides have it off the path of fewest edits; else, off that path, *missing* from the output,
    *extra* in it, or of another *lexical* choice. Shares are of the output's words, and of the reference's for what is
    missing. Of several references the one with the fewest edits a word counts.
    """

    name = "hjerson"
    title = "Hjerson"
    summary = "words with errors by class: inflection, order, missing, extra, lexical choice (Hjerson)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)
    references_used = "fewest-edits"

    errors: Errors = "all"
    blocks: bool = False
    bases: Bases = "four"
    language: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for option, values in (("errors", Errors), ("bases", Bases)):
            value = getattr(self, option)
            require(
                value in get_args(values),
                f"hjerson({option}={value}): must be one of {', '.join(get_args(values))}",
            )
        require(
            not self.language or self.bases != "four",
            f"hjerson(language={self.language}): the language is for bases=stem and bases=lemma",
        )
        if self.language:
            object.__setattr__(self, "language", languages.code(self.language))  # one spelling for one thing
        if self.bases == "stem" and self.language:
            known = _native.stemmer_languages()
            require(
                self.language in known,
                f"hjerson(bases=stem,language={self.language}): stems are known in {', '.join(sorted(known))}; "
                "bases=four takes the first four characters",
            )

    def for_test_set(self, test_set: TestSet) -> Self:
        """The metric with the tokenizer and, for stems and lemmas, the language of the test set."""
        chosen = super().for_test_set(test_set)
        return replace(chosen, language=target_language(self, test_set)) if self.needs_language else chosen

    @property
    def follows_language(self) -> bool:
        """Whether no tokenizer was asked for, or base forms of no language."""
        return super().follows_language or self.needs_language

    @property
    def needs_language(self) -> bool:
        """Stems and lemmas are those of a language."""
        return self.bases != "four" and not self.language

    def depends_on(self, language: str) -> bool:
        """Where stems or lemmas are used, in every language."""
        return self.bases != "four" or super().depends_on(language)

    def prepare(self, test_set: TestSet) -> Prepared:  # type: ignore[override]
        """References cut into words, and their base forms."""
        crossed = [self._crossed(column) for column in test_set.references]
        return Prepared([words for words, _ in crossed], [bases for _, bases in crossed])

    def stats(self, prepared: Prepared, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Words, edits, unknown words, and errors by class."""
        segments = self._classes(prepared, outputs, threads)
        rows = np.zeros((len(outputs), len(COLUMNS)))
        for row, (hypothesis, reference, _, edits, hypothesis_unknown, reference_unknown) in zip(
            rows, segments, strict=True
        ):
            labels = {"hypothesis": hypothesis, "reference": reference}
            row[:5] = len(reference), len(hypothesis), edits, reference_unknown, hypothesis_unknown
            row[5:] = [_count(labels[c.side], LETTERS[c.errors], c.blocks) for c in COUNTS]
        return rows

    def labels(self, prepared: Prepared, outputs: Sequence[str], *, threads: int = 0) -> list[Labels]:
        """The class of every word of every output and of the reference it was held against."""
        return [Labels(*segment[:3]) for segment in self._classes(prepared, outputs, threads)]

    def words(self, segments: Sequence[str | None]) -> list[list[str]]:
        """The words that labels are about."""
        texts = self.tokenizer.cross(segments, lowercase=self.lowercase)
        return _native.tokenize(texts, self.tokenizer.core_name)

    def aggregate(self, sums: Rows) -> Rows:
        """Errors in percent of words; two sides have two denominators, and the sum is of rates."""
        sums = np.asarray(sums, np.float64)
        chosen = [
            count
            for count in COUNTS
            if count.blocks == self.blocks
            and self.errors in ("all", count.errors)
            and count.side == SIDES.get(count.errors, "hypothesis")
        ]
        return np.sum([rate(sums, count) for count in chosen], axis=0)  # type: ignore[no-any-return]

    def _classes(
        self, prepared: Prepared, outputs: Sequence[str], threads: int
    ) -> list[tuple[str, str, int, int, int, int]]:
        words, bases = self._crossed(outputs)
        return _native.word_classes(words, prepared.words, bases, prepared.bases, threads)

    def _crossed(self, segments: Sequence[str | None]) -> tuple[_native.Texts, _native.Texts]:
        """Words and base forms, each with one space between."""
        base = self._base_form()
        known: dict[str, str] = {}
        words_of, bases_of = [], []
        for segment, words in zip(segments, self.words(segments), strict=True):
            for word in words:
                if word not in known:
                    known[word] = "_".join(base(word).split()) or word
            words_of.append(None if segment is None else " ".join(words))
            bases_of.append(None if segment is None else " ".join([known[word] for word in words]))
        return _native.texts(words_of), _native.texts(bases_of)

    def _base_form(self) -> Callable[[str], str]:
        if self.bases == "four":
            return lambda word: word[:4]
        language = self.language or "en"
        if self.bases == "stem":
            return lambda word: _native.stem(language, word)
        return lemmas.lemmatizer(language)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference, the class of errors, and what base forms are."""
        fields = super().signature_fields()
        fields |= {"errors": self.errors + ("-blocks" if self.blocks else ""), "bases": self.bases}
        if self.bases != "four":
            fields["lang"] = self.language or "en"
        if self.bases == "lemma":
            fields["lemmas"] = lemmas.signature()
        return fields


def rate(sums: Rows, count: Count) -> Rows:
    """One count in percent of the words of its side; 0 where there are none."""
    column = 5 + COUNTS.index(count)
    return 100.0 * divide(sums[..., column], sums[..., count.words], otherwise=0.0)


_RUNS = {letter: re.compile(f"{re.escape(letter)}+") for letter in LETTERS.values()}


def _count(labels: str, letter: str, blocks: bool) -> int:
    """Words with a class of errors, or runs of such words."""
    if not blocks or letter not in labels:
        return labels.count(letter)
    return len(_RUNS[letter].findall(labels))
