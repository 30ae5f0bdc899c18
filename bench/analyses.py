"""How long analyses take beside compare-mt, in the same run on the same texts.

    python bench/analyses.py REFERENCE SYSTEM SYSTEM [--peer PYTHON]

PYTHON is an interpreter that has compare-mt (and six); texts are tokenised, as compare-mt wants them. Processor
seconds, the best of five; intervals are left out on both sides, since compare-mt has none by default.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

TIMES = 5
PEER = """
import json, sys, time
from compare_mt import bucketers, ngram_utils, scorers
lines = [open(path, encoding="utf-8").read().rstrip("\\n").split("\\n") for path in sys.argv[1:]]
texts = [[line.split() for line in text] for text in lines]
reference, outputs = texts[0], texts[1:]

def ngrams():
    counts = [ngram_utils.compare_ngrams(reference, output)[1] for output in outputs]
    from compare_mt import stat_utils
    stat_utils.extract_salient_features(counts[0], counts[1])

def words():
    bucketer = bucketers.create_word_bucketer_from_profile("freq", freq_data=reference, case_insensitive=False)
    bucketer.calc_statistics(reference, outputs)

def buckets():
    bucketer = bucketers.create_sentence_bucketer_from_profile("length", case_insensitive=False)
    scorer = scorers.create_scorer_from_profile("bleu", case_insensitive=False)
    for output in outputs:
        parts = bucketer.create_bucketed_corpus(output, ref=reference, src=[None] * len(reference))
        for own, wanted, _ in parts:
            scorer.score_corpus(wanted, own, None)

def best(work):
    times = []
    for _ in range(5):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)

json.dump({work.__name__: best(work) for work in (ngrams, words, buckets)}, sys.stderr)
"""


def best(work: Callable[[], object]) -> float:
    """The shortest of several runs, in processor seconds."""
    times = []
    for _ in range(TIMES):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def ours(paths: list[str]) -> dict[str, float]:
    """Our times by analysis."""
    from adjudge.analysis.base import Cutting
    from adjudge.analysis.buckets import Resampling, bucket_scores
    from adjudge.analysis.ngrams import ngram_differences
    from adjudge.analysis.words import word_accuracy
    from adjudge.data import Outputs, TestSet

    texts = [Path(path).read_text(encoding="utf-8").rstrip("\n").split("\n") for path in paths]
    test_set = TestSet(references=[texts[0]])
    outputs = [Outputs(path, text) for path, text in zip(paths[1:], texts[1:], strict=True)]
    plain, once = Cutting("none"), Resampling(resamples=1, trials=1, threads=1)
    return {
        "ngrams": best(lambda: ngram_differences(test_set, outputs, cutting=plain)),
        "words": best(lambda: word_accuracy(test_set, outputs, cutting=plain, resamples=1)),
        "buckets": best(
            lambda: bucket_scores(
                test_set, outputs, "bleu(tokenize=none,smooth=none)", cutting=plain, resampling=once
            )
        ),
    }


def main() -> None:
    """Print a line an analysis."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs=3, metavar="TEXT")
    parser.add_argument("--peer", default=sys.executable, metavar="PYTHON")
    arguments = parser.parse_args()
    asked = subprocess.run(
        [arguments.peer, "-c", PEER, *arguments.texts], capture_output=True, text=True, check=True
    )
    theirs = json.loads(asked.stderr.strip().splitlines()[-1])
    own = ours(arguments.texts)
    print(f"{'analysis':10}{'compare-mt':>12}{'adjudge':>10}{'ratio':>8}")
    for name, seconds in {**theirs, "together": sum(theirs.values())}.items():
        mine = own.get(name, sum(own.values()))
        print(f"{name:10}{seconds:11.3f}s{mine:9.3f}s{seconds / mine:7.1f}x")


if __name__ == "__main__":
    main()
