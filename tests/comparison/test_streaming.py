"""Files that are read in chunks say what the same texts in memory say, to the last bit."""

import gzip
import os
import threading
import tracemalloc
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import adjudge
from adjudge.errors import DataError, UsageError
from adjudge.stats.units import BLOCK, total
from helpers.texts import many_lines

SIZE = 2 * BLOCK + 77
METRICS = ["bleu", "ribes"]


@pytest.fixture(scope="module")
def texts():
    lines = {name: list(many_lines(SIZE, seed)) for seed, name in enumerate(("ref.en", "a.en", "b.en"))}
    lines["a.en"][BLOCK] = "  "  # the first of the second chunk
    lines["b.en"][-1] = ""
    return lines


@pytest.fixture(scope="module")
def folder(texts, tmp_path_factory):
    path = tmp_path_factory.mktemp("streamed")
    for name, lines in texts.items():
        (path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def in_memory(folder):
    loaded = adjudge.load(systems=paths(folder, "a.en", "b.en"), references=paths(folder, "ref.en"))
    return loaded, adjudge.score(loaded.test_set, loaded.outputs, METRICS, rows=True)


def paths(folder, *names):
    return [str(folder / name) for name in names]


def streamed(folder, *systems, references=("ref.en",), **options):
    options = {"metrics": METRICS, **options}
    return adjudge.score_files(paths(folder, *systems), paths(folder, *references), **options)


def test_scores_facts_and_warnings_are_those_of_texts_in_memory(folder, in_memory):
    assert streamed(folder, "a.en", "b.en") == in_memory[1]


def test_sums_are_those_of_blocks(in_memory):
    rows = in_memory[1].results[1].rows
    blocks = [rows[start : start + BLOCK].sum(0) for start in range(0, len(rows), BLOCK)]
    assert total(rows).tolist() == ((blocks[0] + blocks[1]) + blocks[2]).tolist()
    assert total(rows[:BLOCK]).tolist() == rows[:BLOCK].sum(0).tolist()


def test_two_references_and_a_source(folder):
    files = {"references": paths(folder, "ref.en", "b.en"), "source": str(folder / "b.en")}
    loaded = adjudge.load(systems=paths(folder, "a.en"), language="en", **files)
    scores = adjudge.score(loaded.test_set, loaded.outputs, ["bleu"])
    assert adjudge.score_files(paths(folder, "a.en"), metrics=["bleu"], language="en", **files) == scores
    files["references"] = paths(folder, "ref.en", "ref.en")
    doubled = adjudge.score_files(paths(folder, "a.en"), metrics="chrf", language="en", **files)
    assert "references 1 and 2 are the same, yet count as two" in doubled.warnings


@pytest.mark.parametrize("ending", [".gz", ".zst", "crlf"])
def test_compressed_files_and_other_line_ends(ending, folder, texts, tmp_path, in_memory):
    text = "\n".join(texts["a.en"])
    if ending == "crlf":
        data = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    else:
        squeeze = gzip.compress if ending == ".gz" else zstandard.ZstdCompressor().compress
        data = squeeze(text.encode())
    name = "a.en" if ending == "crlf" else f"a.en{ending}"
    (tmp_path / name).write_bytes(data)
    scores = adjudge.score_files([str(tmp_path / name)], paths(folder, "ref.en"), METRICS)
    assert scores.results == in_memory[1].results[:2]


def test_parquet_whole_and_in_chunks(folder, texts, tmp_path, in_memory):
    holes = [None if i % 3 else line for i, line in enumerate(texts["b.en"])]
    late = [None if i == BLOCK + 1 else line for i, line in enumerate(texts["b.en"])]
    columns = {
        "ref": texts["ref.en"],
        "ref2": holes,
        "mt": texts["a.en"],
        "domain": texts["b.en"],
        "late": late,
    }
    table = pa.table(columns)
    path = str(tmp_path / "a.parquet")
    pq.write_table(table, path, row_group_size=1000)
    assert (
        adjudge.score_files([path], [f"{path}:ref"], METRICS, language="en").results
        == in_memory[1].results[:2]
    )
    with pytest.raises(DataError, match=f"segment {BLOCK + 2} has no 'late'"):
        adjudge.score_files([f"x={path}:late"], [f"{path}:ref"], language="en")
    del columns["late"]  # no label
    pq.write_table(pa.table(columns), path, row_group_size=1000)
    loaded = adjudge.load(systems=[path], references=[path], language="en")
    assert loaded.test_set.labels["domain"] == tuple(texts["b.en"])
    whole = adjudge.score(loaded.test_set, loaded.outputs, ["bleu"])
    assert "nrefs:var" in whole.results[0].signature
    assert adjudge.score_files([path], [path], ["bleu"], language="en") == whole


def test_files_behind_addresses(folder, in_memory, texts):
    memory = fsspec.filesystem("memory")
    with memory.open("/texts/a.en.gz", "wb") as file:
        file.write(gzip.compress("\n".join(texts["a.en"]).encode()))
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    SimpleHTTPRequestHandler.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/ref.en"
        systems = ["memory://texts/a.en.gz", f"b=file://{folder}/b.en"]
        try:
            scores = adjudge.score_files(systems, [address], METRICS)
            loaded = adjudge.load(systems=systems, references=[address])
        finally:
            server.shutdown()
    assert scores.results == in_memory[1].results
    assert adjudge.score(loaded.test_set, loaded.outputs, METRICS) == scores
    with pytest.raises(DataError, match=r"memory://texts/none\.en does not exist"):
        adjudge.score_files(["memory://texts/none.en"], paths(folder, "ref.en"))


def test_a_language_that_nobody_says_is_identified_as_in_memory(tmp_path):
    chinese = [f"你好世界{i}" for i in range(BLOCK)]
    latin = ["a b c"] * 2000
    for name in ("ref.txt", "a.txt"):
        (tmp_path / name).write_text("\n".join([*latin, *chinese]) + "\n", encoding="utf-8")
    loaded = adjudge.load(systems=paths(tmp_path, "a.txt"), references=paths(tmp_path, "ref.txt"))
    scores = adjudge.score(loaded.test_set, loaded.outputs, ["bleu"])
    assert "tok:zh" in scores.results[0].signature
    assert streamed(tmp_path, "a.txt", references=["ref.txt"], metrics=["bleu"]) == scores


@pytest.mark.parametrize("metric", ["nist", "meant(idf=true)"])
def test_metrics_that_need_all_segments_are_refused_by_name(metric, folder):
    with pytest.raises(
        UsageError, match=r"(NIST|MEANT).* cannot be scored in chunks: .*counted over all references"
    ):
        streamed(folder, "a.en", metrics=[metric])


def test_rows_go_to_parquet(folder, tmp_path, in_memory):
    path = tmp_path / "rows.parquet"
    streamed(folder, "a.en", "b.en", rows=str(path))
    table = pq.read_table(path)
    assert table.num_rows == 2 * SIZE
    second = table.filter(pa.compute.equal(table["system"], "b"))
    assert second["segment"].to_pylist() == list(range(1, SIZE + 1))
    for result in in_memory[1].results[2:]:
        flat = second[f"{result.metric}.rows"].combine_chunks().flatten().to_numpy()
        assert flat.tobytes() == result.rows.tobytes()
    sentences = adjudge.metric("bleu").for_segments().aggregate(in_memory[1].results[2].rows)
    assert second["bleu"].to_numpy().tobytes() == sentences.tobytes()
    assert [name for name in os.listdir(tmp_path) if name.startswith(".")] == []


def broken(folder, tmp_path, change):
    lines = (folder / "a.en").read_bytes().split(b"\n")
    change(lines)
    (tmp_path / "a.en").write_bytes(b"\n".join(lines))
    return [str(tmp_path / "a.en")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines.pop(), None),
        (
            lambda lines: lines.__delitem__(slice(-3, None)),
            rf"a\.en ends with line {SIZE - 2}, but .*ref\.en goes on",
        ),
        (lambda lines: lines.insert(0, b"x"), rf"ref\.en ends with line {SIZE}, but .*a\.en goes on"),
        (
            lambda lines: lines.__delitem__(slice(BLOCK, None)),
            rf"a\.en ends with line {BLOCK}, but .*ref\.en",
        ),
        (
            lambda lines: lines.__setitem__(BLOCK + 9, b"ok \xff"),
            rf"a\.en, line {BLOCK + 10}, byte 4: not UTF-8",
        ),
        (lambda lines: lines.__setitem__(BLOCK + 9, b"\0"), rf"a\.en, line {BLOCK + 10}, byte 1: a NUL"),
        (lambda lines: lines.clear(), "is empty"),
        (lambda lines: lines.__setitem__(0, b"\xff\xfeh\0"), "UTF-16"),
    ],
)
def test_faults_are_told_with_file_and_line(change, message, folder, tmp_path, in_memory):
    systems = broken(folder, tmp_path, change)
    if message is None:  # the last line need not end
        assert (
            adjudge.score_files(systems, paths(folder, "ref.en"), METRICS).results == in_memory[1].results[:2]
        )
        return
    with pytest.raises(DataError, match=message):
        adjudge.score_files(systems, paths(folder, "ref.en"), METRICS)


def test_a_damaged_archive_is_told(folder, tmp_path):
    whole = gzip.compress((folder / "a.en").read_bytes())
    (tmp_path / "a.en.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"a\.en\.gz is cut short"):
        adjudge.score_files([str(tmp_path / "a.en.gz")], paths(folder, "ref.en"))


@pytest.mark.parametrize(
    "options", [{}, {"test": "bootstrap"}, {"sampling": "half", "interval": "percentile"}]
)
def test_comparisons_are_those_of_texts_in_memory(options, folder, in_memory):
    options |= {"metrics": ["bleu", "ribes"], "trials": 300, "resamples": 300}
    here = adjudge.compare(in_memory[0].test_set, in_memory[0].outputs, **options)
    there = adjudge.compare_files(paths(folder, "a.en", "b.en"), paths(folder, "ref.en"), **options)
    for field in ("test_set", "results", "pairs", "test", "claims", "warnings"):
        assert getattr(here, field) == getattr(there, field), field
    assert not there.measured[0].rows["a"][0].flags.owndata, "rows are mapped, not held"


@pytest.fixture(scope="module")
def labelled(folder):
    """Labels of all segments: documents of many lengths, a few domains and origins, strata of documents."""
    rows = ["docid\tdomain\torigin\tstratum\tnote"]
    rows += [
        f"d{(i // 37) % 900}\t{('news', 'speech', 'chat')[i % 3 if i % 11 else 0]}\t{'de' if i % 5 else 'en'}\t"
        f"s{(i // 37) % 900 % 4}\t{i}"
        for i in range(SIZE)
    ]
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(folder / "labels.tsv")


@pytest.mark.parametrize(
    "options",
    [
        {"by": ["length"], "unit": "docid"},
        {"by": ["origin", "domain"], "strata": "origin"},
        {"unit": "document", "strata": "stratum", "test": "bootstrap"},
    ],
    ids=str,
)
def test_comparisons_by_labels_are_those_of_texts_in_memory(options, folder, labelled):
    options = {"metrics": ["bleu"], "trials": 200, "resamples": 200, "language": "de-en", **options}
    files = {"references": paths(folder, "ref.en"), "labels": labelled, "language": options.pop("language")}
    loaded = adjudge.load(systems=paths(folder, "a.en", "b.en"), **files)
    here = adjudge.compare(loaded.test_set, loaded.outputs, **options)
    there = adjudge.compare_files(paths(folder, "a.en", "b.en"), **files, **options)
    for field in ("test_set", "results", "pairs", "test", "claims", "warnings", "groups"):
        assert getattr(here, field) == getattr(there, field), field
    assert set(there.labels) >= {"document", "origin"}
    for name, column in there.labels.items():
        assert list(column) == list(here.labels[name])
        assert column[5:9] == tuple(here.labels[name][5:9])


def test_several_runs_of_a_system(folder, texts, tmp_path):
    for run in (1, 2):
        lines = [line + " x" * (i % 7 == run) for i, line in enumerate(texts["a.en"])]
        (tmp_path / f"a.run{run}.en").write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = [*paths(tmp_path, "a.run1.en", "a.run2.en"), *paths(folder, "b.en")]
    options = {"metrics": ["bleu"], "trials": 200, "resamples": 200}
    loaded = adjudge.load(systems=systems, references=paths(folder, "ref.en"))
    here = adjudge.compare(loaded.test_set, loaded.outputs, **options)
    there = adjudge.compare_files(systems, paths(folder, "ref.en"), **options)
    assert (here.results, here.pairs, here.claims) == (there.results, there.pairs, there.claims)
    assert there.results[0].runs == 2


def test_labels_in_parquet_beside_texts(folder, texts, tmp_path):
    documents = [f"d{i // 50}" for i in range(SIZE)]
    path = str(tmp_path / "a.parquet")
    pq.write_table(
        pa.table({"ref": texts["ref.en"], "mt.a": texts["a.en"], "mt.b": texts["b.en"], "doc": documents}),
        path,
    )
    options = {"metrics": ["bleu"], "trials": 200, "resamples": 200, "unit": "document"}
    loaded = adjudge.load(systems=[path], references=[path], language="en")
    here = adjudge.compare(loaded.test_set, loaded.outputs, **options)
    there = adjudge.compare_files([path], [path], language="en", **options)
    assert (here.results, here.pairs, here.claims) == (there.results, there.pairs, there.claims)
    other = adjudge.compare_files(
        paths(folder, "a.en", "b.en"), paths(folder, "ref.en"), labels=f"{path}:doc", **options
    )
    assert other.pairs == here.pairs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows.pop(), rf"has {SIZE - 1:,} labels 'document', but there are {SIZE:,} segments"),
        (lambda rows: rows.append(rows[-1]), rf"has {SIZE + 1:,} labels"),
        (
            lambda rows: rows.__setitem__(BLOCK + 4, "d1"),
            rf"line {BLOCK + 5}: 1 column, but there should be 5",
        ),
        (
            lambda rows: rows.__setitem__(BLOCK + 4, '"d1"\ta\tb\tc\td'),
            "whether quotes around cells belong to them",
        ),
    ],
)
def test_broken_labels_are_told(change, message, folder, labelled, tmp_path):
    rows = Path(labelled).read_text(encoding="utf-8").splitlines()
    change(rows)
    (tmp_path / "labels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=message):
        adjudge.compare_files(
            paths(folder, "a.en", "b.en"),
            paths(folder, "ref.en"),
            ["bleu"],
            labels=str(tmp_path / "labels.tsv"),
            unit="document",
        )


def test_labels_that_are_not_there(folder, labelled):
    files = paths(folder, "a.en", "b.en"), paths(folder, "ref.en")
    with pytest.raises(UsageError, match="no label 'document' to draw by; the test set has none"):
        adjudge.compare_files(*files, unit="document")
    with pytest.raises(UsageError, match="no label 'speaker' to group by; there are: document"):
        adjudge.compare_files(*files, labels=labelled, by="speaker")


def test_memory_of_labels_and_groups_is_that_of_a_chunk_and_their_numbers(tmp_path):
    """More text takes a few bytes a segment more: places of the segments of a group."""
    most = []
    for blocks in (3, 7):
        lines = ["The cat sat on the mat .\n", "A dog stood there .\n"] * (blocks * BLOCK // 2)
        for name in ("ref.en", "a.en", "b.en"):
            (tmp_path / name).write_text("".join(lines), encoding="utf-8")
        labels = "".join(f"d{i // 1000 % 50}\tnews\n" for i in range(len(lines)))
        (tmp_path / "labels.tsv").write_text("document\tdomain\n" + labels, encoding="utf-8")
        tracemalloc.start()
        try:
            adjudge.compare_files(
                paths(tmp_path, "a.en", "b.en"),
                paths(tmp_path, "ref.en"),
                ["bleu"],
                labels=str(tmp_path / "labels.tsv"),
                unit="document",
                by="domain",
                trials=20,
                resamples=20,
            )
            most.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert most[1] - most[0] < 40 * 4 * BLOCK


def test_progress_tells_how_far_it_is(folder):
    told = []
    streamed(folder, "a.en", metrics=["bleu"], progress=lambda *step: told.append(step))
    assert [step[0].partition(";")[0] for step in told] == [
        f"scored {done:,} segments" for done in (BLOCK, 2 * BLOCK, SIZE)
    ] + ["done"]
    assert all(done <= steps for _, done, steps in told)


def test_memory_is_that_of_a_chunk(tmp_path):
    """Twice as much text takes no more memory."""
    most = []
    for blocks in (4, 8):
        for name in ("ref.en", "a.en"):
            (tmp_path / name).write_text("The cat sat on the mat .\n" * blocks * BLOCK, encoding="utf-8")
        tracemalloc.start()
        try:
            streamed(tmp_path, "a.en", metrics=["bleu"])
            most.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert most[1] < 1.1 * most[0]


def test_nothing_is_written_where_something_goes_wrong(folder, tmp_path):
    systems = broken(folder, tmp_path, lambda lines: lines.__setitem__(BLOCK + 9, b"\xff"))
    with pytest.raises(DataError):
        adjudge.score_files(systems, paths(folder, "ref.en"), rows=str(tmp_path / "rows.parquet"))
    assert sorted(os.listdir(tmp_path)) == ["a.en"]
