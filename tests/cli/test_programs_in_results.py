"""A result file from elsewhere may name any program or model: none is run unless the user says so."""

import json
import sys
from pathlib import Path

import pytest

from helpers import fakes


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ref.en").write_text("a b\nc\n")
    Path("sys.en").write_text("a\nc d\n")
    Path("score.py").write_text(
        "import sys\nopen('ran', 'a').write('x')\nfor line in sys.stdin: print(len(line))\n"
    )
    return tmp_path


METRICS = {
    "program": f'command(run="{sys.executable} score.py")',
    "model": fakes.spec("bertscore"),
}


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("command", ["verify", "gate"])
def test_what_a_file_names_is_not_run(run, folder, monkeypatch, name, command):
    scored = run("score", "-r", "ref.en", "-m", METRICS[name], "--save", "run.json", "sys.en")
    assert scored.code == 0, scored.err
    assert json.loads(Path("run.json").read_text())["results"]
    arguments = {
        "verify": ["verify", "run.json"],
        "gate": ["gate", "--against", "run.json", "-r", "ref.en", "new.en"],
    }[command]
    Path("new.en").write_text("a b\nx y z\n")
    Path("ran").unlink(missing_ok=True)
    monkeypatch.setenv("ADJUDGE_CACHE", str(folder / "empty"))
    monkeypatch.setattr("adjudge.text.models._facts", {})
    refused = run(*arguments)
    assert refused.code == 1
    assert "is not run because a file names it" in refused.err + refused.out
    assert "--allow-programs" in refused.err + refused.out
    assert not Path("ran").exists()
    allowed = run(*arguments, "--allow-programs")
    assert "is not run" not in allowed.err + allowed.out
    assert allowed.code in (0, 3), allowed.err
    assert Path("ran").exists() == (name == "program")


STUDY = """
metrics = ["bleu", '{metric}']
[[test_set]]
name = "set"
references = ["{reference}"]
labels = "labels.tsv"
language = "de-en"
systems = ["sys.en", "other.en"]
"""


@pytest.fixture
def study(folder):
    """A study from elsewhere, which names a program or an address."""
    Path("other.en").write_text("a b\nd\n")
    Path("labels.tsv").write_text("origin\nde\nen\n")

    def write(metric="chrf", reference="ref.en"):
        Path("study.toml").write_text(STUDY.format(metric=metric, reference=reference))
        return "study.toml"

    return write


COMMANDS = {
    "run": ["study", "run"],
    "score": ["score"],
    "compare": ["compare"],
    "report": ["report", "-o", "page.html"],
    "origins": ["analyse", "origins", "--resamples", "10"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_program_is_run_that_a_study_names(name, run, folder, study, monkeypatch):
    monkeypatch.setenv("ADJUDGE_CACHE", str(folder / "empty"))
    file = study(metric=METRICS["program"])
    refused = run(*COMMANDS[name], file)
    assert refused.code == 1, refused.err
    assert "is not run because a file names it, not you" in refused.err
    assert not Path("ran").exists()
    assert run(*COMMANDS[name], "-m", "bleu", file).code == 0  # what is typed goes before the study
    allowed = run(*COMMANDS[name], "--allow-programs", file)
    assert allowed.code == 0, allowed.err
    assert Path("ran").exists()


@pytest.mark.parametrize("name", [*COMMANDS, "lint"])
def test_no_address_is_read_that_a_study_names(name, run, folder, study, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://study/ref.en", "wb") as file:
        file.write(b"a b\nc\n")
    command = COMMANDS.get(name, ["lint"])
    refused = run(*command, study(reference="memory://study/ref.en"))
    message = "the address memory://study/ref.en is not read because a file names it, not you"
    assert message in refused.err + refused.out
    assert "--allow-programs" in refused.err + refused.out
    allowed = run(*command, "--allow-programs", "study.toml")
    assert allowed.code == 0, allowed.err
    assert message not in allowed.out


@pytest.mark.parametrize("address", ["https://me:secret@host/m.json", "s3://host/m.json?token=secret"])
def test_no_secret_of_an_address_gets_into_a_signature(address, run, folder):
    refused = run("score", "-r", "ref.en", "-m", f'learned(model="{address}")', "sys.en")
    assert refused.code == 2
    assert "an address without a user, a password or a query was expected" in refused.err
    assert "secret" not in refused.err.replace("may hold a secret", "")
