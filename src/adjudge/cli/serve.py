"""Score and compare over HTTP, with the JSON of the command line."""

from __future__ import annotations

import os
import stat

from adjudge.cli._command import subcommand
from adjudge.cli._listening import TRUST_PROXY, address_of, listening_options, listening_socket
from adjudge.cli._options import keywords
from adjudge.cli._run import CommandRun
from adjudge.cli._show import say, warn
from adjudge.errors import MissingExtraError, UsageError

VARIABLE = "ADJUDGE_SERVE_TOKEN"


@subcommand(
    "serve",
    "Score and compare over HTTP, with the JSON of the command line.",
    *listening_options(8082),
    keywords(time_limit="A request."),
    "quiet",
    TRUST_PROXY,
)
def command(
    run: CommandRun,
    *,
    host: str,
    port: int,
    base_url: str | None,
    time_limit: float = 60.0,
    token_file: str | None = None,
    trust_proxy: tuple[str, ...],
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
        from adjudge.server.service import LARGEST_BODY, Tokens, create_service
        from adjudge.server.settings import ServerSettings
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    tokens = Tokens(_tokens(token_file, run.quiet))
    if not tokens and not is_local(host):
        warn(["whoever reaches it is answered: --token-file FILE asks for a token"], quiet=run.quiet)
    with listening_socket(host, port) as listening:
        address = base_url or address_of(listening, host)
        settings = ServerSettings(base_url=address, largest_body=LARGEST_BODY, proxies=trust_proxy)
        if not run.quiet:
            say(f"POST {address}/score and {address}/compare (Ctrl-C ends it)")
        serve(create_service(settings, time_limit, tokens), settings, listening)


def _tokens(path: str | None, quiet: bool) -> list[str]:
    """The tokens that were given, by a file or the environment."""
    from adjudge.server.service import checked_token, read_tokens

    value = os.environ.get(VARIABLE)
    if path is None:
        return [] if value is None else [checked_token(value.strip(), f"${VARIABLE}")]
    if value is not None:
        raise UsageError(f"--token-file and ${VARIABLE}: give one of them")
    tokens = read_tokens(path)
    if os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO) and os.name == "posix":
        warn([f"other users may read the tokens in {path}: chmod 600 {path}"], quiet=quiet)
    return tokens
