"""What is timed: each case turns lists of strings into one system score, ours and a peer's alike."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

Lines = list[str]
Case = Callable[[Lines, Lines, int], Callable[[], float]]
"""Given hypotheses, references and threads, imports what it needs and returns the work to be timed."""


def data(name: str) -> tuple[Lines, Lines]:
    """w1: 2,445 segments; w3: 100,000; w3:5000 its first 5,000; million: w3 ten times over; words:N drawn."""
    if name.startswith("words:"):
        return long_segments(int(name.removeprefix("words:")))
    shared = Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    name, _, first = name.partition(":")
    files = {"w1": ("w1.sys1.en", "w1.ref.en"), "w1tok": ("w1.tok.sys1.en", "w1.tok.ref.en")}
    hyp, ref = files.get(name, ("w3.hyp.en", "w3.ref.en"))

    def lines(file: str) -> Lines:
        text = (shared / "golden" / "data" / file).read_bytes().decode("utf-8")
        found = text.removesuffix("\n").split("\n")
        found = found[: int(first)] if first else found
        # Strings of their own, as a real file of that length would have.
        return [(s + "!")[:-1] for _ in range(10) for s in found] if name == "million" else found

    return lines(hyp), lines(ref)


def long_segments(words: int) -> tuple[Lines, Lines]:
    """20 drawn pairs of that many words, the hypothesis an edited copy with moved phrases."""
    rng = random.Random(words)
    hyp, ref = [], []
    for _ in range(20):
        reference = [f"w{int(rng.paretovariate(0.7)) % 5000}" for _ in range(words)]
        edited = [w if rng.random() > 0.2 else f"x{rng.randrange(5000)}" for w in reference]
        for _ in range(max(1, words // 20)):
            start, size, to = rng.randrange(words), rng.randint(1, 4), rng.randrange(words)
            phrase = edited[start : start + size]
            del edited[start : start + size]
            edited[to:to] = phrase
        hyp.append(" ".join(edited))
        ref.append(" ".join(reference))
    return hyp, ref


def adjudge(*specs: str) -> Case:
    def case(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
        from adjudge.data import TestSet
        from adjudge.metrics import metric

        chosen = [metric(spec) for spec in specs]

        def work() -> float:
            test_set = TestSet(references=(tuple(ref),))
            scores = [m.aggregate(m.stats(m.prepare(test_set), hyp, threads=threads).sum(0)) for m in chosen]
            return float(scores[0])

        return work

    return case


def sacrebleu(kind: str, **options: object) -> Case:
    def case(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
        import sacrebleu

        chosen = getattr(sacrebleu, kind)(**options)
        return lambda: float(chosen.corpus_score(hyp, [ref]).score)

    return case


def bleuscore(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    from bleuscore import compute

    references = [[r] for r in ref]
    return lambda: (
        100 * float(compute(references=references, predictions=hyp, max_order=4, smooth=False)["bleu"])
    )


def fastchrf(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    from fastchrf import pairwise_chrf

    hypotheses, references = [[h] for h in hyp], [[r] for r in ref]

    def work() -> float:
        scores = pairwise_chrf(hypotheses, references)
        return sum(row[0][0] for row in scores) / len(scores)

    return work


def jiwer(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from jiwer import wer

    return lambda: 100 * float(wer(ref, hyp))


def werpy(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from werpy import wer

    return lambda: 100 * float(wer(ref, hyp))


def universal_edit_distance(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from universal_edit_distance import word_error_rate

    return lambda: 100 * float(word_error_rate(hyp, ref))


def fastwer(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from fastwer import score

    return lambda: float(score(hyp, ref))


def rapidfuzz(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from rapidfuzz.distance.Levenshtein import distance

    words: dict[str, int] = {}
    ids = [[[words.setdefault(w, len(words)) for w in s.split()] for s in side] for side in (hyp, ref)]
    pairs = list(zip(*ids, strict=True))
    length = sum(len(r) for r in ids[1])
    return lambda: 100 * sum(distance(h, r) for h, r in pairs) / length


def nltk_ribes(hyp: Lines, ref: Lines, threads: int) -> Callable[[], float]:
    from nltk.translate.ribes_score import corpus_ribes

    hypotheses = [h.split() for h in hyp]
    references = [[r.split()] for r in ref]
    return lambda: 100 * float(corpus_ribes(references, hypotheses))


CASES: dict[str, Case] = {
    "bleu": adjudge("bleu"),
    "chrf": adjudge("chrf"),
    "chrf++": adjudge("chrf++"),
    "ter": adjudge("ter"),
    "ter-norm": adjudge("ter(normalized=true)"),
    "bleu+chrf": adjudge("bleu", "chrf"),
    "cder": adjudge("cder(tokenize=none)"),
    "wer": adjudge("wer(tokenize=none)"),
    "ribes": adjudge("ribes(tokenize=none)"),
    "sk": adjudge("sk"),
    "sacrebleu bleu": sacrebleu("BLEU"),
    "sacrebleu chrf": sacrebleu("CHRF"),
    "sacrebleu chrf++": sacrebleu("CHRF", word_order=2),
    "sacrebleu ter": sacrebleu("TER"),
    "sacrebleu ter-norm": sacrebleu("TER", normalized=True),
    "bleuscore": bleuscore,
    "fastchrf": fastchrf,
    "jiwer": jiwer,
    "werpy": werpy,
    "universal-edit-distance": universal_edit_distance,
    "fastwer": fastwer,
    "rapidfuzz": rapidfuzz,
    "nltk ribes": nltk_ribes,
}
