"""An organiser beside a live server: nothing that was acknowledged is lost (`bench/beside.py` plays it)."""

import signal

import pytest

from adjudge.cli import commands
from conftest import PROJECT, benchmark_module

pytest.importorskip("uvicorn")
beside = benchmark_module("beside")
HUMAN = commands.get_command(None, "human")


def check(result):
    assert "\n".join(result.wrong) == ""
    assert result.lost == 0
    assert result.acknowledged >= 5 * len(result.done)
    assert set(result.done) >= {*HUMAN.list_commands(None), beside.PAGE}


def test_every_command_is_played(tmp_path):
    """A command that is new must be run beside a server too: write down there how it is called."""
    played = {step[0] for step in beside.steps(tmp_path, 1)}
    assert played == set(HUMAN.list_commands(None))


def test_every_command_beside_a_live_server(database, tmp_path):
    """Over SQLite with so many answers that the organiser's page has a process of its own look at them."""
    in_file = database.startswith("sqlite:")
    ending = signal.SIGKILL if in_file else signal.SIGTERM
    check(beside.beside(database, tmp_path, ending, apart=False, busy=in_file, every=0.4))


def play(url, folder, title, ending):
    """A round with every command a process of its own; what happened is written down."""
    result = beside.beside(url, folder, ending)
    text = "\n".join([f"{title}, {ending.name}", *result.log, *result.wrong, ""])
    (PROJECT / "build").mkdir(exist_ok=True)
    (PROJECT / "build" / f"beside-{title}-{ending.name}.log").write_text(text)
    print(text)
    check(result)


each_end = pytest.mark.parametrize("ending", beside.ENDS, ids=lambda entry: entry.name)
"""A round takes a minute or two where the machine has nothing else to do: `-k SIGKILL` plays one of them."""


@pytest.mark.slow
@each_end
def test_every_command_and_every_end_sqlite(tmp_path, ending):
    play(f"sqlite:///{tmp_path}/news.db", tmp_path, "sqlite", ending)


@pytest.mark.slow
@each_end
def test_every_command_and_every_end_postgresql(durable, tmp_path, ending):
    play(durable.database(), tmp_path, "postgresql", ending)
