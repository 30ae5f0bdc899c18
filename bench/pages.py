"""Tables of simulations in pages of the documentation: who asks for few simulations sees them, and changes no page.

Each script takes `[SIMULATIONS] [--write]`: without a number it makes all of them and writes its tables, with fewer
only where `--write` says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


@dataclass(frozen=True)
class Order:
    """What a script was asked for on its command line."""

    simulations: int
    writes: bool


def order(usual: int, arguments: Sequence[str] | None = None) -> Order:
    """How many simulations are asked for, and whether their tables go into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("simulations", nargs="?", type=int, default=usual, help=f"{usual:,} unless given")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/ also of fewer")
    asked = parser.parse_args(arguments)
    if asked.simulations < 1:
        parser.error("at least one simulation is needed")
    return Order(asked.simulations, asked.write or asked.simulations >= usual)


def write(tables: Mapping[str, Sequence[str]], *pages: str, folder: Path = DOCS) -> None:
    """Put each table between the marks of its place, on whichever of the pages has them."""
    for page in (folder / name for name in pages):
        text = page.read_text(encoding="utf-8")
        for name, lines in tables.items():
            if f"<!-- {name} -->" in text:
                head, _, rest = text.partition(f"<!-- {name} -->")
                tail = rest.partition(f"<!-- /{name} -->")[2]
                text = "\n".join([f"{head}<!-- {name} -->", *lines, f"<!-- /{name} -->"]) + tail
        page.write_text(text, encoding="utf-8")


def publish(tables: Mapping[str, Sequence[str]], asked: Order, *pages: str, folder: Path = DOCS) -> None:
    """Write the tables if that was asked for; else say how to."""
    if asked.writes:
        write(tables, *pages, folder=folder)
        return
    print(f"of {asked.simulations:,} simulations, in no page: --write puts the tables into docs/")
