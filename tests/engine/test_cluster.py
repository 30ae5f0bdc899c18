"""A real cluster of two processes: the same numbers to the last bit, whatever happens to a worker."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge import workspace
from adjudge._native import CORE
from adjudge.engine import cluster as module
from adjudge.engine.chunks import Work, code_hash, narrow, score_chunk, slice_test_set
from adjudge.engine.engines import engine_of
from adjudge.errors import DataError, ProgramError, UsageError
from adjudge.stats.units import BLOCK
from helpers.counting import Counting, Deadly
from helpers.texts import many_lines

METRICS = ["bleu", "chrf", "ter", "ribes"]
SIZE = 3 * BLOCK + 100


@pytest.fixture(scope="module")
def texts():
    reference, first, second = (many_lines(SIZE, seed) for seed in (1, 2, 3))
    test_set = adjudge.TestSet(references=(reference,), language="en", labels={"document": reference})
    return test_set, [adjudge.Outputs("a", first), adjudge.Outputs("b", second)]


@pytest.fixture(scope="module")
def local(texts):
    return adjudge.score(*texts, METRICS, rows=True)


def test_scores_are_the_local_ones_to_the_last_bit(client, texts, local):
    by_cluster = adjudge.score(*texts, METRICS, rows=True, engine=client)
    assert by_cluster == local
    for here, there in zip(local.results, by_cluster.results, strict=True):
        assert here.rows.tobytes() == there.rows.tobytes()


def test_a_worker_that_is_killed_costs_no_data(client, texts, local, tmp_path):
    before = set(client.run(os.getpid).values())
    deadly = Deadly(
        str(tmp_path / "killed"), after=3
    )  # four chunks of two outputs: in the second of a worker
    scores = adjudge.score(*texts, [*METRICS, deadly], rows=True, engine=client)
    assert tuple(score for score in scores.results if "deadly" not in score.label) == local.results
    killed = {int(pid) for pid in (tmp_path / "killed").read_text().split()}
    assert len(killed) == 1
    assert killed < before
    client.wait_for_workers(2, timeout=120)
    assert killed.isdisjoint(client.run(os.getpid).values())


def test_a_model_is_loaded_once_by_every_worker(client, texts, tmp_path):
    metric = Counting(str(tmp_path / "loads"))
    client.wait_for_workers(2, timeout=120)
    scores = adjudge.score(*texts, [metric], engine=client)
    loads = (tmp_path / "loads").read_text().split()
    assert len(loads) == len(set(loads)) <= 2
    assert set(map(int, loads)) <= set(client.run(os.getpid).values())
    assert scores == adjudge.score(*texts, [replace(metric)])


def test_a_metric_that_counts_over_all_segments_is_computed_here(client, texts, monkeypatch):
    short = texts[0][: BLOCK + 5], [replace(o, segments=o.segments[: BLOCK + 5]) for o in texts[1]]
    here = adjudge.score(*short, ["nist", "bleu"])
    assert adjudge.score(*short, ["nist", "bleu"], engine=client) == here


def test_comparisons_are_the_local_ones_to_the_last_bit(client, texts):
    options = {"metrics": ["ribes"], "trials": 200, "resamples": 200}
    here = adjudge.compare(*texts, **options)
    there = adjudge.compare(*texts, **options, engine=client.cluster)
    assert here.results == there.results
    assert here.pairs == there.pairs
    assert here.claims == there.claims


def test_only_so_many_chunks_are_under_way(client, texts):
    taken, done, most = 0, 0, 0

    def chunks():
        nonlocal taken
        for chunk in slice_test_set(*texts):
            for _ in range(4):
                taken += 1
                yield chunk

    work = Work.by([adjudge.metric("bleu")], rows=False)
    for _ in module.DaskEngine(client).map(work, chunks()):
        done += 1
        most = max(most, taken - done)
    assert done == taken == 16
    assert most <= module.AHEAD * 2


def test_what_a_worker_refuses_is_told_in_its_words(client, texts):
    broken = (*texts[1][0].segments[:-1], "\ud800")
    with pytest.raises(DataError, match=rf"surrogate.* \(counted from segment {3 * BLOCK + 1} on\)"):
        adjudge.score(texts[0], adjudge.Outputs("a", broken), ["bleu"], engine=client)


def test_what_was_under_way_ends_with_whoever_asked(client, texts):
    def interrupt(doing, done, steps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        adjudge.score(*texts, METRICS, engine=client, progress=interrupt)
    deadline = time.time() + 20
    while any(client.processing().values()) and time.time() < deadline:
        time.sleep(0.1)
    assert not any(client.processing().values())


def test_an_error_without_words_is_told_by_its_name(monkeypatch):
    def late(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(module, "Client", late)
    with pytest.raises(ProgramError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9 \(TimeoutError\)"):
        module._client("tcp://127.0.0.1:9")


def test_no_scheduler_is_told_in_a_line(monkeypatch):
    monkeypatch.setattr(module, "CONNECT", 0.5)
    with (
        pytest.raises(ProgramError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"),
        engine_of("tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.parametrize("wanted", ["spark", "8786", 17])
def test_what_is_no_engine_is_refused(wanted):
    with pytest.raises(UsageError, match="engine"), engine_of(wanted):
        pass


@contextmanager
def another_worker(client, folder):
    """A third worker, which finds packages in `folder` before all others."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", client.scheduler.address]
    options = ["--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    worker = subprocess.Popen(
        [*command, *options, "--death-timeout", "120"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        stderr=subprocess.DEVNULL,
    )
    try:
        client.wait_for_workers(3, timeout=120)
        yield
    finally:
        worker.terminate()
        worker.wait(30)
    deadline = time.time() + 60
    while len(client.scheduler_info(n_workers=-1)["workers"]) > 2 and time.time() < deadline:
        time.sleep(0.1)


def test_a_worker_of_another_version_is_refused(client, texts, tmp_path):
    folder = tmp_path / "adjudge-9.9.9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: adjudge\nVersion: 9.9.9\n")
    with (
        another_worker(client, tmp_path),
        pytest.raises(UsageError, match=r"has adjudge 9\.9\.9, but .* asks it.*pip install"),
    ):
        adjudge.score(*texts, ["bleu"], engine=client)
    with pytest.raises(UsageError, match=r"but 0\.0\.0 asks it"):
        score_chunk(
            replace(Work.by([adjudge.metric("bleu")], rows=False), version="0.0.0"),
            next(slice_test_set(*texts)),
        )


def change_source(package):
    """Another line of Python with the same core."""
    with open(package / "metrics" / "base.py", "a", encoding="utf-8") as file:
        file.write("# changed\n")


def remove_hash(package):
    """A build that does not know the hash yet."""
    path = package / "engine" / "chunks.py"
    path.write_text(path.read_text(encoding="utf-8").replace("code_hash", "old_hash"), encoding="utf-8")


def copy_package(folder):
    """A copy of adjudge that processes with `folder` in PYTHONPATH import, also where the install is editable."""
    package = folder / "adjudge"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(adjudge.__file__).parent, package, ignore=unwanted, copy_function=shutil.copyfile)
    shutil.copyfile(CORE, package / Path(CORE).name)
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith('_editable')]\n"
    )
    return package


@pytest.mark.parametrize("change", [change_source, remove_hash], ids=lambda own: own.__name__)
def test_a_worker_of_another_build_is_refused(client, texts, tmp_path, change):
    """The same version, but other code: its numbers may be others."""
    change(copy_package(tmp_path))
    with (
        another_worker(client, tmp_path),
        pytest.raises(UsageError, match=r"^tcp://\S+ has another build of adjudge .* install the same wheel"),
    ):
        adjudge.score(*texts, ["bleu"], engine=client)


def test_a_chunk_for_another_build_is_refused(texts):
    """A worker that joins after the check refuses its first chunk."""
    work = replace(Work.by([adjudge.metric("bleu")], rows=False), code="0123456789abcdef")
    with pytest.raises(UsageError, match=r"a worker has another build .*0123456789abcdef asks it"):
        score_chunk(work, next(slice_test_set(*texts)))


def test_copies_of_one_build_have_one_hash_whatever_their_dates(tmp_path):
    package = copy_package(tmp_path)
    code = "from adjudge.engine import chunks; print(chunks.code_hash(), chunks.__file__)"
    run = [sys.executable, "-c", code]
    copied = subprocess.check_output(run, env={**os.environ, "PYTHONPATH": str(tmp_path)}, text=True)
    assert copied.split() == [code_hash(), str(package / "engine" / "chunks.py")]


def test_another_compiled_core_has_another_hash(tmp_path, monkeypatch):
    """Its sources are the same, and its numbers may be others."""
    before, core = code_hash.__wrapped__(), tmp_path / Path(CORE).name
    core.write_bytes(Path(CORE).read_bytes() + b"\0")
    monkeypatch.setattr("adjudge._native.CORE", str(core))
    assert code_hash.__wrapped__() != before


@pytest.mark.slow
def test_a_cluster_that_goes_away_is_told_in_a_line(texts):
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as own:
        address = own.scheduler_address

        def close(doing, done, steps):
            if done >= BLOCK:
                own.close()

        with pytest.raises(ProgramError, match="does not answer any more"):
            adjudge.score(*texts, METRICS, engine=address, progress=close)


def test_rows_travel_in_few_bytes_and_come_back_whole():
    for rows, kind in (
        ([[0.0, 255.0]], np.uint8),
        ([[0.0, 256.0]], np.uint16),
        ([[70000.0]], np.uint32),
        ([[0.5, -1.0]], np.float32),
        ([[0.1]], np.float64),
        ([[np.nan, 0.1]], np.float64),
    ):
        small = narrow(np.array(rows))
        assert small.dtype == kind
        assert small.astype(np.float64).tobytes() == np.array(rows).tobytes()
    assert narrow(np.array([[-0.0]])).astype(np.float64).tobytes() == np.array([[-0.0]]).tobytes()


def test_secrets_and_stores_stay_here():
    with workspace.use(workspace.Workspace(key="secret", batch_size=7)):
        work = Work.by([adjudge.metric("bleu")], rows=False)
    assert "secret" not in repr(work)
    assert work.settings["batch_size"] == 7
