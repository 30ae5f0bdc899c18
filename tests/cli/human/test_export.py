"""`adjudge human export`: what is exported can be analysed."""

import json
import os
import stat
from pathlib import Path

import pytest

from helpers.human_commands import judge

OUTPUTS = {"export.jsonl", "folder", "log.jsonl", "news.backup", "converted.jsonl"}


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


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_what_names_annotators_is_for_its_owner_alone(run, own_database, made, tmp_path, umask):
    judge(own_database, "anna", 3)
    given = tmp_path / "given.csv"
    given.write_text("annotator,system,segment,score\nanna,A,1,50\n")
    before = os.umask(umask)
    try:
        for command in (
            ("export", "-d", own_database, "-o", "export.jsonl"),
            ("export", "-d", own_database, "-f", "appraise-campaign", "-o", "folder"),
            ("log", "-d", own_database, "-o", "log.jsonl"),
            ("backup", "-d", own_database, "news", "news.backup"),
            ("convert", given, "-o", "converted.jsonl"),
        ):
            ended = run("human", *(str(tmp_path / p) if p in OUTPUTS else p for p in command))
            assert ended.code == 0, ended.err
        (tmp_path / "shared.jsonl").touch(0o640)
        assert run("human", "log", "-d", own_database, "-o", str(tmp_path / "shared.jsonl")).code == 0
    finally:
        os.umask(before)
    files = [file for name in OUTPUTS for file in [tmp_path / name, *(tmp_path / name).glob("*")]]
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files if file.is_file()}
    assert set(modes) >= OUTPUTS - {"folder"}
    assert set(modes.values()) == {0o600}, modes
    kept = stat.S_IMODE((tmp_path / "shared.jsonl").stat().st_mode)
    assert kept == 0o640 & ~umask, "a file that was there keeps its permissions"
