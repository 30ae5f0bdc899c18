"""What the tests of stored runs share: a small test set, and results that are kept in files."""

import json
from pathlib import Path

from adjudge import io
from adjudge.comparison import score
from adjudge.comparison.documents import score_document
from adjudge.data import Outputs, TestSet
from adjudge.history import stored
from adjudge.history.stored import rows_of

SET = TestSet(
    references=(("the cat sat on the mat", "it rains", "good day to you all"),),
    labels={"document": ("a", "a", "b")},
    name="news",
)


A = Outputs("a", ("the cat sat on a mat", "it rains", "good day"))


B = Outputs("b", ("a cat is on the mat", "rain", "good day to all of you"))


RUNS = [
    Outputs("c", ("the cat sat", "it rains", f"good day {word}"), run) for run, word in ("1x", "2y", "3z")
]


def saved(path, outputs=(A, B), test_set=SET, metrics=("bleu", "chrf", "ter"), **changes):
    scores = score(test_set, outputs, metrics, rows=True, threads=1)
    document = score_document(scores, version="0.1.0", inputs=[io.Input("reference", "ref.en", "0" * 64)])
    stored.write(str(path), document | changes, rows_of(scores), test_set.labels)
    return str(path)


def edited(path, change):
    document = json.loads(Path(path).read_text())
    change(document)
    Path(path).write_text(json.dumps(document))
    return path
