"""What metrics on trees share: parses given or made, words or lemmas, and kernels between outputs and references."""

from __future__ import annotations

import typing
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data import ReferenceSet, TestSet, languages
from adjudge.data.dependencies import Parse
from adjudge.errors import UsageError
from adjudge.kernels import Kernel, PreparedStructures
from adjudge.metrics.base import MeanMetric, Rows, require
from adjudge.text import stems
from adjudge.text.parsing import Parses
from adjudge.text.trees import Shape, WordReading, Words, tree

Item = Callable[[Parse, WordReading], Any]
"""What a kernel takes, made from a parse."""


@dataclass(frozen=True, eq=False)
class Language:
    """How texts of one side, target or source, are read."""

    parses: Parses
    reading: WordReading


@dataclass(frozen=True, eq=False)
class References:
    """Reference sets as a kernel reads them, and which of their segments are there."""

    kernel: Kernel[Any]
    item: Item
    language: Language
    sets: tuple[PreparedStructures, ...]
    present: tuple[Rows, ...]
    """0 for a segment that is there, NaN for one that is not."""

    @classmethod
    def prepare(
        cls, kernel: Kernel[Any], item: Item, language: Language, columns: Sequence[ReferenceSet]
    ) -> References:
        """Parse and prepare the reference sets; all share a vocabulary."""
        sets: list[PreparedStructures] = []
        for column in columns:
            items = [item(parse or (), language.reading) for parse in language.parses.of(column)]
            sets.append(kernel.prepare(items, others=sets[0] if sets else None))
        present = tuple(
            np.array([np.nan if segment is None else 0.0 for segment in column]) for column in columns
        )
        return cls(kernel, item, language, tuple(sets), present)

    def values(self, outputs: Sequence[str], threads: int) -> Rows:
        """The normalised kernel of outputs with references: reference sets × segments, NaN where one is missing."""
        parses = self.language.parses.of(outputs)
        ours = self.kernel.prepare(
            [self.item(parse or (), self.language.reading) for parse in parses], others=self.sets[0]
        )
        pairs = [self.kernel.pairs(ours, theirs, normalise=True, threads=threads) for theirs in self.sets]
        return np.stack([values + present for values, present in zip(pairs, self.present, strict=True)])


def best(values: Rows) -> Rows:
    """Over reference sets, the highest value of each segment; NaN where there is none."""
    highest = np.where(np.isnan(values), -np.inf, values).max(0)
    return np.where(np.isneginf(highest), np.nan, highest)


def target_texts(test_set: TestSet) -> list[str | None]:
    """All references, which signatures name the trees of."""
    return [segment for column in test_set.references for segment in column]


@dataclass(frozen=True)
class ParsedMetric(MeanMetric):
    """A metric that reads parses: those given with the test set, and for texts that have none those of `parser`."""

    needs = frozenset({"references", "trees"})

    words: Words = "exact"
    lowercase: bool = True
    parser: str = ""

    def __post_init__(self) -> None:
        known = typing.get_args(Words)
        require(self.words in known, f"{self.name}(words={self.words}): must be one of {', '.join(known)}")

    def signature_fields(self) -> dict[str, str]:
        """Case and words."""
        return {"case": "lc" if self.lowercase else "mixed", "words": self.words}

    def test_set_fields(self, test_set: TestSet) -> dict[str, str]:
        """Whose trees and lemmas these are."""
        return side_fields(self, test_set, self.parser, target_texts(test_set), source=False)


@dataclass(frozen=True)
class TreeMetric(ParsedMetric):
    """A metric that compares trees of outputs with those of references by a kernel; the best reference counts."""

    tree: Shape = "lct"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = typing.get_args(Shape)
        require(self.tree in known, f"{self.name}(tree={self.tree}): must be one of {', '.join(known)}")
        self.kernel()  # which refuses parameters out of range

    @abstractmethod
    def kernel(self) -> Kernel[Any]:
        """The kernel with its parameters."""

    def item(self, parse: Parse, reading: WordReading) -> Any:
        """What the kernel takes: the tree in the shape that was asked for."""
        return tree(parse, reading, self.tree)

    def prepare(self, test_set: TestSet) -> References:
        """References parsed, and as the kernel reads them."""
        language = target_side(self, test_set)
        return References.prepare(self.kernel(), self.item, language, test_set.references)

    def segments(self, prepared: References, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The normalised kernel with the best reference, in percent."""
        return 100.0 * best(prepared.values(outputs, threads))

    def signature_fields(self) -> dict[str, str]:
        """Case, words and the shape of trees."""
        return super().signature_fields() | {"tree": self.tree}


def target_side(metric: ParsedMetric, test_set: TestSet) -> Language:
    """How outputs and references are read."""
    return side(metric, test_set, metric.parser, target_texts(test_set), source=False)


def side(
    metric: ParsedMetric, test_set: TestSet, parser: str, texts: Sequence[str | None], *, source: bool
) -> Language:
    """How texts of the target or of the source language are read; lemmas that parses lack are simplemma's."""
    parses = Parses(test_set.trees, parser, metric.title)
    lemmatizer = None
    if metric.words == "lemma" and not parses.gives_lemmas(texts):
        lemmatizer = stems.lemmatizer(_language(metric, test_set, source=source))
    return Language(parses, WordReading(metric.words, metric.lowercase, lemmatizer))


def side_fields(
    metric: ParsedMetric, test_set: TestSet, parser: str, texts: Sequence[str | None], *, source: bool
) -> dict[str, str]:
    """What a signature says of the trees of one side."""
    parses = Parses(test_set.trees, parser, metric.title)
    fields = parses.signature(texts)
    if metric.words == "lemma" and (parser or test_set.trees) and not parses.gives_lemmas(texts):
        language = _language(metric, test_set, source=source)
        fields["lemmas"] = f"{stems.lemma_signature()}-{language}"
    return fields


def _language(metric: ParsedMetric, test_set: TestSet, *, source: bool) -> str:
    """The code of the language whose lemmas are looked up."""
    pair = test_set.language.partition("-") if source else None
    if test_set.language and (pair is None or pair[2]):
        return languages.code(pair[0]) if pair is not None else languages.target(test_set.language)
    which = "source" if source else "target"
    raise UsageError(
        f"{metric.title}: the parses have no lemmas, and to look them up the {which} language must be known: -l en-de"
    )
