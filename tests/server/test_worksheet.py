"""Completion codes: one for who paid attention, another for who did not, and nobody can tell which is theirs."""

import pytest

from adjudge.campaigns.crowd import code_verdict, completion_code, hit_name, worker_name
from adjudge.campaigns.store import campaigns, completions, events, people, upkeep, work
from helpers import served

ANSWERS = {
    "ranking": {"ranks": [1, 2]},
    "mqm": {"errors": []},
    "post-editing": {"edit": {"state": "no corrections needed"}},
    "yes-no": {"acceptable": True},
    "adequacy-fluency": {"fluency": 3, "adequacy": 4},
    "esa": {"errors": [], "score": 70},
}


def careful(item):
    return 20 if item.kind == "bad reference" else 80 + item.segments[0]


def careless(item):
    return 60 + item.segments[0] - (item.kind != "bad reference")


def answer_all(made, who, score, but=0):
    """Answers of one annotator to everything there is, but for the last few."""
    person = people.find(made.store, made.kept, who)
    tasks = [task for task in work.tasks(made.store, person) if task.answer is None]
    for task in tasks[: len(tasks) - but]:
        answer = {"score": score(task.item)}
        events.record_answer(made.store, person, task.id, key=f"{task.id:08}", answer=answer, seconds=9.0)


@pytest.fixture
def crowd(store):
    return served.make_crowd(store, hits=2, copies=2)


def join(browser, worker, hit="hit-0001"):
    return browser.enter(f"/join/crowd?workerId={worker}&hit={hit}")


def codes(browser):
    return browser.get("/api/work").json().get("completion", [])


@pytest.mark.parametrize(("score", "passed"), [(careful, True), (careless, False)])
def test_the_code_says_whether_quality_control_was_passed(crowd, browser, score, passed):
    join(browser, "W1")
    answer_all(crowd, worker_name(crowd.kept.secret, "W1"), score)
    ((hit, code),) = (code.values() for code in codes(browser))
    name = worker_name(crowd.kept.secret, "W1")
    assert hit == "hit-0001"
    assert code == completion_code(crowd.kept.secret, name, hit, passed=passed)
    assert code_verdict(crowd.kept.secret, name, hit, code) is passed
    (action,) = (event for event in upkeep.history(crowd.store, crowd.kept) if event.kind == "completed")
    assert action.detail == {"annotator": name, "hit": hit, "passed": passed}


def test_there_is_none_before_everything_is_answered(crowd, browser):
    join(browser, "W1")
    answer_all(crowd, worker_name(crowd.kept.secret, "W1"), careful, but=1)
    assert codes(browser) == []
    assert completions.completions(crowd.store, crowd.kept) == []


def test_nothing_in_the_sheet_tells_which_it_is(crowd, another):
    sheets = []
    for worker, score in (("W1", careful), ("W2", careless)):
        mine = join(another(), worker)
        answer_all(crowd, worker_name(crowd.kept.secret, worker), score)
        sheets.append(mine.get("/api/work"))
    first, second = (sheet.json() for sheet in sheets)
    assert first.keys() == second.keys()
    assert [entry.keys() for entry in first["completion"]] == [entry.keys() for entry in second["completion"]]
    for sheet in sheets:
        assert "passed" not in sheet.text
        assert "quality" not in sheet.text


def test_corrections_afterwards_change_no_code(crowd, browser):
    """Otherwise two codes could be had and compared."""
    join(browser, "W1")
    name = worker_name(crowd.kept.secret, "W1")
    answer_all(crowd, name, careless)
    (before,) = codes(browser)
    person = people.find(crowd.store, crowd.kept, name)
    for task in work.tasks(crowd.store, person):
        answer = {"score": careful(task.item)}
        events.record_answer(crowd.store, person, task.id, key=f"again-{task.id:06}", answer=answer)
    assert codes(browser) == [before]


def test_a_code_for_every_hit_in_a_worker_s_hands(crowd, browser):
    name = worker_name(crowd.kept.secret, "W1")
    results = []
    for hit in ("hit-0002", "hit-0001"):
        join(browser, "W1", hit)
        assert {code["hit"]: code["code"] for code in codes(browser)} == dict(results)
        answer_all(crowd, name, careful)
        results.append((hit, completion_code(crowd.kept.secret, name, hit, passed=True)))
    assert {code["hit"]: code["code"] for code in codes(browser)} == dict(results)


def test_copies_of_a_hit_have_the_code_of_the_hit(crowd, store, another):
    for worker in ("W1", "W2"):
        mine = join(another(), worker)
        name = worker_name(crowd.kept.secret, worker)
        answer_all(crowd, name, careful)
        (code,) = codes(mine)
        taken = completions.hit_names(store, people.find(store, crowd.kept, name)).values()
        assert {hit_name(title) for title in taken} == {"hit-0001"}
        assert code_verdict(crowd.kept.secret, name, "hit-0001", code["code"]) is True


@pytest.mark.parametrize("asked", [False, True])
def test_annotators_with_names_get_one_only_if_the_campaign_asks_for_it(store, browser, asked):
    config = served.config(rules={"completion_codes": asked})
    campaign = served.parse(config)
    kept = campaigns.add(store, campaign, served.material(), [served.controlled("anna")])
    made = served.Made(store, kept, people.renew_links(store, kept, ["anna"]))
    browser.enter(f"/a/{made.tokens['anna']}")
    assert codes(browser) == []
    answer_all(made, "anna", careful)
    wanted = [{"hit": "", "code": completion_code(kept.secret, "anna", "", passed=True)}]
    assert codes(browser) == (wanted if asked else [])


def test_a_demo_has_no_code(crowd, browser):
    browser.enter("/demo/crowd")
    (guest,) = (
        annotator for annotator in people.annotators(crowd.store, crowd.kept) if annotator.kind == "demo"
    )
    answer_all(crowd, guest.name, careful)
    assert codes(browser) == []


def test_too_few_control_items_fail_nobody(store, browser):
    """Four damaged ones: a careful person would often miss a p of 0.05."""
    items = served.controlled().items
    hit = served.Hit("hit-0001", (*items[:6], *items[6:10]))
    campaign = served.parse(served.config("da", "crowd", annotators={"crowd": True}))
    made = served.Made(store, campaigns.add(store, campaign, served.material(), [hit]), {})
    join(browser, "W1")
    name = worker_name(made.kept.secret, "W1")
    answer_all(made, name, careless)
    (code,) = codes(browser)
    assert code_verdict(made.kept.secret, name, "hit-0001", code["code"]) is True


@pytest.mark.parametrize("protocol", ["ranking", "mqm", "post-editing", "yes-no", "adequacy-fluency", "esa"])
def test_every_protocol_ends_with_a_code(store, browser, protocol):
    """Also those without scores, or without damaged items."""
    campaign = served.parse(served.config(protocol, "crowd", annotators={"crowd": True}))
    hits = [served.Hit("hit-0001", served.hits(campaign)[0].items)]
    made = served.Made(store, campaigns.add(store, campaign, served.material(), hits), {})
    join(browser, "W1")
    name = worker_name(made.kept.secret, "W1")
    person = people.find(store, made.kept, name)
    for task in work.tasks(store, person):
        answer = ANSWERS[protocol]
        checked = campaign.protocol.check(answer, task.item, served.SOURCES[:1])
        events.record_answer(store, person, task.id, key=f"{task.id:08}", answer=checked)
    (code,) = codes(browser)
    assert code_verdict(made.kept.secret, name, "hit-0001", code["code"]) is True


def test_one_hit_of_two_is_not_all_of_an_annotator_s_work(store, browser):
    """A code for everything before everything is done would be paid for."""
    campaign = served.parse(served.config(rules={"completion_codes": True}))
    hits = [served.controlled("anna", "hit-0001"), served.controlled("anna", "hit-0002")]
    kept = campaigns.add(store, campaign, served.material(), hits)
    made = served.Made(store, kept, people.renew_links(store, kept, ["anna"]))
    browser.enter(f"/a/{made.tokens['anna']}")
    answer_all(made, "anna", careful, but=len(hits[1].items))
    assert codes(browser) == []
    answer_all(made, "anna", careful)
    assert len(codes(browser)) == 1


def test_nobody_gets_a_code_for_no_work(store, browser):
    """Who has no hits has not answered everything: there was nothing."""
    campaign = served.parse(served.config(rules={"completion_codes": True}))
    kept = campaigns.add(store, campaign, served.material(), [served.controlled("ben", "hit-0001")])
    browser.enter(f"/a/{people.renew_links(store, kept, ['anna'])['anna']}")
    assert codes(browser) == []
