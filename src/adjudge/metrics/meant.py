"""MEANT and YiSi (Lo 2017, 2019), after their idea: words, and who did what to whom, matched by how alike they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.data import TestSet
from adjudge.data.dependencies import Parse, ParsedSentence
from adjudge.errors import DataError
from adjudge.io import files
from adjudge.metrics.base import OVER_REFERENCES, MeanMetric, Rows, require, shortest, yes_no
from adjudge.metrics.words import TokenizedMetric
from adjudge.text import frames as framing
from adjudge.text import tokenizers
from adjudge.text import vectors as word_vectors
from adjudge.text.embeddings import PRECISIONS, Encoder, Precision, TokenVectors, note_cut
from adjudge.text.frames import FramedText
from adjudge.text.parsing import Parses

Weights = NDArray[np.float64]
Similarity = NDArray[np.float64]


@dataclass(frozen=True)
class FramePart:
    """A predicate (role empty) or an argument: the places of its units."""

    role: str
    units: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TextUnits:
    """A text in the units that are compared: words, or a model's tokens."""

    keys: tuple[str, ...]
    """What two units have in common that are the same, and what they are counted by."""
    vectors: NDArray[np.float64] | None = None
    """At length 1; 0 where a word has none."""
    frames: tuple[tuple[FramePart, ...], ...] = ()
    """The parts of each frame, its predicate first."""
    in_context: bool = False
    """Whether the same unit has another vector elsewhere, so that to be the same is not yet to be alike."""


@dataclass(frozen=True, eq=False)
class MeantReferences:
    """References in units, how much units weigh, and where frames come from."""

    references: list[tuple[TextUnits, ...]]
    idf: Mapping[str, float]
    unseen: float
    framed: Parses | Mapping[str, FramedText] | None = field(repr=False)


@dataclass(frozen=True)
class Meant(TokenizedMetric, MeanMetric):
    """Mean over segments of the F-score of units, and of frames, matched by likeness and weighted by rarity."""

    name = "meant"
    title = "MEANT"
    summary = "words, and who did what to whom, matched by likeness (in the manner of MEANT and YiSi)"
    keeps_rows = False

    lowercase: bool = True
    idf: bool = True
    alpha: float = 0.7
    beta: float = 0.1
    frames: str = "none"
    parser: str = ""
    vectors: str = ""
    model: str = ""
    layer: int | None = None
    precision: Precision = "float32"
    python: str = ""

    def __post_init__(self) -> None:
        tokenizers.check(self.tokenize or tokenizers.USUAL)
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            require(0 <= value <= 1, f"meant({name}={value}): must lie between 0 and 1")
        require(self.layer is None or self.layer > 0, f"meant(layer={self.layer}): layers count from 1")
        require(bool(self.frames), "meant(frames=): none, trees, or a file of frames")
        given = [name for name in ("layer", "python") if getattr(self, name)]
        require(bool(self.model) or not given, f"meant({''.join(given[:1])}=…): is for a model (model=…)")
        require(
            not self.model or not self.tokenize,
            f"meant(tokenize={self.tokenize}): a model has tokens of its own; leave one of the two out",
        )
        require(
            not self.parser or self.frames == "trees", f"meant(parser={self.parser}): is for frames=trees"
        )
        require(
            not (self.model and self.vectors),
            "meant(model=…,vectors=…): a model has vectors of its own; leave one of the two out",
        )
        known = ", ".join(PRECISIONS)
        require(self.precision in PRECISIONS, f"meant(precision={self.precision}): must be one of {known}")

    def for_test_set(self, test_set: TestSet) -> Meant:
        """The metric with the tokenizer of the target language, if words are compared and none was asked for."""
        return self if self.model else super().for_test_set(test_set)

    @property
    def follows_language(self) -> bool:
        """Whether words are compared, and no tokenizer was asked for."""
        return not self.model and super().follows_language

    @property
    def splits_at_spaces(self) -> bool:
        """Whether the tokenizer leaves scripts without spaces whole."""
        return not self.model and super().splits_at_spaces

    @cached_property
    def encoder(self) -> Encoder | None:
        """The model that gives vectors of tokens; None where words are compared."""
        return Encoder(self.model, self.layer, self.precision, self.python) if self.model else None

    @property
    def undivided(self) -> str:
        """With `idf`, units weigh what all references tell."""
        return f"how rare words are (idf) is {OVER_REFERENCES}" if self.idf else ""

    def prepare(self, test_set: TestSet) -> MeantReferences:
        """References in units, and how many of them have each."""
        framed = self._frames(test_set)
        columns = list(zip(*test_set.references, strict=True))
        texts = [text for column in columns for text in column if text is not None]
        units = self._units(texts, framed, "references")
        references = [tuple(units[text] for text in column if text is not None) for column in columns]
        documents = [set(chain.from_iterable(unit.keys for unit in segment)) for segment in references]
        counts, number = Counter(chain.from_iterable(documents)), len(documents) + 1
        weights = {key: math.log(1 + number / (count + 1)) for key, count in counts.items()}
        return MeantReferences(references, weights if self.idf else {}, math.log(1 + number), framed)

    def segments(self, prepared: MeantReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The best score of each output with any of its references; 0 where one of the two is empty."""
        units = self._units(outputs, prepared.framed, "outputs")
        scores = np.full(len(outputs), np.nan)
        for segment, (text, references) in enumerate(zip(outputs, prepared.references, strict=True)):
            own = [self._score(units[text], reference, prepared) for reference in references]
            scores[segment] = max(own, default=np.nan)
        return 100.0 * scores

    def signature_fields(self) -> dict[str, str]:
        """What units are, how they weigh and where frames come from."""
        fields = {
            "idf": yes_no(self.idf),
            "alpha": shortest(self.alpha, "g"),
            "case": "lc" if self.lowercase else "mixed",
        }
        if self.encoder is None:
            fields |= {"tok": self.tokenizer.signature}
            fields |= {"vectors": word_vectors.load(self.vectors).signature} if self.vectors else {}
        else:
            fields |= {"precision": self.precision, "layer": str(self.layer or "last")}
            fields |= self.encoder.identity.signature_fields()
        source = self.frames if self.frames in ("none", "trees") else files.read_bytes(self.frames)[1][:12]
        return fields | {"frames": source, "beta": shortest(self.beta, "g")}

    def _score(self, output: TextUnits, reference: TextUnits, prepared: MeantReferences) -> float:
        if not output.keys or not reference.keys:
            return 0.0
        likeness = similarity(output, reference)
        weights = [self._weights(side, prepared) for side in (output, reference)]
        precision = directed_similarity(likeness, weights[0])
        recall = directed_similarity(likeness.T, weights[1])
        if self.frames != "none" and (output.frames or reference.frames):
            of_frames = frame_scores(likeness, weights[0], weights[1], output.frames, reference.frames)
            precision = (1 - self.beta) * precision + self.beta * of_frames[0]
            recall = (1 - self.beta) * recall + self.beta * of_frames[1]
        mean = self.alpha * precision + (1 - self.alpha) * recall
        return precision * recall / mean if mean else 0.0

    def _weights(self, units: TextUnits, prepared: MeantReferences) -> Weights:
        if not self.idf:
            return np.ones(len(units.keys))
        return np.array([prepared.idf.get(key, prepared.unseen) for key in units.keys])

    def test_set_fields(self, test_set: TestSet) -> dict[str, str]:
        """Whose trees these are, where frames come from trees."""
        if self.frames != "trees":
            return {}
        texts = [text for column in test_set.references for text in column]
        return Parses(test_set.trees, self.parser, self.title).signature(texts)

    def _frames(self, test_set: TestSet) -> Parses | Mapping[str, FramedText] | None:
        """What says which frames a text has; None where they are not asked for."""
        if self.frames == "none":
            return None
        if self.frames == "trees":
            return Parses(test_set.trees, self.parser, self.title)
        return framing.read(self.frames)

    def _units(
        self, texts: Iterable[str], framed: Parses | Mapping[str, FramedText] | None, what: str
    ) -> dict[str, TextUnits]:
        """Every distinct text in units, by text."""
        texts = list(texts)
        distinct = list(dict.fromkeys(texts))
        known = self._frames_of(distinct, framed)
        if self.encoder is None:
            return {text: self._words(text, known.get(text)) for text in distinct}
        tokens = self.encoder.encode(distinct, f"encoding {what}")
        lengths = {s: tokens[t.strip()].whole for s, t in enumerate(texts) if tokens[t.strip()].cut}
        note_cut(self.name, self.encoder.identity.name, self.encoder.facts.limit, what, lengths)
        special = self.encoder.facts.special
        return {text: _tokens(text, tokens[text.strip()], special, known.get(text)) for text in distinct}

    def _frames_of(
        self, texts: Sequence[str], framed: Parses | Mapping[str, FramedText] | None
    ) -> Mapping[str, FramedText]:
        """The frames of texts; empty where none are asked for."""
        if framed is None:
            return {}
        if isinstance(framed, Parses):
            parses = zip(texts, framed.of(texts), strict=True)
            return {text: framing.from_trees(_dependencies(parse or (), text)) for text, parse in parses}
        known = {text: FramedText(()) for text in texts if not text.strip()} | dict(framed)
        for text in texts:
            if text not in known:
                raise DataError(
                    f"{self.frames} has nothing for the text {text[:60]!r}; every reference and output needs its own"
                )
        return known

    def _words(self, text: str, framed: FramedText | None) -> TextUnits:
        """A text in words: those of its frames, else those of the tokenizer."""
        fold = str.lower if self.lowercase else str
        if framed is not None:
            words, frames = framed.words, _parts(framed, [(i,) for i in range(len(framed.words))])
        else:
            cross = self.tokenizer.cross([text], lowercase=False)
            words, frames = tuple(_native.tokenize(cross, self.tokenizer.core_name)[0]), ()
        keys = tuple(map(fold, words))
        return TextUnits(keys, self._vectors_of(words, keys), frames)

    def _vectors_of(self, words: Sequence[str], keys: Sequence[str]) -> NDArray[np.float64] | None:
        """Word vectors at length 1, of the word as it stands, else of the folded one; 0 where there is none."""
        if not self.vectors:
            return None
        known = word_vectors.load(self.vectors)
        vectors, folded = known.of(words), known.of(keys)
        nothing = np.zeros(known.dimension, np.float32)
        chosen = [vectors.get(word, folded.get(key, nothing)) for word, key in zip(words, keys, strict=True)]
        own_vectors = np.array(chosen, np.float64).reshape(len(words), known.dimension)
        norms = np.linalg.norm(own_vectors, axis=-1, keepdims=True)
        return np.asarray(own_vectors / np.where(norms > 0, norms, 1.0))


def similarity(output: TextUnits, reference: TextUnits) -> Similarity:
    """How alike units are, 0 to 1: by the cosine of their vectors; words that are the same are alike in any case."""
    keys = {key: number for number, key in enumerate(dict.fromkeys(chain(output.keys, reference.keys)))}
    numbers = [np.array([keys[key] for key in side.keys]) for side in (output, reference)]
    same = np.asarray(numbers[0][:, None] == numbers[1][None, :], np.float64)
    if output.vectors is None or reference.vectors is None:
        return same
    cosines = np.maximum(output.vectors @ reference.vectors.T, 0.0)
    return np.asarray(cosines if output.in_context else np.maximum(cosines, same))


def directed_similarity(likeness: Similarity, weights: Weights) -> float:
    """How much of the units in the rows is in the columns: the weighted mean of the likeness to the nearest one."""
    if not likeness.size or not weights.sum():
        return 0.0
    return float(likeness.max(1) @ weights / weights.sum())


def frame_scores(
    likeness: Similarity,
    weights: Weights,
    reference_weights: Weights,
    frames: Sequence[Sequence[FramePart]],
    reference_frames: Sequence[Sequence[FramePart]],
) -> tuple[float, float]:
    """Precision and recall of frames: each goes with at most one of the other side, so that most is alike.

    Parts weigh what their units weigh together; a frame or part that goes with none counts as 0.
    """
    pairs = np.zeros((len(frames), len(reference_frames), 2))
    for i, frame in enumerate(frames):
        for j, other in enumerate(reference_frames):
            pairs[i, j] = _pair(likeness, weights, reference_weights, frame, other)
    shares = np.array([_weight(frame, weights) for frame in frames])
    other_shares = np.array([_weight(frame, reference_weights) for frame in reference_frames])
    chosen = [(i, j) for i, j in _align(pairs.mean(-1)) if pairs[i, j].any()]
    precision = sum(pairs[i, j, 0] * shares[i] for i, j in chosen)
    recall = sum(pairs[i, j, 1] * other_shares[j] for i, j in chosen)
    return (
        float(precision / shares.sum()) if shares.sum() else 0.0,
        float(recall / other_shares.sum()) if other_shares.sum() else 0.0,
    )


def _pair(
    likeness: Similarity,
    weights: Weights,
    others: Weights,
    frame: Sequence[FramePart],
    other: Sequence[FramePart],
) -> tuple[float, float]:
    """How much of one frame is in another, and the other way round; nothing where predicates have nothing in common."""
    both = np.zeros((len(frame), len(other), 2))
    for i, part in enumerate(frame):
        for j, counterpart in enumerate(other):
            if part.role == counterpart.role:
                block = likeness[np.ix_(part.units, counterpart.units)]
                both[i, j] = (
                    directed_similarity(block, weights[list(part.units)]),
                    directed_similarity(block.T, others[list(counterpart.units)]),
                )
    if not both[0, 0].any():
        return 0.0, 0.0
    sums = [0.0, 0.0]
    for i, j in _align(both.mean(-1)):
        sums[0] += both[i, j, 0] * weights[list(frame[i].units)].sum()
        sums[1] += both[i, j, 1] * others[list(other[j].units)].sum()
    whole = _weight(frame, weights), _weight(other, others)
    return (sums[0] / whole[0] if whole[0] else 0.0), (sums[1] / whole[1] if whole[1] else 0.0)


def _dependencies(parse: Parse, text: str) -> list[ParsedSentence]:
    sentences = [part for part in parse if isinstance(part, ParsedSentence)]
    if len(sentences) != len(parse):
        raise DataError(
            f"meant(frames=trees) needs dependency trees, and {text[:60]!r} has one of constituents"
        )
    return sentences


def _align(likeness: Similarity) -> list[tuple[int, int]]:
    from scipy.optimize import linear_sum_assignment  # late: commands that need none of it start faster

    rows, columns = linear_sum_assignment(likeness, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _weight(frame: Sequence[FramePart], weights: Weights) -> float:
    return float(sum(weights[list(part.units)].sum() for part in frame))


def _tokens(text: str, tokens: TokenVectors, special: frozenset[int], framed: FramedText | None) -> TextUnits:
    """A text in a model's tokens, without those that stand for nothing in it."""
    kept = [place for place, token in enumerate(tokens.ids.tolist()) if token not in special]
    keys = tuple(str(tokens.ids[place]) for place in kept)
    frames: tuple[tuple[FramePart, ...], ...] = ()
    if framed is not None:
        frames = _parts(framed, _tokens_of_words(text.strip(), framed.words, tokens.spans[kept].tolist()))
    return TextUnits(keys, tokens.units[kept], frames, in_context=True)


def _tokens_of_words(
    text: str, words: Sequence[str], spans: Sequence[tuple[int, int]]
) -> list[tuple[int, ...]]:
    """The tokens of each word: those whose characters overlap with the word's."""
    tokens: list[tuple[int, ...]] = []
    place = 0
    for word in words:
        start = text.find(word, place)
        if start < 0:  # a parser may change characters; the word is then looked for no further
            tokens.append(())
            continue
        place = start + len(word)
        tokens.append(tuple(t for t, (first, end) in enumerate(spans) if first < place and end > start))
    return tokens


def _parts(framed: FramedText, units: Sequence[tuple[int, ...]]) -> tuple[tuple[FramePart, ...], ...]:
    """Frames as parts, words as units."""

    def part(role: str, words: Sequence[int]) -> FramePart:
        return FramePart(role, tuple(dict.fromkeys(chain.from_iterable(units[word] for word in words))))

    return tuple(
        (part("", frame.predicate), *(part(argument.role, argument.words) for argument in frame.arguments))
        for frame in framed.frames
    )
