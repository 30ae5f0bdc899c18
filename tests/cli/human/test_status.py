"""`adjudge human status`: how far everybody is."""

import json
import re

from helpers.human_commands import judge


def test_status(run, own_database, made):
    judge(own_database, "anna", 40)
    text = run("human", "status", "--database", own_database)
    assert re.search(r"anna +40 +\d+ +10 % +12\.0", text.out)
    status = json.loads(run("human", "status", "--database", own_database, "-f", "json").out)
    (campaign,) = status["campaigns"]
    assert (campaign["name"], campaign["status"], campaign["answered"]) == ("news", "running", 40)
    table = run("human", "status", "news", "--database", own_database, "-f", "tsv").out.splitlines()
    assert len(table) == 4
    assert run("human", "status", "nix", "--database", own_database).code == 1


def test_status_without_a_database(run, tmp_path):
    result = run("human", "status", "--database", str(tmp_path / "none.db"))
    assert result.code == 1
    assert "there is no database" in result.err
    assert "adjudge human new FILE" in result.err
    assert not (tmp_path / "none.db").exists()
