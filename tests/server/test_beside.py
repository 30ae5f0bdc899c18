"""An organiser beside a live server: nothing that was acknowledged is lost (`bench/beside.py` plays it)."""

import signal

import pytest

from adjudge.cli.human import command as human
from conftest import PROJECT, benchmark_module

pytest.importorskip("uvicorn")
beside = benchmark_module("beside")


def check(found):
    assert "\n".join(found.wrong) == ""
    assert found.lost == 0
    assert found.acknowledged >= 5 * len(found.done)
    assert set(found.done) >= {*human.list_commands(None), beside.PAGE}


def test_every_command_is_played(tmp_path):
    """A command that is new must be run beside a server too: write down there how it is called."""
    played = {step[0] for step in beside.steps(tmp_path, 1)}
    assert played == set(human.list_commands(None))


def test_every_command_beside_a_live_server(database, tmp_path):
    ending = signal.SIGKILL if database.startswith("sqlite:") else signal.SIGTERM
    check(beside.beside(database, tmp_path, ending, apart=False, every=0.1))


def rounds(url, folder, title):
    """Every command a process of its own, each way to end; what happened is written down."""
    (PROJECT / "build").mkdir(exist_ok=True)
    log = PROJECT / "build" / f"beside-{title}.log"
    log.write_text("")
    for number, ending in enumerate(beside.ENDS):
        (folder / str(number)).mkdir()
        address = url(number)
        found = beside.beside(address, folder / str(number), ending)
        text = "\n".join([f"{title}, {ending.name}", *found.log, *found.wrong, ""])
        with log.open("a") as file:
            file.write(text)
        print(text)
        check(found)


@pytest.mark.slow
def test_every_command_and_every_end_sqlite(tmp_path):
    rounds(lambda number: f"sqlite:///{tmp_path}/news-{number}.db", tmp_path, "sqlite")


@pytest.mark.slow
def test_every_command_and_every_end_postgresql(durable, tmp_path):
    rounds(lambda number: durable.database(), tmp_path, "postgresql")
