"""The fence around the compiled core: nothing else imports it."""

from collections.abc import Sequence

from adjudge import _core
from adjudge._core import (
    METEOR_COLUMNS,
    MeteorGrid,
    MeteorLexicon,
    MeteorSegments,
    MeteorWords,
    NistModel,
    ParaphraseBuilder,
    ParaphraseTable,
    SynonymTable,
    TerpPhrases,
    TerpTexts,
    TerpWords,
    Texts,
    average_ranks,
    bleu_rows,
    cder_rows,
    chrf_rows,
    concordance,
    exact_rows,
    meteor_best,
    meteor_links,
    meteor_rows,
    meteor_texts,
    nist_rows,
    overlap_rows,
    resampled_counts,
    resampled_sums,
    ribes_rows,
    screened_trials,
    shared_words,
    signed_sums,
    stem,
    stemmer_languages,
    ter_rows,
    ter_traces,
    tercom_tokenize,
    terp_rows,
    terp_traces,
    tokenize,
    trueskill_runs,
    unicode_class,
    wer_rows,
    wer_traces,
)
from adjudge.errors import DataError

CORE = str(_core.__file__)
"""The compiled file."""

__all__ = [
    "CORE",
    "METEOR_COLUMNS",
    "MeteorGrid",
    "MeteorLexicon",
    "MeteorSegments",
    "MeteorWords",
    "NistModel",
    "ParaphraseBuilder",
    "ParaphraseTable",
    "SynonymTable",
    "TerpPhrases",
    "TerpTexts",
    "TerpWords",
    "Texts",
    "average_ranks",
    "bleu_rows",
    "cder_rows",
    "chrf_rows",
    "concordance",
    "exact_rows",
    "meteor_best",
    "meteor_links",
    "meteor_rows",
    "meteor_texts",
    "nist_rows",
    "overlap_rows",
    "resampled_counts",
    "resampled_sums",
    "ribes_rows",
    "screened_trials",
    "shared_words",
    "signed_sums",
    "stem",
    "stemmer_languages",
    "ter_rows",
    "ter_traces",
    "tercom_tokenize",
    "terp_rows",
    "terp_traces",
    "texts",
    "tokenize",
    "trueskill_runs",
    "unicode_class",
    "wer_rows",
    "wer_traces",
]


def texts(segments: Sequence[str | None], *, lowercase: bool = False) -> _core.Texts:
    """Take segments over the border as UTF-8; None marks a missing one; lower-casing is str.lower()."""
    try:
        return Texts(segments, lowercase)
    except (TypeError, ValueError) as error:
        raise DataError(str(error)) from None
