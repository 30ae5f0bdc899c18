"""METEOR against METEOR 1.5's jar and nltk's METEOR on w1; writes its tables of docs/performance.md.

python bench/meteor.py      needs Java, pycocoevalcap and Debian's wordnet-base; about two minutes
"""

from __future__ import annotations

import json
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

REPETITIONS = 5
THREE = "meteor(matchers=exact+stem+synonym)"
THREE_ON_TOKENS = "meteor(matchers=exact+stem+synonym,normalize=false)"
OURS = """
import sys
from adjudge.data import TestSet
from adjudge.metrics import metric
lines = [tuple(open(p, encoding="utf-8").read().removesuffix("\\n").split("\\n")) for p in sys.argv[1:]]
chosen = metric("meteor")
prepared = chosen.prepare(TestSet(references=(lines[1],)))
print(chosen.aggregate(chosen.stats(prepared, lines[0], threads=1).sum(0)) / 100)
"""
Work = Callable[[int], object]
"""Scores the first so many segments."""


def of_process(command: list[str]) -> tuple[float, str]:
    """Seconds of the processor that a command takes, all its threads together, and its last line."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output.split()[-1]


def score(spec: str, data: str, threads: int) -> Work:
    outputs, references = cases.data(data)
    chosen = metric(spec)

    def work(count: int) -> float:
        test_set = TestSet(references=(tuple(references[:count]),))
        rows = chosen.stats(chosen.prepare(test_set), outputs[:count], threads=threads)
        return float(chosen.aggregate(rows.sum(0)))

    return work


def nltk_meteor(data: str) -> Work:
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
    return lambda count: [meteor_score([r], h, wordnet=words) for h, r in pairs[:count]]


def timed(who: str, data: str, threads: int) -> dict[str, float]:
    """In this process, once the data are loaded and a first segment is scored: all of the text, and all of it again."""
    work = nltk_meteor(data) if who == "nltk" else score(who, data, threads)
    work(1)
    found = {}
    for which in ("first", "again"):
        clock, processor = time.perf_counter(), time.process_time()
        work(1 << 30)
        found[which] = time.process_time() - processor
        found[f"{which}, clock"] = time.perf_counter() - clock
    return found


def medians(who: str, data: str, threads: int = 1) -> dict[str, float]:
    """Medians of several processes."""
    command = [sys.executable, __file__, who, data, str(threads)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for _ in range(REPETITIONS)
    ]
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def row(what: str, peer: str, ours: float, theirs: float, target: int, same: str) -> str:
    met = "met" if theirs / ours >= target else "**missed**"
    cells = [what, peer, seconds(ours), seconds(theirs), f"{theirs / ours:.1f}×", f"≥ {target}× {met}", same]
    return f"| {' | '.join(cells)} |"


def jar_rows() -> list[str]:
    jar = resources.jar()
    if jar is None:
        sys.exit("METEOR's jar is not here: pip install 'adjudge[meteor]'")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in zip(("output", "reference"), cases.data("w1"), strict=True):
            (Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            (Path(folder) / f"{name}.1").write_text(lines[0] + "\n", encoding="utf-8")
            files.append(str(Path(folder) / name))
        java = ["java", "-Xmx2G", "-jar", str(jar)]
        options = ["-l", "en", "-norm"]
        theirs = [of_process([*java, *files, *options]) for _ in range(3)]
        one_line = [of_process([*java, *(f"{file}.1" for file in files), *options]) for _ in range(3)]
        of_process([sys.executable, "-c", OURS, *files])  # compiles the paraphrase table
        ours = [of_process([sys.executable, "-c", OURS, *files]) for _ in range(REPETITIONS)]
    whole, jars, nothing = (statistics.median(t for t, _ in runs) for runs in (ours, theirs, one_line))
    same = "yes" if abs(float(ours[0][1]) - float(theirs[0][1])) < 1e-12 else "**no**"
    return [
        row("all matchers, with start-up", "METEOR 1.5", whole, jars, 5, same),
        row("all matchers, without", "METEOR 1.5", medians("meteor", "w1")["first"], jars - nothing, 3, same),
    ]


def nltk_rows() -> list[str]:
    ours, nltk = medians(THREE_ON_TOKENS, "w1tok"), medians("nltk", "w1tok")
    normalized, all_threads = medians(THREE, "w1"), medians(THREE_ON_TOKENS, "w1tok", threads=0)
    what, same, clock = "exact, stem, synonym", "not compared", "again, clock"
    return [
        row(what, "nltk", ours["first"], nltk["first"], 40, same),
        row(f"{what}, text normalised too", "nltk", normalized["first"], nltk["first"], 40, same),
        row(f"{what}, the same text again", "nltk", ours["again"], nltk["again"], 40, same),
        row(f"{what}, again, all threads, by the clock", "nltk", all_threads[clock], nltk[clock], 40, same),
    ]


def main() -> None:
    if len(sys.argv) == 4:
        print(json.dumps(timed(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
        return
    rows = [
        "| what | peer | adjudge | peer's time | ratio | target | same score |",
        "|---|---|--:|--:|--:|--:|---|",
        *jar_rows(),
        *nltk_rows(),
    ]
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition("<!-- meteor -->")
    _, _, tail = rest.partition("<!-- /meteor -->")
    body = "\n".join(rows)
    PAGE.write_text(f"{head}<!-- meteor -->\n{body}\n<!-- /meteor -->{tail}", encoding="utf-8")
    print(body)


if __name__ == "__main__":
    main()
