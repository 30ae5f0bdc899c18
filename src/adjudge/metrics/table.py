"""Which file of this folder has which metric: the names that people ask for, known without importing anything.

A file that is not named here is found as well, only later; a test says which line is missing.
"""

MODULES = {
    "bertscore": "bertscore",
    "bleu": "bleu",
    "bleurt": "bleurt",
    "cder": "cder",
    "chrf": "chrf",
    "comet": "comet",
    "command": "command",
    "csptk": "csptk",
    "exact-match": "exact_match",
    "gtm": "gtm",
    "hjerson": "hjerson",
    "hter": "hter",
    "learned": "learned",
    "length-ratio": "length_ratio",
    "llm": "llm",
    "m-bleu": "flexible",
    "m-ter": "flexible",
    "meant": "meant",
    "meteor": "meteor",
    "metricx": "metricx",
    "nist": "nist",
    "per": "per",
    "ptk": "ptk",
    "qe": "qe",
    "ribes": "ribes",
    "sk": "sk",
    "sptk": "sptk",
    "sstk": "sstk",
    "ter": "ter",
    "terp": "terp",
    "tskm": "tskm",
    "unigram": "unigram",
    "wer": "wer",
}
"""The file of each metric, by its name."""
PRESETS = {
    "bleu+1": "bleu",
    "chrf++": "chrf",
    "chrf+": "chrf",
    "gtm-2": "gtm",
    "gtm-3": "gtm",
    "meteor-2005": "meteor",
    "terp-h": "terp",
    "terp-ter": "terp",
    "precision": "unigram",
    "recall": "unigram",
    "f1": "unigram",
}
"""The metric of each name that stands for one with some options set."""
