"""The service under whatever can be sent to it: nothing but clear refusals, never a fault."""

import zlib

import pytest
from starlette.testclient import TestClient

from adjudge.server import computing
from adjudge.server.service import create_service
from adjudge.server.settings import ServerSettings
from helpers import fuzzing
from helpers.fuzzing import with_examples

schemathesis = pytest.importorskip("schemathesis")
ADDRESS = "http://127.0.0.1:8082"
TEXTS = {"type": "array", "items": {"type": "string"}}
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
PLAN = {
    "trials": {"type": "integer", "minimum": -1, "maximum": 500},
    "resamples": {"type": "integer", "minimum": -1, "maximum": 500},
    "method": {"enum": ["randomisation", "bootstrap", "rank-sum", "clustered-t", "x"]},
    "unit": {"enum": ["segment", "document", "document,domain", ""]},
    "baseline": {"enum": ["a", "b", None]},
    "by": {"type": "array", "items": {"enum": ["document", "length", "origin"]}},
    "alternative": {"enum": ["two-sided", "one-sided"]},
    "margin": {"type": "number"},
    "seed": {"type": "integer"},
}
FIELDS = {
    "references": {
        "type": "array",
        "items": {"type": "array", "items": {"type": ["string", "null"]}},
        "minItems": 1,
    },
    "source": TEXTS,
    "labels": {"type": "object", "properties": {"document": TEXTS, "origin": TEXTS}},
    "systems": {"type": "object", "additionalProperties": TEXTS, "minProperties": 1},
    "metrics": {"type": "array", "items": {"enum": NAMES}, "minItems": 1},
    "language": {"enum": ["en", "de-en", "ja", "zh-TW", "x", ""]},
    "name": {"type": "string"},
    "segments": {"type": "boolean"},
    "plan": {"type": "object", "properties": PLAN, "additionalProperties": False},
}


def described():
    """The routes with the fields that they know."""
    document = create_service(ServerSettings(), 10).openapi()
    for route, known in computing.KNOWN.items():
        schema = {
            "type": "object",
            "properties": {name: FIELDS[name] for name in known},
            "required": ["systems"],
        }
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        document["paths"][route]["post"]["requestBody"] = body
    return document


def schema(*, systematic):
    """Cases that are drawn, and where there is time hundreds that go through every field's edges."""
    made = schemathesis.openapi.from_dict(described())
    made.config.generation.update(modes=list(schemathesis.GenerationMode))
    made.config.phases.coverage.enabled = systematic
    return made


QUICK, WHOLE = schema(systematic=False), schema(systematic=True)


@pytest.fixture(scope="module")
def browser():
    app = create_service(ServerSettings(base_url=ADDRESS), 60)
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
    return fuzzing.sent(case, browser, ADDRESS)


@QUICK.parametrize()
@with_examples(30)
def test_no_fault_whatever_is_sent(case, browser, codes):
    codes[tried(case, browser)] += 1


@pytest.mark.slow
@WHOLE.parametrize()
@with_examples(1000)
def test_no_fault_whatever_is_sent_at_length(case, browser, codes):
    codes[tried(case, browser)] += 1
