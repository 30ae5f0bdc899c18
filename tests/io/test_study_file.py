"""Studies from files: paths from the file's own folder, and every fault with its field and line."""

import pytest

from adjudge.errors import AdjudgeError
from adjudge.io.studies import load_study
from adjudge.io.study_file import read_study

WHOLE = """name = "spring"
metrics = ["chrf"]
baseline = "a"
lower_is_better = ["hter"]

[plan]
seed = 7

[[test_set]]
name = "news"
language = "pt-en"
domain = "news"
source = "news/source.pt"
references = ["news/reference.en"]
systems = ["news/systems/*.en", "other=news/other.txt"]
judgements = ["news/da.tsv"]
qe = ["news/hter.tsv"]
"""
JUDGED = "annotator\tsystem\titem\tscore\nx\ta\t1\t50\nx\ta\t2\t70\nx\tb\t1\t30\n"
SCORED = "system\tsegment\tscore\n" + "".join(f"{s}\t{i}\t0.{i}\n" for s in "ab" for i in (1, 2))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "news" / "systems").mkdir(parents=True)
    for name in ("source.pt", "reference.en", "other.txt", "systems/b.en", "systems/a.en"):
        (tmp_path / "news" / name).write_text("one\ntwo\n")
    (tmp_path / "news" / "da.tsv").write_text(JUDGED)
    (tmp_path / "news" / "hter.tsv").write_text(SCORED)
    return tmp_path


def made(folder, text):
    path = folder / "study.toml"
    path.write_text(text)
    return str(path)


def test_a_whole_one_wherever_one_is(folder, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    loaded = load_study(made(folder, WHOLE))
    study = loaded.study
    assert (study.name, study.metrics, study.baseline) == ("spring", ("chrf",), "a")
    assert (dict(study.plan), study.lower_is_better) == ({"seed": 7}, ("hter",))
    [own] = loaded.sets
    assert [output.system for output in own.outputs] == ["a", "b", "other"]
    assert (own.language, own.domain, own.test_set.name) == ("pt-en", "news", "news")
    assert own.place.endswith("study.toml, line 9")
    assert len(own.judgements) == 3
    assert [file.name for file in own.qe] == ["hter"]
    roles = [item.role for item in loaded.inputs]
    assert roles[0] == "study"
    assert {"judgements", "source", "reference", "system"} <= set(roles)
    assert loaded.systems == ("a", "b", "other")


def test_paths_lead_from_a_study_in_another_folder(folder, monkeypatch):
    (folder / "deep" / "studies [1]").mkdir(parents=True)
    text = WHOLE.replace('"news/', '"../../news/').replace("other=news/", "other=../../news/")
    path = folder / "deep" / "studies [1]" / "my study.toml"
    path.write_text(text)
    monkeypatch.chdir(folder / "deep")
    assert load_study("studies [1]/my study.toml").systems == ("a", "b", "other")


def test_a_study_in_another_language_than_english(tmp_path):
    (tmp_path / "新闻" / "系统").mkdir(parents=True)
    for name in ("源.ja", "参考.zh", "系统/甲.zh", "系统/乙.zh"):
        (tmp_path / "新闻" / name).write_text("你 好\n", encoding="utf-8")
    path = tmp_path / "研究.toml"
    path.write_text(
        'name = "春"\n[[test_set]]\nname = "新闻"\nlanguage = "ja-zh"\nsource = "新闻/源.ja"\n'
        'references = ["新闻/参考.zh"]\nsystems = ["{name}/系统/{system}.{target}"]\n',
        encoding="utf-8",
    )
    loaded = load_study(str(path))
    assert set(loaded.systems) == {"甲", "乙"}
    assert loaded.sets[0].test_set.language == "ja-zh"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("metrics =", "metric =", "line 2: unknown field 'metric'; did you mean 'metrics'"),
        ('["chrf"]', '"chrf"', "line 2: metrics: a list of texts was expected"),
        ('["chrf"]', "[]", "line 2: metrics: a list of texts was expected"),
        ('name = "news"\n', "", "line 9: name: missing"),
        ('name = "news"\n', 'name = " "\n', "line 9: name: missing"),
        (
            'source = "news/source.pt"\nreferences = ["news/reference.en"]\n',
            "",
            "line 9: references: missing",
        ),
        ("domain =", "domian =", "line 12: unknown field 'domian'; did you mean 'domain'"),
        ('language = "pt-en"', "language = 3", "line 11: language: a text was expected"),
        ('language = "pt-en"', 'language = "qq-en"', "line 11: language: .*de-en"),
        ('language = "pt-en"', 'language = ""', "line 11: language: empty"),
        ("systems/*.en", "systms/*.en", "line 15: systems: no file is called"),
        ("news/systems/*.en", "news/systems/{system}.de", "line 15: systems: no file is called"),
        ("other=news/other.txt", "other=news/othr.txt", "line 15: systems: .*did you mean .*other.txt"),
        ("other=news/other.txt", "a=news/other.txt", "line 15: systems: a is .*name of its own"),
        ("other=news/other.txt", "news/systems/a.en", "line 15: systems: a is there twice"),
        ('"news/reference.en"', '"news/referenc.en"', "line 14: references: .*did you mean .*reference.en"),
        ("news/source.pt", "nws/source.pt", "line 13: source: .*source.pt does not exist"),
        ("da.tsv", "daa.tsv", "line 16: judgements: .*did you mean .*da.tsv"),
        ("qe = [", "labels = [", "line 17: labels: a text was expected"),
        ("[plan]", "[plans]", "line 6: unknown field 'plans'; did you mean 'plan'"),
        ("[plan]\nseed = 7", "plan = 7", "line 6: plan: a table was expected"),
        ("[[test_set]]", "[[test_set", "no TOML: .*line 9"),
        ("[[test_set]]", "[[testset]]", "line 9: unknown field 'testset'; did you mean 'test_set'"),
    ],
)
def test_faults_have_field_and_line(folder, old, new, message):
    assert old in WHOLE
    with pytest.raises(AdjudgeError, match=message):
        read_study(made(folder, WHOLE.replace(old, new)))


def test_two_sets_of_one_name_and_none_at_all(folder):
    with pytest.raises(
        AdjudgeError, match="line 19: name: two test sets are called 'news'; the other is at line 9"
    ):
        read_study(made(folder, WHOLE + WHOLE[WHOLE.index("[[") :]))
    for text in ("", "# nothing yet\n", 'name = "x"\n', "test_set = []\n"):
        with pytest.raises(AdjudgeError, match="no test set; each begins with"):
            read_study(made(folder, text))


def test_two_measures_of_one_name(folder):
    (folder / "hter.tsv").write_text(SCORED)
    with pytest.raises(AdjudgeError, match="line 9: qe: two files of scores are called 'hter'"):
        load_study(
            made(folder, WHOLE.replace('qe = ["news/hter.tsv"]', 'qe = ["news/hter.tsv", "hter.tsv"]'))
        )


def test_files_that_do_not_go_together_are_said_with_the_line_of_their_set(folder):
    (folder / "news" / "systems" / "a.en").write_text("one\n")
    with pytest.raises(AdjudgeError, match=r"study\.toml, line 9: .*a\.en"):
        load_study(made(folder, WHOLE))
