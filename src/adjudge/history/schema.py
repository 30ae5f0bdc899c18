"""The tables of a history, version by version: a database of an older one is brought up to date when it is opened."""

from __future__ import annotations

VERSION = 2
VERSION_TABLE = "history_version"

_TABLES = {
    1: (
        "CREATE TABLE {version_table} (number INTEGER PRIMARY KEY)",
        # What a list shows stands in columns; whatever else is known of an evaluation is in its document.
        "CREATE TABLE contents (hash TEXT PRIMARY KEY, data {bytes} NOT NULL)",
        """CREATE TABLE records (
            id {key},
            made DOUBLE PRECISION NOT NULL,
            command TEXT NOT NULL,
            label TEXT,
            revision TEXT,
            branch TEXT,
            changed INTEGER,
            version TEXT NOT NULL,
            study TEXT NOT NULL,
            document TEXT NOT NULL REFERENCES contents (hash),
            labels TEXT REFERENCES contents (hash)
        )""",
        """CREATE TABLE scores (
            record BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            test_set TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            segments INTEGER NOT NULL,
            level TEXT NOT NULL,
            system TEXT NOT NULL,
            run TEXT,
            metric TEXT NOT NULL,
            signature TEXT NOT NULL,
            score DOUBLE PRECISION,
            low DOUBLE PRECISION,
            high DOUBLE PRECISION,
            higher_is_better INTEGER,
            by_metric INTEGER NOT NULL,
            PRIMARY KEY (record, place)
        )""",
        """CREATE TABLE row_sets (
            record BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            test_set TEXT NOT NULL,
            system TEXT NOT NULL,
            run TEXT NOT NULL,
            metric TEXT NOT NULL,
            columns INTEGER NOT NULL,
            segments INTEGER NOT NULL,
            content TEXT NOT NULL REFERENCES contents (hash),
            PRIMARY KEY (record, place)
        )""",
        "CREATE INDEX row_sets_content ON row_sets (content)",
        "CREATE INDEX records_document ON records (document)",
        "CREATE INDEX records_labels ON records (labels)",
    ),
    2: (
        # NULL in records of version 1, which have none.
        "ALTER TABLE records ADD COLUMN checksum TEXT",
        """CREATE TABLE looks (
            baseline TEXT NOT NULL,
            question TEXT NOT NULL,
            number INTEGER NOT NULL,
            checksum TEXT NOT NULL,
            PRIMARY KEY (baseline, question)
        )""",
    ),
}


def statements(number: int, *, sqlite: bool) -> list[str]:
    """What makes a database of the version before one of this version."""
    words = {
        "version_table": VERSION_TABLE,
        "bytes": "BLOB" if sqlite else "BYTEA",
        # A number is never given twice, also where the last record was deleted.
        "key": "INTEGER PRIMARY KEY AUTOINCREMENT"
        if sqlite
        else "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    }
    made = [statement.format(**words) for statement in _TABLES[number]]
    return [*made, f"INSERT INTO {VERSION_TABLE} (number) VALUES ({number})"]
