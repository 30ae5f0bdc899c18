"""What everybody must be able to see, read, name and hit, in light and dark, on a desk and on a phone."""

import time
from pathlib import Path

import pytest

from adjudge.campaigns import protocols
from adjudge.campaigns.items import Candidate, Item
from adjudge.campaigns.store import events, people, work

AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
ACTIONS = {
    "mqm": ["ArrowRight", "Shift+ArrowRight", "2", "a"],
    "esa": ["ArrowRight", "Space", "1"],
    "ranking": ["1", "2"],
    "preference": ["1"],
    "yes-no": ["y"],
    "adequacy-fluency": ["3", "Enter", "2"],
}


def audit(anna, where):
    """Look at the page in light and dark, wide and narrow."""
    results = []
    for size in (DESK, PHONE):
        anna.page.set_viewport_size(size)
        for theme in ("light", "dark"):
            anna.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            results += [f"{where}, {theme}, {size['width']}: {entry}" for entry in anna.page.evaluate(AUDIT)]
    anna.page.set_viewport_size(DESK)
    return results


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_every_protocol(site, visit, name):
    more = {"rules": {"questions": "questions.jsonl"}} if name == "comprehension" else {}
    anna = visit(site.lay(name, **more).link())
    faults = audit(anna, name)
    if name in ACTIONS:
        anna.press(*ACTIONS[name])
        faults += audit(anna, f"{name}, answered")
    assert faults == []


def test_what_opens_over_the_page(site, visit):
    anna = visit(site.lay(instructions="First.\n\n- a\n- b").link())
    results = []
    for key in ("?", "i", "o"):
        anna.press(key)
        anna.page.wait_for_selector("dialog[open]")
        results += audit(anna, f"dialog {key}")
        anna.press("Escape")
        anna.page.wait_for_selector("dialog[open]", state="detached")
    anna.page.locator("#preferences").click()
    results += audit(anna, "preferences")
    anna.press("Escape")
    anna.page.locator("#next").click()
    assert anna.note()
    results += audit(anna, "something is missing")
    assert results == []


def test_while_nothing_can_be_saved_and_between_two_stages(site, visit):
    anna = visit(site.lay("yes-no").link())
    anna.expected = "Failed to load resource"
    anna.page.route("**/api/answers", lambda route: route.abort())
    anna.press("y", "Enter")
    anna.page.wait_for_selector("#banner:has-text('Nothing can be saved')")
    faults = audit(anna, "nothing can be saved")
    ben = visit(site.write("yes-no", ["a"], ["A"], language="pt-en").link())

    def with_more(told):
        def patched(route):
            reply = route.fetch()
            route.fulfill(response=reply, json={**reply.json(), **told})

        return patched

    for told, heading in (
        ({"next_stage": {"protocol": "acceptability"}}, "Editing is done"),
        ({"more_later": True}, "Nothing to judge right now"),
    ):
        ben.page.unroute_all()
        ben.page.route("**/api/work", with_more(told))
        ben.press("y", "Enter")
        ben.page.wait_for_selector(f".end h2:text-is('{heading}')")
        faults += audit(ben, heading)
        ben.page.get_by_role("button", name="Look through").click()
        ben.place(1)
    assert faults == []


def test_text_grows_and_is_remembered(site, visit):
    anna = visit(site.lay("esa").link(), viewport=PHONE)
    size = "parseFloat(getComputedStyle(document.querySelector('.reading')).fontSize)"
    before = anna.page.evaluate(size)
    anna.press("+", "+", "+", "+", "+", "d")
    assert anna.page.evaluate(size) == pytest.approx(before * 1.8, rel=0.01)
    dark = "getComputedStyle(document.documentElement).colorScheme"
    assert anna.page.evaluate(dark) == "dark"
    anna.page.reload()
    anna.ready()
    assert anna.page.evaluate(size) == pytest.approx(before * 1.8, rel=0.01)
    assert anna.page.evaluate(dark) == "dark"
    assert anna.page.evaluate(AUDIT) == []


def test_dark_where_the_system_is(site, visit):
    anna = visit(site.lay().link(), color_scheme="dark")
    ground = anna.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert sum(int(part) for part in ground[4:-1].split(",")) < 120


def test_languages_and_directions(site, visit):
    texts = ["שלום", "לך"]
    anna = visit(site.write("da", ["你好", "世界"], texts, language="zh-he").link())
    sides = anna.page.locator(".reading").evaluate_all("all => all.map((one) => [one.lang, one.dir])")
    assert sides == [["he", "rtl"], ["he", "rtl"]]
    anna = visit(site.write("yes-no", ["a"], texts[:1], language="").link())
    assert anna.page.locator(".reading").first.get_attribute("dir") == "auto"


def test_single_keys_can_be_switched_off(site, visit):
    laid = site.lay("yes-no")
    anna = visit(laid.link())
    anna.page.locator("#preferences").click()
    anna.page.get_by_label("Single letters are shortcuts").uncheck()
    anna.press("Escape", "y", "?")
    assert anna.page.locator("dialog[open]").count() == 0
    assert anna.page.locator("#main input:checked").count() == 0
    anna.press("1", "Enter")
    anna.place(2)


def test_the_focus_can_be_seen(site, visit):
    anna = visit(site.lay("ranking").link())
    for _ in range(12):
        anna.press("Tab")
        shown = anna.page.evaluate(
            """() => {
                for (let one = document.activeElement; one && one !== document.body; one = one.parentElement) {
                    const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(one);
                    if (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) return true;
                }
                return document.activeElement === document.body;
            }"""
        )
        assert shown, anna.page.evaluate("document.activeElement.outerHTML")


NUMBERED = """() => {
    const groups = new Set();
    let number = 0;
    for (const one of document.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']")) {
        if (!one.checkVisibility() || one.closest(":disabled, [inert]") || one.tabIndex < 0) continue;
        if (one.type === "radio" && groups.has(one.name)) continue;
        if (one.type === "radio") groups.add(one.name);
        one.dataset.stop = String(number++);
    }
    document.activeElement.blur();
    return number;
}"""
REACHED = """() => {
    const one = document.activeElement;
    const same = one.type === "radio" && document.querySelector(`input[data-stop][name="${CSS.escape(one.name)}"]`);
    return (same || one).dataset.stop ?? null;
}"""


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_the_tab_key_reaches_everything(site, visit, name):
    more = {"rules": {"questions": "questions.jsonl"}} if name == "comprehension" else {}
    anna = visit(site.lay(name, **more).link())
    stops = anna.page.evaluate(NUMBERED)
    assert stops > 6
    missed = {str(stop) for stop in range(stops)}
    for _ in range(2 * stops + 5):
        anna.press("Tab")
        missed.discard(anna.page.evaluate(REACHED))
        if not missed:
            break
    assert [
        anna.page.locator(f"[data-stop='{stop}']").evaluate("(one) => one.outerHTML.slice(0, 100)")
        for stop in sorted(missed)
    ] == []


def test_a_tutorial_says_what_it_thinks(site, visit):
    errors = [
        {"start": 2, "end": 7, "side": "target", "severity": "major"},
        {"start": None, "end": None, "side": "target"},
    ]
    told = {
        "expected": {
            "score": {"as": "range", "value": [20, 40]},
            "errors": {"as": "errors", "value": errors},
        },
        "feedback": {"": "A word is missing."},
    }
    items = [
        Item("t", (0,), (Candidate(("one",), ("A 😀 cat",)),), kind="tutorial", extra=told),
        Item("o", (1,), (Candidate(("one",), ("B",)),)),
    ]
    anna = visit(site.write("esa", ["a", "b"], ["A", "B"], language="pt-en", items=items).link())
    assert anna.text(".tag") == "Practice"
    anna.press("9", "0", "Enter")
    anna.page.wait_for_selector(".feedback.wrong")
    words = anna.text(".feedback")
    assert "A word is missing." in words
    assert "Expected: “😀 cat” (major), [missing]" in words
    assert "Expected: 20–40" in words
    assert audit(anna, "feedback") == []
    anna.press("Enter")
    anna.place(2)


def test_codes_at_the_end(site, visit):
    codes = [{"hit": "hit-1", "code": "Q7-K2X-9PD"}, {"hit": "hit-2", "code": "Q7-K2X-9PE"}]
    anna = visit(site.write("yes-no", ["a"], ["A"], language="pt-en").link())

    def patched(route):
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "completion": codes})

    anna.page.route("**/api/work", patched)
    anna.press("y", "Enter")
    anna.page.wait_for_selector(".code")
    assert anna.page.locator(".code code").all_inner_texts() == [code["code"] for code in codes]
    assert audit(anna, "the end") == []


def test_other_pages(site, visit):
    laid = site.lay("adequacy-fluency")
    anna = visit(locale="en-GB")
    anna.expected = "404"
    results = []
    for path in ("/", "/nowhere", "/a/wrong", "/organiser/sign-in"):
        anna.page.goto(path)
        results += audit(anna, path)
    german = visit(locale="de-DE")
    german.expected = "404"
    german.page.goto("/a/wrong")
    assert german.text("h1") == "Dieser Link funktioniert nicht"
    anna.page.goto(f"/demo/{laid.kept.name}")
    anna.ready()
    anna.press("Escape")
    assert "do not count" in anna.text("#banner")
    results += audit(anna, "demo")
    assert results == []


def test_the_organiser_s_page(site, visit):
    laid = site.lay("adequacy-fluency")
    anna = visit(laid.link())
    anna.press("3", "Enter", "2", "Enter")
    anna.saved()
    boss = visit()
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.wait_for_selector(".campaign")
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:has-text('{laid.kept.name}')")
    row = boss.page.locator("tr", has_text="anna").first
    assert "1/6" in row.inner_text()
    assert audit(boss, "organiser") == []
    boss.page.get_by_role("button", name="Pause").click()
    boss.page.wait_for_selector(".status.paused")
    boss.page.get_by_role("button", name="Go on").click()
    boss.page.wait_for_selector(".status.running")
    row.get_by_role("button", name="New link").click()
    boss.page.get_by_role("button", name="Yes").click()
    link = boss.page.locator("code.link").inner_text()
    boss.press("Escape")
    assert visit().enter(link).text(".place") == "Item 2 of 6"
    boss.page.get_by_label("Criterion").select_option("adequacy")
    with boss.page.expect_download() as download:
        boss.page.get_by_role("button", name="Download").click()
    assert '"anna"' in Path(download.value.path()).read_text(encoding="utf-8")
    boss.page.get_by_role("button", name="Sign out").click()
    boss.page.wait_for_selector("#sign-in")


def test_many_campaigns_leave_room_for_the_one(site, visit):
    _, laid, boss = site.lay("da"), site.lay("da"), visit()

    def more(route):
        reply = route.fetch()
        campaigns = reply.json()["campaigns"]
        others = [
            {**campaigns[0], "name": f"other-{n}", "title": f"Another campaign {n}"} for n in range(200)
        ]
        route.fulfill(response=reply, json={"campaigns": [campaigns[0], *others, *campaigns[1:]]})

    boss.page.route("**/api/organiser/campaigns", more)
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.wait_for_selector("#campaigns a")
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:has-text('{laid.kept.name}')")
    header = boss.page.locator(".top").bounding_box()
    assert header["height"] < 140
    chosen = boss.page.locator("#campaigns [aria-current]").bounding_box()
    assert header["y"] <= chosen["y"] < header["y"] + header["height"]  # scrolled to, and in sight


def test_figures_that_are_old_say_so(site, visit):
    laid, boss = site.lay("da"), visit(locale="en-GB")
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.wait_for_selector(".campaign")
    assert boss.page.locator(".as-of").count() == 0

    def older(route):
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "as_of": time.time() - 600})

    boss.page.route("**/quality", older)
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(".as-of")
    assert boss.text(".as-of") == "As of: 10 minutes ago"
    assert audit(boss, "old figures") == []


def test_the_organiser_reads_german(site, visit):
    laid = site.lay()
    for name in ("anna", "ben"):
        who = people.find(site.store, laid.kept, name)
        for place, task in enumerate(work.tasks(site.store, who)):
            score = {"score": 20 * place}
            events.record_answer(
                site.store, who, task.id, key=f"key-{task.id}", answer=score, seconds=5.0, started=1e9 + place
            )
    boss = visit(locale="de-DE")
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:text-is('{laid.kept.name}')")
    assert "fast vollkommen" in boss.text(".agreement")
    assert "nichts wurde zweimal beurteilt" in boss.text(".agreement")
    assert "HIT in weniger als 300 s" in boss.text(".quality")


def test_signing_in_with_a_password(site, visit):
    people.set_password(site.store, "a long password")
    boss = visit()
    boss.expected = "403"
    boss.page.goto("/organiser")
    boss.page.keyboard.type("wrong")
    boss.press("Enter")
    boss.page.wait_for_selector("#error:has-text('That is not the password.')")
    boss.page.keyboard.type("a long password")
    boss.press("Enter")
    boss.page.wait_for_selector("body.organiser")
