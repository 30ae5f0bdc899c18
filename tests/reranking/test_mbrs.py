"""The choices of mbrs 0.1.8, in an environment of its own (scripts/make-neural-venv); without it these are skipped."""

import json
import os
import random
import subprocess

import numpy as np
import pytest

from adjudge.data.nbest import NBestLists
from adjudge.metrics import metric
from adjudge.reranking import expected_utilities, rerank
from conftest import PROJECT

PYTHON = os.environ.get("ADJUDGE_NEURAL_PYTHON", str(PROJECT / ".venv-neural" / "bin" / "python"))
SCRIPT = PROJECT / "tests" / "oracles" / "mbrs_choices.py"
SINGLE = 1e-5
"""mbrs computes with 24 bits: expected scores of up to 100 that lie no further apart are equal to it."""


@pytest.fixture(scope="module")
def lists():
    """Real words in drawn order, many of them shared, so that the best lie close together."""
    words = (PROJECT / "examples" / "reference.en").read_text(encoding="utf-8").split()
    generator = random.Random(1)
    made = []
    for segment in range(12):
        base = words[12 * segment : 12 * segment + generator.randint(1, 14)]
        own = []
        for _ in range(12):
            text = list(base)
            for _ in range(generator.randint(0, 4)):
                text[generator.randrange(len(text))] = generator.choice(words[: 12 * segment + 20])
            own.append(" ".join(text))
        made.append(own)
    return made


@pytest.mark.oracle
@pytest.mark.parametrize(("spec", "peer"), [("chrf", "fastchrf"), ("bleu", "bleu")])
def test_choices_are_those_of_mbrs(lists, tmp_path, spec, peer):
    if not os.path.isfile(PYTHON):
        pytest.skip(f"no {PYTHON}: scripts/make-neural-venv makes it")
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(lists), encoding="utf-8")
    command = [PYTHON, str(SCRIPT), str(file), peer]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    theirs = json.loads(ended.stdout.splitlines()[-1])["choices"]
    ours = rerank(NBestLists(tuple(map(tuple, lists))), spec).choices
    same = 0
    for texts, choice, index in zip(lists, ours, theirs, strict=True):
        utilities = expected_utilities(metric(spec), texts)
        assert utilities[index] >= np.max(utilities) - SINGLE
        same += texts[index] == choice.hypothesis
    assert same >= len(lists) - 2  # all but ties
