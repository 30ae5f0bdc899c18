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


def make(url: str, settings: Settings) -> FastAPI:
    """An application with a connection of its own, for one process."""
    return create_app(Store.open(url), settings)


def run(url: str, settings: Settings, listening: socket.socket, workers: int = 1) -> None:
    """Serve until somebody ends it; requests under way are answered first."""
    config = configuration(functools.partial(make, url, settings), settings, factory=True, workers=workers)
    server = uvicorn.Server(config)
    if workers == 1:
        server.run(sockets=[listening])
    else:
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
