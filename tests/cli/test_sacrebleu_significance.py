"""Confidence intervals and paired tests of `adjudge sacrebleu` beside the real sacreBLEU's: the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.sacrebleus import EXAMPLES, THREE, Ours, Real, filled, write_files

# Lines of arguments, run in examples/; `< FILE` names what comes on stdin.
SAME = """
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
"""

REFUSED = """
reference.en -i systems/neural.en --paired-bs
reference.en -i systems/neural.en -par -sl
reference.en -i systems/neural.en -ci -sl
reference.en -i {three} -ci
reference.en -i {three} -ci -pbs
reference.en -i {three} systems/shortened.en -pbs
reference.en -i {three} -par --paired-ar-n many
reference.en -i {three} -par --paired-ar-confidence-n 100
reference.en -i {files}/odd.txt systems/neural.en -pbs
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
    assert ours(filled(line, files)) == theirs


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_the_same_refusals(
    line: str,
    files: Path,
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    mine = ours(filled(line, files))
    [theirs] = real_sacrebleu([filled(line, files)])
    assert theirs.code != 0
    assert (mine.code, mine.stdout) == (theirs.code, theirs.stdout)
    if theirs.stderr.startswith("sacreBLEU:") and "lengths" not in theirs.stderr:
        assert mine.stderr == theirs.stderr
    else:  # argparse names the program, and we name files of different lengths
        assert mine.stderr


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
    seed: str,
    line: str,
    real_sacrebleu: Real,
    monkeypatch: pytest.MonkeyPatch,
    ours: Ours,
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    assert [ours(f"reference.en {line}")] == real_sacrebleu([f"reference.en {line}"])


@pytest.mark.parametrize("flags", ["-pbs -pbsn 200", "-par -parn 200"])
@pytest.mark.parametrize("seed", ["None", "0"])
def test_no_seed_is_another_one_each_time(
    seed: str,
    flags: str,
    real_sacrebleu: Real,
    monkeypatch: pytest.MonkeyPatch,
    ours: Ours,
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    line = f"reference.en -i systems/experiment.run1.en systems/experiment.run2.en {flags} -f text -w 9"
    mine = [ours(line) for _ in range(6)]
    [theirs] = real_sacrebleu([line])
    assert len({answer.stdout for answer in mine}) > 1
    assert {answer.stderr for answer in mine} == {theirs.stderr}
    assert {answer.stdout.splitlines()[-1] for answer in mine} == {theirs.stdout.splitlines()[-1]}
    if flags.startswith("-pbs") and seed == "0":  # which sacreBLEU takes for a seed of the baseline alone
        assert {answer.stdout.splitlines()[3] for answer in mine} == {theirs.stdout.splitlines()[3]}


@pytest.mark.parametrize("seed", ["one", "-1", "1.5", ""])
def test_a_seed_that_is_none_is_bad_usage(seed: str, monkeypatch: pytest.MonkeyPatch, ours: Ours) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    answer = ours("reference.en -i systems/neural.en -ci")
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("adjudge: error: SACREBLEU_SEED=")


@pytest.mark.parametrize("jobs", [0, 1, 2, 3])
def test_jobs_change_no_number(jobs: int, real_sacrebleu: Real, ours: Ours) -> None:
    line = f"reference.en -i {THREE} -pbs -pbsn 50 -f text -m bleu chrf -j {jobs}"
    mine, [theirs] = ours(line), real_sacrebleu([line])
    assert (mine.code, mine.stdout) == (theirs.code, theirs.stdout)
    # Workers write their messages whenever they come to it.
    assert sorted(mine.stderr.splitlines()) == sorted(theirs.stderr.splitlines())


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_json_of_a_bootstrap_of_chrf_and_ter(
    metric: str,
    files: Path,
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    line = f"{files}/r1 -i {files}/s1 {files}/s2 {files}/s3 -pbs -pbsn 50 -m {metric}"
    mine, [theirs, text] = ours(line), real_sacrebleu([line, f"{line} -f text -w 4"])
    # sacreBLEU ends in a TypeError over its float32; the numbers are those of its table.
    assert theirs.code == 1
    assert "TypeError: Object of type float32 is not JSON serializable" in theirs.stderr
    assert mine.code == 0
    for row in json.loads(mine.stdout):
        [(_, result)] = [(key, value) for key, value in row.items() if key != "system"]
        assert f" {result['score']:.4f} ({result['mean']:.4f} ± {result['ci']:.4f}) " in text.stdout


def test_colours_on_a_terminal(terminal: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    paired = f"sacrebleu reference.en -i {THREE} -par -parn 50 -f text".split()
    text = terminal(*paired)
    assert "\x1b[36mBLEU\x1b[0m" in text
    assert "\x1b[33mBaseline: systems/experiment.run1.en\x1b[0m" in text
    assert "\x1b[33m52.5\x1b[0m" in text
    assert re.search(r" \x1b\[31m\(p = 0\.\d{4}\)\x1b\[0m ", text)
    assert "(p = 0.0196)* " in text
    assert re.sub(r"\x1b\[\d+m", "", text) == terminal(*paired, "-nc") == terminal(*paired, NO_COLOR="1")
    single = terminal("sacrebleu", "reference.en", "-i", "systems/neural.en", "-ci", "-f", "text")
    assert "\x1b[36m(μ = 53.2 ± 2.8)\x1b[0m" in single
