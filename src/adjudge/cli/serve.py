"""Score and compare over HTTP, with the JSON of the command line."""

from __future__ import annotations

import os
import stat

import click

from adjudge.cli import _options
from adjudge.cli._listening import address_of, listening_options, listening_socket, trust_proxy_option
from adjudge.cli._show import say, warn
from adjudge.errors import MissingExtraError, UsageError

VARIABLE = "ADJUDGE_SERVE_TOKEN"


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
@click.option(
    "--token-file",
    metavar="FILE",
    help=f"Answer only requests with a token of this file, one per line; {VARIABLE} names one without a file.",
)
@trust_proxy_option
@_options.quiet_option
def command(
    host: str,
    port: int,
    base_url: str | None,
    seconds: float,
    token_file: str | None,
    proxies: tuple[str, ...],
    quiet: bool,
) -> None:
    """Answer POST /score and /compare with the JSON of the command line, until Ctrl-C.

    Texts come in the request: no file that it names is read, and no model, program or service is used. It listens on
    this machine only unless --host says otherwise, and answers whoever reaches it unless --token-file names tokens.

    \b
    adjudge serve
    curl -H 'content-type: application/json' -d @request.json http://127.0.0.1:8082/score
    """
    try:
        from adjudge.server.addresses import is_local
        from adjudge.server.run import serve
        from adjudge.server.service import LARGEST_BODY, create_service
        from adjudge.server.settings import ServerSettings
        from adjudge.server.tokens import Tokens
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    tokens = Tokens(_tokens(token_file, quiet))
    if not tokens and not is_local(host):
        warn(["whoever reaches it is answered: --token-file FILE asks for a token"], quiet=quiet)
    with listening_socket(host, port) as listening:
        address = base_url or address_of(listening, host)
        settings = ServerSettings(base_url=address, largest_body=LARGEST_BODY, proxies=proxies)
        if not quiet:
            say(f"POST {address}/score and {address}/compare (Ctrl-C ends it)")
        serve(create_service(settings, seconds, tokens), settings, listening)


def _tokens(path: str | None, quiet: bool) -> list[str]:
    """The tokens that were given, by a file or the environment."""
    from adjudge.server.tokens import checked_token, read_tokens

    value = os.environ.get(VARIABLE)
    if path is None:
        return [] if value is None else [checked_token(value.strip(), f"${VARIABLE}")]
    if value is not None:
        raise UsageError(f"--token-file and ${VARIABLE}: give one of them")
    tokens = read_tokens(path)
    if os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO) and os.name == "posix":
        warn([f"other users may read the tokens in {path}: chmod 600 {path}"], quiet=quiet)
    return tokens
