import json
import re
import sys
import time
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import metrics
from adjudge.cli import _workspace, main
from adjudge.cli._options import FORMATS
from adjudge.cli.score import command
from adjudge.comparison import DEFAULT_METRICS
from adjudge.metrics.base import Direction
from conftest import PROJECT

ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def data(tmp_path):
    """A reference and two systems of which one has an empty line."""
    files = {
        "ref.en": "the cat sat on the mat\nit rains\ngood morning to you all\n",
        "good.en": "the cat sat on the mat\nit rains\ngood morning to all of you\n",
        "bad.en": "a cat on mat\n\nmorning\n",
        "runs.run1.en": "the cat sat on the mat\nit rains\ngood day\n",
        "runs.run2.en": "the cat sat on a mat\nit rains\ngood day\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def score(run, data, monkeypatch):
    """`adjudge score -r ref.en` with more arguments, among the data."""
    monkeypatch.chdir(data)
    return lambda *args: run("score", "-r", "ref.en", *args)


def test_default_metrics(score):
    assert score("good.en").out.splitlines()[0].split() == ["System", "BLEU", "↑", "chrF", "↑", "TER", "↓"]


def test_piped_output_is_a_plain_table(score):
    code, out, err = score("-m", "chrf", "-m", "wer", "good.en", "runs.run1.en", "runs.run2.en")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["System", "chrF", "↑", "WER", "↓"]
    assert [line.split("  ")[0] or line.split()[0:2] for line in lines[1:6]] == [
        "good",
        "runs (mean of 2)",
        ["run", "1"],
        ["run", "2"],
        ["sd", "of"],
    ]
    assert lines[7].startswith("chrF  nrefs:1|")
    assert lines[8].startswith("WER   nrefs:1|")
    assert re.fullmatch(r"ref: 3 segments, 1 reference, fingerprint [0-9a-f]{12}", lines[9])
    assert not ANSI.search(out)
    assert "─" not in out
    assert all(line == line.rstrip() for line in lines)


def test_empty_lines_are_scored_and_counted_on_stderr(score):
    loud, quiet = score("-m", "chrf", "bad.en"), score("-m", "chrf", "--quiet", "bad.en")
    assert loud.err == "adjudge: warning: bad: 1 of 3 segments is empty; scored all the same\n"
    assert quiet == (0, loud.out, "")


def test_what_files_leave_out_is_a_warning(run, data, monkeypatch):
    monkeypatch.chdir(data)

    def document(name, mark, *columns):
        segments = "".join(f'<{tag}><seg id="1">a</seg></{tag}>' for tag in columns)
        return f'<doc id="{name}" {mark}>{segments}</doc>'

    proper, suite = document("d", "", "src", "ref"), document("s", 'testsuite="verbs"', "src")
    (data / "set.xml").write_text(f"<dataset>{suite}{proper}</dataset>", encoding="utf-8")
    (data / "two.en").write_text("b\na\n", encoding="utf-8")
    told = (
        "set.xml: left out 1 document (1 segment) of test suites without references: verbs; "
        "the same segments were left out of two.en"
    )
    done = run("score", "-t", "set.xml", "-m", "wer", "two.en")
    assert (done.code, done.err) == (0, f"adjudge: warning: {told}\n")
    assert run("score", "-t", "set.xml", "-m", "wer", "-q", "two.en").err == ""
    result = json.loads(run("score", "-t", "set.xml", "-m", "wer", "-f", "json", "two.en").out)
    assert result["warnings"] == [told]
    assert result["results"][0]["score"] == 0
    assert result["test_set"]["segments"] == 1


@pytest.mark.parametrize(
    "args",
    [["-m", "bleu,chrf"], ["-m", "bleu", "-m", "chrf"], ["-m", "bleu , chrf()"], ["-m", "bleu,chrf,bleu"]],
)
def test_ways_to_ask_for_metrics(score, args):
    assert score(*args, "good.en").out == score("-m", "bleu", "-m", "chrf", "good.en").out


def test_options_in_the_spec_string(score):
    document = json.loads(
        score("-f", "json", "-m", "bleu(tokenize=intl,lowercase=true),chrf++", "good.en").out
    )
    assert [r["metric"] for r in document["results"]] == [
        "bleu(tokenize=intl,lowercase=true)",
        "chrf++",
    ]
    assert "case:lc" in document["results"][0]["signature"]
    assert "tok:intl" in document["results"][0]["signature"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-m", "blue", "good.en"], "unknown metric 'blue'; did you mean 'bleu'? (adjudge score --list)"),
        (
            ["-m", "bleu(tokenise=intl)", "good.en"],
            "unknown option of bleu 'tokenise'; did you mean 'tokenize'?",
        ),
        (["-m", "bleu(tokenize=13b)", "good.en"], "unknown tokenizer '13b'; did you mean '13a'?"),
        (["-m", "bleu(smooth=expo)", "good.en"], "bleu(smooth=expo): must be one of none, floor, add-k, exp"),
        (["-m", "", "good.en"], "cannot read ''"),
        (["-m", "bleu(tokenize=intl", "good.en"], "cannot read 'bleu(tokenize=intl'"),
        (["-f", "jsno", "good.en"], "unknown format 'jsno'; did you mean 'json'?"),
        (["-m", "chrf", "--sort", "bleu", "good.en"], "'bleu' is not one of the metrics scored: chrf"),
        (["-m", "chrf"], "no system output to score: adjudge score -r REFERENCE SYS... (- is stdin)"),
        (["-m", "chrf", "-o", "no/such/x", "good.en"], "cannot write no/such/x: there is no directory "),
        (["-m", "chrf", "-o", ".", "good.en"], "cannot write .: it is a directory"),
        (["-m", "chrf", "--input-format", "tvs", "good.en"], "unknown "),
    ],
)
def test_bad_usage(score, args, message):
    ended = score(*args)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"adjudge: error: {message}")
    assert ended.err.count("\n") == 1


def test_no_reference_is_bad_usage(run, data):
    ended = run("score", "-m", "chrf", data / "good.en")
    assert (ended.code, ended.out) == (2, "")
    assert "-r" in ended.err


def test_bad_data(score, data):
    (data / "short.en").write_text("one line\n")
    ended = score("-m", "chrf", "short.en")
    assert (ended.code, ended.out) == (1, "")
    assert "short.en" in ended.err
    assert "ref.en" in ended.err


def test_several_references_and_names(score, data):
    (data / "same.en").write_bytes((data / "good.en").read_bytes())
    document = json.loads(score("-q", "-m", "bleu", "-r", "good.en", "-f", "json", "mine=same.en").out)
    assert document["test_set"]["references"] == 2
    assert document["results"][0]["system"] == "mine"
    assert document["results"][0]["score"] == pytest.approx(100.0, abs=1e-9)


def test_stdin(process, data):
    ended = process(
        "score",
        "-m",
        "chrf",
        "-f",
        "json",
        "-r",
        data / "ref.en",
        "piped=-",
        input=(data / "ref.en").read_bytes(),
    )
    assert ended.code == 0, ended.err
    (result,) = json.loads(ended.out)["results"]
    assert (result["system"], result["score"]) == ("piped", 100.0)


def test_globs(score):
    document = json.loads(score("-q", "-m", "chrf", "-f", "json", "runs.run*.en").out)
    assert [(r["system"], r["run"]) for r in document["results"]] == [("runs", "1"), ("runs", "2")]


def test_json_shape(score, data):
    """What others build on: fields may be added, never renamed."""
    code, out, _ = score(
        "-f", "json", "-m", "chrf,wer", "--segments", "good.en", "runs.run1.en", "runs.run2.en"
    )
    assert code == 0
    document = json.loads(out)
    assert {"version", "inputs", "test_set", "results"} <= set(document)
    assert {"name", "segments", "references", "fingerprint"} <= set(document["test_set"])
    assert [set(item) for item in document["inputs"]] == [{"role", "path", "sha256"}] * 4
    assert [item["role"] for item in document["inputs"]] == ["reference", "system", "system", "system"]
    for result in document["results"]:
        assert {"system", "run", "metric", "score", "signature", "higher_is_better", "segments"} == set(
            result
        )
        assert len(result["segments"]) == document["test_set"]["segments"] == 3
        assert all(isinstance(value, float) for value in [result["score"], *result["segments"]])
    assert [(m["system"], m["metric"], m["runs"]) for m in document["means"]] == [
        ("runs", "chrf", 2),
        ("runs", "wer", 2),
    ]
    plain = json.loads(score("-f", "json", "-m", "chrf", "good.en").out)
    assert "segments" not in plain["results"][0]


def test_segments(score):
    tsv = score("-m", "chrf,wer", "--segments", "-f", "tsv", "good.en", "-q", "bad.en").out.splitlines()
    assert tsv[0].split("\t") == ["segment", "good:chrf", "good:wer", "bad:chrf", "bad:wer"]
    assert [line.split("\t")[0] for line in tsv[1:]] == ["1", "2", "3"]
    document = json.loads(score("-m", "chrf,wer", "--segments", "-f", "json", "-q", "good.en", "bad.en").out)
    columns = list(zip(*([float(cell) for cell in line.split("\t")[1:]] for line in tsv[1:]), strict=True))
    assert [list(column) for column in columns] == [r["segments"] for r in document["results"]]
    text = score("-m", "chrf,wer", "--segments", "good.en", "-q", "bad.en").out.splitlines()
    assert text[0].split()[:2] == ["Segment", "System"]
    assert [line.split()[:2] for line in text[1:7]] == [
        [str(i), s] for i in (1, 2, 3) for s in ("good", "bad")
    ]


def test_sort_and_given_order(score):
    def order(*args):
        lines = score("-q", "-m", "chrf,wer", *args, "bad.en", "good.en", "runs.run1.en", "runs.run2.en").out
        return [
            line.split()[0] for line in lines.splitlines()[1:8] if line.startswith(("bad", "good", "runs"))
        ]

    assert order() == ["bad", "good", "runs"]
    assert order("--sort", "chrf") == ["good", "runs", "bad"]
    assert order("--sort", "WER") == ["good", "runs", "bad"]


def test_a_metric_without_a_better_direction(score):
    out = score("-m", "length-ratio", "good.en").out
    assert not {"↑", "↓"} & set(out)
    assert (
        json.loads(score("-m", "length-ratio", "-f", "json", "good.en").out)["results"][0]["higher_is_better"]
        is None
    )
    assert score("-m", "length-ratio", "--sort", "length-ratio", "good.en").code == 2


def test_decimals(score):
    assert re.search(r"good +\d+\.\d{4}\n", score("-m", "chrf", "-w", "4", "good.en").out)
    assert re.search(r"good +\d+\n", score("-m", "chrf", "--decimals", "0", "good.en").out)


@pytest.mark.parametrize("form", FORMATS)
def test_output_file_holds_what_stdout_would(score, data, form):
    shown = score("-m", "chrf", "-f", form, "good.en").out
    ended = score("-m", "chrf", "-f", form, "-o", "out.txt", "good.en")
    assert ended == (0, "", "")
    assert (data / "out.txt").read_bytes().decode() == shown


def test_threads_change_nothing(score):
    assert score("-m", "bleu", "--threads", "1", "good.en") == score(
        "-m", "bleu", "--threads", "2", "good.en"
    )


def test_list_has_every_metric_option_and_preset(run):
    code, out, err = run("score", "--list")
    assert (code, err) == (0, "")
    for name, kind in metrics.registry().items():
        arrow = {Direction.NEITHER: "", Direction.HIGHER: " ↑", Direction.LOWER: " ↓"}[kind.direction]
        assert f"\n{name}  {kind.title}{arrow}  {kind.summary}\n" in f"\n{out}"
        assert all(preset in out for preset in kind.presets)
    assert re.search(r"smooth: none\|floor\|\S+ = exp", out)
    assert "smooth_value: float or none = none" in out
    assert "lowercase: bool = false" in out


def test_list_in_other_formats(run):
    document = json.loads(run("score", "--list", "-f", "json").out)
    assert [m["name"] for m in document["metrics"]] == sorted(metrics.registry())
    bleu = next(m for m in document["metrics"] if m["name"] == "bleu")
    assert bleu["scale"] == [0.0, 100.0]
    assert bleu["needs"] == ["references"]
    presets = {preset: spec for m in document["metrics"] for preset, spec in m["presets"].items()}
    assert "bleu+1" in presets
    for preset, spec in presets.items():
        assert metrics.metric(preset) == metrics.metric(spec)
    options = {option["name"]: option for option in bleu["options"]}
    assert {"none", "floor"} < set(options["smooth"].pop("choices"))
    assert options["smooth"] == {"name": "smooth", "type": "str", "default": "exp", "optional": False}
    assert options["smooth_value"]["optional"]
    assert "13a" in document["tokenizers"]
    names = [line.split("\t")[0] for line in run("score", "--list", "-f", "tsv").out.splitlines()]
    assert names[0] == "name"
    assert sorted(names[1:]) == metrics.names()
    assert "| bleu | BLEU ↑ |" in run("score", "--list", "-f", "markdown").out
    assert "\\begin{tabular}" in run("score", "--list", "-f", "latex").out


def test_list_of_one_metric(run):
    out = run("score", "--list", "-m", "chrf").out
    assert out.startswith("chrf ")
    assert "bleu" not in out
    assert run("score", "--list", "-m", "chr").code == 2


def test_every_option_is_documented(run):
    documentation = (PROJECT / "docs" / "score.md").read_text(encoding="utf-8")
    shown = run("score", "--help").out
    for parameter in command.params:
        for name in (*parameter.opts, *parameter.secondary_opts):
            if name.startswith("-"):
                assert f"`{name}" in documentation, f"{name} is not in docs/score.md"
                assert re.search(rf"(?<![\w-]){name}\b", shown)


def test_every_format_and_default_metric_is_documented():
    documentation = (PROJECT / "docs" / "score.md").read_text(encoding="utf-8")
    for name in (*FORMATS, *DEFAULT_METRICS):
        assert f"`{name}`" in documentation, f"{name} is not in docs/score.md"


def test_colours_mean_something(terminal, data):
    args = ["score", "-q", "-m", "chrf", "-r", data / "ref.en", data / "good.en", data / "bad.en"]
    shown = terminal(*args)
    good, bad = (
        next(line for line in shown.splitlines() if line.startswith(name)) for name in ("good", "bad")
    )
    assert re.search(r"\x1b\[1;32m\d", good)
    assert "\x1b" not in bad
    assert "───" in shown
    assert "\x1b" not in terminal(*args, NO_COLOR="1")
    assert "\x1b" not in terminal(*args, TERM="dumb")
    assert ANSI.sub("", shown) == terminal(*args, NO_COLOR="1")


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_many_systems_and_metrics_on_a_terminal(terminal, data, columns):
    names = [
        f"a-rather-long-name-of-a-system-with-back-translation-{i}={data / 'good.en'}" for i in range(12)
    ]
    shown = terminal(
        "score", "-m", "bleu,chrf,chrf++,wer,per,bleu(tokenize=intl,lowercase=true)", "-r", data / "ref.en",
        *names, columns=columns,
    )  # fmt: skip
    table = ANSI.sub("", shown).partition("\nBLEU  ")[0].splitlines()
    assert max(map(len, table)) <= columns
    assert len([line for line in table if line.startswith("a-")]) % 12 == 0


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_appears_late_and_leaves_nothing_behind(monkeypatch):
    monkeypatch.setattr(_workspace, "PATIENCE", 0.05)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with _workspace.progress(quiet=False) as report:
        assert report is not None
        report("chrF of good", 0, 2)
        assert screen.getvalue() == ""
        deadline = time.monotonic() + 10
        while "chrF of good" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.02)
        report("chrF of bad", 1, 2)
    assert "chrF of good" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")


def test_no_progress_for_short_work_quiet_work_or_files(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with _workspace.progress(quiet=True) as report:
        assert report is None
    with _workspace.progress(quiet=False) as report:
        assert report is not None
        report("x", 0, 1)
    assert screen.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", StringIO())
    with _workspace.progress(quiet=False) as report:
        assert report is None


WORDS = """
    -r -s -t -L -l -m -f -o -w -q --segments --list --sort --threads --input-format -- -x -h --version
    ref.en good.en bad.en labels.tsv latin.en runs.run1.en *.en ref.en:x a=good.en =good.en x= [ . é
    bleu chrf++ bleu(tokenize=spm:ref.en) bleu(max_order=0) bleu( ) , nist length-ratio
    json tsv latex markdown text jsonl xml tmx mtme 0 1 -1 nan en-de
"""
PIECES = [*WORDS.split(), "", " ", "\udcff"]


@given(st.lists(st.sampled_from(PIECES), max_size=9))
@settings(max_examples=150)
def test_no_arguments_end_in_a_fault(args):
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()) as err,
    ):
        Path("ref.en").write_text("one two\nthree four\n")
        Path("good.en").write_text("one two\nthree four\n")
        Path("bad.en").write_text("two\n\n")
        Path("runs.run1.en").write_text("a\nb\n")
        Path("latin.en").write_bytes(b"caf\xe9\n\n")
        Path("labels.tsv").write_text("document\tdomain\na\tnews\nb\tnews\n")
        code = main(["score", "-m", "chrf", "-r", "ref.en", *args])
    assert code in (0, 1, 2), err.getvalue()
    assert (code == 0) == ("adjudge: error: " not in err.getvalue())


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["-m", "bleu", "chrf", "good.en"], 2, "chrf is a metric, but a file was expected; -m for each: "),
        (["-w", "x", "good.en"], 2, "'x' is not a valid whole number (adjudge score --help)"),
        (["good.en", "-r"], 2, "option '-r' requires an argument (adjudge score --help)"),
        (["good.en", "good.en"], 2, "good.en is given 2 times as a system; once is enough"),
        (["mine="], 2, "'mine=': a name, but no file; write NAME=FILE"),
        (["utf16.en"], 1, "this looks like UTF-16: iconv -f UTF-16LE -t UTF-8 utf16.en"),
        (
            ["binary.en"],
            1,
            "binary.en, line 1, byte 2: a NUL character; UTF-8 text was expected, is this a text ",
        ),
        (["latin.en"], 1, "not UTF-8 (0xe4); convert the file: iconv -f ITS-ENCODING -t UTF-8 latin.en"),
        (["-t", "all.tsv:mtt"], 2, "all.tsv:mtt: only a language pair (en-de) can stand behind a test set; "),
    ],
)
def test_what_newcomers_do(score, data, args, code, message):
    (data / "utf16.en").write_bytes("line\n".encode("utf-16-le"))
    (data / "binary.en").write_bytes(bytes([1, 0, 0, 9, 0, 3, 2, 7, 0, 0]))
    (data / "latin.en").write_bytes("Bär\n".encode("latin-1"))
    (data / "all.tsv").write_text("src\tref\tmt\n" + 3 * "a\tb\tc\n", encoding="utf-8")
    ended = score(*args)
    assert ended.code == code
    assert message in ended.err


def test_a_test_set_without_reference_or_source_shows_how_to_name_columns(run, tmp_path):
    file = tmp_path / "x.tsv"
    file.write_text("one\ttwo\na\tb\n", encoding="utf-8")
    ended = run("score", "-t", file)
    assert ended.code == 2
    assert f"but one, two; say which one is meant: -r {file}:REFERENCE {file}:OUTPUT" in ended.err


def test_empty_stdin_is_called_by_its_name(process, data):
    ended = process("score", "-r", data / "ref.en", "-", input=b"")
    assert ended.err == "adjudge: error: standard input is empty: no segment in it\n"
    ended = process("score", "-r", data / "ref.en", "-", input=b"one line\n")
    assert "but standard input has 1; they must be the same segments" in ended.err


def test_the_same_reference_twice_is_a_warning(score):
    ended = score("-m", "bleu", "-r", "ref.en", "good.en")
    assert ended.err == "adjudge: warning: references 1 and 2 are the same, yet count as two\n"


def test_a_place_without_permission_is_told_before_the_work(score, data, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write anywhere
    ended = score("-o", "out.txt", "good.en")
    assert (ended.code, ended.out) == (2, "")
    assert "cannot write out.txt: no permission" in ended.err


def test_a_test_set_without_outputs_needs_systems(run, data):
    (data / "set.tsv").write_text("src\tref\na\tb\n", encoding="utf-8")
    ended = run("score", "-t", data / "set.tsv")
    assert (ended.code, ended.err) == (
        2,
        f"adjudge: error: {data / 'set.tsv'} holds no system output to score: -t FILE SYS...\n",
    )
