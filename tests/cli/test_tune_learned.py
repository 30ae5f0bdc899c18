"""adjudge tune learned: a model in a file that the metric takes, and messages that say the way out."""

import json
import shutil

import pytest

from adjudge.metrics.learned_model import read_model

SYSTEMS = ("neural", "rulebased", "shortened")
FEW = "chrf,ter,gtm-2"


@pytest.fixture
def files(examples):
    return [
        "-r", examples / "reference.en", "-j", examples / "judgements.tsv", "--skip-unknown-systems",
        "--no-cache", "-q",
        "-l", "pt-en", "--resamples", 20, "-m", FEW,
        *(examples / "systems" / f"{name}.en" for name in SYSTEMS),
    ]  # fmt: skip


def test_the_file_is_what_the_metric_takes(run, files, examples, tmp_path):
    path = tmp_path / "model.json"
    done = run("tune", "learned", *files, "-o", path)
    assert done.code == 0, done.err
    assert "The learned metric" in done.out
    assert "document, 5 folds" in done.out
    model = read_model(str(path))
    assert [feature.spec for feature in model.features] == ["chrf", "ter", "gtm-2"]
    assert model.signatures["en"]["ter"] == "case:lc|tok:tercom|norm:no|punct:yes|asian:no"
    assert {item["role"] for item in model.recipe["inputs"]} == {"reference", "system", "judgements"}
    assert all(len(item["sha256"]) == 64 for item in model.recipe["inputs"])
    assert model.unseen[0]["unit"] == "document"
    texts = ["-r", examples / "reference.en", "-l", "en", *files[-3:]]
    scored = run("score", "-m", f"learned(model={path})", *texts, "-f", "json")
    results = {result["system"]: result["score"] for result in json.loads(scored.out)["results"]}
    assert results["neural"] > results["shortened"] > results["rulebased"]


def test_a_result_is_kept_with_the_model_that_made_it(run, files, tmp_path, examples):
    path, other, saved = (tmp_path / name for name in ("model.json", "other.json", "result.json"))
    assert run("tune", "learned", *files, "-o", path).code == 0
    assert run("tune", "learned", *files, "-o", other, "--penalty", 1).code == 0
    texts = ["-r", examples / "reference.en", "-l", "en", *files[-3:]]
    assert run("score", "-m", f"learned(model={path})", *texts, "--save", saved).code == 0
    assert run("verify", saved).code == 0
    shutil.copy(other, path)
    assert run("verify", saved).code != 0


@pytest.mark.parametrize("form", ["json", "tsv", "markdown", "latex"])
def test_every_format_has_what_was_held_out(run, files, form):
    done = run("tune", "learned", *files, "-f", form)
    assert done.code == 0, done.err
    assert "document" in done.out
    if form == "json":
        result = json.loads(done.out)
        assert {unseen["measure"] for unseen in result["unseen"]} == {"tau", "pearson"}
        assert len(result["weights"]) == 3


def test_several_sets_hold_out_language_pairs(run, examples, tmp_path):
    entry = """
[[set]]
name = "{0}"
language = "{1}"
references = ["reference.en"]
systems = ["mt={2}.en", "other=rulebased.en"]
judgements = "{0}.tsv"
"""
    for name in ("neural", "rulebased", "shortened"):
        shutil.copy(examples / "systems" / f"{name}.en", tmp_path)
    shutil.copy(examples / "reference.en", tmp_path)
    rows = (examples / "judgements.tsv").read_text(encoding="utf-8").splitlines()
    for name, own in (("first", "neural"), ("second", "shortened")):
        kept = [row.replace(own, "mt", 1) for row in rows[1:] if row.startswith((own + "\t", "rulebased"))]
        text = "\n".join([rows[0], *kept]).replace("rulebased\t", "other\t") + "\n"
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    sets = tmp_path / "sets.toml"
    sets.write_text(entry.format("first", "pt-en", "neural") + entry.format("second", "de-en", "shortened"))
    done = run("tune", "learned", "--sets", sets, "-m", FEW, "-q", "--no-cache", "--resamples", 20)
    assert done.code == 0, done.err
    assert "language pair, 2 folds" in done.out
    assert "2 test sets" in done.out
    assert "leave out -r" in run("tune", "learned", "--sets", sets, "-j", rows[0]).err
    sets.write_text(entry.format("first", "pt-en", "neural") * 2)
    assert "two sets are called 'first'" in run("tune", "learned", "--sets", sets).err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "each begins with a line [[set]]"),
        ("[[set]\n", "no TOML"),
        ("[[set]]\nname = 'a'\nreferences = ['r']", "set 1: judgements: missing"),
        ("[[set]]\nname = 'a'\njudgements = 'j'", "set 1: references: missing"),
        ("[[set]]\nname = 'a'\njudgements = 'j'\nreference = 'r'", "did you mean 'references'"),
        ("[[set]]\nname = 'a'\njudgements = 'j'\nreferences = 'r'", "references: a list was expected"),
        (
            "[[set]]\nname = 'a'\njudgements = 'j'\nreferences = ['r']\ngold_kind = 'dax'",
            "unknown kind of gold 'dax'",
        ),
    ],
)
def test_files_of_sets_that_are_wrong(run, tmp_path, text, message):
    file = tmp_path / "sets.toml"
    file.write_text(text)
    done = run("tune", "learned", "--sets", file)
    assert done.code == 1
    assert message in done.err


def test_what_is_missing_is_said_with_the_way_out(run, files, examples, tmp_path):
    some = files[:2]
    assert (
        "no judgements to learn from: adjudge tune learned -r"
        in run("tune", "learned", *some, *files[-1:]).err
    )
    assert "no system output" in run("tune", "learned", *files[:4]).err
    assert "did you mean 'pairs'" in run("tune", "learned", *files, "--objective", "pair").err
    assert "unknown learner 'svm'" in run("tune", "learned", *files, "--learner", "svm").err
    assert "did you mean 'lexical'" in run("tune", "learned", *files, "-m", "lexicl").err
    assert "must not name what is to be run" in run("tune", "learned", *files, "-m", "command(run=cat)").err
    missing = run("tune", "learned", *files, "-m", "bertscore")
    assert "bertscore needs a model" in missing.err


def judgements(tmp_path, rows):
    path = tmp_path / "judged.tsv"
    path.write_text("system\tsegment\tscore\n" + "".join(f"{row}\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["neural\t1\t50", "rulebased\t1\t30"], "1 segment, and 10 are the fewest"),
        ([f"neural\t{n}\t50" for n in range(1, 40)], "all judgements of a test set are the same"),
        ([], "judged.tsv"),
        ([f"other\t{n}\t{n}" for n in range(1, 40)], "no judgement of any of the systems"),
    ],
)
def test_judgements_that_teach_nothing(run, files, tmp_path, rows, message):
    done = run("tune", "learned", *files, "-j", judgements(tmp_path, rows))
    assert done.code == 1
    assert message in done.err
    assert "Traceback" not in done.err
