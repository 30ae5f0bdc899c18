"""The three commands that say how many judgements a campaign takes say the same of the same campaign."""

import re

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, campaigns, events, people, work

SYSTEMS = "abc"
CAMPAIGN = """
name = "news"
language = "de-en"
protocol = "da"
annotators = { names = ["anna", "ben"] }

[systems]
a = "a.en"
b = "b.en"
c = "c.en"

[test_set]
source = "source.de"
references = ["reference.en"]
"""


@pytest.fixture
def campaign_file(tmp_path, monkeypatch):
    """A campaign of three systems on twelve segments."""
    monkeypatch.chdir(tmp_path)
    for name in (*(f"{system}.en" for system in SYSTEMS), "source.de", "reference.en"):
        lines = [f"sentence {k} of {name} with some words in it to judge" for k in range(12)]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    return "campaign.toml"


def answer_everything(database):
    store = CampaignStore.open(database)
    kept = campaigns.find(store, "news")
    for who in people.annotators(store, kept):
        for task in work.tasks(store, who):
            score = 40 + 3 * task.item.segments[0] + 7 * len(who.name) + task.id % 5
            events.record_answer(
                store, who, task.id, key=f"key-{task.id}", answer={"score": score}, seconds=5.0
            )
    store.close()


def number(pattern, text):
    """The number that stands after some words, however lines are wrapped."""
    return int(re.search(pattern + r" ([\d,]+)", " ".join(text.split()))[1].replace(",", ""))


def test_new_power_and_the_checklist_say_the_same_number(run, campaign_file, sqlite):
    new = run("human", "new", campaign_file, "-d", sqlite)
    assert new.code == 0, new.err
    advised = number("for 80 % it takes", new.err)
    of_campaign = run("power", "--campaign-file", campaign_file)
    assert number("a power of 0.8 takes n =", of_campaign.out) == advised
    plain = run("power", "--effect", "0.45", "--systems", "3")
    assert number("n =", plain.out) == advised
    answer_everything(sqlite)
    judged = run("human", "analyse", "--campaign", "news", "-d", sqlite, "--checklist", "--resamples", "20")
    assert number("80 % takes n =", judged.out) == advised


def test_options_overrule_the_file_of_a_campaign(run, campaign_file):
    two = run("power", "--campaign-file", campaign_file, "--systems", "2", "--effect", "0.44")
    assert number("a power of 0.8 takes n =", two.out) == 362
    assert number("n", run("power", "--campaign-file", campaign_file, "--n", "30").out) == 30
    hanging = run("power", "--campaign-file", campaign_file, "--annotator-icc", "0.1", "--effect", "0.44")
    given = ("--annotator-icc", "0.1", "--annotator-load", "6", "--systems", "3", "--effect", "0.44")
    assert number("takes n =", hanging.out) == number("n =", run("power", *given).out)
    both = run("power", "--campaign-file", campaign_file, "a.en", "b.en", "-r", "reference.en")
    assert (both.code, both.out) == (2, "")
    assert "give one of them" in both.err
