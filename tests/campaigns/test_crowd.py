"""Hits for a marketplace, codes that nobody can guess, and what workers hand in."""

import csv
import hashlib
import hmac
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import plan_hits
from adjudge.campaigns.crowd import (
    STATES,
    Roster,
    WorkerResult,
    assignment_mark,
    code_verdict,
    completion_code,
    external_hits,
    external_hits_csv,
    hit_name,
    read_results,
    review_csv,
    verdicts,
    worker_name,
)
from adjudge.campaigns.items import Hit
from adjudge.errors import DataError, UsageError
from helpers.plans import campaign, material

words = st.text(min_size=1, max_size=12)


@given(words, words, words, st.booleans())
def test_a_code_says_passed_or_failed_to_us_alone(
    secret: str, annotator: str, hit: str, passed: bool
) -> None:
    code = completion_code(secret, annotator, hit, passed=passed)
    assert code_verdict(secret, annotator, hit, code) is passed
    assert code_verdict(secret, annotator, hit, f" {code.lower().replace('-', ' ')} ") is passed
    assert completion_code(secret, annotator, hit, passed=not passed) != code
    for other in (
        (secret + "x", annotator, hit),
        (secret, annotator + "x", hit),
        (secret, annotator, hit + "x"),
    ):
        assert code_verdict(*other, code) is None
    assert code_verdict(secret, annotator, hit, code[:-1]) is None
    assert len(code) == 19
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567-")


def test_a_code_by_hand() -> None:
    digest = hmac.new(
        b"key", json.dumps(["completed", "ann", "hit-0007", "passed"]).encode(), hashlib.sha256
    ).digest()
    number = int.from_bytes(digest[:10])
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    expected = "".join(letters[number >> 5 * place & 31] for place in reversed(range(16)))
    assert completion_code("key", "ann", "hit-0007-3", passed=True).replace("-", "") == expected


def test_neither_kind_of_code_can_be_told_from_the_other() -> None:
    codes = {p: [completion_code("key", str(n), "hit", passed=p) for n in range(2000)] for p in (True, False)}
    assert not set(codes[True]) & set(codes[False])
    for place in range(4):
        shares = [sum(code[place] < "N" for code in codes[p]) / 2000 for p in (True, False)]
        assert abs(shares[0] - shares[1]) < 0.06


def test_without_a_secret_there_is_no_code() -> None:
    with pytest.raises(UsageError, match="no secret"):
        completion_code("", "a", "b", passed=True)


@pytest.mark.parametrize("code", ["", "AAAA", "ﬀ", "1" * 5000, "\0"])
def test_nonsense_is_no_code(code: str) -> None:
    assert code_verdict("key", "a", "hit", code) is None


def test_copies_have_the_name_of_their_hit() -> None:
    names = {"hit-0007": "hit-0007", "hit-0007-2": "hit-0007", "hit-12345-10": "hit-12345", "hit-2": "hit-2"}
    assert {name: hit_name(name) for name in names} == names


def test_one_address_for_a_hit_and_its_copies() -> None:
    hits = plan_hits(campaign("ab", {"crowd": True}, judgements=3, hit_size=20), material("ab", 30)).hits
    rows = external_hits(hits, "https://example.org/", "news & more")
    assert len(rows) * 3 == len(hits)
    assert rows[0].url == "https://example.org/join/news%20%26%20more?hit=hit-0001"
    assert {row.assignments for row in rows} == {3}
    assert sum(row.items * row.assignments for row in rows) == sum(len(hit.items) for hit in hits)
    read = list(csv.DictReader(io.StringIO(external_hits_csv(rows))))
    assert [row["hit"] for row in read] == sorted({hit_name(hit.name) for hit in hits})
    assert all(row["url"].endswith(f"?hit={row['hit']}") for row in read)
    other = external_hits(hits, "https://example.org", "n", worker="{{%PROLIFIC_PID%}}")
    assert other[0].url == "https://example.org/join/n?hit=hit-0001&workerId={{%PROLIFIC_PID%}}"


def test_no_hits_no_rows() -> None:
    with pytest.raises(DataError, match=r"annotators\.crowd"):
        external_hits([], "https://example.org", "n")


def test_the_way_round(tmp_path: Path) -> None:
    secret, hits = "key", [Hit("hit-0001", ()), Hit("hit-0001-2", ()), Hit("hit-0002", ())]

    def code(worker: str, hit: str, passed: bool = True) -> str:
        return completion_code(secret, worker_name(secret, worker), hit, passed=passed)

    rows = [
        ("A1", "W1", "hit-0001", code("W1", "hit-0001-2")),
        ("A2", "W2", "hit-0001", code("W2", "hit-0001", passed=False)),
        ("A3", "W3", "hit-0001", code("W1", "hit-0001")),
        ("A4", "W1", "hit-0001", code("W1", "hit-0001")),
        ("A5", "W1", "hit-0002", code("W1", "hit-0002").lower()),
        ("A6", "W1", "hit-0009", code("W1", "hit-0009")),
        ("A7", "=W7", "hit-0002", ""),
    ]
    path = tmp_path / "results.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(["AssignmentId", "WorkerId", "Input.hit", "Answer.surveycode"])
        writer.writerows(rows)
        writer.writerow(["", "", "", ""])
    workers = [worker_name(secret, worker) for worker in ("W1", "W2", "W3")]
    issued = [(workers[0], "hit-0001"), (workers[0], "hit-0002")]
    roster = Roster(secret, [hit.name for hit in hits], workers, issued=issued)
    by_result = verdicts(read_results(str(path)), roster)
    assert [verdict.state for verdict in by_result] == [
        "passed",
        "failed",
        "another's code",
        "handed in twice",
        "passed",
        "unknown hit",
        "no work",
    ]
    assert [verdict.result.line for verdict in by_result] == list(range(2, 9))
    review = list(csv.DictReader(io.StringIO(review_csv(by_result))))
    assert [(row["AssignmentId"], row["Approve"]) for row in review if row["Approve"]] == [
        ("A1", "x"),
        ("A5", "x"),
    ]
    assert all(bool(row["Approve"]) != bool(row["Reject"]) for row in review)
    assert review[-1]["WorkerId"] == "'=W7"


@given(st.lists(st.tuples(words, words, words), max_size=5))
def test_results_are_read_as_they_were_written(rows: list[tuple[str, str, str]]) -> None:
    rows = [row for row in rows if all(cell.isprintable() and cell.strip() == cell for cell in row)]
    rows.append(("w", "h", "c"))
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["worker", "hit", "code"])
            writer.writerows(rows)
        assert [(result.worker, result.hit, result.code) for result in read_results(str(path))] == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("worker,hit\nw,h\n", "no column of the code"),
        ("hit,code\nh,c\n", "no column of the worker"),
        ("worker,hit,code\n", "a header, but no result below it"),
        ("worker,hit,code\nw,h\n", "line 2: 2 columns, but the header has 3"),
        ("worker,hit,code\n,h,c\n", "line 2: no worker is named"),
        ("worker,hit,code\nw, ,c\n", "line 2: no hit is named"),
        ('worker,hit,code\nw,"h,c\n', "line 2: "),
        ("worker,hit,code,code\nw,h,c,c\n", "two columns are called 'code'"),
        ("", "is empty"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "results.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_results(str(path))
    assert message in str(caught.value)
    assert "results.csv" in str(caught.value)


def test_tabs_and_other_names(tmp_path: Path) -> None:
    path = tmp_path / "results.tsv"
    path.write_text("Participant id\tHIT\tEntered Code\nw\th\tc\n")
    (result,) = read_results(str(path))
    assert (result.worker, result.hit, result.code, result.assignment) == ("w", "h", "c", "")


def test_what_is_wrong_with_a_code() -> None:
    secret = "key"
    anna, ben = (worker_name(secret, worker) for worker in ("anna", "ben"))
    code = completion_code(secret, anna, "hit-0001", passed=True)
    roster = Roster(
        secret,
        ["hit-0001", "hit-0001-2", "hit-0002"],
        [anna, ben],
        persons=["carla"],
        issued=[(anna, "hit-0001"), (ben, "hit-0001"), ("carla", "")],
    )
    all_of_carla = completion_code(secret, "carla", "", passed=False)
    given = {
        ("anna", code, "hit-0001"): "passed",
        ("anna", code, "hit-0002"): "code of another hit",
        ("ben", code, "hit-0001"): "another's code",
        ("ben", "AAAA-AAAA-AAAA-AAAA", "hit-0001"): "wrong code",
        ("ben", " ", "hit-0001"): "no code",
        ("dora", "AAAA", "hit-0001"): "no work",
        ("dora", code, "hit-0001"): "another's code",
        ("anna", code, "hit-0009"): "unknown hit",
        ("carla", all_of_carla, ""): "failed",
        ("carla", code, ""): "another's code",
    }
    for (worker, entered, hit), state in given.items():
        (verdict,) = verdicts([WorkerResult(worker, entered, hit)], roster)
        assert (verdict.state, worker, hit) == (state, worker, hit)
    assert set(given.values()) | {"handed in twice"} == set(STATES)


def test_without_a_column_of_hits_the_code_says_which_one_it_is() -> None:
    secret = "key"
    anna = worker_name(secret, "anna")
    roster = Roster(secret, ["hit-0001", "hit-0002"], [anna])
    results = [
        WorkerResult("anna", completion_code(secret, anna, hit, passed=hit == "hit-0001"))
        for hit in ("hit-0002", "hit-0001")
    ]
    by_result = verdicts([*results, results[0]], roster)
    assert [(verdict.hit, verdict.state) for verdict in by_result] == [
        ("hit-0002", "failed"),
        ("hit-0001", "passed"),
        ("hit-0002", "handed in twice"),
    ]


def test_handed_in_again_later_under_another_assignment() -> None:
    secret = "key"
    anna = worker_name(secret, "anna")
    code = completion_code(secret, anna, "hit-0001", passed=True)
    for assignment, state in (("A1", "passed"), ("A2", "handed in twice")):
        roster = Roster(
            secret, ["hit-0001"], [anna], before={(anna, "hit-0001"): assignment_mark(secret, "A1")}
        )
        (verdict,) = verdicts([WorkerResult("anna", code, "hit-0001", assignment)], roster)
        assert verdict.state == state


def test_the_only_answer_of_a_form_is_the_code(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("WorkerId,Input.hit,Answer.theCode\nw,h,c\n")
    assert read_results(str(path))[0].code == "c"
    path.write_text("WorkerId,Input.hit,Answer.theCode,Answer.comment\nw,h,c,d\n")
    with pytest.raises(DataError, match="no column of the code"):
        read_results(str(path))
