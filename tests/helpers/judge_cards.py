"""What the tests of judges share: a choice between two translations."""

from adjudge.analysis.judge_answers import PairChoice


def choice(item, first, second, score, asked="x"):
    return PairChoice(item, first, second, asked, score)
