"""Classes of errors found by words and their base forms (Popović and Ney 2011; the program Hjerson)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.data import TestSet, languages
from adjudge.metrics.base import Direction, Rows, divide, require, target_language
from adjudge.metrics.words import WordMetric, crossed_references
from adjudge.text import stems

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


class HjersonReferences(NamedTuple):
    """References in the core, and which of them there are."""

    texts: list[_native.Texts]
    is_there: list[NDArray[np.bool_]]


class Labels(NamedTuple):
    """One segment: a letter for every word of the output and of the reference that is nearest."""

    hypothesis: str
    reference: str
    reference_set: int


@dataclass(frozen=True, eq=False)
class LabelledWords:
    """The words of all segments one behind the other, as numbers of a vocabulary, each with its letter."""

    words: NDArray[np.int64]
    letters: NDArray[np.uint8]

    def with_error(self, errors: str) -> NDArray[np.int64]:
        """The words that have a class of errors."""
        chosen: NDArray[np.int64] = self.words[self.letters == ord(LETTERS[errors])]
        return chosen


@dataclass(frozen=True, eq=False)
class WordClasses:
    """The class of every word of an output and of the references it was held against, and what they add up to."""

    rows: Rows
    """See COLUMNS."""
    vocabulary: Sequence[str]
    hypothesis: LabelledWords
    reference: LabelledWords
    """Of the nearest reference of every segment."""
    reference_sets: NDArray[np.int64]
    """Which one that is."""

    def labels(self) -> list[Labels]:
        """The letters segment by segment."""
        theirs, ours = (_cut(side.letters, self.rows[:, column]) for column, side in self._sides())
        return [Labels(*classes) for classes in zip(ours, theirs, self.reference_sets.tolist(), strict=True)]

    def _sides(self) -> tuple[tuple[int, LabelledWords], ...]:
        return (0, self.reference), (1, self.hypothesis)  # as the columns are


def _cut(letters: NDArray[np.uint8], sizes: NDArray[np.float64]) -> list[str]:
    text = letters.tobytes().decode("ascii")
    return [text[begin:end] for begin, end in pairwise([0, *np.cumsum(sizes, dtype=np.int64).tolist()])]


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
    takes_turns = True
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

    def prepare(self, test_set: TestSet) -> HjersonReferences:  # type: ignore[override]
        """References in the core, tokenized where Python must do it."""
        is_there = [np.array([text is not None for text in column]) for column in test_set.references]
        return HjersonReferences(
            crossed_references(test_set, self.tokenizer, lowercase=self.lowercase), is_there
        )

    def stats(self, prepared: HjersonReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Words, edits, unknown words, and errors by class."""
        return self.classes(prepared, outputs, threads=threads).rows

    def classes(
        self, prepared: HjersonReferences, outputs: Sequence[str], *, threads: int = 0
    ) -> WordClasses:
        """The class of every word of every output and of the reference it was held against."""
        texts = [self.hypotheses(outputs), *prepared.texts]
        vocabulary, [(words, begins), *references] = _native.numbered_words(texts, self.tokenizer.core_name)
        bases, different = self._base_forms(vocabulary)
        rows, ours, theirs, their_words, sets = _native.word_classes(
            (words, bases[words], begins),
            [
                (reference_set, bases[reference_set], its_begins, is_there)
                for (reference_set, its_begins), is_there in zip(references, prepared.is_there, strict=True)
            ],
            len(vocabulary),
            different,
            threads,
        )
        return WordClasses(
            rows, vocabulary, LabelledWords(words, ours), LabelledWords(their_words, theirs), sets
        )

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

    def _base_forms(self, vocabulary: Sequence[str]) -> tuple[NDArray[np.int64], int]:
        """The base form of every word as a number, and how many there are."""
        base = self._base_form()
        known: dict[str, int] = {}
        forms = ("_".join(base(word).split()) or word for word in vocabulary)
        numbers = [known.setdefault(form, len(known)) for form in forms]
        return np.array(numbers, np.int64), len(known)

    def _base_form(self) -> Callable[[str], str]:
        if self.bases == "four":
            return lambda word: word[:4]
        language = self.language or "en"
        if self.bases == "stem":
            return lambda word: _native.stem(language, word)
        return stems.lemmatizer(language)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference, the class of errors, and what base forms are."""
        fields = super().signature_fields()
        fields |= {"errors": self.errors + ("-blocks" if self.blocks else ""), "bases": self.bases}
        if self.bases != "four":
            fields["lang"] = self.language or "en"
        if self.bases == "lemma":
            fields["lemmas"] = stems.lemma_signature()
        return fields


def rate(sums: Rows, count: Count) -> Rows:
    """One count in percent of the words of its side; 0 where there are none."""
    column = 5 + COUNTS.index(count)
    return 100.0 * divide(sums[..., column], sums[..., count.words], otherwise=0.0)
