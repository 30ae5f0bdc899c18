"""Campaigns of other tools from the command line: theirs as ours, and ours as theirs."""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, campaigns, people
from adjudge.io.judgements.judgement_files import read_campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
APPRAISE = "17_appraise_examples"


@pytest.fixture
def human(run, database):
    def call(command, *arguments):
        return run("human", command, *map(str, arguments), "--database", database)

    return call


@pytest.fixture
def store(database):
    opened = CampaignStore.open(database)
    yield opened
    opened.close()


def contents(store, name):
    """What is shown to whom, without what only a database knows."""
    return [
        (
            hit.annotator,
            [(item.segments, item.candidates, item.kind, item.document) for item in hit.items],
        )
        for hit in campaigns.hits(store, campaigns.find(store, name))
    ]


@pytest.mark.parametrize("name", ["Direct", "Document", "Pairwise", "Data"])
def test_campaigns_of_appraise_become_ours_and_go_back(human, store, shared, tmp_path, name):
    folder = shared.data / APPRAISE / name
    result = human("new", folder / "batches.json", folder / "manifest.json", "--name", "first")
    assert result.code == 0, result.err
    assert "for a crowd: " in result.err
    assert human("export", "first", "-f", "appraise-campaign", "-o", tmp_path / "out").code == 0
    again = human(
        "new", tmp_path / "out" / "manifest.json", tmp_path / "out" / "batches.json", "--name", "second"
    )
    assert again.code == 0, again.err
    assert contents(store, "second") == contents(store, "first")
    theirs = read_campaign([str(folder / "batches.json"), str(folder / "manifest.json")])
    ours = read_campaign([str(tmp_path / "out" / "batches.json"), str(tmp_path / "out" / "manifest.json")])
    assert ours.languages == theirs.languages
    shown = [item for batch in theirs.batches for item in batch.items if not item.whole]
    given = [(t.systems, t.text, entry.source, entry.kind) for entry in shown for t in entry.translations]
    assert given == [
        (t.systems, t.text, item.source, item.kind)
        for batch in ours.batches
        for item in batch.items
        for t in item.translations
    ]


@pytest.mark.parametrize(("form", "files"), [("pearmut", 1), ("appraise", 2)])
def test_ours_goes_there_and_comes_back(human, store, tmp_path, form, files):
    assert human("new", EXAMPLES / "campaign.toml", "-q").code == 0
    folder = tmp_path / "out"
    target = folder if files > 1 else tmp_path / "campaign.json"
    result = human("export", "news", "-f", f"{form}-campaign", "-o", target)
    assert result.code == 0, result.err
    paths = sorted(folder.iterdir()) if files > 1 else [target]
    assert len(paths) == files
    first = contents(store, "news")
    whose = [] if form == "pearmut" else [word for who, _ in first for word in ("--annotator", who)]
    result = human("new", *paths, "--name", "again", *whose)
    assert result.code == 0, result.err
    assert "anna" in result.out
    assert by_annotator(contents(store, "again")) == by_annotator(first)


def by_annotator(hits):
    """All that somebody sees, in order; pearmut knows no hits, and segments may be numbered in another order."""
    result = {}
    for who, items in hits:
        result.setdefault(who, []).extend(
            (candidates, kind, document) for _, candidates, kind, document in items
        )
    return result


def test_batches_of_nobody_are_given_to_somebody(human, store, tmp_path, shared):
    folder = shared.data / APPRAISE / "Data"
    files = (folder / "batches.json", folder / "manifest.json")
    assert human("new", *files, "--annotator", "anna").code == 2
    assert human("new", *files, *["--annotator", "anna"] * 3).code == 2
    result = human("new", *files, "--annotator", "anna", "--annotator", "ben", "-f", "json")
    assert [link["annotator"] for link in json.loads(result.out)["links"]] == ["anna", "ben"]
    assert [hit.annotator for hit in campaigns.hits(store, campaigns.find(store, ""))] == ["anna", "ben"]


def test_a_demo_is_nobody_s_work_and_names_can_be_covered(human, store, tmp_path):
    human("new", EXAMPLES / "campaign.toml", "-q")
    kept = campaigns.find(store, "news")
    guest = people.find_or_add_visitor(store, kept, "demo", "demo-1")
    hits = campaigns.hits(store, kept)
    campaigns.extend(store, kept, [type(hits[0])("demo-1-1", hits[0].items[:2], guest.name)])
    plain = json.loads(human("export", "news", "-f", "pearmut-campaign").out)
    assert "demo-1" not in json.dumps(plain)
    assert "anna" in json.dumps(plain)
    covered = human("export", "news", "-f", "pearmut-campaign", "--anonymous").out
    assert not any(f'"{name}"' in covered for name in ("anna", "ben", "carla"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"CAMPAIGN_NAME": "x"}', "what is judged is in its batches.json"),
        ('[{"items": []}]', "there is no segment in these tasks"),
        ('[{"items": [{"itemID": 1}]}]', "has no 'itemType'"),
        ('{"info": {}, "campaign_id": "x", "data": []}', "there is no segment in these tasks"),
        ('{"info": {}, "campaign_id": "x", "data": 3}', ""),
        ("[]", "a table of fields was expected"),
        ('{"name": "x"}', "protocol: missing"),
        ("[", ""),
    ],
)
def test_files_that_are_wrong(run, tmp_path, content, message):
    path = tmp_path / "file.json"
    path.write_text(content)
    result = run("human", "new", str(path), "--database", str(tmp_path / "a.db"))
    assert (result.code, result.out) == (1, ""), result.err
    assert message in result.err
    assert "Traceback" not in result.err
    assert not (tmp_path / "a.db").exists()


def test_what_is_asked_wrongly(run, tmp_path):
    database = ("--database", str(tmp_path / "a.db"))
    campaign = str(EXAMPLES / "campaign.toml")
    assert run("human", "new", campaign, campaign, *database).code == 2
    assert "is for campaigns of other tools" in run("human", "new", campaign, "--name", "x", *database).err
    assert (
        "is for campaigns of other tools" in run("human", "new", campaign, "--annotator", "x", *database).err
    )
    assert run("human", "new", *database).code == 2
    assert run("human", "new", campaign, "-q", *database).code == 0
    result = run("human", "export", "-f", "appraise-campaign", *database)
    assert (result.code, "-o FOLDER is missing" in result.err) == (2, True)
    (tmp_path / "file").write_text("")
    assert (
        run("human", "export", "-f", "appraise-campaign", "-o", str(tmp_path / "file"), *database).code == 2
    )
    assert run("human", "export", "-f", "pearmut-campaign", "-o", str(tmp_path), *database).code == 2


def test_protocols_that_others_do_not_have(run, tmp_path):
    text = (EXAMPLES / "campaign.toml").read_text(encoding="utf-8")
    assert 'name = "da"' in text
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "examples" / "campaign.toml").write_text(text.replace('name = "da"', 'name = "ranking"'))
    database = ("--database", str(tmp_path / "a.db"))
    made = run("human", "new", str(tmp_path / "examples" / "campaign.toml"), "-q", *database)
    assert made.code == 0, made.err
    result = run("human", "export", "-f", "pearmut-campaign", *database)
    assert (result.code, "no other tool has ranking" in result.err) == (1, True)
