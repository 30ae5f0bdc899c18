"""What is given to others: a source archive, and a wheel that needs no compiler."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_a_wheel_works_without_a_compiler():
    """The source archive builds, both are fit for an index, and the wheel scores in an environment of its own."""
    printed = subprocess.run(
        [sys.executable, ROOT / "scripts" / "try-wheel"], capture_output=True, text=True, check=False
    )
    assert printed.returncode == 0, printed.stdout + printed.stderr
    assert "both hold" in printed.stdout
