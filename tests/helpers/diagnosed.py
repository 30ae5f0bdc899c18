"""What the tests of annotators share: campaigns in which somebody is unlike the others."""

import numpy as np

from adjudge.human.diagnostics import diagnoses


def campaign(seed=0, **peculiar):
    """60 translations rated by eight people, some of whom are peculiar: a function of (score, number)."""
    rng = np.random.default_rng(seed)
    rows = []
    truth = rng.normal(60, 15, size=60)
    for who in "ABCDEFGH":
        odd = peculiar.get(who, lambda score, number: score)
        rows += [(who, "x", str(i), odd(truth[i] + rng.normal(0, 8), i)) for i in range(60)]
    return rows


def flags(judged):
    return {diagnosis.annotator: diagnosis.flags for diagnosis in diagnoses(judged) if diagnosis.flags}
