"""Files of millions of segments: throughput, growth, memory, what a cluster costs, and a worker that is killed.

    python bench/scale.py growth 1 2 5 10     # millions; BLEU, chrF and TER, here
    python bench/scale.py overhead [MILLIONS]  # one Dask worker beside local, one thread each
    python bench/scale.py kill [MILLIONS]      # two workers, one of which is killed in the middle
    python bench/scale.py compare 1 2          # two systems, 1,000 trials and resamples

Texts are the 100,000 real pairs of `w3` of the shared data over and over, changed every time: a word of the reference
gives way to one of another segment, and a word of the output is left out, doubled or moved. They lie in SCALE_FOLDER
(a temporary folder by default) and are made once. Times are those of whole commands, processes of a cluster included;
the memory of a process is the most that it had at once, and of its own: not what the system keeps of files.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

SHARED = Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
FOLDER = Path(os.environ.get("SCALE_FOLDER", Path(tempfile.gettempdir()) / "adjudge-scale"))
METRICS = "bleu,chrf,ter"
MILLION = 1_000_000
HERE = ("--host", "127.0.0.1")
REPETITIONS = int(os.environ.get("SCALE_REPETITIONS", "3"))


def texts(millions: float) -> tuple[Path, Path, Path]:
    """The reference and the outputs of two systems."""
    files = tuple(FOLDER / f"{name}-{millions:g}.en" for name in ("reference", "old", "new"))
    if not all(file.exists() for file in files):
        FOLDER.mkdir(parents=True, exist_ok=True)
        reference, output = (
            (SHARED / "golden" / "data" / name).read_text(encoding="utf-8").splitlines()
            for name in ("w3.ref.en", "w3.hyp.en")
        )
        rng = random.Random(12345)
        drafts = [file.with_suffix(".draft") for file in files]
        opened = [draft.open("w", encoding="utf-8") for draft in drafts]
        for _ in range(round(millions * MILLION / len(reference))):
            for own, made in zip(reference, output, strict=True):
                opened[0].write(replaced(own, rng.choice(reference), rng) + "\n")
                opened[1].write(changed(made, rng) + "\n")
                opened[2].write(changed(made, rng) + "\n")
        for file, draft, place in zip(opened, drafts, files, strict=True):
            file.close()
            draft.rename(place)
    return files[0], files[1], files[2]


def replaced(text: str, other: str, rng: random.Random) -> str:
    """A text with one word of another one."""
    words, others = text.split(" "), other.split(" ")
    words[int(rng.random() * len(words))] = others[int(rng.random() * len(others))]
    return " ".join(words)


def changed(text: str, rng: random.Random) -> str:
    """A text with one word left out, doubled or moved."""
    words, kind = text.split(" "), rng.random()
    word = words.pop(int(rng.random() * len(words)))
    if kind > 1 / 3:
        words.insert(int(rng.random() * (len(words) + 1)), word)
    if kind > 2 / 3:
        words.append(word)
    return " ".join(words)


class Watch:
    """Processor seconds and memory of some processes and all that they start."""

    def __init__(self, *processes: int) -> None:
        self.roots = [psutil.Process(number) for number in processes]
        self.memory: dict[int, int] = {}
        self.seconds: dict[int, float] = {}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.before = self._count()
        self.thread.start()

    def _count(self) -> float:
        for root in self.roots:
            try:
                family = [root, *root.children(recursive=True)]
            except psutil.NoSuchProcess:
                continue
            for process in family:
                try:
                    used, held = process.cpu_times(), process.memory_info()
                except psutil.Error:
                    continue
                self.seconds[process.pid] = used.user + used.system
                # Pages of files that are mapped belong to the system, which takes them back when it needs them.
                own = held.rss - getattr(held, "shared", 0)
                self.memory[process.pid] = max(self.memory.get(process.pid, 0), own)
        return sum(self.seconds.values())

    def _look(self) -> None:
        while not self.ended.wait(0.05):
            self._count()

    def stop(self) -> tuple[float, float]:
        """Processor seconds since the beginning, and the most memory of a single process in MB."""
        self.ended.set()
        self.thread.join()
        return self._count() - self.before, max(self.memory.values()) / 1e6


def timed(command: list[str], *others: int) -> dict[str, float | str]:
    """A command of adjudge, with the processes of a cluster: seconds by the clock and of processors, and memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudge", *command, "-f", "json"], stdout=subprocess.PIPE, text=True
    )
    watch = Watch(process.pid, *others)
    output = process.communicate()[0]
    clock = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(process.returncode)
    processor, memory = watch.stop()
    results = json.loads(output)["results"]
    return {"clock": clock, "processor": processor, "mb": memory, "scores": json.dumps(results)}


def scoring(millions: float, *more: str) -> list[str]:
    reference, old, _ = map(str, texts(millions))
    return ["score", "--stream", "-q", "-l", "en", "-m", METRICS, "-r", reference, old, *more]


def growth(sizes: list[float]) -> None:
    """Throughput for each size, by both cores."""
    print("| million segments | seconds | processor seconds | segments a second | a processor second | MB |")
    print("|---|---|---|---|---|---|")
    for millions in sizes:
        took = timed(scoring(millions))
        number = millions * MILLION
        print(
            f"| {millions:g} | {took['clock']:.0f} | {took['processor']:.0f} | {number / took['clock']:,.0f} "
            f"| {number / took['processor']:,.0f} | {took['mb']:.0f} |",
            flush=True,
        )


class Cluster:
    """A scheduler and workers of one thread, each a process."""

    def __init__(self, workers: int) -> None:
        place = Path(tempfile.mkdtemp()) / "scheduler.json"
        self.processes = [
            _dask("scheduler", "--port", "0", "--scheduler-file", str(place), "--no-dashboard", *HERE)
        ]
        while not place.exists() or not place.read_text():
            time.sleep(0.1)
        self.address = json.loads(place.read_text())["address"]
        options = (self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *HERE)
        self.processes += [_dask("worker", *options) for _ in range(workers)]
        time.sleep(5)

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self.processes if process.poll() is None]

    def close(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)


def _dask(kind: str, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def overhead(millions: float) -> None:
    """One worker of one thread beside one thread here, some times each, in turn."""
    cluster = Cluster(1)
    try:
        timed(scoring(0.1, "--engine", cluster.address), *cluster.pids)  # imports are done once
        runs: dict[str, list[dict[str, float | str]]] = {"local": [], "cluster": []}
        for _ in range(REPETITIONS):
            runs["local"].append(timed(scoring(millions, "--threads", "1")))
            runs["cluster"].append(timed(scoring(millions, "--engine", cluster.address), *cluster.pids))
    finally:
        cluster.close()
    assert len({str(run["scores"]) for own in runs.values() for run in own}) == 1, "scores differ"
    for what in ("clock", "processor"):
        local, there = (min(float(run[what]) for run in runs[name]) for name in ("local", "cluster"))
        print(f"{what}: local {local:.1f} s, one worker {there:.1f} s, {100 * (there / local - 1):+.1f} %")
    print(
        "all:",
        {name: [(round(r["clock"], 1), round(r["processor"], 1)) for r in own] for name, own in runs.items()},
    )


def kill(millions: float) -> None:
    """Two workers, of which one is killed when a third of the time has passed."""
    local = timed(scoring(millions, "--threads", "1"))
    cluster, start = Cluster(2), time.perf_counter()

    def strike() -> None:
        time.sleep(float(local["clock"]) / 4)
        victim = cluster.processes[-1].pid
        os.kill(victim, signal.SIGKILL)
        print(f"{time.perf_counter() - start:6.1f} s  worker {victim} is killed (SIGKILL)", flush=True)

    print(f"{0:6.1f} s  two workers: {cluster.pids[1:]}", flush=True)
    striking = threading.Thread(target=strike)
    striking.start()
    try:
        took = timed(scoring(millions, "--engine", cluster.address), *cluster.pids)
    finally:
        striking.join()
        cluster.close()
    end, alone = time.perf_counter() - start, local["clock"]
    print(f"{end:6.1f} s  done in {took['clock']:.1f} s; one local thread took {alone:.1f}")
    same = took["scores"] == local["scores"]
    print(f"          scores equal the local ones bit for bit: {'yes' if same else 'NO'}")


def compare(sizes: list[float]) -> None:
    """Two systems, tested."""
    print("| million segments | seconds | processor seconds | MB |\n|---|---|---|---|")
    for millions in sizes:
        reference, old, new = map(str, texts(millions))
        options = ["--trials", "1000", "--resamples", "1000", "-l", "en", "-m", METRICS, "-q", "--no-lint"]
        took = timed(["compare", "--stream", *options, "-r", reference, old, new])
        print(
            f"| {millions:g} | {took['clock']:.0f} | {took['processor']:.0f} | {took['mb']:.0f} |", flush=True
        )


def main() -> None:
    kind, sizes = sys.argv[1], [float(text) for text in sys.argv[2:]]
    if kind in ("growth", "compare"):
        {"growth": growth, "compare": compare}[kind](sizes or [1.0])
    else:
        {"overhead": overhead, "kill": kill}[kind](sizes[0] if sizes else 1.0)


if __name__ == "__main__":
    main()
