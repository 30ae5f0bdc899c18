"""Does it measure quality? Metrics on trees beside others, held against people's scores.

    .venv/bin/python bench/structure.py [--segments 300] [--shared ../shared] [--metric SPEC]...

WMT17's direct assessment into English (German, Chinese) and WMT23's MQM from English into German. Segments: Pearson's r
with people's scores of the same outputs (560 outputs a pair of WMT17; all systems of a sample of WMT23). Systems: r of
system scores on a sample of segments with people's scores of systems. Metrics whose low scores are good count with
their sign turned. Prints a table for docs/metrics.md; a dash is a metric that the language has no data for.
"""

import argparse
import html
import os
import random
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from adjudge import workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import AdjudgeError
from adjudge.io.content_store import ContentStore
from adjudge.metrics import metric
from adjudge.metrics.base import Direction

METRICS = (
    "bleu(tokenize={tokenize})",
    "chrf",
    "ter",
    "meteor(matchers={matchers})",
    "terp",
    "sk(tokenize={tokenize})",
    "sk(tokenize={tokenize},words=lemma)",
    "ptk(parser={parser})",
    "ptk(parser={parser},words=lemma)",
    "sstk(parser={parser})",
    "sptk(parser={parser},words=lemma,vectors={vectors})",
    "csptk(parser={parser},words=lemma,vectors={vectors})",
    "tskm(parser={parser})",
    "tskm(parser={parser},words=lemma)",
)
OPTIONS = {
    "en_ewt": {"tokenize": "none", "matchers": "exact+stem+synonym+paraphrase"},  # these texts are tokenized
    "de_pud_gsd": {
        "tokenize": "13a",
        "matchers": "exact+stem",
    },  # there is no German table of paraphrases here
}
SEED = 12345


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def wmt17(shared: Path, pair: str, sample: int):
    """The scored outputs of a pair as a test set, and systems on a sample of segments, each with people's scores."""
    folder = shared / "data/04_wmt17_da_seg_toen" / pair
    reference = [html.unescape(line) for line in lines(folder / "ref.en")]
    files = sorted((folder / "hyp").iterdir())
    human = [line.split() for line in lines(folder / "human/DA-seglevel.csv")[1:]]

    def file_of(system: str) -> Path:
        return next(file for file in files if system in file.name)

    texts = {file: [html.unescape(line) for line in lines(file)] for file in files}
    chosen = [(file_of(row[2].split("+")[0]), int(row[3]) - 1, float(row[4])) for row in human]
    segments = (
        TestSet(references=[[reference[at] for _, at, _ in chosen]], language=pair),
        [texts[file][at] for file, at, _ in chosen],
        [score for _, _, score in chosen],
    )
    kept = sorted(random.Random(SEED).sample(range(len(reference)), min(sample, len(reference))))
    ranked = [line.split() for line in lines(folder / "human/DA-syslevel.csv")[1:]]
    test_set = TestSet(references=[[reference[at] for at in kept]], language=pair)
    systems = [
        (Outputs(name, [texts[file_of(name)][at] for at in kept]), float(score)) for _, score, name in ranked
    ]
    return segments, (test_set, systems)


def wmt23(shared: Path, sample: int):
    """Systems on a sample of the segments that people scored."""
    folder = shared / "data/03_wmt23_mqm_esa/en-de"
    reference = lines(folder / "ref.refA.de")
    scores: dict[str, list[str]] = {}
    for row in lines(folder / "human/mqm.seg.score"):
        scores.setdefault(row.split("\t")[0], []).append(row.split("\t")[1])
    overall = dict(row.split("\t") for row in lines(folder / "human/mqm.sys.score"))
    names = [name for name in scores if name not in ("refA", "synthetic_ref") and overall[name] != "None"]
    judged = [at for at in range(len(reference)) if all(scores[name][at] != "None" for name in names)]
    kept = sorted(random.Random(SEED).sample(judged, min(sample, len(judged))))
    test_set = TestSet(references=[[reference[at] for at in kept]], language="en-de")
    texts = {name: lines(folder / f"hyp/{name}.de") for name in names}
    systems = [(Outputs(name, [texts[name][at] for at in kept]), float(overall[name])) for name in names]
    pooled = (
        TestSet(references=[[reference[at] for _ in names for at in kept]], language="en-de"),
        [texts[name][at] for name in names for at in kept],
        [float(scores[name][at]) for name in names for at in kept],
    )
    return pooled, (test_set, systems)


def correlations(spec: str, segments, systems) -> tuple[float, float]:
    test_set, outputs, human = segments
    scorer = metric(spec).for_test_set(test_set)
    sign = -1 if scorer.direction is Direction.LOWER else 1
    rows = scorer.stats(scorer.prepare(test_set), outputs)
    segment = np.corrcoef(scorer.for_segments().aggregate(rows), human)[0, 1]
    test_set, judged = systems
    prepared = scorer.prepare(test_set)
    scores = [float(scorer.aggregate(scorer.stats(prepared, output.segments).sum(0))) for output, _ in judged]
    system = np.corrcoef(scores, [score for _, score in judged])[0, 1]
    return sign * segment, sign * system


def lengths(spec: str, segments, systems) -> str:
    """How far a metric and people follow the length of texts, and how far they agree within segments."""
    test_set, outputs, human = segments
    scorer = metric(spec)
    scores = scorer.for_segments().aggregate(scorer.stats(scorer.prepare(test_set), outputs))
    words = np.log([1 + len(output.split()) for output in outputs])
    shape = (len(systems[1]), len(systems[0]))
    centred = [np.reshape(values, shape) - np.reshape(values, shape).mean(0) for values in (scores, human)]
    follow = [np.corrcoef(values, words)[0, 1] for values in (scores, human)]
    within = np.corrcoef(centred[0].ravel(), centred[1].ravel())[0, 1]
    return f"r with log words: metric {follow[0]:.2f}, people {follow[1]:.2f}; within segments r {within:.2f}"


def word_vectors(pipeline: Path, texts: Iterable[str], cache: Path) -> Path:
    """A spaCy pipeline's vectors of the words of texts, and of all it has names for, in a file of GloVe's form."""
    path = cache / f"{pipeline.name}.vec"
    if not path.exists():
        import spacy

        known = spacy.load(pipeline).vocab
        words = {word for text in texts for word in text.split()} | {
            word for word in known.strings if word.strip()
        }
        with path.open("w", encoding="utf-8") as file:
            for word in sorted(words):
                if len(word.split()) == 1 and known.has_vector(word):
                    file.write(f"{word} {' '.join(map(str, known.get_vector(word)))}\n")
    return path


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--segments", type=int, default=300)
    arguments.add_argument("--shared", type=Path, default=Path("../shared"))
    arguments.add_argument(
        "--cache", type=Path, default=Path(os.environ.get("ADJUDGE_CACHE", ".bench-cache"))
    )
    arguments.add_argument("--metric", action="append", help="instead of those on trees and their rivals")
    given = arguments.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)
    english, german = (given.shared / "models" / name for name in ("en_ewt", "de_pud_gsd"))
    sets = {
        "de-en": (*wmt17(given.shared, "de-en", given.segments), english),
        "zh-en": (*wmt17(given.shared, "zh-en", given.segments), english),
        "en-de": (*wmt23(given.shared, given.segments), german),
    }
    for name, (segments, systems, _) in sets.items():
        print(f"{name}: {len(segments[1])} outputs; {len(systems[1])} systems on {len(systems[0])} segments")
    print("\n| metric | " + " | ".join(f"{name} segment | {name} system" for name in sets) + " |")
    print("|---|" + "---|---|" * len(sets))
    texts = [
        text for name in ("de-en", "zh-en") for output, _ in sets[name][1][1] for text in output.segments
    ]
    texts += [
        text for name in ("de-en", "zh-en") for text in (*sets[name][0][0].references[0], *sets[name][0][1])
    ]
    specs = given.metric or METRICS
    known = word_vectors(english, texts, given.cache) if any("{vectors}" in spec for spec in specs) else ""
    with workspace.use(workspace.Workspace(store=ContentStore(given.cache))):
        for spec in specs:
            cells = []
            for segments, systems, parser in sets.values():
                if "{vectors}" in spec and parser != english:
                    cells += ["–", "–"]
                    continue
                try:
                    options = OPTIONS[parser.name] | {"parser": parser, "vectors": known}
                    both = correlations(spec.format(**options), segments, systems)
                    cells += [f"{value:.3f}" for value in both]
                except AdjudgeError as error:
                    cells += ["–", "–"]
                    print(f"<!-- {spec}: {error} -->")
            shown = re.sub(r"\w+=\{\w+\},?", "", spec).replace(",)", ")").replace("()", "")
            print(f"| `{shown}` | " + " | ".join(cells) + " |", flush=True)
        if given.metric:
            return
        segments, systems, parser = sets["en-de"]
        print(f"\nptk, en-de: {lengths(f'ptk(parser={parser})', segments, systems)}")


if __name__ == "__main__":
    main()
