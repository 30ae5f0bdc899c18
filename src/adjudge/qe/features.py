"""All features of segments by name, from texts and from what parallel text taught.

- The 17 baseline features of QuEst (Specia et al. 2013), each by its formula in docs/qe.md.
- What output and source show without any model: lengths, copies, numbers, punctuation, capitals, script, language.
- Glass box: logarithms of the probabilities that the MT system gave the tokens of its output.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from adjudge.qe import companions as companion_models
from adjudge.qe.companions import Companions
from adjudge.qe.measures import Array, segment_means
from adjudge.qe.resources import EstimatorResources, ngram_counts, quartiles
from adjudge.qe.word_features import SEGMENT_NAMES, segment_features, word_scores
from adjudge.qe.word_text import WordText, tokens
from adjudge.text.identification import identifier, of_segments

GLASS_BOX_NAMES = (
    "log_prob_mean",
    "log_prob_sum",
    "log_prob_min",
    "log_prob_deviation",
    "log_prob_low",
    "prob_mean",
)
LOW_LOG_PROBABILITY = -1.0
"""A token less likely than 1 in e was a close decision."""
LogProbabilities = Sequence[float] | None
"""Of one output's tokens; a single one is their mean, None is not known."""
SURFACE_NAMES = (
    "length_ratio",
    "log_source_length",
    "log_output_length",
    "copied_words",
    "copied_lower_case",
    "numbers_missing",
    "numbers_added",
    "punctuation_difference",
    "end_differs",
    "brackets_unpaired",
    "capitals_difference",
    "repeated_pairs",
    "digits",
    "foreign_script",
    "same_text",
)
LANGUAGE = "other_language"
MARKS = ".,;:!?"
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD = re.compile(r"\w+")
PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"), ("„", "“"))
QUEST_NAMES = (
    "source_tokens",
    "target_tokens",
    "source_token_length",
    "source_lm",
    "target_lm",
    "target_occurrences",
    "translations_02",
    "translations_001_rare",
    "unigrams_low",
    "unigrams_high",
    "bigrams_low",
    "bigrams_high",
    "trigrams_low",
    "trigrams_high",
    "unigrams_seen",
    "source_punctuation",
    "target_punctuation",
)
NAMES = (*QUEST_NAMES, *SEGMENT_NAMES, *SURFACE_NAMES, LANGUAGE, *companion_models.NAMES)
"""The columns of `black_box_features`."""
NO_COMPANIONS = Companions()


def black_box_features(
    resources: EstimatorResources,
    sources: Sequence[str],
    outputs: Sequence[str],
    companions: Companions = NO_COMPANIONS,
    *,
    threads: int = 0,
) -> Array:
    """Segments × features: all that can be known without the MT system."""
    source = resources.source.vocabulary.read(sources)
    target = resources.target.vocabulary.read(outputs)
    words = word_scores(resources, source, target, threads=threads)
    columns = [
        quest_features(resources, sources, outputs, source, target),
        segment_features(words),
        surface_features(sources, outputs),
        language_feature(outputs, resources.languages[1])[:, None],
        companions.columns(sources, outputs),
    ]
    return np.concatenate(columns, 1)


def quest_features(
    resources: EstimatorResources,
    sources: Sequence[str],
    outputs: Sequence[str],
    source: WordText,
    target: WordText,
) -> Array:
    """Segments × 17."""
    side = resources.source
    source_tokens = tokens(sources, side.vocabulary.tokenizer)
    target_tokens = tokens(outputs, resources.target.vocabulary.tokenizer)
    columns = [
        source.sizes.astype(np.float64),
        target.sizes.astype(np.float64),
        _mean_length(source_tokens),
        side.model.sentence_scores(source),
        resources.target.model.sentence_scores(target),
        np.array([len(words) / max(1, len({w.lower() for w in words})) for words in target_tokens]),
        *_translations(resources, source),
    ]
    for order in (1, 2, 3):
        counts, segments = ngram_counts(side, source, order)
        low, high = quartiles(side.model, order)
        columns += [
            segment_means((counts > 0) & (counts <= low), segments, len(sources)),
            segment_means(counts > high, segments, len(sources)),
        ]
    columns.append(segment_means(side.occurrences(source) > 0, source.segments, len(sources)))
    columns += [_punctuation(source_tokens), _punctuation(target_tokens)]
    return np.stack(columns, 1)


def _mean_length(segments: Sequence[Sequence[str]]) -> Array:
    return np.array([sum(map(len, words)) / max(1, len(words)) for words in segments])


def _punctuation(segments: Sequence[Sequence[str]]) -> Array:
    """How many words of each segment are signs alone."""
    return np.array([float(sum(not any(c.isalnum() for c in w) for w in words)) for words in segments])


def _translations(resources: EstimatorResources, source: WordText) -> tuple[Array, Array]:
    """Mean numbers of translations a source word: likelier than .2, and likelier than .01 where rare words count."""
    known = source.ids >= 0
    words = source.ids[known]
    segments = source.segments[known]
    total = len(source.sizes)
    likely = resources.forward.translations(0.2)[words]
    some = resources.forward.translations(0.01)[words]
    rarity = 1.0 / np.maximum(resources.source.occurrences(source)[known], 1)
    return segment_means(likely, segments, total), segment_means(some * rarity, segments, total)


def surface_features(sources: Sequence[str], outputs: Sequence[str]) -> Array:
    """Segments × 15."""
    rows = [_row(source, output) for source, output in zip(sources, outputs, strict=True)]
    return np.array(rows, np.float64).reshape(len(rows), len(SURFACE_NAMES))


def language_feature(outputs: Sequence[str], language: str) -> Array:
    """1 where an output is certainly in the wrong language, else 0."""
    identify = identifier()
    if identify is None or not language:
        return np.zeros(len(outputs))
    return np.array([float(bool(name) and name != language) for name in of_segments(outputs, identify)])


def _row(source: str, output: str) -> list[float]:
    words, source_words = WORD.findall(output), set(WORD.findall(source))
    copied = [word for word in words if word in source_words and not word.isdigit()]
    missing, added = _number_differences(source, output)
    letters = sum(map(str.isalpha, output))
    return [
        np.log((len(output) + 1) / (len(source) + 1)),
        np.log1p(len(source)),
        np.log1p(len(output)),
        len(copied) / max(1, len(words)),
        sum(word.islower() for word in copied) / max(1, len(words)),
        missing,
        added,
        sum(abs(source.count(mark) - output.count(mark)) for mark in MARKS) / (1 + len(words)),
        float(_end(source) != _end(output)),
        float(sum(abs(output.count(a) - output.count(b)) for a, b in PAIRS)),
        _capitals(output) - _capitals(source),
        _repeated_share(words),
        sum(map(str.isdigit, output)) / max(1, len(output)),
        _foreign(output) / max(1, letters),
        float(source.strip() == output.strip()),
    ]


def _number_differences(source: str, output: str) -> tuple[float, float]:
    """Numbers of the source that the output lacks, and the other way round; separators may differ."""
    numbers, other = (
        Counter(re.sub(r"[.,]", "", text) for text in NUMBER.findall(side)) for side in (output, source)
    )
    return float((other - numbers).total()), float((numbers - other).total())


def _end(text: str) -> str:
    last = text.rstrip()[-1:]
    return last if last and not last.isalnum() else ""


def _capitals(text: str) -> float:
    words = WORD.findall(text)
    return float(sum(word[0].isupper() for word in words) / max(1, len(words)))


def _repeated_share(words: Sequence[str]) -> float:
    """The share of neighbouring pairs of words that stand there more than once."""
    pairs = Counter(pairwise(words))
    return sum(count - 1 for count in pairs.values()) / max(1, pairs.total())


def _foreign(text: str) -> float:
    """Letters that are not of the script that most letters are of."""
    if text.isascii():
        return 0.0
    scripts = Counter(unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha())
    return float(scripts.total() - max(scripts.values(), default=0))


def glass_box_features(given: Sequence[LogProbabilities]) -> Array:
    """Segments × 6, NaN where nothing is known; of a mean, only the first."""
    rows = np.full((len(given), len(GLASS_BOX_NAMES)), np.nan)
    for row, values in zip(rows, given, strict=True):
        if values is None or not len(values):
            continue
        column = np.asarray(values, np.float64)
        row[0] = column.mean()
        if len(column) > 1:
            row[1:] = (
                column.sum(),
                column.min(),
                column.std(),
                (column < LOW_LOG_PROBABILITY).mean(),
                np.exp(column).mean(),
            )
    return rows
