"""`--record` and `adjudge history`, as people type them."""

import json
import os
import random
import sqlite3
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import pytest

from adjudge.database.problems import Unavailable
from adjudge.history.records import History
from adjudge.history.version_lines import HistoryLine, Step, Version
from conftest import PROJECT
from helpers.histories import LINES, evaluation, output, recorded

FEW = ("--trials", "1000")
NASTY = "<script>alert(1)</script>\"'&"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A project without git, and a place for its history that no variable names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ADJUDGE_HISTORY", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    for name, every in {"ref": 0, "neural": 4, "worse": 2, "same": 4}.items():
        (tmp_path / f"{name}.en").write_text("\n".join(output(every).segments) + "\n")
    return tmp_path


def kept(place=".adjudge/history.db"):
    with History.open(place) as history:
        return history.records()


def test_record_alone_keeps_it_in_the_project(run, folder):
    ended = run("score", "-r", "ref.en", "-m", "bleu", "--record", "neural.en")
    assert ended.code == 0
    assert "neural" in ended.out
    assert ended.err == "adjudge: recorded as 1 in .adjudge/history.db\n"
    (record,) = kept()
    assert (record.systems, record.command, record.revision.commit) == (("neural",), "score", None)
    assert (folder / ".adjudge" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    "given",
    [
        ["--record", "own.db"],
        ["--record=own.db"],
        ["--record", "sqlite:///own.db"],
        ["--record=sqlite:///own.db"],
        ["--record=own.db", "--record-as", "v1"],
    ],
)
def test_record_with_a_place_keeps_it_there(run, folder, given):
    assert run("score", "-r", "ref.en", "-m", "bleu", *given, "neural.en").code == 0
    assert [record.systems for record in kept("own.db")] == [("neural",)]
    assert not (folder / ".adjudge").exists()


def test_the_environment_names_a_place(run, folder, monkeypatch):
    monkeypatch.setenv("ADJUDGE_HISTORY", str(folder / "shared.db"))
    assert run("score", "-r", "ref.en", "-m", "bleu", "neural.en", "--record-as", "v1").code == 0
    assert "v1" in run("history", "list").out
    assert kept("shared.db")[0].label == "v1"


def test_what_is_typed_after_record_is_an_output_unless_it_is_a_database(run):
    assert run("score", "-r", "ref.en", "-m", "bleu", "--record", "neural.en", "worse.en").code == 0
    assert kept()[0].systems == ("neural", "worse")
    assert run("score", "-r", "ref.en", "-m", "bleu", "neural.en", "--record").code == 0
    assert len(kept()) == 2


def test_compare_gate_and_studies_record_too(run, folder, monkeypatch):
    assert run("compare", "-r", "ref.en", "-m", "bleu", *FEW, "neural.en", "worse.en", "--record").code == 0
    assert run("score", "-r", "ref.en", "-m", "bleu", "--save", "run.json", "neural.en").code == 0
    failed = run("gate", "--against", "run.json", "neural=worse.en", "--record-as", "bad")
    assert failed.code == 3
    assert "recorded as 2 (bad)" in failed.err
    study = PROJECT / "examples" / "study" / "study.toml"
    assert run("study", "run", study, "-m", "chrf", *FEW, "--resamples", "50", "--record", "-q").code == 0
    assert run("score", study, "-m", "chrf", "--record", "-q").code == 0
    assert [record.command for record in kept()] == ["compare", "gate", "study run", "score"]
    assert kept()[0].scores[0].low is not None
    refused = run("gate", "--against", "run.json", study, "--record")
    assert refused.code == 2
    assert "adjudge study run" in refused.err


def test_a_place_that_cannot_be_used_is_refused_before_anything_is_scored(run, folder):
    (folder / "own.db").write_text("this is a file of somebody else, who wants to keep it\n" * 20)
    ended = run("score", "-r", "none.en", "--record=own.db", "neural.en")
    assert (ended.code, ended.out) == (1, "")
    assert "no database of histories but another file" in ended.err


@pytest.mark.parametrize(("kind", "code"), [(Unavailable, 1), (ValueError, 70)])
def test_a_result_that_cannot_be_kept_is_shown_all_the_same(run, monkeypatch, kind, code):
    def full(*_, **__):
        raise kind("the database cannot be used now: database or disk is full")

    monkeypatch.setattr(History, "add", full)
    ended = run("score", "-r", "ref.en", "-m", "bleu", "--record", "--save", "run.json", "neural.en")
    assert ended.code == code
    assert ended.out.startswith("System")
    assert "disk is full" in ended.err
    assert os.path.exists("run.json")


def test_an_output_is_never_written_over_the_history(run):
    assert run("score", "-r", "ref.en", "-m", "bleu", "--record", "neural.en").code == 0
    ended = run("history", "-o", ".adjudge/history.db")
    assert ended.code == 2
    ended = run("score", "-r", "ref.en", "-m", "bleu", "--record", "-o", ".adjudge/history.db", "neural.en")
    assert (ended.code, len(kept())) == (2, 1)


def test_a_line_of_three_versions(run):
    for label, name in (("v1", "neural"), ("v2", "same"), ("v3", "worse")):
        assert (
            run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record-as", label, f"neural={name}.en").code
            == 0
        )
    ended = run("history", *FEW)
    assert ended.code == 0
    assert "neural by BLEU ↑ on ref, 40 segments" in ended.out
    assert "unchanged" in ended.out
    assert "- v3 (#3): WORSE than v2 (#2)" in ended.out
    assert run("history", "draw", *FEW).out == ended.out
    found = json.loads(run("history", *FEW, "-f", "json").out)
    assert [v["label"] for v in found["lines"][0]["versions"]] == ["v1", "v2", "v3"]
    assert found["regressions"] == [{"test_set": "ref", "system": "neural", "metric": "bleu", "record": 3}]
    lines = run("history", *FEW, "-f", "tsv").out.splitlines()
    assert len(lines) == 4
    assert lines[0].split("\t")[:4] == ["test_set", "system", "metric", "record"]
    assert "| v3 (#3) |" in run("history", *FEW, "-f", "markdown").out


def test_regressions_end_with_three(run):
    for name in ("neural", "worse"):
        run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", f"neural={name}.en")
    ended = run("history", "regressions", *FEW)
    assert ended.code == 3
    assert "1 step for the worse on 1 line, significantly." in ended.out
    ended = run("history", "regressions", *FEW, "--tolerance", "1000")
    assert ended.code == 0
    assert "No evidence of a step for the worse by 1000 or more (1 smaller) on 1 line." in ended.out
    assert "#2: worse than #1, within the tolerance (" in run("history", *FEW, "--tolerance", "1000").out
    page = run("history", *FEW, "--tolerance", "1000", "-f", "html").out
    assert "Significant: 1 step for the worse within the tolerance, on 1 line." in page
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", "neural=neural.en")
    assert run("history", "regressions", *FEW, "--last", "2").code == 0
    assert "No evidence of a step for the worse" in run("history", "regressions", *FEW, "--last", "2").out
    assert run("history", "regressions", *FEW).code == 3


def test_regressions_say_what_would_have_been_caught_and_what_is_spent(run):
    for name in ("worse", "neural"):
        run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", f"neural={name}.en")
    strict = ("history", "regressions", "--alpha", "0.00001", "--trials", "20000")  # fewer than it would take
    step = json.loads(run(*strict, "-f", "json").out)["lines"][0]["versions"][1]["step"]
    assert (step["look"], step["verdict"]) == (1, "same")
    out = " ".join(run(*strict).out.split())
    size = f"{step['detectable']:.1f}"
    assert (
        f"neural by BLEU: no evidence of a drop in #2; a drop of {size} would have been caught by now" in out
    )
    assert "alpha 1e-05 for all looks that there will ever be (9.1e-07 spent in 1 look)" in out
    assert ("one in five such changes is missed" in out) == (abs(step["delta"]) >= step["detectable"])


@pytest.mark.parametrize(("delta", "why"), [(-0.3, False), (-1.25, True)])
def test_a_change_as_large_as_what_would_be_caught_says_why_it_was_not(delta, why):
    step = Step(1, delta, 0.06, 0.06, "same", look=1, detectable=1.0)
    version = Version(SimpleNamespace(id=2), "new", 0.0, 30.0, 29.0, 31.0, 1, 0, step)
    line = HistoryLine("set", "neural", "bleu", "BLEU", True, 1, 200, (version,))
    sentence = line.caught_sentence()
    assert "a drop of 1.0 would have been caught by now with 80 % probability" in sentence
    assert ("(the change seen is 1.2, but one in five such changes is missed)" in sentence) == why


def test_nothing_has_changed_only_where_nothing_has(run, folder):
    def said(*metric):
        return " ".join(run("history", *FEW, *metric).out.split())

    for name in ("neural", "same"):
        run("score", "-r", "ref.en", "-m", "bleu,length-ratio", "-q", "--record", f"neural={name}.en")
    assert "Nothing has changed." in said("-m", "bleu")
    assert "changed" not in said("-m", "length-ratio")
    (folder / "ref.en").write_text((folder / "worse.en").read_text())
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", "neural=neural.en")
    assert "the line breaks" in said("-m", "bleu")
    assert "Nothing has changed." not in said("-m", "bleu")


def test_the_unit_is_the_one_that_was_drawn(run):
    with History.open(".adjudge/history.db", create=True) as history:
        for every in (9, 2):
            made = evaluation([output(every)], metrics=("bleu",))
            scores = tuple(score._replace(level="window:3") for score in made.scores)
            history.add(replace(made, scores=scores), command="score")
    assert "unit document" in " ".join(run("history", *FEW).out.split())
    assert json.loads(run("history", *FEW, "-f", "json").out)["test"]["units"] == ["document"]


def test_a_diff_shows_segments_and_their_texts(run):
    run("score", "-r", "ref.en", "-m", "chrf", "-q", "--record-as", "v1", "neural.en")
    run("score", "-r", "ref.en", "-m", "chrf", "-q", "--record-as", "v2", "neural=worse.en")
    ended = run("history", "diff", "v1", *FEW, "--top", "1")
    assert ended.code == 0
    assert "From neural (record 1) to neural (record 2)" in ended.out
    assert sum(f"reference: {line}" in ended.out for line in LINES) == 1
    assert run("history", "diff", "v1", "last", *FEW, "--top", "1").out == ended.out
    found = json.loads(run("history", "diff", "v1", "v2", *FEW, "-f", "json").out)
    assert found["systems"][0]["counts"]["worse"] == 10
    assert run("history", "diff", "v1", "v2", *FEW, "-f", "tsv").out.count("\n") == 11
    assert "<!doctype html>" in run("history", "diff", "v1", "v2", *FEW, "-f", "html").out


def test_export_writes_what_save_would_have_written(run, folder):
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", "--save", "saved.json", "neural.en")
    assert run("history", "export", "last", "-o", "again.json").code == 0
    assert (folder / "again.json").read_bytes() == (folder / "saved.json").read_bytes()
    assert run("verify", "again.json").code == 0
    assert json.loads(run("history", "export").out)["records"][0]["record"] == 1
    assert run("history", "export", "-f", "openmetrics").out.endswith("# EOF\n")
    assert run("history", "export", "last", "-f", "tsv").code == 2
    assert run("history", "export", "-f", "xml").code == 2


def test_saved_files_are_added_with_their_time(run):
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--save", "a.json", "neural.en")
    os.utime("a.json", (1.6e9, 1.6e9))
    assert run("history", "add", "a.json").code == 0
    ended = run(
        "history", "add", "a.json", "--record-as", "v2", "--made", "2026-03-01", "--revision", "abcd" * 10
    )
    assert (ended.code, ended.err) == (0, "adjudge: a.json is record 2 of .adjudge/history.db\n")
    first, second = kept()
    assert (first.made, second.made, second.label) == (1.6e9, 1772323200.0, "v2")
    assert run("history", "show", "abcdabcd").out.startswith("Record 2")
    assert run("history", "add", "a.json", "--made", "soon").code == 2
    assert run("history", "add", "a.json", "a.json", "--record-as", "x").code == 2
    assert run("history", "add", "none.json").code == 1


def test_records_are_deleted(run):
    for name in ("neural", "worse"):
        run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", f"neural={name}.en")
    assert run("history", "delete", "last", "2").err == "adjudge: deleted 1 record of .adjudge/history.db\n"
    assert [record.id for record in kept()] == [1]
    assert run("history", "delete", "7").code == 2


def test_without_a_history_it_is_said_how_to_begin_one(run):
    for command in ((), ("list",), ("show",), ("diff", "1"), ("export",), ("delete", "1")):
        ended = run("history", *command)
        assert (ended.code, ended.out) == (1, "")
        assert "--record" in ended.err


def test_the_revision_of_a_project_is_recorded(run, folder):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *command], check=True)
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", "neural.en")
    (folder / "neural.en").write_text("\n".join(output(3).segments) + "\n")
    run("score", "-r", "ref.en", "-m", "bleu", "-q", "--record", "neural.en")
    first, second = kept()
    assert (first.revision.branch, first.revision.changed, second.revision.changed) == ("main", False, True)
    assert second.short_revision == f"{first.revision.commit[:9]}+"
    assert "with changes that were not committed" in run("history", "show").out
    assert run("history", "show", first.revision.commit[:8]).out.startswith("Record 2")


def test_names_do_not_become_markup_on_the_page(run):
    with History.open("own.db", create=True) as history:
        for every in (4, 2):
            recorded(history, output(every, NASTY), label=f"{NASTY}{every}", metrics=("bleu",))
    assert run("history", "--history", "own.db", *FEW, "-o", "history.html").code == 0
    with open("history.html", encoding="utf-8") as file:
        page = file.read()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "significantly worse" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_what_is_read_in_chunks_is_recorded_too(run, command):
    ended = run(command, "--stream", "-r", "ref.en", "-m", "bleu", "neural.en", "worse.en", "--record")
    assert ended.code == 0, ended.err
    assert len(kept()) == 1


def test_a_command_that_fails_leaves_no_empty_history(run, folder):
    """Neither in a file of its own nor in the project's folder."""
    for place in ("--record=own.db", "--record"):
        ended = run("score", "-r", "none.en", place, "neural.en")
        assert (ended.code, ended.out) == (1, "")
        assert not (folder / "own.db").exists()
        assert not (folder / ".adjudge").exists()
    ended = run("score", "-r", "ref.en", "-m", "bleu", "--record=none/own.db", "neural.en")
    assert ended.code == 1
    assert "none" in ended.err
    assert ended.out == ""


def test_a_database_with_flipped_bits_is_refused_in_one_line_or_read(run, folder):
    place = folder / "history.db"
    with History.open(str(place), create=True) as history:
        for number, every in enumerate((3, 4, 2)):
            recorded(history, output(every), made=1e9 + 1e6 * number, label=f"v{number}", commit="a" * 40)
    whole = place.read_bytes()
    commands = [
        line.split()
        for line in (
            "list",
            "list -f json",
            "show v1",
            "draw",
            "diff v0 v1",
            "regressions",
            "export v2",
            "export -f tsv",
            "export -f openmetrics",
            "delete v0",
        )
    ]
    draws, refused = random.Random(70), 0
    for flips in (1, 2, 8, 40) * 12:
        data = bytearray(whole)
        for _ in range(flips):
            data[draws.randrange(len(data))] ^= 1 << draws.randrange(8)
        for command in draws.sample(commands, 3):
            place.write_bytes(data)
            ended = run("history", *command, "--history", place)
            assert ended.code in (0, 1, 3), (command, flips, ended)
            assert ended.code != 1 or ended.err.count("\n") == 1, (command, ended.err)
            refused += ended.code == 1
    assert refused > 50  # the flips are seen


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE scores SET segments = 'many'",
        "UPDATE scores SET score = 9e999",
        "UPDATE scores SET system = x'ff'",
        "UPDATE records SET made = 1e300",
        "UPDATE records SET made = 'today'",
        "UPDATE records SET command = x'07'",
        "UPDATE contents SET data = 'text'",
        "UPDATE contents SET hash = 'x' || hash",
        "UPDATE row_sets SET segments = -1",
        "UPDATE row_sets SET columns = 'x'",
        "UPDATE history_version SET number = 'one'",
        "DELETE FROM contents",
    ],
)
def test_a_database_with_other_values_is_refused_in_one_line(run, folder, change):
    place = folder / "history.db"
    with History.open(str(place), create=True) as history:
        recorded(history, output(3), label="v1")
        recorded(history, output(4), label="v2")
    connection = sqlite3.connect(place)
    connection.execute("PRAGMA writable_schema = ON")
    if "history_version" in change:
        connection.execute("DROP TABLE history_version")
        connection.execute("CREATE TABLE history_version (number)")
        connection.execute("INSERT INTO history_version VALUES (1)")
    connection.execute(change)
    connection.commit()
    connection.close()
    ended = run("history", "export", "v1", "--history", place)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1), ended
    assert "history.db is damaged" in ended.err
