"""Classes of errors over parts of speech, where trees tell these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.analysis.parts_of_speech import Tagged, texts_of_trees
from adjudge.data import Outputs, TestSet
from adjudge.metrics.hjerson import LETTERS, Labels


@dataclass(frozen=True)
class TagErrors:
    """The errors of one system in words of one part of speech."""

    pos: str
    hypothesis_words: int
    reference_words: int
    words: dict[str, int]
    """By class; words of the output, or of the reference for what is missing."""
    rates: dict[str, float]
    """The same in percent of the words of that part of speech; NaN where there are none."""


@dataclass(frozen=True, eq=False)
class TaggedTexts:
    """A test set and outputs whose words are those of their trees, and the parts of speech of these."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]
    references: list[list[Tagged]]
    hypotheses: list[list[Tagged]]


def tagged_texts(test_set: TestSet, outputs: Sequence[Outputs]) -> TaggedTexts:
    """The texts as their trees have them, a space between words."""
    references, hypotheses = texts_of_trees(test_set, outputs)
    columns = [
        [None if text is None else _joined(words) for text, words in zip(column, tagged, strict=True)]
        for column, tagged in zip(test_set.references, references, strict=True)
    ]
    return TaggedTexts(
        replace(test_set, references=tuple(map(tuple, columns)), trees=None),
        tuple(
            replace(output, segments=tuple(map(_joined, tagged)))
            for output, tagged in zip(outputs, hypotheses, strict=True)
        ),
        references,
        hypotheses,
    )


def tag_errors(
    labels: Sequence[Labels], hypothesis: Sequence[Tagged], references: Sequence[Sequence[Tagged]]
) -> tuple[TagErrors, ...]:
    """The classes of every part of speech, those with the most words of the reference first.

    A word that is missing has the part of speech that the reference says, all others that of the output.
    """
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    classes = {letter: name for name, letter in LETTERS.items()}
    for place, segment in enumerate(labels):
        wanted = references[segment.reference_set][place]
        ours.update(tag for _, tag in hypothesis[place])
        theirs.update(tag for _, tag in wanted)
        for letters, words, missing in (
            (segment.hypothesis, hypothesis[place], False),
            (segment.reference, wanted, True),
        ):
            for letter, (_, tag) in zip(letters, words, strict=True):
                name = classes.get(letter, "")
                if name and (name == "missing") == missing:
                    errors[tag, name] += 1
    tags = sorted({*ours, *theirs}, key=lambda tag: (-theirs[tag], tag))
    return tuple(_of(tag, ours[tag], theirs[tag], errors) for tag in tags)


def _of(tag: str, ours: int, theirs: int, errors: Counter[tuple[str, str]]) -> TagErrors:
    words = {name: errors[tag, name] for name in LETTERS}
    below = {name: theirs if name == "missing" else ours for name in LETTERS}
    rates = {
        name: 100 * number / below[name] if below[name] else float("nan") for name, number in words.items()
    }
    return TagErrors(tag, ours, theirs, words, rates)


def _joined(words: Tagged) -> str:
    return " ".join(word for word, _ in words)
