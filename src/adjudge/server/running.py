"""Running the application: in this process, or in several over one PostgreSQL database."""

from __future__ import annotations

import functools
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from adjudge.human.store import Store
from adjudge.server.app import create_app
from adjudge.server.patience import PatientProtocol
from adjudge.server.settings import Settings


def make(database: str, settings: Settings) -> FastAPI:
    """An application with a store of its own, for one process of several."""
    return create_app(Store.open(database, create=False), settings, closes=True)


def run(store: Store, settings: Settings, listening: socket.socket, workers: int = 1) -> None:
    """Serve until somebody ends it; requests under way are answered first.

    This process has one store, and several processes have one each: none is inherited.
    """
    if workers == 1:
        config = configuration(create_app(store, settings), settings)
        uvicorn.Server(config).run(sockets=[listening])
        return
    store.close()
    made = functools.partial(make, store.address, settings)
    config = configuration(made, settings, factory=True, workers=workers)
    Multiprocess(config, sockets=[listening]).run()


def configuration(app: Any, settings: Settings, **more: Any) -> uvicorn.Config:
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
    )
