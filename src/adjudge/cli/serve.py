"""Score and compare over HTTP, with the JSON of the command line."""

from __future__ import annotations

import click

from adjudge.cli import _options
from adjudge.cli._listening import address_of, listening_options, listening_socket
from adjudge.cli._show import say
from adjudge.errors import MissingExtraError


@click.command("serve", short_help="Score and compare over HTTP, with the JSON of the command line.")
@listening_options(8082)
@click.option(
    "--time-limit",
    "seconds",
    metavar="SECONDS",
    type=_options.Real(0.001, 0.001),
    default=60.0,
    help="How long a request may be computed; 60 by default.",
)
@_options.quiet_option
def command(host: str, port: int, base_url: str | None, seconds: float, quiet: bool) -> None:
    """Answer POST /score and /compare with the JSON of the command line, until Ctrl-C.

    Texts come in the request: no file that it names is read, and no model, program or service is used. It listens on
    this machine only unless --host says otherwise, and lets in whoever reaches it.

    \b
    adjudge serve
    curl -H 'content-type: application/json' -d @request.json http://127.0.0.1:8082/score
    """
    try:
        from adjudge.server.run import serve
        from adjudge.server.service import LARGEST_BODY, create_service
        from adjudge.server.settings import ServerSettings
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    with listening_socket(host, port) as listening:
        address = base_url or address_of(listening, host)
        settings = ServerSettings(base_url=address, largest_body=LARGEST_BODY)
        if not quiet:
            say(f"POST {address}/score and {address}/compare (Ctrl-C ends it)")
        serve(create_service(settings, seconds), settings, listening)
