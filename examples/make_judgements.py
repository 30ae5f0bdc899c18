"""How judgements.tsv was made: plausible scores of 0 to 100 for the example systems, by rule and seeded chance.

Nobody was asked. Run from anywhere: python examples/make_judgements.py > examples/judgements.tsv
"""

import random
import sys
from difflib import SequenceMatcher
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEMS = ("neural", "neural-fixed", "rulebased", "shortened")
ANNOTATORS = {"ann": (0, 1.0), "bob": (-6, 0.8), "eve": (4, 1.1)}
"""Who, how much stricter or kinder than others, and how much of the scale they use."""


def lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def main() -> None:
    chance = random.Random(2024)
    references = lines("reference.en")
    outputs = {system: lines(f"systems/{system}.en") for system in SYSTEMS}
    documents = [line.split("\t")[0] for line in lines("labels.tsv")[1:]]
    sys.stdout.write("system\tsegment\tscore\tannotator\tdocument\n")
    for number, reference in enumerate(references, 1):
        annotator = sorted(ANNOTATORS)[number % len(ANNOTATORS)]
        offset, width = ANNOTATORS[annotator]
        for system in SYSTEMS:
            alike = SequenceMatcher(None, outputs[system][number - 1], reference, autojunk=False).ratio()
            score = 50 + width * (110 * (alike - 0.6) + chance.gauss(0, 14)) + offset
            row = (system, number, round(min(100, max(0, score))), annotator, documents[number - 1])
            sys.stdout.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
