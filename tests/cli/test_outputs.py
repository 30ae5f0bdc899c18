"""Nothing that is read is written over: laws over every output of every command, found in the commands themselves."""

import os
import re
import sqlite3
from itertools import combinations
from pathlib import Path

import click
import pytest

import adjudge.cli
from adjudge.cli import _outputs, commands, main

WORDS = {
    "LANG",
    "FORMAT",
    "NAME",
    "LABEL",
    "SYSTEM",
    "N",
    "X",
    "P",
    "K",
    "A B",
    "PAIR",
    "LIST",
    "CHECK",
    "WHICH",
}
WORDS |= {
    "HOW",
    "TEXT",
    "HOST",
    "SITE",
    "HOURS",
    "NAME=PATTERN",
    "FACT=VALUE",
    "THEIRS=OURS",
    "NAME=OTHER",
    "[HIT]...",
}
WORDS |= {"WHAT", "PROPERTY", "X,X,...", "N,N,...", "DEVICE", "LEVEL", "GROUP", "KIND", "COMMAND"}
WORDS |= {"MARGIN", "OLD=NEW", "[ANNOTATOR]...", "PASSWORD", "ANNOTATOR", "BEST,…,WORST", "ENGINE"}
"""Values of options that are no files. Whatever names a file says so in its metavar."""


def all_commands(command=commands, path=()):
    context = click.Context(command)
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(context):
        yield from all_commands(command.get_command(context, name), (*path, name))


def read_by(command):
    """Parameters of a command that name files to be read."""
    for parameter in command.params:
        is_text = isinstance(parameter.type, click.types.StringParamType)
        metavar = (parameter.metavar or parameter.name).upper()
        if is_text and not isinstance(parameter, _outputs._Output) and metavar not in WORDS:
            yield parameter


OUTPUTS = [
    pytest.param(path, command, parameter, id=" ".join((*path, parameter.opts[0])))
    for path, command in all_commands()
    for parameter in command.params
    if isinstance(parameter, _outputs._Output)
]
READ_AND_WRITTEN = [
    pytest.param(*output.values, read, id=f"{output.id} {read.opts[0]}")
    for output in OUTPUTS
    for read in read_by(output.values[1])
    if read.name != "base_url"
]


def call(path, command, *given):
    """Run a command with values for some of its parameters, and something for all others that it needs."""
    values = {parameter.name: value for parameter, value in given}
    words, named = [], []
    for parameter in command.params:
        value = values.get(parameter.name, "something" if parameter.required else None)
        if value is None:
            continue
        if isinstance(parameter, click.Argument):
            words.append(str(value))
        else:
            # A value that may be left out is an option's own only behind =.
            optional = (parameter.metavar or "").startswith("[")
            named += [f"{parameter.opts[0]}={value}"] if optional else [parameter.opts[0], str(value)]
    return main([*path, *named, *words])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_every_option_that_names_an_output_is_guarded():
    unguarded = [
        (*path, *parameter.opts)
        for path, command in all_commands()
        for parameter in command.params
        if {"-o", "--output", "--save"} & set(parameter.opts) and not isinstance(parameter, _outputs._Output)
    ]
    assert not unguarded, "make it with adjudge.cli._outputs.output_option"
    assert len(OUTPUTS) > 15


def test_what_names_a_file_says_so():
    unclear = {
        (*path, parameter.opts[0], metavar)
        for path, command in all_commands()
        if any(isinstance(param, _outputs._Output) for param in command.params)
        for parameter in read_by(command)
        if not _outputs._READ.search(metavar := (parameter.metavar or parameter.name).upper())
    }
    assert not unclear, (
        "a metavar with FILE in it, or a word of WORDS here, so that the guard knows what is read"
    )


def test_commands_write_through_one_place_only():
    """Or else a new command could write over anything, half of it."""
    own_ways = re.compile(
        r"write_text|\.write_bytes|open\((?!\d)[^)]*[\"'][wax]b?\+?[\"']|os\.open\((?!os\.devnull)|mkstemp|NamedTemporary"
    )
    folder = Path(adjudge.cli.__file__).parent
    names = [file.name for file in folder.rglob("*.py") if own_ways.search(file.read_text(encoding="utf-8"))]
    assert names == []


@pytest.mark.parametrize(("path", "command", "output", "read"), READ_AND_WRITTEN)
def test_nothing_that_is_read_is_written_over(path, command, output, read, capsys):
    content = b"not to be lost\n"
    Path("x.json").write_bytes(content)
    os.symlink("x.json", "symbolic.json")
    os.link("x.json", "hard.json")
    for name in ("x.json", "./x.json", Path("x.json").absolute(), "symbolic.json", "hard.json"):
        file = f"metric(file={name})" if read.metavar == "METRIC" else name
        assert call(path, command, (output, "x.json"), (read, file)) == 2
        errors = capsys.readouterr().err
        assert "cannot write x.json: it is" in errors
        assert "choose another name" in errors
        assert Path("x.json").read_bytes() == content
    if read.metavar and "NAME=FILE" not in read.metavar and "SYS" in read.metavar:
        assert call(path, command, (output, "x.json"), (read, "mine=x.json")) == 2
        assert call(path, command, (output, "x.json"), (read, "x.js*")) == 2
    assert Path("x.json").read_bytes() == content


@pytest.mark.parametrize(("path", "command", "output"), OUTPUTS)
@pytest.mark.parametrize("part", ["", "-wal", "-shm", "-journal"])
def test_no_database_is_written_over(path, command, output, part, capsys):
    """Neither that of campaigns nor any other, nor what SQLite keeps beside it."""
    with sqlite3.connect("c.json") as connection:
        connection.execute("create table t (x)")
    connection.close()
    if part:
        Path("c.json" + part).write_bytes(b"recent answers")
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    assert call(path, command, (output, "c.json" + part)) == 2
    assert "a database" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


@pytest.mark.parametrize(("path", "command", "output"), OUTPUTS)
def test_an_ending_that_cannot_be_written_is_refused(path, command, output, capsys):
    if isinstance(output, _outputs.OutputArgument):
        pytest.skip("a back-up is what it is, whatever its name")
    pdf = () if "pdf" in output.holds else ("x.pdf",)
    for name in (*pdf, "x.PNG", "x.xlsx", "x.tsv.gz", "new.db"):
        assert call(path, command, (output, name)) == 2
        assert f"cannot write {name}:" in capsys.readouterr().err
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("path", "command"),
    [
        pytest.param(path, command, id=" ".join(path))
        for path, command in all_commands()
        if sum(isinstance(parameter, _outputs._Output) for parameter in command.params) > 1
    ],
)
def test_no_name_is_written_twice(path, command, capsys):
    outputs = [param for param in command.params if isinstance(param, _outputs._Output)]
    os.mkdir("folder")
    os.symlink("folder", "other")
    ways = [("z", "z"), ("z", "./z"), ("folder/z", "other/z")]
    for first, second in combinations(outputs, 2):
        for entry, other in ways:
            assert call(path, command, (first, entry), (second, other)) == 2
            assert "twice: every output needs a name of its own" in capsys.readouterr().err
    assert sorted(os.listdir()) == ["folder", "other"]


@pytest.mark.parametrize(("path", "command", "output"), OUTPUTS)
def test_places_where_no_file_can_be(path, command, output, capsys):
    places = {"": "is empty", "-": "it stands for stdin", ".": "it is a directory", "no/x": "no directory"}
    for name, why in places.items():
        assert call(path, command, (output, name)) == 2
        assert why in capsys.readouterr().err


@pytest.fixture
def scored(examples):
    return [
        "score",
        "-q",
        "--no-cache",
        "-m",
        "bleu",
        "-r",
        examples / "reference.en",
        examples / "systems/neural.en",
    ]


def test_the_name_says_the_format(run, scored):
    for name, start in {
        "a.json": "{",
        "a.tsv": "system\t",
        "a.md": "| ",
        "a.tex": "%",
        "a.TSV": "system\t",
    }.items():
        assert run(*scored, "-o", name).code == 0
        assert Path(name).read_text(encoding="utf-8").startswith(start), name
    assert run(*scored, "-o", "a.txt").code == run(*scored, "-o", "plain", "-f", "json").code == 0
    assert Path("a.txt").read_text(encoding="utf-8").startswith("System")
    assert Path("plain").read_text(encoding="utf-8").startswith("{")
    ended = run(*scored, "-o", "b.json", "-f", "tsv")
    assert (ended.code, os.path.exists("b.json")) == (2, False)
    assert "cannot write b.json as tsv: by its name it is json" in ended.err


def test_a_database_by_its_url(run, examples):
    assert run("human", "new", examples / "campaign.toml", "-q", "-d", "c.db").code == 0
    before = Path("c.db").read_bytes()
    for command in (("export",), ("log",), ("hits",), ("export", "-f", "pearmut-campaign")):
        for database in (
            "c.db",
            "sqlite:///c.db",
            "sqlite+pysqlite:///c.db",
            f"sqlite:///{Path('c.db').absolute()}",
        ):
            ended = run("human", *command, "-d", database, "-o", "c.db")
            assert (ended.code, "it is the campaigns' database" in ended.err) == (2, True)
    os.mkdir("folder")
    os.symlink("../c.db", "folder/batches.json")
    ended = run("human", "export", "-d", "c.db", "-f", "appraise-campaign", "-o", "folder")
    assert (ended.code, "it is the campaigns' database" in ended.err) == (2, True)
    assert Path("c.db").read_bytes() == before
    assert run("human", "export", "-d", "c.db", "-f", "nonsense", "-o", "x.jsonl").err.startswith(
        "adjudge: error: unknown format"
    )


def test_a_run_is_not_written_over_by_what_reads_it(run, scored):
    assert run(*scored, "--save", "r.json").code == 0
    before = Path("r.json").read_bytes()
    system = scored[-1]
    for arguments in (
        ("verify", "r.json", "-o", "r.json"),
        ("gate", "--against", "r.json", "-o", "r.json", system),
        ("compare", "r.json", system, "-o", "r.json"),
        ("compare", "r.json", system, "--save", "./r.json"),
    ):
        ended = run(*arguments)
        assert (ended.code, "cannot write" in ended.err) == (2, True), arguments
        assert Path("r.json").read_bytes() == before


def test_files_that_a_run_names_are_read_too(run, examples):
    for name in ("reference.en", "systems/neural.en"):
        Path(os.path.basename(name)).write_bytes((examples / name).read_bytes())
    files = ("-r", "reference.en", "neural.en")
    assert run("score", "-q", "--no-cache", "-m", "bleu", *files, "--save", "r.json").code == 0
    before = Path("reference.en").read_bytes()
    for arguments in (("verify", "r.json"), ("gate", "--against", "r.json", "neural.en")):
        ended = run(*arguments, "-o", "reference.en")
        assert (ended.code, "it is an input (reference)" in ended.err) == (2, True)
        assert Path("reference.en").read_bytes() == before


def test_stdin_is_read_too(process, scored):
    Path("sys.en").write_bytes(Path(scored[-1]).read_bytes())
    with open("sys.en", "rb") as file:
        ended = process(*scored[:-1], "-", "-o", "sys.en", stdin=file)
    assert (ended.code, "it is an input" in ended.err) == (2, True)
    assert Path("sys.en").read_bytes() == Path(scored[-1]).read_bytes()


def test_a_full_disk_leaves_what_was_there(run, scored, examples, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    files = ("-q", "-r", examples / "reference.en", examples / "systems/neural.en")
    for name, arguments in {
        "a.txt": scored,
        "a.html": ("xray", "--no-cache", *files),
        "a.jsonl": ("human", "convert", examples / "judgements.tsv", "-q"),
    }.items():
        Path(name).write_bytes(b"old")
        ended = run(*arguments, "-o", name)
        assert (ended.code, f"cannot write {name}: No space left on device" in ended.err) == (1, True)
        assert Path(name).read_bytes() == b"old"
    assert sorted(os.listdir()) == ["a.html", "a.jsonl", "a.txt"]


def test_pipes_and_stdout_still_take_results(new_process, scored, tmp_path):
    plain = new_process(*scored).out
    assert new_process(*scored, "-o", "/dev/stdout").out == plain
    assert new_process(*scored, "-o", "/dev/null").code == 0
    with open("both", "wb") as file:
        assert new_process(*scored, "-o", f"/dev/fd/{file.fileno()}", pass_fds=(file.fileno(),)).code == 0
    assert Path("both").read_text(encoding="utf-8") == plain
