"""adjudge lint from the outside: options, formats, exit codes."""

import json

import pytest

from adjudge.checks import checks


@pytest.fixture
def files(examples):
    return ["-r", examples / "reference.en", "-s", examples / "source.pt", "--skip", "language"]


@pytest.fixture
def shifted(examples, tmp_path):
    lines = (examples / "systems" / "neural.en").read_text(encoding="utf-8").splitlines(keepends=True)
    path = tmp_path / "shifted.en"
    path.write_text("".join([*lines[:80], *lines[81:], "The end.\n"]), encoding="utf-8")
    return path


def test_nothing_found(run, examples):
    files = ["-r", examples / "reference-b.en", "--skip", "language,numbers", examples / "reference.en"]
    ended = run("lint", "--strict", *files)
    assert ended.code == 0
    assert ended.out == "nothing found: 1 output and 1 reference of 173 segments look sound\n"
    assert json.loads(run("lint", "-f", "json", *files).out)["findings"] == []


def test_a_shift_is_told_with_place_and_advice(run, files, shifted):
    ended = run("lint", *files, shifted)
    assert ended.code == 0
    assert ended.err == ""
    first = ended.out.splitlines()[0]
    assert first.startswith("error")
    assert "order" in first
    assert "shifted is shifted by 1 line from line 81 on" in first
    assert "→ Scores of such a file mean nothing." in ended.out
    assert ended.out.splitlines()[-1].startswith("1 error in 1 output")


def test_strict(run, files, shifted, examples):
    assert run("lint", "--strict", *files, shifted).code == 1
    assert run("lint", "--strict", *files, examples / "systems" / "neural.en").code == 0
    assert run("lint", "--strict", "--skip", "order", *files, shifted).code == 0


def test_different_counts_are_told_not_refused(run, files, examples, tmp_path):
    lines = (examples / "systems" / "neural.en").read_text(encoding="utf-8").splitlines(keepends=True)
    short = tmp_path / "short.en"
    short.write_text("".join(lines[:99] + lines[100:]), encoding="utf-8")
    assert run("score", "-r", examples / "reference.en", short).code == 1
    ended = run("lint", "--strict", *files, short)
    assert ended.code == 1
    assert "line 100 is missing" in " ".join(ended.out.split())


def test_json(run, files, shifted):
    document = json.loads(run("lint", "-f", "json", *files, shifted).out)
    assert list(document) == ["version", "inputs", "findings", "summary"]
    assert {item["role"] for item in document["inputs"]} == {"reference", "source", "system"}
    finding = document["findings"][0]
    assert list(finding) == [
        "severity",
        "check",
        "file",
        "system",
        "lines",
        "count",
        "share",
        "message",
        "example",
        "advice",
    ]
    assert finding["system"] == "shifted"
    assert finding["file"] == str(shifted)
    assert finding["lines"][0] == 81
    assert document["summary"]["errors"] == 1
    assert sum(document["summary"].values()) == len(document["findings"])


def test_tsv_and_markdown(run, files, shifted):
    tsv = run("lint", "-f", "tsv", *files, shifted).out.splitlines()
    assert tsv[0].split("\t")[0] == "severity"
    assert len({line.count("\t") for line in tsv}) == 1
    markdown = run("lint", "-f", "markdown", *files, shifted).out
    assert markdown.startswith("| Severity | Check |")
    assert "| **error** | order |" in markdown


def test_formats_are_checked(run, files, shifted):
    ended = run("lint", "-f", "latex", *files, shifted)
    assert ended.code == 2
    assert "unknown format 'latex'" in ended.err


def test_to_a_file(run, files, shifted, tmp_path):
    assert run("lint", "-o", tmp_path / "found.txt", *files, shifted).out == ""
    assert "shifted by 1 line" in (tmp_path / "found.txt").read_text(encoding="utf-8")


def test_quiet_leaves_out_notes(run, examples):
    everything = [
        "lint",
        "-r",
        examples / "reference.en",
        "--skip",
        "language",
        *sorted((examples / "systems").iterdir()),
    ]
    assert "note  " in run(*everything).out
    assert "note  " not in run(*everything, "-q").out


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown"])
def test_the_list_has_every_check(run, form):
    ended = run("lint", "--list", "-f", form)
    assert ended.code == 0
    for name in checks():
        assert name in ended.out


def test_nothing_given(run):
    ended = run("lint")
    assert ended.code == 2
    assert "no files to look at" in ended.err


def test_unknown_checks(run, shifted):
    ended = run("lint", "--skip", "oder", shifted)
    assert ended.code == 2
    assert "did you mean 'order'" in ended.err


def test_standard_input(process, examples, shifted):
    ended = process(
        "lint", "-r", examples / "reference.en", "--skip", "language", "mine=-", input=shifted.read_bytes()
    )
    assert "mine is shifted by 1 line" in ended.out


def test_colours_by_severity(terminal, examples, shifted):
    shown = terminal("lint", "-r", examples / "reference.en", "--skip", "language", shifted)
    assert "\x1b[1;31merror" in shown
    assert max(len(line) for line in terminal("lint", shifted, columns=60, NO_COLOR="1").splitlines()) <= 60


def test_terminals_of_ascii(process, examples, shifted):
    ended = process("lint", "-r", examples / "reference.en", shifted, env={"PYTHONIOENCODING": "ascii"})
    assert ended.code == 0
    assert "> Scores of such a file" in ended.out
