"""Many annotators at once: all that is acknowledged is kept, and counts once (`bench/campaign_load.py` plays them)."""

import pytest

from conftest import PROJECT, at_most, benchmark_module

pytest.importorskip("uvicorn")
load = benchmark_module("campaign_load").load


def check(held):
    assert held.errors == ()
    assert (held.lost, held.double) == (0, 0)


def test_nothing_is_lost_or_counted_twice(database):
    held = load(database, count=20, seconds=1.5, every=0.3)
    check(held)
    assert held.answers >= 20


def minute(url):
    """Two hundred people who save an answer every three seconds; how fast it was is written down, not asserted."""
    held = load(url, count=200, seconds=60, every=3)
    report = PROJECT / "build" / f"load-{held.database.partition('+')[0]}.json"
    report.parent.mkdir(exist_ok=True)
    report.write_text(held.report())
    print(held.report())
    check(held)
    assert held.answers >= 200


@pytest.mark.slow
def test_two_hundred_annotators_for_a_minute_sqlite(tmp_path):
    minute(f"sqlite:///{tmp_path}/adjudge.db")


@pytest.mark.slow
def test_two_hundred_annotators_for_a_minute_postgresql(durable):
    minute(durable.database())


def killed(url):
    """In the middle of writes, fifty times; annotators send again what was not acknowledged."""
    times = at_most(50)
    held = load(url, count=20, seconds=0, every=0.2, kills=times)
    print(held.report())
    check(held)
    assert held.answers >= 3 * times
    assert held.lost_connections > 0


@pytest.mark.slow
def test_a_server_that_is_killed_fifty_times_sqlite(tmp_path):
    killed(f"sqlite:///{tmp_path}/adjudge.db")


@pytest.mark.slow
def test_a_server_that_is_killed_fifty_times_postgresql(durable):
    killed(durable.database())
