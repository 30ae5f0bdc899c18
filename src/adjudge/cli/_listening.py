"""The socket that a server listens on, which commands open before they say where it is."""

from __future__ import annotations

import socket

from adjudge.errors import UsageError


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket on that address, or an error that says why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened_socket = socket.socket(family, socket.SOCK_STREAM)
    opened_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened_socket.bind((host, port))
        opened_socket.listen(1024)  # who is early waits, and is served once the server is up
    except (OSError, OverflowError) as error:
        opened_socket.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot listen on {host}:{port}: {reason}; try another --port, or 0 for any"
        ) from None
    return opened_socket
