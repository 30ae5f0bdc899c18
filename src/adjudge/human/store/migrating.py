"""Bringing a database up to date, with Alembic; one that is new enough costs a single query."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, text

from adjudge.human.store.connection import Store, StoreError
from adjudge.human.store.schema import VERSION

FOLDER = Path(__file__).parent / "migrations"


def version(store: Store) -> str | None:
    """The migration that a database has come to, None for an empty one."""
    with store.reading() as connection:
        names = set(inspect(connection).get_table_names())
        if "alembic_version" not in names:
            if names:
                raise StoreError(
                    f"the database {store.engine.url.render_as_string()} holds other tables "
                    f"({', '.join(sorted(names)[:3])}, …); give campaigns one of their own"
                )
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def up_to_date(store: Store) -> None:
    """Run the migrations that a database lacks, in one transaction."""
    found = version(store)
    if found == VERSION:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    known = {one.revision for one in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreError(
            f"the database {store.engine.url.render_as_string()} was made by a newer adjudge (its version {found} is "
            "not known here): pip install --upgrade adjudge"
        )
    with store.writing() as connection:
        if store.engine.dialect.name == "postgresql":  # two servers may start at once
            connection.execute(text("SELECT pg_advisory_xact_lock(20261116)"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
