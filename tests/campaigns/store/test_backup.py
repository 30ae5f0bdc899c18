"""A campaign as one file: whole, or refused; restored, the same to the letter."""

import gzip
import json

import pytest

from adjudge.campaigns.campaign import load
from adjudge.campaigns.export import ExportOptions, export_judgements
from adjudge.campaigns.store import (
    CampaignStore,
    StoreError,
    answers,
    backup,
    campaigns,
    events,
    journal,
    people,
    upkeep,
    work,
)
from adjudge.campaigns.store.progress import campaign_progress
from helpers import stored


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request, tmp_path):
    """Another database, of either kind."""
    url = f"sqlite:///{tmp_path}/other.db"
    opened = CampaignStore.open(
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
    kept = backup.restore(other, path)
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
    kept = backup.restore(other, tmp_path / "first")
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
        backup.restore(store, path)
    assert seen(store, kept) == before


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
        backup.restore(store, tmp_path / "missing")
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        backup.restore(store, tmp_path)


def test_a_backup_that_fails_leaves_no_file(store, kept, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(backup, "_rows", fail)
    with pytest.raises(StoreError, match="cannot be written: No space left on device"):
        backup.save(store, kept, tmp_path / "news.backup")
    assert list(tmp_path.glob("news*")) == []


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
    restored = backup.restore(other, tmp_path / "a.gz")
    (field,) = restored.campaign.protocol.fields
    assert field.categories == (("Tone", ()), ("Other", ()))
    assert restored.campaign.protocol == made.campaign.protocol
