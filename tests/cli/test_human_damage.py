"""A database whose bytes were changed by a disk or somebody: a message that says what to do, never a fault of ours."""

import random

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, campaigns, events, people, work
from conftest import at_most
from helpers import stored

COMMANDS = (
    ("status",),
    ("export", "news"),
    ("log", "news"),
    ("links", "news"),
    ("withdraw", "news", "ben"),
    ("add", "news", "--annotator", "eve"),
    ("forget", "news", "anna", "--yes"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a database with a campaign and answers."""
    path = tmp_path_factory.mktemp("damage") / "whole.db"
    store = CampaignStore.open(str(path))
    kept = campaigns.add(store, *stored.made())
    people.renew_links(store, kept)
    anna = people.find(store, kept, "anna")
    for number, step in enumerate(work.outline(store, anna)):
        events.record_answer(store, anna, step.id, key=f"key-{number}", answer={"score": number})
    store.close()
    return path.read_bytes()


def check(run, path, content, commands=COMMANDS):
    """Whether anything was noticed."""
    noticed = False
    for command in commands:
        path.write_bytes(content)
        ended = run("human", *command, "--database", path)
        assert ended.code in (0, 1), (command, ended.err)
        if ended.code == 1 and "is damaged" in ended.err:
            assert "adjudge human restore FILE" in ended.err
            noticed = True
    return noticed


def flipped(whole, draw, bits):
    content = bytearray(whole)
    used = [place for place, byte in enumerate(whole) if byte]
    for place in draw.sample(used, bits):
        content[place] ^= 1 << draw.randrange(8)
    return bytes(content)


def test_flipped_bits(run, tmp_path, whole):
    draw = random.Random(6)
    noticed = [check(run, tmp_path / "a.db", flipped(whole, draw, 20)) for _ in range(8)]
    assert sum(noticed) >= 4


@pytest.mark.slow
def test_flipped_bits_many_times(run, tmp_path, whole):
    draw = random.Random(7)
    for number in range(at_most(300)):
        check(run, tmp_path / "a.db", flipped(whole, draw, (1, 3, 20)[number % 3]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"test_set"', b'"test\xffset"'),  # no UTF-8
        (b'"test_set"', b'"tast_set"'),  # no field of ours
        (b'"test_set":', b'"test_set",'),  # no JSON
        (b'"candidates"', b'"candadates"'),
        (b'"kind":', b'"kine":'),
        (b'"extra"', b'"extrb"'),
    ],
)
def test_texts_that_are_not_as_they_were_written(run, tmp_path, whole, old, new):
    assert old in whole
    assert check(run, tmp_path / "a.db", whole.replace(old, new))


def test_a_database_that_was_cut_short(run, tmp_path, whole):
    assert check(run, tmp_path / "a.db", whole[: len(whole) // 2])


@pytest.mark.parametrize(("size", "message"), [(0, "is empty"), (100, "another file"), (511, "another file")])
def test_hardly_anything_is_left(run, tmp_path, whole, size, message):
    (tmp_path / "a.db").write_bytes(whole[:size])
    ended = run("human", "status", "--database", tmp_path / "a.db")
    assert ended.code == 1
    assert message in ended.err
    assert (tmp_path / "a.db").read_bytes() == whole[:size]


def test_a_name_that_is_empty(run):
    """An unset variable is not a database in memory, which would keep nothing."""
    for given in ("", ":memory:", "sqlite://"):
        for command in (("status",), ("password", "--password", "long enough now")):
            ended = run("human", *command, "--database", given)
            assert ended.code == 2, ended
            assert "name a file" in ended.err


@pytest.mark.parametrize("number", [20_000_000_000, 10_001, -1])
def test_more_annotators_than_anyone_has(run, tmp_path, examples, number):
    import tracemalloc

    text = (
        (examples / "campaign.toml")
        .read_text()
        .replace('[annotators]\nnames = ["anna", "ben", "carla"]\n', "")
    )
    (tmp_path / "c.toml").write_text(f"annotators = {number}\n{text}")
    tracemalloc.start()
    try:
        ended = run("human", "new", tmp_path / "c.toml", "--database", tmp_path / "a.db")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ended.code == 1
    assert "annotators.count: from 1 to 10000 was expected" in ended.err
    assert most < 50e6
