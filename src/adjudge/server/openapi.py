"""The OpenAPI document of the service: every route, body, answer and error, read from the code that checks them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from adjudge import __version__
from adjudge.server import lanes

Schema = dict[str, Any]
TEXTS: Schema = {"type": "array", "items": {"type": "string"}, "minItems": 1}
NUMBER: Schema = {"type": ["number", "null"], "description": "null where there is no finite number"}
DESCRIPTION = (
    "Scores and comparisons of machine translation, with the JSON that `adjudge score -f json` and `adjudge compare "
    "-f json` write. Answers may gain fields; none is renamed or removed. Requests that HTTP itself does not allow "
    "are answered with 400 and plain text."
)
REQUEST_FIELDS: Mapping[str, Schema] = {
    "systems": {
        "type": "object",
        "additionalProperties": TEXTS,
        "minProperties": 1,
        "description": "The outputs: one text per segment for each system. NAME.run1 and NAME.run2 are training runs "
        "of one system. All lists of a request have the same length.",
    },
    "references": {
        "type": ["array", "null"],
        "items": {"type": "array", "items": {"type": ["string", "null"]}, "minItems": 1},
        "description": "A list of reference translations, each with one text per segment; null where a segment "
        "lacks one. Metrics without references need `source` only.",
    },
    "source": {**TEXTS, "type": ["array", "null"], "description": "One text per segment."},
    "labels": {
        "type": ["object", "null"],
        "additionalProperties": TEXTS,
        "description": "Labels of segments by name: document, domain, origin, …",
    },
    "metrics": {
        **TEXTS,
        "type": ["array", "null"],
        "description": "Metrics with their options, as in bleu(lowercase=true); BLEU, chrF and TER without it. "
        "Options that name files, models, programs or services are refused.",
    },
    "language": {"type": ["string", "null"], "description": "A language pair (de-en) or a target language."},
    "name": {"type": ["string", "null"], "description": "What the test set is called."},
    "segments": {"type": ["boolean", "null"], "description": "Whether scores of segments are wanted too."},
}
EXAMPLE: Schema = {
    "references": [["The cat sat on the mat.", "Nobody was surprised.", "It rains."]],
    "systems": {
        "old": ["A cat sat on mat.", "Nobody surprised.", "It is raining."],
        "new": ["The cat sat on the mat.", "Nobody was surprised.", "It is raining."],
    },
    "metrics": ["chrf", "bleu(lowercase=true)"],
    "language": "de-en",
}
EXAMPLES: Mapping[str, Schema] = {"/score": {"segments": True}, "/compare": {"plan": {"seed": 12345}}}
RESULT: Schema = {
    "system": {"type": "string"},
    "metric": {"type": "string"},
    "score": NUMBER,
    "signature": {
        "type": "string",
        "description": "All options of the metric; equal signatures may be compared.",
    },
    "higher_is_better": {
        "type": ["boolean", "null"],
        "description": "null where neither is better, as of ratios of lengths",
    },
}
COMMON_ANSWER: Schema = {
    "version": {"type": "string"},
    "inputs": {"type": "array", "maxItems": 0, "description": "Files that were read: none."},
    "test_set": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "segments": {"type": "integer"},
            "references": {"type": "integer"},
            "fingerprint": {"type": "string"},
        },
        "required": ["name", "segments", "references", "fingerprint"],
    },
    "warnings": {"type": "array", "items": {"type": "string"}},
}
ERRORS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "400": ("The request cannot be computed; the message says why.", ("refused",)),
    "401": ("The token is missing or wrong.", ("unauthorised",)),
    "403": ("A page of another site asks (Origin).", ("foreign site",)),
    "408": ("The body did not arrive in time.", ("too slow",)),
    "413": ("The body is too large, or needs more memory than there is.", ("too large",)),
    "415": ("The body is not announced as JSON.", ("media type",)),
    "421": ("The service is reached under another name (Host).", ("unknown host",)),
    "429": (f"{lanes.MOST_OF_CLIENT} requests of this client are under way already.", ("busy",)),
    "500": ("A fault of the service; its log says more.", ("internal",)),
    "503": (
        "Too many requests wait, the time limit is over, or the server ends.",
        ("busy", "too long", "ending"),
    ),
}
HEADERS: Mapping[str, Mapping[str, Schema]] = {
    "401": {"WWW-Authenticate": {"schema": {"type": "string"}}},
    "429": {"Retry-After": {"schema": {"type": "string", "pattern": "^[0-9]+$"}, "description": "Seconds."}},
}


@cache
def document(address: str, largest_body: int, has_tokens: bool) -> Schema:
    """Describe the service at an address."""
    score, compare = ("/score", score_answer()), ("/compare", comparison_answer())
    paths = {
        path: {"post": _post(path, answer, largest_body, has_tokens)} for path, answer in (score, compare)
    }
    status = {"type": "object", "properties": {"status": {"const": "ok"}}, "required": ["status"]}
    about = {"type": "object", "required": ["openapi", "info", "paths"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "adjudge", "version": __version__, "description": DESCRIPTION},
        "servers": [{"url": address}],
        "paths": {
            **paths,
            "/health": {"get": _get("health", "Say whether the service is up; no token is needed.", status)},
            "/openapi.json": {"get": _get("openapi", "Return this document; no token is needed.", about)},
        },
        "components": {
            "schemas": {"Error": error_answer(), "Plan": plan_schema()},
            **({"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}} if has_tokens else {}),
        },
    }


def plan_schema() -> Schema:
    """The fields of a `Plan` as a request may have them, with the values that are known."""
    from adjudge.comparison.plan import Plan

    kinds, choices = get_type_hints(Plan), _choices()
    properties = {
        field.name: {**_kind(kinds[field.name]), **_bounds(field.name)}
        | ({"enum": list(choices[field.name])} if field.name in choices else {})
        for field in fields(Plan)
    }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _choices() -> dict[str, tuple[str, ...]]:
    from adjudge.comparison import plan
    from adjudge.stats import multiple, resampling
    from adjudge.stats.tests import all_of
    from adjudge.stats.tests.systems.base import SystemTest

    return {
        "test": tuple(all_of(SystemTest)),
        "sampling": tuple(resampling.SAMPLINGS),
        "interval": tuple(plan.KINDS_OF_INTERVAL),
        "correction": tuple(multiple.CORRECTIONS),
        "family": tuple(multiple.FAMILIES),
        "alternative": tuple(plan.ALTERNATIVES),
    }


def _bounds(name: str) -> Schema:
    from adjudge.server.computing import MOST_DRAWS

    if name in ("trials", "resamples"):
        return {"minimum": 1, "maximum": MOST_DRAWS}
    if name == "seed":
        return {"minimum": 0, "maximum": 2**64 - 1}
    return {"exclusiveMinimum": 0, "exclusiveMaximum": 1} if name in ("alpha", "confidence") else {}


def _kind(hint: Any) -> Schema:
    """The schema of a type hint of a `Plan`: what `comparison.plan` takes for it."""
    kinds = get_args(hint) if get_origin(hint) is types.UnionType else (hint,)
    known = {str: "string", int: "integer", float: "number", tuple: "array", Mapping: "object"}
    names = [known[get_origin(kind) or kind] for kind in kinds if kind is not types.NoneType]
    schema: Schema = {"type": names + ["null"] * (types.NoneType in kinds)}
    if "array" in names:
        schema["items"] = {"type": "string"}
    if "object" in names:
        schema["additionalProperties"] = {"type": "number"}
    return schema


def request_schema(route: str) -> Schema:
    """The body of a route."""
    from adjudge.server.computing import KNOWN

    plan = {"anyOf": [{"$ref": "#/components/schemas/Plan"}, {"type": "null"}]}
    known = {**REQUEST_FIELDS, "plan": plan}
    fewest = {"minProperties": 2} if route == "/compare" else {}
    properties = {name: known[name] for name in KNOWN[route]}
    return {
        "type": "object",
        "properties": {**properties, "systems": {**known["systems"], **fewest}},
        "required": ["systems"],
        "additionalProperties": False,
    }


def score_answer() -> Schema:
    """What `/score` answers."""
    segments = {"type": "array", "items": NUMBER, "description": "Where `segments` asks for them."}
    run = {"type": ["string", "null"]}
    mean = {"system": {"type": "string"}, "metric": {"type": "string"}, "score": NUMBER, "deviation": NUMBER}
    return _answer(
        results=_rows({**RESULT, "run": run, "segments": segments}, optional=("segments",)),
        means=_rows({**mean, "runs": {"type": "integer"}}),
    )


def comparison_answer() -> Schema:
    """What `/compare` answers."""
    names = {name: {"type": "string"} for name in ("metric", "a", "b")}
    numbers = dict.fromkeys(("delta", "low", "high", "p", "p_adjusted"), NUMBER)
    return _answer(
        results=_rows({**RESULT, "low": NUMBER, "high": NUMBER, "cluster": {"type": ["integer", "null"]}}),
        pairs=_rows({**names, **numbers, "significant": {"type": "boolean"}}),
        test={
            "type": "object",
            "properties": {
                "method": {"type": "string"},
                "unit": {"type": "string"},
                "alpha": {"type": "number"},
            },
            "required": ["method", "unit", "alpha"],
            "description": "How differences were tested.",
        },
        claims={"type": "array", "items": {"type": "string"}, "description": "What may be said of them."},
    )


def error_answer() -> Schema:
    """The one shape of all errors."""
    texts = {name: {"type": "string"} for name in ("code", "message", "field")}
    error = {"type": "object", "properties": texts, "required": ["code", "message"]}
    return {
        "type": "object",
        "properties": {"error": error},
        "required": ["error"],
        "additionalProperties": False,
    }


def _rows(properties: Schema, optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": required}}


def _answer(**own: Schema) -> Schema:
    properties = {**COMMON_ANSWER, **own}
    return {"type": "object", "properties": properties, "required": list(properties)}


def _post(route: str, answer: Schema, largest_body: int, has_tokens: bool) -> Schema:
    summary = f"Answer as `adjudge {route[1:]} -f json` does; a body has at most {largest_body:,} bytes."
    left_out = () if has_tokens else ("401",)
    example = {"example": {"summary": "Two systems", "value": {**EXAMPLE, **EXAMPLES[route]}}}
    body = {"application/json": {"schema": request_schema(route), "examples": example}}
    return {
        "operationId": route[1:],
        "summary": summary,
        "requestBody": {"required": True, "content": body},
        "responses": {
            "200": {"description": "The result.", "content": _json(answer)},
            **{status: _error(status) for status in ERRORS if status not in left_out},
        },
        "security": [{"token": []}] if has_tokens else [],
    }


def _get(name: str, summary: str, answer: Schema) -> Schema:
    errors = {status: _error(status) for status in ("403", "413", "421", "503")}
    success = {"description": summary, "content": _json(answer)}
    return {"operationId": name, "summary": summary, "responses": {"200": success, **errors}, "security": []}


def _error(status: str) -> Schema:
    meaning, codes = ERRORS[status]
    schema = {
        "allOf": [{"$ref": "#/components/schemas/Error"}],
        "properties": {"error": {"properties": {"code": {"enum": list(codes)}}}},
    }
    headers = {"headers": HEADERS[status]} if status in HEADERS else {}
    return {"description": meaning, "content": _json(schema), **headers}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
