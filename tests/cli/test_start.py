"""How much the commands that people wait for load: imports are most of the time that they take on few segments."""

import json
import subprocess
import sys

import pytest

COUNTED = """
import dataclasses, json, sys

made = 0
process = dataclasses._process_class

def counted(cls, *arguments):
    global made
    made += cls.__module__.startswith("adjudge")
    return process(cls, *arguments)

dataclasses._process_class = counted
from adjudge.__main__ import main

try:
    main()
finally:
    ours = sum(name.split(".")[0] == "adjudge" for name in sys.modules)
    scipy = sorted(name for name in sys.modules if name.split(".")[0] == "scipy")
    print(json.dumps({"modules": ours, "dataclasses": made, "scipy": scipy}), file=sys.stderr)
"""


def loaded(examples, cache, *arguments):
    texts = ("-r", "reference.en", "systems/neural.en", "systems/rulebased.en")
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *arguments, "--quiet", *texts],
        cwd=examples,
        env={"ADJUDGE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize(
    ("command", "modules", "dataclasses"),
    [
        (("score",), 98, 64),
        (("compare",), 145, 120),
        (("compare", "--test", "bootstrap"), 145, 120),
        (("compare", "-m", "ribes", "--test", "signed-rank"), 145, 120),
        (("compare", "-m", "ribes", "--test", "rank-sum"), 145, 120),
        (("compare", "-m", "chrf", "--margin", "1"), 145, 120),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_score_and_compare_load_little(examples, tmp_path, command, modules, dataclasses):
    """The limits are what was loaded when they were set, and a few more."""
    found = loaded(examples, tmp_path, *command)
    assert found["scipy"] == []
    assert found["modules"] <= modules
    assert found["dataclasses"] <= dataclasses
