"""TER (Snover et al. 2006) as sacreBLEU computes it, and as tercom 0.7.25 itself does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from adjudge import _native
from adjudge.data import Alignment, Link, Shift, TestSet
from adjudge.errors import DataError
from adjudge.metrics.base import Direction, Metric, Rows, divide, require, yes_no

Implementation = Literal["sacrebleu", "tercom"]


@dataclass(frozen=True)
class Ter(Metric):
    """Edits and shifts of word spans per reference word; rows are the fewest edits and the mean reference length.

    The two implementations differ on long or garbled segments (which shifts they try, where they stop looking) and in
    the words of normalised text: white space is Unicode's or ASCII's, kana apart or not.
    """

    name = "ter"
    title = "TER"
    takes_turns = False
    summary = "edits and shifts per reference word (sacreBLEU's; implementation=tercom for tercom's own)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    implementation: Implementation = "sacrebleu"

    def __post_init__(self) -> None:
        require(
            self.implementation in ("sacrebleu", "tercom"),
            f"{self.name}(implementation={self.implementation}): must be one of sacrebleu, tercom",
        )

    @property
    def splits_at_spaces(self) -> bool:
        """Unless asked to cut scripts without spaces; sacreBLEU's `-l` does not ask for it."""
        return not (self.normalized and self.asian_support)

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core."""
        return [_native.texts(column, lowercase=not self.case_sensitive) for column in test_set.references]

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The fewest edits to any of the references, and the mean of their lengths."""
        hypotheses = _native.texts(outputs, lowercase=not self.case_sensitive)
        try:
            return _native.ter_rows(hypotheses, prepared, *self._text_options(), threads)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None

    def alignments(self, prepared: list[_native.Texts], outputs: Sequence[str]) -> list[Alignment]:
        """The edits themselves, against the first reference that takes the fewest.

        Linked words are equal (`exact`, or `shift` where one was moved) or a `substitution`; those without a link
        are insertions and deletions.
        """
        hypotheses = _native.texts(outputs, lowercase=not self.case_sensitive)
        try:
            traces = _native.ter_traces(hypotheses, prepared, *self._text_options(), 0)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None
        return [alignment_of(*trace) for trace in traces]

    def _text_options(self) -> tuple[bool, bool, bool, bool]:
        return self.normalized, self.no_punct, self.asian_support, self.implementation == "tercom"

    def aggregate(self, sums: Rows) -> Rows:
        """Edits per word in percent; without any reference word 100 if there is something to delete, else 0."""
        sums = np.asarray(sums, np.float64)
        edits, length = sums[..., 0], sums[..., 1]
        return 100.0 * np.where(length > 0, divide(edits, length, otherwise=0.0), edits > 0)

    def signature_fields(self) -> dict[str, str]:
        """Fields of sacreBLEU's signature, and the implementation where it is tercom's."""
        fields = {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": yes_no(self.normalized),
            "punct": yes_no(not self.no_punct),
            "asian": yes_no(self.asian_support),
        }
        if self.implementation != "sacrebleu":
            fields["impl"] = self.implementation
        return fields


def alignment_of(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    shifts: Sequence[tuple[int, int, int]] = (),
) -> Alignment:
    """An alignment from pairs of words (equal or not) and the shifts that led to them."""
    moves = tuple(Shift((begin, end), target) for begin, end, target in shifts)
    moved = moved_words(len(hypothesis), moves)

    def kind(h: int, r: int) -> str:
        if hypothesis[h] != reference[r]:
            return "substitution"
        return "shift" if h in moved else "exact"

    links = tuple(Link((h, h + 1), (r, r + 1), kind(h, r)) for h, r in sorted(pairs))
    return Alignment(tuple(hypothesis), tuple(reference), links, moves)


def moved_words(count: int, shifts: Sequence[Shift]) -> set[int]:
    """Which of `count` words were in a phrase that was moved, by their first numbers."""
    order, moved = list(range(count)), set[int]()
    for shift in shifts:
        begin, end = shift.words
        phrase = order[begin:end]
        moved.update(phrase)
        rest = order[:begin] + order[end:]
        place = shift.target if shift.target <= begin else shift.target - len(phrase)
        order = rest[:place] + phrase + rest[place:]
    return moved
