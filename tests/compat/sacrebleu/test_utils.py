"""Files are read and written as sacreBLEU does it."""

from __future__ import annotations

from pathlib import Path

import adjudge.compat.sacrebleu as ours


def test_smart_open_reads_what_it_writes(tmp_path: Path) -> None:
    for name in ("plain", "packed.gz"):
        with ours.smart_open(str(tmp_path / name), "wt") as file:
            file.write("é\r\u2028\n")
        with ours.smart_open(str(tmp_path / name)) as file:
            assert list(file) == ["é\r\u2028\n"]
