"""What is examined: texts beside each other line by line, and the bytes they came from where there are any."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.text.identification import share_of_spaceless

Role = Literal["source", "reference", "system", "labels", "test_set"]


@dataclass(frozen=True, eq=False)
class Text:
    """The segments of one source, reference or output; a missing reference is None."""

    role: Role
    name: str
    """As messages call it."""
    given: Sequence[str | None]
    file: str = ""
    run: str = ""
    """The training run, "" where there is none."""
    language: str = ""
    """What the name of the file says, "" where it says nothing."""
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.given)

    @property
    def system(self) -> str:
        """The system's title, "" for what is no output."""
        return self.name if self.role == "system" else ""

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The segments, a missing one as an empty text."""
        return tuple(segment or "" for segment in self.given)

    @cached_property
    def whole(self) -> str:
        """All segments in one string, with a line break behind each: searched at once, it is fast."""
        return "\n".join((*self.segments, ""))

    @cached_property
    def characters(self) -> frozenset[str]:
        """The characters that occur anywhere, to know at once what need not be looked for."""
        codes = np.frombuffer(self.whole.encode("utf-32-le", "surrogatepass"), np.uint32)
        known = np.zeros(sys.maxunicode + 1, bool)
        known[codes] = True
        return frozenset(map(chr, np.flatnonzero(known).tolist()))

    @cached_property
    def starts(self) -> list[int]:
        """Where each segment starts in `whole`."""
        return [0, *np.cumsum(self.lengths + 1).tolist()]

    def line(self, position: int) -> int:
        """The index of the segment a position of `whole` lies in."""
        return bisect_right(self.starts, position) - 1

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
        """Every match in the text with the index of its segment; a pattern must not match a line break."""
        for match in pattern.finditer(self.whole):
            yield self.line(match.start()), match

    def positions(self, signs: Iterable[str]) -> list[int]:
        """Where in `whole` any of some characters stands; those that do not occur cost nothing."""
        positions = []
        for sign in self.characters.intersection(signs):
            at = self.whole.find(sign)
            while at >= 0:
                positions.append(at)
                at = self.whole.find(sign, at + 1)
        return sorted(positions)

    def lines_with(self, pattern: re.Pattern[str]) -> list[int]:
        """The segments in which a pattern matches; it may match up to a line break."""
        return list(dict.fromkeys(line for line, _ in self.matches(pattern)))

    def beyond_ascii(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
        """Matches of a pattern that no segment of ASCII alone can match."""
        for line, segment in enumerate(self.segments):
            if not segment.isascii():
                start = self.starts[line]
                for match in pattern.finditer(self.whole, start, start + len(segment)):
                    yield line, match

    def by_line(self, pattern: re.Pattern[str]) -> dict[int, list[str]]:
        """What matches, by index of segment."""
        matches: dict[int, list[str]] = {}
        for line, match in self.matches(pattern):
            matches.setdefault(line, []).append(match[0])
        return matches

    @cached_property
    def words(self) -> tuple[int, ...]:
        """How many words, as spaces tell them, each segment has."""
        return tuple(map(len, map(str.split, self.segments)))

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many characters each segment has."""
        return np.fromiter(map(len, self.segments), np.int64, len(self))

    @cached_property
    def spaceless(self) -> bool:
        """Whether this is written without spaces between words (Chinese, Japanese, Thai, ...)."""
        return share_of_spaceless(self.whole) > 0.3


@dataclass(frozen=True)
class Raw:
    """A file of plain text as it lies on the disk (decompressed), for what is lost once it is read."""

    role: Role
    name: str
    file: str
    data: bytes
    system: str = ""


@dataclass(frozen=True, eq=False)
class Corpus:
    """A test set and outputs as checks see them: all texts here have the same number of segments."""

    sources: Text | None = None
    references: tuple[Text, ...] = ()
    outputs: tuple[Text, ...] = ()
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    astray: tuple[Text, ...] = ()
    """Texts with another number of segments, which cannot be set beside the others."""
    raw: tuple[Raw, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """Files that could not be read, and why."""
    source_language: str = ""
    target_language: str = ""
    training: tuple[str, ...] = ()
    """Files that systems were trained on."""

    @property
    def texts(self) -> tuple[Text, ...]:
        """Everything that stands line by line beside the rest."""
        source = (self.sources,) if self.sources is not None else ()
        return (*source, *self.references, *self.outputs)

    @property
    def everything(self) -> tuple[Text, ...]:
        """Also the texts of another length."""
        return (*self.texts, *self.astray)

    def __len__(self) -> int:
        return len(self.texts[0]) if self.texts else 0

    def beside(self, text: Text) -> tuple[Text, ...]:
        """What an output (or a reference) can be held against: source and references but itself."""
        if all(text is not other for other in self.texts):
            return ()
        given = self.references if self.sources is None else (*self.references, self.sources)
        return tuple(other for other in given if other is not text)
