"""Work for a crowd from the command line: rows for a marketplace, and its results back."""

import csv
import io
import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.crowd import STATES, completion_code, worker_name
from adjudge.campaigns.crowd_display import MEANINGS
from adjudge.campaigns.store import CampaignStore, campaigns, completions, next_hit, people, upkeep
from helpers import served


@pytest.fixture
def crowd(database):
    """Two hits for two workers each, in a database of either kind; `W1` and `W2` are done with the first."""
    store = CampaignStore.open(database)
    made = served.make_crowd(store, hits=2, copies=2)
    for worker, passed in (("W1", True), ("W2", False)):
        who = people.find_or_add_visitor(
            store, made.kept, "crowd", worker_name(made.kept.secret, worker), worker
        )
        next_hit.take_hit(store, made.kept, who, "hit-0001")
        completions.first_verdict(store, made.kept, who, "hit-0001", lambda passed=passed: passed)
    yield made
    store.close()


@pytest.fixture
def human(run, database):
    """A command on that database."""

    def call(command, *arguments):
        return run("human", command, *map(str, arguments), "--database", database)

    return call


def code(crowd, worker, hit="hit-0001", passed=True):
    return completion_code(crowd.kept.secret, worker_name(crowd.kept.secret, worker), hit, passed=passed)


def batch(path, rows, header=("HITId", "AssignmentId", "WorkerId", "Input.hit", "Answer.surveycode")):
    """Results as Mechanical Turk writes them."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(header)
        writer.writerows(("3XYZ", *row) if header[0] == "HITId" else row for row in rows)
    return path


@pytest.fixture
def results(crowd, tmp_path):
    rows = [
        ("A1", "W1", "hit-0001", code(crowd, "W1")),
        ("A2", "W2", "hit-0001", code(crowd, "W2", passed=False)),
        ("A3", "W3", "hit-0001", code(crowd, "W1")),
        ("A4", "W4", "hit-0002", "I am done"),
    ]
    return batch(tmp_path / "batch.csv", rows)


def handed_in(crowd):
    return [event for event in upkeep.history(crowd.store, crowd.kept) if event.kind == "handed in"]


def test_hits_are_rows_for_a_marketplace(human, crowd, tmp_path):
    path = tmp_path / "hits.csv"
    result = human("hits", "crowd", "-o", path, "--base-url", "https://judge.example.org/")
    assert (result.code, result.out) == (0, "")
    assert path.stat().st_mode & 0o777 == 0o600  # whoever has a link can answer
    assert "2 hits of 'crowd', 4 assignments in all" in result.err
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert rows == [
        {
            "hit": hit,
            "url": f"https://judge.example.org/join/crowd?hit={hit}",
            "items": "12",
            "assignments": "2",
        }
        for hit in ("hit-0001", "hit-0002")
    ]


def test_hits_that_are_left(human, crowd):
    rows = list(csv.DictReader(io.StringIO(human("hits", "--open", "--worker", "{{%PROLIFIC_PID%}}").out)))
    assert [(row["hit"], row["assignments"]) for row in rows] == [("hit-0002", "2")]
    assert rows[0]["url"].endswith("/join/crowd?hit=hit-0002&workerId={{%PROLIFIC_PID%}}")


def test_what_prolific_fills_in(human, crowd):
    out = human("hits", "--worker", "{{%PROLIFIC_PID%}}", "--session", "{{%SESSION_ID%}}").out
    assert "hit-0002&workerId={{%PROLIFIC_PID%}}&assignmentId={{%SESSION_ID%}}," in out


def test_every_kind_of_result_is_documented():
    page = (Path(__file__).parents[3] / "docs" / "campaigns.md").read_text(encoding="utf-8")
    assert [state for state in STATES if f"`{state}`" not in page] == []
    assert set(MEANINGS) == set(STATES)


def test_a_demo_s_hit_is_nobody_s_work(human, crowd):
    store, kept = crowd.store, crowd.kept
    guest = people.find_or_add_visitor(store, kept, "demo", "demo-1")
    campaigns.extend(store, kept, [served.controlled(guest.name, "demo-1-1")])
    assert "demo" not in human("hits").out


def test_links_for_nobody_are_told(human, crowd):
    assert "nobody else reaches http://127.0.0.1" in human("hits").err


def test_a_campaign_without_a_crowd_has_no_hits(run, tmp_path):
    store = CampaignStore.open(f"sqlite:///{tmp_path}/a.db")
    served.make(store)
    store.close()
    result = run("human", "hits", "--database", str(tmp_path / "a.db"))
    assert result.code == 1
    assert "there is no hit for a crowd (annotators.crowd = true" in result.err


def test_results_come_back(human, crowd, results, tmp_path):
    review = tmp_path / "review.csv"
    result = human("import", "crowd", results, "-o", review, "-f", "json")
    assert review.stat().st_mode & 0o777 == 0o600  # it names workers
    assert result.code == 0, result.err
    document = json.loads(result.out)
    assert [(result["worker"], result["line"], result["state"]) for result in document["results"]] == [
        ("W1", 2, "passed"),
        ("W2", 3, "failed"),
        ("W3", 4, "another's code"),
        ("W4", 5, "no work"),
    ]
    assert {state: n for state, n in document["counts"].items() if n} == {
        "passed": 1,
        "failed": 1,
        "another's code": 1,
        "no work": 1,
    }
    table = list(csv.DictReader(review.read_text(encoding="utf-8").splitlines()))
    assert list(table[0]) == [
        "HITId",
        "AssignmentId",
        "WorkerId",
        "Input.hit",
        "Answer.surveycode",
        "Approve",
        "Reject",
    ]
    assert {row["HITId"] for row in table} == {"3XYZ"}
    assert [row["AssignmentId"] for row in table if row["Approve"] == "x"] == ["A1"]
    assert [row["AssignmentId"] for row in table if row["Reject"]] == ["A2", "A3", "A4"]
    (action,) = handed_in(crowd)
    assert [result["state"] for result in action.detail["results"]] == [
        result["state"] for result in document["results"]
    ]
    written = json.dumps(action.detail)
    assert not any(name in written for name in ("W1", "W2", "A1", "A2"))


def test_columns_to_approve_and_reject_are_filled_where_they_are(human, crowd, tmp_path):
    header = ("WorkerId", "Approve", "Input.hit", "Answer.surveycode", "Reject", "Answer.comment")
    rows = [("W1", "", "hit-0001", code(crowd, "W1"), "", "=1+1")]
    review = tmp_path / "review.csv"
    assert human("import", "crowd", batch(tmp_path / "b.csv", rows, header), "-o", review).code == 0
    (row,) = csv.DictReader(review.read_text(encoding="utf-8").splitlines())
    assert (row["Approve"], row["Reject"], row["Answer.comment"]) == ("x", "", "'=1+1")
    assert len(row) == len(header)


def test_on_a_screen(human, crowd, results):
    out = human("import", "crowd", results).out
    assert "4 results: 1 may be paid" in out
    assert "failed quality control" in out
    assert "W3" in out.partition("To be looked at")[2]
    assert "W1" not in out
    assert human("import", "crowd", results, "-f", "markdown").out.count("|") > 20
    assert human("import", "crowd", results, "-f", "tsv").out.splitlines()[1].endswith("\thit-0001\tpassed")


def test_twice_is_once(human, crowd, results, tmp_path):
    first = human("import", "crowd", results, "-f", "json")
    again = human("import", "crowd", results, "-f", "json")
    assert again.out == first.out
    assert "in the log already" in again.err
    assert len(handed_in(crowd)) == 1
    later = batch(tmp_path / "later.csv", [("A9", "W1", "hit-0001", code(crowd, "W1"))])
    assert json.loads(human("import", "crowd", later, "-f", "json").out)["counts"]["handed in twice"] == 1
    same = batch(tmp_path / "same.csv", [("A1", "W1", "hit-0001", code(crowd, "W1"))])
    assert json.loads(human("import", "crowd", same, "-f", "json").out)["counts"]["passed"] == 1


def test_a_dry_run_writes_nothing_down(human, crowd, results):
    assert "1 may be paid" in human("import", "crowd", results, "--dry-run").out
    assert handed_in(crowd) == []


def test_prolific_names_no_hit(human, crowd, tmp_path):
    header = ("Submission id", "Participant id", "Status", "Completion code")
    path = batch(tmp_path / "prolific.csv", [("S1", "W1", "AWAITING REVIEW", code(crowd, "W1"))], header)
    (result,) = json.loads(human("import", "crowd", path, "-f", "json").out)["results"]
    assert (result["hit"], result["state"], result["assignment"]) == ("hit-0001", "passed", "S1")


def test_results_of_another_campaign(human, crowd, results):
    served.make_crowd(crowd.store, "other")
    counts = json.loads(human("import", "other", results, "-f", "json").out)["counts"]
    assert counts["passed"] == counts["failed"] == 0
    assert human("import", "nix", results).code == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("WorkerId,Input.hit,Answer.surveycode\n", "no result below it"),
        ("WorkerId,Input.hit\nW1,hit-0001\n", "no column of the code"),
        ("a,b\n1,2\n", "no column of the worker"),
        ("WorkerId,hit,code\nW1,hit-0001\n", "line 2: 2 columns"),
        ('{"WorkerId": "W1"}\n', "no column of the worker"),
    ],
)
def test_files_that_are_wrong(human, crowd, tmp_path, content, message):
    path = tmp_path / "wrong.csv"
    path.write_text(content)
    result = human("import", "crowd", path)
    assert (result.code, result.out) == (1, "")
    assert message in result.err
    assert "wrong.csv" in result.err
    assert handed_in(crowd) == []


def test_files_that_are_not_there_or_not_text(human, crowd, tmp_path):
    assert human("import", "crowd", tmp_path / "none.csv").code == 1
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\xd8")
    assert human("import", "crowd", tmp_path / "bytes.csv").code == 1


def test_results_are_not_written_over(human, crowd, results):
    before = results.read_bytes()
    assert human("import", "crowd", results, "-o", results).code == 2
    assert results.read_bytes() == before


def test_hits_of_workers_who_went_away_are_free_again(human, crowd):
    assert human("release", "crowd").code == 2
    assert human("release", "crowd", "hit-0002").code == 1  # nobody has it
    assert "0 hits are free" in human("release", "crowd", "--idle", 1).err
    result = human("release", "crowd", "hit-0001")
    assert (result.code, "1 hit is free again: hit-0001" in result.err) == (0, True)
    rows = list(csv.DictReader(io.StringIO(human("hits", "--open").out)))
    assert [(row["hit"], row["assignments"]) for row in rows] == [("hit-0001", "1"), ("hit-0002", "2")]


def test_from_the_campaign_file_to_the_money(run, database, tmp_path):
    """Two workers do the same hit in a browser, one with care; both hand in their codes, one is dropped."""
    from starlette.testclient import TestClient

    from adjudge.server.app import create_app
    from adjudge.server.sessions import csrf

    example = Path(__file__).parents[3] / "examples" / "crowd.toml"
    assert run("human", "new", str(example), "-q", "--database", database).code == 0
    link = run("human", "hits", "-q", "--database", database).out.splitlines()[1].split(",")[1]
    store, rows = CampaignStore.open(database), []
    kept = campaigns.find(store, "crowd")
    hit = next(hit for hit in campaigns.hits(store, kept) if hit.name == "hit-0001")
    for worker in ("CAREFUL", "CARELESS"):
        browser = TestClient(create_app(store), base_url="http://127.0.0.1:8080")
        path = link.removeprefix("http://127.0.0.1:8080")
        assert browser.get(f"{path}&workerId={worker}&assignmentId=A-{worker}").status_code == 200
        sheet = browser.get("/api/work").json()
        assert "completion" not in sheet
        token = csrf(browser.cookies["adjudge"])
        for number, (task, item) in enumerate(zip(sheet["tasks"], hit.items, strict=True)):
            score = 30 + 7 * number % 50
            if worker == "CAREFUL":
                score = 15 if item.kind == "bad reference" else 85 - 3 * (item.systems == ("rulebased",))
            sent = {"task": task["id"], "key": f"{number:08}", "answer": {"score": score}, "seconds": 8.0}
            reply = browser.post("/api/answers", json=sent, headers={"x-csrf-token": token})
            assert reply.status_code == 200, reply.text
        (code,) = browser.get("/api/work").json()["completion"]
        rows.append((f"A-{worker}", worker, code["hit"], code["code"]))
    store.close()
    results = batch(tmp_path / "batch.csv", rows)
    result = run("human", "import", "crowd", str(results), "-f", "json", "--database", database)
    assert [entry["state"] for entry in json.loads(result.out)["results"]] == ["passed", "failed"]
    assert run("human", "export", "-q", "-o", str(tmp_path / "all.jsonl"), "--database", database).code == 0
    careful, careless = (worker_name(kept.secret, worker) for worker in ("CAREFUL", "CARELESS"))
    for more, left in (((), {careful: True, careless: False}), (("--drop-failed",), {careful: True})):
        shown = run("human", "analyse", str(tmp_path / "all.jsonl"), "-f", "json", *more)
        result = {
            annotator["annotator"]: annotator["passed"] for annotator in json.loads(shown.out)["annotators"]
        }
        assert result == left
