"""Editing and judging what others edited, by two people in two browsers: from the link to both exports."""

import json
from pathlib import Path

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import Candidate, Hit, Item
from adjudge.campaigns.store import campaigns, people, stages
from helpers import served
from helpers.browsing import Laid, numbers

PROTOCOL = {"name": "post-editing", "against": "nothing", "acceptability": True}


def lay(site, **more):
    """Two outputs of one system for anna, one of the other for ben, and the second stage."""
    campaign = parse(
        served.config(
            PROTOCOL, f"campaign-{next(numbers)}", assignment={"repeats": 0.25, "common": 0.0}, **more
        )
    )
    systems = {"anna": "hidden-one", "ben": "hidden-two"}
    hits = [
        Hit(
            f"hit-{name}",
            tuple(
                Item(f"{name}-{n}", (n,), (Candidate((system,), (served.OUTPUTS[system][n],)),), document="d")
                for n in range(len(served.SOURCES))
            ),
            name,
        )
        for name, system in systems.items()
    ]
    kept = campaigns.add(site.store, campaign, served.material(), hits)
    second = stages.begin_second_stage(site.store, kept)
    return Laid(site.store, kept, people.renew_links(site.store, kept)), Laid(site.store, second, {})


def test_two_people_edit_and_judge_each_other(site, visit):
    first, second = lay(site)
    anna, ben = visit(first.link("anna")), visit(first.link("ben"))
    assert anna.page.locator(".source, .reference").count() == 0  # WMT09 edited without either

    # Anna edits one, leaves one, gives up on one; ben has edited nothing yet.
    anna.press("e", "Control+End", "!", "Control+Enter")
    anna.place(2)
    anna.page.get_by_label("No corrections needed").press("Space")
    anna.press("Enter")
    anna.place(3)
    anna.page.get_by_label("Unable to correct").press("Space")
    anna.press("Enter")
    anna.page.wait_for_selector("h2:has-text('Editing is done')")
    anna.press("Enter")  # on to the second stage, by the same link
    anna.page.wait_for_selector("h2:has-text('Nothing to judge right now')")
    assert "Others are still editing" in anna.text(".end")

    ben.press("e", "Control+End", "?", "Control+Enter")
    ben.place(2)
    anna.page.get_by_role("button", name="Look again").click()
    anna.page.wait_for_selector("dialog")  # what is asked now comes with its own instructions
    assert "somebody else has corrected" in anna.text("dialog")
    anna.press("Escape")
    anna.place(1)
    assert anna.text(".block.translation .reading") == "A cat sleeps.?"
    assert anna.text(".reference .reading") == served.REFERENCES[0]
    assert "fully fluent" in anna.text(".question")
    anna.press("Enter")
    assert anna.note() == "Please choose yes or no."
    anna.press("n", "Enter")
    anna.page.wait_for_selector("h2:has-text('Nothing to judge right now')")

    for number in (2, 3):
        ben.page.get_by_label("No corrections needed").press("Space")
        ben.press("Enter")
        if number == 2:
            ben.place(3)
    ben.page.wait_for_selector("h2:has-text('Editing is done')")
    ben.page.get_by_role("button", name="Go on with the next part").click()
    ben.page.wait_for_selector("dialog")
    ben.press("Escape")
    ben.place(1)
    shown = []
    for number in range(1, 5):
        ben.place(number)
        shown.append(ben.text(".block.translation .reading"))
        ben.press("y", "Enter")
    ben.page.wait_for_selector("h2:has-text('Thank you')")
    edited = ["The cat slept.!", served.OUTPUTS["hidden-one"][1], served.OUTPUTS["hidden-one"][2]]
    assert shown[:3] == edited
    assert shown[3] in edited  # one of them once more
    anna.page.get_by_role("button", name="Look again").click()
    for number in (1, 2, 3):  # two that ben left as they were, and one once more
        anna.place(number)
        anna.press("y", "Enter")
    anna.page.wait_for_selector("h2:has-text('Thank you')")

    boss = visit()
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    rows = {entry.kept.name: export(boss, entry) for entry in (first, second)}
    edits, judged = rows[first.kept.name], rows[second.kept.name]
    assert [
        (row["annotator"], row["system"], row["edited"]) for row in edits if row["annotator"] == "anna"
    ] == [
        ("anna", "hidden-one", "The cat slept.!"),
        ("anna", "hidden-one", served.OUTPUTS["hidden-one"][1]),
        ("anna", "hidden-one", None),
    ]
    assert {(row["annotator"], row["labels"]["editor"], row["system"]) for row in judged} == {
        ("ben", "anna", "hidden-one"),
        ("anna", "ben", "hidden-two"),
    }
    assert [row["labels"]["edit"] for row in judged if row["annotator"] == "ben"][:3] == [
        "edited",
        "no corrections needed",
        "unable to correct",
    ]
    assert [row["kind"] for row in judged].count("repeat") == 2


def export(boss, laid):
    """What the organiser's page has of a stage, and the file it offers."""
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:text-is('{laid.kept.campaign.title or laid.kept.name}')")
    boss.page.wait_for_selector(".figures dd:has-text('100 %')")
    assert boss.page.locator(".annotators tr", has_text="anna").count() == 1
    with boss.page.expect_download() as download:
        boss.page.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_first_stage_that_is_closed(site, visit):
    first, _ = lay(site)
    ben = visit(first.link("ben"))
    ben.press("e", "Control+End", "?", "Control+Enter")
    ben.saved()
    campaigns.set_status(site.store, first.kept, campaigns.CLOSED)
    site.app.state.cache.forget(first.kept.id)
    anna = visit(first.link("anna"))
    anna.page.wait_for_selector("h2:has-text('Editing is done')")
    anna.press("Enter")
    anna.page.wait_for_selector("dialog")
    anna.press("Escape")
    anna.place(1)
    anna.press("y", "Enter")
    anna.page.wait_for_selector("h2:has-text('Thank you')")


def test_another_tab_is_still_editing(site, visit):
    first, _ = lay(site)
    anna = visit(first.link("anna"))
    for number in (1, 2, 3):
        anna.place(number)
        anna.page.get_by_label("No corrections needed").press("Space")
        anna.press("Enter")
    anna.page.wait_for_selector("h2:has-text('Editing is done')")
    editing = anna.page
    anna.page = anna.context.new_page()
    anna.page.goto("/work")
    anna.page.wait_for_selector("h2:has-text('Editing is done')")
    anna.press("Enter")
    anna.page.wait_for_selector("h2:has-text('Nothing to judge right now')")
    anna.page, judging = editing, anna.page
    anna.expected = "Failed to load resource"
    anna.press("b")
    anna.place(3)
    anna.page.get_by_label("No corrections needed").press("Space")  # she changes her mind about the last one
    anna.press("e", "Control+End", "!", "Control+Enter")
    anna.state("signed-out")
    assert "open your personal link again in this browser: 1 answer waits here" in anna.text("#banner")
    anna.page = judging
    anna.enter(first.link("anna"))
    anna.saved()
    assert [answer["edit"]["state"] for answer in first.answers()][2] == "edited"


def test_judges_who_do_not_edit(site, visit):
    first, _ = lay(site, annotators={"names": ["anna", "ben"], "judges": ["dora"]})
    second = stages.second_of(site.store, first.kept)
    token = people.renew_links(site.store, second, ["dora"])["dora"]
    anna = visit(first.link("anna"))
    for number in (1, 2, 3):
        anna.place(number)
        anna.page.get_by_label("No corrections needed").press("Space")
        anna.press("Enter")
    anna.page.wait_for_selector("h2:has-text('Thank you')")  # others judge
    dora = visit(f"/a/{token}")
    assert dora.text(".place") == "Item 1 of 4"
