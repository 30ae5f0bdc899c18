"""Databases of other versions: brought up to date, or left alone."""

import pytest
from sqlalchemy import inspect, text

from adjudge.campaigns.store import Store, StoreError, Unavailable, campaigns
from adjudge.campaigns.store.schema import VERSION, metadata
from adjudge.campaigns.store.upgrade import version
from helpers import stored


def test_a_new_database_is_up_to_date_and_stays_so(database):
    for _ in range(2):
        store = Store.open(database)
        assert version(store) == VERSION
        assert campaigns.all_campaigns(store) == []
        store.close()


def test_migrations_make_the_tables_that_the_code_knows(store):
    with store.reading() as connection:
        result = inspect(connection)
        assert set(result.get_table_names()) == {*metadata.tables, "adjudge_version"}
        for table in metadata.tables.values():
            columns = {column["name"]: column["nullable"] for column in result.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}
            indexes = {
                index["name"]: index["column_names"]
                for index in result.get_indexes(table.name)
                if not index["unique"]
            }
            assert indexes == {index.name: [c.name for c in index.columns] for index in table.indexes}
            unique = {
                tuple(constraint["column_names"]) for constraint in result.get_unique_constraints(table.name)
            }
            wanted = [
                constraint
                for constraint in table.constraints
                if type(constraint).__name__ == "UniqueConstraint"
            ]
            assert unique == {tuple(c.name for c in entry.columns) for entry in wanted}


def test_migrations_leave_nothing_to_alembic(store):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with store.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "adjudge_version"})
        assert compare_metadata(context, metadata) == []


def test_a_database_of_a_newer_version(database):
    store = Store.open(database)
    with store.writing() as connection:
        connection.execute(text("UPDATE adjudge_version SET version_num = '9999'"))
    store.close()
    try:
        with pytest.raises(StoreError, match=r"made by a newer adjudge .its version 9999 is not known here"):
            Store.open(database)
    finally:
        store = Store(store.engine)
        with store.writing() as connection:
            connection.execute(text(f"UPDATE adjudge_version SET version_num = '{VERSION}'"))
        store.close()


@pytest.mark.parametrize("table", ["alembic_version", "customers"])
def test_a_database_of_another_program_is_left_alone(empty, table):
    from sqlalchemy import create_engine

    engine = create_engine(empty)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {table} (version_num VARCHAR(32))"))
    with pytest.raises(StoreError, match=f"holds other tables .{table}.; give campaigns one of their own"):
        Store.open(empty)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == [table]
    engine.dispose()


def test_a_table_that_was_lost(empty):
    store = Store.open(empty)
    with store.writing() as connection:
        connection.execute(text("DROP TABLE actions"))
    with pytest.raises(StoreError, match="is damaged or is no database of campaigns") as caught:
        campaigns.add(store, *stored.made())
    assert not isinstance(caught.value, Unavailable)
    store.close()
