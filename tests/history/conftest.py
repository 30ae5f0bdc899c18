"""An open history, once of each kind of database."""

import pytest

from adjudge.history.records import History


@pytest.fixture
def history(empty):
    with History.open(empty, create=True) as opened:
        yield opened


@pytest.fixture
def file(tmp_path):
    """The path of a history that is yet to be made."""
    return str(tmp_path / "history.db")
