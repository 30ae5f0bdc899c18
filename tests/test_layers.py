"""Rules of the house that the import checker cannot see."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import timing

SOURCES = Path(__file__).resolve().parent.parent / "src" / "adjudge"
NATIVE = SOURCES.parent.parent / "native"


def test_only_native_py_imports_the_compiled_module():
    users = [
        p.name
        for p in SOURCES.rglob("*.py")
        if re.search(r"\b_core\b.*import|import.*\b_core\b", p.read_text())
    ]
    assert users == ["_native.py"]


def test_only_the_bindings_know_python():
    users = {
        p.name for p in NATIVE.iterdir() if re.search(r"nanobind|Python\.h|bindings\.hpp", p.read_text())
    }
    assert users == {p.name for p in NATIVE.glob("bindings*")}


def test_only_cli_reads_the_environment_or_exits_or_prints():
    # sacreBLEU takes its seed and the place of its cache from the environment and from nowhere else, in Python too.
    # What runs models is a program of its own, and tells the packages there to stay offline.
    compatible = "compat/sacrebleu/_resampling.py", "compat/sacrebleu/utils.py"
    allowed = "cli/", "__main__.py", *compatible, "text/worker/main.py"
    forbidden = re.compile(r"\bos\.environ|\bos\.getenv|\bsys\.exit|(?<![\w.])print\(")
    guilty = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if not path.relative_to(SOURCES).as_posix().startswith(allowed) and forbidden.search(path.read_text())
    ]
    assert guilty == []


@pytest.mark.parametrize("module", ["numpy", "scipy", "rich", "click"])
def test_importing_adjudge_is_light(module):
    code = f"import sys, adjudge; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scores_need_no_scipy():
    """Which takes as long to load as everything else together."""
    code = "import sys, adjudge.comparison; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_make_check_leaves_out_is_there():
    """A test that has another name now would be run by `make check` again: `make long-tests` writes the list anew."""
    for name in timing.long_functions():
        path, _, function = name.partition("::")
        text = (SOURCES.parent.parent / path).read_text(encoding="utf-8")
        assert re.search(rf"\bdef {function}\(", text), f"tests/long.txt: {name} is not there"
