"""Answers about power in words, on any screen."""

from adjudge.display import cell_width
from adjudge.planning.power_display import PowerDisplay
from adjudge.report.render.formats import renderer_of
from adjudge.report.render.text import STYLES
from helpers.powers import rendered


def test_lines_fit_any_screen(results):
    for name, result in results.items():
        for width in (40, 60, 80, 120):
            for line in renderer_of(PowerDisplay(result), version="1").lines(width=width, rule=True):
                shown = "".join(span.text for span in line).rstrip()
                assert cell_width(shown) <= width, (name, width, shown)
                assert {span.style for span in line} <= {"", *STYLES}
        told = rendered(result, "text")
        assert "\x1b" not in told
        assert "nan" not in told


def test_answers_in_words(results):
    by_name = {name: rendered(result, "text") for name, result in results.items()}
    assert by_name["power"].startswith(
        "Power 0.190: of 100 such campaigns 19 would find the difference; a power of 0.8 takes n = 362.\n"
    )
    assert "n 55 distinct translations a system; N 110 judgements of 2 systems" in by_name["power"]
    assert "the paired test is right" in by_name["power"]
    assert "signed-rank" in by_name["power"]
    assert by_name["n"].startswith("n = ")
    assert "one-sided; alpha 0.05 for 45 pairs: the hardest must reach 0.00111 (Holm)" in " ".join(
        by_name["n"].split()
    )
    assert by_name["effect"].startswith("Effect 0.")
    assert "10 % ties; alpha 0.05; exact power" in " ".join(by_name["effect"].split())
    budget = " ".join(by_name["budget"].split())
    for words in (
        "n 210 distinct translations a system; N 3,000 judgements of 5 systems, 2 of each translation, 30 % of them",
        "budget 3,000 judgements, 0 left over",
        "every translation judged once: n 420, power 0.581; distinct translations count",
        "icc 0.4: 2 judgements of one translation are worth 1.43 translations judged once",
    ):
        assert words in budget
    assert "no difference: what is found there is found by chance" in " ".join(by_name["nothing"].split())
    assert "369 if" not in by_name["plan"]
    assert "304 with this effect, 367 if there is no difference" in " ".join(by_name["plan"].split())
    assert by_name["stop"].startswith("Stop: look 2 of 4 is significant (p = 0.002, less than 0.00305).")
    assert by_name["go on"].startswith("Go on: look 2 of 4 is not significant")
    assert "n 505 a system in all" not in by_name["go on"]
    assert by_name["more"].startswith(
        "Plan more, or stop: look 2 of 4 is not significant (p = 0.30, not below 0.00305)."
    )
    assert "n 505 a system in all, significant if z of all of them is 2.054 or more" in " ".join(
        by_name["more"].split()
    )
    assert by_name["end"].startswith("The end: look 4 of 4 is not significant")
    assert "difference to be found: −" in by_name["pilot"]
    assert "0.5 times the pilot's" in by_name["pilot budget"]
    assert "budget 100 judgements" in by_name["pilot budget"]
