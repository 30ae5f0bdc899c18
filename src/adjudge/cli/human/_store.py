"""What the commands of a campaign share: where the database is, and how a link is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.human.store import Store

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_DATABASE = "adjudge.db"
HOST, PORT = "127.0.0.1", 8080
BASE_URL = f"http://{HOST}:{PORT}"
KINDS = {
    "jsonl": "jsonl",
    "appraise-jsonl": "jsonl",
    "pearmut": "jsonl",
    "pearmut-progress": "json",
    "csv": "csv",
    "appraise": "csv",
    "appraise-short": "csv",
    "rankings": "csv",
    "rankings-wide": "csv",
    "choices": "csv",
    "wmt-da": "tsv",
    "mqm": "tsv",
    "mqm-scores": "tsv",
    "mtme-seg": "tsv",
    "mtme-sys": "tsv",
    "mtme-domain": "tsv",
    "mtme-rating": "tsv",
}
"""What files of judgements are, by their formats."""


def database_option(command: Command) -> Command:
    """--database, for all of them alike."""
    return click.option(
        "-d",
        "--database",
        metavar="URL",
        default=DEFAULT_DATABASE,
        show_default=True,
        help="A file of SQLite, or postgresql+psycopg://USER@HOST/NAME.",
    )(command)


def base_url_option(command: Command) -> Command:
    """--base-url, what links begin with."""
    return click.option(
        "--base-url",
        metavar="URL",
        default=BASE_URL,
        show_default=True,
        callback=checked_site,
        help="How annotators reach the server.",
    )(command)


def checked_site(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Addresses of sites, without a slash at their end; UsageError where one is none."""
    from adjudge.server.addresses import site

    if value is None:
        return None
    checked = []
    for one in (value,) if isinstance(value, str) else value:
        try:
            checked.append(site(one))
        except ValueError as error:
            raise UsageError(
                f"{parameter.opts[0]} {one!r}: {error}; write http://HOST or https://HOST (or with :PORT)"
            ) from None
    return checked[0] if isinstance(value, str) else tuple(checked)


name_argument = click.argument("name", required=False, default="")


@contextmanager
def opened(database: str, *, create: bool = False) -> Iterator[Store]:
    """The database, closed at the end."""
    from adjudge.human.store import Store

    url = database if "://" in database else f"sqlite:///{database}"
    store = Store.open(url, create=create)
    try:
        yield store
    finally:
        store.close()


def suffix(database: str) -> str:
    """What a next command needs to find the same database."""
    return "" if database == DEFAULT_DATABASE else f" --database {database}"


def show_links(links: Sequence[tuple[str, str]], form: str) -> None:
    """Annotators and their links: nobody can read them again later."""
    from adjudge.cli import _show
    from adjudge.report import campaign

    if form == "json":
        _show.show_text(campaign.links_json(links))
    elif form == "tsv":
        _show.show_text(campaign.links_tsv(links))
    else:
        # A link is to be copied whole, so no width of a screen breaks it.
        _show.show_lines(lambda width, rule: campaign.links_text(links))
