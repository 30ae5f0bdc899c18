"""A second reference that is taken for a system, as in `-r ref.A.en ref.B.en hyp/*.en`, is said."""

import pytest

LINES = [
    f"the {word} sat on mat number {number}" for number in range(6) for word in ("cat", "dog", "old man")
]
TOLD = "{} counts as a system, but {}; if it is a reference, give it as one (-r {}), and if it is a system"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hyp").mkdir()
    texts = {
        "ref.A.en": LINES,
        "ref.B.en": [line.replace("sat", "was sitting") for line in LINES],
        "copy.en": LINES,
        "hyp/preference-tuned.en": [line.replace("the", "a") for line in LINES],
        "hyp/reformer.en": [line.replace("mat", "rug") for line in LINES],
        "hyp/reference-free.en": [line.replace("on", "upon") for line in LINES],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


COMMANDS = {
    "score": ["score", "-m", "bleu"],
    "score --stream": ["score", "--stream", "-m", "bleu"],
    "compare": ["compare", "-m", "bleu", "--trials", "200"],
    "compare --stream": ["compare", "--stream", "-m", "bleu", "--trials", "200"],
    "report": ["report", "-m", "bleu", "--trials", "200", "-o", "report.html"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reference_by_its_name(run, folder, command):
    call = COMMANDS[command]
    ended = run(*call, "-r", "ref.A.en", "ref.B.en", "hyp/*.en")
    assert ended.code == 0
    told = [line for line in ended.err.splitlines() if "counts as a system" in line]
    assert len(told) == 1
    assert TOLD.format("ref.B.en", "its name looks like that of a reference", "ref.B.en") in told[0]
    for meant in (["-r", "ref.A.en", "-r", "ref.B.en"], ["-r", "ref.A.en", "human=ref.B.en"]):
        ended = run(*call, *meant, "hyp/*.en")
        assert ended.code == 0
        assert "counts as a system" not in ended.err


@pytest.mark.parametrize("command", ["score", "compare", "report"])
def test_a_reference_by_its_content(run, folder, command):
    for system in ("copy.en", "system=copy.en"):
        ended = run(*COMMANDS[command], "-r", "ref.A.en", system, "hyp/*.en")
        assert ended.code == 0
        why = "all its segments are those of the reference ref.A.en"
        assert TOLD.format("copy.en", why, "copy.en") in ended.err
        assert ended.err.count("counts as a system") == 1


def test_the_warning_stands_in_json(run, folder):
    ended = run("score", "-m", "bleu", "-f", "json", "-r", "ref.A.en", "ref.B.en", "hyp/*.en")
    assert "ref.B.en counts as a system" in ended.out


def test_few_segments_may_be_right_by_chance(run, folder):
    (folder / "few.en").write_text("yes\nno\n")
    (folder / "system.en").write_text("yes\nno\n")
    assert "counts as a system" not in run("score", "-r", "few.en", "-m", "bleu", "system.en").err
