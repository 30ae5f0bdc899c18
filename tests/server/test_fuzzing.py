"""Every route under whatever can be sent to it: nothing but clear refusals, never a fault."""

import warnings
import zlib
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from adjudge.campaigns import protocols
from adjudge.campaigns.store import CampaignStore, campaigns, events, people, stages, work
from adjudge.server import sessions
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from helpers import fuzzing, served
from helpers.fuzzing import with_examples

schemathesis = pytest.importorskip("schemathesis")
ADDRESS = "http://127.0.0.1:8080"
PASSWORD = "a long password"


def described():
    """The routes as the application describes them; no browser ever gets this."""
    store = CampaignStore.open("sqlite://")
    app = create_app(store, ServerSettings())
    document = app.openapi()
    store.close()
    return document


def schema(document, *, systematic):
    """Cases that are drawn, and where there is time hundreds that go through every field's edges."""
    made = schemathesis.openapi.from_dict(document)
    made.config.generation.update(modes=list(schemathesis.GenerationMode))
    made.config.phases.coverage.enabled = systematic
    return made


ROUTES = described()
QUICK, WHOLE = schema(ROUTES, systematic=False), schema(ROUTES, systematic=True)


@dataclass(frozen=True)
class World:
    """A server that nobody limits, and a campaign of every protocol; in that of `da` there is an answer of ben's."""

    app: FastAPI
    made: dict[str, served.Made]

    @property
    def store(self):
        return self.made["da"].store

    def anna(self, protocol):
        made = self.made[protocol]
        return people.find(made.store, made.kept, "anna")


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    store = CampaignStore.open(f"sqlite:///{tmp_path_factory.mktemp('fuzzing')}/campaigns.db")
    told = {"post-editing": {"name": "post-editing", "against": "nothing", "acceptability": True}}
    more = {"comprehension": {"rules": {"questions": "q.jsonl"}}}
    made = {
        name: served.make(store, told.get(name, name), name, **more.get(name, {}))
        for name in protocols.PROTOCOLS
    }
    stages.begin_second_stage(store, made["post-editing"].kept)
    served.make_crowd(store, hits=3)
    people.set_password(store, PASSWORD)
    result = World(create_app(store, ServerSettings(sign_in_tries=10**9)), made)
    ben = people.find(store, made["da"].kept, "ben")
    events.record_answer(store, ben, work.outline(store, ben)[0].id, key="before", answer={"score": 50})
    yield result
    store.close()


@pytest.fixture
def codes():
    with fuzzing.answered() as seen:
        yield seen


def aimed(case, world):
    """Aim half of the cases exactly and a quarter nearly at what is there; returns the protocol of who sends it.

    How well a case is aimed follows from what is in it, so that a failure can be repeated.
    """
    chance = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    if chance % 2 or case.path in EXACT:
        for part, value in exact(case.path, world, chance).items():
            setattr(case, part, value)
        return EXACT.get(case.path, "da")
    protocol = list(protocols.PROTOCOLS)[chance // 4 % len(protocols.PROTOCOLS)]
    if chance % 4:
        nearly(case, world, protocol)
    return protocol


EXACT = {"/api/next-stage": "post-editing"}
"""Routes that are told nothing and lead somewhere in one protocol only."""


def exact(path, world, chance):
    """What a browser sends."""
    task = work.outline(world.store, world.anna("da"))[0].id
    sent = {"task": task, "key": f"key-{chance}"}
    bodies = {
        "/api/answers": {**sent, "answer": {"score": chance % 101}, "seconds": 1.5},
        "/api/undo": sent,
        "/api/organiser/sign-in": {"password": PASSWORD},
        "/api/organiser/campaigns/{name}/status": {"status": campaigns.STATES[chance % 3]},
        "/api/organiser/campaigns/{name}/links": {"annotator": "ben"},
    }
    parts = {"body": bodies[path], "media_type": "application/json"} if path in bodies else {}
    if path == "/a/{token}":
        parts["path_parameters"] = {"token": world.made["da"].tokens["anna"]}
    elif path == "/organiser/link/{token}":
        parts["path_parameters"] = {"token": people.one_time_link(world.store)}
    elif path == "/join/{name}":
        parts |= {"path_parameters": {"name": "crowd"}, "query": {"workerId": f"W{chance}"}}
    elif "{name}" in path:
        parts["path_parameters"] = {"name": "da"}
    return {"query": {}, **parts}


def nearly(case, world, protocol):
    """Lead a case to a campaign and a task that are there, with anything for an answer to the right question."""
    if "name" in (case.path_parameters or {}):
        case.path_parameters["name"] = "crowd" if case.path == "/join/{name}" else protocol
    if not isinstance(case.body, dict):
        return
    if "task" in case.body:
        case.body["task"] = work.outline(world.store, world.anna(protocol))[0].id
    if isinstance(case.body.get("answer"), dict):
        names = (field.name for field in world.made[protocol].kept.campaign.protocol.fields)
        case.body["answer"] = dict(zip(names, case.body["answer"].values(), strict=False))


def tried(case, world):
    protocol = aimed(case, world)
    cookies = {  # fresh ones: a case may have signed somebody out
        sessions.ANNOTATOR: people.open_session(world.store, world.anna(protocol)),
        sessions.ORGANISER: people.open_session(world.store, None),
        sessions.VISIT: "visit",
    }
    token = cookies[sessions.ANNOTATOR]
    if "organiser" in case.path:
        token = cookies[sessions.VISIT if case.path.endswith("sign-in") else sessions.ORGANISER]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cookies given with a request
        browser = TestClient(world.app, base_url=ADDRESS, raise_server_exceptions=False, cookies=cookies)
        csrf = {"x-csrf-token": sessions.csrf(token)}
        code = fuzzing.sent(case, browser, ADDRESS, headers=csrf, follow_redirects=False)
    if case.path.endswith("/status"):  # others are to find them running
        for made in world.made.values():
            campaigns.set_status(world.store, made.kept, campaigns.RUNNING)
    return code


@QUICK.parametrize()
@with_examples(10)
def test_no_fault_whatever_is_sent(case, world, codes):
    codes[tried(case, world)] += 1


@pytest.mark.slow
@WHOLE.parametrize()
@with_examples(300)
def test_no_fault_whatever_is_sent_at_length(case, world, codes):
    codes[tried(case, world)] += 1
