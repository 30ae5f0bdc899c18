"""All analyses of texts, each a function from data to a frozen result: what programs have as `adjudge.analyses`."""

from adjudge.analysis.base import Cutting
from adjudge.analysis.buckets import Resampling, bucket_scores
from adjudge.analysis.changes import changes
from adjudge.analysis.diversity import diversity
from adjudge.analysis.error_typology import error_typology
from adjudge.analysis.errors import error_classes
from adjudge.analysis.examples import examples
from adjudge.analysis.fault_kinds import KINDS, named_entities
from adjudge.analysis.faults import faults
from adjudge.analysis.human_scores import human_scores
from adjudge.analysis.ngrams import ngram_differences, ngram_segments
from adjudge.analysis.scores import score_distributions
from adjudge.analysis.terms import terms
from adjudge.analysis.words import word_accuracy
from adjudge.checks.contamination import contamination_labels
from adjudge.io.glossaries import read_glossary
from adjudge.text.parsers import named_entities_of

__all__ = [
    "KINDS",
    "Cutting",
    "Resampling",
    "bucket_scores",
    "changes",
    "contamination_labels",
    "diversity",
    "error_classes",
    "error_typology",
    "examples",
    "faults",
    "human_scores",
    "named_entities",
    "named_entities_of",
    "ngram_differences",
    "ngram_segments",
    "read_glossary",
    "score_distributions",
    "terms",
    "word_accuracy",
]
