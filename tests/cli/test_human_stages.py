"""Editing and judging what was edited, from the command line: two stages, made, filled, exported and analysed."""

import csv
import json
import random
import re

import pytest

pytest.importorskip("sqlalchemy")

from adjudge import TestSet
from adjudge.campaigns.store import CampaignStore, campaigns, events, people, stages, work
from adjudge.metrics.hter import Hter

SEGMENTS = 12
SOURCES = [f"Frase número {n} do texto." for n in range(SEGMENTS)]
REFERENCES = [f"Sentence number {n} of the whole text." for n in range(SEGMENTS)]
OUTPUTS = {
    "good": [f"Sentence number {n} of the text." for n in range(SEGMENTS)],
    "bad": [f"Number phrase {n} in text a." for n in range(SEGMENTS)],
}
ANNOTATORS = 'names = ["anna", "ben", "carla"]'
FILE = """
name = "edits"
language = "pt-en"
protocol = { name = "post-editing", against = "nothing", acceptability = true }
systems = { good = "good.en", bad = "bad.en" }
annotators = { %s }
test_set = { source = "source.pt", reference = "reference.en", labels = "labels.tsv" }
assignment = { common = 0.0, judgements = 2, repeats = 0.2, hit_size = 8 }
instructions = "For editors only."
"""


@pytest.fixture
def new(run, tmp_path):
    """Make the campaign, with these annotators."""
    texts = {
        "source.pt": SOURCES,
        "reference.en": REFERENCES,
        "good.en": OUTPUTS["good"],
        "bad.en": OUTPUTS["bad"],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    labels = "".join(f"d{n // 4}\n" for n in range(SEGMENTS))
    (tmp_path / "labels.tsv").write_text(f"document\n{labels}", encoding="utf-8")

    def make(annotators=ANNOTATORS, replaced=("", "")):
        (tmp_path / "campaign.toml").write_text((FILE % annotators).replace(*replaced), encoding="utf-8")
        return run("human", "new", str(tmp_path / "campaign.toml"), "-d", str(tmp_path / "campaigns.db"))

    return make


@pytest.fixture
def store(new, tmp_path):
    assert new().code == 0
    opened = CampaignStore.open(f"sqlite:///{tmp_path}/campaigns.db")
    yield opened
    opened.close()


def edit(store):
    """What three people make of it: they mend what is bad, leave what is good, and give up now and then."""
    first = campaigns.find(store, "edits")
    for who in people.annotators(store, first):
        for task in work.tasks(store, who):
            segment, (output,) = task.item.segments[0], task.item.candidates[0].texts
            state, text = "no corrections needed", output
            if task.item.systems == ("bad",):
                state, text = (
                    ("unable to correct", output) if segment == 3 else ("edited", OUTPUTS["good"][segment])
                )
            answer = {"edit": {"state": state, "text": text, "keystrokes": 9, "actions": {}}}
            checked = first.campaign.protocol.check(answer, task.item)
            events.record_answer(store, who, task.id, key=f"key-{task.id}", answer=checked, seconds=30.0)


def judge(store):
    """Everybody judges what others edited, until nothing is left."""
    first, second = (campaigns.find(store, name) for name in ("edits", "edits-acceptability"))
    chance, given = random.Random(5), 1
    while given:
        given = 0
        for who in people.annotators(store, second):
            given += stages.next_edited_texts(store, first, second, who)
            for task in work.tasks(store, who):
                if task.answer is None:
                    broken = task.item.candidates[0].texts[0] in OUTPUTS["bad"]
                    yes = not broken and chance.random() < 0.9
                    events.record_answer(
                        store, who, task.id, key=f"key-{task.id}", answer={"acceptable": yes}, seconds=4.0
                    )


def exported(run, tmp_path, name, *options):
    target = tmp_path / f"{name}.jsonl"
    result = run("human", "export", name, "-d", str(tmp_path / "campaigns.db"), "-o", str(target), *options)
    assert result.code == 0, result.err
    return target, [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


def test_links_of_one_stage_are_enough(new):
    made = new()
    assert [line.split()[0] for line in made.out.splitlines()] == ["anna", "ben", "carla"]
    assert "second stage 'edits-acceptability': annotators who have nothing left to edit say" in made.err


def test_a_pool_that_everybody_edits(new):
    note = "everyone edits 6 segments: what all leave as it is, or change alike, has no judge left"
    assert note in new(replaced=("common = 0.0", "common = 0.5")).err
    more = new('names = ["x", "y"], judges = ["z"]', ("common = 0.0", "common = 0.5"))
    assert note not in more.err


def test_judges_get_links_of_their_own(new):
    made = new('names = ["anna", "ben"], judges = ["ben", "dora"]')
    assert [line.split()[0] for line in made.out.splitlines()] == ["anna", "ben", "dora"]
    assert "second stage 'edits-acceptability': ben, dora say" in made.err


@pytest.mark.parametrize(
    ("annotators", "replaced", "message"),
    [
        (
            'names = ["anna"]',
            ("judgements = 2", "judgements = 1"),
            "annotators: nobody judges what they edited themselves",
        ),
        ("crowd = true", ("", ""), "annotators.judges: missing; a crowd cannot be kept from judging"),
        ('count = 2, judges = ["x", "x"]', ("", ""), "annotators.judges: two annotators have the same name"),
        ('count = 2, judges = [""]', ("", ""), "annotators.judges: a list of names"),
        ('count = 2, judges = ["x"]', ("true }", "false }"), "annotators.judges: nothing is to be judged"),
        (
            ANNOTATORS,
            ('name = "edits"', 'edits_of = "x"\nname = "edits"'),
            "edits_of: a second stage is made with the first one",
        ),
    ],
)
def test_stages_that_cannot_be(new, annotators, replaced, message):
    result = new(annotators, replaced)
    assert result.code in (1, 2)
    assert message in result.err


def test_a_crowd_edits_for_named_judges(new):
    made = new('crowd = true, judges = ["dora"]')
    assert made.code == 0, made.err
    assert [line.split()[0] for line in made.out.splitlines()] == ["dora"]


def test_both_stages_are_exported_and_analysed(run, store, tmp_path):
    edit(store)
    judge(store)
    file, edits = exported(run, tmp_path, "edits")
    rows = [row for row in edits if row["system"] == "bad" and row["item"] != "4"]
    wanted = {
        n + 1: Hter()
        .for_segments()
        .aggregate(
            Hter().stats(Hter().prepare(TestSet(references=((OUTPUTS["good"][n],),))), [OUTPUTS["bad"][n]])
        )[0]
        for n in range(SEGMENTS)
    }
    assert rows
    for row in rows:
        assert row["score"] == pytest.approx(wanted[int(row["item"])] / 100)
    assert {row["kind"] for row in edits} >= {
        "ordinary",
        "reference",
    }  # references are edited among the outputs
    result = run("human", "analyse", str(file), "-f", "json")
    assert result.code == 0, result.err
    document = json.loads(result.out)
    assert document["judgements"]["protocol"] == "hter"
    assert document["warnings"][0].startswith("2 outputs could not be corrected (2 of bad): without HTER")
    (bad,) = (system for system in document["groups"][0]["systems"] if system["system"] == "bad")
    assert bad["mean"] == pytest.approx(sum(wanted[n] for n in wanted if n != 4) / (SEGMENTS - 1) / 100)

    file, judged = exported(run, tmp_path, "edits-acceptability")
    assert all(row["annotator"] not in row["labels"]["editor"].split(", ") for row in judged)
    texts = {(row["system"], row["item"]) for row in judged}
    assert {(system, str(n + 1)) for system in OUTPUTS for n in range(SEGMENTS)} <= texts
    unable = [row for row in judged if row["labels"]["edit"] == "unable to correct"]
    assert {(row["system"], row["item"], row["score"]) for row in unable} == {("bad", "4", 0.0)}
    repeats = [row for row in judged if row["kind"] == "repeat"]
    assert len(judged) / 5 - 3 <= len(repeats) <= len(judged) / 5 + 3
    told = json.loads(run("human", "analyse", str(file), "-f", "json").out)
    assert told["judgements"]["protocol"] == "yes-no"
    systems = {system["system"]: system for system in told["groups"][0]["systems"]}
    ordinary = [row for row in judged if row["kind"] == "ordinary"]
    for system in OUTPUTS:
        by_text = {}
        for row in ordinary:
            if row["system"] == system:
                by_text.setdefault(row["item"], []).append(row["score"])
        shares = [sum(scores) / len(scores) for scores in by_text.values()]
        assert systems[system]["mean"] == pytest.approx(sum(shares) / len(shares))
        assert 0 < systems[system]["mean"] < 1


def test_the_editor_is_in_a_table_too(run, store, tmp_path):
    edit(store)
    judge(store)
    result = run("human", "export", "edits-acceptability", "-d", str(tmp_path / "campaigns.db"), "-f", "csv")
    rows = list(csv.DictReader(result.out.splitlines()))
    assert {name for row in rows for name in row["label:editor"].split(", ")} == {"anna", "ben", "carla"}
    assert {row["label:edit"] for row in rows} == {"edited", "no corrections needed", "unable to correct"}
    by_editor = run(
        "human", "export", "edits-acceptability", "-d", str(tmp_path / "campaigns.db"), "-f", "jsonl"
    )
    (tmp_path / "judged.jsonl").write_text(by_editor.out, encoding="utf-8")
    results = run("human", "analyse", str(tmp_path / "judged.jsonl"), "--by", "edit", "-f", "json")
    assert results.code == 0, results.err
    assert {group["by"]["edit"] for group in json.loads(results.out)["groups"] if group["by"]} >= {"edited"}


def test_pseudonyms_are_the_same_in_both_stages(run, store, tmp_path):
    edit(store)
    judge(store)
    _, edits = exported(run, tmp_path, "edits", "--anonymous")
    _, judged = exported(run, tmp_path, "edits-acceptability", "--anonymous")
    editors = {row["annotator"] for row in edits}
    assert {name for row in judged for name in row["labels"]["editor"].split(", ")} == editors
    assert {row["annotator"] for row in judged} == editors
    assert "anna" not in str(judged)


def test_status_of_both_stages(run, store, tmp_path):
    edit(store)
    judge(store)
    shown = json.loads(run("human", "status", "-d", str(tmp_path / "campaigns.db"), "-f", "json").out)
    first, second = shown["campaigns"]
    assert (first["protocol"], second["protocol"]) == ("post-editing", "acceptability")
    assert second["answered"] == second["tasks"] > first["answered"] / 3
    assert {system["system"] for system in second["systems"]} == set(OUTPUTS)
    text = run("human", "status", "-d", str(tmp_path / "campaigns.db")).out
    assert re.search(r"edits \(2\): running, (\d+) of \1 answers \(100 %\)", text)


def test_people_and_systems_more(run, store, tmp_path):
    database = ["-d", str(tmp_path / "campaigns.db")]
    added = run("human", "add", "edits", "--annotator", "emil", *database)
    assert added.code == 0, added.err
    second = campaigns.find(store, "edits-acceptability")
    assert "emil" in [annotator.name for annotator in people.annotators(store, second)]
    judge_more = run("human", "add", "edits-acceptability", "--annotator", "fritz", *database)
    assert judge_more.out.startswith("fritz  http://")
    assert "judges are given texts as they are edited" in judge_more.err
    assert "fritz" not in [
        annotator.name for annotator in people.annotators(store, campaigns.find(store, "edits"))
    ]
    system = f"third={tmp_path / 'good.en'}"
    refused = run("human", "add", "edits-acceptability", "--system-output", system, *database)
    assert refused.code == 2
    assert "add it there" in refused.err


def test_forgetting_in_both(run, store, tmp_path):
    done = run("human", "forget", "edits", "anna", "--yes", "-d", str(tmp_path / "campaigns.db"))
    assert re.search(r"in 'edits' it is former-\w+, in 'edits-acceptability' it is former-\w+", done.err)


def test_both_stages_are_restored_elsewhere(run, store, tmp_path):
    edit(store)
    judge(store)
    elsewhere = str(tmp_path / "elsewhere.db")
    names = ("edits", "edits-acceptability")
    for name in names:
        file = str(tmp_path / f"{name}.backup")
        assert run("human", "backup", name, file, "-d", str(tmp_path / "campaigns.db")).code == 0
        assert run("human", "restore", file, "-d", elsewhere).code == 0
    for name in names:
        before = run("human", "export", name, "-d", str(tmp_path / "campaigns.db")).out
        assert before
        assert run("human", "export", name, "-d", elsewhere).out == before
    restored = CampaignStore.open(f"sqlite:///{elsewhere}")
    first, second = (campaigns.find(restored, name) for name in names)
    assert stages.first_of(restored, second) == first
    assert stages.second_of(restored, first) == second
    assert stages.waiting_judgements(restored, second) == 0
    restored.close()


def test_a_second_stage_restored_alone(run, store, tmp_path):
    """What was judged is there; who edited it, nobody knows."""
    edit(store)
    judge(store)
    file, elsewhere = str(tmp_path / "two.backup"), str(tmp_path / "elsewhere.db")
    assert run("human", "backup", "edits-acceptability", file, "-d", str(tmp_path / "campaigns.db")).code == 0
    assert run("human", "restore", file, "-d", elsewhere).code == 0
    rows = [json.loads(line) for line in run("human", "export", "-d", elsewhere).out.splitlines()]
    assert rows
    assert not any("editor" in row["labels"] for row in rows)
    assert run("human", "status", "-d", elsewhere).code == 0
