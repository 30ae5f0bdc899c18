"""Rows in files: all of them or a message, also where the disk is full."""

import resource

import numpy as np
import pytest

from adjudge.data import Outputs
from adjudge.engine.spilling import RowFile, SpilledRows
from adjudge.errors import DataError
from adjudge.metrics import metric

ROWS = np.arange(1000.0).reshape(100, 10)


class Chunk:
    """What has come back for one output by one metric."""

    packed = ((0, 0),)
    segments = 100

    def rows(self, metric, output):
        return ROWS


@pytest.fixture
def full_disk():
    """A limit for the size of files, as a disk has it; Python ignores the signal that comes with it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_rows_come_back_chunk_after_chunk():
    spilled = SpilledRows()
    spilled.add(Chunk())
    spilled.add(Chunk())
    rows = spilled.rows()[0, 0]
    spilled.close()
    np.testing.assert_array_equal(rows, np.concatenate([ROWS, ROWS]))


def test_no_row_is_lost_without_a_word(full_disk):
    spilled = SpilledRows()
    full_disk(7040)
    with pytest.raises(DataError, match=r"temporary files in .*; TMPDIR names another folder"):
        spilled.add(Chunk())
    spilled.close()


def test_a_parquet_file_that_finds_no_room_leaves_nothing_behind(full_disk, tmp_path):
    pytest.importorskip("pyarrow")
    chosen, outputs = [metric("bleu")], [Outputs("mine", ("a",) * 100)]
    with RowFile(str(tmp_path / "whole.parquet"), chosen, outputs) as file:
        file.write(Chunk())
    size = (tmp_path / "whole.parquet").stat().st_size
    full_disk(size - 50)
    with (
        pytest.raises(DataError, match=r"cannot write .*rows\.parquet"),
        RowFile(str(tmp_path / "rows.parquet"), chosen, outputs) as file,
    ):
        file.write(Chunk())
    assert [path.name for path in tmp_path.iterdir()] == ["whole.parquet"]
