"""Back-ups that are damaged, cut short or made by hand are refused, and nothing is written over."""

import gzip
import hashlib
import json
import zlib

import pytest

from adjudge.campaigns.store import CampaignStore, StoreError, backup, campaigns, events, people, work
from helpers import stored


def test_under_another_name_beside_the_first(store, kept, anna, tmp_path):
    links = people.renew_links(store, kept)
    path = tmp_path / "news.backup"
    backup.save(store, kept, path)
    with pytest.raises(StoreError, match=r"line 11: annotator: the link of 'anna' leads to another campaign"):
        backup.restore(store, path, name="copy")
    assert [campaign.name for campaign in campaigns.all_campaigns(store)] == ["news"]
    copy = backup.restore(store, path, name="copy", links=False)
    assert (copy.name, copy.campaign.name) == ("copy", "copy")
    assert people.annotator_by_token(store, links["anna"]) == people.find(store, kept, "anna")
    assert campaigns.hits(store, copy) == campaigns.hits(store, kept)
    for name in (" ", "x" * 201, "a\0"):
        with pytest.raises(StoreError, match=r"^name: "):
            backup.restore(store, path, name=name, links=False)


@pytest.fixture
def small(tmp_path):
    """A back-up, and a database to restore it into."""
    store = CampaignStore.open(f"sqlite:///{tmp_path}/small.db")
    kept = campaigns.add(store, *stored.made())
    anna = people.find(store, kept, "anna")
    for step in work.outline(store, anna):
        events.record_answer(store, anna, step.id, key=f"k{step.id}", answer={"score": 1})
    backup.save(store, kept, tmp_path / "whole")
    store.close()
    empty = CampaignStore.open(f"sqlite:///{tmp_path}/empty.db")
    yield empty, tmp_path / "whole"
    assert campaigns.all_campaigns(empty) == []
    backup.restore(empty, tmp_path / "whole")
    empty.close()


def test_a_file_that_was_cut_short_anywhere(small):
    empty, whole = small
    content = whole.read_bytes()
    cut = whole.with_name("cut")
    for length in range(0, len(content), max(1, len(content) // 60)):
        cut.write_bytes(content[:length])
        with pytest.raises(
            StoreError, match=r"cut( is cut short| is not whole|, line 1: no row of a back-up)"
        ):
            backup.restore(empty, cut)


def test_a_file_with_a_byte_changed_anywhere(small):
    empty, whole = small
    content = whole.read_bytes()
    changed = whole.with_name("changed")
    tried = 0
    for place in range(10, len(content), max(1, len(content) // 60)):
        damaged = content[:place] + bytes([content[place] ^ 0x20]) + content[place + 1 :]
        if unpacked(damaged) == unpacked(content):
            continue  # deflate fills its last byte with bits that mean nothing
        tried += 1
        changed.write_bytes(damaged)
        with pytest.raises(StoreError, match="changed"):
            backup.restore(empty, changed)
    assert tried >= 55


def unpacked(content):
    """What a gzip file holds, or None where it is broken."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return None


def rewritten(whole, change, *, honest=True):
    """The same file after a change of its lines, with a right or a wrong end."""
    lines = change(gzip.decompress(whole.read_bytes()).splitlines(keepends=True)[:-1])
    counts = {part: sum(f'"part":"{part}"'.encode() in line[:30] for line in lines) for part in backup.PARTS}
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    end = json.dumps({"part": "end", "counts": counts, "sha256": digest if honest else "0" * 64})
    path = whole.with_name("rewritten")
    path.write_bytes(gzip.compress(b"".join(lines) + end.encode() + b"\n"))
    return path


def test_lines_that_are_missing_or_doubled(small):
    empty, whole = small
    for change in (
        lambda lines: lines[:-1],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [*lines[:1], *lines[:0:-1]],
    ):
        content = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
        path = whole.with_name("rewritten")
        path.write_bytes(gzip.compress(b"".join([*change(content[:-1]), content[-1]])))
        with pytest.raises(StoreError, match="is not whole: what it holds is not what was written"):
            backup.restore(empty, path)
    path.write_bytes(gzip.compress(b"".join([*content, content[1]])))
    with pytest.raises(StoreError, match="something follows the end"):
        backup.restore(empty, path)
    with pytest.raises(StoreError, match="what it holds is not what was written"):
        backup.restore(empty, rewritten(whole, lambda lines: lines, honest=False))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"version":1', b'"version":2', "was written by another adjudge"),
        (b'"format":"adjudge campaign"', b'"format":"something"', "is no back-up of a campaign"),
        (b'"made":', b'"mode":', "line 1: no row of a back-up"),
        (b'"status":"running"', b'"status":7', "line 2: campaign: status is 7"),
        (b'"protocol":"da"', b'"protocol":"dada"', "line 2: campaign: protocol: unknown protocol 'dada'"),
        (b'"number":3', b'"number":"3"', "line 6: segment: number is '3'"),
        (b'"system":"one"', b'"sistem":"one"', "its fields are not as adjudge writes them .sistem, system."),
        (b'"name":"anna","kind"', b'"name":"hanna","kind"', "hit: there is no 'anna'"),
        (
            b'"name":"anna","kind"',
            b'"name":"' + b"a" * 201 + b'","kind"',
            "annotator: name has 201 characters",
        ),
        (b'"kind":"ordinary"', b'"kind":"odd"', "item: item 'one-0': unknown kind 'odd'"),
        (b'"items":["one-0"', b'"items":["nothing"', "there is no 'nothing'"),
        (b'"place":0,"key"', b'"place":70,"key"', "event: there is no"),
        (b'"kind":"answer"', b'"kind":"opinion"', "event: unknown kind 'opinion'"),
        (b'"received":', b'"received":null,"recieved":', "event: its fields are not"),
        (b'"part":"segment"', b'"part":"sediment"', "unknown kind of row 'sediment'"),
        (b'"source":"Bom dia."', b'"source":"\\u0000"', "segment.source: character 1 is NUL"),
    ],
)
def test_a_file_that_somebody_wrote_by_hand(small, old, new, message):
    empty, whole = small

    def change(lines):
        place = next(place for place, line in enumerate(lines) if old in line)
        return [*lines[:place], lines[place].replace(old, new, 1), *lines[place + 1 :]]

    with pytest.raises(StoreError, match=message):
        backup.restore(empty, rewritten(whole, change))


@pytest.mark.parametrize("content", [b"", b"plain text\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_another_file(small, content, packed):
    empty, whole = small
    path = whole.with_name("another")
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(StoreError, match="another"):
        backup.restore(empty, path)
