"""Bringing a database up to date, with Alembic; one that is new enough costs two queries."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, text

from adjudge.campaigns.store.connection import VERSION_TABLE, Store
from adjudge.campaigns.store.problems import CAMPAIGNS
from adjudge.campaigns.store.schema import VERSION
from adjudge.database.problems import StoreError, newer_database

FOLDER = Path(__file__).parent / "migrations"


def version(store: Store) -> str | None:
    """The migration that a database has come to, None for an empty one."""
    with store.reading() as connection:
        names = set(inspect(connection).get_table_names())
        if VERSION_TABLE in names:
            return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    if names:
        raise CAMPAIGNS.other_tables(store.name, list(names))
    return None


def upgrade_database(store: Store) -> None:
    """Run the migrations that a database lacks, in one transaction."""
    current = version(store)
    if current == VERSION:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise newer_database(store.name, current)
    if store.read_only:
        raise StoreError(
            f"the database {store.name} was made by an older adjudge and must be brought up to date first, but it may "
            "not be written here: copy it to a folder that may"
        )
    with store.writing() as connection:
        store.alone(connection)  # two servers may start at once; the second finds the work done
        config.attributes["connection"] = connection
        config.attributes["version_table"] = VERSION_TABLE
        command.upgrade(config, "head")
