"""`adjudge human export`: what is exported can be analysed."""

import json
from pathlib import Path

from helpers.human_commands import judge


def test_what_is_exported_can_be_analysed(run, own_database, made, tmp_path):
    quality = {"neural": 80, "neural-fixed": 75, "shortened": 60, "rulebased": 40, "reference": 95}

    def score(item):
        base = 10 if item.kind == "bad reference" else quality[item.systems[0]]
        return base + item.segments[0] % 5

    for name in made:
        judge(own_database, name, 1000, score)
    target = str(tmp_path / "judgements.jsonl")
    written = run("human", "export", "--database", own_database, "-o", target, "--anonymous")
    assert written.code == 0, written.err
    assert "anna" not in Path(target).read_text()
    document = json.loads(run("human", "analyse", target, "-f", "json").out)
    systems = {system["system"]: system for system in document["groups"][0]["systems"]}
    order = sorted(systems, key=lambda name: -systems[name]["z"])
    assert order[0] in ("reference", "neural")
    assert order[-1] == "rulebased"
    assert all(
        annotator["passed"] for annotator in document["annotators"] if annotator.get("passed") is not None
    )
    listed = run("human", "export", "--list")
    assert "jsonl" in listed.out
    assert run("human", "export", "--database", own_database, "-f", "xls").code == 2


def test_export_before_anyone_has_answered(run, own_database, made):
    result = run("human", "export", "--database", own_database)
    assert result.code == 1
    assert "nobody has answered" in result.err
