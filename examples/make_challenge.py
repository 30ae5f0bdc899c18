"""How challenge.tsv was made: errors planted into neural.en by rule, at most 40 of each kind.

Run from anywhere: python examples/make_challenge.py > examples/challenge.tsv
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOST = 40
SEVERITY = {
    "number": "critical",
    "negation": "critical",
    "omission": "major",
    "repeat": "minor",
    "punctuation": "minor",
}


def lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def number(text: str) -> str:
    """The first digit is another one."""
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + 4) % 9 + 1), text, count=1)


def negation(text: str) -> str:
    """What is, is not; what is not, is."""
    if " not " in text:
        return text.replace(" not ", " ", 1)
    return re.sub(r" (is|was|are|were|will|can|has|had) ", r" \1 not ", text, count=1)


def omission(text: str) -> str:
    """The last third of the words is gone."""
    words = text.split(" ")
    return " ".join(words[: -(len(words) // 3)]) + "." if len(words) > 5 else text


def repeat(text: str) -> str:
    """The fourth word stands there twice."""
    words = text.split(" ")
    return " ".join([*words[:4], *words[3:]]) if len(words) > 4 else text


def punctuation(text: str) -> str:
    """No full stop."""
    return text.removesuffix(".")


def main() -> None:
    columns = zip(lines("source.pt"), lines("reference.en"), lines("systems/neural.en"), strict=True)
    items = list(columns)
    sys.stdout.write("source\treference\tgood\tbad\tphenomenon\tseverity\n")
    for plant in (number, negation, omission, repeat, punctuation):
        name = plant.__name__
        rows = [(*item, plant(item[2]), name, SEVERITY[name]) for item in items]
        for row in [row for row in rows if row[2] != row[3]][:MOST]:
            sys.stdout.write("\t".join(row) + "\n")


if __name__ == "__main__":
    main()
