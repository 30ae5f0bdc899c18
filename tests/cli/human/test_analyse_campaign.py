"""`adjudge human analyse --campaign`: a campaign's database read directly says what its export says."""

import json

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, campaigns, events, people, work
from helpers import stored

QUICK = ("--resamples", "20")
PLANNED = (
    "2 annotators, 1 for each item, 40 % of the items for everyone, control items: 10 % damaged, 10 % repeated, "
    "10 % references"
)


@pytest.fixture
def filled(database):
    """A small campaign, in which two people answered everything but one item, and `other`, in which nobody did."""
    store = CampaignStore.open(database)
    kept = campaigns.add(store, *stored.made())
    campaigns.add(store, *stored.made("other"))
    for who in people.annotators(store, kept):
        for task in work.tasks(store, who)[:-1]:
            score = 40 + 7 * task.item.segments[0] + 20 * (task.item.candidates[0].systems == ("two",))
            answer = {"score": score + len(who.name)}
            events.record_answer(store, who, task.id, key=f"key-{task.id}", answer=answer, seconds=5.0)
    store.close()
    return database


@pytest.mark.parametrize("more", [(), ("--by", "document", "--curves", "--mixed-model", "--score", "raw")])
def test_it_says_what_the_export_says(run, filled, tmp_path, more):
    file = str(tmp_path / "news.jsonl")
    assert run("human", "export", "news", "-d", filled, "-o", file).code == 0
    by_file = run("human", "analyse", file, "-f", "json", *QUICK, *more)
    direct = run("human", "analyse", "--campaign", "news", "-d", filled, "-f", "json", *QUICK, *more)
    assert (direct.code, direct.err) == (0, by_file.err)
    exported, live = json.loads(by_file.out), json.loads(direct.out)
    assert live.pop("inputs") == [
        {"role": "campaign", "path": "news", "sha256": exported.pop("inputs")[0]["sha256"]}
    ]
    (size,) = [point for point in live["checklist"]["points"] if point["name"] == "sample size"]
    evidence, _, planned = size["evidence"].partition("; planned: ")
    assert planned == PLANNED, "the record says what a file does not"
    size["evidence"] = evidence
    assert live == exported
    text = run("human", "analyse", "--campaign", "news", "-d", filled, *QUICK, *more)
    assert text == run("human", "analyse", file, *QUICK, *more)


def test_the_checklist_reads_context_controls_and_assignment_from_the_record(run, filled):
    out = run("human", "analyse", "--campaign", "news", "-d", filled, "--checklist", *QUICK).out
    words = " ".join(out.split())
    assert "✗ level and context (fail)" in words
    assert "judgements are of segments by themselves" in words
    assert f"planned: {PLANNED}" in words
    own = run(
        "human",
        "analyse",
        "--campaign",
        "news",
        "-d",
        filled,
        "--checklist",
        "--declare",
        "planned=by me",
        *QUICK,
    ).out
    assert "planned: by me" in " ".join(own.split())


def test_answers_that_came_since_count(run, filled):
    before = json.loads(run("human", "analyse", "--campaign", "news", "-d", filled, "-f", "json", *QUICK).out)
    store = CampaignStore.open(filled)
    anna = people.find(store, campaigns.find(store, "news"), "anna")
    last = work.tasks(store, anna)[-1]
    events.record_answer(store, anna, last.id, key="late", answer={"score": 99}, seconds=5.0)
    store.close()
    after = json.loads(run("human", "analyse", "--campaign", "news", "-d", filled, "-f", "json", *QUICK).out)
    assert after["judgements"]["judgements"] == before["judgements"]["judgements"] + 1
    assert after["inputs"] != before["inputs"]


def test_what_is_wrong_is_said(run, filled):
    for name, message in (
        ("nwes", "unknown campaign 'nwes'; did you mean 'news'?"),
        ("other", "nobody has answered anything in 'other' yet"),
        ("", "there are several campaigns; say which one: news, other"),
    ):
        ended = run("human", "analyse", "--campaign", name, "-d", filled)
        assert message in ended.err
        assert ended == run("human", "export", name, "-d", filled), "as other commands of campaigns have it"


def test_files_and_campaigns_do_not_mix(run, sqlite, tmp_path):
    file = str(tmp_path / "x.csv")
    for arguments, message in (
        ((), "missing argument 'FILE...', or --campaign NAME"),
        ((file, "--campaign", "news"), "give files or a campaign, not both"),
        ((file, "-d", sqlite), "--database is for the judgements of a campaign"),
        ((file, "--criterion", "fluency"), "--criterion is for the judgements of a campaign"),
        (("--campaign", "news", "--column", "x"), "--column is for files"),
        (("--campaign", "news", "--input-format", "csv"), "--input-format is for files"),
        (("--campaign", "news", "-d", str(tmp_path / "none.db")), "there is no database"),
        (("--campaign", "news", "-d", sqlite), "there is no campaign yet"),
    ):
        ended = run("human", "analyse", *arguments)
        assert ended.code in (1, 2), arguments
        assert not ended.out
        assert message in ended.err


def test_the_database_is_not_written_over(run, tmp_path, sqlite):
    path = sqlite.removeprefix("sqlite:///")
    ended = run("human", "analyse", "--campaign", "news", "-d", path, "-o", path)
    assert ended.code == 2
    assert "it is the campaigns' database" in ended.err
