"""Studies guessed from folders: every layout becomes a study that can be read, and what was guessed is said."""

import pytest

from adjudge.errors import DataError
from adjudge.io.studies import load_study
from adjudge.io.study_layouts import guess, study_text

XML = """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="mini"><doc origlang="de" id="d1"><src lang="de"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two</seg></p></ref>
<hyp system="good" language="en"><p><seg id="1">one</seg><seg id="2">two</seg></p></hyp>
<hyp system="bad" language="en"><p><seg id="1">on</seg><seg id="2">to</seg></p></hyp></doc></dataset>
"""
LAYOUTS = {
    "folder a set": (
        ["news/reference.en", "news/source.de", "news/systems/a.en", "news/systems/b.en", "news/labels.tsv"],
        {"news": ("de-en", {"a", "b"})},
    ),
    "WMT21's data": (
        ["x/ref.A.en", "x/ref.B.en", "x/src.de", "x/hyp/a.en", "x/hyp/b.en", "x/docs.tsv"],
        {"x": ("de-en", {"a", "b"})},
    ),
    "flat names with a pair": (
        [f"news.de-en.{part}" for part in ("de", "en", "a.en", "b.en")]
        + [f"talks.fr-en.{part}" for part in ("fr", "en", "b.en")],
        {"news.de-en": ("de-en", {"a", "b"}), "talks.fr-en": ("fr-en", {"b"})},
    ),
    "flat names with src and ref": (
        ["newstest-deen.src.de", "newstest-deen.tgt.en", "newstest-deen.hyp.a.en", "newstest-deen.hyp.b.en"],
        {"newstest-deen": ("de-en", {"a", "b"})},
    ),
    "WMT's txt folder": (
        ["txt/sources/nt21.de-en.src.de", "txt/references/nt21.de-en.ref.A.en"]
        + [f"txt/system-outputs/nt21.de-en.hyp.{name}.en" for name in ("a", "b")],
        {"txt/nt21.de-en": ("de-en", {"a", "b"})},
    ),
    "WMT's older folders": (
        ["sources/nt19-deen-src.de", "references/nt19-deen-ref.en"]
        + [f"system-outputs/nt19/de-en/nt19.{name}.de-en" for name in ("a.1", "b.2")],
        {"nt19-deen": ("de-en", {"a.1", "b.2"})},
    ),
    "mt-metrics-eval": (
        [
            "sources/en-de.txt",
            "references/en-de.refA.txt",
            "system-outputs/en-de/a.txt",
            "system-outputs/en-de/b.txt",
        ],
        {"en-de": ("en-de", {"a", "b"})},
    ),
}


def written(folder, names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("line\torigin\n1\tde\n2\ten\n" if name.endswith(".tsv") else "one\ntwo\n")
    return folder


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_becomes_a_study_that_can_be_read(tmp_path, layout):
    names, expected = LAYOUTS[layout]
    guessed = guess(str(written(tmp_path, names)))
    assert guessed.unused == ()
    (tmp_path / "study.toml").write_text(study_text("made", guessed.sets))
    loaded = load_study(str(tmp_path / "study.toml"))
    assert {
        own.name: (own.language, {output.system for output in own.outputs}) for own in loaded.sets
    } == expected
    assert {own.name: own.outputs for own in guessed.sets} == {
        name: len(s) for name, (_, s) in expected.items()
    }


def test_older_folders_of_wmt_need_the_languages_of_their_names(tmp_path):
    names, _ = LAYOUTS["WMT's older folders"]
    (own,) = guess(str(written(tmp_path, names))).sets
    assert own.systems == ("system-outputs/nt19/de-en/nt19.{system}.de-en",)


def test_files_that_hold_all_of_a_test_set(tmp_path):
    (tmp_path / "mini.de-en.xml").write_text(XML)
    (tmp_path / "notes.md").write_text("nothing\n")
    guessed = guess(str(tmp_path))
    assert guessed.unused == ("notes.md",)
    (tmp_path / "study.toml").write_text(study_text("made", guessed.sets))
    (own,) = load_study(str(tmp_path / "study.toml")).sets
    assert (own.language, [output.system for output in own.outputs]) == ("de-en", ["good", "bad"])


def test_judgements_and_scores_beside_a_test_set(tmp_path):
    names, _ = LAYOUTS["folder a set"]
    written(tmp_path, names)
    (tmp_path / "news" / "human").mkdir()
    (tmp_path / "news" / "human" / "judgements.tsv").write_text(
        "annotator\tsystem\titem\tscore\nx\ta\t1\t50\nx\tb\t2\t70\n"
    )
    (tmp_path / "news" / "qe").mkdir()
    (tmp_path / "news" / "qe" / "kiwi.tsv").write_text(
        "system\tsegment\tscore\n" + "".join(f"{s}\t{i}\t0.{i}\n" for s in "ab" for i in (1, 2))
    )
    (own,) = guess(str(tmp_path)).sets
    assert (own.judgements, own.qe) == (("news/human/judgements.tsv",), ("news/qe/kiwi.tsv",))
    (tmp_path / "study.toml").write_text(study_text("made", (own,)))
    (loaded,) = load_study(str(tmp_path / "study.toml")).sets
    assert len(loaded.judgements) == 2
    assert [file.name for file in loaded.qe] == ["kiwi"]


def test_other_files_beside_judgements_are_not_taken_for_them(tmp_path):
    names, _ = LAYOUTS["folder a set"]
    written(tmp_path, names)
    (tmp_path / "news" / "human").mkdir()
    head = "annotator\tsystem\titem\tscore\n"
    files = {
        "da-systems.tsv": "system\tscore\na\t1.5\nb\t0.5\n",
        "judgements-old.tsv": f"{head}x\ta\t1\t50\nx\tb\t2\t70\n",
        "judgements.tsv": f"{head}x\ta\t1\t51\nx\tb\t2\t71\n",
        "mt.tsv": "source\treference\tmt\na\tb\tc\n",
        "bleu.seg.score": "a\t0.5\n",
    }
    for name, text in files.items():
        (tmp_path / "news" / "human" / name).write_text(text)
    guessed = guess(str(tmp_path))
    (own,) = guessed.sets
    assert (own.judgements, own.qe) == (("news/human/judgements.tsv",), ())
    assert len(guessed.unused) == 4


def test_names_with_quotes_and_other_scripts_survive(tmp_path):
    written(tmp_path, ['a "b" \\ c/reference.zh', 'a "b" \\ c/source.ja', 'a "b" \\ c/systems/甲.zh'])
    guessed = guess(str(tmp_path))
    (tmp_path / "study.toml").write_text(study_text("made", guessed.sets))
    (own,) = load_study(str(tmp_path / "study.toml")).sets
    assert (own.name, own.language) == ('a "b" \\ c', "ja-zh")


def test_wmt21_as_it_lies_on_the_disk(shared):
    czech, icelandic = guess(str(shared.data / "01_wmt21_da_toen")).sets
    assert (czech.language, czech.outputs, len(czech.references)) == ("cs-en", 8, 2)
    assert (icelandic.language, icelandic.outputs, icelandic.labels) == ("is-en", 10, "is-en/docs.tsv")
    assert icelandic.judgements == ("is-en/human/judgements.tsv",)


def test_a_folder_of_nothing(tmp_path):
    with pytest.raises(DataError, match="nothing looks like a test set"):
        guess(str(tmp_path))
