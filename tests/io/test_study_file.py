"""Studies from files: paths from the file's own folder, and every fault with its field and line."""

import pytest

from adjudge.errors import AdjudgeError
from adjudge.io.study_file import read_study

WHOLE = """name = "spring"
metrics = ["chrf"]

[[test_set]]
name = "news"
language = "pt-en"
domain = "news"
source = "news/source.pt"
references = ["news/reference.en"]
systems = ["news/systems/*.en", "other=news/other.txt"]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "news" / "systems").mkdir(parents=True)
    for name in ("source.pt", "reference.en", "other.txt", "systems/b.en", "systems/a.en"):
        (tmp_path / "news" / name).write_text("one\ntwo\n")
    return tmp_path


def made(folder, text):
    path = folder / "study.toml"
    path.write_text(text)
    return str(path)


def test_a_whole_one_wherever_one_is(folder, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    study = read_study(made(folder, WHOLE))
    assert (study.name, study.metrics) == ("spring", ("chrf",))
    [own] = study.sets
    loaded = own.load()
    assert [output.system for output in loaded.outputs] == ["a", "b", "other"]
    assert loaded.test_set.language == "pt-en"
    assert own.domain == "news"
    assert own.place.endswith("study.toml, line 4")


def loaded(path):
    return [own.load() for own in read_study(path).sets]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("metrics =", "metric =", "metric"),
        ('["chrf"]', '"chrf"', "metrics: a list of texts was expected"),
        ('name = "news"\n', "", "line 4: name: missing"),
        ('references = ["news/reference.en"]\nsystems', "systems", "line 4"),
        ("domain =", "domian =", "line 4: .*domian"),
        ('language = "pt-en"', "language = 3", "line 4: language: a text was expected"),
        ("systems/*.en", "systms/*.en", "line 4: systems: no file is called"),
        ('"news/reference.en"', '"news/ref.en"', "line 4: .*ref.en does not exist"),
        ("[[test_set]]", "[[test_set", "no TOML"),
    ],
)
def test_faults_have_field_and_line(folder, old, new, message):
    text = WHOLE.replace(old, new)
    if "reference.en" not in text:
        text = text.replace('source = "news/source.pt"\n', "") if "references" not in text else text
    with pytest.raises(AdjudgeError, match=message):
        loaded(made(folder, text))


def test_two_sets_of_one_name_and_none_at_all(folder):
    with pytest.raises(AdjudgeError, match="two test sets are called 'news'"):
        read_study(made(folder, WHOLE + WHOLE[WHOLE.index("[[") :]))
    with pytest.raises(AdjudgeError, match="no test set; each begins with"):
        read_study(made(folder, 'name = "x"\n'))
