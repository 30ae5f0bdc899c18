"""Every protocol from the link to the exported file: by somebody who has nothing but a keyboard."""

import json
from pathlib import Path

import pytest

from adjudge.campaigns import protocols
from adjudge.campaigns.store import people
from helpers import served

SLIDER = ["7", "5", "Enter"]
MARKED = {"start": 4, "end": 7, "severity": "major"}
"""The second word of the first item, which is "cat"."""
KEYS = {
    "da": SLIDER,
    "sqm": SLIDER,
    "adequacy-fluency": ["4", "Enter", "2", "Enter"],
    "ranking": ["2", "1", "Enter"],
    "preference": ["2", "Enter"],
    "yes-no": ["y", "Enter"],
    "acceptability": ["n", "Enter"],
    "post-editing": ["e", "Control+End", "!", "Control+Enter"],
    # The second word, major; accuracy, mistranslation; done; on.
    "mqm": ["ArrowRight", "Space", "3", "a", "Tab", "Space", "ArrowRight", "ArrowRight", "Enter", "Enter"],
    "esa": ["ArrowRight", "Space", "2", "Enter", "4", "0", "Enter"],
    "comprehension": ["Enter", "ArrowDown", "Enter"],
}
"""What is pressed on an item; all of it is done with the keyboard alone."""
SAID = {
    "da": {"score": 75},
    "sqm": {"score": 75},
    "adequacy-fluency": {"score": 2},
    "ranking": {"score": -1, "system": "hidden-one", "other": "hidden-two"},
    "preference": {"score": -1, "system": "hidden-one", "other": "hidden-two"},
    "yes-no": {"score": 1},
    "acceptability": {"score": 0},
    "post-editing": {"score": 1 / 3, "target": "The cat slept.", "edited": "The cat slept.!"},
    "mqm": {"spans": [{**MARKED, "category": "Accuracy/Mistranslation"}]},
    "esa": {"score": 40, "spans": [MARKED]},
    "comprehension": {"score": 1},
}
"""What the first row of the file must say."""


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_from_the_link_to_the_export(site, visit, name):
    more = {"rules": {"questions": "questions.jsonl"}} if name == "comprehension" else {}
    laid = site.lay(name, **more)
    anna = visit(laid.link())
    items = int(anna.text(".place").split()[-1])
    for number in range(1, items + 1):
        anna.place(number)
        anna.press(*KEYS[name])
    anna.page.wait_for_selector("h2:has-text('Thank you')")
    assert len(laid.answers()) == items

    boss = visit()
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.wait_for_load_state("networkidle")
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:text-is('{laid.kept.name}')")
    if name == "adequacy-fluency":
        boss.page.get_by_label("Criterion").select_option("adequacy")
    with boss.page.expect_download() as download:
        boss.page.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert {row["annotator"] for row in rows} == {"anna"}
    assert {row["system"] for row in rows} | {row.get("other", "hidden-two") for row in rows} == set(
        served.OUTPUTS
    )
    assert len(rows) == items
    for key, value in SAID[name].items():
        assert rows[0][key] == (pytest.approx(value) if isinstance(value, float) else value)
    assert all(row["seconds"] >= 0 for row in rows)
