"""`adjudge human log` has everything that was done."""

import json

from helpers.human_commands import judge


def test_the_log_has_everything(run, own_database, made):
    judge(own_database, "anna", 2)
    run("human", "pause", "--database", own_database)
    rows = [json.loads(line) for line in run("human", "log", "--database", own_database).out.splitlines()]
    assert [row["event"] for row in rows].count("answer") == 2
    assert "paused" in {row["kind"] for row in rows}
