"""Where a history is, and what git says of the project."""

import os
import shutil
import subprocess

import pytest

from adjudge.errors import DataError
from adjudge.history.place import Revision, default_place, is_free, make_folder, revision_of

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder, *arguments):
    who = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.c",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "init.defaultBranch=main",
    )
    return subprocess.check_output(
        ["git", *who, *arguments], cwd=folder, text=True, stderr=subprocess.DEVNULL
    ).strip()


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    (folder / "inner").mkdir(parents=True)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(folder / "inner")
    return folder


def test_it_lies_in_the_working_directory_without_git(project):
    assert default_place() == str(project / "inner" / ".adjudge" / "history.db")
    assert revision_of() == Revision()


@needs_git
def test_it_lies_at_the_top_of_a_project_of_git(project):
    git(project, "init")
    assert default_place() == str(project / ".adjudge" / "history.db")
    assert revision_of() == Revision()  # nothing was committed yet


@needs_git
def test_one_that_is_there_already_goes_first(project):
    git(project, "init")
    (project / "inner" / ".adjudge").mkdir()
    (project / "inner" / ".adjudge" / "history.db").touch()
    assert default_place() == str(project / "inner" / ".adjudge" / "history.db")


@needs_git
def test_the_revision_its_branch_and_whether_files_were_changed(project):
    git(project, "init")
    (project / "a").write_text("1")
    git(project, "add", "a")
    git(project, "commit", "-m", "a")
    commit = git(project, "rev-parse", "HEAD")
    assert revision_of() == Revision(commit, "main", changed=False)
    (project / "b").write_text("git does not know it")
    assert revision_of().changed is False
    (project / "a").write_text("2")
    assert revision_of() == Revision(commit, "main", changed=True)
    git(project, "checkout", "-f", "--detach")
    assert revision_of() == Revision(commit, None, changed=False)


def test_without_git_on_the_machine_there_is_no_revision(project, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert revision_of() == Revision()


@needs_git
def test_its_folder_stays_out_of_git(project):
    git(project, "init")
    make_folder(default_place())
    (project / ".adjudge" / "history.db").touch()
    assert git(project, "status", "--porcelain") == ""


def test_no_other_folder_is_made(tmp_path):
    make_folder(str(tmp_path / "other" / "history.db"))
    assert os.listdir(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be made"):
        make_folder(str(tmp_path / "file" / ".adjudge" / "history.db"))


def test_a_place_is_free_where_a_file_can_be_made(tmp_path):
    assert is_free(str(tmp_path / "new.db"))
    (tmp_path / "old.db").touch()
    assert not is_free(str(tmp_path / "old.db"))
    assert not is_free(str(tmp_path / "no-folder" / "new.db"))
