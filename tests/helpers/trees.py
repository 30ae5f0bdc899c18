"""Trees that hypothesis draws, and KeLP's files."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from adjudge.data.trees import ROOT, NodeKind, Tree


@st.composite
def trees(draw: st.DrawFn, labels: st.SearchStrategy[tuple[NodeKind, str]], size: int = 8) -> Tree:
    """Trees of up to so many nodes, none included, with any number of roots and parents before or after children."""
    nodes = draw(st.lists(labels, max_size=size))
    order = draw(st.permutations(range(len(nodes))))
    parents = [ROOT] * len(nodes)
    for place, node in enumerate(order):
        above = draw(st.integers(-1, place - 1))
        parents[node] = ROOT if above < 0 else order[above]
    return Tree(tuple(label for _, label in nodes), tuple(parents), tuple(kind for kind, _ in nodes))


def kelp_rows(folder: Path, name: str, *, header: bool = True) -> list[list[str]]:
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[header:]]


def kelp_vectors(folder: Path, name: str) -> dict[str, np.ndarray]:
    rows = (row[0].split(" ") for row in kelp_rows(folder, name))
    return {word: np.array(numbers, np.float64) for word, *numbers in rows}


def kelp_words(text: str) -> list[str]:
    """The words of a sequence as KeLP writes it: `(the)(cat)`."""
    return text[1:-1].split(")(") if text else []
