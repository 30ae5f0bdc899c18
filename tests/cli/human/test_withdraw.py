"""`adjudge human withdraw`, and taking it back."""

from helpers.human_commands import judge


def test_withdrawing_and_taking_it_back(run, own_database, made):
    judge(own_database, "anna", 5)
    assert run("human", "withdraw", "news", "anna", "--reason", "asked", "--database", own_database).code == 0
    assert run("human", "export", "--database", own_database).code == 1  # nothing counts
    kept = run("human", "export", "--database", own_database, "--withdrawn")
    assert len(kept.out.splitlines()) >= 5
    assert "anna (withdrawn)" in run("human", "status", "--database", own_database).out
    assert run("human", "withdraw", "news", "anna", "--undo", "--database", own_database).code == 0
    assert run("human", "export", "--database", own_database).code == 0
    assert run("human", "withdraw", "news", "nobody", "--database", own_database).code == 1
