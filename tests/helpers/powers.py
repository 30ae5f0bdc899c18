"""What the tests of power's reports share."""

from adjudge.report.pages.power import power as report
from adjudge.report.pages.power.words import Result
from adjudge.report.render.formats import render

HOSTILE = "<b>|&\"'_\x1b[31m\u202e日本"


QUARTERS = (0.25, 0.5, 0.75, 1.0)


def rendered(result: Result, form: str) -> str:
    return render(report.renderer(result, version="1"), form)
