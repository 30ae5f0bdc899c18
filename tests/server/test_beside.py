"""An organiser beside a live server: nothing that was acknowledged is lost (`bench/beside.py` plays it)."""

import signal

import pytest

from adjudge.cli.human import command as human
from conftest import PROJECT, benchmark_module

pytest.importorskip("uvicorn")
beside = benchmark_module("beside")


def check(found, *, whole=True):
    assert found.wrong == ()
    assert found.lost == 0
    assert found.acknowledged >= 5 * len(found.done)
    if whole:
        assert set(found.done) >= {*human.list_commands(None), beside.PAGE}


def test_every_command_is_played(tmp_path):
    """A command that is new must be run beside a server too: write down there how it is called."""
    played = {step[0] for step in beside.steps(tmp_path, 1)}
    assert played == set(human.list_commands(None))


def test_every_command_beside_a_live_server(database, tmp_path):
    check(beside.beside(database, tmp_path, signal.SIGKILL, apart=False))


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_end_closes_its_store(sqlite, tmp_path, monkeypatch, ending):
    monkeypatch.setattr(
        beside, "steps", lambda folder, port: [("status",), ("pause", "news"), ("resume", "news")]
    )
    check(beside.beside(sqlite, tmp_path, ending, apart=False, busy=False), whole=False)


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
