"""Studies on a disk: test sets of made words, with outputs that keep some share of them."""

from pathlib import Path

import numpy as np

WORDS = np.array(["sun", "moon", "star", "sky", "sea", "land", "wind", "rain", "snow", "fire", "ash", "oak"])


def write_lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_output(folder: Path, name: str, system: str, share: float, seed: int = 7) -> None:
    """An output that has this share of the reference's words."""
    rng = np.random.default_rng(seed)
    references = (folder / name / "reference.en").read_text().splitlines()
    kept = [" ".join(w if rng.random() < share else "x" for w in line.split()) for line in references]
    write_lines(folder / name / "systems" / f"{system}.en", kept)


def write_study(
    folder: Path, sets: dict[str, dict[str, float]], segments: int = 30, *, head: str = ""
) -> Path:
    """A study of these test sets, by the shares that each system keeps in it."""
    parts = ['name = "made"', 'metrics = ["chrf"]', head, ""]
    for place, (name, shares) in enumerate(sets.items()):
        rng = np.random.default_rng(place)
        references = [" ".join(rng.choice(WORDS, 8)) for _ in range(segments)]
        write_lines(folder / name / "reference.en", references)
        write_lines(folder / name / "labels.tsv", ["document", *(f"d{i // 3}" for i in range(segments))])
        for number, (system, share) in enumerate(shares.items()):
            write_output(folder, name, system, share, 100 * place + number)
        parts += [
            "[[test_set]]",
            f'name = "{name}"',
            'language = "de-en"',
            f'references = ["{name}/reference.en"]',
        ]
        parts += [f'labels = "{name}/labels.tsv"', f'systems = ["{name}/systems/*.en"]', ""]
    path = folder / "study.toml"
    path.write_text("\n".join(parts), encoding="utf-8")
    return path
