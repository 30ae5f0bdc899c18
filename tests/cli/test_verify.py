"""`adjudge verify` on what the other commands write."""

import json
import shutil

import pytest

from adjudge.cli.verify import command


@pytest.fixture
def folder(tmp_path, monkeypatch, examples):
    shutil.copy(examples / "reference.en", tmp_path / "reference.en")
    for system in ("neural", "shortened"):
        shutil.copy(examples / "systems" / f"{system}.en", tmp_path / f"{system}.en")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(path, **changes):
    document = json.loads(path.read_text())
    document["results"][0] |= changes
    path.write_text(json.dumps(document))


def test_what_score_prints_and_saves_holds(folder, run):
    run(
        "score",
        "-q",
        "-r",
        "reference.en",
        "--segments",
        "-f",
        "json",
        "-o",
        "a.json",
        "neural.en",
        "shortened.en",
    )
    run("score", "-q", "-r", "reference.en", "--save", "b.json", "neural.en", "my=shortened.en")
    run("score", "-q", "-r", "reference.en", "--sort", "ter", "--save", "c.json", "'*t*n*.en'".strip("'"))
    for name in "abc":
        ended = run("verify", f"{name}.json")
        assert ended.code == 0, ended
        assert f"{name}.json (score, adjudge 0.1.0): everything holds; " in ended.out


def test_a_comparison_that_warned_of_its_files_holds(folder, run):
    """What is said of origins and languages is said again."""
    lines = len((folder / "reference.en").read_text().splitlines())
    (folder / "labels.tsv").write_text("origin\n" + "pt\n" + "en\n" * (lines - 1))
    systems, fast = ["neural.en", "shortened.en"], ["--trials", "99", "--resamples", "50", "-m", "ter"]
    run(
        "compare",
        "-q",
        "-r",
        "reference.en",
        "-L",
        "labels.tsv",
        "-l",
        "pt-en",
        *fast,
        "--save",
        "a.json",
        *systems,
    )
    assert "CREATED IN REVERSE" in (folder / "a.json").read_text()
    for name, text in {
        "ref": "这是一个很长的句子没有空格",
        "one": "这是一个很短的句子没有空格",
        "two": "那是两个人",
    }.items():
        (folder / f"{name}.zh").write_text(f"{text}\n" * 12)
    run("compare", "-q", "-r", "ref.zh", *fast, "--save", "b.json", "one.zh", "two.zh")
    assert "words are what stands between spaces" in (folder / "b.json").read_text()
    run("compare", "-q", "a.json", "more=neural.en", *fast, "--save", "c.json")
    for name in "abc":
        ended = run("verify", f"{name}.json")
        assert ended.code == 0, ended


def test_what_compare_prints_and_saves_holds(folder, run):
    systems = ["neural.en", "my=shortened.en", "copy=neural.en"]
    options = ["--trials", "99", "--resamples", "50", "--by", "length", "-m", "bleu,length-ratio", *systems]
    run("compare", "-q", "-r", "reference.en", "-f", "json", "-o", "a.json", *options)
    run("compare", "-q", "-r", "reference.en", "--save", "b.json", "--baseline", "my", *options)
    run(
        "compare",
        "-q",
        "-r",
        "reference.en",
        "--save",
        "c.json",
        "--test",
        "bootstrap",
        "--seed",
        "0",
        *options,
    )
    for name in "abc":
        ended = run("verify", f"{name}.json")
        assert ended.code == 0, ended
        assert f"{name}.json (compare, adjudge 0.1.0): everything holds; " in ended.out
    document = json.loads((folder / "b.json").read_text())
    document["pairs"][0]["p"] /= 2
    (folder / "b.json").write_text(json.dumps(document))
    ended = run("verify", "b.json")
    assert ended.code == 1
    assert "  - neural and my by bleu: p is 0.005, but should be 0.01 (difference +0.005)\n" in ended.out


def test_comparisons_of_stored_runs_hold_as_long_as_the_runs_do(folder, run):
    run("score", "-q", "-r", "reference.en", "-m", "bleu", "--save", "old.json", "neural.en")
    run("score", "-q", "-r", "reference.en", "-m", "bleu", "--save", "new.json", "neural=shortened.en")
    test = ["--trials", "99", "--resamples", "50"]
    assert run("compare", "-q", *test, "-f", "json", "-o", "a.json", "old.json", "new.json").code == 0
    assert (
        run("compare", "-q", *test, "--save", "b.json", "old.json", "my=shortened.en", "neural.en").code == 0
    )
    for name, files in (("a", 2), ("b", 4)):
        ended = run("verify", f"{name}.json")
        assert ended.code == 0, ended
        assert f"computed again from {files} files." in ended.out
        assert "Note: the rows in old.json were taken as they are: verify it too\n" in ended.out
    edit(folder / "b.json", score=50.0)
    assert run("verify", "b.json").code == 1
    run("score", "-q", "-r", "reference.en", "-m", "bleu", "--save", "old.json", "neural=shortened.en")
    ended = run("verify", "a.json")
    assert ended.code == 1
    assert "old.json (run) has changed" in ended.out
    assert "neural (old.json) by bleu: score is 53.28" in ended.out


def test_text(folder, run):
    run("score", "-q", "-r", "reference.en", "-m", "bleu", "-f", "json", "-o", "a.json", "neural.en")
    edit(folder / "a.json", score=54.0)
    ended = run("verify", "a.json")
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0].startswith("a.json (score, adjudge 0.1.0) does not hold: 1 problem, ")
    assert lines[1].startswith("  - neural by bleu: score is 54.0, but should be 53.2875")
    assert lines[1].endswith("(difference −0.712)")
    (folder / "neural.en").unlink()
    ended = run("verify", "a.json")
    assert ended.code == 1
    assert "  - neural.en (system) does not exist\n" in ended.out


def test_json(folder, run):
    run("score", "-q", "-r", "reference.en", "-m", "bleu", "-f", "json", "-o", "a.json", "neural.en")
    document = json.loads(run("verify", "-f", "json", "a.json").out)
    assert document["holds"] is True
    assert document["problems"] == []
    assert [state["holds"] for state in document["inputs"]] == [True, True]
    edit(folder / "a.json", score=54.0)
    ended = run("verify", "-f", "json", "a.json", "-o", "found.json")
    assert (ended.code, ended.out) == (1, "")
    document = json.loads((folder / "found.json").read_text())
    (problem,) = document["problems"]
    assert problem["stored"] == 54.0
    assert problem["difference"] == pytest.approx(problem["now"] - 54.0)


def test_what_came_from_stdin_is_not_confirmed(folder, process):
    text = (folder / "neural.en").read_bytes()
    ended = process("score", "-q", "-r", "reference.en", "-f", "json", "mine=-", input=text, cwd=folder)
    (folder / "a.json").write_text(ended.out)
    ended = process("verify", "a.json", cwd=folder)
    assert ended.code == 1
    assert "standard input (system) cannot be read again" in ended.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.json"], 1, "none.json does not exist"),
        (["reference.en"], 1, "not JSON"),
        ([], 2, "missing argument"),
        (["-f", "tsv", "reference.en"], 2, "unknown format"),
    ],
)
def test_faults(arguments, code, message, folder, run):
    ended = run("verify", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err


def test_the_run_among_the_examples_holds(run, examples, monkeypatch):
    monkeypatch.chdir(examples.parent)
    assert run("verify", "examples/baseline.json").out.startswith(
        "examples/baseline.json (score, adjudge 0.1.0): every"
    )


def test_every_option_is_documented(examples):
    documentation = (examples.parent / "docs" / "verify.md").read_text(encoding="utf-8")
    for parameter in command.params:
        for name in (*parameter.opts, *parameter.secondary_opts):
            assert not name.startswith("-") or f"`{name}" in documentation, f"{name} is not in docs/verify.md"
