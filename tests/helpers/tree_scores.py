"""What the tests of metrics on trees share."""

from adjudge.data import TestSet
from adjudge.data.dependencies import Treebank
from adjudge.metrics import metric
from helpers.treebanks import chain

CAT, DOG = chain("the cat sat"), chain("a dog sat")


def scores(spec, references, outputs, trees, **others):
    test_set = TestSet(references=references, trees=Treebank(trees), **others)
    scorer = metric(spec)
    return scorer.segments(scorer.prepare(test_set), outputs, threads=1)


# TSKM

TREES = {
    "the cat sat": (CAT,),
    "a cat sat": (chain("a cat sat"),),
    "cat sat there": (chain("cat sat there"),),
    "die Katze sass": (chain("die Katze sass"),),
    "eine Katze sass": (chain("eine Katze sass"),),
}
