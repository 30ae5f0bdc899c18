"""The level at which a metric is computed: segments, whole documents, or sliding windows of segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, cast

from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.data.dependencies import Parse, Treebank

SEGMENT, DOCUMENT, WINDOW = "segment", "document", "window"
LARGEST = 1000
"""Segments of a window; more is a document."""


@dataclass(frozen=True)
class TextLevel:
    """A level as people write it: `document`, `window:3`, `window:3:2` (three segments, every second one a start)."""

    kind: str
    size: int = 1
    step: int = 1

    @classmethod
    def of(cls, text: str) -> TextLevel:
        """The level that a text names."""
        window = re.fullmatch(r"window:(\d{1,6})(?::(\d{1,6}))?", text)
        if window is not None:
            size, step = int(window[1]), int(window[2] or 1)
            if not 1 <= step <= size <= LARGEST:
                raise UsageError(
                    f"level {text}: a window has 1 to {LARGEST:,} segments; the next one begins 1 to that many later"
                )
            return cls(WINDOW, size, step)
        if text not in (SEGMENT, DOCUMENT):
            raise UsageError(f"unknown level {text!r}: segment, document or window:N (window:3)")
        return cls(text)

    def __str__(self) -> str:
        if self.kind != WINDOW:
            return self.kind
        return f"window:{self.size}" + (f":{self.step}" if self.step > 1 else "")

    def parts(self, documents: Sequence[str]) -> list[range]:
        """The segments of each text; every segment of a document is in one at least, and none crosses its end.

        A document that is shorter than a window is one; the last window ends where the document does.
        """
        parts = []
        for whole in pieces(documents):
            if self.kind == DOCUMENT or len(whole) <= self.size:
                parts.append(whole)
                continue
            starts = [*range(whole.start, whole.stop - self.size + 1, self.step)]
            if starts[-1] + self.size < whole.stop:
                starts.append(whole.stop - self.size)
            parts += [range(start, start + self.size) for start in starts]
        return parts


def pieces(documents: Sequence[str]) -> list[range]:
    """The segments of each document, which must lie together."""
    starts = [i for i in range(len(documents)) if i == 0 or documents[i] != documents[i - 1]]
    seen: dict[str, int] = {}
    for start in starts:
        name = documents[start]
        if name in seen:
            raise DataError(
                f"document {name!r} begins at segment {seen[name] + 1} and again at segment {start + 1}: the segments "
                "of a document must lie together, in their order, to be read as one text"
            )
        seen[name] = start
    return [range(begin, end) for begin, end in pairwise([*starts, len(documents)])]


@dataclass(frozen=True)
class Arrangement:
    """A test set read at a level: which of its segments make each text."""

    of: TestSet
    level: TextLevel

    @cached_property
    def parts(self) -> list[range]:
        """The segments of each text."""
        if DOCUMENT not in self.of.labels:
            raise UsageError(
                f"level {self.level}: nothing tells which segments make a document; "
                "a column document in -L labels.tsv does"
            )
        return self.level.parts(self.of.labels[DOCUMENT])

    @cached_property
    def test_set(self) -> TestSet:
        """The test set of those texts; labels that a text's segments do not share are left out."""
        source = self.of
        references = tuple(
            tuple(_join([column[i] for i in part]) for part in self.parts) for column in source.references
        )
        for number, part in enumerate(self.parts):
            if references and all(column[number] is None for column in references):
                raise DataError(
                    f"segments {part.start + 1} to {part.stop} have no reference that all of them share, so they have "
                    "none as one text"
                )
        labels = {
            name: tuple(column[part.start] for part in self.parts)
            for name, column in source.labels.items()
            if all(column[i] == column[part.start] for part in self.parts for i in part)
        }
        return replace(
            source,
            references=references,
            sources=None if source.sources is None else self._texts(source.sources),
            labels=labels,
            level=f"{self.level}",
        )

    def outputs(self, output: Outputs) -> Outputs:
        """A system's output as texts of this level."""
        if len(output) != len(self.of):
            raise DataError(
                f"{output.title} has {pluralise(len(output), 'segment')}, but the test set has {len(self.of):,}"
            )
        return replace(output, segments=self._texts(output.segments))

    def test_set_for(self, outputs: Sequence[Outputs]) -> TestSet:
        """The test set with all that is known of single texts joined as these are: back-translations and trees."""
        back = self.of.back_translations
        joined: dict[str, str] = {}
        for output in outputs:
            translated = [[back.get(output.segments[i]) for i in part] for part in self.parts]
            for text, several in zip(self._texts(output.segments), translated, strict=True):
                if (whole := _join(several)) is not None:
                    joined.setdefault(text, whole)
        return replace(self.test_set, back_translations=joined, trees=self._trees(outputs))

    def _trees(self, outputs: Sequence[Outputs]) -> Treebank | None:
        """The trees of all texts, those of each part one after the other; a text that lacks some has none."""
        if self.of.trees is None:
            return None
        columns: list[Sequence[str | None]] = [
            *self.of.references,
            *([self.of.sources] if self.of.sources else []),
        ]
        for output in outputs:
            columns += [output.segments, [self.of.back_translations.get(text) for text in output.segments]]
        from adjudge.data.dependencies import Treebank  # late: few texts have trees

        trees: dict[str, Parse] = {}
        for column in columns:
            for part in self.parts:
                text = _join([column[i] for i in part])
                parses = [_parse(self.of.trees, column[i]) for i in part]
                known = [parse for parse in parses if parse is not None]
                if text is not None and len(known) == len(part):
                    trees.setdefault(text, cast("Parse", tuple(chain.from_iterable(known))))
        return Treebank(trees)

    def _texts(self, column: Sequence[str]) -> tuple[str, ...]:
        return tuple(" ".join(column[i] for i in part) for part in self.parts)


def arrange_at_level(
    test_set: TestSet, outputs: Sequence[Outputs], level: str
) -> tuple[TestSet, tuple[Outputs, ...]]:
    """A test set and outputs at a level: `document`, `window:3`, or unchanged for `segment`."""
    wanted = TextLevel.of(level)
    if wanted.kind == SEGMENT:
        return test_set, tuple(outputs)
    arrangement = Arrangement(test_set, wanted)
    joined = tuple(map(arrangement.outputs, outputs))
    return arrangement.test_set_for(outputs), joined


def in_words(level: str, texts: int) -> str:
    """How many texts of a level there are: `16 documents`, `141 windows of 3 segments`."""
    if not level or level == SEGMENT:
        return pluralise(texts, SEGMENT)
    known = TextLevel.of(level)
    if known.kind == DOCUMENT:
        return pluralise(texts, DOCUMENT)
    return f"{pluralise(texts, WINDOW)} of {pluralise(known.size, SEGMENT)}"


def _join(texts: Sequence[str | None]) -> str | None:
    known = [text for text in texts if text is not None]
    return " ".join(known) if len(known) == len(texts) else None


def _parse(trees: Treebank, text: str | None) -> Parse | None:
    """The trees of a text, where they are known; a blank one has none."""
    return None if text is None else trees.get(text, None if text.strip() else ())
