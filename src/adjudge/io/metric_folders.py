"""Folders of mt-metrics-eval written: scores of people and of metrics, and the texts, as `metric_scores` reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from adjudge.data.score_tables import MetaSet, MetaTexts, ScoreTable
from adjudge.errors import UsageError
from adjudge.wording import some_of


def folder_files(meta_set: MetaSet, texts: MetaTexts) -> dict[str, bytes]:
    """The files of a folder by their paths in it.

    Numbers are written so that reading gives the very same ones. Metrics without segment scores have a file of
    systems alone. mt-metrics-eval reads no `None` in a metric's file: systems without scores are left out there.
    """
    pair = meta_set.language
    if not pair:
        raise UsageError("mt-metrics-eval calls its files by the language pair: say it with -l, as in en-de")
    files: dict[str, str] = {}
    for name, table in meta_set.gold.items():
        _check(name)
        files |= _scores(f"human-scores/{pair}.{name}", table, meta_set.systems, people=True)
    for name, table in meta_set.metrics.items():
        base = name.rpartition("-")[0] if name.endswith(f"-{table.reference or 'src'}") else name
        _check(base)
        title = f"{base}-{table.reference or 'src'}"
        files |= _scores(f"metric-scores/{pair}/{title}", table, meta_set.systems, people=False)
    if texts.sources is not None:
        files[f"sources/{pair}.txt"] = _lines(texts.sources)
    files |= {f"references/{pair}.{name}.txt": _lines(text) for name, text in texts.references.items()}
    files |= {f"system-outputs/{pair}/{name}.txt": _lines(text) for name, text in texts.outputs.items()}
    if "document" in meta_set.labels:
        files[f"documents/{pair}.docs"] = _documents(meta_set.labels)
    return {name: text.encode("utf-8") for name, text in files.items()}


def _check(name: str) -> None:
    if "/" in name or "\\" in name or name.startswith("."):
        raise UsageError(
            f"{name!r} is no name for a file: leave its options out, or write the folder without it"
        )


def _scores(title: str, table: ScoreTable, systems: tuple[str, ...], *, people: bool) -> dict[str, str]:
    """The two files of a measure."""
    files = {}
    rated = [
        row
        for row in range(len(systems))
        if people or not any(math.isnan(value) for value in table.segments[row])
    ]
    if any(not math.isnan(value) for row in rated for value in table.segments[row]):
        rows = [(systems[row], value) for row in rated for value in table.segments[row]]
        files[f"{title}.seg.score"] = "".join(f"{name}\t{_number(value)}\n" for name, value in rows)
    whole = [
        (name, float(value))
        for name, value in zip(systems, table.systems, strict=True)
        if people or not math.isnan(value)
    ]
    if any(not math.isnan(value) for _, value in whole):
        files[f"{title}.sys.score"] = "".join(f"{name}\t{_number(value)}\n" for name, value in whole)
    return files


def _number(value: float) -> str:
    return "None" if math.isnan(value) else repr(float(value))


def _lines(segments: tuple[str, ...]) -> str:
    broken = [str(at) for at, text in enumerate(segments, 1) if "\n" in text or "\r" in text]
    if broken:
        raise UsageError(f"segments of several lines cannot be written one a line: {some_of(broken, 5)}")
    return "".join(f"{text}\n" for text in segments)


def _documents(labels: Mapping[str, tuple[str, ...]]) -> str:
    documents = labels["document"]
    domains = labels.get("domain", ("all",) * len(documents))
    return "".join(f"{domain}\t{name}\n" for domain, name in zip(domains, documents, strict=True))
