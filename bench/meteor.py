"""METEOR against METEOR 1.5's jar and nltk's METEOR on w1; writes its table of docs/performance.md.

python bench/meteor.py      needs Java, pycocoevalcap and Debian's wordnet-base; about two minutes
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import cases
from run import PAGE, seconds

from adjudge.data import TestSet
from adjudge.metrics import metric
from adjudge.text import resources

REPETITIONS = 3
OURS = """
import sys
from adjudge.data import TestSet
from adjudge.metrics import metric
lines = [tuple(open(p, encoding="utf-8").read().removesuffix("\\n").split("\\n")) for p in sys.argv[1:]]
chosen = metric("meteor")
prepared = chosen.prepare(TestSet(references=(lines[1],)))
print(chosen.aggregate(chosen.stats(prepared, lines[0], threads=1).sum(0)) / 100)
"""


def of_process(command: list[str]) -> tuple[float, str]:
    """Seconds of the processor that a command takes, all its threads together, and its last line."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output.split()[-1]


def median(work: Callable[[], float], repetitions: int = REPETITIONS) -> float:
    return statistics.median(work() for _ in range(repetitions))


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def score(spec: str, data: str) -> Callable[[], object]:
    outputs, references = cases.data(data)
    chosen = metric(spec)
    test_set = TestSet(references=(tuple(references),))
    return lambda: chosen.aggregate(chosen.stats(chosen.prepare(test_set), outputs, threads=1).sum(0))


def nltk_meteor(data: str) -> Callable[[], object]:
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.translate.meteor_score import meteor_score

    folder = Path(tempfile.mkdtemp())
    for file in Path(resources.DEBIAN_WORDNET).iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    # Debian leaves out the names of WordNet's files, which METEOR does not need.
    (folder / "lexnames").write_text("".join(f"{n:02d}\tname{n}\t1\n" for n in range(45)))
    nltk.data.path.append(str(folder))

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:
            """Debian's files need no mapping to another version."""

    with warnings.catch_warnings(action="ignore"):
        words = Reader(str(folder), None)
    pairs = [(h.split(), r.split()) for h, r in zip(*cases.data(data), strict=True)]
    meteor_score([pairs[0][1]], pairs[0][0], wordnet=words)
    return lambda: [meteor_score([r], h, wordnet=words) for h, r in pairs]


def main() -> None:
    jar = resources.jar()
    if jar is None:
        sys.exit("METEOR's jar is not here: pip install --no-deps pycocoevalcap")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in zip(("output", "reference"), cases.data("w1"), strict=True):
            (Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            (Path(folder) / f"{name}.1").write_text(lines[0] + "\n", encoding="utf-8")
            files.append(str(Path(folder) / name))
        java = ["java", "-Xmx2G", "-jar", str(jar)]
        options = ["-l", "en", "-norm"]
        theirs = [of_process([*java, *files, *options]) for _ in range(REPETITIONS)]
        nothing = median(lambda: of_process([*java, *(f"{file}.1" for file in files), *options])[0])
        of_process([sys.executable, "-c", OURS, *files])  # compiles the paraphrase table
        ours = [of_process([sys.executable, "-c", OURS, *files]) for _ in range(REPETITIONS)]
    rows = [
        "| what | peer | adjudge | peer's time | ratio | target | same score |",
        "|---|---|--:|--:|--:|--:|---|",
    ]

    def row(what: str, peer: str, a: float, b: float, target: int, same: str) -> None:
        met = "met" if b / a >= target else "**missed**"
        rows.append(
            f"| {what} | {peer} | {seconds(a)} | {seconds(b)} | {b / a:.1f}× | ≥ {target}× {met} | {same} |"
        )

    whole, jars = (statistics.median(t for t, _ in runs) for runs in (ours, theirs))
    same = "yes" if abs(float(ours[0][1]) - float(theirs[0][1])) < 1e-12 else "**no**"
    row("all matchers, with start-up", "METEOR 1.5", whole, jars, 5, same)
    work = score("meteor", "w1")
    work()
    row("all matchers, without", "METEOR 1.5", median(lambda: timed(work)), jars - nothing, 3, same)
    work = score("meteor(matchers=exact+stem+synonym,normalize=false)", "w1tok")
    work()
    peer = nltk_meteor("w1tok")
    row(
        "exact, stem, synonym",
        "nltk",
        median(lambda: timed(work)),
        median(lambda: timed(peer), 1),
        40,
        "not compared",
    )
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition("<!-- meteor -->")
    _, _, tail = rest.partition("<!-- /meteor -->")
    body = "\n".join(rows)
    PAGE.write_text(f"{head}<!-- meteor -->\n{body}\n<!-- /meteor -->{tail}", encoding="utf-8")
    print(body)


if __name__ == "__main__":
    main()
