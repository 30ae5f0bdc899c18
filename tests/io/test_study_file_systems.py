"""Outputs of a study by patterns: a system's name from its path, and patterns that hold for every test set."""

import pytest

from adjudge.errors import DataError
from adjudge.io.study_file import Patterns, read_study, system_files

SETS = """systems = ["out/{system}/{name}.{target}"]
[[test_set]]
name = "news"
language = "de-en"
references = ["ref.en"]
[[test_set]]
name = "talks"
language = "de-en"
references = ["ref.en"]
"""


@pytest.fixture
def folder(tmp_path):
    for name in ("out/one/news.en", "out/two/news.en", "out/two/talks.en", "ref.en", "out/one/news.de"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a\n")
    return tmp_path


def test_a_pattern_of_all_sets_names_systems_by_their_folders(folder):
    (folder / "study.toml").write_text(SETS)
    study = read_study(str(folder / "study.toml"))
    assert [[text.partition("=")[0] for text in own.systems] for own in study.sets] == [
        ["one", "two"],
        ["two"],
    ]


def test_a_pattern_of_all_sets_that_means_nothing_anywhere(folder):
    (folder / "study.toml").write_text(SETS.replace("out/", "outputs/"))
    with pytest.raises(DataError, match=r"line 1: systems: no file is called .* none of the test sets"):
        read_study(str(folder / "study.toml"))


def test_the_name_may_stand_in_a_path_twice(folder):
    for name in ("x/x.run.en", "y/y.run.en", "x/y.run.en"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("a\n")
    files = system_files(Patterns(str(folder), ()), ["{system}/{system}.run.en"], {}, "here")
    assert [text.partition("=")[0] for text in files] == ["x", "y"]


def test_a_name_beside_a_pattern_of_one_file(folder):
    [text] = system_files(Patterns(str(folder), ()), ["mine=out/o*/news.en"], {}, "here")
    assert text == f"mine={folder}/out/one/news.en"


def test_one_name_of_two_files(folder):
    with pytest.raises(DataError, match=r"here: news is .*two/news\.en; give each a name of its own"):
        system_files(Patterns(str(folder), ()), ["out/*/news.en"], {}, "here")
