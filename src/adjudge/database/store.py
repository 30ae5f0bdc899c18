"""An open database, whichever library asks it: its name, its file, its process, and its errors in words."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from adjudge.database import file_locks
from adjudge.database.files import is_writable, prepare_file
from adjudge.database.problems import Purpose, StoreError


class DamagedRow(Exception):
    """Something that was stored cannot be read as it was written; the message says what."""


class OpenDatabase:
    """What stores of campaigns and of histories have in common; a subclass knows how to ask its library."""

    purpose: ClassVar[Purpose]
    version_table: ClassVar[str]
    """It holds the version of the tables, and shows that a database is ours."""

    def __init__(self, name: str, file: Path | None) -> None:
        self.name, self.file = name, file
        """A name without a password, and the file where SQLite has one."""
        self._process = os.getpid()

    @classmethod
    def prepare(cls, file: Path, *, create: bool, writes: bool) -> bool:
        """Refuse a file that cannot be opened, and create a missing one where asked to; whether it can be written."""
        file_locks.check_process(file)
        prepare_file(file, cls.purpose, create=create, writes=writes)
        return is_writable(file)

    @property
    def is_ours(self) -> bool:
        """Whether this process opened it: the copy of a fork belongs to its parent."""
        return self._process == os.getpid()

    @contextmanager
    def access(self) -> Iterator[None]:
        """Ask the database in the process that opened it; what goes wrong is put into words."""
        file_locks.check_opener(self.name, self._process)
        with self.explained():
            yield

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Put errors of the driver into words."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            explained = self.damaged(str(error)) if isinstance(error, DamagedRow) else self.in_words(error)
            if explained is None:
                raise
            raise explained from None

    def in_words(self, error: Exception) -> StoreError | None:
        """The error that an error of the driver stands for; None for one that is not the driver's."""
        raise NotImplementedError

    def damaged(self, reason: str) -> StoreError:
        """The error for a damaged database, with a way out."""
        return self.purpose.damaged(self.name, reason, is_file=self.file is not None)

    def has_version(self, tables: Collection[str]) -> bool:
        """Whether these tables are ours; there are none in a new database, and others' are refused."""
        if tables and self.version_table not in tables:
            raise self.purpose.other_tables(self.name, list(tables))
        return bool(tables)
