"""sacreBLEU's own tests, fetched from PyPI when this runs, with our package under its name."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu

# All but those of test sets to download (test_api, test_dataset).
TESTS = ["test_bleu.py", "test_chrf.py", "test_sentence_bleu.py", "test_significance.py", "test_ter.py"]
TESTS += ["test_tokenizer_ter.py"]
DATA = "test/wmt17_en_de_systems.pkl.bz2"  # 16 systems, which the tests of significance look for there
VERSION = sacrebleu.__version__
# Beside the packages and not in the project: nothing of sacreBLEU's is kept there.
CACHE = Path(sys.prefix) / "cache" / f"sacrebleu-{VERSION}"


def fetch() -> Path:
    """The folder with sacreBLEU's tests, downloaded once for an environment."""
    archive = CACHE / f"sacrebleu-{VERSION}.tar.gz"
    if not archive.exists():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--retries=1",
        ]
        pip += ["--no-deps", "--no-binary=sacrebleu", f"--dest={CACHE}", f"sacrebleu=={VERSION}"]
        got = subprocess.run(pip, capture_output=True, text=True, timeout=120)
        if got.returncode:
            pytest.skip(
                f"sacreBLEU's source archive cannot be fetched: {got.stderr.strip().splitlines()[-1]}"
            )
    with tarfile.open(archive) as tar:
        about = tar.extractfile(f"sacrebleu-{VERSION}/PKG-INFO")
        assert about is not None
        assert f"\nVersion: {VERSION}\n" in about.read().decode()
        (CACHE / "test").mkdir(exist_ok=True)
        for source, target in [(f"test/{name}", name) for name in TESTS] + [(DATA, DATA)]:
            file = tar.extractfile(f"sacrebleu-{VERSION}/{source}")
            assert file is not None
            (CACHE / target).write_bytes(file.read())
    return CACHE


def test_sacrebleus_own_tests_pass(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    folder = fetch()
    report = tmp_path / "report.xml"
    plugins = ["-p", "alias_sacrebleu", "-p", "no:cacheprovider"]
    where = ["-c", os.devnull, f"--rootdir={folder}", f"--junitxml={report}"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, *where, *TESTS],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    suite = ET.parse(report).getroot()[0].attrib
    record_property("sacrebleu_tests_passed", suite["tests"])
    print(f"{suite['tests']} of sacreBLEU's own tests passed")
    # The number that are in these files of 2.6.0: none may be left out unseen.
    assert (suite["tests"], suite["failures"], suite["errors"], suite["skipped"]) == ("130", "0", "0", "0")
