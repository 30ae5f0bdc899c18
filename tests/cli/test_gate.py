"""`adjudge gate`, as a build runs it: what it prints, what it writes, how it ends."""

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from adjudge.cli.gate import command
from adjudge.history import gate as gates
from adjudge.history import stored

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def folder(tmp_path, monkeypatch, examples):
    for name in ("reference.en", "source.pt", "labels.tsv"):
        shutil.copy(examples / name, tmp_path / name)
    for system in ("neural", "neural-fixed", "shortened"):
        shutil.copy(examples / "systems" / f"{system}.en", tmp_path / f"{system}.en")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def baseline(folder, run):
    assert run("score", "-r", "reference.en", "--save", "base.json", "neural.en").code == 0
    return "base.json"


def gate(run, *arguments):
    return run("gate", "--against", "base.json", "--trials", "1000", *arguments)


def test_exit_3_on_a_drop_and_0_otherwise(baseline, run):
    for system, code in (("shortened", 3), ("neural-fixed", 0), ("neural", 0)):
        ended = gate(run, f"{system}.en")
        assert ended.code == code, ended
        assert ended.err == ""


def test_text(baseline, run):
    lines = gate(run, "shortened.en", "-m", "bleu,ter").out.splitlines()
    assert lines[0].split() == ["Metric", "Verdict", "Old", "New", "Change", "p"]
    assert lines[1].split() == ["BLEU", "↑", "WORSE", "53.3", "39.3", "−13.9", "0.002"]
    assert lines[2].split() == ["TER", "↓", "WORSE", "35.1", "47.8", "+12.8", "0.002"]
    assert lines[4] == (
        "BLEU: WORSE (53.3 then, 39.3 now, p = 0.002); people usually notice such a difference."
    )
    assert "Gate failed: BLEU and TER are significantly worse than in base.json." in lines
    assert "Holm over 2 tests, alpha 0.05, seed 12345; taken for the only look at this baseline" in lines[-1]
    same = gate(run, "neural-fixed.en", "--alpha", "0.001", "--trials", "5000").out
    caught = r"0\.\d would have been caught with 80 % probability"
    assert re.search(rf"BLEU: no evidence of a drop \(p = 0.*\); a drop of {caught}", same)
    assert re.search(rf"TER: no evidence of a rise \(p = 0.*\); a rise of {caught}", same)
    assert "Gate passed: no evidence of a drop against base.json." in same
    assert "BLEU: nothing has changed." in gate(run, "neural.en").out


def test_colours(baseline, terminal):
    shown = terminal("gate", "--against", "base.json", "--trials", "999", "neural-fixed.en", "-m", "ter")
    assert "\x1b[32mbetter\x1b[0m" in shown


def test_tolerance_and_system_and_names(baseline, run):
    ended = gate(run, "shortened.en", "-m", "bleu", "--tolerance", "20")
    assert ended.code == 0
    assert "but by less than the tolerance of 20" in ended.out
    run("score", "-r", "reference.en", "--save", "base.json", "neural.en", "shortened.en")
    ended = gate(run, "neural-fixed.en")
    assert (ended.code, ended.out) == (2, "")
    assert "--system NAME" in ended.err
    assert gate(run, "neural-fixed.en", "--system", "shortened").code == 0
    assert gate(run, "neural=shortened.en").code == 3


def test_json(baseline, run):
    ended = gate(run, "shortened.en", "-m", "bleu", "-f", "json")
    assert ended.code == 3
    document = json.loads(ended.out)
    assert document["passed"] is False
    assert document["against"] == "base.json"
    (result,) = document["results"]
    assert (result["system"], result["against"], result["verdict"]) == ("shortened", "neural", "worse")
    assert result["delta"] == result["new"] - result["old"]
    assert document["test"]["trials"] == 1000
    assert [item["role"] for item in document["inputs"]] == ["reference", "system"]


def looked(run, *arguments):
    """The look of a gate by one metric, and its result."""
    document = json.loads(
        run("gate", "--against", "base.json", "-m", "bleu", "-f", "json", "-q", *arguments).out
    )
    (result,) = document["results"]
    return document["look"], result


def test_a_look_spends_its_share_of_alpha(baseline, run):
    (only, alone), (seventh, late) = (
        looked(run, "neural-fixed.en"),
        looked(run, "--look", "7", "neural-fixed.en"),
    )
    assert (only["only"], only["alpha"], only["alpha_spent"]) == (True, 0.05, 0.05)
    assert (seventh["number"], seventh["only"]) == (7, False)
    assert seventh["alpha"] == pytest.approx(0.05 * 10 / (16 * 17))
    assert seventh["alpha_spent"] == pytest.approx(0.05 * 7 / 17)
    assert late["p"] == alone["p"]
    assert late["p_adjusted"] == pytest.approx(min(1, alone["p"] / seventh["alpha"] * 0.05))
    assert late["detectable"] > alone["detectable"]
    planned, _ = looked(run, "--max-looks", "100", "neural-fixed.en")
    assert (planned["planned"], planned["alpha"], planned["alpha_spent"]) == (
        100,
        pytest.approx(0.0005),
        None,
    )
    out = run("gate", "--against", "base.json", "--look", "7", "neural-fixed.en").out
    assert "look 7 at this baseline, with alpha 0.0018 (0.021 spent so far); p counts all looks" in out
    assert "would have been caught by now with 80 % probability" in out
    ended = run("gate", "--against", "base.json", "--look", "8", "--max-looks", "7", "neural-fixed.en")
    assert (ended.code, ended.out) == (2, "")
    assert "all of alpha is spent" in ended.err
    assert looked(run, "--look", "500", "shortened.en")[1]["verdict"] == "worse", "it has the trials it needs"


def test_a_history_counts_looks_at_the_same_baseline(baseline, run):
    record = "--record=own.db"
    assert [looked(run, record, f"{name}.en")[0]["number"] for name in ("neural-fixed", "shortened")] == [
        1,
        2,
    ]
    assert looked(run, record, "neural-fixed.en")[0]["number"] == 1, "the same question again spends nothing"
    assert looked(run, record, "neural=shortened.en")[0]["number"] == 3
    first = looked(run, record, "--alpha", "0.01", "neural-fixed.en")[0]
    assert (first["number"], first["counted"]) == (4, True), "another question of the same output is a look"
    assert looked(run, record, "--max-looks", "9", "--seed", "2", "neural-fixed.en")[0]["number"] == 5
    assert run("score", "-r", "reference.en", "--save", "base.json", "neural-fixed.en").code == 0
    assert looked(run, record, "shortened.en")[0]["number"] == 1, "another baseline, another count"
    assert looked(run, "shortened.en")[0]["only"]


def test_gates_at_the_same_moment_are_different_looks(baseline, run, monkeypatch):
    """Another gate runs from beginning to end while the first one tests."""
    real, others = gates.compare_measured, []

    def beside(*arguments, **options):
        monkeypatch.setattr(gates, "compare_measured", real)
        others.append(looked(run, "--record=own.db", "shortened.en")[0])
        return real(*arguments, **options)

    monkeypatch.setattr(gates, "compare_measured", beside)
    first, _ = looked(run, "--record=own.db", "neural-fixed.en")
    assert [look["number"] for look in (first, *others)] == [1, 2]
    assert looked(run, "--record=own.db", "neural=shortened.en")[0]["number"] == 3


def test_what_cannot_be_scored_spends_no_look(baseline, run, folder):
    (folder / "short.en").write_text("one segment\n", encoding="utf-8")
    assert run("gate", "--against", "base.json", "--record=own.db", "short.en").code == 1
    assert not (folder / "own.db").exists()
    assert looked(run, "--record=own.db", "neural-fixed.en")[0]["number"] == 1


def test_a_look_with_a_number_of_its_own_counts_for_the_next_one(baseline, run):
    assert looked(run, "--record=own.db", "--look", "7", "neural-fixed.en")[0]["counted"] is False
    assert looked(run, "--record=own.db", "shortened.en")[0]["number"] == 8


def test_markdown(baseline, run):
    out = gate(run, "shortened.en", "-m", "bleu", "-f", "markdown").out
    assert out.startswith("**Gate failed: BLEU is significantly worse than in base.json.**\n\n| Metric |")
    assert "\n- BLEU: WORSE" in out


def test_output_goes_to_a_file(baseline, run, folder):
    ended = gate(run, "shortened.en", "-f", "markdown", "-o", "summary.md")
    assert (ended.code, ended.out) == (3, "")
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("**Gate failed")


def test_the_new_run_becomes_the_next_baseline(baseline, run, folder):
    # Not at once: a gate that fails would have lost what it failed against.
    refused = gate(run, "neural-fixed.en", "--save", "base.json")
    assert (refused.code, "cannot write base.json: it is an input (against)" in refused.err) == (2, True)
    assert gate(run, "neural-fixed.en", "--save", "next.json").code == 0
    os.replace("next.json", "base.json")
    kept = stored.read("base.json")
    assert kept.systems == ("neural-fixed",)
    assert kept.arguments.references == ("reference.en",)
    assert gate(run, "neural-fixed.en").code == 0
    assert "neural-fixed against neural-fixed" in gate(run, "neural-fixed.en").out


def test_a_saved_comparison_is_a_baseline_too(folder, run):
    options = ["-q", "-r", "reference.en", "--trials", "99", "--save", "base.json"]
    assert run("compare", *options, "neural.en", "shortened.en").code == 0
    assert gate(run, "shortened.en").code == 0
    assert gate(run, "neural=shortened.en").code == 3


def test_a_failed_gate_still_saves(baseline, run):
    assert gate(run, "shortened.en", "--save", "next.json").code == 3
    assert stored.read("next.json").systems == ("shortened",)


def test_references_are_found_beside_the_run(baseline, run, folder, monkeypatch):
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    shutil.copy(folder / "shortened.en", "shortened.en")
    assert run("gate", "--against", "../base.json", "shortened.en").code == 3
    assert run("gate", "--against", folder / "base.json", "shortened.en").code == 3


def test_references_that_changed_or_went_are_refused(baseline, run, folder):
    text = (folder / "reference.en").read_text(encoding="utf-8")
    (folder / "reference.en").write_text(text.replace("the", "teh", 1), encoding="utf-8")
    ended = gate(run, "neural.en")
    assert ended.code == 1
    assert "reference.en (reference of base.json) has changed (sha256 " in ended.err
    ended = gate(run, "neural.en", "-r", "reference.en")
    assert ended.code == 1
    assert "fingerprint: " in ended.err
    (folder / "moved.en").write_text(text, encoding="utf-8")
    (folder / "reference.en").unlink()
    assert "reference.en (reference of base.json) does not exist" in gate(run, "neural.en").err
    assert gate(run, "neural.en", "-r", "moved.en").code == 0


def test_documents_are_remembered(folder, run):
    run("score", "-r", "reference.en", "-L", "labels.tsv", "--save", "base.json", "neural.en")
    (folder / "labels.tsv").unlink()
    ended = gate(run, "shortened.en", "--unit", "document", "-m", "bleu")
    assert ended.code == 3
    assert "unit document" in ended.out


def test_a_test_set_in_one_file(folder, run):
    lines = zip(
        *((folder / name).read_text(encoding="utf-8").splitlines() for name in ("reference.en", "neural.en")),
        strict=True,
    )
    (folder / "set.tsv").write_text(
        "ref\tneural\n" + "".join(f"{a}\t{b}\n" for a, b in lines), encoding="utf-8"
    )
    ended = run("score", "-r", "set.tsv:ref", "--save", "base.json", "set.tsv:neural")
    assert ended.code == 0, ended
    assert gate(run, "shortened.en").code == 3
    assert gate(run, "neural.en").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--against", "none.json", "neural.en"], 1, "none.json does not exist"),
        (["--against", "reference.en", "neural.en"], 1, "not JSON"),
        (["--against", "cut.json", "neural.en"], 1, "truncated"),
        (["--against", "plain.json", "neural.en"], 1, "holds no rows to compare with"),
        (["--against", "base.json", "short.en"], 1, "172"),
        (["--against", "base.json", "none.en"], 1, "none.en does not exist"),
        (["--against", "base.json"], 2, "no new output"),
        (["neural.en"], 2, "--against"),
        (["--against", "base.json", "-m", "chrf++", "neural.en"], 2, "unknown metric in base.json"),
        (["--against", "base.json", "--alpha", "5", "neural.en"], 2, "alpha=5"),
        (["--against", "base.json", "--tolerance", "nan", "neural.en"], 2, "tolerance"),
        (["--against", "base.json", "--unit", "document", "neural.en"], 2, "no label 'document'"),
        (["--against", "base.json", "-f", "latex", "neural.en"], 2, "unknown format"),
        (["--against", "base.json", "--save", "no/where.json", "neural.en"], 2, "cannot write no/where.json"),
    ],
)
def test_what_cannot_be_answered_is_neither_pass_nor_fail(arguments, code, message, baseline, run, folder):
    text = (folder / "base.json").read_text()
    (folder / "cut.json").write_text(text[: len(text) // 2])
    (folder / "plain.json").write_text(run("score", "-r", "reference.en", "-f", "json", "neural.en").out)
    (folder / "short.en").write_text("x\n" * 172)
    ended = run("gate", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err


def test_stdin_is_a_new_output_too(baseline, process, folder):
    ended = process("gate", "--against", "base.json", "-", input=(folder / "shortened.en").read_bytes())
    assert ended.code == 3
    assert "stdin against neural" in ended.out


def test_every_option_is_documented():
    documentation = (PROJECT / "docs" / "gate.md").read_text(encoding="utf-8")
    for parameter in command.params:
        for name in (*parameter.opts, *parameter.secondary_opts):
            assert not name.startswith("-") or f"`{name}" in documentation, f"{name} is not in docs/gate.md"


def test_the_python_example_of_the_documentation_runs(monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / "runs.md").read_text(), re.DOTALL)
    monkeypatch.chdir(PROJECT)
    result: dict[str, object] = {}
    exec(
        code.replace('open("examples/baseline.json").read()', "text"),
        {"text": Path("examples/baseline.json").read_text()},
        result,
    )
    assert result["rows"].shape == (173, 10)


def test_the_workflows_of_the_documentation_call_it_rightly():
    page = (PROJECT / "docs" / "gate.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    calls = [line for block in blocks for line in re.findall(r"adjudge gate (.*)", block)]
    assert len(calls) == 2
    for call in calls:
        with command.make_context("gate", shlex.split(call)) as context:
            assert context.params["against"] == "test/baseline.json"
            assert context.params["systems"] == ("neural.en",)
