"""Running the application: in this process, or in several over one PostgreSQL database."""

from __future__ import annotations

import functools
import signal
import socket
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from adjudge.campaigns.store import Store
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from adjudge.server.timeouts import PatientProtocol


def make_app(database: str, settings: ServerSettings) -> FastAPI:
    """An application with a store of its own, for one process of several."""
    return create_app(Store.open(database, create=False), settings, closes=True)


def run(store: Store, settings: ServerSettings, listening: socket.socket, workers: int = 1) -> None:
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
    """The same for several processes."""

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
    """How the web server is set up."""
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
