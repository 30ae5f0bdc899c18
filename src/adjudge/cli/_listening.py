"""Where a server listens and how it is reached: addresses that are checked, and the socket, opened beforehand."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import click

from adjudge.cli._options import option
from adjudge.errors import UsageError

HOST = "127.0.0.1"


def checked_host(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """An address to listen on; an empty one (a variable that is not set) would mean all of them."""
    host = value.strip().removeprefix("[").removesuffix("]")
    if not host:
        raise UsageError(
            f"--host: an address was expected, not {value!r}; {HOST} is this machine alone, 0.0.0.0 listens everywhere"
        )
    return host


def checked_site(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Addresses of sites, without a slash at their end; UsageError where one is none."""
    from adjudge.server.addresses import site

    if value is None:
        return None
    checked = []
    for text in (value,) if isinstance(value, str) else value:
        try:
            checked.append(site(text))
        except ValueError as error:
            raise UsageError(
                f"{parameter.opts[0]} {text!r}: {error}; write http://HOST or https://HOST (or with :PORT)"
            ) from None
    return checked[0] if isinstance(value, str) else tuple(checked)


def checked_proxies(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Addresses or networks of proxies; UsageError where one is none."""
    for address in value:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise UsageError(
                f"--trust-proxy {address!r}: write the address of a proxy (127.0.0.1) or a network (10.0.0.0/8)"
            ) from None
    return value


TRUST_PROXY = option("trust_proxy", repeated=True, callback=checked_proxies)


def listening_options(port: int) -> tuple[click.Option, ...]:
    """--host, --port and --base-url of a server."""
    return (
        option("host", default=HOST, callback=checked_host),
        option("port", default=port),
        option("base_url", "Where a proxy stands before it; other hosts are refused.", callback=checked_site),
    )


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


def address_of(listening: socket.socket, host: str) -> str:
    """The address of a server that listens there."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
