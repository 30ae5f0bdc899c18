"""All errors have one shape: {"error": {"code", "message", "field"?}}, and never a stack trace.

Somebody who follows a link in a browser gets a page instead, that says the same in their language.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.store.admission import AdmissionError
from adjudge.database.problems import Unavailable
from adjudge.errors import AdjudgeError

log = logging.getLogger("adjudge.server")

REFUSED = {
    "unknown": 404,
    "conflict": 409,
    "answered": 409,
    "newer": 409,
    "seen": 409,
    "paused": 423,
    "withdrawn": 403,
}
Page = Callable[[Request, int, str, str], Response]


class ServerProblem(Exception):
    """An error to be sent to the client."""

    def __init__(self, status: int, code: str, message: str, field: str = "", **headers: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field = status, code, message, field
        self.headers = headers


def answer(status: int, code: str, message: str, field: str = "", **headers: str) -> JSONResponse:
    """An error as a browser gets it."""
    error: dict[str, Any] = {"code": code, "message": message}
    if field:
        error["field"] = field
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": error}, status, named)


def wants_page(request: Request) -> bool:
    """Whether a person looks at the answer, not a script."""
    asked = request.url.path
    return "text/html" in request.headers.get("accept", "") and not asked.startswith(("/api/", "/static/"))


def install(app: FastAPI, page: Page) -> None:
    """Give every kind of error its answer; `page` draws it for people."""

    def respond(
        request: Request, status: int, code: str, message: str, field: str = "", **headers: str
    ) -> Response:
        if wants_page(request):
            return page(request, status, code, message)
        return answer(status, code, message, field, **headers)

    @app.exception_handler(ServerProblem)
    async def _problem(request: Request, error: ServerProblem) -> Response:
        return respond(request, error.status, error.code, error.message, error.field, **error.headers)

    @app.exception_handler(AnswerError)
    async def _answer(request: Request, error: AnswerError) -> Response:
        return respond(request, 422, "answer", str(error), error.field)

    @app.exception_handler(AdmissionError)
    async def _refused(request: Request, error: AdmissionError) -> Response:
        return respond(request, REFUSED[error.code], error.code, str(error))

    @app.exception_handler(Unavailable)
    async def _unavailable(request: Request, error: Unavailable) -> Response:
        log.error("%s", error)
        message = "the answers cannot be stored at the moment; nothing is lost, please wait"
        return respond(request, 503, "unavailable", message, Retry_After="5")

    @app.exception_handler(AdjudgeError)
    async def _refusal(request: Request, error: AdjudgeError) -> Response:
        return respond(request, 400, "refused", str(error))

    @app.exception_handler(RequestValidationError)
    async def _request(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
        return respond(request, 422, "request", f"{field or 'the request'}: {first['msg']}", field)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = "not found" if error.status_code == 404 else "http"
        return respond(request, error.status_code, code, str(error.detail), **dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> Response:
        # The name of the route, not the address: that may hold somebody's link.
        where = getattr(request.scope.get("route"), "path", "")
        log.error("%s %s", request.method, where, exc_info=error)
        return respond(
            request, 500, "internal", "something went wrong on the server; the organiser finds it in the log"
        )
