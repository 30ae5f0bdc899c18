"""`adjudge human forget`: somebody is gone without a trace."""

from helpers.human_commands import judge


def test_forgetting_somebody(run, own_database, made):
    judge(own_database, "anna", 5)
    refused = run("human", "forget", "news", "anna", "--database", own_database)
    assert refused.code != 0  # nobody is there to confirm
    assert run("human", "forget", "news", "anna", "--yes", "--database", own_database).code == 0
    exported = run("human", "export", "--database", own_database).out
    assert "anna" not in exported
    assert "former-" in exported
    assert run("human", "forget", "news", "anna", "--yes", "--database", own_database).code == 1
