"""Every protocol from its campaign file through simulated answers and the export to what an analysis says of it."""

import json

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns import protocols
from adjudge.campaigns.store import CampaignStore, campaigns, events, people, work

SEGMENTS = 24
WORDS = ["sun", "moon", "star", "tree", "bird", "lake", "hill", "road", "wind", "rain", "snow", "fire"]
REFERENCES = [f"The {WORDS[n % 12]} was there on day {n} of the year." for n in range(SEGMENTS)]
TEXTS = {
    "source": [f"O {WORDS[n % 12]} estava lá no dia {n} do ano." for n in range(SEGMENTS)],
    "reference": REFERENCES,
    "good": [f"The {WORDS[n % 12]} was there at day {n} of the year." for n in range(SEGMENTS)],
    "fair": [f"The {WORDS[n % 12]} were there day {n} by the year." for n in range(SEGMENTS)],
    "bad": [f"It {WORDS[n % 12]} there is for day {n} a years ." for n in range(SEGMENTS)],
}
SYSTEMS = ("good", "fair", "bad")
RANK = {"reference": 0, "good": 1, "fair": 2, "bad": 3}
"""What everybody thinks of the systems, but for some."""


def error(severity, category=""):
    return {"start": 0, "end": 3, "severity": severity, "category": category, "side": "target"}


def opinion(item, candidate, who):
    """From 0 (perfect) to 4: the system, worse where it was damaged, and now and then another's opinion."""
    worse = 4 if item.kind == "bad reference" else RANK[candidate.systems[0]]
    odd = (item.segments[0] * 7 + len(who)) % 5 == 0 and item.kind != "bad reference"
    return (worse + 1) % 4 if odd else worse


def answer(protocol, item, who):
    """An answer as a browser sends it."""
    worse = opinion(item, item.candidates[0], who)
    score = 95 - 20 * worse + item.segments[0] % 4
    errors = [error("major" if worse > 2 else "minor") for _ in range(worse)]
    if protocol == "ranking":
        return {"ranks": [RANK[candidate.systems[0]] for candidate in item.candidates]}
    if protocol == "preference":
        first, second = (opinion(item, candidate, who) for candidate in item.candidates)
        return {"choice": [1 + (first > second), 1 + (second > first)]}
    if protocol == "post-editing":
        state = "unable to correct" if worse == 3 and not item.segments[0] % 6 else "edited"
        text = REFERENCES[item.segments[0]]
        return {
            "edit": {"state": state, "text": text, "keystrokes": 5 * worse, "actions": {"insertions": worse}}
        }
    if protocol == "comprehension":
        return {"answers": [0 if worse < 2 else 1, "there" if worse < 3 else "nowhere"]}
    return {
        "da": {"score": score},
        "sqm": {"score": score},
        "esa": {"errors": errors, "score": score},
        "mqm": {"errors": [error("major" if worse > 2 else "minor", "Style/Awkward") for _ in range(worse)]},
        "yes-no": {"acceptable": worse < 2 + item.segments[0] % 2},
        "acceptability": {"acceptable": worse < 2 + item.segments[0] % 2},
        "adequacy-fluency": {"fluency": max(1, 5 - worse), "adequacy": max(1, 5 - worse)},
    }[protocol]


@pytest.fixture
def campaign(run, tmp_path):
    """Make a campaign with the command, and let everybody answer everything."""
    for name, lines in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    documents = [f"d{n // 4}" for n in range(SEGMENTS)]
    (tmp_path / "labels.tsv").write_text(
        "document\n" + "".join(f"{document}\n" for document in documents), encoding="utf-8"
    )
    questions = [
        {"document": document, **question}
        for document in sorted(set(documents))
        for question in (
            {"question": "Where?", "choices": ["there", "here"], "answer": "there"},
            {"question": "Where was it?", "answer": "there"},
        )
    ]
    (tmp_path / "questions.jsonl").write_text(
        "".join(f"{json.dumps(question)}\n" for question in questions), encoding="utf-8"
    )

    def make(protocol):
        config = {
            "name": "small",
            "language": "pt-en",
            "protocol": protocol,
            "systems": {name: f"{name}.txt" for name in SYSTEMS},
            "test_set": {"source": "source.txt", "reference": "reference.txt", "labels": "labels.tsv"},
            "annotators": ["a", "bb", "ccc"],
            "rules": {"questions": "questions.jsonl"},
        }
        (tmp_path / "campaign.json").write_text(json.dumps(config), encoding="utf-8")
        made = run("human", "new", str(tmp_path / "campaign.json"), "-d", str(tmp_path / "small.db"))
        assert made.code == 0, made.err
        store = CampaignStore.open(f"sqlite:///{tmp_path}/small.db")
        kept = campaigns.find(store, "")
        for who in people.annotators(store, kept):
            for task in work.tasks(store, who):
                sources = [TEXTS["source"][n] for n in task.item.segments]
                checked = kept.campaign.protocol.check(
                    answer(protocol, task.item, who.name), task.item, sources
                )
                events.record_answer(
                    store,
                    who,
                    task.id,
                    key=f"key-{task.id}",
                    answer=checked,
                    seconds=9.0,
                    started=1e9 + 9 * task.id,
                )
        store.close()
        return kept.campaign.protocol

    return make


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_from_the_campaign_to_the_analysis(run, campaign, tmp_path, name):
    for criterion in campaign(name).criteria:
        target = str(tmp_path / f"{criterion}.jsonl")
        exported = run(
            "human", "export", "-d", str(tmp_path / "small.db"), "-o", target, "--criterion", criterion
        )
        assert exported.code == 0, exported.err
        result = run("human", "analyse", target, "-f", "json")
        assert result.code == 0, result.err
        document = json.loads(result.out)
        live = ("--campaign", "small", "-d", str(tmp_path / "small.db"), "--criterion", criterion)
        straight = json.loads(run("human", "analyse", *live, "-f", "json").out)
        assert straight["inputs"][0]["sha256"] == document["inputs"][0]["sha256"]
        # Only the campaign itself knows how many judgements were planned.
        apart = {"inputs": [], "checklist": {}}
        assert {**straight, **apart} == {**document, **apart}, "no file in between changes nothing"
        systems = [
            system["system"] for system in document["groups"][0]["systems"] if system["system"] in SYSTEMS
        ]
        assert systems == list(SYSTEMS), "the best first"
        assert {system["system"] for system in document["groups"][0]["systems"]} <= {*SYSTEMS, "reference"}
        text = run("human", "analyse", target)
        assert text.code == 0, text.err
        for system in SYSTEMS:
            assert system in text.out
        assert "nan" not in text.out.lower().split()
        for form in ("tsv", "html", "markdown", "latex"):
            assert run("human", "analyse", target, "-f", form, "-o", str(tmp_path / f"out.{form}")).code == 0
        if name == "post-editing":
            assert any("could not be corrected" in warning for warning in document["warnings"])
        if name in ("da", "sqm", "esa"):
            assert all(annotator["passed"] for annotator in document["annotators"]), (
                "everybody tells what is damaged"
            )


def test_two_criteria_are_two_exports(run, campaign, tmp_path):
    campaign("adequacy-fluency")
    result = run("human", "export", "-d", str(tmp_path / "small.db"))
    assert result.code == 2
    assert "--criterion" in result.err
