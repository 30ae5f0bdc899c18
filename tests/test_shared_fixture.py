"""Without the shared data parity tests are skipped with a reason; where they are promised, that is a failure."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parent / "conftest.py"


@pytest.mark.parametrize(("promised", "code", "words"), [(False, 0, "1 skipped"), (True, 1, "1 error")])
def test_a_skip_is_a_failure_only_where_shared_data_are_promised(tmp_path, promised, code, words):
    # Two folders down, so that no shared folder lies beside what looks like the project.
    tests = tmp_path / "project" / "tests"
    tests.mkdir(parents=True)
    shutil.copy(CONFTEST, tests / "conftest.py")
    (tests / "test_one.py").write_text("def test_parity(shared):\n    pass\n")
    environment = {k: v for k, v in os.environ.items() if k != "ADJUDGE_SHARED"}
    environment["PYTHONPATH"] = str(CONFTEST.parent)
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # seconds that say nothing
    if promised:
        environment["ADJUDGE_SHARED"] = str(tmp_path / "nowhere")
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert words in done.stdout
    assert "no golden values" in done.stdout
