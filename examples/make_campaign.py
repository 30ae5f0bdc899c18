"""Made-up campaigns with people: `make_campaign.py assessment|rankings|edits` writes one of the examples to stdout.

Nobody said any of this. The scores follow a recipe: each system has a quality, each segment is easy or hard, each
annotator is strict or lenient, wide or narrow in the use of the scale, and one of them pays no attention.
"""

import csv
import random
import sys
from pathlib import Path

HERE = Path(__file__).parent
SYSTEMS = {"neural": 74, "neural-fixed": 76, "shortened": 58, "rulebased": 42}
ANNOTATORS = {"ana": (0, 1.0), "bob": (-12, 0.8), "cho": (6, 1.2), "dee": (3, 0.9), "eli": (0, 0.5)}
BORED = "eli"
SEGMENTS = 80


def hardness(segment: int) -> float:
    return random.Random(f"segment {segment}").gauss(0, 10)


def opinion(who: str, system: str, segment: int, damaged: bool, draw: random.Random) -> int:
    shift, width = ANNOTATORS[who]
    quality = SYSTEMS[system] + hardness(segment) - (30 if damaged else 0)
    if who == BORED:
        quality = 65.0
    return max(0, min(100, round(50 + shift + width * (quality + draw.gauss(0, 14) - 50))))


def assessment() -> None:
    """Direct Assessment as Appraise writes it, with damaged translations (BAD) and repeats (CHK)."""
    draw = random.Random("assessment")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["UserID", "SystemID", "SegmentID", "Type", "Score", "StartTime", "EndTime"])
    clock = dict.fromkeys(ANNOTATORS, 1_700_000_000.0)
    for segment in range(1, SEGMENTS + 1):
        for system in draw.sample(list(SYSTEMS), len(SYSTEMS)):
            for who in draw.sample(list(ANNOTATORS), 2):
                kinds = ["TGT"]
                kinds += ["BAD"] if draw.random() < 0.12 else []
                kinds += ["CHK"] if draw.random() < 0.12 else []
                for kind in kinds:
                    score = opinion(who, system, segment, kind == "BAD", draw)
                    start = clock[who] + draw.uniform(1, 4)
                    end = clock[who] = start + (draw.uniform(2, 5) if who == BORED else draw.uniform(8, 40))
                    writer.writerow([who, system, segment, kind, score, f"{start:.1f}", f"{end:.1f}"])


def rankings() -> None:
    """Four systems ranked at once, ties allowed, as WMT wrote it down."""
    draw = random.Random("rankings")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    places = range(1, len(SYSTEMS) + 1)
    names = [f"system{i}{what}" for i in places for what in ("Id", "rank")]
    writer.writerow(["srclang", "trglang", "srcIndex", "segmentId", "judgeId", *names])
    for segment in range(1, SEGMENTS + 1):
        for who in draw.sample([name for name in ANNOTATORS if name != BORED], 2):
            order = draw.sample(list(SYSTEMS), len(SYSTEMS))
            quality = {system: round((SYSTEMS[system] + draw.gauss(0, 14)) / 15) for system in order}
            ranks = {q: place for place, q in enumerate(sorted(set(quality.values()), reverse=True), 1)}
            cells = [cell for system in order for cell in (system, ranks[quality[system]])]
            writer.writerow(["por", "eng", segment, segment, who, *cells])


def edits() -> None:
    """Post-edits of three systems: HTER, seconds and keystrokes."""
    draw = random.Random("edits")
    source = (HERE / "source.pt").read_text(encoding="utf-8").splitlines()
    print("annotator\tsystem\tsegment\thter\tseconds\tkeystrokes\twords")
    for segment in range(1, SEGMENTS + 1):
        words = len(source[segment - 1].split())
        for system in ("neural", "neural-fixed", "rulebased"):
            who = draw.choice([name for name in ANNOTATORS if name != BORED])
            left = max(0.0, (100 - SYSTEMS[system] - hardness(segment) / 2 + draw.gauss(0, 8)) / 100)
            changed = round(words * left) / words
            seconds = words * (0.9 + 5 * changed) * draw.uniform(0.7, 1.4)
            keys = round(6 * words * changed * draw.uniform(0.8, 1.3))
            print(f"{who}\t{system}\t{segment}\t{changed:.3f}\t{seconds:.1f}\t{keys}\t{words}")


if __name__ == "__main__":
    {"assessment": assessment, "rankings": rankings, "edits": edits}[sys.argv[1]]()
