"""Lines of arguments given to `adjudge sacrebleu` and to the real sacreBLEU, both in the folder of examples."""

from __future__ import annotations

import atexit
import gzip
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from conftest import PROJECT
from helpers import made_sets

EXAMPLES = PROJECT / "examples"
THREE = "systems/experiment.run1.en systems/experiment.run2.en systems/shortened.en"
SHORT = {
    "r1": "reference.en",
    "r2": "reference-b.en",
    "s1": "systems/experiment.run1.en",
    "s2": "systems/experiment.run2.en",
    "s3": "systems/shortened.en",
}


@dataclass(frozen=True)
class Answer:
    code: int
    stdout: str
    stderr: str


Real = Callable[[list[str]], list[Answer]]
"""How tests ask the real sacreBLEU: the fixture real_sacrebleu, by which `make check` knows that it is asked."""


Ours = Callable[[str], Answer]
"""What our command says to a line of arguments: the fixture ours."""


def split(line: str) -> tuple[list[str], str | None]:
    command, _, stdin = line.partition(" < ")
    return shlex.split(command), stdin or None


def real(lines: list[str]) -> list[Answer]:
    """What the real sacreBLEU says to lines of arguments."""
    told = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("SACREBLEU_") or name == made_sets.VARIABLE
    }
    jobs = [
        {"arguments": arguments, "stdin": stdin, "environment": told}
        for arguments, stdin in map(split, lines)
    ]
    asked, answers = _sacrebleu()
    asked.write(json.dumps(jobs) + "\n")
    asked.flush()
    return [Answer(**answer) for answer in json.loads(answers.readline())]


@cache
def _sacrebleu() -> tuple[IO[str], IO[str]]:
    """One process for all tests, which ends when nobody can ask it any more."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SACREBLEU_")}
    process = subprocess.Popen(
        [sys.executable, str(PROJECT / "tests" / "cli" / "real_sacrebleu.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=EXAMPLES,
        env=environment,
        text=True,
    )
    atexit.register(process.communicate)
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def filled(line: str, files: Path) -> str:
    """A line of arguments with the place of the files in it."""
    if "&" in line:
        return (
            line.format(files=files, three=THREE)
            .replace(f"{files}/under", f"'{files}/under")
            .replace(".txt ", ".txt' ", 1)
        )
    return line.format(files=files, three=THREE)


def write_files(folder: Path) -> Path:
    """Files that the lines of arguments name as {files}/..."""
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
