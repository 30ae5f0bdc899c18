"""Counts how often each kind of sentence is false: evaluations drawn under designs that people have, run as commands.

Texts are real outputs of two systems that change places by a coin, so that neither is better; the coin is thrown for
whole documents, or for segments. Judgements are real scores of segments that change places in the same way, with
annotators who are severe and have tastes of their own. What `compare`, `gate`, `human analyse` and `report` say of them
is read as a user reads it. Without the shared data the texts are those of examples/.

python bench/sentences.py [EVALUATIONS] [--write]     25 minutes of the processor; 40 evaluations a design take three
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", PROJECT.parent / "shared"))
EVALUATIONS = 400
PAGES = 160
"""Evaluations a design of which pages are made as well."""
CLOSE = 0.06
MARGIN = 8.0
"""Of judgements on a scale of 100: at this true difference, systems may be called the same in 5 %."""
FAST = ("--trials", "2000", "--resamples", "200")


@dataclass(frozen=True)
class Material:
    """Two systems on one test set, with documents and scores that people gave."""

    reference: Sequence[str]
    systems: tuple[Sequence[str], Sequence[str]]
    documents: Sequence[str]
    scores: np.ndarray
    """Two systems × items, 0 to 100."""


def material() -> Material:
    """WMT23's English–German texts and ESA scores; else the examples, with scores that are drawn."""
    folder = SHARED / "data" / "03_wmt23_mqm_esa" / "en-de"
    if not folder.is_dir():
        own = PROJECT / "examples"
        texts = [_lines(own / name) for name in ("reference.en", "systems/neural.en", "systems/rulebased.en")]
        documents = [row.split("\t")[0] for row in _lines(own / "labels.tsv")[1:]]
        scores = np.clip(np.random.default_rng(0).normal(70, 18, (2, 200)), 0, 100)
        return Material(texts[0], (texts[1], texts[2]), documents, scores)
    names = ("ref.refA.de", "hyp/ONLINE-A.de", "hyp/ONLINE-B.de")
    reference, first, second = (_lines(folder / name) for name in names)
    documents = [row.split("\t")[1] for row in _lines(folder / "docs.domain_docid.tsv")]
    mqm: dict[str, list[float]] = {}
    for row in _lines(folder / "human" / "mqm.seg.score"):
        system, score = row.split("\t")
        mqm.setdefault(system, []).append(math.nan if score == "None" else float(score))
    both = np.array([mqm["ONLINE-A"], mqm["ONLINE-B"]])
    scores = 100 + 4 * both[:, ~np.isnan(both).any(0)]  # skewed, with a ceiling, as people's scores are
    return Material(reference, (first, second), documents, np.clip(scores, 0, 100))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True)
class Said:
    """What one evaluation says that could be false, and the designs' own words."""

    better: bool | None = None
    """Whether anywhere one of two equal systems is called better; None where they are not equal."""
    same: bool | None = None
    """Whether systems that differ by the margin are called the same within it; None where that was not asked."""
    misses: bool | None = None
    """Whether the interval of the difference leaves out the true one; None where there is no interval."""
    drop: bool | None = None
    """Whether a gate stops the second system for being worse than the first; None where no gate was asked."""
    page: bool | None = None
    """Whether a page names a winner; None where no page was made, or where one system is the better one."""


Drawn = Callable[[Material, np.random.Generator, Path, bool], Said]


def run(*arguments: object, codes: Sequence[int] = (0,)) -> str:
    """What a command prints; it may end with one of these exit codes."""
    from adjudge.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    if code not in codes:
        raise SystemExit(f"{arguments}: exit {code}\n{err.getvalue()}")
    return out.getvalue()


BETTER = re.compile(r"\b(?:is|are) (?:better|worse) than\b|\bis preferred to\b|\bwins\b")


def claimed(sentences: Sequence[str]) -> bool:
    """Whether some sentence says that a system is better or worse."""
    return any(BETTER.search(sentence) for sentence in sentences)


def _tells_apart(sentences: Sequence[str]) -> bool:
    """Whether some sentence says of A and B that one is better, and not only in the opinion of one or two people."""
    apart = re.compile(r"\b(?:A is (?:better|worse) than B|B is (?:better|worse) than A)\b")
    return any(apart.search(sentence) and "opinion" not in sentence for sentence in sentences)


@dataclass(frozen=True)
class Texts:
    """Segments of real texts, whose two systems change places segment by segment or document by document."""

    segments: int
    by_document: bool = False
    repeats: int = 1

    def __call__(self, own: Material, rng: np.random.Generator, folder: Path, pages: bool) -> Said:
        """Draw, write files, compare, and read what is said."""
        chosen = self._chosen(own, rng)
        documents = [own.documents[i] for i in chosen]
        coins = {name: rng.random() < 0.5 for name in own.documents}
        swap = [coins[name] if self.by_document else rng.random() < 0.5 for name in documents]
        if self.repeats > 1:  # the same text is translated in the same way
            first = dict(zip(chosen, swap, strict=True))
            swap = [first[i] for i in chosen]
        _write(folder / "ref.txt", [own.reference[i] for i in chosen])
        for place, name in enumerate("AB"):
            texts = [own.systems[place ^ bool(s)][i] for i, s in zip(chosen, swap, strict=True)]
            _write(folder / f"{name}.txt", texts)
        given = ["-r", folder / "ref.txt", "-m", "chrf"]
        if self.by_document:
            _write(folder / "labels.tsv", ["document", *documents])
            given += ["-L", folder / "labels.tsv"]
        files = [*given, folder / "A.txt", folder / "B.txt", *FAST]
        document = json.loads(run("compare", *files, "-f", "json", "--quiet"))
        (pair,) = document["pairs"]
        return Said(
            better=claimed(document["claims"]) or pair["significant"],
            misses=None if pair["low"] is None else not pair["low"] <= 0 <= pair["high"],
            drop=_drop(given, folder),
            page=_page(files, folder) if pages else None,
        )

    def _chosen(self, own: Material, rng: np.random.Generator) -> list[int]:
        everything = np.arange(len(own.reference))
        if not self.by_document:
            drawn = rng.choice(everything, min(len(everything), self.segments // self.repeats), replace=False)
            return [int(i) for i in np.repeat(drawn, self.repeats)]
        chosen: list[int] = []
        for name in rng.permutation(list(dict.fromkeys(own.documents))):
            chosen += [i for i, document in enumerate(own.documents) if document == name]
            if len(chosen) >= self.segments:
                break
        return sorted(chosen)


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _drop(given: Sequence[object], folder: Path) -> bool:
    """Whether a gate stops the second system, held against the stored run of the first."""
    stored = folder / "stored.json"
    run("score", *given, folder / "A.txt", "--save", stored, "--quiet")
    answer = run(
        "gate", *given, folder / "B.txt", "--against", stored, "--system", "A", *FAST[:2], "-f", "json", "--quiet",
        codes=(0, 3),
    )  # fmt: skip
    return not json.loads(answer)["passed"]


def _page(files: Sequence[object], folder: Path) -> bool:
    """Whether the manager's page of the same data names a winner."""
    page = folder / "page.html"
    run("report", *files, "--audience", "manager", "-o", page, "--quiet")
    return names_winner(page.read_text(encoding="utf-8"))


def names_winner(page: str) -> bool:
    """Whether the sentence at the top of a manager's page speaks for one engine."""
    (answer,) = re.findall(r'<p class="verdict">(.*?)</p>', page, flags=re.DOTALL)
    return not re.match(r"No clear winner|No single winner|No difference|Too short a test|Undecided", answer)


def _page_beside(
    judgements: Path, own: Material, items: Sequence[int], swap: Sequence[bool], systems: Sequence[str]
) -> bool:
    """Whether the page of judgements names a winner; beside them lie texts whose systems change places likewise."""
    folder, places = judgements.parent, [int(item) % len(own.reference) for item in items]
    _write(folder / "ref.txt", [own.reference[i] for i in places])
    for place, name in enumerate(systems):
        first = [own.systems[(place ^ bool(s)) % 2][i] for i, s in zip(places, swap, strict=True)]
        texts = first if place < 2 else [" ".join(reversed(text.split())) for text in first]
        _write(folder / f"{name}.txt", texts)
    files = ["-r", folder / "ref.txt", *(folder / f"{name}.txt" for name in systems), "-m", "chrf"]
    return _page([*files, "-j", judgements, *FAST], folder)


@dataclass(frozen=True)
class Judged:
    """Items of real scores, judged by annotators who are severe and have tastes; two equal systems."""

    items: int = 200
    annotators: int = 8
    taste: float = 0.0
    """Standard deviation of what an annotator likes one system better by."""
    document: int = 0
    """Items a document, whose systems change places together; 0 without documents."""
    kind: str = ""
    """`confounded`: groups of annotators for systems; `uneven`: annotators who judged mostly one of two systems;
    `missing`: the worst fifth of one system is not judged. Two of them with a comma between them."""
    shift: float = 0.0
    """How much better the first system is in truth."""
    options: tuple[str, ...] = ()

    def __call__(self, own: Material, rng: np.random.Generator, folder: Path, pages: bool) -> Said:
        """Draw, write files, analyse, and read what is said."""
        path = folder / "judgements.csv"
        drawn, swap = self._drawn(own, rng)
        _write(path, ["annotator,system,item,score,document", *self._rows(own, rng, drawn, swap)])
        said = json.loads(run("human", "analyse", path, *FAST, *self.options, "-f", "json", "--quiet"))
        group = said["groups"][0]
        pair = next(p for p in group["pairs"] if {p["a"], p["b"]} == {"A", "B"})
        delta = self.shift if pair["a"] == "A" else -self.shift
        known = pair.get("low") is not None
        return Said(
            better=None
            if self.shift
            else said["verdict"]["winner"] in ("A", "B") or _tells_apart(group["claims"]),
            same=None if not self.shift else pair["margin"]["p"] < pair["margin"]["alpha"],
            misses=not pair["low"] <= delta <= pair["high"] if known and said_raw(self.options) else None,
            page=_page_beside(path, own, drawn, swap, self._systems)
            if pages and not self.shift and self.options in ((), RAW)
            else None,
        )

    @property
    def _systems(self) -> tuple[str, ...]:
        return ("A", "B", "bad") if "confounded" in self.kind else ("A", "B")

    def _drawn(self, own: Material, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Which items, and of which the systems change places."""
        drawn = rng.choice(own.scores.shape[1], self.items, replace=self.items > own.scores.shape[1])
        size = self.document or 1
        return drawn, np.repeat(rng.random(-(-self.items // size)) < 0.5, size)[: self.items]

    def _rows(
        self, own: Material, rng: np.random.Generator, drawn: np.ndarray, swap: np.ndarray
    ) -> list[str]:
        size = self.document or 1
        quality = own.scores[:, drawn]
        quality = np.where(swap, quality[::-1], quality)
        severity = rng.normal(0, 6, self.annotators)
        taste = (
            rng.normal(0, self.taste, (self.annotators, 3)) if self.taste else np.zeros((self.annotators, 3))
        )
        noise = rng.normal(0, 6, (3, self.items))
        systems = [("A", quality[0] + self.shift), ("B", quality[1])]
        if "confounded" in self.kind:
            systems.append(("bad", quality[1] - 25))
        rows = []
        for place, (system, scores) in enumerate(systems):
            given = scores + noise[place]
            worst = (
                set(np.argsort(given)[: self.items // 5].tolist())
                if "missing" in self.kind and place == 1
                else ()
            )
            for item in range(self.items):
                if item not in worst:
                    who = self._who(rng, item, system)
                    score = given[item] + severity[who] + taste[who, place]
                    rows.append(
                        f"p{who},{system},{item},{score:.2f},d{item // size if self.document else item}"
                    )
        return rows

    def _who(self, rng: np.random.Generator, item: int, system: str) -> int:
        half = self.annotators // 2
        if "uneven" in self.kind:
            return half * int(rng.random() < (0.8 if system == "B" else 0.2)) + int(rng.integers(half))
        if "confounded" not in self.kind:
            return (
                (item // (self.document or 1)) % self.annotators
                if self.document
                else int(rng.integers(self.annotators))
            )
        second = system == "B" or (system == "bad" and rng.random() < 0.2)
        return half * second + int(rng.integers(half))


@dataclass(frozen=True)
class Ranked:
    """Items of real scores, of which annotators prefer one of two equal systems, or rank it first."""

    items: int = 120
    annotators: int = 8
    judges: int = 2
    """Annotators an item."""
    taste: float = 0.0
    """Standard deviation of what an annotator likes the first system better by."""
    document: int = 0
    """Items a document, whose systems change places together; 0 without documents."""

    def __call__(self, own: Material, rng: np.random.Generator, folder: Path, pages: bool) -> Said:
        """Draw, write files, analyse, and read what is said."""
        path = folder / "choices.tsv"
        drawn, side = self._drawn(own, rng)
        rows = self._rows(own, rng, drawn, side)
        _write(path, ["judge\tsystem1\tsystem2\tsegment\tpreferred\tdocument", *rows])
        said = json.loads(run("human", "analyse", path, *FAST[2:], "-f", "json", "--quiet"))
        group = said["groups"][0]
        (pair,) = group["pairs"]
        return Said(
            better=pair["significant"] or claimed(group["claims"]),
            page=_page_beside(path, own, drawn, side < 0, "AB") if pages else None,
        )

    def _drawn(self, own: Material, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Which items, and of each the sign of what the first system is ahead by."""
        drawn = rng.choice(own.scores.shape[1], self.items, replace=self.items > own.scores.shape[1])
        size = self.document or 1
        return drawn, np.repeat(rng.choice([-1.0, 1.0], -(-self.items // size)), size)[: self.items]

    def _rows(
        self, own: Material, rng: np.random.Generator, drawn: np.ndarray, side: np.ndarray
    ) -> list[str]:
        size = self.document or 1
        gap = side * (own.scores[0, drawn] - own.scores[1, drawn])
        taste = rng.normal(0, self.taste, self.annotators)
        rows = []
        for item in range(self.items):
            for who in rng.choice(self.annotators, self.judges, replace=False):
                seen = gap[item] + taste[who] + rng.normal(0, 6)
                preferred = "tie" if abs(seen) < 2 else "A" if seen > 0 else "B"
                document = f"d{item // size}" if self.document else f"d{item}"
                rows.append(f"p{who}\tA\tB\t{item}\t{preferred}\t{document}")
        return rows


def said_raw(options: Sequence[str]) -> bool:
    """Whether differences are on the scale of the scores, so that the true one is known."""
    return "raw" in options


RAW = ("--score", "raw")
SAME = (*RAW, "--margin", str(MARGIN))
DESIGNS: Mapping[str, Drawn] = {
    "2 segments": Texts(2),
    "6 segments": Texts(6),
    "10 segments": Texts(10),
    "30 segments": Texts(30),
    "200 segments": Texts(200),
    "whole documents, 200 segments": Texts(200, by_document=True),
    "whole documents, 60 segments": Texts(60, by_document=True),
    "20 segments, each 10 times": Texts(200, repeats=10),
    "independent judgements, 30 items": Judged(items=30, options=RAW),
    "independent judgements, 200 items": Judged(options=RAW),
    "8 annotators with tastes": Judged(taste=6.0),
    "8 annotators with tastes, 30 items": Judged(taste=6.0, items=30),
    "20 annotators with tastes": Judged(annotators=20, taste=6.0),
    "20 documents": Judged(document=10, annotators=40),
    "20 documents, 8 annotators with tastes": Judged(document=10, taste=6.0),
    "groups of annotators for systems": Judged(annotators=16, taste=2.0, kind="confounded"),
    "the worst fifth is missing": Judged(annotators=20, kind="missing"),
    "groups of annotators for systems, the worst fifth is missing": Judged(
        annotators=16, taste=2.0, kind="confounded,missing"
    ),
    "uneven annotators": Judged(annotators=16, taste=2.0, kind="uneven"),
    "uneven annotators, the worst fifth is missing": Judged(annotators=16, taste=2.0, kind="uneven,missing"),
    "comparisons by 8 annotators": Ranked(),
    "comparisons by 8 annotators with tastes": Ranked(taste=6.0),
    "comparisons by 20 annotators with tastes": Ranked(annotators=20, taste=6.0),
    "comparisons of 20 documents": Ranked(annotators=40, document=6),
    "comparisons of 20 documents, 8 annotators with tastes": Ranked(document=6, taste=6.0),
    "at the margin": Judged(annotators=20, shift=MARGIN, options=SAME),
    "at the margin, 8 annotators with tastes": Judged(taste=6.0, shift=MARGIN, options=SAME),
    "1 annotator with tastes": Judged(annotators=1, taste=6.0),
    "2 annotators with tastes": Judged(annotators=2, taste=6.0),
    "3 annotators with tastes": Judged(annotators=3, taste=6.0),
    **{
        f"groups of annotators for systems, {option}": Judged(
            annotators=16, taste=2.0, kind="confounded", options=tuple(option.split())
        )
        for option in ("--unit annotator", "--unit item,annotator", "--preset wmt21")
    },
    **{
        f"the worst fifth is missing, {option}": Judged(
            annotators=20, kind="missing", options=tuple(option.split())
        )
        for option in ("--test rank-sum", "--test signed-rank", "--preset wmt21", "--unit judgement")
    },
}
PROMISES = {"better": 0.05, "same": 0.05, "misses": 0.05, "drop": 0.05, "page": 0.05}
"""How often a sentence of each kind may be false."""


@dataclass
class Count:
    """How often sentences of one kind were false."""

    false: int = 0
    of: int = 0

    def add(self, false: bool) -> None:
        """One more."""
        self.false, self.of = self.false + false, self.of + 1

    @property
    def share(self) -> float:
        """Of those that were made."""
        return self.false / self.of

    @property
    def error(self) -> float:
        """Of the share, if the promise is kept exactly."""
        return math.sqrt(0.05 * 0.95 / self.of)

    def exceeds(self, promise: float) -> bool:
        """Whether the promise is broken by more than two Monte-Carlo errors."""
        return self.share > promise + 2 * self.error

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.error:.1f} %"


@dataclass
class Row:
    """One design: how often sentences of every kind were false."""

    name: str
    counts: dict[str, Count] = field(default_factory=dict)

    def add(self, said: Said) -> None:
        """One more evaluation."""
        for kind in PROMISES:
            false = getattr(said, kind)
            if false is not None:
                self.counts.setdefault(kind, Count()).add(bool(false))

    def broken(self) -> list[str]:
        """Kinds of sentences that are false more often than promised."""
        return [kind for kind, count in self.counts.items() if count.exceeds(PROMISES[kind])]


def measured(name: str, evaluations: int, *, pages: int = 0, seed: int = 12) -> Row:
    """Draw evaluations of one design and count."""
    own, row = material(), Row(name)
    for number in range(evaluations):
        rng = np.random.default_rng([seed, list(DESIGNS).index(name), number])
        with tempfile.TemporaryDirectory() as folder:
            row.add(DESIGNS[name](own, rng, Path(folder), number < pages))
    return row


def measured_closely(name: str, evaluations: int, pages: int) -> Row:
    """A design that seems to be above 6 % is measured by five times as many evaluations, the first ones among them."""
    row = measured(name, evaluations, pages=pages)
    if any(count.share > CLOSE for count in row.counts.values()):
        row = measured(name, 5 * evaluations, pages=5 * pages)
    return row


KINDS = {
    "better": "one of two equal systems is better",
    "same": "the same within the margin",
    "misses": "the interval leaves out the truth",
    "drop": "a gate sees a drop",
    "page": "a page names a winner",
}


def table(rows: Sequence[Row]) -> list[str]:
    """Lines of the page: promised 5 % against measured, ± one Monte-Carlo error."""
    lines = [f"| design | {' | '.join(KINDS.values())} |", "|---|" + "--:|" * len(KINDS)]
    for row in rows:
        cells = [str(row.counts[kind]) if kind in row.counts else "–" for kind in KINDS]
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(EVALUATIONS)
    rows, pages = [], min(PAGES, asked.simulations)
    with ProcessPoolExecutor() as processes:  # a design each
        for row in processes.map(
            partial(measured_closely, evaluations=asked.simulations, pages=pages), DESIGNS
        ):
            rows.append(row)
            print(table([row])[-1], row.broken() or "", flush=True)
    counted = (
        f"{asked.simulations:,} evaluations a row, with pages of {pages:,}; where a cell came to more than 6 %, "
        f"{5 * asked.simulations:,} and {5 * pages:,}."
    )
    publish({"sentences": [*table(rows), "", counted]}, asked, "statistics.md")
