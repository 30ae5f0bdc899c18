"""Who was done: the first verdict stands, in a back-up too, and says nobody's name once somebody is forgotten."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.campaigns.store import backup, campaigns, completions, people, upkeep
from adjudge.campaigns.store.completions import Completion
from helpers import stored


@pytest.fixture
def crowd(store):
    return campaigns.add(store, *stored.crowd())


@pytest.fixture
def worker(store, crowd):
    return people.find_or_add_visitor(store, crowd, "crowd", "worker-1", "W1")


def test_the_first_verdict_stands(store, crowd, worker):
    asked = []

    def judge(message):
        asked.append(message)
        return message

    assert completions.first_verdict(store, crowd, worker, "hit-0001-2", lambda: judge(False)) is False
    assert completions.first_verdict(store, crowd, worker, "hit-0001", lambda: judge(True)) is False
    assert completions.first_verdict(store, crowd, worker, "hit-0002", lambda: judge(True)) is True
    assert asked == [False, True]
    assert completions.completions(store, crowd) == [
        Completion("worker-1", "hit-0001", False),
        Completion("worker-1", "hit-0002", True),
    ]


def test_of_two_windows_one_verdict_counts(store, crowd, worker):
    with ThreadPoolExecutor(4) as threads:
        values = [
            threads.submit(
                completions.first_verdict, store, crowd, worker, "hit-0001", lambda n=n: n % 2 == 0
            )
            for n in range(8)
        ]
        assert len({entry.result() for entry in values}) == 1
    assert len(completions.completions(store, crowd)) == 1


def test_it_survives_a_back_up_and_somebody_s_name_does_not(store, crowd, worker, tmp_path):
    completions.first_verdict(store, crowd, worker, "hit-0001", lambda: False)
    backup.save(store, crowd, tmp_path / "a.gz")
    again = backup.restore(store, tmp_path / "a.gz", name="again", links=False)
    assert completions.completions(store, again) == [Completion("worker-1", "hit-0001", False)]
    name = upkeep.forget(store, crowd, "worker-1")
    assert completions.completions(store, crowd) == [Completion(name, "hit-0001", False)]


def test_names_of_hits(store, crowd, worker):
    from adjudge.campaigns.store import next_hit

    number = next_hit.take_hit(store, crowd, worker, "hit-2")
    assert completions.hit_names(store, worker) == {number: "hit-2"}
