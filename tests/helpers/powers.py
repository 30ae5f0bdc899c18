"""What the tests of power's reports share."""

from adjudge.planning.power_display import PowerDisplay
from adjudge.planning.power_words import Result
from adjudge.report.render.formats import render, renderer_of

HOSTILE = "<b>|&\"'_\x1b[31m\u202e日本"


QUARTERS = (0.25, 0.5, 0.75, 1.0)


def rendered(result: Result, form: str) -> str:
    return render(renderer_of(PowerDisplay(result), version="1"), form)
