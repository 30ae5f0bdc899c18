"""Middleware for every route: hosts and origins, security headers, a limit on bodies."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adjudge.server import problems
from adjudge.server.addresses import KnownHosts
from adjudge.server.settings import ServerSettings


class Guard:
    """Adds the headers; refuses what is for another host or from another site's page, and bodies that are too large."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings
        frames = " ".join(settings.embed_in) or "'none'"
        forms = " ".join(
            ("'self'", *settings.embed_in)
        )  # completion codes go back to where workers came from
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            f"font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action {forms}; frame-ancestors {frames}"
        )
        headers = {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
            **({} if settings.embed_in else {"x-frame-options": "DENY"}),
            **({"strict-transport-security": "max-age=31536000"} if settings.secure else {}),
        }
        self.known = KnownHosts(settings.base_url)
        self.misdirected = problems.answer(
            421,
            "unknown host",
            "this server is reached under another name; --base-url says which",
        )
        self.foreign = problems.answer(403, "foreign site", "only the server's own pages can ask for this")
        self.refusal = problems.answer(
            413, "too large", f"at most {settings.largest_body} bytes can be sent at once"
        )
        self.headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        static = scope["path"].startswith("/static/")
        too_large = refused = False

        async def with_headers(message: Message) -> None:
            nonlocal refused
            if too_large and not refused:  # whatever the application made of a body that was cut off
                refused = True
                await self.refusal(scope, receive, plain)
            if not too_large:
                await plain(message)

        async def plain(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                # Files of the pages are asked about each time: a page never mixes files of two versions.
                extra = [*self.headers, (b"cache-control", b"no-cache" if static else b"no-store")]
                message["headers"] = [*message["headers"], *((n, v) for n, v in extra if n not in own)]
            await send(message)

        received = 0

        async def limited() -> Message:
            nonlocal received, too_large
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > self.settings.largest_body:
                    too_large = True
                    return {"type": "http.disconnect"}
            return message

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, plain)
            return
        await self.app(scope, limited, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a refused request."""
        sent: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            sent.setdefault(name, []).append(value.decode("latin-1"))
        host = sent.get(b"host", [""])
        if len(host) != 1 or not self.known.has_host(host[0]):
            return self.misdirected
        if not all(self.known.has_origin(origin, host[0]) for origin in sent.get(b"origin", [])):
            return self.foreign
        length = sent.get(b"content-length", ["0"])[0]
        if length.isdecimal() and (len(length) > 18 or int(length) > self.settings.largest_body):
            return self.refusal
        return None
