"""A campaign as one file: whole, or refused; restored, the same to the letter."""

import gzip
import hashlib
import json
import zlib

import pytest

from adjudge.campaigns.campaign import load
from adjudge.campaigns.export import ExportOptions, export_judgements
from adjudge.campaigns.store import (
    Store,
    StoreError,
    answers,
    backup,
    campaigns,
    events,
    journal,
    people,
    restore,
    upkeep,
    work,
)
from adjudge.campaigns.store.progress import campaign_progress
from helpers import stored


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request, tmp_path):
    """Another database, of either kind."""
    url = f"sqlite:///{tmp_path}/other.db"
    opened = Store.open(
        url if request.param == "sqlite" else request.getfixturevalue("postgresql").clean("second")
    )
    yield opened
    opened.close()


@pytest.fixture
def lived(store, kept, anna, ben):
    """A campaign in which everything has happened."""
    for number, step in enumerate(work.outline(store, anna)):
        events.record_answer(
            store,
            anna,
            step.id,
            key=f"k{number}",
            answer={"score": number},
            seconds=number / 3,
            started=0.1 + number,
        )
    first, second = (step.id for step in work.outline(store, anna)[:2])
    events.record_answer(store, anna, first, key="again", answer={"score": 99})
    events.record_answer(store, anna, second, key="undo", kind="undo")
    events.record_answer(
        store, ben, work.outline(store, ben)[3].id, key="k0", answer={"score": 100, "note": "漢字 😀 \u2028"}
    )
    campaigns.extend(
        store, kept, [stored.Hit("carla-1", stored.items("two"), "carla")], annotators=["carla", "dora"]
    )
    carla = people.find(store, kept, "carla")
    events.record_answer(store, carla, work.outline(store, carla)[0].id, key="k", answer={"score": 5})
    upkeep.withdraw(store, kept, "ben", "asked to")
    upkeep.forget(store, kept, "carla", erase=True)
    people.find_or_add_visitor(store, kept, "crowd", "worker", "A1B2")
    campaigns.extend(store, kept, stored.open_hits(2))
    campaigns.set_status(store, kept, "paused")
    return campaigns.find(store, kept.name)


def seen(store, kept):
    """What anybody can see of a campaign, without the numbers of a database."""
    return {
        "status": (kept.status, kept.created, kept.secret, kept.campaign),
        "material": campaigns.material(store, kept),
        "hits": campaigns.hits(store, kept),
        "people": [
            (p.name, p.kind, p.external, p.withdrawn, p.forgotten) for p in people.annotators(store, kept)
        ],
        "journal": journal.entries(store, kept),
        "progress": answers.annotator_progress(store, kept),
        "standing": campaign_progress(store, kept),
        "history": [action for action in upkeep.history(store, kept) if action.kind != "restored"],
        "answers": [
            (a.annotator, a.hit, a.place, a.item, a.answer, a.seconds, a.started, a.received, a.withdrawn)
            for a in answers.counted_answers(store, kept, withdrawn=True, demo=True)
        ],
    }


def export(store, kept, output_format, pseudonyms=False):
    given = answers.counted_answers(store, kept, withdrawn=True)
    wanted = ExportOptions(output_format, pseudonyms=pseudonyms)
    return export_judgements(kept.campaign, kept.secret, campaigns.material(store, kept), given, wanted).data


def test_a_restored_campaign_is_the_same(store, lived, other, tmp_path):
    links = people.renew_links(store, lived)
    campaigns.add(other, *stored.made("something else"))  # so that numbers differ
    path = tmp_path / "news.backup"
    saved = backup.save(store, lived, path)
    assert saved.counts == {
        "campaign": 1,
        "segment": 6,
        "output": 2,
        "annotator": 5,
        "item": 12,
        "hit": 7,
        "event": 16,
        "action": 7,
    }
    assert backup.check(path) == saved
    kept = restore.restore(other, path)
    assert seen(other, kept) == seen(store, lived)
    for output_format in ("jsonl", "csv"):
        for pseudonyms in (False, True):
            assert export(other, kept, output_format, pseudonyms) == export(
                store, lived, output_format, pseudonyms
            )
    assert upkeep.history(other, kept)[-1].detail == {
        "made": saved.made,
        "sha256": saved.sha256,
        "name": "news",
    }
    assert people.annotator_by_token(other, links["anna"]).name == "anna"
    campaigns.set_status(other, kept, "running")
    anna = people.find(other, kept, "anna")
    events.record_answer(other, anna, work.outline(other, anna)[1].id, key="more", answer={"score": 1})
    assert events.record_answer(
        other, anna, work.outline(other, anna)[0].id, key="again", answer={"score": 99}
    ).again


def test_a_backup_of_a_restored_campaign_is_the_same_backup(store, lived, other, tmp_path, monkeypatch):
    backup.save(store, lived, tmp_path / "first")
    kept = restore.restore(other, tmp_path / "first")
    backup.save(other, kept, tmp_path / "second")

    def rows(name):
        lines = gzip.decompress((tmp_path / name).read_bytes()).splitlines()
        return [
            entry
            for entry in map(json.loads, lines)
            if entry["part"] not in ("head", "end") and entry.get("kind") != "restored"
        ]

    assert rows("first") == rows("second")


def test_the_same_campaign_makes_the_same_file(store, lived, tmp_path, monkeypatch):
    monkeypatch.setattr(backup.time, "time", lambda: 1e9)
    for name in ("one", "two"):
        backup.save(store, lived, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_nothing_is_written_over(store, kept, tmp_path):
    path = tmp_path / "news.backup"
    path.write_text("something dear")
    with pytest.raises(StoreError, match="is there already, and no back-up is written over"):
        backup.save(store, kept, path)
    assert path.read_text() == "something dear"
    path.unlink()
    backup.save(store, kept, path)
    before = seen(store, kept)
    with pytest.raises(StoreError, match="there is a campaign 'news' already, and none is written over"):
        restore.restore(store, path)
    assert seen(store, kept) == before


def test_under_another_name_beside_the_first(store, kept, anna, tmp_path):
    links = people.renew_links(store, kept)
    path = tmp_path / "news.backup"
    backup.save(store, kept, path)
    with pytest.raises(StoreError, match=r"line 11: annotator: the link of 'anna' leads to another campaign"):
        restore.restore(store, path, name="copy")
    assert [campaign.name for campaign in campaigns.all_campaigns(store)] == ["news"]
    copy = restore.restore(store, path, name="copy", links=False)
    assert (copy.name, copy.campaign.name) == ("copy", "copy")
    assert people.annotator_by_token(store, links["anna"]) == people.find(store, kept, "anna")
    assert campaigns.hits(store, copy) == campaigns.hits(store, kept)
    for name in (" ", "x" * 201, "a\0"):
        with pytest.raises(StoreError, match=r"^name: "):
            restore.restore(store, path, name=name, links=False)


def test_only_its_owner_reads_it_and_it_holds_no_password_and_no_session(store, kept, anna, tmp_path):
    people.set_password(store, "correct horse battery")
    token = people.open_session(store, anna)
    path = tmp_path / "news.backup"
    backup.save(store, kept, path)
    assert path.stat().st_mode & 0o777 == 0o600
    content = gzip.decompress(path.read_bytes()).decode()
    assert people.secret_hash(token) not in content
    assert "argon2" not in content


def test_a_folder_that_is_not_there(store, kept, tmp_path):
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        backup.save(store, kept, tmp_path / "missing" / "news.backup")
    with pytest.raises(StoreError, match="there is no file"):
        restore.restore(store, tmp_path / "missing")
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        restore.restore(store, tmp_path)


def test_a_backup_that_fails_leaves_no_file(store, kept, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(backup, "_rows", fail)
    with pytest.raises(StoreError, match="cannot be written: No space left on device"):
        backup.save(store, kept, tmp_path / "news.backup")
    assert list(tmp_path.glob("news*")) == []


@pytest.fixture
def small(tmp_path):
    """A back-up, and a database to restore it into."""
    store = Store.open(f"sqlite:///{tmp_path}/small.db")
    kept = campaigns.add(store, *stored.made())
    anna = people.find(store, kept, "anna")
    for step in work.outline(store, anna):
        events.record_answer(store, anna, step.id, key=f"k{step.id}", answer={"score": 1})
    backup.save(store, kept, tmp_path / "whole")
    store.close()
    empty = Store.open(f"sqlite:///{tmp_path}/empty.db")
    yield empty, tmp_path / "whole"
    assert campaigns.all_campaigns(empty) == []
    restore.restore(empty, tmp_path / "whole")
    empty.close()


def test_a_file_that_was_cut_short_anywhere(small):
    empty, whole = small
    content = whole.read_bytes()
    cut = whole.with_name("cut")
    for length in range(0, len(content), max(1, len(content) // 60)):
        cut.write_bytes(content[:length])
        with pytest.raises(StoreError, match=r"cut is (not whole|no back-up)"):
            restore.restore(empty, cut)


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
            restore.restore(empty, changed)
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
            restore.restore(empty, path)
    path.write_bytes(gzip.compress(b"".join([*content, content[1]])))
    with pytest.raises(StoreError, match="something follows the end"):
        restore.restore(empty, path)
    with pytest.raises(StoreError, match="what it holds is not what was written"):
        restore.restore(empty, rewritten(whole, lambda lines: lines, honest=False))


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
        restore.restore(empty, rewritten(whole, change))


@pytest.mark.parametrize("content", [b"", b"plain text\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_another_file(small, content, packed):
    empty, whole = small
    path = whole.with_name("another")
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(StoreError, match="another"):
        restore.restore(empty, path)


def test_a_campaign_with_a_typology_of_its_own_needs_no_file_of_it(store, other, tmp_path):
    """Restored on another machine, where nobody has the file."""
    (tmp_path / "own.toml").write_text(
        'severities = ["grave"]\n[weights]\ngrave = 9\n[categories]\nTone = []\nOther = []\n'
    )
    config = stored.config(protocol={"name": "mqm", "typology": "own.toml"})
    (tmp_path / "campaign.json").write_text(json.dumps(config))
    made = campaigns.add(store, load(str(tmp_path / "campaign.json")), stored.material(), stored.hits())
    (tmp_path / "own.toml").unlink()
    backup.save(store, made, tmp_path / "a.gz")
    restored = restore.restore(other, tmp_path / "a.gz")
    (field,) = restored.campaign.protocol.fields
    assert field.categories == (("Tone", ()), ("Other", ()))
    assert restored.campaign.protocol == made.campaign.protocol
