"""Words with their parts of speech, from the trees that were given of texts."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import Parse, ParsedSentence
from adjudge.errors import DataError, UsageError

Tagged = list[tuple[str, str]]
"""The words of a segment, each with its part of speech."""
UNKNOWN = "_"


def tagged_words(parse: Parse) -> Tagged:
    """The words of a parse with their universal parts of speech, or a language's own where there are none.

    In trees of constituents it is what stands above a word. White space within a word becomes a line below it.
    """
    words: Tagged = []
    for part in parse:
        if isinstance(part, ParsedSentence):
            tags = (known or tag or UNKNOWN for known, tag in zip(part.classes, part.tags, strict=True))
            words += [("_".join(word.split()), tag) for word, tag in zip(part.words, tags, strict=True)]
        else:
            leaves = [node for node in part.preorder if not part.children[node]]
            for leaf in leaves:
                above = part.parents[leaf]
                tag = part.labels[above] if above >= 0 else UNKNOWN
                words.append(("_".join(part.labels[leaf].split()), tag))
    return words


def tagged_segments(test_set: TestSet, segments: Sequence[str | None], name: str) -> list[Tagged]:
    """The words of every segment of a text; a text without trees is an error that names it."""
    if test_set.trees is None:
        raise UsageError(
            "parts of speech are told by trees, and there are none: --trees FILE (adjudge parse)"
        )
    trees = test_set.trees
    tagged: list[Tagged] = []
    for place, segment in enumerate(segments, 1):
        if segment is None or not segment.strip():
            tagged.append([])
        elif segment in trees:
            tagged.append(tagged_words(trees[segment]))
        else:
            raise DataError(
                f"{name}, segment {place}: no tree was given of it; --trees TEXT=FILE for every text"
            )
    if all(tag == UNKNOWN for words in tagged for _, tag in words) and any(tagged):
        raise DataError(f"{name}: its trees have no parts of speech (columns UPOS and XPOS)")
    return tagged


def texts_of_trees(
    test_set: TestSet, outputs: Sequence[Outputs]
) -> tuple[list[list[Tagged]], list[list[Tagged]]]:
    """The tagged words of all references, and of all outputs."""
    references = [
        tagged_segments(test_set, column, "reference" if place == 1 else f"reference {place}")
        for place, column in enumerate(test_set.references, 1)
    ]
    return references, [tagged_segments(test_set, output.segments, output.title) for output in outputs]
