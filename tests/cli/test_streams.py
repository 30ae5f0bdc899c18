"""Streams that are closed, and names that would command a terminal."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import warm

ESCAPE = "\x1b]0;mine\x07\x1b[31m\x9b2J"
CONTROLS = {chr(code) for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}


@pytest.fixture
def closed(tmp_path):
    """Run a command with some of its streams closed; what it says on the others."""

    def call(which, *args, **env):
        # What Python makes of a stream that is closed is seen where it starts only.
        program = [sys.executable, "-m", "adjudge"] if "&-" in which else [str(warm.program())]
        command = [*program, *map(str, args)]
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {which}', "sh", *command],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, **env},
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return call


@pytest.fixture
def scored(examples):
    return [
        "score",
        "--no-cache",
        "-m",
        "bleu",
        "-r",
        examples / "reference.en",
        examples / "systems/neural.en",
    ]


def test_a_closed_stdout_is_told(closed, examples, scored, tmp_path):
    sacrebleu = ("sacrebleu", examples / "reference.en", "-i", examples / "systems/neural.en")
    for args in (scored, ("human", "convert", examples / "judgements.tsv"), sacrebleu, ("--help",)):
        code, _, err = closed(">&-", *args)
        assert (code, err.splitlines()[-1]) == (
            1,
            "adjudge: error: standard output is closed: there is nowhere to write to",
        ), args
    assert closed(">&-", *scored, "-o", "scores.txt")[0] == 0
    assert (tmp_path / "scores.txt").read_text(encoding="utf-8").startswith("System")


def test_a_closed_stdin_is_told(closed, examples):
    reference = examples / "reference.en"
    for args in (("score", "-r", reference, "-"), ("lint", "-r", reference, "-"), ("human", "analyse", "-")):
        code, out, err = closed("<&-", *args)
        assert (code, out) == (2, "")
        assert "standard input (-) is not to be had here; give a file" in err
    code, _, err = closed("<&-", "sacrebleu", reference)
    assert (code, "stdin is closed" in err) == (1, True)


def test_warnings_on_a_closed_stderr_are_not_among_the_results(closed, examples, tmp_path):
    (tmp_path / "empty.en").write_text("\n" * 173)
    args = ("score", "--no-cache", "-f", "json", "-m", "bleu", "-r", examples / "reference.en", "empty.en")
    assert "warning" in closed("", *args)[2]
    for which in ("2>&-", "2>&- <&-"):
        code, out, _ = closed(which, *args)
        assert (code, json.loads(out)["results"][0]["system"]) == (0, "empty")
    assert closed(">&- 2>&- <&-", *args)[0] == 1


def test_links_are_not_changed_where_they_cannot_be_shown(closed, examples, tmp_path):
    assert closed("", "human", "new", examples / "campaign.toml", "-q")[0] == 0
    (name,), hashes = _links(tmp_path)
    for which in (">&-", "> /dev/full"):
        code, _, err = closed(which, "human", "links", name)
        assert code == 1
        assert "standard output is closed" in err or "No space left" in err
        assert _links(tmp_path)[1] == hashes
    assert closed(">&-", "human", "add", name, "--annotator", "somebody")[0] == 1
    assert closed(">&-", "human", "new", examples / "campaign.toml", "-d", "other.db")[0] == 1
    assert not (tmp_path / "other.db").exists()
    assert _links(tmp_path)[1] == hashes
    assert closed("", "human", "links", name)[0] == 0
    assert _links(tmp_path)[1] != hashes


def _links(folder):
    with sqlite3.connect(folder / "adjudge.db") as connection:
        names = [row[0] for row in connection.execute("select name from campaigns")]
        return names, connection.execute("select * from annotators order by id").fetchall()


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_names_do_not_command_a_terminal(run, examples, tmp_path, form):
    system = tmp_path / f"a{ESCAPE}.en"
    system.write_bytes((examples / "systems/neural.en").read_bytes())
    arguments = ("-m", "bleu", "-r", examples / "reference.en", system)
    for ended in (
        run("score", "--no-cache", *arguments, "-f", form),
        run(
            "compare", "--no-cache", "--trials", 99, *arguments, examples / "systems/rulebased.en", "-f", form
        ),
    ):
        assert ended.code == 0
        assert "mine" in ended.out
        assert not CONTROLS & set(ended.out + ended.err)


def test_names_of_a_campaign_do_not_command_a_terminal(run, terminal, examples, tmp_path, monkeypatch):
    text = (examples / "campaign.toml").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("reference.en", "source.pt", "labels.tsv"):
        (tmp_path / name).write_bytes((examples / name).read_bytes())
    (tmp_path / "systems").mkdir()
    for file in (examples / "systems").iterdir():
        (tmp_path / "systems" / file.name).write_bytes(file.read_bytes())
    quoted = "".join(f"\\u{ord(c):04x}" for c in ESCAPE)
    Path("campaign.toml").write_text(text.replace('title = "', f'title = "{quoted}'), encoding="utf-8")
    ended = run("human", "new", "campaign.toml")
    assert ended.code == 0, ended.err
    assert not CONTROLS & set(ended.out + ended.err)
    with sqlite3.connect("adjudge.db") as connection:  # a name that older versions took
        connection.execute("update annotators set name = ? where id = 1", (f"ann{ESCAPE}",))
        (name,) = connection.execute("select name from campaigns").fetchone()
    connection.close()
    for form in ("text", "json", "tsv", "markdown"):
        ended = run("human", "status", "-f", form)
        assert (ended.code, "ann" in ended.out) == (0, True)
        assert not CONTROLS & set(ended.out + ended.err)
    for form in ("text", "json", "tsv"):
        ended = run("human", "links", name, "-f", form)
        assert (ended.code, "ann" in ended.out) == (0, True)
        assert not CONTROLS & set(ended.out + ended.err)
    assert "\x1b]" not in terminal("human", "status")


def test_data_on_a_terminal_and_in_a_pipe(terminal, process, tmp_path):
    judgements = tmp_path / "j.tsv"
    judgements.write_text(f"system\tsegment\tannotator\tscore\na{ESCAPE}\t1\tx\t50\n", encoding="utf-8")
    assert ESCAPE in process("human", "convert", judgements, "-f", "csv").out  # a file stays what it is
    assert not CONTROLS & set(terminal("human", "convert", judgements, "-f", "csv"))


def test_names_that_are_not_utf8(examples, tmp_path):
    system = os.fsencode(tmp_path) + b"/b\xe4r.en"
    Path(os.fsdecode(system)).write_bytes((examples / "systems/neural.en").read_bytes())
    for form in ("text", "json", "latex"):
        for more in ([], [str(examples / "systems/rulebased.en")]):
            command = [str(warm.program()), "sacrebleu", str(examples / "reference.en"), "-f", form]
            done = subprocess.run([*command, "-i", system, *more], capture_output=True, timeout=60)
            assert done.returncode == 0, done.stderr
            assert not more or b"b\\udce4r" in done.stdout


def test_a_database_whose_name_is_not_utf8(examples, tmp_path):
    name = os.fsencode(tmp_path) + b"/b\xe4r.db"
    for *arguments, shown in (("new", str(examples / "campaign.toml"), b"/a/"), ("status", b"Annotator")):
        command = [str(warm.program()), "human", *arguments, "-d", name]
        done = subprocess.run(command, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert shown in done.stdout
    assert os.listdir(os.fsencode(tmp_path)) == [b"b\xe4r.db"]
