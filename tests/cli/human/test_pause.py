"""`adjudge human pause` and `resume`."""

import json


def test_pausing(run, own_database, made):
    for command, status in (("pause", "paused"), ("resume", "running"), ("close", "closed")):
        assert run("human", command, "--database", own_database).code == 0
        shown = run("human", "status", "--database", own_database, "-f", "json").out
        assert json.loads(shown)["campaigns"][0]["status"] == status
