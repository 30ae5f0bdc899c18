"""What the commands of a campaign share: where the database is, and how a link is written."""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from adjudge.cli._listening import HOST, checked_site
from adjudge.cli._options import argument, option
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.campaigns.store import CampaignStore
    from adjudge.cli._run import CommandRun

DEFAULT_DATABASE = "adjudge.db"
PORT = 8080
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


BASE_URL_OPTION = option("base_url", "Links begin with it.", default=BASE_URL, callback=checked_site)
"""--base-url, what links begin with."""
NAME_ARGUMENT = argument("name", required=False, default="")


@contextmanager
def open_store(database: str, *, create: bool = False, writes: bool = True) -> Iterator[CampaignStore]:
    """The database, closed at the end: also where Ctrl-C or SIGTERM is the end.

    What only reads says so (`writes=False`), and then also reads a file that may not be written.
    """
    from adjudge.campaigns.store import CampaignStore

    with _sigterm_closes():
        store = CampaignStore.open(database, create=create, writes=writes)
        try:
            if store.is_sqlite and store.file is None:
                raise UsageError(f"--database {database}: nothing would be kept; name a file")
            yield store
        finally:
            store.close()


class _Terminated(BaseException):
    """SIGTERM has come; not an error that anybody but us should catch."""


@contextmanager
def _sigterm_closes() -> Iterator[None]:
    """Leave the block on SIGTERM as on Ctrl-C, then end as the signal would have ended the process."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield  # somebody else decides, or whoever started this process wants the signal ignored
        return

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise _Terminated

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    except _Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def suffix(database: str) -> str:
    """What a next command needs to find the same database."""
    return "" if database == DEFAULT_DATABASE else f" --database {shlex.quote(database)}"


def show_links(run: CommandRun, base_url: str, tokens: Mapping[str, str]) -> None:
    """Annotators and their links: nobody can read them again later."""
    from adjudge.campaigns.campaign_display import LinksDisplay
    from adjudge.report.render.formats import renderer_of

    links = [(who, f"{base_url}/a/{token}") for who, token in tokens.items()]
    run.show(renderer_of(LinksDisplay(links), version=None, ascii_only=False))
