"""`adjudge sacrebleu` beside the real sacreBLEU's command line: the same bytes, the same exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Shared
from helpers.sacrebleus import EXAMPLES, Ours, Real, filled, write_files

TWO = "systems/neural.en systems/rulebased.en"

# Lines of arguments, run in examples/; `< FILE` names what comes on stdin.
SAME = """
reference.en -i systems/neural.en
reference.en < systems/neural.en
reference.en reference-b.en -i systems/neural.en
reference.en -i systems/neural.en -b
reference.en -i systems/neural.en -w 4
reference.en -i systems/neural.en -w 0 -b
reference.en -i systems/neural.en -f text
reference.en -i systems/neural.en -f text -sh
reference.en -i systems/neural.en -sh
reference.en -i systems/neural.en -f latex
reference.en -i systems/neural.en -lc -f text
reference.en -i systems/neural.en -tok intl -f text
reference.en -i systems/neural.en -tok char -f text
reference.en -i systems/neural.en -tok none -f text
reference.en -i systems/neural.en -tok zh --force
reference.en -i systems/neural.en -l pt-ja
reference.en -i systems/neural.en -l pt-ko -f text
reference.en -i systems/neural.en -l pt-zh -tok 13a
reference.en -i systems/neural.en -s floor -f text
reference.en -i systems/neural.en -s floor -sv 0.5 -f text
reference.en -i systems/neural.en --smooth-method add-k --smooth-value 2
reference.en -i systems/neural.en -s none
reference.en -i systems/neural.en --smooth-meth exp --smooth-value 3
reference.en -i systems/neural.en -d
reference.en -i systems/neural.en -m chrf
reference.en -i systems/neural.en -m chrf --chrf-word-order 2 -w 3
reference.en reference-b.en -i systems/neural.en -m chrf -cw 1 -cc 4 --chrf-beta 3 -f text
reference.en -i systems/neural.en -m chrf --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing
reference.en -i systems/shortened.en -m chrf bleu
reference.en -i systems/shortened.en -m chrf bleu chrf -f text
reference.en -i systems/shortened.en -m chrf bleu -b
reference.en -i systems/shortened.en -m chrf bleu -b -f text
reference.en -i systems/shortened.en -m bleu chrf --chrf-word-order 2 -f text -sh -q
reference.en -i systems/shortened.en -sl
reference.en -i systems/shortened.en -sl -b -w 2
reference.en reference-b.en -i systems/shortened.en -sl -f text -m chrf -sh
reference.en -i systems/neural.en systems/rulebased.en
reference.en -i systems/neural.en systems/rulebased.en -f text
reference.en -i systems/neural.en systems/rulebased.en -f latex -m bleu chrf
reference.en -i systems/neural.en systems/rulebased.en -f text -m chrf bleu -cw 2 -sh -w 3
reference.en -i systems/neural.en systems/rulebased.en -f text -b -w 0
reference.en reference-b.en -i systems/neural.en systems/neural-fixed.en systems/shortened.en -m bleu chrf
reference.en -e latin-1 -i systems/neural.en -q
reference.en -i systems/neural.en -nc -m ter
reference.en reference-b.en -i systems/neural.en -m ter -f text
reference.en -i systems/neural.en -m ter --ter-normalized --ter-no-punct
reference.en -i systems/rulebased.en -m ter --ter-case-sensitive --ter-asian-support --ter-normalized
reference.en -i systems/rulebased.en -m ter bleu chrf
reference.en -i systems/rulebased.en -m ter bleu chrf -f text -w 2
reference.en -i systems/shortened.en -sl -m ter
reference.en -i systems/neural.en systems/rulebased.en -f text -m ter bleu chrf
{files}/two.tsv -nr 2 -i systems/neural.en
{files}/two.tsv --num-refs 2 -i systems/neural.en -m chrf -f text
reference.en -f text < {files}/three-systems.tsv
reference.en -f latex -m chrf < {files}/three-systems.tsv
{files}/crlf.gz -i {files}/under_score&{{50%}}~^$#<>.txt {files}/odd.txt -f latex
{files}/crlf.gz -i {files}/odd.txt {files}/x -f text -m chrf bleu
{files}/crlf.gz -i {files}/odd.txt -m chrf --chrf-whitespace -w 6
reference.en -i systems/neural.en systems/rulebased.en -d
--version
"""

REFUSED = """
reference.en -i {files}/odd.txt
reference.en reference-b.en {files}/odd.txt -i systems/neural.en
reference.en < {files}/odd.txt
reference.en -i systems/neural.en -sl -m bleu chrf
reference.en -i systems/neural.en systems/rulebased.en -sl
reference.en -i systems/neural.en systems/neural.en
reference.en -i {files}/empty
{files}/empty -i {files}/empty
-i systems/neural.en
reference.en reference-b.en -nr 2 -i systems/neural.en
{files}/two.tsv -nr 3 -i systems/neural.en
{files}/odd.txt < {files}/ragged.tsv
reference.en -i systems/neural.en -m blue
reference.en -i systems/neural.en -tok 13b
reference.en -i systems/neural.en -f yaml
reference.en -i systems/neural.en -w much
reference.en -i systems/neural.en --no-such-option
reference.en -i systems/neural.en --paired-ar --paired-bs
reference.en -i {files}/missing
reference.en -i {files}
reference.en -i {files}/bad-utf8
reference.en -i {files}/bad.gz
reference.en -i systems/neural.en -e utf-99
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.mark.parametrize("line", SAME.strip().splitlines())
def test_the_same_bytes(
    line: str,
    files: Path,
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    [theirs] = real_sacrebleu([filled(line, files)])
    assert theirs.code == 0, theirs.stderr
    assert theirs.stdout
    assert ours(filled(line, files)) == theirs


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_the_same_exit_codes(
    line: str,
    files: Path,
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    mine = ours(filled(line, files))
    [theirs] = real_sacrebleu([filled(line, files)])
    assert theirs.code != 0
    # Where sacreBLEU breaks down over an encoding nobody knows, we call it bad usage.
    assert mine.code == (2 if "utf-99" in line else theirs.code)
    assert mine.stdout == theirs.stdout == ""
    assert mine.stderr
    assert "Traceback" not in mine.stderr
    assert "fault in adjudge" not in mine.stderr


GOLDEN = """
w1.ref.en -i w1.sys1.en w1.sys2.en -f text -w 4
w1.tok.ref.en -i w1.tok.sys1.en
w1.tok.ref.en -i w1.tok.sys1.en -tok none --force
en-zh.refA.zh en-zh.refB.zh -i en-zh.Online-B.zh -l en-zh -f text -w 3
en-zh.refA.zh -i en-zh.Online-B.zh -m bleu chrf -tok char -f text -w 3
en-ja.refA.ja -i en-ja.Online-B.ja -l en-ja
en-de.refA.de -i en-de.Online-B.de -sl -lc
en-ru.refA.ru -i en-ru.Online-B.ru -tok intl -w 6
"""


def test_the_same_bytes_on_the_golden_files(shared: Shared, real_sacrebleu: Real, ours: Ours) -> None:
    data = shared.golden / "data"

    def placed(word: str) -> str:
        return str(data / word) if (data / word).is_file() else word

    lines = [" ".join(map(placed, line.split())) for line in GOLDEN.strip().splitlines()]
    for line, theirs in zip(lines, real_sacrebleu(lines), strict=True):
        assert theirs.code == 0, theirs.stderr
        assert ours(line) == theirs


@pytest.mark.parametrize("format", ["TEXT", "latex", "json", "yaml"])
def test_the_environment_may_choose_the_format(
    format: str, real_sacrebleu: Real, monkeypatch: pytest.MonkeyPatch, ours: Ours
) -> None:
    monkeypatch.setenv("SACREBLEU_FORMAT", format)
    line = f"reference.en -i {TWO} -f text"
    assert [ours(line)] == real_sacrebleu([line])


@pytest.mark.parametrize(
    "flags",
    [
        *("-w -1", "-l german", "-tok flores200", "-tok spm:missing.model", "-cw -1", "-i", "-pbs -j -1"),
    ],
)
def test_what_is_not_offered_says_so(flags: str, ours: Ours) -> None:
    answer = ours(f"reference.en -i systems/neural.en -m bleu chrf {flags}")
    assert answer.code == (1 if "missing" in flags else 2)
    assert answer.stdout == ""
    assert answer.stderr.startswith("adjudge: error: ")
    assert len(answer.stderr.splitlines()) == 1


def test_different_lengths_name_both_files(files: Path, ours: Ours) -> None:
    answer = ours(f"reference.en -i {files}/odd.txt")
    assert answer.stderr.splitlines() == [
        "sacreBLEU: System and reference streams have different lengths.",
        f"sacreBLEU: {files}/odd.txt has 4 lines, but reference.en has 173.",
    ]


def test_bad_bytes_are_named(files: Path, ours: Ours) -> None:
    answer = ours(f"reference.en -i {files}/bad-utf8")
    assert f"{files}/bad-utf8: not utf-8 at line 2, byte 3" in answer.stderr


def test_nothing_on_stdin_is_an_error(files: Path, ours: Ours) -> None:
    answer = ours(f"reference.en < {files}/empty")
    assert (answer.code, answer.stdout) == (1, "")
    assert "stdin is empty" in answer.stderr


def test_help_names_every_option(ours: Ours) -> None:
    answer = ours("--help")
    assert answer.code == 0
    for flag in (
        "--num-refs",
        "-sl",
        "--smooth-value",
        "--chrf-eps-smoothing",
        "--ter-no-punct",
        "--score-only",
    ):
        assert flag in answer.stdout


def test_as_programs() -> None:
    line = f"reference.en -i {TWO} -f text".split()
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    outputs = [
        subprocess.run(
            [sys.executable, "-m", *module, *line],
            cwd=EXAMPLES,
            env=environment,
            capture_output=True,
            check=True,
        ).stdout
        for module in (["adjudge", "sacrebleu"], ["sacrebleu"])
    ]
    assert outputs[0] == outputs[1]
    assert "│".encode() in outputs[0]
