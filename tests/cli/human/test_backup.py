"""`adjudge human backup` and `restore`."""

from pathlib import Path

from helpers.human_commands import judge


def test_backup_and_restore(run, own_database, made, tmp_path):
    judge(own_database, "anna", 5)
    before = run("human", "export", "--database", own_database).out
    file, elsewhere = str(tmp_path / "news.backup"), str(tmp_path / "elsewhere.db")
    assert run("human", "backup", "news", file, "--database", own_database).code == 0
    assert run("human", "backup", "news", file, "--database", own_database).code == 1  # never written over
    assert run("human", "restore", file, "--database", elsewhere).code == 0
    assert run("human", "export", "--database", elsewhere).out == before
    assert run("human", "restore", file, "--database", elsewhere).code == 1
    assert run("human", "restore", file, "--name", "again", "--new-links", "--database", elsewhere).code == 0
    Path(file).write_bytes(Path(file).read_bytes()[:-20])
    damaged = run("human", "restore", file, "--name", "third", "--database", elsewhere)
    assert damaged.code == 1
    assert "Traceback" not in damaged.err
