"""A marketplace's link: who only looks takes nothing, and an id in an address is nobody's proof."""

from urllib.parse import parse_qs, urlsplit

import pytest

from adjudge.campaigns.crowd import worker_name
from adjudge.campaigns.store import campaigns, events, people, work
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from helpers import served

HTML = {"accept": "text/html"}
TURK = "https://www.mturk.com"
PREVIEW = "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"


@pytest.fixture
def crowd(store):
    return served.make_crowd(store, hits=2, instructions="Read <b>slowly</b>.")


def hands(crowd):
    """Whose the hits are."""
    return {hit.name: hit.annotator for hit in campaigns.hits(crowd.store, crowd.kept)}


def test_a_preview_shows_the_work_and_takes_nothing(crowd, browser):
    page = browser.get(f"/join/crowd?hit=hit-0001&{PREVIEW}&hitId=3XYZ", headers=HTML)
    assert page.status_code == 200
    assert "set-cookie" not in page.headers
    assert "This is a preview" in page.text
    assert served.SOURCES[0] not in page.text  # this campaign shows references
    assert served.REFERENCES[0] in page.text
    assert all(text in page.text for text in served.OUTPUTS["hidden-one"])
    assert "Read &lt;b&gt;slowly&lt;/b&gt;." in page.text
    assert "12 items" in page.text
    assert "<form" not in page.text
    assert not any(word in page.text for word in ("hidden-one", "hidden-two", "bad reference"))
    assert people.annotators(crowd.store, crowd.kept) == []
    assert set(hands(crowd).values()) == {""}


def test_a_preview_with_a_worker_is_a_preview(crowd, browser):
    browser.get(f"/join/crowd?hit=hit-0001&workerId=W1&{PREVIEW}")
    assert people.annotators(crowd.store, crowd.kept) == []


@pytest.mark.parametrize("protocol", ["ranking", "comprehension", "mqm", "da"])
def test_every_kind_of_work_has_a_preview(store, browser, protocol):
    more = {"rules": {"questions": "q.jsonl"}} if protocol == "comprehension" else {}
    campaign = served.parse(served.config(protocol, "crowd", annotators={"crowd": True}, **more))
    campaigns.add(store, campaign, served.material(), served.hits(campaign))
    page = browser.get(f"/join/crowd?{PREVIEW}", headers=HTML)
    assert page.status_code == 200
    assert ("Who slept?" in page.text) is (protocol == "comprehension")
    assert served.OUTPUTS["hidden-one"][0] in page.text


def test_a_preview_of_what_is_not_there(crowd, browser):
    assert browser.get(f"/join/crowd?hit=hit-0009&{PREVIEW}").status_code == 404


def test_without_an_id_it_is_asked_for(crowd, browser):
    page = browser.get("/join/crowd?hit=hit-0002&assignmentId=A1", headers=HTML)
    assert "Your worker id" in page.text
    assert 'name="hit" value="hit-0002"' in page.text
    assert 'name="assignmentId" value="A1"' in page.text
    assert people.annotators(crowd.store, crowd.kept) == []


def test_an_id_alone_lets_nobody_into_another_s_work(crowd, browser, another):
    browser.enter("/join/crowd?workerId=W1&hit=hit-0001")
    stranger = another()
    reply = stranger.get("/join/crowd?workerId=W1&hit=hit-0001", headers=HTML)
    assert reply.status_code == 409
    assert "at work elsewhere" in reply.text
    assert "set-cookie" not in reply.headers
    assert stranger.get("/api/work").status_code == 401
    assert browser.get("/api/work").status_code == 200
    browser.enter("/join/crowd?workerId=W1&hit=hit-0002")  # in one's own browser it is enough
    assert set(hands(crowd).values()) == {worker_name(crowd.kept.secret, "W1")}


def test_the_assignment_proves_who_it_is_in_another_browser(crowd, browser, another):
    browser.enter("/join/crowd?workerId=W1&hit=hit-0001&assignmentId=3ABC")
    another().enter("/join/crowd?workerId=W1&hit=hit-0001&assignmentId=3ABC")
    for wrong in ("", "&assignmentId=3ABD"):
        assert another().get(f"/join/crowd?workerId=W1&hit=hit-0001{wrong}").status_code == 409


def test_the_organiser_helps_whoever_lost_the_browser(crowd, browser, another):
    browser.enter("/join/crowd?workerId=W1&hit=hit-0001")
    name = worker_name(crowd.kept.secret, "W1")
    (token,) = people.renew_links(crowd.store, crowd.kept, [name]).values()
    mine = another().enter(f"/a/{token}")
    assert mine.get("/api/work").json()["annotator"]["name"] == name
    assert browser.get("/api/work").status_code == 401


def test_a_hit_with_known_texts_is_refused_in_words(store, browser):
    questions = {"questions": [{"question": "Who?", "answer": "he"}]}
    hits = [
        served.Hit(
            f"hit-000{number}",
            (
                served.Item(
                    f"item-{number}",
                    (0, 1, 2),
                    (served.Candidate((system,), texts),),
                    document="d",
                    extra=questions,
                ),
            ),
        )
        for number, (system, texts) in enumerate(served.OUTPUTS.items(), 1)
    ]
    config = served.config(
        "comprehension", "crowd", annotators={"crowd": True}, rules={"questions": "questions.jsonl"}
    )
    kept = campaigns.add(store, served.parse(config), served.material(), hits)
    browser.enter("/join/crowd?workerId=W1&hit=hit-0001")
    person = people.find(store, kept, worker_name(kept.secret, "W1"))
    (task,) = work.tasks(store, person)
    events.record_answer(store, person, task.id, key="k" * 8, answer={"answers": ["he"]})
    reply = browser.get("/join/crowd?workerId=W1&hit=hit-0002", headers=HTML)
    assert reply.status_code == 409
    assert "You know these texts already" in reply.text
    assert browser.get("/join/crowd?workerId=W1&hit=hit-0001").status_code == 200


def test_somebody_in_the_middle_comes_back_while_it_is_paused(crowd, browser):
    browser.enter("/join/crowd?workerId=W1&hit=hit-0001")
    campaigns.set_status(crowd.store, crowd.kept, "paused")
    assert browser.get("/join/crowd?workerId=W1&hit=hit-0001").status_code == 200
    assert browser.get("/join/crowd?workerId=W1&hit=hit-0002").status_code == 200
    assert hands(crowd)["hit-0002"] == ""


def framed(store, **settings):
    from starlette.testclient import TestClient

    told = ServerSettings(base_url="https://judge.example.org", embed_in=(TURK,), **settings)
    return TestClient(create_app(store, told), base_url="https://judge.example.org", follow_redirects=False)


def test_in_a_frame_the_window_knows_where_its_code_goes(crowd, store):
    reply = framed(store).get(
        f"/join/crowd?workerId=W1&hit=hit-0001&assignmentId=3ABC&turkSubmitTo={TURK}&hitId=3XYZ"
    )
    address = urlsplit(reply.headers["location"])
    assert address.path == "/work"
    assert parse_qs(address.fragment) == {
        "to": [f"{TURK}/mturk/externalSubmit"],
        "assignment": ["3ABC"],
        "hit": ["hit-0001"],
    }
    cookie = reply.headers["set-cookie"]
    assert all(word in cookie for word in ("SameSite=none", "Secure", "HttpOnly", "Partitioned"))
    policy = reply.headers["content-security-policy"]
    assert f"form-action 'self' {TURK};" in policy
    assert f"frame-ancestors {TURK}" in policy


@pytest.mark.parametrize(
    "site", ["https://evil.example", "javascript:alert(1)", "//x", "https://[", f"{TURK}.evil.example"]
)
def test_codes_go_to_no_other_site(crowd, store, site):
    reply = framed(store).get(
        "/join/crowd", params={"workerId": "W1", "assignmentId": "3ABC", "turkSubmitTo": site}
    )
    assert (reply.status_code, reply.headers["location"]) == (303, "/work")


def test_without_a_frame_nothing_is_said_of_one(crowd, browser):
    reply = browser.get(
        f"/join/crowd?workerId=W1&assignmentId=3ABC&turkSubmitTo={TURK}", follow_redirects=False
    )
    assert reply.headers["location"] == "/work"
    assert "form-action 'self';" in reply.headers["content-security-policy"]
