"""Every route under whatever can be sent to it: nothing but clear refusals, never a fault."""

import warnings

import pytest
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

import served
from adjudge.human.store import Store, people
from adjudge.server import signing_in
from adjudge.server.app import create_app
from adjudge.server.settings import Settings

schemathesis = pytest.importorskip("schemathesis")
ADDRESS = "http://127.0.0.1:8080"


def described():
    """The routes as the application describes them; no browser ever gets this."""
    store = Store.open("sqlite://")
    app = create_app(store, Settings())
    document = app.openapi()
    store.close()
    return document


SCHEMA = schemathesis.openapi.from_dict(described())
SCHEMA.config.generation.update(modes=list(schemathesis.GenerationMode))


@pytest.fixture(scope="module")
def everybody(tmp_path_factory):
    """An annotator and the organiser, at one server that nobody limits."""
    store = Store.open(f"sqlite:///{tmp_path_factory.mktemp('fuzzing')}/campaigns.db")
    made = served.make(store)
    served.make_crowd(store, hits=3)
    app = create_app(store, Settings(sign_in_tries=10**9))
    yield app, made
    store.close()


def signed_in(made):
    """Cookies of everyone at once, fresh ones: a case may have signed somebody out."""
    anna = people.open_session(made.store, people.find(made.store, made.kept, "anna"))
    organiser = people.open_session(made.store, None)
    return {signing_in.ANNOTATOR: anna, signing_in.ORGANISER: organiser, signing_in.VISIT: "visit"}


def aimed(case, made):
    """Half of the cases hit something that is there, so that more than the door is tried."""
    if len(repr(case.query)) % 2:
        return
    if "name" in (case.path_parameters or {}):
        case.path_parameters["name"] = "crowd" if "join" in case.path else made.kept.name
    if isinstance(case.body, dict) and "task" in case.body:
        case.body["task"] = 1


def tried(case, everybody):
    app, made = everybody
    cookies = signed_in(made)
    aimed(case, made)
    token = cookies[signing_in.ANNOTATOR]
    if "organiser" in case.path:
        token = cookies[signing_in.VISIT if case.path.endswith("sign-in") else signing_in.ORGANISER]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cookies given with a request
        browser = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False, cookies=cookies)
        sent = case.as_transport_kwargs(base_url=ADDRESS)
        headers = {k: v for k, v in (sent.pop("headers") or {}).items() if k.lower() != "cookie"}
        headers["x-csrf-token"] = signing_in.csrf(token)
        body = sent.pop("data", None)
        sent.pop("cookies", None)
        reply = browser.request(
            sent.pop("method"), sent.pop("url"), content=body, headers=headers, follow_redirects=False, **sent
        )
    assert reply.status_code < 500, reply.text
    if reply.status_code >= 400:
        assert "Traceback" not in reply.text
        assert reply.json()["error"]["message"]
    return reply.status_code


def with_examples(count):
    return settings(
        max_examples=count, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True
    )


@SCHEMA.parametrize()
@with_examples(10)
def test_no_fault_whatever_is_sent(case, everybody):
    tried(case, everybody)


@pytest.mark.slow
@SCHEMA.parametrize()
@with_examples(300)
def test_no_fault_whatever_is_sent_at_length(case, everybody):
    tried(case, everybody)
