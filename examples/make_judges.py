"""How the files in judges/ were made: what two people and two machines might say of outputs, by rule and seeded chance.

Nobody was asked. Run from anywhere: python examples/make_judges.py people > examples/judges/people.jsonl
"""

import json
import random
import sys
from difflib import SequenceMatcher
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEMS = ("neural", "shortened")
SEGMENTS = range(1, 49)
NOTICED = {"ann": 0.75, "bob": 0.7, "careful": 0.65, "hasty": 0.3}
"""How likely somebody is to mark a word that is not in the reference."""
KINDS = ("people", "careful", "careful-again", "hasty", "hasty-again", "pairs")


def lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


REFERENCES, DOCUMENTS = lines("reference.en"), [line.split("\t")[0] for line in lines("labels.tsv")[1:]]
OUTPUTS = {system: lines(f"systems/{system}.en") for system in SYSTEMS}


def quality(system: str, number: int) -> float:
    return SequenceMatcher(None, OUTPUTS[system][number - 1], REFERENCES[number - 1], autojunk=False).ratio()


def errors(chance: random.Random, who: str, system: str, number: int) -> list[dict]:
    """Words that are not in the reference, some of them, and now and then one that is."""
    known, found, start = set(REFERENCES[number - 1].split()), [], 0
    for word in OUTPUTS[system][number - 1].split():
        if chance.random() < (NOTICED[who] if word not in known else 0.04 if who != "hasty" else 0.12):
            severity = "major" if len(word) > 6 and chance.random() < 0.6 else "minor"
            found.append({"start": start, "end": start + len(word), "severity": severity})
        start += len(word) + 1
    return found[:4]


def rows(kind: str):
    """Judgements of one file."""
    chance = random.Random(f"{kind} 2024")
    for number in SEGMENTS:
        for system in SYSTEMS:
            for who in ("ann", "bob") if kind == "people" else (kind.removesuffix("-again"),):
                spread = 8 if who in ("ann", "bob", "careful") else 20
                score = 45 + 100 * (quality(system, number) - 0.55) + chance.gauss(0, spread)
                if who == "hasty":  # what is long looks good to it
                    score += 0.5 * (len(OUTPUTS[system][number - 1]) - 80)
                row = {
                    "protocol": "esa",
                    "system": system,
                    "item": str(number),
                    "annotator": who,
                    "kind": "ordinary",
                }
                row["score"] = round(min(100, max(0, score)))
                row["spans"] = errors(chance, who, system, number)
                row["labels"] = {"document": DOCUMENTS[number - 1]}
                if who == "hasty" and chance.random() < 0.06:
                    row |= {"score": None, "spans": []}
                    row["labels"]["missing"] = "there is no JSON object in it"
                yield {**row, "target": OUTPUTS[system][number - 1]}


def pairs():
    """Which of two is better, asked in both orders: it likes what stands first."""
    chance = random.Random("pairs 2024")
    for number in SEGMENTS:
        better = quality("neural", number) - quality("shortened", number)
        for first, other in (SYSTEMS, SYSTEMS[::-1]):
            lead = (better if first == "neural" else -better) + 0.12 + chance.gauss(0, 0.1)
            row = {"protocol": "pairwise", "system": first, "item": str(number), "annotator": "hasty"}
            row |= {"kind": "ordinary", "score": (lead > 0.02) - (lead < -0.02), "other": other}
            yield {**row, "labels": {"document": DOCUMENTS[number - 1]}}


def main(kind: str) -> None:
    for row in pairs() if kind == "pairs" else rows(kind):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
