"""`adjudge human new`: a link for everyone, what comes next, and files that are wrong."""

import json
import os
import re
import shutil

import pytest

from adjudge.campaigns.store import CampaignStore, campaigns
from helpers.human_commands import EXAMPLES, judge


def test_new_prints_a_link_for_everyone(made):
    assert list(made) == ["anna", "ben", "carla"]
    assert len(set(made.values())) == 3
    assert all(re.fullmatch(r"http://127\.0\.0\.1:8080/a/[\w-]{32}", link) for link in made.values())


def test_new_says_what_comes_next(run, own_database):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", own_database)
    assert f"next: adjudge human serve --database {own_database}" in result.err
    assert "173 translations a system are few" in result.err


def test_a_dry_run_keeps_nothing(run, own_database):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", own_database, "--dry-run")
    assert result.code == 0
    assert "items to judge" in result.err
    assert result.out == ""
    assert not os.path.exists(own_database)


def test_the_same_name_twice(run, own_database, made):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", own_database)
    assert result.code == 1
    assert "there is a campaign 'news' already" in result.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'name = "da"',
            'name = "dda"',
            r"campaign.toml: protocol: unknown protocol 'dda'; did you mean 'da'",
        ),
        ("neural.en", "nowhere.en", r"nowhere.en does not exist; did you mean .*neural.en"),
        ("common = 0.4", "common = 4", r"campaign.toml: assignment.common: a share from 0 to 1"),
        ('names = ["anna", "ben", "carla"]', "", r"campaign.toml: annotators: missing"),
    ],
)
def test_a_file_that_is_wrong(run, own_database, tmp_path, old, new, message):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    file = tmp_path / "examples" / "campaign.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    result = run("human", "new", str(file), "--database", own_database)
    assert result.code == 1
    assert re.search(message, result.err)
    assert not os.path.exists(own_database)


@pytest.mark.parametrize(("method", "said"), [("variance", "biased"), ("stratified", "same chance")])
def test_a_chosen_sample_is_warned_of(run, own_database, method, said):
    """When it is made, and whenever it is analysed; the choice and its seed stand in the campaign."""
    file = str(EXAMPLES / "campaign.toml")
    made = run(
        "human", "new", file, "--database", own_database, "--select", method, "--items", "12", "--seed", "7"
    )
    assert made.code == 0, made.err
    assert said in made.err
    assert "12 segments;" in made.err
    store = CampaignStore.open(f"sqlite:///{own_database}")
    kept = campaigns.find(store, "").campaign.selection
    store.close()
    assert (kept.method, kept.items, kept.seed, kept.metrics, len(kept.lines)) == (
        method,
        12,
        7,
        ("chrf",),
        12,
    )
    for name in ("anna", "ben", "carla"):
        judge(own_database, name, 100, lambda item: 40 + len(item.key) % 30)
    shown = run(
        "human", "analyse", "--campaign", "news", "--database", own_database, "--trials", "50", "-f", "json"
    )
    assert shown.code == 0, shown.err
    assert any(said in warning for warning in json.loads(shown.out)["warnings"])
    assert said in shown.err


def test_what_belongs_to_a_choice_needs_one(run, own_database):
    file = str(EXAMPLES / "campaign.toml")
    for arguments, message in (
        (("--items", "3"), "--items is for --select"),
        (("-m", "chrf"), "-m is for --select"),
        (("--select", "variance"), "how many segments? --items N"),
        (("--select", "varianz", "--items", "3"), "did you mean 'variance'"),
    ):
        shown = run("human", "new", file, "--database", own_database, *arguments)
        assert shown.code in (1, 2)
        assert message in shown.err
