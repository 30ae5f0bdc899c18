"""The service under whatever can be sent to it: nothing but clear refusals, never a fault."""

import copy
import json
import subprocess
import sys
import zlib

import pytest
from starlette.testclient import TestClient

from adjudge.server import openapi
from adjudge.server.service import LARGEST_BODY, create_service
from adjudge.server.settings import ServerSettings
from helpers import fuzzing
from helpers.fuzzing import with_examples

schemathesis = pytest.importorskip("schemathesis")
jsonschema = pytest.importorskip("jsonschema")
ADDRESS = "http://127.0.0.1:8082"
NAMES = [
    "bleu",
    "chrf",
    "ter",
    "wer",
    "length-ratio",
    "bleu(tokenize=intl)",
    "chrf(char_order=99)",
    "nist",
    "command",
]
NARROWED = {
    "metrics": {"type": "array", "items": {"enum": NAMES}, "minItems": 1},
    "language": {"enum": ["en", "de-en", "ja", "zh-TW", "x", ""]},
}
"""Fields whose values would nearly all be refused if any text were drawn for them."""
DOCUMENT = openapi.document(ADDRESS, LARGEST_BODY, has_tokens=False)


def described():
    """The document that the service serves, with fewer values, so that more of them are computed."""
    document = copy.deepcopy(DOCUMENT)
    for route in ("/score", "/compare"):
        schema = document["paths"][route]["post"]["requestBody"]["content"]["application/json"]["schema"]
        schema["properties"] |= {name: own for name, own in NARROWED.items() if name in schema["properties"]}
    plan = document["components"]["schemas"]["Plan"]["properties"]
    for name in ("trials", "resamples"):
        plan[name] |= {"minimum": -1, "maximum": 500}
    plan["unit"] = {"enum": ["segment", "document", "document,domain", ""]}
    plan["by"] = {"type": "array", "items": {"enum": ["document", "length", "origin"]}}
    return document


def check_documented(route, method, reply):
    """Hold an answer against what the document says of its status."""
    if method not in DOCUMENT["paths"][route]:
        assert (reply.status_code, reply.headers["allow"].lower()) == (405, *DOCUMENT["paths"][route])
        return
    answers = DOCUMENT["paths"][route][method]["responses"]
    assert str(reply.status_code) in answers, f"{reply.status_code} of {route} is not documented"
    documented = answers[str(reply.status_code)]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**documented, "components": DOCUMENT["components"]}).validate(
        reply.json()
    )


def schema(*, systematic):
    """Cases that are drawn, and where there is time hundreds that go through every field's edges."""
    made = schemathesis.openapi.from_dict(described())
    made.config.generation.update(modes=list(schemathesis.GenerationMode))
    made.config.phases.coverage.enabled = systematic
    return made


QUICK, WHOLE = schema(systematic=False), schema(systematic=True)


@pytest.fixture(scope="module")
def browser():
    app = create_service(ServerSettings(base_url=ADDRESS, largest_body=LARGEST_BODY), 60)
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def codes():
    with fuzzing.answered() as seen:
        yield seen


def fitted(case):
    """Give half the cases two systems and as many texts everywhere as there are references, so that it is computed."""
    body, chance = case.body, zlib.crc32(repr(case.body).encode())
    if not isinstance(body, dict) or chance % 2:
        return
    try:
        count = max(1, len(body.get("references", [[]])[0]))
        body["references"] = [_cut(["a" if text is None else text for text in column], count)
                              for column in body.get("references", [["a"]])]  # fmt: skip
        body["systems"] = {
            name: _cut(texts, count) for name, texts in (body["systems"] | {"a": [], "b": ["b"]}).items()
        }
        body["labels"] = {name: _cut(column, count) for name, column in body.get("labels", {}).items()}
        body |= {"source": _cut(body["source"], count)} if "source" in body else {}
    except (TypeError, KeyError, IndexError, AttributeError):
        body |= {"references": [["a b"]], "systems": {"a": ["a"], "b": ["b"]}}
    if chance % 4:  # nothing that could be refused but the texts
        case.body = {name: body[name] for name in ("references", "systems")}


def _cut(texts, count):
    return [*texts, *["a b"] * count][:count]


def tried(case, browser):
    fitted(case)
    if (
        case.path == "/compare"
        and isinstance(case.body, dict)
        and isinstance(case.body.get("plan", {}), dict)
    ):
        case.body["plan"] = {"trials": 20, "resamples": 20} | case.body.get("plan", {})  # not ten thousand
    return fuzzing.sent(
        case, browser, ADDRESS, check=lambda reply: check_documented(case.path, case.method.lower(), reply)
    )


@QUICK.parametrize()
@with_examples(30)
def test_no_fault_whatever_is_sent(case, browser, codes):
    codes[tried(case, browser)] += 1


@pytest.mark.slow
@WHOLE.parametrize()
@with_examples(1000)
def test_no_fault_whatever_is_sent_at_length(case, browser, codes):
    codes[tried(case, browser)] += 1


def test_the_document_is_served_and_names_every_route(browser):
    reply = browser.get("/openapi.json")
    assert reply.json() == json.loads(json.dumps(DOCUMENT))
    routes = {
        (route.path, method.lower()) for route in browser.app.routes for method in route.methods - {"HEAD"}
    }
    named = {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert named == routes


def test_the_examples_of_the_document_are_answered_as_it_says(browser):
    for route in ("/score", "/compare"):
        body = DOCUMENT["paths"][route]["post"]["requestBody"]["content"]["application/json"]
        jsonschema.Draft202012Validator({**body["schema"], "components": DOCUMENT["components"]}).validate(
            body["examples"]["example"]["value"]
        )
        reply = browser.post(route, json=body["examples"]["example"]["value"])
        assert reply.status_code == 200, reply.text
        check_documented(route, "post", reply)


def test_every_field_of_a_plan_is_described_and_no_value_that_is_refused(browser):
    """Each value of each choice is known: it may not fit the rest, but it is never called unknown."""
    from adjudge.comparison.plan import Plan

    properties = DOCUMENT["components"]["schemas"]["Plan"]["properties"]
    assert set(properties) == set(Plan.__dataclass_fields__)
    for name, schema in properties.items():
        default = Plan.__dataclass_fields__[name].default
        jsonschema.Draft202012Validator(schema).validate(
            list(default) if isinstance(default, tuple) else default
        )
        for value in schema.get("enum", []):
            body = {**openapi.EXAMPLE, "plan": {name: value, "trials": 10, "resamples": 10}}
            reply = browser.post("/compare", json=body)
            assert reply.status_code == 200 or "unknown" not in reply.text, (name, value)


SCHEMATHESIS = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "400"]
"""
"""Lists of one request must be equally long, which a schema cannot say: they may be refused (400)."""


@pytest.mark.slow
@pytest.mark.parametrize("token", ["", "a-token-that-nobody-guesses"])
def test_schemathesis_finds_nothing_with_all_its_checks(tmp_path, token):
    (tmp_path / "schemathesis.toml").write_text(SCHEMATHESIS)
    (tmp_path / "tokens").write_text(token or "# none")
    options = ["--token-file", str(tmp_path / "tokens")] if token else []
    command = [sys.executable, "-m", "adjudge", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        try:
            address = (
                next(line for line in service.stderr if "POST" in line).split()[1].removesuffix("/score")
            )
            header = ["-H", f"Authorization: Bearer {token}"] if token else []
            program = [
                sys.executable,
                "-m",
                "schemathesis.cli",
                "run",
                f"{address}/openapi.json",
                "-c",
                "all",
            ]
            ended = subprocess.run(
                [*program, "-n", "100", "--seed", "1", *header],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            service.terminate()
    print(ended.stdout)
    assert ended.returncode == 0, ended.stdout[-5000:]
