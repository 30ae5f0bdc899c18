"""Everything that goes wrong gets one shape: {"error": {"code", "message", "field"?}}, and never a stack trace."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from adjudge.errors import AdjudgeError
from adjudge.human.fields import AnswerError
from adjudge.human.store.connection import Unavailable
from adjudge.human.store.work import Refused

log = logging.getLogger("adjudge.server")

REFUSED = {"unknown": 404, "conflict": 409, "paused": 423, "withdrawn": 403}


class Problem(Exception):
    """Something to tell whoever asked."""

    def __init__(self, status: int, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field = status, code, message, field


def answer(status: int, code: str, message: str, field: str = "", **headers: str) -> JSONResponse:
    """An error as a browser gets it."""
    error: dict[str, Any] = {"code": code, "message": message}
    if field:
        error["field"] = field
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": error}, status, named)


def install(app: FastAPI) -> None:
    """Give every kind of error its answer."""

    @app.exception_handler(Problem)
    async def _problem(_: Request, error: Problem) -> JSONResponse:
        return answer(error.status, error.code, error.message, error.field)

    @app.exception_handler(AnswerError)
    async def _answer(_: Request, error: AnswerError) -> JSONResponse:
        return answer(422, "answer", str(error), error.field)

    @app.exception_handler(Refused)
    async def _refused(_: Request, error: Refused) -> JSONResponse:
        return answer(REFUSED[error.code], error.code, str(error))

    @app.exception_handler(Unavailable)
    async def _unavailable(_: Request, error: Unavailable) -> JSONResponse:
        log.error("%s", error)
        message = "the answers cannot be stored at the moment; nothing is lost, please wait"
        return answer(503, "unavailable", message, Retry_After="5")

    @app.exception_handler(AdjudgeError)
    async def _refusal(_: Request, error: AdjudgeError) -> JSONResponse:
        return answer(400, "refused", str(error))

    @app.exception_handler(RequestValidationError)
    async def _request(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
        return answer(422, "request", f"{field or 'the request'}: {first['msg']}", field)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        return answer(error.status_code, "http", str(error.detail))

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        return answer(
            500, "internal", "something went wrong on the server; the organiser finds it in the log"
        )
