"""How long does it take to read judgements?

python bench/judgements.py [ROWS]     seconds of the processor for a million rows, beside Python's own csv.DictReader
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
import time
from pathlib import Path

from adjudge.io.judgements import read

NAMES = ("system", "segment", "annotator", "score", "type", "document", "start", "end")
KINDS = ("TGT",) * 7 + ("CHK", "BAD", "REF")


def write(folder: Path, rows: int) -> list[Path]:
    """The same judgements as TSV, CSV and CSV with quotes; no two are of the same translation by one annotator."""
    draw = random.Random(1)
    files = [folder / name for name in ("table.tsv", "table.csv", "quoted.csv")]
    with files[0].open("w") as tsv, files[1].open("w") as comma, files[2].open("w") as quoted:
        writers = (
            csv.writer(tsv, delimiter="\t"),
            csv.writer(comma),
            csv.writer(quoted, quoting=csv.QUOTE_ALL),
        )
        for writer in writers:
            writer.writerow(NAMES)
        start = 1.7e9
        for number in range(rows):
            segment = number // 20 % 5000
            start += draw.random() * 5
            row = (
                f"system{number % 20}",
                segment,
                f"annotator{number // 100_000}{draw.randrange(200):03}",
                draw.randrange(101),
                draw.choice(KINDS),
                f"document{segment // 20}",
                f"{start:.3f}",
                f"{start + 20:.3f}",
            )
            for writer in writers:
                writer.writerow(row)
    return files


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for file in write(Path(folder), rows):
            begin = time.process_time()
            loaded = read([str(file)])
            own = time.process_time() - begin
            begin = time.process_time()
            with file.open(newline="") as text:
                plain = list(csv.DictReader(text, delimiter="\t" if file.suffix == ".tsv" else ","))
            peer = time.process_time() - begin
            assert len(plain) == rows
            print(
                f"{file.name}: {len(loaded.judgements):,} judgements in {own:.2f} s; csv.DictReader {peer:.2f} s, "
                f"ratio {peer / own:.2f}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
