"""How answers.tsv was made: whether a reader of a translation answered a question about it, by rule and seeded chance.

Nobody was asked. Run from anywhere: python examples/make_answers.py > examples/answers.tsv
"""

import random
import sys
from difflib import SequenceMatcher
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEMS = ("neural", "neural-fixed", "rulebased", "shortened")
SEGMENTS = 60


def lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()[:SEGMENTS]


def main() -> None:
    chance = random.Random(2025)
    source, reference = lines("source.pt"), lines("reference.en")
    sys.stdout.write("system\tsegment\tright\tseconds\tsource\treference\toutput\n")
    for system in SYSTEMS:
        for number, output in enumerate(lines(f"systems/{system}.en"), 1):
            alike = SequenceMatcher(None, output, reference[number - 1], autojunk=False).ratio()
            right = int(chance.random() < 0.2 + 0.75 * alike)
            seconds = round(8 + 20 * (1 - alike) + chance.expovariate(0.3))
            row = (system, number, right, seconds, source[number - 1], reference[number - 1], output)
            sys.stdout.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
