"""Commands for the server of campaigns: serve, and how the organiser signs in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._listening import TRUST_PROXY, address_of, checked_site, listening_options, listening_socket
from adjudge.cli._options import keywords, option
from adjudge.cli._run import CommandRun
from adjudge.cli._show import say, show_text
from adjudge.cli.human._store import BASE_URL, BASE_URL_OPTION, DEFAULT_DATABASE, PORT, open_store
from adjudge.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from adjudge.campaigns.store import CampaignStore
    from adjudge.server.settings import ServerSettings


@subcommand(
    "serve",
    "Serve campaigns to annotators' browsers.",
    keywords(facts={"embed_in": {"callback": checked_site}}),
    option("quiet", "No links are printed."),
    *listening_options(PORT),
    TRUST_PROXY,
)
def serve_command(
    run: CommandRun,
    *,
    database: str = DEFAULT_DATABASE,
    host: str,
    port: int,
    base_url: str | None,
    trust_proxy: tuple[str, ...],
    workers: int = 1,
    demo: bool | None = None,
    embed_in: tuple[str, ...] = (),
) -> None:
    """Serve the campaigns of a database to annotators' browsers, until Ctrl-C.

    It listens on this machine only unless --host says otherwise. A one-time link signs the organiser in.
    """
    try:
        from adjudge.server.addresses import is_local
        from adjudge.server.run import run as run_server
        from adjudge.server.settings import ServerSettings
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    if demo is None:  # behind a proxy whoever reaches it is not at this machine
        demo = is_local(host) and base_url is None
    with open_store(database) as store, listening_socket(host, port) as listening:
        if workers > 1 and store.is_sqlite:
            raise UsageError(
                "--workers: several processes need a PostgreSQL database (--database postgresql+psycopg://…)"
            )
        settings = ServerSettings(
            base_url=base_url or address_of(listening, host),
            demo=demo,
            embed_in=embed_in,
            proxies=trust_proxy,
        )
        if not run.quiet:
            _greet(store, settings)
        run_server(store, settings, listening, workers)


def _greet(store: CampaignStore, settings: ServerSettings) -> None:
    from adjudge.campaigns.store import campaigns, people
    from adjudge.display import visible

    stored_campaigns = campaigns.all_campaigns(store)
    say(f"adjudge is at {settings.base_url} (Ctrl-C ends it)")
    if settings.secure and not settings.proxies:
        say(
            "all who come through your proxy count as one for limits on guessing; "
            "--trust-proxy ADDRESS (of the proxy) tells them apart"
        )
    token = people.one_time_link(store)
    show_text(f"organiser, once:  {settings.base_url}/organiser/link/{token}\n")
    for stored in stored_campaigns:
        if settings.demo and stored.campaign.rules.demo:
            link = f"{settings.base_url}/demo/{quote(stored.name)}"
            show_text(f"try {visible(stored.name) + ':':<13} {link}\n")
    sys.stdout.flush()  # it serves for days, and whoever reads this through a pipe waits for the link
    if not stored_campaigns:
        say("there is no campaign yet; make one: adjudge human new FILE")
        return
    moved = "" if settings.base_url == BASE_URL else f"; they begin with {settings.base_url}/a/ here"
    say(f"annotators have the links that `adjudge human new` printed{moved} (new ones: adjudge human links)")


@subcommand(
    "password",
    "Set the organiser's password.",
    keywords(),
    option("password", prompt=True, confirmation_prompt=True, hide_input=True),
)
def password_command(run: CommandRun, *, database: str = DEFAULT_DATABASE, password: str) -> None:
    """Set the password with which the organiser signs in; every organiser is signed out."""
    from adjudge.campaigns.store import people

    with open_store(database, create=True) as store:
        people.set_password(store, password)
    _show.say("the organiser's password is set")


@subcommand("sign-in", "Print a link with which the organiser signs in once.", keywords(), BASE_URL_OPTION)
def sign_in_command(run: CommandRun, *, database: str = DEFAULT_DATABASE, base_url: str) -> None:
    """Print a link with which the organiser signs in once, within a day, at a server of this database.

    It works whatever others try at the server's door, and needs no password.
    """
    from adjudge.campaigns.store import people

    with open_store(database) as store:
        token = people.one_time_link(store)
    click.echo(f"{base_url}/organiser/link/{token}")
