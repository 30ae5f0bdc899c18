"""The experiment of Duma & Menzel (2017) on texts of WMT: r of every variant of TSKM between systems, and its rivals.

    .venv/bin/python bench/tskm.py PAIR [--shared ../shared] [--translator COMMAND] [--segments N]

PAIR is is-en (WMT21, ten systems), de-en (WMT17, eleven) or zh-en (WMT17, sixteen); people scored by direct assessment.
Lays the texts and people's scores out as `adjudge meta` reads them, prints its command and runs it, with the English
parser beside the data. What was parsed and translated is kept in the user's cache (ADJUDGE_CACHE).
"""

import argparse
import html
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def wmt21(shared: Path) -> Iterator[tuple[str, str]]:
    """Files of is-en by their names."""
    source = shared / "data/01_wmt21_da_toen/is-en"
    yield "src.is", (source / "src.is").read_text(encoding="utf-8")
    yield "ref.A.en", (source / "ref.A.en").read_text(encoding="utf-8")
    scores = [line.split() for line in lines(source / "human/sys-scores.csv")[1:]]
    names = {row[3].rsplit(".", 1)[0]: row[1] for row in scores}
    for file in sorted((source / "hyp").iterdir()):
        yield f"hyp/{file.name}", file.read_text(encoding="utf-8")
    yield "human/da.sys.score", "".join(f"{name}\t{score}\n" for name, score in sorted(names.items()))


def wmt17(shared: Path, pair: str) -> Iterator[tuple[str, str]]:
    """Files of de-en or zh-en by their names; these texts are tokenized, with entities of XML."""
    source = shared / "data/04_wmt17_da_seg_toen" / pair
    yield "ref.A.en", html.unescape((source / "ref.en").read_text(encoding="utf-8"))
    files = sorted((source / "hyp").iterdir())
    scores = [line.split() for line in lines(source / "human/DA-syslevel.csv")[1:]]
    for _, _, system in scores:
        file = next(file for file in files if system in file.name)
        yield f"hyp/{system}.en", html.unescape(file.read_text(encoding="utf-8"))
    yield "human/da.sys.score", "".join(f"{name}\t{score}\n" for _, score, name in scores)


def laid_out(folder: Path, pair: str, shared: Path, number: int) -> None:
    """A folder as `adjudge meta` reads it, with the first segments or all; nobody's scores of segments are in it."""
    segments = 0
    for name, text in wmt21(shared) if pair == "is-en" else wmt17(shared, pair):
        file = folder / pair / name
        file.parent.mkdir(parents=True, exist_ok=True)
        rows = text.removesuffix("\n").split("\n")
        if not name.startswith("human"):
            rows = rows[: number or None]
            segments = len(rows)
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    scores = folder / pair / "human" / "da.sys.score"
    unknown = "".join(f"{row.split()[0]}\tNone\n" * segments for row in lines(scores))
    (folder / pair / "human" / "da.seg.score").write_text(unknown, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pair", choices=["is-en", "de-en", "zh-en"])
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--translator", help="a program from the source's language into English")
    parser.add_argument("--segments", type=int, default=0, help="the first so many; 0 for all")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        laid_out(Path(place), given.pair, given.shared, given.segments)
        spec = f"tskm(parser={given.shared / 'models/en_ewt'})"
        command = ["meta", place, "-l", given.pair, "--gold", "da", "--tskm", "-m", spec]
        command += ["--translator", given.translator] if given.translator else []
        print("adjudge " + shlex.join(command).replace(place, "FOLDER"), flush=True)
        subprocess.run([sys.executable, "-m", "adjudge", *command], check=True)


if __name__ == "__main__":
    main()
