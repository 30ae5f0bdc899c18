"""How much of a test set stands in a training text, segment by segment, and as a label to group by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adjudge import _native
from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding
from adjudge.checks.registry import check, finding
from adjudge.data import TestSet
from adjudge.errors import DataError, UsageError
from adjudge.io.files import line_blocks
from adjudge.text import tokenizers
from adjudge.text.identification import share_of_spaceless
from adjudge.wording import percent, percent_of, pluralise

WORDS = 8
"""Of an n-gram that hardly comes twice by chance."""
MUCH = 0.7
"""The share of a segment's words in such n-grams from which on it counts as seen."""
SPACELESS = "zh"
"""The tokenizer for texts without spaces; all others are cut at spaces and punctuation."""
KINDS = ("exact", "alike", "overlap", "unseen")


@dataclass(frozen=True)
class SeenSegments:
    """What a training text has of the segments of one text."""

    exact: tuple[bool, ...]
    """Whether a line is the segment."""
    alike: tuple[bool, ...]
    """Whether one is, but for case, spaces and punctuation."""
    covered: tuple[float, ...]
    """The share of the segment's words that stand in n-grams of the training text."""
    lines: int
    """Of the training text."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """A word for each segment, to group by: exact, alike, overlap or unseen."""
        return tuple(
            KINDS[0] if exact else KINDS[1] if alike else KINDS[2] if covered >= MUCH else KINDS[3]
            for exact, alike, covered in zip(self.exact, self.alike, self.covered, strict=True)
        )


def seen_segments(
    segments: Sequence[str],
    training: Sequence[str],
    *,
    spaceless: bool = False,
    words: int = WORDS,
    threads: int = 0,
) -> SeenSegments:
    """What of the segments stands in the files of a training text, which are read once, block by block."""
    tokenizer = tokenizers.tokenizer(SPACELESS if spaceless else "intl")
    overlap = _native.TrainingOverlap(
        _native.texts(segments), _native.texts(segments, lowercase=True), tokenizer.core_name, words
    )
    for path in training:
        before = overlap.lines
        for lines in line_blocks(path):
            overlap.read(_native.texts(lines), _native.texts(lines, lowercase=True), threads)
        if overlap.lines == before:  # nothing stands in it, which would be said of any test set
            raise DataError(f"{path} is empty: no line of a training text in it")
    rows = overlap.rows()
    return SeenSegments(
        exact=tuple(map(bool, rows[:, 0])),
        alike=tuple(map(bool, rows[:, 1])),
        covered=tuple(float(seen / of) if of else 0.0 for of, seen in rows[:, 2:]),
        lines=overlap.lines,
    )


@check(
    "contamination",
    "segments of source and references that stand in a training text (--training FILE)",
    "warning note",
    "A system that was trained on the test set is tested on its memory: look at the other segments alone (adjudge "
    "analyse contamination -f tsv writes labels to group by).",
)
def contamination(corpus: Corpus) -> Iterator[Finding]:
    """Segments that are in the training text whole, nearly, or in large part."""
    if not corpus.training:
        return
    for text in (*corpus.references, *((corpus.sources,) if corpus.sources is not None else ())):
        yield from _findings(text, seen_segments(text.segments, corpus.training, spaceless=text.spaceless))


def _findings(text: Text, seen: SeenSegments) -> Iterator[Finding]:
    kinds = seen.kinds
    for kind, what in (
        ("exact", "as they are"),
        ("alike", "but for case, spaces and punctuation"),
        ("overlap", f"for at least {percent(MUCH)} of their words, in runs of {WORDS}"),
    ):
        lines = [place for place, own in enumerate(kinds) if own == kind]
        if lines:
            share = percent_of(len(lines) / len(kinds))
            message = f"has {pluralise(len(lines), 'segment')} ({share}) that the training text has {what}"
            yield finding(text, "note" if kind == "overlap" else "warning", message, lines=lines)


def seen_texts(test_set: TestSet, training: Sequence[str], *, threads: int = 0) -> dict[str, SeenSegments]:
    """What files of a training text have of the source and of every reference."""
    texts = {} if test_set.sources is None else {"source": list(test_set.sources)}
    for place, column in enumerate(test_set.references, 1):
        texts["reference" if place == 1 else f"reference {place}"] = [text or "" for text in column]
    if not texts:
        raise UsageError("no test set to look for: -r FILE, -s FILE or -t FILE")
    return {
        name: seen_segments(
            segments, training, spaceless=share_of_spaceless("".join(segments)) > 0.5, threads=threads
        )
        for name, segments in texts.items()
    }


def worst_kinds(seen: dict[str, SeenSegments]) -> tuple[str, ...]:
    """A word for each segment, that of the text which is seen most: exact, alike, overlap or unseen."""
    columns = zip(*(entry.kinds for entry in seen.values()), strict=True)
    return tuple(min(kinds, key=KINDS.index) for kinds in columns)


def contamination_labels(test_set: TestSet, training: Sequence[str], *, threads: int = 0) -> tuple[str, ...]:
    """How files of a training text know each segment of a test set: exact, alike, overlap or unseen."""
    return worst_kinds(seen_texts(test_set, training, threads=threads))
