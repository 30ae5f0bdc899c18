"""--engine, --stream and --rows: the same output, and a line where something is wrong."""

import json
import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet as pq
import pytest

from adjudge import engine
from conftest import PROJECT

REFERENCE = PROJECT / "examples" / "reference.en"
SYSTEMS = [PROJECT / "examples" / "systems" / name for name in ("neural.en", "rulebased.en")]
FILES = ("-r", REFERENCE, *SYSTEMS)
LABELS = ("-L", PROJECT / "examples" / "labels.tsv")


def test_a_stream_says_what_memory_says(run):
    for form in ("text", "json", "tsv", "html"):
        whole, chunks = (run("score", *more, "-f", form, *LABELS, *FILES) for more in ((), ("--stream",)))
        assert chunks == whole
    assert json.loads(run("score", "--stream", "-f", "json", *FILES).out)["inputs"][0]["sha256"]


def test_a_streamed_comparison_says_what_memory_says(run):
    arguments = ("-m", "bleu", "--no-lint", *FILES)
    for form in ("text", "json", "html"):
        whole, chunks = (run("compare", *more, "-f", form, *arguments) for more in ((), ("--stream",)))
        assert chunks.code == 0
        assert chunks == whole


def test_rows_are_the_same_from_memory_and_in_chunks(run, tmp_path):
    tables = []
    for name, more in (("a", ()), ("b", ("--stream", "--sort", "bleu"))):
        path = tmp_path / f"{name}.parquet"
        assert run("score", "-q", "--rows", path, *more, *FILES).code == 0
        tables.append(pq.read_table(path))
    assert tables[0].equals(tables[1])
    assert tables[0].num_rows == 2 * 173


def test_labels_groups_and_documents_in_chunks_are_those_of_memory(run):
    arguments = ("-m", "bleu", "--no-lint", "--unit", "document", "--by", "domain", "--by", "length")
    arguments += ("--trials", "500", "--resamples", "200", *LABELS, *FILES)
    whole, chunks = (run("compare", *more, "-f", "json", *arguments) for more in ((), ("--stream",)))
    assert chunks.code == 0
    assert chunks == whole
    assert len(json.loads(chunks.out)["groups"]) > 2
    assert [own["role"] for own in json.loads(chunks.out)["inputs"]] == [
        "reference",
        "labels",
        "system",
        "system",
    ]


def test_segments_are_streamed_out(run, tmp_path):
    whole, chunks = (run("score", *more, "--segments", "-f", "tsv", *FILES) for more in ((), ("--stream",)))
    assert chunks == whole
    assert chunks.out.count("\n") == 174
    assert run("score", "--stream", "--segments", "-o", tmp_path / "segments.tsv", "-q", *FILES).code == 0
    assert (tmp_path / "segments.tsv").read_text(encoding="utf-8") == whole.out


@pytest.mark.parametrize("command", ["score", "compare"])
def test_results_are_kept_to_the_byte_as_from_memory(command, run, tmp_path):
    """By --save and by --record, with the labels; and what reads them again finds nothing wrong."""
    few = ("--trials", "200", "--resamples", "100", "--no-lint") if command == "compare" else ()
    for name, more in (("whole", ()), ("chunks", ("--stream",))):
        kept = ("--save", tmp_path / f"{name}.json", "--record", tmp_path / f"{name}.db")
        ended = run(command, "-q", "-m", "bleu", "-m", "ter", *few, *more, *kept, *LABELS, *FILES)
        assert ended.code == 0, ended.err
    whole = (tmp_path / "whole.json").read_bytes()
    assert (tmp_path / "chunks.json").read_bytes() == whole
    assert list(json.loads(whole)["labels"]) == ["document", "domain", "origin", "length"]
    for name in ("whole", "chunks"):
        exported = ("-o", tmp_path / f"{name}-exported.json", "--history", tmp_path / f"{name}.db")
        assert run("history", "export", "last", *exported).code == 0
        assert (tmp_path / f"{name}-exported.json").read_bytes() == whole
    assert run("verify", "-q", tmp_path / "chunks.json").code == 0


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("score", ["--stream", "--segments"], "--segments as text is one table of all segments"),
        (
            "score",
            ["--stream", "--segments", "-f", "tsv", "--save", "run.json"],
            "--segments beside --save or --record",
        ),
        ("score", ["--stream", "--level", "document"], "--level needs all segments at once"),
        ("score", ["--stream", "-t", "set.parquet"], "-r FILE.parquet:REFERENCE"),
        ("score", ["--stream", "--levels", "wmt"], "--levels needs all segments at once"),
        ("score", ["--stream", "-m", "nist"], "NIST cannot be scored in chunks"),
        ("score", ["--stream", "-L", "labels.csv"], "csv is read whole"),
        ("compare", ["--stream", "--unit", "document"], "no label 'document' to draw by"),
        ("score", ["--engine", "spark"], "no engine 'spark': local, or the address of a Dask scheduler"),
        ("score", ["--engine", "nobody://knows"], "there is no Dask scheduler at nobody://knows"),
        (
            "score",
            ["--stream", PROJECT / "examples" / "labels.tsv"],
            "tsv is read whole; --stream reads plain text",
        ),
        ("score", ["--stream", "-"], "standard input"),
    ],
)
def test_what_cannot_be_done_is_told(command, options, message, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = run(command, *options, *FILES)
    assert ended.code in (1, 2)
    assert message in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("extra", ["distributed", "pyarrow", "fsspec"])
def test_what_is_not_installed_is_asked_for_by_name(extra, run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, extra, None)
    monkeypatch.delitem(sys.modules, "adjudge.engine.cluster", raising=False)
    monkeypatch.delattr(engine, "cluster", raising=False)
    asked = {
        "distributed": (["--engine", "tcp://127.0.0.1:1", *FILES], "cluster"),
        "pyarrow": (["--rows", tmp_path / "x.parquet", *FILES], "parquet"),
        "fsspec": (["-r", "s3://bucket/ref.en", SYSTEMS[0]], "remote"),
    }
    arguments, name = asked[extra]
    ended = run("score", *arguments)
    assert ended.code == 2
    assert f"pip install 'adjudge[{name}]'" in ended.err


@pytest.mark.slow
def test_ctrl_c_ends_quietly_and_leaves_nothing(tmp_path):
    """Also with a cluster: nothing is under way any more, and no file is half written."""
    line = REFERENCE.read_text(encoding="utf-8")
    for name in ("ref.en", "a.en"):
        (tmp_path / name).write_text(line * 6000, encoding="utf-8")
    command = [sys.executable, "-m", "adjudge", "score", "--stream", "--rows", str(tmp_path / "rows.parquet")]
    process = subprocess.Popen(
        [*command, "-r", str(tmp_path / "ref.en"), str(tmp_path / "a.en")],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    deadline = time.time() + 60
    while not any(name.startswith(".adjudge") for name in os.listdir(tmp_path)) and time.time() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.decode() == "adjudge: error: interrupted\n"
    assert sorted(os.listdir(tmp_path)) == ["a.en", "ref.en"]
