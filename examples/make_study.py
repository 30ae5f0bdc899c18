#!/usr/bin/env python3
"""Make study/ from the other files: a test set for each domain, as if they had been two all along.

    python make_study.py

`shortened` is left out of support, to show what a missing output does. The judgements are those of judgements.tsv, with
the numbers that lines have in their own test set.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
SYSTEMS = {"news": ("neural", "rulebased", "shortened"), "support": ("neural", "rulebased")}
STUDY = """name = "spring"
metrics = ["bleu", "chrf"]

[plan]
unit = "document"

"""
TEST_SET = """[[test_set]]
name = "{name}"
language = "pt-en"
domain = "{name}"
source = "{name}/source.pt"
references = ["{name}/reference.en"]
labels = "{name}/labels.tsv"
systems = ["{name}/systems/*.en"]
judgements = ["{name}/judgements.tsv"]
"""


def main() -> None:
    """Write all of it."""
    head, *labels = _lines("labels.tsv")
    judged_head, *judged = _lines("judgements.tsv")
    columns = judged_head.split("\t")
    segment, system = (columns.index(name) for name in ("segment", "system"))
    for name, systems in SYSTEMS.items():
        chosen = [i for i, line in enumerate(labels) if line.split("\t")[1] == name]
        _write(f"{name}/labels.tsv", [head, *(labels[i] for i in chosen)])
        for file, own in (("source.pt", "source.pt"), ("reference.en", "reference.en")):
            _write(f"{name}/{own}", [_lines(file)[i] for i in chosen])
        for own in systems:
            _write(f"{name}/systems/{own}.en", [_lines(f"systems/{own}.en")[i] for i in chosen])
        numbers = {str(i + 1): str(place + 1) for place, i in enumerate(chosen)}
        rows = []
        for line in judged:
            cells = line.split("\t")
            if cells[segment] in numbers and cells[system] in systems:
                rows.append("\t".join([*cells[:segment], numbers[cells[segment]], *cells[segment + 1 :]]))
        _write(f"{name}/judgements.tsv", [judged_head, *rows])
    text = STUDY + "\n".join(TEST_SET.format(name=name) for name in SYSTEMS)
    (HERE / "study" / "study.toml").write_text(text, encoding="utf-8")


def _lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def _write(name: str, lines: list[str]) -> None:
    path = HERE / "study" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
