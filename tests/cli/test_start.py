"""How much the commands that people wait for load and pass: imports are most of the time of few segments.

Every limit is what was counted when it was set, and a few more: what needs more changes it here.
"""

import json
import subprocess
import sys

import pytest

COUNTED = """
import dataclasses, json, os, sys

made = 0
passed = {}
process = dataclasses._process_class

def counted(cls, *arguments):
    global made
    made += cls.__module__.startswith("adjudge")
    return process(cls, *arguments)

def profile(frame, event, argument):
    code = frame.f_code
    is_function = event == "call" and code.co_flags & 1 and not code.co_name.startswith("<")
    if is_function and code.co_filename.startswith(root):
        passed.setdefault((os.path.relpath(code.co_filename, root), code.co_qualname))

dataclasses._process_class = counted
from adjudge.__main__ import main

root = os.path.dirname(sys.modules["adjudge"].__file__)
sys.setprofile(profile)
try:
    main()
finally:
    sys.setprofile(None)
    rooms = [file.split(os.sep)[0] for file, _ in passed]
    print(
        json.dumps(
            {
                "modules loaded": sum(name.split(".")[0] == "adjudge" for name in sys.modules),
                "dataclasses": made,
                "functions": len(passed),
                "modules passed": len({file for file, _ in passed}),
                "changes of room": sum(a != b for a, b in zip(rooms, rooms[1:])),
                "scipy": sum(name.split(".")[0] == "scipy" for name in sys.modules),
            }
        ),
        file=sys.stderr,
    )
"""


def counts(examples, cache, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *arguments, "--quiet"],
        cwd=examples,
        env={"ADJUDGE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stderr.splitlines()[-1])


TEXTS = ("-r", "reference.en", "systems/neural.en", "systems/rulebased.en")
SCORE = {
    "modules loaded": 67,
    "dataclasses": 43,
    "functions": 273,
    "modules passed": 49,
    "changes of room": 91,
}
COMPARE = {
    "modules loaded": 109,
    "dataclasses": 110,
    "functions": 556,
    "modules passed": 85,
    "changes of room": 146,
}
STUDY = {
    "modules loaded": 197,
    "dataclasses": 215,
    "functions": 700,
    "modules passed": 117,
    "changes of room": 179,
}


@pytest.mark.parametrize(
    ("command", "limits"),
    [
        (("score", "-m", "bleu", "-r", "reference.en", "systems/neural.en"), SCORE),
        (("score", *TEXTS), SCORE),
        (("compare", "-m", "bleu", *TEXTS), COMPARE),
        (("compare", *TEXTS), COMPARE),
        (("compare", "--test", "bootstrap", *TEXTS), COMPARE),
        (("compare", "-m", "ribes", "--test", "signed-rank", *TEXTS), COMPARE),
        (("compare", "-m", "ribes", "--test", "rank-sum", *TEXTS), COMPARE),
        (("compare", "-m", "chrf", "--margin", "1", *TEXTS), COMPARE),
        (("study", "run", "study/study.toml"), STUDY),
    ],
    ids=lambda value: " ".join(value[:5]) if isinstance(value, tuple) else "",
)
def test_commands_load_and_pass_little(examples, tmp_path, command, limits):
    found = counts(examples, tmp_path, *command)
    assert {name: found[name] for name, most in limits.items() if found[name] > most} == {}
    assert command[0] == "study" or not found["scipy"]


@pytest.mark.parametrize("file", ["judgements.tsv", "rankings.csv", "assessment.csv", "edits.tsv"])
def test_judgements_are_analysed_without_scipy(examples, tmp_path, file):
    assert not counts(examples, tmp_path, "human", "analyse", file)["scipy"]
