"""What the tests of histories share: versions of a system, recorded."""

from adjudge.comparison import score
from adjudge.data import Outputs, TestSet
from adjudge.history import evaluations
from adjudge.history.place import Revision

TEXT = "the cat sat on the mat while it rained outside and nobody came to open the old door"
WORDS = TEXT.split()
LINES = tuple(" ".join(WORDS[k % 7 : k % 7 + 6 + k % 5]) + f" {k}" for k in range(40))
SET = TestSet(references=(LINES,), labels={"document": tuple(f"d{k // 4}" for k in range(40))}, name="news")


def output(every=0, name="neural", lines=LINES, run=""):
    """The reference with a word lost in every so-manieth segment."""
    kept = [line.split(" ", 1)[1] if every and k % every == 0 else line for k, line in enumerate(lines)]
    return Outputs(name, tuple(kept), run)


def evaluation(outputs, test_set=SET, metrics=("bleu", "ter")):
    scores = score(test_set, outputs, metrics, rows=True, threads=1)
    return evaluations.of_scores(scores)


def recorded(history, *outputs, test_set=SET, metrics=("bleu", "ter"), made=None, **named):
    """Keep one version; the number of its record comes back."""
    commit = named.pop("commit", None)
    named.setdefault("label", None)
    return history.add(
        evaluation(outputs, test_set, metrics), command="score", revision=Revision(commit), made=made, **named
    )
