"""sacreBLEU's Python surface over adjudge's metrics: `import adjudge.compat.sacrebleu as sacrebleu`.

Names, arguments, results, signatures and warnings are those of the version in `__version__`. What differs is
listed in docs/sacrebleu.md; most of all, lists of different lengths are an error and never cut.
"""

from adjudge.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from adjudge.compat.sacrebleu.dataset import DATASETS
from adjudge.compat.sacrebleu.metrics import BLEU, CHRF, TER
from adjudge.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from adjudge.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from adjudge.compat.sacrebleu.version import __version__

__description__ = "BLEU, chrF and TER with sacreBLEU's names and numbers, computed by adjudge"

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]
