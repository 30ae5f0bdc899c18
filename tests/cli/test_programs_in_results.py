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
