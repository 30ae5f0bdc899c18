"""What the tests of judges share: a choice between two translations."""

from adjudge.analysis.judge_answers import Choice


def choice(item, first, second, score, asked="x"):
    return Choice(item, first, second, asked, score)
