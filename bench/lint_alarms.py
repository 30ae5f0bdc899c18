"""How often each check of lint accuses a system that is known to be good; writes its table into docs/lint.md.

python bench/lint_alarms.py            some minutes; needs the shared data (ADJUDGE_SHARED, default ../shared)
python bench/lint_alarms.py --show     also what each alarm says

Outputs of shared tasks are good systems: people read them, and published scores rest on them. What a check says of
them above a note is either a fault that is really there (FAULTS, each looked at by hand) or a false alarm. Each test
set is examined as users give it: with source and references, with references alone, and with the source alone.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adjudge.checks import checks, examine
from adjudge.data import Outputs, TestSet

PROJECT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", PROJECT.parent / "shared"))
PAGE = PROJECT / "docs" / "lint.md"
BLOCK = re.compile(r"(<!-- alarms -->\n)(.*?)(<!-- end of alarms -->)", re.DOTALL)
WAYS = ("source and references", "references", "source")
ALL = "*"
"""Every system of a test set."""
TARGET = 0.01

FAULTS = {
    ("wmt17_da_seg_toen/zh-en", ALL, "order"): "the reference has lines 953 to 977 one line too early",
    ("wmt17_da_seg_toen/de-en", ALL, "entities"): "the files are escaped (&quot;), the source is not",
    ("wmt17_da_seg_toen/zh-en", ALL, "entities"): "the files are escaped (&quot;), the source is not",
    (
        "wmt17_da_seg_toen/zh-en",
        "CASICT-cons.5144",
        "lengths",
    ): "words are left out: “players” for a sentence",
    ("wmt17_da_seg_toen/zh-en", "NMT-Model-Average-Multi-Cards.5099", "numbers"): "numbers are dropped",
    ("wmt18_fwdrev/de-en", "LMU-unsup.5650", "numbers"): "learnt without translations, it makes up numbers",
    ("wmt21_da_toen/is-en", "HuaweiTSC", "entities"): "M&amp;C Saatchi",
    ("wmt21_da_toen/is-en", "Online-A", "entities"): "M&amp;C Saatchi",
    ("wmt21_mqm_ende/en-de", "eTranslation", "special-tokens"): "⁇rzte for Ärzte",
    ("wmt22/zh-en", "LanguageX", "special-tokens"): "<unk>",
    ("wmt23_mqm_esa/en-de", "AIRC", "looping"): "loops",
    ("wmt23_mqm_esa/en-de", "AIRC", "markup"): "<v> lost",
    ("wmt23_mqm_esa/en-de", "AIRC", "lengths"): "paragraphs broken off",
    ("wmt23_mqm_esa/en-de", "AIRC", "cut-off"): "paragraphs broken off: “Derry reiste zu St. Patrick”",
    ("wmt23_mqm_esa/en-de", "AIRC", "numbers"): "paragraphs broken off",
    ("wmt23_mqm_esa/en-de", "AIRC", "brackets"): "paragraphs broken off inside quotes",
    ("wmt23_mqm_esa/en-de", "NLLB_Greedy", "looping"): "loops",
    ("wmt23_mqm_esa/en-de", "NLLB_Greedy", "markup"): "tags lost",
    ("wmt23_mqm_esa/en-de", "NLLB_Greedy", "lengths"): "one sentence of a paragraph",
    ("wmt23_mqm_esa/en-de", "NLLB_Greedy", "numbers"): "one sentence of a paragraph",
    ("wmt23_mqm_esa/en-de", "NLLB_MBR_BLEU", "markup"): "tags lost",
    ("wmt23_mqm_esa/en-de", "NLLB_MBR_BLEU", "numbers"): "sentences left out",
    ("wmt23_mqm_esa/en-de", "ZengHuiMT", "brackets"): "quotes lost and doubled",
    ("wmt23_mqm_esa/en-de", "ZengHuiMT", "markup"): "tags lost in 16 lines of 17",
    ("rankings_wmt13_fren", "CMU_Tree-to-Tree.2893", "addresses"): "http:// ca. movember. com",
    ("rankings_wmt13_fren", "LIMSI-Ncode-SOUL-primary.2585", "addresses"): "http://. Movember/en",
    ("rankings_wmt13_fren", "cu-zeman.2738", "addresses"): "http://other.movember.com",
    ("rankings_wmt13_fren", "RWTH_primary.2595", "brackets"): "“André Beaulieu).”",
    ("rankings_wmt13_fren", "rbmt-3", "control"): "U+007F inside names",
}
"""Test set, system and check: what is really there, looked at by hand."""


@dataclass(frozen=True)
class Task:
    """A test set of a shared task with all its outputs."""

    name: str
    language: str
    sources: tuple[str, ...] | None
    references: tuple[tuple[str, ...], ...]
    outputs: tuple[Outputs, ...]

    def seen(self, way: str) -> TestSet | None:
        """The test set as it is given; None where it cannot be."""
        sources = self.sources if "source" in way else None
        references = self.references if "references" in way else ()
        if ("source" in way and sources is None) or ("references" in way and not references):
            return None
        return TestSet(references=references, sources=sources, language=self.language)


def read(path: Path) -> tuple[str, ...]:
    """Lines as they are."""
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def tasks() -> Iterator[Task]:
    """Every test set of the shared data that has outputs of systems."""
    for hyp in sorted(SHARED.glob("data/**/hyp")):
        folder = hyp.parent
        references = sorted(folder.glob("ref*"))
        known = {read(path) for path in references}
        outputs = [(path.stem, read(path)) for path in sorted(hyp.iterdir())]
        source = next(folder.glob("src.*"))
        yield Task(
            "/".join(folder.relative_to(SHARED / "data").parts).split("_", 1)[1],
            f"{source.suffix[1:]}-{references[0].suffix[1:]}",
            read(source),
            tuple(read(path) for path in references),
            tuple(Outputs(name, lines) for name, lines in outputs if lines not in known),
        )
    golden = SHARED / "golden" / "data"
    for pair in ("w2.zh-en", "en-cs", "en-de", "en-ja", "en-ru", "en-zh"):
        files = sorted(path for path in golden.glob(f"{pair}.*") if ".src." not in path.name)
        source = next(golden.glob(f"{pair}.src.*"), None)
        yield Task(
            f"wmt22/{pair.removeprefix('w2.')}",
            pair.removeprefix("w2."),
            read(source) if source else None,
            tuple(read(path) for path in files if ".ref" in path.name),
            tuple(Outputs(path.name.split(".")[-2], read(path)) for path in files if ".ref" not in path.name),
        )


def alarms(task: Task, way: str) -> Iterator[tuple[str, str, str]]:
    """Check, system and message of what is found above a note."""
    test_set = task.seen(way)
    if test_set is None:
        return
    for output in task.outputs:  # each alone, as most people have but one
        languages = way == WAYS[0]  # slow, and the same whatever stands beside
        for found in examine(test_set, [output], languages=languages).findings:
            if found.severity != "note" and found.system:
                yield found.check, found.system, f"{found.message}: {found.example}"


def is_there(task: str, system: str, check: str) -> bool:
    """Whether somebody looked, and found it so."""
    return (task, system, check) in FAULTS or (task, ALL, check) in FAULTS


Pairs = dict[str, set[tuple[str, str]]]


def main() -> None:
    """Count, and put the table into the page."""
    systems = dict.fromkeys(WAYS, 0)
    false: dict[str, Pairs] = defaultdict(lambda: defaultdict(set))
    true: Pairs = defaultdict(set)
    for task in tasks():
        for way in WAYS:
            systems[way] += len(task.outputs) if task.seen(way) is not None else 0
            for check, system, message in alarms(task, way):
                there = is_there(task.name, system, check)
                (true[check] if there else false[check][way]).add((task.name, system))
                if "--show" in sys.argv:
                    print(f"{'is there' if there else 'false'}: {check} [{way}] {task.name}: {message}")
    text = table(systems, false, true)
    print(text)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda match: f"{match[1]}\n{text}\n{match[3]}", page), encoding="utf-8")
    worst = max((len(ways[way]) / systems[way] for ways in false.values() for way in ways), default=0.0)
    sys.exit(f"a check accuses {worst:.1%} of good systems" if worst >= TARGET else 0)


def table(systems: dict[str, int], false: dict[str, Pairs], true: Pairs) -> str:
    """What each check that can warn says of good systems, in Markdown."""
    heads = [f"false, {way} ({number})" for way, number in systems.items()]
    lines = [f"| Check | {' | '.join(heads)} | there |", f"|:--|{'--:|' * (len(WAYS) + 1)}"]
    silent = []
    for name, one in checks().items():
        if not {"warning", "error"} & set(one.severities) or one.family == "files":
            continue
        counts = [len(false[name][way]) for way in WAYS]
        if any(counts) or true[name]:
            lines.append(f"| {name} | {' | '.join(map(str, counts))} | {len(true[name])} |")
        else:
            silent.append(name)
    return (
        "\n".join(lines)
        + f"\n\nOf all {max(systems.values())} systems these say nothing: {', '.join(silent)}.\n"
    )


if __name__ == "__main__":
    main()
