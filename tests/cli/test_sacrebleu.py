"""`adjudge sacrebleu` beside the real sacreBLEU's command line: the same bytes, the same exit codes."""

from __future__ import annotations

import gzip
import io
import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudge.cli import main
from conftest import PROJECT, Shared

EXAMPLES = PROJECT / "examples"
TWO = "systems/neural.en systems/rulebased.en"
THREE = "systems/experiment.run1.en systems/experiment.run2.en systems/shortened.en"

SHORT = {
    "r1": "reference.en",
    "r2": "reference-b.en",
    "s1": "systems/experiment.run1.en",
    "s2": "systems/experiment.run2.en",
    "s3": "systems/shortened.en",
}

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
reference.en -i systems/neural.en --confidence
reference.en reference-b.en -i systems/neural.en -ci -f text -w 5
reference.en -i systems/neural.en -ci -cin 40 -f text -sh
reference.en -i systems/neural.en -ci -cin 39 -b
reference.en -i systems/neural.en -ci -cin 1
reference.en -i systems/neural.en -ci -cin 0 -f text -q
reference.en -i systems/neural.en --confidence-n 50 -f text
reference.en -i systems/shortened.en -ci -cin 100 -m ter chrf bleu -f text -w 4
{files}/r1 -i {files}/s3 -ci -cin 100 -m ter chrf bleu -w 6
reference.en -i systems/shortened.en -ci -cin 100 -m chrf bleu -b -f text
reference.en -i systems/shortened.en -ci -cin 100 -m chrf -cw 2 --chrf-eps-smoothing -d
{files}/r1 {files}/r2 -i {files}/s1 -ci -cin 60 -m ter --ter-normalized -w 8
{files}/r1 {files}/r2 {files}/s3 -i {files}/s1 -ci -cin 60 -m ter -w 8
reference.en -ci -cin 64 -s add-k -sv 0.3 -w 8 < systems/neural.en
reference.en -i systems/neural.en -ci -cin 64 -s floor -tok char -w 8
reference.en -i {three} --paired-bs
reference.en -i {three} -pbs -f text
reference.en -i {three} -pbs -pbsn 81 -f text -m chrf bleu -sh -w 3
reference.en reference-b.en -i {three} -pbs -pbsn 40 -f latex -m chrf bleu
{files}/r1 -i {files}/s1 {files}/s2 {files}/s3 -pbs -pbsn 41 -f text -m ter chrf -cw 2 -q
{files}/r1 {files}/r2 {files}/s3 -i {files}/s1 {files}/s2 -pbs -pbsn 41 -f text -m ter -w 8
reference.en -i {three} -pbs --paired-bs-n 0 -f text -w 0
reference.en -i {three} -pbs -pbsn 20 -d -s add-k
reference.en -i {three} systems/experiment.run1.en -pbs -pbsn 20
reference.en -i systems/experiment.run1.en systems/experiment.run3.en --paired-ar
reference.en -i {three} -par -parn 333 -f text
{files}/r1 -i {files}/s1 {files}/s2 {files}/s3 -par -parn 333 -m ter bleu chrf -w 4
{files}/r1 {files}/r2 -i {files}/s1 {files}/s2 {files}/s3 -par -parn 333 -m ter bleu chrf -cw 2 -f text -sh
{files}/r1 {files}/r2 {files}/s3 -i {files}/s1 {files}/s2 -par -parn 100 -m ter -f latex
reference.en -i {three} -par -parn 100 -s add-k -sv 1.5 -f text
{files}/r1 -i {files}/s1 {files}/s2 -par --paired-ar-n -5 -q -f latex -b
reference.en -pbs -pbsn 30 -f text < {files}/three-systems.tsv
reference.en -par -parn 30 < {files}/three-systems.tsv
{files}/crlf.gz -i {files}/odd.txt {files}/x -par -parn 99 -m bleu chrf
{files}/crlf.gz -i {files}/odd.txt {files}/x -pbs -pbsn 99 -f text
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
reference.en -i systems/neural.en --paired-bs
reference.en -i systems/neural.en -par -sl
reference.en -i systems/neural.en -ci -sl
reference.en -i {three} -ci
reference.en -i {three} -ci -pbs
reference.en -i {three} systems/shortened.en -pbs
reference.en -i {three} -par --paired-ar-n many
reference.en -i {three} -par --paired-ar-confidence-n 100
reference.en -i {files}/odd.txt systems/neural.en -pbs
reference.en -i {files}/missing
reference.en -i {files}
reference.en -i {files}/bad-utf8
reference.en -i {files}/bad.gz
reference.en -i systems/neural.en -e utf-99
"""


@dataclass(frozen=True)
class Answer:
    code: int
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    reference, second = (
        (EXAMPLES / name).read_text().splitlines() for name in ("reference.en", "reference-b.en")
    )
    lines = {
        "two.tsv": map("\t".join, zip(reference, second, strict=True)),
        "three-systems.tsv": map("\t".join, zip(second, reference, second, strict=True)),
        "odd.txt": ["the cat \t", "", "a\u2028b\rc\x85 ", "\ufeff1,000.50"],
        "under_score&{50%}~^$#<>.txt": ["the cat", "", "a\u2028b", "1"],
        "x": ["the cat sat", "x", "a\u2028b\rc", "1,000.50"],
        "ragged.tsv": ["a\tb", "a\tb", "a\tb", "a\tb\tc"],
        "empty": [],
        **{name: (EXAMPLES / path).read_text().splitlines()[:40] for name, path in SHORT.items()},
    }
    for name, content in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in content), newline="")
    with gzip.open(folder / "crlf.gz", "wb") as file:
        file.write("the cat sat\r\n\r\na\u2028b\rc\r\n\ufeff1,000.50".encode())
    (folder / "bad-utf8").write_bytes(b"fine\nna\xefve\n")
    (folder / "bad.gz").write_bytes(b"not gzip")
    return folder


def ours(line: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Answer:
    arguments, stdin = split(line)
    monkeypatch.chdir(EXAMPLES)
    data = (EXAMPLES / stdin).read_bytes() if stdin else b""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    capfd.readouterr()
    code = main(["sacrebleu", *arguments])
    return Answer(code, *capfd.readouterr())


def split(line: str) -> tuple[list[str], str | None]:
    command, _, stdin = line.partition(" < ")
    return shlex.split(command), stdin or None


def real(lines: list[str]) -> list[Answer]:
    jobs = [{"arguments": arguments, "stdin": stdin} for arguments, stdin in map(split, lines)]
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("real_sacrebleu.py"))],
        input=json.dumps(jobs),
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Answer(**answer) for answer in json.loads(run.stdout)]


@pytest.fixture(scope="module")
def answers(files: Path) -> dict[str, Answer]:
    """What the real sacreBLEU says to every line above."""
    lines = [line for line in (SAME + REFUSED).splitlines() if line]
    return dict(zip(lines, real([filled(line, files) for line in lines]), strict=True))


def filled(line: str, files: Path) -> str:
    line = line.replace("{three}", THREE)
    if "&" in line:
        return (
            line.format(files=files)
            .replace(f"{files}/under", f"'{files}/under")
            .replace(".txt ", ".txt' ", 1)
        )
    return line.format(files=files)


@pytest.mark.parametrize("line", SAME.strip().splitlines())
def test_the_same_bytes(
    line: str,
    files: Path,
    answers: dict[str, Answer],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = answers[line]
    assert theirs.code == 0, theirs.stderr
    assert theirs.stdout
    assert ours(filled(line, files), capfd, monkeypatch) == theirs


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_the_same_exit_codes(
    line: str,
    files: Path,
    answers: dict[str, Answer],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine, theirs = ours(filled(line, files), capfd, monkeypatch), answers[line]
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


def test_the_same_bytes_on_the_golden_files(
    shared: Shared, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shared.golden / "data"

    def placed(word: str) -> str:
        return str(data / word) if (data / word).is_file() else word

    lines = [" ".join(map(placed, line.split())) for line in GOLDEN.strip().splitlines()]
    for line, theirs in zip(lines, real(lines), strict=True):
        assert theirs.code == 0, theirs.stderr
        assert ours(line, capfd, monkeypatch) == theirs


@pytest.mark.parametrize("format", ["TEXT", "latex", "json", "yaml"])
def test_the_environment_may_choose_the_format(
    format: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_FORMAT", format)
    line = f"reference.en -i {TWO} -f text"
    assert [ours(line, capfd, monkeypatch)] == real([line])


@pytest.mark.parametrize(
    ("seed", "line"),
    [
        ("42", "-i systems/neural.en -ci -cin 50 -m bleu chrf ter -w 6"),
        ("0", "-i systems/neural.en -ci -cin 50 -m bleu chrf ter -f text -sh"),
        ("7", f"-i {THREE} -pbs -pbsn 50 -f text -w 4 -m bleu chrf"),
        ("8", f"-i {THREE} -par -parn 50 -f text -sh"),
    ],
)
def test_the_environment_holds_the_seed(
    seed: str, line: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    assert [ours(f"reference.en {line}", capfd, monkeypatch)] == real([f"reference.en {line}"])


@pytest.mark.parametrize("flags", ["-pbs -pbsn 200", "-par -parn 200"])
@pytest.mark.parametrize("seed", ["None", "0"])
def test_no_seed_is_another_one_each_time(
    seed: str, flags: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    line = f"reference.en -i systems/experiment.run1.en systems/experiment.run2.en {flags} -f text -w 9"
    mine = [ours(line, capfd, monkeypatch) for _ in range(6)]
    [theirs] = real([line])
    assert len({answer.stdout for answer in mine}) > 1
    assert {answer.stderr for answer in mine} == {theirs.stderr}
    assert {answer.stdout.splitlines()[-1] for answer in mine} == {theirs.stdout.splitlines()[-1]}
    if flags.startswith("-pbs") and seed == "0":  # which sacreBLEU takes for a seed of the baseline alone
        assert {answer.stdout.splitlines()[3] for answer in mine} == {theirs.stdout.splitlines()[3]}


@pytest.mark.parametrize("seed", ["one", "-1", "1.5", ""])
def test_a_seed_that_is_none_is_bad_usage(
    seed: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    answer = ours("reference.en -i systems/neural.en -ci", capfd, monkeypatch)
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("adjudge: error: SACREBLEU_SEED=")


@pytest.mark.parametrize("jobs", [0, 1, 2, 3])
def test_jobs_change_no_number(
    jobs: int, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"reference.en -i {THREE} -pbs -pbsn 50 -f text -m bleu chrf -j {jobs}"
    mine, [theirs] = ours(line, capfd, monkeypatch), real([line])
    assert (mine.code, mine.stdout) == (theirs.code, theirs.stdout)
    # Workers write their messages whenever they come to it.
    assert sorted(mine.stderr.splitlines()) == sorted(theirs.stderr.splitlines())


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_json_of_a_bootstrap_of_chrf_and_ter(
    metric: str, files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"{files}/r1 -i {files}/s1 {files}/s2 {files}/s3 -pbs -pbsn 50 -m {metric}"
    mine, [theirs, text] = ours(line, capfd, monkeypatch), real([line, f"{line} -f text -w 4"])
    # sacreBLEU ends in a TypeError over its float32; the numbers are those of its table.
    assert theirs.code == 1
    assert "TypeError: Object of type float32 is not JSON serializable" in theirs.stderr
    assert mine.code == 0
    for row in json.loads(mine.stdout):
        [(_, result)] = [(key, value) for key, value in row.items() if key != "system"]
        assert f" {result['score']:.4f} ({result['mean']:.4f} ± {result['ci']:.4f}) " in text.stdout


@pytest.mark.parametrize(
    "flags",
    [
        *("-t wmt19", "--list", "--download wmt19", "--echo src", "--citation", "-ol de", "--subset news"),
        *("-w -1", "-l german", "-tok flores200", "-tok spm:missing.model", "-cw -1", "-i", "-pbs -j -1"),
    ],
)
def test_what_is_not_offered_says_so(
    flags: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ours(f"reference.en -i systems/neural.en -m bleu chrf {flags}", capfd, monkeypatch)
    assert answer.code == (1 if "missing" in flags else 2)
    assert answer.stdout == ""
    assert answer.stderr.startswith("adjudge: error: ")
    assert len(answer.stderr.splitlines()) == 1


def test_different_lengths_name_both_files(
    files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ours(f"reference.en -i {files}/odd.txt", capfd, monkeypatch)
    assert answer.stderr.splitlines() == [
        "sacreBLEU: System and reference streams have different lengths.",
        f"sacreBLEU: {files}/odd.txt has 4 lines, but reference.en has 173.",
    ]


def test_bad_bytes_are_named(
    files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ours(f"reference.en -i {files}/bad-utf8", capfd, monkeypatch)
    assert f"{files}/bad-utf8: not utf-8 at line 2, byte 3" in answer.stderr


def test_nothing_on_stdin_is_an_error(
    files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ours(f"reference.en < {files}/empty", capfd, monkeypatch)
    assert (answer.code, answer.stdout) == (1, "")
    assert "stdin is empty" in answer.stderr


def test_help_names_every_option(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ours("--help", capfd, monkeypatch)
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
