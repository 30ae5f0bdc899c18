"""Let others take hits whose workers went away."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened
from adjudge.errors import UsageError
from adjudge.wording import are, counted


@click.command("release", short_help="Let others take hits whose workers went away.")
@click.argument("name")
@click.argument("hits", nargs=-1, metavar="[HIT]...")
@_options.keywords()
def command(
    *,
    name: str,
    hits: tuple[str, ...],
    idle: int | None = None,
    database: str = DEFAULT_DATABASE,
    quiet: bool = False,
) -> None:
    """Let other workers take HITs of the campaign NAME; answers that were given stay and count."""
    from adjudge.campaigns.store import campaigns, hit_owners
    from adjudge.campaigns.store.problems import StoreError

    if not hits and idle is None:
        raise UsageError("nothing is to be released: name hits, or give --idle HOURS")
    with opened(database) as store:
        stored = campaigns.find(store, name)
        if idle is not None:
            hits = (*hits, *hit_owners.abandoned_hits(store, stored, idle * 3600.0))
        freed = [hit for hit in dict.fromkeys(hits) if hit_owners.release_hit(store, stored, hit)]
        missing = [hit for hit in hits if hit not in freed]
    if missing:
        raise StoreError(f"no hit {missing[0]!r} of {stored.name!r} is in anybody's hands")
    if not quiet:
        _show.say(
            f"{counted(len(freed), 'hit')} {are(len(freed))} free again{': ' if freed else ''}{', '.join(freed)}"
        )
