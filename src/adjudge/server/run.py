"""Running the application: in this process, or in several over one PostgreSQL database.

Connections are not kept open for clients that stall: half a request, a body sent byte by byte, a reply not read.
uvicorn itself closes only connections that are idle between two requests.
"""

from __future__ import annotations

import asyncio
import functools
import signal
import socket
from types import FrameType
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from adjudge.campaigns.store import CampaignStore
from adjudge.server import ending
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings

HEAD_SECONDS = 15.0
"""From the first byte of a request, or the opening of a connection, to the end of the headers."""
BODY_SECONDS = 60.0
"""From there to the end of the body, or for so many bytes of it: who is slow but goes on may send all that is taken."""
BODY_BYTES = 256 * 1024
READ_SECONDS = 60.0
"""For reading on where a reply is larger than what fits in between, and for its rest once all is said."""
SPARE_FILES = 100
"""Open files that connections leave to the database and everything else."""


def make_app(database: str, settings: ServerSettings) -> FastAPI:
    """An application with a store of its own, for one process of several."""
    return create_app(CampaignStore.open(database, create=False), settings, closes=True)


def run(store: CampaignStore, settings: ServerSettings, listening: socket.socket, workers: int = 1) -> None:
    """Serve until somebody ends it; requests under way are answered first.

    This process has one store, and several processes have one each: none is inherited.
    """
    if workers == 1:
        serve(create_app(store, settings), settings, listening)
        return
    store.close()
    made = functools.partial(make_app, store.address, settings)
    config = configuration(made, settings, factory=True, workers=workers)
    _Servers(config, sockets=[listening]).run()


def serve(app: FastAPI, settings: ServerSettings, listening: socket.socket) -> None:
    """Serve an application in this process until somebody ends it."""
    _Server(configuration(app, settings)).run(sockets=[listening])


def _ignored_signals() -> set[int]:
    """Signals that whoever started this process wants ignored, as shells do with Ctrl-C for jobs in the background."""
    return {
        number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is signal.SIG_IGN
    }


class _Server(uvicorn.Server):
    """uvicorn's, which answers a signal though it was ignored."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ignored = _ignored_signals()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, unless the signal is to be ignored."""
        if sig not in self.ignored:
            super().handle_exit(sig, frame)


class _Servers(Multiprocess):
    """Several server processes, which end as one."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        self.ignored = _ignored_signals()
        super().__init__(config, sockets=sockets)

    def handle_int(self) -> None:
        """End, unless Ctrl-C is to be ignored."""
        if signal.SIGINT not in self.ignored:
            super().handle_int()

    def handle_term(self) -> None:
        """End, unless SIGTERM is to be ignored."""
        if signal.SIGTERM not in self.ignored:
            super().handle_term()


def configuration(app: Any, settings: ServerSettings, **more: Any) -> uvicorn.Config:
    """The configuration of uvicorn."""
    return uvicorn.Config(
        app,
        **more,
        http=PatientProtocol,  # h11, which limits the size of headers, as others do not
        ws="none",
        log_level="warning",
        access_log=False,  # links are secrets, and a log would keep them
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        # With uvicorn's 5 seconds a busy machine never gets to serve: processes that still import are replaced.
        timeout_worker_healthcheck=60,
    )


class PatientProtocol(H11Protocol):
    """HTTP/1.1 of uvicorn, with an end to all waiting; where there are too many, who waits longest has to go."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._awaited = ""
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._quiet_since = self.loop.time()
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection was made; start the clock for its headers."""
        super().connection_made(transport)
        self._await("head", HEAD_SECONDS)
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """More data of a request arrived."""
        self._received += len(data)
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """A reply is written, as far as we are concerned."""
        self._quiet_since = self.loop.time()
        super().on_response_complete()
        self._look()

    def timeout_keep_alive_handler(self) -> None:
        """The client sent its end of file."""
        super().timeout_keep_alive_handler()
        self._look()

    def shutdown(self) -> None:
        """The server ends; a request under way has a while, and its answer a moment."""
        super().shutdown()
        if self.cycle is not None and not self.cycle.response_complete:
            ending.give_time(self.scope)
            self.loop.call_later(ending.SECONDS + ending.SENDING_SECONDS, self.transport.abort)
        self._look()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is lost."""
        self._await("", 0)
        super().connection_lost(exc)
        self.resume_writing()

    def _look(self) -> None:
        """What is waited for now; the clock runs on while it is the same, however little of it comes.

        A body is waited for piece by piece, so that many bytes have their minutes and few do not.
        """
        if self.transport.is_closing():
            self._await("end", READ_SECONDS)
        elif self.conn.their_state is h11.SEND_BODY:
            self._await(f"body {self._received // BODY_BYTES}", BODY_SECONDS)
        elif self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._await("head", HEAD_SECONDS)
        else:
            self._await("", 0)

    def _await(self, what: str, seconds: float) -> None:
        if what == self._awaited:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._awaited = what
        self._timer = self.loop.call_later(seconds, self.transport.abort) if what else None

    def _make_room(self) -> None:
        """Close the connection that has been idle longest; requests under way are not touched."""
        connections = [
            connection
            for connection in self.connections
            if isinstance(connection, PatientProtocol) and not connection.transport.is_closing()
        ]
        quiet = [
            connection
            for connection in connections
            if connection.cycle is None or connection.cycle.response_complete
        ]
        if len(connections) > most_connections():  # others may have made room a moment ago
            min(quiet, key=lambda connection: connection._quiet_since).transport.abort()


def most_connections() -> int:
    """As many as there may be open files, without those that others need."""
    try:
        import resource
    except ImportError:  # Windows
        return 400
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(16, min(soft - SPARE_FILES, 4096)) if soft != resource.RLIM_INFINITY else 4096
