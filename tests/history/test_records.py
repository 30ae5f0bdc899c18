"""What was recorded comes back as it was, on SQLite and on PostgreSQL alike."""

import json
import math
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import adjudge
from adjudge.comparison.groups import labels_of
from adjudge.database.files import shown_address
from adjudge.database.problems import StoreError, Unavailable
from adjudge.errors import UsageError
from adjudge.history import evaluations, stored
from adjudge.history.connection import VERSION_TABLE
from adjudge.history.looks import GateQuestion, take_look
from adjudge.history.records import History
from adjudge.stats.looks import Look
from conftest import PROJECT
from helpers import histories
from helpers.histories import SET, output, recorded


def contents(history):
    with history._database.reading() as execute:
        return {key for (key,) in execute("SELECT hash FROM contents")}


def test_what_was_recorded_comes_back(history):
    number = recorded(history, output(3), output(5, "other"), label="v1", commit="ab" * 20, made=1.5e9)
    (record,) = history.records()
    assert (record.id, record.label, record.made, record.command) == (number, "v1", 1.5e9, "score")
    assert (record.revision.commit, record.version) == ("ab" * 20, adjudge.__version__)
    assert (record.systems, record.metrics, record.test_sets) == (
        ("neural", "other"),
        ("bleu", "ter"),
        ("news",),
    )
    made = histories.evaluation((output(3), output(5, "other")))
    assert record.scores == made.scores
    assert history.evaluation(record) == made
    assert history.labels(record)["document"] == list(SET.labels["document"])


def test_a_record_is_the_saved_file_to_the_byte(history, tmp_path):
    scores = adjudge.score(SET, [output(3), output(4, "b", run="1"), output(5, "b", run="2")], rows=True)
    recorded(history, output(1))  # another record shares its contents
    history.add(evaluations.of_scores(scores), command="score")
    made = evaluations.score_document(scores, version=adjudge.__version__)
    rows = stored.rows_of(scores)
    stored.write(str(tmp_path / "saved.json"), made, rows, labels_of(SET, ("length",)))
    text = evaluations.text_of(history.evaluation(history.find("last")))
    assert text == (tmp_path / "saved.json").read_text()


@pytest.mark.parametrize("kind", ["compare", "study"])
def test_files_of_comparisons_and_studies_come_back_too(history, tmp_path, kind, monkeypatch):
    from adjudge.cli import main

    monkeypatch.chdir(PROJECT)
    systems = ["-r", "examples/reference.en", "examples/systems/neural.en", "examples/systems/rulebased.en"]
    given = (
        ["compare", *systems, "-m", "chrf"]
        if kind == "compare"
        else ["study", "run", "examples/study/study.toml"]
    )
    few = ["--trials", "50", "--resamples", "50", "-q", "-o", str(tmp_path / "out.txt")]
    assert main([*given, *few, "--save", str(tmp_path / "run.json")]) == 0
    history.add(evaluations.of_file(str(tmp_path / "run.json")), command="add")
    evaluation = history.evaluation(history.find("last"))
    assert evaluations.text_of(evaluation) == (tmp_path / "run.json").read_text()
    assert all(score.by_metric for score in evaluation.scores)
    assert bool(evaluation.study) == (kind == "study")


def test_a_file_that_was_changed_does_not_become_history(tmp_path):
    scores = adjudge.score(SET, [output(3)], "bleu", rows=True)
    document = evaluations.score_document(scores, version="0.1.0")
    document["results"][0]["score"] += 1
    stored.write(str(tmp_path / "run.json"), document, stored.rows_of(scores), {})
    with pytest.raises(adjudge.AdjudgeError, match="the file was changed"):
        evaluations.of_file(str(tmp_path / "run.json"))


def test_the_same_content_is_kept_once_and_goes_with_its_last_record(history):
    recorded(history, output(3))
    before = contents(history)
    recorded(history, output(3))
    assert contents(history) == before  # the document too: nothing in it tells when it was made
    recorded(history, output(3), output(5, "other"))
    more = contents(history)
    assert len(more) == len(before) + 3  # a document, and the rows of two metrics
    history.delete([history.find("last")])
    assert contents(history) == before
    history.delete(history.records())
    assert contents(history) == set()
    assert recorded(history, output(3)) == 4  # a number is never given twice


def test_scores_without_rows_are_refused():
    with pytest.raises(UsageError, match="rows=True"):
        evaluations.of_scores(adjudge.score(SET, [output(3)]))


def test_records_have_names(history):
    for place, label in enumerate(["v1", None, "v1", "release/2"]):
        recorded(
            history,
            output(3),
            label=label,
            commit=f"{place}abc" + "0" * 36,
            made=100 - place if place == 3 else place,
        )
    names = {"1": 1, "#2": 2, "v1": 3, "release/2": 4, "1abc": 2, "2abc00": 3, "3ABC0": 4, "2abc+": 3}
    names |= {"last": 4, "last~1": 3, "last~3": 1}
    assert {name: history.find(name).id for name in names} == names
    for name, match in {
        "last~4": "only 4 records",
        "17": "numbers go from 1 to 4",
        "v9": "give its number, label or revision",
        "ffff": "give its number, label or revision",
    }.items():
        with pytest.raises(UsageError, match=match):
            history.find(name)


def test_a_revision_that_two_begin_with_is_refused(history):
    for commit in ("abcd" + "0" * 36, "abcd" + "1" * 36):
        recorded(history, output(3), commit=commit)
    with pytest.raises(UsageError, match="more than one revision"):
        history.find("abcd")


@pytest.mark.parametrize("label", ["last", "last~2", "12", "#3", "", " ", "x" * 201])
def test_labels_that_could_not_be_asked_for_are_refused(history, label):
    with pytest.raises(UsageError):
        recorded(history, output(3), label=label)
    assert history.records() == []


def test_what_no_database_can_keep_is_refused_by_its_name(history):
    with pytest.raises(StoreError, match="the system: character 2 is NUL"):
        recorded(history, output(3, "a\0b"))
    with pytest.raises(StoreError, match=r"the label of a record: .* half of a surrogate pair"):
        recorded(history, output(3), label="\udc80")
    with pytest.raises(StoreError, match=r"the revision: .* half of a surrogate pair"):
        recorded(history, output(3), commit="\udcff")
    with pytest.raises(StoreError, match="the run: character 1 is half of a surrogate pair"):
        recorded(history, output(3, run="\udcff"), output(3, run="2"))
    assert history.records() == []


def test_a_record_that_fails_in_the_middle_leaves_nothing(history):
    made = histories.evaluation([output(3)])
    broken = (
        [*made.rows[:1], made.rows[1]._replace(columns="many")] if history._database.file is None else None
    )
    if broken is None:  # SQLite takes any value: a row too many for its place instead
        broken = [made.rows[0], made.rows[1]._replace(test_set=None)]
    from dataclasses import replace

    with pytest.raises(Unavailable):
        history.add(replace(made, rows=tuple(broken)), command="score")
    assert history.records() == []
    assert contents(history) == set()


def test_content_that_was_changed_is_noticed(history):
    recorded(history, output(3))
    with history._database.writing() as execute:
        (key, data), *_ = execute("SELECT hash, data FROM contents JOIN row_sets ON hash = content")
        execute("UPDATE contents SET data = ? WHERE hash = ?", (data[:-1] + bytes([data[-1] ^ 1]), key))
    with pytest.raises(StoreError, match="is not as it was written"):
        history.lines()


CHANGES = (
    *(f"scores SET {column} = {column} + 7" for column in ("score", "segments", "place")),
    *(f"scores SET {column} = {column} || 'x'" for column in ("system", "run", "metric", "fingerprint")),
    "scores SET higher_is_better = 1 - higher_is_better",
    "scores SET low = 1",
    *(f"records SET {column} = {column} || 'x'" for column in ("label", "command", "version", "revision")),
    "records SET made = made + 1",
    "records SET labels = document",
    "records SET checksum = 'other'",
    *(f"row_sets SET {column} = {column} || 'x'" for column in ("system", "run", "metric", "test_set")),
    "row_sets SET content = (SELECT document FROM records WHERE id = row_sets.record)",
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_valid_value_that_was_changed_is_noticed_and_the_record_named(file, change):
    with History.open(file, create=True) as history:
        for number in range(2):
            recorded(history, output(3), commit="ab" * 20, label=f"v{number}")
        with history._database.writing() as execute:
            key = "id" if change.startswith("records") else "record"
            execute(f"UPDATE {change} WHERE {key} = 2")
        with pytest.raises(StoreError, match=r"history\.db is damaged: record 2 .*adjudge history delete 2"):
            history.records()
        with pytest.raises(StoreError, match="record 2"):
            history.find("1")
        history.delete([history.find("2", damaged=True)])
        assert [record.label for record in history.records()] == ["v0"]


def test_a_score_that_is_missing_is_noticed(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3))
        with history._database.writing() as execute:
            execute("DELETE FROM scores WHERE place = 1")
        with pytest.raises(StoreError, match="record 1 is not as it was written"):
            history.records()


def as_version_1(place):
    """What an earlier adjudge would have written."""
    connection = sqlite3.connect(place)
    with connection:
        connection.execute("ALTER TABLE records DROP COLUMN checksum")
        connection.execute("DROP TABLE looks")
        connection.execute(f"DELETE FROM {VERSION_TABLE} WHERE number > 1")
    connection.close()


def test_a_history_of_version_1_loses_nothing(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3), label="old")
        before = [history.evaluation(record) for record in history.records()]
    as_version_1(file)
    with History.open(file, writes=True) as history:
        assert [history.evaluation(record) for record in history.records()] == before
        recorded(history, output(4), label="new")
        with history._database.writing() as execute:
            execute("UPDATE scores SET score = score + 1 WHERE record = 1")
        assert len(history.records()) == 2, "without a checksum it is read as before"
        with history._database.writing() as execute:
            execute("UPDATE scores SET score = score + 1 WHERE record = 2")
        with pytest.raises(StoreError, match="record 2 is not as it was written"):
            history.records()


def test_a_history_of_version_1_that_may_only_be_read_is_read(file, monkeypatch):
    with History.open(file, create=True) as history:
        recorded(history, output(3))
    as_version_1(file)
    real = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode, **more: not mode & os.W_OK and real(path, mode, **more)
    )
    with History.open(file) as history:
        assert len(history.records()) == 1
        assert history._database.version == 1


def test_a_bit_flipped_in_a_number_of_a_file_is_noticed(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3))
        (record,) = history.records()
    data = bytearray(Path(file).read_bytes())
    place = data.index(struct.pack(">d", record.scores[0].score))
    data[place + 7] ^= 1  # the last bit: the score is as valid as it was
    Path(file).write_bytes(data)
    with History.open(file) as history, pytest.raises(StoreError, match="record 1 is not as it was written"):
        history.records()


def test_rows_whose_content_is_lost_are_not_left_out(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3))
        (record,) = history.records()
        lost = history.contents()[1, "news", "neural", "bleu"][0]
        connection = history._database._connection
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("UPDATE contents SET hash = 'x' || hash WHERE hash = ?", (lost,))
        with pytest.raises(StoreError, match=f"content {lost[:12]} is not as it was written"):
            history.evaluation(record)


def test_a_database_of_a_newer_version_is_left_alone(empty):
    with History.open(empty, create=True) as history, history._database.writing() as execute:
        execute(f"INSERT INTO {VERSION_TABLE} VALUES (99)")
    with pytest.raises(StoreError, match=r"newer adjudge .its version 99"):
        History.open(empty)


def test_another_programs_database_is_left_alone(empty):
    with History.open(empty, create=True) as history, history._database.writing() as execute:
        execute(f"ALTER TABLE {VERSION_TABLE} RENAME TO other")
    with pytest.raises(StoreError, match=r"holds other tables .*one of their own"):
        History.open(empty, create=True)


def test_a_database_of_campaigns_is_none_of_a_history(database):
    with pytest.raises(StoreError, match="holds other tables"):
        History.open(database, create=True)


def test_the_address_is_shown_without_its_password():
    assert shown_address("postgresql://anna:secret@host:5432/db?x=1") == "postgresql://anna@host:5432/db"
    assert shown_address("postgresql://h/d?user=u&password=secret") == "postgresql://h/d"
    assert shown_address("postgresql://h/d?password=secret@secret") == "postgresql://…"
    with pytest.raises(Unavailable) as told:
        History.open("postgresql://anna:secret@127.0.0.1:1/none")
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("place", "match"),
    [
        ("postgresql+psycopg2://me:secret@h/d", "other databases are not supported"),
        ("postgressql://me:secret@h/d", "other databases are not supported"),
        ("postgresql://me:secret%@127.0.0.1:1/d", "%40 for @"),
        ("postgresql://me:x@secret@127.0.0.1:1/d", "%40 for @"),
        ("postgresql://me:secret/x@127.0.0.1:1/d", "%40 for @"),
        ("postgresql://127.0.0.1:1/d?password=x&secret", "%40 for @"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_its_password(place, match):
    with pytest.raises(UsageError, match=match) as told:
        History.open(place)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("place", "match"),
    [
        ("mysql://host/db", "other databases are not supported"),
        ("", "the name of the database is empty"),
        (":memory:", "would keep nothing"),
        ("sqlite:///x.db?mode=ro", "nothing more"),
    ],
)
def test_places_that_are_none(place, match):
    with pytest.raises(UsageError, match=match):
        History.open(place, create=True)


class TestFile:
    """What may be the matter with a file of SQLite's."""

    def test_its_name_is_not_of_utf_8(self, tmp_path):
        place = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db")
        with History.open(place, create=True) as history:
            recorded(history, output(3))
            assert history.name.endswith("\ufffd.db")
        with History.open(place) as history:
            assert len(history.records()) == 1

    def test_there_is_none(self, file):
        with pytest.raises(StoreError, match=r"there is no database .*--record"):
            History.open(file)

    def test_nothing_was_ever_recorded(self, file, tmp_path):
        (tmp_path / "history.db").touch()
        with pytest.raises(StoreError, match="is empty: nothing was ever recorded"):
            History.open(file)

    def test_it_is_another_file(self, file, tmp_path):
        (tmp_path / "history.db").write_text("no database\n" * 100)
        with pytest.raises(StoreError, match="no database of histories but another file"):
            History.open(file, create=True)
        assert (tmp_path / "history.db").read_text().startswith("no database")

    def test_it_is_damaged(self, file, tmp_path):
        with History.open(file, create=True) as history:
            for every in range(1, 8):
                recorded(history, output(every))
        data = bytearray((tmp_path / "history.db").read_bytes())
        data[4096 : len(data) - 4096] = b"\xaa" * (len(data) - 8192)
        (tmp_path / "history.db").write_bytes(bytes(data))
        with pytest.raises(StoreError, match=r"damaged.*\.recover"), History.open(file) as history:
            history.records()

    def test_the_disk_is_full(self, file):
        with History.open(file, create=True) as history:
            recorded(history, output(3))
            execute = history._database._connection.execute
            pages = execute("PRAGMA page_count").fetchone()[0]
            execute(f"PRAGMA max_page_count = {pages + 1}")
            many = [output(every, f"system {every}") for every in range(4, 40)]
            with pytest.raises(Unavailable, match="cannot be used now: database or disk is full"):
                recorded(history, *many)
            execute("PRAGMA max_page_count = 1000000")
            whole = history.records()
            assert {len(history.evaluation(record).rows) for record in whole} == {
                2,
                *([6] * (len(whole) > 1)),
            }

    def test_it_may_only_be_read(self, file, monkeypatch):
        with History.open(file, create=True) as history:
            recorded(history, output(3))
        real = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode, **more: not mode & os.W_OK and real(path, mode, **more)
        )
        with History.open(file) as history:
            assert len(history.records()) == 1
            with pytest.raises(Unavailable, match="readonly"):
                recorded(history, output(4))
        with pytest.raises(StoreError, match="may not be written by this user"):
            History.open(file, create=True)

    def test_nothing_lies_beside_it_once_it_is_closed(self, file, tmp_path):
        with History.open(file, create=True) as history:
            recorded(history, output(3))
        assert [path.name for path in tmp_path.iterdir()] == ["history.db"]
        assert os.stat(file).st_mode & 0o077 == 0

    def test_nobody_else_opens_it_meanwhile(self, file):
        with History.open(file, create=True), pytest.raises(StoreError, match="is a database in use"):
            open(file, "rb")  # noqa: SIM115
        open(file, "rb").close()

    def test_a_fork_does_not_use_what_it_inherited(self, file):
        with History.open(file, create=True) as history:
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    history.records()
                except StoreError as error:
                    code = 0 if "forked" in str(error) else 2
                os._exit(code)
            assert os.waitpid(child, 0)[1] == 0
            assert history.records() == []


WRITER = """
import sys
from adjudge.history.records import History
from helpers.histories import output, recorded
for number in range(int(sys.argv[2])):
    with History.open(sys.argv[1], create=True) as history:
        recorded(history, output(1 + number % 9), label=f"{sys.argv[3]}-{number}")
    print(number, flush=True)
"""


def writer(place, times, name):
    path = os.pathsep.join([str(PROJECT / "tests"), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), place, str(times), name],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_several_processes_record_at_once_and_one_is_killed(empty):
    """Nothing is torn, nothing of the others is lost, and all that was acknowledged is there."""
    others = [writer(empty, 6, name) for name in ("a", "b")]
    killed = writer(empty, 100_000, "killed")
    acknowledged = [killed.stdout.readline() for _ in range(3)]
    for _ in range(5):  # whoever looks meanwhile sees whole records only
        with History.open(empty) as history:
            assert {len(history.evaluation(record).rows) for record in history.records()} == {2}
    killed.send_signal(signal.SIGKILL)
    rest = killed.communicate()[0].split()
    assert [(own.communicate()[0].count("\n"), own.returncode) for own in others] == [(6, 0)] * 2
    with History.open(empty, writes=True) as history:
        records = history.records()
        by_name = {name: [r.label for r in records if r.label.startswith(f"{name}-")] for name in ("a", "b")}
        assert by_name == {name: [f"{name}-{k}" for k in range(6)] for name in ("a", "b")}
        of_killed = [r for r in records if r.label.startswith("killed")]
        assert len(acknowledged) + len(rest) <= len(of_killed) <= len(acknowledged) + len(rest) + 1
        for record in records:
            assert len(history.evaluation(record).rows) == len(record.scores) == 2
        recorded(history, output(3))
        if history._database.file is not None:
            checked = history._database._connection.execute("PRAGMA integrity_check").fetchall()
            assert checked == [("ok",)]
            assert history._database._connection.execute("PRAGMA foreign_key_check").fetchall() == []


LOOKERS = """
import os, sys
from adjudge.history.looks import GateQuestion, take_look
waiting, begin = os.pipe()
for name in range(10):
    if os.fork() == 0:
        os.close(begin)
        os.read(waiting, 1)  # until the other end is closed
        looks = [take_look(sys.argv[1], GateQuestion("base", f"{name}-{k}")).number for k in range(5)]
        os.write(1, (" ".join(map(str, looks)) + " ").encode())
        os._exit(0)
os.close(begin)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
"""
"""Ten processes that have loaded everything before they begin, all at once; a process of its own has no threads."""


def test_looks_of_ten_processes_at_once_are_all_counted_once(empty):
    done = subprocess.run([sys.executable, "-c", LOOKERS, empty], capture_output=True, text=True, check=True)
    numbers = [int(number) for number in done.stdout.split()]
    assert sorted(numbers) == list(range(1, 51))
    assert math.fsum(Look(number).share for number in numbers) == pytest.approx(Look(50).spent)


def test_a_record_says_which_look_at_what_it_was():
    document = GateQuestion("base", "q").as_document(Look(3))
    assert document == {"baseline": "base", "question": "q", "look": 3}


def test_a_look_that_was_changed_is_noticed(empty):
    assert take_look(empty, GateQuestion("base", "q")).number == 1
    assert take_look(empty, GateQuestion("base", "q")).number == 1
    with History.open(empty, writes=True) as history, history._database.writing() as execute:
        execute("UPDATE looks SET number = 0")
    with pytest.raises(StoreError, match=r"damaged.*: look 0 at baseline base is not as it was written"):
        take_look(empty, GateQuestion("base", "other"))


def test_the_driver_is_new_enough():
    """ON CONFLICT and RETURNING."""
    assert sqlite3.sqlite_version_info >= (3, 35)


def test_a_list_unpacks_no_rows_and_loads_no_numpy(file):
    with History.open(file, create=True) as history:
        recorded(history, output(3))
    program = "import sys; from adjudge.cli import main; code = main(sys.argv[1:])\n"
    program += (
        "print([name for name in ('numpy', 'scipy', 'sqlalchemy', 'rich.console') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "history", "list", "--history", file],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "neural" in done.stdout
    assert json.loads(
        subprocess.check_output([sys.executable, "-m", "adjudge", "history", "export", "--history", file])
    )
